// The exporter, as the app uses it: every kind written, and reported in a sentence.
#include <filesystem>
#include <semaphore>
#include <thread>

#include <gtest/gtest.h>

#include "app/base/system.h"
#include "app/export/exporter.h"
#include "app/export/frames.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/workbench/tests/scratch_folder.h"
#include "sim/base/json.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

const bool kHasGif = LANESCOPE_HAS_GIF;

/// Asks over and over, for half a minute at most.
template <class Condition>
bool becomes(const Condition& condition) {
  for (int i = 0; i < 15000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

class ExporterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    request_.trace = makeTrace("no-divergence", 64, "nvidia");
    request_.cursor = {13, 1};
    request_.theme = &themes().front();
  }

  ExportOutcome write(ExportKind kind, const char* name) {
    request_.kind = kind;
    request_.path = folder_ / name;
    return writeExport(request_);
  }
  /// Asked to stop before it begins: it leaves nothing.
  ExportOutcome writeStopped(ExportKind kind, const char* name) {
    std::stop_source stop;
    stop.request_stop();
    request_.kind = kind;
    request_.path = folder_ / name;
    ExportOutcome outcome = writeExport(request_, stop.get_token());
    EXPECT_FALSE(outcome.good);
    EXPECT_TRUE(fs::is_empty(folder_));
    return outcome;
  }
  /// What becomes of the request in the background.
  ExportOutcome awaitOutcome(Exporter& exporter, ExportKind kind, const char* name) {
    request_.kind = kind;
    request_.path = folder_ / name;
    exporter.request(request_);
    EXPECT_FALSE(exporter.isCancelled());
    return awaitOutcome(exporter);
  }
  static ExportOutcome awaitOutcome(Exporter& exporter) {
    std::optional<ExportOutcome> outcome;
    EXPECT_TRUE(becomes([&] { return (outcome = exporter.consume()).has_value(); }));
    EXPECT_FALSE(exporter.busy());
    return outcome.value_or(ExportOutcome{});
  }
  std::string written(const char* name) const { return testing::readAll(folder_ / name); }

  ExportRequest request_;
  const testing::ScratchFolder scratch_;
  const fs::path& folder_ = scratch_.path();
};

TEST_F(ExporterTest, WritesEveryKind) {
  const ExportOutcome picture = write(ExportKind::Picture, "a.svg");
  EXPECT_TRUE(picture.good) << picture.sentence;
  EXPECT_SAYS(picture.sentence);
  EXPECT_NE(written("a.svg").find("wavefront 1 of 2"), std::string::npos);
  EXPECT_TRUE(write(ExportKind::Strip, "b.svg").good);
  EXPECT_NE(written("b.svg").find("step size 32"), std::string::npos);
  EXPECT_TRUE(write(ExportKind::Counters, "c.csv").good);
  EXPECT_NE(written("c.csv").find("\nno_divergence,nvidia,phase,2,step size 1,"), std::string::npos);
  EXPECT_TRUE(write(ExportKind::Trace, "d.json").good);
  const auto json = parseJson(written("d.json"));
  EXPECT_EQ(json["schema"], "lanescope.trace/1");
  EXPECT_EQ(json["phases"].size(), request_.trace->phases.size());
}

TEST_F(ExporterTest, WritesPngsAndFrames) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  request_.scale = 2;
  const ExportOutcome picture = write(ExportKind::Picture, "a.png");
  EXPECT_TRUE(picture.good) << picture.sentence;
  EXPECT_SAYS(picture.sentence);
  EXPECT_TRUE(written("a.png").starts_with("\x89PNG"));
  request_.grain = Grain::Phase;
  request_.scale = 0.5F;
  const ExportOutcome frames = write(ExportKind::Frames, "frames");
  EXPECT_TRUE(frames.good) << frames.sentence;
  EXPECT_SAYS(frames.sentence);
}

TEST_F(ExporterTest, AGifMoves) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  if (!kHasGif) {
    EXPECT_NE(write(ExportKind::Gif, "a.gif").sentence.find("libgif-dev"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_ / "a.gif"));
    GTEST_SKIP() << "built without giflib";
  }
  request_.grain = Grain::Phase;
  request_.scale = 0.25F;
  const ExportOutcome made = write(ExportKind::Gif, "a.gif");
  EXPECT_TRUE(made.good) << made.sentence;
  EXPECT_SAYS(made.sentence);
  const std::string gif = written("a.gif");
  EXPECT_TRUE(gif.starts_with("GIF89a\x90\x01\xFA")) << "400 x 250";
  EXPECT_NE(gif.find("NETSCAPE2.0"), std::string::npos) << "it does not begin again";
  fs::remove(folder_ / "a.gif");
  EXPECT_EQ(writeStopped(ExportKind::Gif, "b.gif").sentence, writingStopped("GIF").sentence());
  EXPECT_FALSE(fs::exists(folder_ / "b.gif"));
}

