#include "app/gpu/worker_client.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <thread>

#include "app/workbench/tests/memory_host.h"
#include "app/workbench/tests/scratch_folder.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{60000};

WorkerOptions fake(const std::string& mode) {
  WorkerOptions options;
  options.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' " + mode;
  options.helloTimeout = milliseconds(1500);
  options.silenceTimeout = milliseconds(700);
  options.stopPatience = milliseconds(150);
  return options;
}

BenchRequest smallRequest() { return {.n = 1U << 20U}; }

bool isOver(const WorkerView& view) {
  return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
}

/// Starts a run and returns the view once it is over.
std::shared_ptr<const WorkerView> runToEnd(WorkerClient& client) {
  EXPECT_TRUE(client.bench(smallRequest()).ok());
  EXPECT_TRUE(client.waitUntil(isOver, kLong));
  return client.view();
}

std::shared_ptr<const WorkerView> startToEnd(WorkerClient& client) {
  client.start();
  EXPECT_TRUE(client.waitUntil(isOver, kLong));
  return client.view();
}

/// Looks again and again, for as long as any wait here.
template <class Condition>
bool comesTrue(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

/// No child is left, neither running nor a zombie.
void expectNoChildren() {
  int status = 0;
  EXPECT_EQ(waitpid(-1, &status, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

std::size_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
#ifdef __SANITIZE_ADDRESS__
  return 0;  // the sanitizer keeps freed memory
#else
  return resident * 4096;
#endif
}

TEST(WorkerClient, RunsEveryStrategy) {
  {
    WorkerClient client(fake("good"));
    const auto view = runToEnd(client);
    ASSERT_EQ(view->state, WorkerState::Ready) << view->sentence;
    EXPECT_EQ(view->data->hello()->gpu, "Fake GPU");
    const auto contenders = makeContenders(smallRequest());
    ASSERT_TRUE(contenders.ok());
    EXPECT_GE(contenders->size(), 6U);
    for (const Contender& contender : *contenders) {
      const auto reading = view->data->reading({contender.id, 1U << 20U, 256, CacheState::Cold});
      ASSERT_TRUE(reading) << contender.id;
      EXPECT_FALSE(reading->wrong);
      EXPECT_DOUBLE_EQ(reading->medianUs, 10.0 + contender.strategy->order);
    }
  }
  expectNoChildren();
}

TEST(WorkerClient, IgnoresALoginBanner) {
  WorkerClient client(fake("banner"));
  EXPECT_EQ(runToEnd(client)->state, WorkerState::Ready);
}

TEST(WorkerClient, ShowsWrongSumsAsWrong) {
  WorkerClient client(fake("wrong-sums"));
  const auto view = runToEnd(client);
  const auto reading = view->data->reading({"no-divergence", 1U << 20U, 256, CacheState::Cold});
  ASSERT_TRUE(reading);
  EXPECT_TRUE(reading->wrong);
  EXPECT_EQ(reading->medianUs, 0);
  EXPECT_FALSE(view->data->reading({"baseline", 1U << 20U, 256, CacheState::Cold})->wrong);
}

/// Runs those with each of these numbers of blocks and returns the view once all is over.
std::shared_ptr<const WorkerView> runOverBlocks(WorkerClient& client, const std::vector<std::string>& ids,
                                                const std::vector<std::uint64_t>& numbers) {
  for (const std::uint64_t blocks : numbers) {
    BenchRequest request = smallRequest();
    request.strategies = ids;
    request.blocks = blocks;
    EXPECT_TRUE(client.bench(request).ok());
  }
  EXPECT_TRUE(client.waitUntil(isOver, kLong));
  return client.view();
}

TEST(WorkerClient, KeepsSeriesOfDifferentGridsApart) {
  WorkerClient client(fake("good"));
  BenchRequest own = smallRequest();
  own.strategies = {"kahan"};
  ASSERT_TRUE(client.bench(own));
  const auto view = runOverBlocks(client, {"kahan", "baseline"}, {132, 264});
  const BenchData& data = *view->data;
  EXPECT_EQ(data.series().size(), 4U) << "baseline keeps its grid";
  const BenchSetting setting;
  for (const std::uint64_t blocks : {132U, 264U}) {
    const BenchSeries* series = data.find(setting.key("kahan", 1U << 20U, blocks));
    ASSERT_NE(series, nullptr);
    ASSERT_TRUE(series->result);
    EXPECT_EQ(series->result->grid, blocks);
    EXPECT_DOUBLE_EQ(series->result->elementsPerThread, (1U << 20U) / (256.0 * static_cast<double>(blocks)));
  }
  EXPECT_NE(data.find(setting.key("kahan", 1U << 20U)), nullptr);
  EXPECT_NE(data.find(setting.key("baseline", 1U << 20U)), nullptr);
}

TEST(WorkerClient, AnEarlierWorkerThatLeavesBlocksOutIsRefused) {
  WorkerClient unasked(fake("without-blocks"));
  EXPECT_EQ(runOverBlocks(unasked, {"kahan"}, {0})->state, WorkerState::Ready);
  WorkerClient client(fake("without-blocks"));
  const auto view = runOverBlocks(client, {"baseline", "kahan"}, {132});
  EXPECT_EQ(view->state, WorkerState::Failed);
  EXPECT_SAYS(view->sentence);
  EXPECT_EQ(view->data->find(BenchSetting().key("kahan", 1U << 20U, 132)), nullptr);
}

TEST(WorkerClient, AResultOfAnotherGridIsNotTaken) {
  WorkerClient client(fake("other-grid"));
  const auto view = runOverBlocks(client, {"kahan"}, {132});
  const BenchSeries* series = view->data->find(BenchSetting().key("kahan", 1U << 20U, 132));
  ASSERT_NE(series, nullptr);
  EXPECT_FALSE(series->result);
}

TEST(WorkerClient, RefusesABadRequestAtOnce) {
  WorkerClient client(fake("good"));
  BenchRequest request{.block = 0};
  EXPECT_FALSE(client.bench(request).ok());
  request.block = 2048;
  EXPECT_FALSE(client.bench(request).ok());
  request = {};
  request.n = 1000;
  request.strategies = {"baseline"};
  EXPECT_FALSE(client.bench(request).ok());
  request.n = 1024;
  request.blocks = 4;
  EXPECT_FALSE(client.bench(request).ok());
  EXPECT_EQ(client.view()->state, WorkerState::NotStarted);
}

TEST(WorkerClient, ReportsAnErrorOfARunAndGoesOn) {
  WorkerClient client(fake("error-in-run"));
  const auto view = runToEnd(client);
  EXPECT_EQ(view->state, WorkerState::Ready);
  EXPECT_SAYS(view->sentence);
}

TEST(WorkerClient, IsNotReadyForAnotherRunWhileItsWorkerEnds) {
  WorkerClient client(fake("ends-with-run"));
  const auto view = runToEnd(client);
  EXPECT_EQ(view->state, WorkerState::Failed) << "ready for a run that it would never do";
  EXPECT_SAYS(view->sentence);
}

/// A mode of the fake worker, as a test's name.
std::string testName(const ::testing::TestParamInfo<const char*>& mode) {
  std::string name = mode.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

class BadAtStart : public ::testing::TestWithParam<const char*> {};

TEST_P(BadAtStart, FailsWithOneSentence) {
  {
    WorkerClient client(fake(GetParam()));
    const auto view = startToEnd(client);
    EXPECT_EQ(view->state, WorkerState::Failed);
    EXPECT_SAYS(view->sentence);
    EXPECT_LT(view->sentence.size(), 500U);
    EXPECT_EQ(view->sentence.find('\n'), std::string::npos);
  }
  EXPECT_LT(residentBytes(), std::size_t{200} << 20U);
  expectNoChildren();
}

INSTANTIATE_TEST_SUITE_P(Workers, BadAtStart,
                         ::testing::Values("dies", "no-gpu", "hangs-before-hello", "refuses-to-die",
                                           "endless-line", "garbage", "wrong-version"),
                         testName);

class BadInRun : public ::testing::TestWithParam<const char*> {};

TEST_P(BadInRun, FailsAndTheNextRunWorks) {
  // Bad once: the first worker leaves a file, and where that is, the next one is good.
  const std::string flag = ::testing::TempDir() + "lanescope_was_bad_" + std::to_string(getpid());
  std::filesystem::remove(flag);
  {
    const std::string mode = GetParam();
    WorkerClient client(
        fake("$(test -e '" + flag + "' && echo good || { : >'" + flag + "'; echo " + mode + "; })"));
    const auto view = runToEnd(client);
    EXPECT_EQ(view->state, WorkerState::Failed);
    // What a shell says of a crash is its own.
    std::string said = view->sentence.substr(0, view->sentence.find(": Segmentation fault"));
    constexpr std::string_view kCut = "…'";  // the end of the command's name, which differs from run to run
    if (const std::size_t end = said.find(kCut); end != std::string::npos)
      said = "The worker" + said.substr(end + kCut.size());
    EXPECT_SAYS(said);
    EXPECT_FALSE(view->data->progress());

    const auto next = runToEnd(client);
    EXPECT_EQ(next->state, WorkerState::Ready) << next->sentence;
    EXPECT_TRUE(next->data->find({"shuffle", 1U << 20U, 256, CacheState::Cold})->result);
  }
  std::filesystem::remove(flag);
  expectNoChildren();
}

INSTANTIATE_TEST_SUITE_P(Workers, BadInRun,
                         ::testing::Values("dies-mid-run", "exits-mid-run", "hangs-mid-run",
                                           "floods-progress", "floods-blanks", "floods-hello"),
                         testName);

class Flood : public ::testing::TestWithParam<const char*> {};

TEST_P(Flood, TakesBoundedMemoryAndStops) {
  const testing::ScratchFolder folder;
  const std::filesystem::path sign = folder.path() / "flooded";
  const std::size_t before = residentBytes();
  {
    WorkerOptions options = fake(GetParam());
    options.command = "LANESCOPE_FLOODED='" + sign.string() + "' " + options.command;
    options.silenceTimeout = kLong;
    WorkerClient client(options);
    ASSERT_TRUE(client.bench(smallRequest()).ok());
    const auto hasFlooded = [&] {
      client.view();
      return std::filesystem::exists(sign);
    };
    ASSERT_TRUE(comesTrue(hasFlooded));
    EXPECT_LT(residentBytes(), before + (std::size_t{16} << 20U));
    const auto view = client.view();
    EXPECT_LE(view->data->series().size(), strategies().size());
    for (const auto& [key, series] : view->data->series())
      EXPECT_LE(series.samples.size(), BenchData::kMaxKeptSamples);
  }
  expectNoChildren();
}

INSTANTIATE_TEST_SUITE_P(Workers, Flood,
                         ::testing::Values("floods-samples", "floods-stranger", "stderr-flood"));

TEST(WorkerClient, NamesACommandThatDoesNotExist) {
  WorkerOptions options{.command = "no-such-program-here --fast"};
  WorkerClient client(options);
  const auto view = startToEnd(client);
  EXPECT_EQ(view->state, WorkerState::Failed);
  EXPECT_SAYS(view->sentence);
}

TEST(WorkerClient, SaysThatThereAreNoProcesses) {
  WorkerOptions options = fake("good");
  options.host = std::make_shared<testing::MemoryHost>();
  WorkerClient client(options);
  const auto view = startToEnd(client);
  EXPECT_EQ(view->state, WorkerState::Failed);
  EXPECT_SAYS(view->sentence);
}

TEST(WorkerClient, CancelsARunAndKeepsTheWorker) {
  WorkerOptions options = fake("slow");
  options.silenceTimeout = kLong;
  WorkerClient client(options);
  ASSERT_TRUE(client.bench(smallRequest()).ok());
  ASSERT_TRUE(client.waitUntil(
      [](const WorkerView& view) {
        return view.data->series().size() == makeContenders(smallRequest())->size();
      },
      kLong));
  EXPECT_EQ(client.view()->state, WorkerState::Running);
  client.cancel();
  EXPECT_TRUE(
      client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Ready; }, kLong));
}

TEST(WorkerClient, DestructionEndsAWorkerThatRefuses) {
  const std::string refusing = ::testing::TempDir() + "lanescope_worker_refuses";
  std::filesystem::remove(refusing);
  WorkerOptions options = fake("hangs-before-hello");
  options.command = "trap '' TERM HUP; touch '" + refusing + "'; exec " + options.command;
  {
    WorkerClient client(options);
    client.start();
    ASSERT_TRUE(comesTrue([&] { return std::filesystem::exists(refusing); }));
  }
  expectNoChildren();
}

TEST(WorkerClient, KillsTheWholeProcessGroup) {
  const std::string pidFile = ::testing::TempDir() + "lanescope_grandchild.pid";
  {
    WorkerOptions options = fake("good");
    options.command = "sleep 1000 & echo $! >'" + pidFile + "'; " + options.command;
    WorkerClient client(options);
    EXPECT_EQ(runToEnd(client)->state, WorkerState::Ready);
  }
  int grandchild = 0;
  std::ifstream(pidFile) >> grandchild;
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(comesTrue([&] {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string stat;
    std::getline(status, stat);
    return stat.empty() || stat.find(") Z ") != std::string::npos;  // a zombie if orphans are not reaped
  }));
}

TEST(WorkerClient, NoticesAClosedOutput) {
  WorkerOptions options = fake("closes-output");
  options.command = "exec " + options.command;
  WorkerClient client(options);
  client.start();
  ASSERT_TRUE(
      client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Failed; }, kLong));
  EXPECT_SAYS(client.view()->sentence);
}

TEST(WorkerClient, WakesOncePerLook) {
  const std::string over = ::testing::TempDir() + "lanescope_worker_is_over";
  std::atomic<int> wakes{0};
  WorkerOptions options = fake("exits-mid-run");
  options.command += "; touch '" + over + "'";
  options.wake = [&wakes] { ++wakes; };
  {
    WorkerClient client(options);
    std::filesystem::remove(over);
    ASSERT_TRUE(client.bench(smallRequest()).ok());
    EXPECT_TRUE(comesTrue([&] { return std::filesystem::exists(over) && wakes >= 1; }));
    EXPECT_EQ(wakes.load(), 1) << "nobody has looked, whatever news there were";
    client.view();
    ASSERT_TRUE(client.bench(smallRequest()).ok());  // of the worker that ends, or of another
    EXPECT_TRUE(comesTrue([&] { return wakes >= 2; }));
  }
  EXPECT_EQ(wakes.load(), 2);
}

}  // namespace
}  // namespace lanescope
