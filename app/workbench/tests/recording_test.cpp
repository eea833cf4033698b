#include "app/analysis/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "app/analysis/bench_data.h"
#include "app/gpu/gpu_session.h"
#include "kernels/protocol/bench_rules.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

std::string smallRecording() {
  HelloMessage hello{.gpu = "NVIDIA H200", .date = "2026-11-20"};
  CeilingMessage ceiling;
  ceiling.gbps = 4600;
  std::string text = toLine(hello) + "\n" + toLine(ceiling) + "\n";
  for (std::uint64_t run = 1; run <= 2; ++run) {
    const SeriesKey series{"baseline", 1024U << (2 * run), 256, CacheState::Cold};
    for (std::uint32_t i = 0; i < 4; ++i) text += toLine(SampleMessage{run, series, i, 5.0 + i}) + "\n";
    ResultMessage result;
    result.run = run;
    result.series = series;
    result.grid = 4;
    result.verified = true;
    result.medianUs = 6.5;
    result.samples = 4;
    text += toLine(result) + "\n" + toLine(DoneMessage{run, false}) + "\n";
  }
  return text;
}

std::string problemWith(const std::string& text) {
  const auto recording = parseRecording(text, "r.jsonl");
  return recording ? std::string() : recording.error().sentence();
}

TEST(Recording, HoldsWhatTheWorkerSaid) {
  const auto recording = parseRecording(smallRecording(), "r.jsonl");
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->title(), "NVIDIA H200, 2026-11-20");
  EXPECT_EQ(recording->label(), "NVIDIA H200, 2026-11-20, r");
  const BenchData data = recording->data();
  EXPECT_EQ(data.sizes(BenchSetting{}), (std::vector<std::uint64_t>{4096, 16384}));
  EXPECT_DOUBLE_EQ(data.ceiling()->gbps, 4600);
  EXPECT_DOUBLE_EQ(data.reading({"baseline", 4096, 256, CacheState::Cold})->medianUs, 6.5);
}

TEST(Recording, AFormerIdIsThePresentOne) {
  std::string text = smallRecording();
  for (std::size_t at = text.find("baseline"); at != std::string::npos; at = text.find("baseline"))
    text.replace(at, 8, "local-memory");
  const auto recording = parseRecording(text, "r.jsonl");
  ASSERT_TRUE(recording) << recording.error().sentence();
  const BenchData data = recording->data();
  EXPECT_TRUE(data.reading({"shared-tree-atomic", 4096, 256, CacheState::Cold}));
  EXPECT_FALSE(data.reading({"local-memory", 4096, 256, CacheState::Cold}));
}

TEST(Recording, KeepsTheNumbersOfBlocks) {
  BenchData data;
  HelloMessage hello{.gpu = "NVIDIA H200"};
  data.apply(hello);
  const BenchSetting setting;
  for (const std::uint64_t blocks : {0U, 132U, 264U}) {
    ResultMessage result;
    result.run = 1;
    result.series = setting.key("kahan", 1U << 20U, blocks);
    result.grid = blocks == 0 ? 1024 : blocks;
    result.verified = true;
    result.medianUs = 5 + static_cast<double>(blocks);
    result.samples = 1;
    data.apply(SampleMessage{1, result.series, 0, result.medianUs});
    data.apply(result);
  }
  const auto again = parseRecording(recordingText(data), "r");
  ASSERT_TRUE(again) << again.error().sentence();
  EXPECT_EQ(again->data().series().size(), 3U);
  EXPECT_DOUBLE_EQ(again->data().reading(setting.key("kahan", 1U << 20U, 132))->medianUs, 137);
  const std::string csv = benchCsv(again->data());
  EXPECT_EQ(csv.find("gbps,blocks,elements_per_thread\n"), csv.find("gbps"));
  EXPECT_NE(csv.find(",132,31.0303"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",,4\n"), std::string::npos) << "its own grid of 1024\n" << csv;
}

TEST(Recording, ThoseThatWereMadeEarlierOpenAsBefore) {
  for (const char* name : {"nvidia-h200", "nvidia-h200_one_value", "nvidia-h200_cub"}) {
    const auto recording =
        loadRecording(std::string(LANESCOPE_SOURCE_DIR "/assets/recordings/") + name + ".jsonl");
    ASSERT_TRUE(recording) << recording.error().sentence();
    const BenchData data = recording->data();
    for (const auto& [key, series] : data.series()) {
      EXPECT_EQ(key.blocks, 0U);
      ASSERT_TRUE(series.result) << key.strategy;
      EXPECT_EQ(elementsPerThread(*series.result) > 0, key.strategy != "cub") << key.strategy;
    }
  }
}

