// lanescope: the desktop app. Reads the command line; the rest is in app/platform.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/base/host.h"
#include "app/export/pictures.h"
#include "app/launch/strategy_launch.h"
#include "app/paint/theme.h"
#include "app/platform/application.h"
#include "app/version.h"
#include "kernels/protocol/worker_options.h"
#include "kernels/strategies/catalogue.h"

namespace {

using namespace lanescope;

constexpr int kWrongUsage = 2;
constexpr int kSmallestSide = 320;
constexpr int kLargestSide = 8192;

/// The command line as it was typed, before any look-up.
struct Words {
  std::string strategy;  ///< if empty, the first of the course
  std::string theme;
  std::string machine;
  std::string size;          ///< empty: the last one
  std::uint64_t n = 0;       ///< 0: the fewest that the app offers, or the number that the lesson opens at
  std::uint64_t blocks = 0;  ///< 0: the fewest that can share n elements
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

template <class Range, class Name>
std::string names(const Range& range, Name nameOf) {
  std::vector<std::string> all;
  all.reserve(std::size(range));
  for (const auto& entry : range) all.emplace_back(nameOf(entry));
  return joined(all);
}

/// Looks up the typed words. The result is "" or a sentence that names the allowed ones.
std::string apply(Words words, ApplicationOptions& options) {
  options.selection.strategy = words.strategy.empty() ? &strategies().front() : findStrategy(words.strategy);
  if (options.selection.strategy == nullptr) {
    return "There is no strategy '" + words.strategy + "'. " + nearestStrategiesText(words.strategy);
  }
  if (words.n == 0) {
    options.chosenN = kElementCounts.front();
    words.n = std::max(options.chosenN, options.selection.strategy->opensAt);
  }
  options.selection.n = words.n;
  options.machineChosen = !words.machine.empty();
  options.selection.machine = options.machineChosen ? findMachine(words.machine) : &defaultMachine(words.n);
  if (options.selection.machine == nullptr) {
    return "There is no machine '" + words.machine + "'; there are " +
           names(machinePresets(), [](const MachineModel& machine) { return machine.name; }) + ".";
  }
  if (options.file.empty()) {
    Selection& chosen = options.selection;
    const auto fewest = [&] { return fewestBlocks(*chosen.strategy, words.n, *chosen.machine).value_or(1); };
    chosen.blocks = words.blocks > 0 ? words.blocks : fewest();
    const auto launch = makeLaunch(*chosen.strategy, words.n, chosen.blocks, *chosen.machine);
    if (!launch) return launch.error().sentence();
  }
  if (!words.theme.empty() && findTheme(words.theme) == nullptr) {
    return "There is no theme '" + words.theme + "'; there are " +
           names(themes(), [](const Theme& theme) { return theme.id; }) + ".";
  }
  options.theme = words.theme;
  if (words.size.empty()) return "";
  options.size = readWidthAndHeight(words.size, kSmallestSide, kLargestSide);
  if (!options.size) {
    return "The size '" + words.size + "' is not WIDTHxHEIGHT from " + std::to_string(kSmallestSide) +
           " to " + std::to_string(kLargestSide) + ", as 1280x720.";
  }
  return "";
}

int usage(const std::string& sentence) {
  std::fprintf(stderr, "lanescope: %s\n", sentence.c_str());
  return kWrongUsage;
}

}  // namespace

int main(int argc, char** argv) {
  ApplicationOptions options;
  Words words;
  std::uint32_t step = 0;
  std::string picture;
  CLI::App cli{"Lanescope: CUDA performance seen step by step, with the parallel reduction as its example."};
  cli.set_version_flag("--version", std::string("lanescope ") + kVersion);
  cli.add_option("file", options.file, "A kernel file (.cu) or a session (.lanescope) to open");
  const auto* strategyOption = cli.add_option(
      "--strategy", words.strategy,
      "Strategy to open, by its id (`lanescope-cli list`); default: what was open last, at first "
      "the first of the course");
  const auto* sizeOption =
      cli.add_option(
             "--n", words.n,
             "Elements to reduce, as 64, 33 or 2^6: at most 65536; default: 8, or what the lesson opens at")
          ->transform(sizeFrom(1, kMostElements));
  const auto* blocksOption =
      cli.add_option("--blocks", words.blocks, "Blocks that share the elements; default: the fewest that can")
          ->check(CLI::IsMember(kBlockCounts));
  auto* stepOption = cli.add_option("--step", step, "Warp instructions done when it opens");
  cli.add_option("--theme", words.theme, "dark, light or high-contrast; default: the last one chosen");
  const auto* machineOption = cli.add_option(
      "--machine", words.machine, "Machine to simulate; default: tiny up to 16 elements, else nvidia");
  cli.add_option("--screenshot", picture, "Draw that state, save it as this PNG, and end");
  cli.add_option("--size", words.size,
                 "Size of the window or the picture, as 1280x720; default: the last one chosen");
  cli.add_option("--worker", options.worker,
                 "Command that starts the GPU worker, as 'ssh lab lanescope-gpu'");
  cli.add_flag("--own-file-dialogs", options.ownFileDialogs,
               "Ask for files in the window, even if the system has a dialog (zenity or kdialog)");
  cli.add_flag("--startup-time", options.startupTime, "Print the time to the first frame")->group("");
  cli.add_option("--frame-stats", options.statsFrames, "Play, draw that many frames, print their times, end")
      ->group("");
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return cli.exit(error);
    return usage(std::string(error.what()) + ". `lanescope --help` lists the options.");
  }
  if (stepOption->count() > 0) options.step = step;
  // If no strategy or file is named, it begins at the beginning.
  if (words.strategy.empty() && options.file.empty() && !options.step) options.step = 0;
  options.namesRun = !options.file.empty() || stepOption->count() > 0 || strategyOption->count() > 0 ||
                     sizeOption->count() > 0 || blocksOption->count() > 0 || machineOption->count() > 0;
  options.screenshot = picture;
  const std::string wrong = apply(words, options);
  return wrong.empty() ? runApplication(options, std::make_shared<DesktopHost>()) : usage(wrong);
}