TEST_F(ExporterTest, AStoppedSequenceLeavesNothing) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  EXPECT_EQ(writeStopped(ExportKind::Frames, "frames").sentence, writingStopped("sequence").sentence());
  EXPECT_EQ(writeStopped(ExportKind::Page, "a.html").sentence, writingStopped("page").sentence());
}

TEST_F(ExporterTest, WritesThePageThatSteps) {
  request_.strategy = findStrategy("no-divergence");
  request_.n = 64;
  request_.grain = Grain::Wavefront;
  const ExportOutcome page = write(ExportKind::Page, "a.html");
  EXPECT_TRUE(page.good) << page.sentence;
  const std::size_t frames = makeFrames(request_.trace, Grain::Wavefront)->size();
  EXPECT_NE(page.sentence.find("Wrote " + std::to_string(frames) + " steps as a page to "), std::string::npos)
      << page.sentence;
  EXPECT_NE(written("a.html").find("Lesson: No divergence"), std::string::npos);
  EXPECT_NE(written("a.html").find("\"opensAt\":13,"), std::string::npos);
}

TEST_F(ExporterTest, AStoppedOrTooLongWalkLeavesNothing) {
  EXPECT_EQ(writeStopped(ExportKind::Strip, "walk.svg").sentence, writingStopped("page").sentence());
  auto many = std::make_shared<Trace>(*request_.trace);
  many->phases.resize(1002, many->phases.back());
  request_.trace = many;
  const ExportOutcome outcome = write(ExportKind::Strip, "walk.svg");
  EXPECT_FALSE(outcome.good);
  EXPECT_SAYS(outcome.sentence);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ExporterTest, SaysWhyNot) {
  fs::create_directory(folder_ / "a.svg");
  const ExportOutcome folder = write(ExportKind::Picture, "a.svg");
  EXPECT_FALSE(folder.good);
  EXPECT_SAYS(folder.sentence);
  EXPECT_FALSE(write(ExportKind::Picture, "a.bmp").good);
  EXPECT_FALSE(write(ExportKind::Trace, "missing/d.json").good);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(ExporterTest, WakesOnceTheOutcomeIsThere) {
  std::binary_semaphore woken{0};
  Exporter exporter(std::make_shared<ThreadExecutor>([&] { woken.release(); }));
  request_.path = folder_ / "a.svg";
  exporter.request(request_);
  ASSERT_TRUE(woken.try_acquire_for(std::chrono::seconds(10)));
  EXPECT_TRUE(exporter.busy()) << "its outcome is yet to be taken";
  const auto outcome = exporter.consume();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(exporter.busy());
  EXPECT_TRUE(outcome->good) << outcome->sentence;
}

TEST_F(ExporterTest, TellsOfFramesAndIsCancelled) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  request_.kind = ExportKind::Frames;
  request_.path = folder_ / "frames";
  Exporter exporter(std::make_shared<ThreadExecutor>());
  exporter.request(request_);
  EXPECT_FALSE(exporter.isCancelled());
  EXPECT_TRUE(becomes([&] { return exporter.progress().done >= 2; }));
  const ExportProgress progress = exporter.progress();
  EXPECT_GE(progress.done, 2U);
  EXPECT_EQ(progress.total, request_.trace->steps.size() + 1);
  EXPECT_TRUE(fs::exists(folder_ / "frames.new"));
  exporter.cancel();
  EXPECT_TRUE(exporter.isCancelled());
  EXPECT_EQ(awaitOutcome(exporter).sentence, writingStopped("sequence").sentence());
  EXPECT_TRUE(fs::is_empty(folder_));
  // The next one is neither cancelled nor half done.
  const ExportOutcome next = awaitOutcome(exporter, ExportKind::Picture, "a.svg");
  EXPECT_TRUE(next.good) << next.sentence;
  EXPECT_EQ(exporter.progress().total, 0U);
}

TEST_F(ExporterTest, AStoppedPictureIsNotWritten) {
  EXPECT_SAYS(writeStopped(ExportKind::Picture, "a.svg").sentence);
}

TEST_F(ExporterTest, EndsWithAnyWorkUnderWayAndLeavesNothing) {
  if (!ImageWriter::of(ImageKind::Png, themes().front())) GTEST_SKIP() << "built without cairo";
  request_.kind = ExportKind::Frames;
  request_.path = folder_ / "frames";
  {
    Exporter exporter(std::make_shared<ThreadExecutor>());
    exporter.request(request_);
    EXPECT_TRUE(becomes([&] { return exporter.progress().done >= 1; }));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ExporterTest, WorksInTheBackground) {
  Exporter exporter(std::make_shared<ThreadExecutor>());
  EXPECT_FALSE(exporter.busy());
  EXPECT_FALSE(exporter.consume());
  const ExportOutcome outcome = awaitOutcome(exporter, ExportKind::Picture, "a.svg");
  EXPECT_TRUE(outcome.good) << outcome.sentence;
}

}  // namespace
}  // namespace lanescope