TEST(Recording, ThoseThatShipAreReadAndBeginWithTheOneThatTheLessonsTell) {
  const std::vector<std::filesystem::path> shipped = shippedRecordings();
  ASSERT_FALSE(shipped.empty());
  EXPECT_EQ(shipped.front().filename(), "nvidia-h200.jsonl");
  std::set<std::string> gpus;
  for (const std::filesystem::path& path : shipped) {
    const Result<Recording> recording = loadRecording(path);
    ASSERT_TRUE(recording) << recording.error().sentence();
    gpus.insert(recording->title().substr(0, recording->title().find(',')));
    const BenchData data = recording->data();
    EXPECT_GT(data.series().size(), 20U) << path;
  }
  EXPECT_GT(gpus.size(), 1U) << "GPUs to be compared";
}

TEST(Recording, SaysWhatIsWrongAndWhere) {
  EXPECT_SAYS(problemWith(""));
  EXPECT_SAYS(problemWith("\n\n"));
  EXPECT_SAYS(problemWith(smallRecording() + "half a li"));
  EXPECT_SAYS(problemWith(smallRecording() + "{\"type\":\"sample\",\"run\":1}"));
  const std::string text = smallRecording();
  EXPECT_NE(problemWith(text.substr(text.find('\n') + 1)).find("hello"), std::string::npos);
  HelloMessage old{.protocol = "lanescope.worker/0"};
  const std::string problem = problemWith(toLine(old));
  EXPECT_SAYS(problem);
  EXPECT_SAYS(problemWith(std::string("\0\xff\x80", 3)));
}

TEST(Recording, EveryCutIsReadOrRefused) {
  const std::string text = smallRecording();
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const auto recording = parseRecording(text.substr(0, length), "cut");
    EXPECT_TRUE(recording.ok() || !recording.error().message.empty());
  }
}

TEST(Recording, MissingFileIsOneSentence) {
  const auto recording = loadRecording("/no/such/file.jsonl");
  ASSERT_FALSE(recording.ok());
  EXPECT_SAYS(recording.error().sentence());
  EXPECT_FALSE(loadRecording("/").ok());
}

std::size_t countSamples(const RecordingPlayer& player, std::uint64_t n) {
  const BenchSeries* series = player.data().find({"baseline", n, 256, CacheState::Cold});
  return series == nullptr ? 0 : series->samples.size();
}

TEST(RecordingPlayer, SpreadsTheMessagesOfOneSizeOverItsTime) {
  RecordingPlayer player(parseRecording(smallRecording(), "r").value(), 4.0);
  EXPECT_EQ(player.size(), 16384U) << "the largest";
  EXPECT_TRUE(player.advanceTo(0));
  EXPECT_TRUE(player.data().hello());
  EXPECT_TRUE(player.data().ceiling());
  EXPECT_EQ(countSamples(player, 4096), 4U) << "the other size is there at once";
  EXPECT_EQ(countSamples(player, 16384), 0U);
  EXPECT_TRUE(player.advanceTo(2.0));
  EXPECT_EQ(countSamples(player, 16384), 2U);
  EXPECT_FALSE(player.finished());
  EXPECT_FALSE(player.advanceTo(2.0));
  EXPECT_TRUE(player.advanceTo(4.0));
  EXPECT_TRUE(player.finished());
  EXPECT_EQ(countSamples(player, 16384), 4U);
  player.advanceTo(0);
  EXPECT_EQ(countSamples(player, 16384), 0U);
  EXPECT_EQ(countSamples(player, 4096), 4U);
}

TEST(RecordingPlayer, PlaysTheSizeThatWasChosen) {
  RecordingPlayer player(parseRecording(smallRecording(), "r").value(), 4.0);
  player.advanceTo(4.0);
  player.restart(4096);
  EXPECT_EQ(player.size(), 4096U);
  player.advanceTo(0);
  EXPECT_EQ(countSamples(player, 4096), 0U);
  EXPECT_EQ(countSamples(player, 16384), 4U);
  player.restart(5);
  EXPECT_EQ(player.size(), 16384U) << "nothing was recorded of 5";
  RecordingPlayer all(parseRecording(smallRecording(), "r").value(), 0);
  all.advanceTo(0);
  EXPECT_TRUE(all.finished()) << "no time: everything at once";
  EXPECT_EQ(all.data().series().size(), 2U);
}

