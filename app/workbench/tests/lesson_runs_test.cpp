// What a lesson says of a kernel's correctness is run. A comment after the sentence has the launch, a change
// of the kernel's text as in an experiment, and what they must give (kernels/strategies/README.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "app/launch/strategy_launch.h"
#include "kernels/strategies/experiment.h"
#include "sim/memory/device_memory.h"
#include "sim/trace/luck.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

/// A comment `<!-- run with …`.
struct LessonRun {
  std::map<std::string, std::string> setting;  ///< `n`, `blocks`
  std::string diff;                            ///< empty: the kernel as it is
  std::map<std::string, std::string> gives;    ///< `hazards`, `sum`, `luck`
};

/// `n 64; blocks 4` as keys and values.
std::map<std::string, std::string> readPairs(const std::string& text) {
  static const std::regex pair(R"((\w+) ([^;]+))");
  std::map<std::string, std::string> pairs;
  for (std::sregex_iterator one(text.begin(), text.end(), pair), end; one != end; ++one)
    pairs[(*one)[1]] = (*one)[2];
  return pairs;
}

std::vector<LessonRun> readRuns(const std::string& lesson) {
  constexpr std::string_view kBegin = "<!-- run with ";
  std::vector<LessonRun> runs;
  for (std::size_t at = lesson.find(kBegin); at != std::string::npos; at = lesson.find(kBegin, at)) {
    at += kBegin.size();
    const std::size_t firstEnd = lesson.find('\n', at);
    const std::size_t gives = lesson.find("\ngives ", firstEnd);
    const std::size_t end = lesson.find(" -->", at);
    if (gives == std::string::npos || end == std::string::npos || gives > end) break;
    runs.push_back({readPairs(lesson.substr(at, firstEnd - at)),
                    lesson.substr(firstEnd + 1, gives - firstEnd),
                    readPairs(lesson.substr(gives + 7, end - gives - 7))});
    if (gives == firstEnd) runs.back().diff.clear();
  }
  return runs;
}

/// The kernel of a strategy, changed.
Result<Variant> makeChanged(const Strategy& strategy, const std::string& diff) {
  const std::string change = diff.empty() ? "" : "```diff\n" + diff + "```\n";
  const auto experiment = readExperiment(
      "of_a_lesson.md", "---\ntitle: A change\nstrategy: " + std::string(strategy.id) +
                            "\n---\nWhat does it give?\n\n## text\n### as it is\n### changed\n" + change);
  if (!experiment) return experiment.error();
  auto variants = makeVariants(*experiment);
  if (!variants) return variants.error();
  return variants->back();
}

/// What the run gives, by the names of `LessonRun::gives`. The error is that of the change or of the launch.
Result<std::map<std::string, std::string>> findGiven(const Strategy& strategy, const LessonRun& asked) {
  const auto changed = makeChanged(strategy, asked.diff);
  if (!changed) return changed.error();
  const auto blocks = asked.setting.find("blocks");
  const auto launch =
      makeLaunch(changed->strategy, std::stoull(asked.setting.at("n")),
                 blocks == asked.setting.end() ? 1 : std::stoull(blocks->second), machinePresets().front());
  if (!launch) return launch.error();
  const auto run = runLaunch(*launch);
  if (!run) return run.error();
  const auto luck = tryOrders(*launch);
  if (!luck) return luck.error();
  const double sum = run->fault ? 0 : computeSum(run->simulation.buffers[1], launch->arguments[1].type);
  return std::map<std::string, std::string>{
      {"hazards", std::to_string(run->hazards ? run->hazards->hazards.size() : 0)},
      {"sum", run->fault ? "none" : std::to_string(static_cast<long long>(sum))},
      {"luck", std::string(luckVerdictName(luck->verdict))}};
}

TEST(LessonRuns, GiveWhatTheLessonSays) {
  std::size_t count = 0;
  for (const Strategy& strategy : strategies()) {
    const auto path = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels/strategies" /
                      std::filesystem::path(strategy.file).replace_extension(".md");
    std::ifstream file(path);
    const std::string lesson{std::istreambuf_iterator<char>(file), {}};
    for (const LessonRun& run : readRuns(lesson)) {
      ++count;
      const auto given = findGiven(strategy, run);
      ASSERT_TRUE(given.ok()) << strategy.id << ": " << given.error().sentence();
      EXPECT_FALSE(run.gives.empty()) << strategy.id;
      for (const auto& [name, value] : run.gives) {
        ASSERT_TRUE(given->contains(name)) << strategy.id << ": nothing is called " << name;
        EXPECT_EQ(given->at(name), value) << strategy.id << ": " << name << " after\n" << run.diff;
      }
    }
    const std::regex begin("<!-- run");
    EXPECT_EQ(static_cast<std::size_t>(std::distance(
                  std::sregex_iterator(lesson.begin(), lesson.end(), begin), std::sregex_iterator())),
              readRuns(lesson).size())
        << strategy.id << ": a comment is not `run with …`, a change and `gives …`";
  }
  EXPECT_GE(count, 8U);
}

}  // namespace
}  // namespace lanescope
