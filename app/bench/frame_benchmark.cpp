// How long a frame of the window takes to build, without a window: for every strategy the median, the 95th
// percentile and the longest, over steps all along its walk.
//   build/bin/frame-benchmark [--machine NAME]... [--n N]... [--strategy ID]... [--places COUNT]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/gpu/gpu_session.h"
#include "app/launch/strategy_launch.h"
#include "app/paint/theme.h"
#include "app/tests/headless.h"
#include "app/window/main_window.h"
#include "app/workbench/session.h"
#include "kernels/strategies/catalogue.h"
#include "sim/memory/machine_model.h"

namespace lanescope {
namespace {

constexpr float kWidth = 1600;
constexpr float kHeight = 1000;
constexpr std::uint32_t kStepsAtAPlace = 3;

struct Options {
  std::vector<std::string> machines;
  std::vector<std::uint64_t> sizes;
  std::vector<std::string> strategies;  // none: all
  std::uint32_t places = 40;
};

double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double measureSeconds(const std::function<void()>& work) {
  const double start = cpuSeconds();
  work();
  return cpuSeconds() - start;
}

// The place is reached in a frame that does not count, as lists of the steps passed are brought up to it.
std::vector<double> makeFrames(Session& session, Headless& headless, MainWindow& window,
                               std::uint32_t places) {
  std::vector<double> seconds;
  const std::size_t steps = session.player().replay()->trace().steps.size();
  for (std::uint32_t place = 0; place < places; ++place) {
    session.player().seek(static_cast<std::uint32_t>(steps * place / places));
    headless.frame(window);
    for (std::uint32_t step = 0; step < kStepsAtAPlace && session.player().forward(); ++step) {
      session.player().motion().finish();
      seconds.push_back(measureSeconds([&] { headless.frame(window); }));
    }
  }
  return seconds;
}

void measure(const Strategy& strategy, const MachineModel& machine, std::uint64_t n, std::uint32_t places) {
  Session session;
  session.chooseMachine(machine);
  session.select({.strategy = &strategy,
                  .n = n,
                  .machine = &machine,
                  .blocks = fewestBlocks(strategy, n, machine).value_or(1)});
  const std::string name = fmt::format("{:28} {:8} {:6}", strategy.id, machine.name, n);
  if (!session.error().empty() || !waitForTrace(session)) {
    fmt::print("{}  {}\n", name, session.error());
    return;
  }
  GpuSession gpu({});
  MainWindow window(session, gpu, themes().front());
  Headless headless(ImVec2(kWidth, kHeight));
  const std::vector<double> seconds = makeFrames(session, headless, window, places);
  const double median = quantile(seconds, 0.5);
  const double high = quantile(seconds, 0.95);
  const Trace& trace = session.player().replay()->trace();
  fmt::print("{}  {:7} steps {:4} phases  {:7.3f} ms median {:7.3f} ms 95th {:7.3f} ms longest\n", name,
             trace.steps.size(), trace.phases.size(), 1e3 * median, 1e3 * high, 1e3 * quantile(seconds, 1));
  std::fflush(stdout);
}

std::optional<Options> makeOptions(int count, char** words) {
  Options options;
  for (int index = 1; index < count; index += 2) {
    const std::string_view option = words[index];
    if (index + 1 == count) return std::nullopt;
    const std::string value = words[index + 1];
    if (option == "--machine")
      options.machines.push_back(value);
    else if (option == "--n")
      options.sizes.push_back(std::strtoull(value.c_str(), nullptr, 10));
    else if (option == "--strategy")
      options.strategies.push_back(value);
    else if (option == "--places")
      options.places = static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    else
      return std::nullopt;
  }
  if (options.machines.empty()) options.machines = {"nvidia", "tiny"};
  if (options.sizes.empty()) options.sizes = {1024, 65536};
  return options;
}

int run(const Options& options) {
  for (const std::uint64_t n : options.sizes) {
    for (const std::string& name : options.machines) {
      const MachineModel* machine = findMachine(name);
      if (machine == nullptr) return 2;
      for (const Strategy& strategy : strategies()) {
        const bool isAsked = options.strategies.empty() ||
                             std::ranges::find(options.strategies, strategy.id) != options.strategies.end();
        if (isAsked) measure(strategy, *machine, n, options.places);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace lanescope

int main(int count, char** words) {
  const auto options = lanescope::makeOptions(count, words);
  if (!options) {
    std::fprintf(stderr, "usage: %s [--machine NAME]... [--n N]... [--strategy ID]... [--places COUNT]\n",
                 words[0]);
    return 2;
  }
  return lanescope::run(*options);
}