TEST(BenchData, ALaterRunReplacesAnEarlierOne) {
  BenchData data;
  const SeriesKey key{"shuffle", 4096, 256, CacheState::Warm};
  data.apply(SampleMessage{1, key, 0, 9.0});
  data.apply(SampleMessage{1, key, 1, 9.0});
  data.apply(SampleMessage{2, key, 0, 3.0});
  const auto reading = data.reading(key);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->samples, 1U);
  EXPECT_DOUBLE_EQ(reading->medianUs, 3.0);
  // 4096 floats read, 8 block sums of 512 written.
  EXPECT_DOUBLE_EQ(reading->gbps, (4096 + 8) * 4 / 3.0 / 1e3);
}

TEST(BenchData, StaysBounded) {
  BenchData data;
  for (std::uint64_t n = 1; n <= 20000; ++n)
    data.apply(SampleMessage{1, {"x", n, 32, CacheState::Cold}, 0, 1.0});
  EXPECT_EQ(data.series().size(), BenchData::kMaxSeries);
  for (std::uint32_t i = 0; i < 5000; ++i)
    data.apply(SampleMessage{1, {"x", 1, 32, CacheState::Cold}, i, 1.0});
  EXPECT_EQ(data.find({"x", 1, 32, CacheState::Cold})->samples.size(), BenchData::kMaxKeptSamples);
}

class GpuSessionTest : public ::testing::Test {
 protected:
  GpuSessionTest() : path_(::testing::TempDir() + "lanescope_recording_test.jsonl") {
    std::ofstream(path_) << smallRecording();
  }

  /// Frames at 50 a second until `done`, at most half a minute of them.
  template <class Done>
  static bool framesUntil(GpuSession& session, Done done) {
    for (int frame = 0; frame < 1500; ++frame) {
      session.update(frame * 0.02);
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  std::string path_;
};

TEST_F(GpuSessionTest, ReplaysTheRecordingWhereNoWorkerCanBeHad) {
  GpuSessionOptions options;
  options.worker.command = "no-such-worker";
  options.recording = path_;
  options.replaySeconds = 0.2;
  GpuSession session(options);
  session.start();
  ASSERT_TRUE(
      framesUntil(session, [&] { return session.source() == GpuSource::Recording && !session.animating(); }));
  EXPECT_EQ(session.state(), WorkerState::Failed);
  EXPECT_EQ(session.label(),
            "recording: NVIDIA H200, 2026-11-20, " + std::filesystem::path(path_).stem().string());
  EXPECT_EQ(session.shownRecording(), path_);
  EXPECT_SAYS(session.sentence());
  EXPECT_EQ(session.data().series().size(), 2U);
  EXPECT_TRUE(session.isWithoutGpu());
  EXPECT_NE(session.runBlocker(), "");
  // Looking again, in vain, leaves the replay where it is.
  const std::uint64_t replays = session.replays();
  session.start();
  ASSERT_TRUE(framesUntil(session, [&] { return session.state() == WorkerState::Starting; }) ||
              session.state() == WorkerState::Failed);
  ASSERT_TRUE(framesUntil(session, [&] { return session.state() == WorkerState::Failed; }));
  EXPECT_EQ(session.replays(), replays);
  EXPECT_EQ(session.data().series().size(), 2U);
  EXPECT_FALSE(session.animating());
}

TEST_F(GpuSessionTest, TheChosenSizeIsReplayed) {
  GpuSessionOptions options{.recording = path_, .replaySeconds = 1000};
  GpuSession session(options);
  EXPECT_FALSE(session.openingSize()) << "nothing is on show";
  ASSERT_FALSE(session.replay());
  EXPECT_EQ(session.openingSize(), 16384U);
  for (double now = 0; now < 100; now += 10) {
    session.update(now);
    EXPECT_EQ(session.openingSize(), 16384U) << "one for the whole replay";
  }
  session.chooseSize(4096);
  ASSERT_FALSE(session.open(path_));
  EXPECT_EQ(session.openingSize(), 4096U);
  EXPECT_EQ(session.replays(), 2U);
}

TEST_F(GpuSessionTest, SaysWhenThereIsNoRecordingEither) {
  GpuSessionOptions options;
  options.worker.command = "no-such-worker";
  options.recording = "/no/such/recording.jsonl";
  GpuSession session(options);
  session.start();
  ASSERT_TRUE(framesUntil(session, [&] { return session.state() == WorkerState::Failed; }));
  EXPECT_EQ(session.source(), GpuSource::None);
  EXPECT_TRUE(session.label().empty());
  EXPECT_TRUE(session.data().series().empty());
}

TEST_F(GpuSessionTest, ALiveWorkerTakesThePlaceOfTheRecording) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' good";
  options.recording = path_;
  GpuSession session(options);
  ASSERT_FALSE(session.replay());
  EXPECT_EQ(session.source(), GpuSource::Recording);
  BenchPlan plan{.strategies = {"baseline", "shuffle"}, .sizes = {1U << 16U, 1U << 20U}};
  ASSERT_FALSE(session.run(plan));
  ASSERT_TRUE(framesUntil(
      session, [&] { return session.state() == WorkerState::Ready && session.data().series().size() == 4; }));
  EXPECT_EQ(session.label(), "Fake GPU, live");
  plan.setting.block = 48;
  EXPECT_TRUE(session.run(plan));
}

TEST_F(GpuSessionTest, ThoseTooSlowForAnNAreLeftOutOfThatOne) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' good";
  GpuSession session(options);
  BenchPlan plan;
  plan.strategies = {"one-thread", "baseline", "one-atomic"};
  plan.sizes = {1U << 12U, 1U << 18U, 1U << 20U};
  ASSERT_FALSE(session.run(plan));
  EXPECT_SAYS(session.leftOut());
  ASSERT_TRUE(framesUntil(
      session, [&] { return session.state() == WorkerState::Ready && session.data().series().size() == 7; }));
  EXPECT_NE(session.data().find(plan.setting.key("one-thread", 1U << 18U)), nullptr);
  EXPECT_EQ(session.data().find(plan.setting.key("one-thread", 1U << 20U)), nullptr);
  EXPECT_NE(session.data().find(plan.setting.key("baseline", 1U << 20U)), nullptr);

  // A size without a contender is not run, and without any size the reason is given.
  plan.strategies = {"one-thread"};
  plan.sizes = {1U << 14U, 1U << 20U};
  ASSERT_FALSE(session.run(plan));
  EXPECT_SAYS(session.leftOut());
  ASSERT_TRUE(framesUntil(
      session, [&] { return session.state() == WorkerState::Ready && session.data().series().size() == 8; }));
  plan.sizes = {1U << 20U, 1U << 22U};
  const auto refused = session.run(plan);
  ASSERT_TRUE(refused);
  EXPECT_SAYS(refused->sentence());
  EXPECT_EQ(session.leftOut(), "");
}

TEST_F(GpuSessionTest, ThoseThatCannotHaveAnNAreLeftOutOfIt) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' good";
  GpuSession session(options);
  BenchPlan plan{.strategies = {"baseline", "add-during-load-8", "float4-loads"}, .sizes = {1U << 12U}};
  plan.setting.block = 1024;
  ASSERT_FALSE(session.run(plan));
  EXPECT_SAYS(session.leftOut());
  ASSERT_TRUE(framesUntil(
      session, [&] { return session.state() == WorkerState::Ready && session.data().series().size() == 2; }));
  EXPECT_EQ(session.data().find(plan.setting.key("add-during-load-8", 1U << 12U)), nullptr);

  // No contender is left: the reason is given, and nothing is run.
  plan.strategies = {"add-during-load-8"};
  const auto refused = session.run(plan);
  ASSERT_TRUE(refused);
  EXPECT_SAYS(refused->sentence());
}

TEST_F(GpuSessionTest, EveryReasonForLeavingOutIsSaid) {
  BenchPlan plan;
  plan.strategies = {"one-thread",       "float4-loads", "add-during-load-8",
                     "transpose-by-row", "cub",          "baseline"};
  plan.sizes = {1U << 12U, 1U << 14U, 1U << 20U};
  plan.setting.block = 1024;
  EXPECT_SAYS(leftOutText(plan));
  plan.setting.type = ElementType::Double;
  plan.setting.scope = Scope::Full;
  const std::string text = leftOutText(plan);
  EXPECT_SAYS(text);
  EXPECT_EQ(text.find("cub"), std::string::npos) << text;
  EXPECT_EQ(text.find("baseline"), std::string::npos) << text;
}

TEST_F(GpuSessionTest, ANumberOfBlocksThatIsWrongForOneNRefusesAll) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' good";
  GpuSession session(options);
  BenchPlan plan{.strategies = {"float4-loads", "one-thread"}, .sizes = {1U << 12U, 1U << 31U}};
  plan.setting.block = 1024;
  plan.blocks = 262145;
  const auto refused = session.run(plan);
  ASSERT_TRUE(refused);
  EXPECT_SAYS(refused->sentence());
  EXPECT_EQ(session.leftOut(), "");
  EXPECT_EQ(session.state(), WorkerState::NotStarted) << "nothing was asked for";
  plan.blocks = 33;
  EXPECT_FALSE(session.run(plan));
  EXPECT_EQ(makeRequest(plan, 1U << 31U).strategies, std::vector<std::string>{"float4-loads"});
}

}  // namespace
}  // namespace lanescope
