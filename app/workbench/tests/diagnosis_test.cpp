// What a profile says: the shares of lines, in plain words, and one sentence; of made-up profiles and of
// those that ship.
#include "app/analysis/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/analysis/recording.h"
#include "app/workbench/tests/scratch_folder.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

constexpr const char* kText = "__global__ void k() {\n  load();\n\tadd();\n}\n";

LaunchProfile someProfile() {
  LaunchProfile profile;
  profile.kernel.grid = {2, 1, 1};
  profile.kernel.block = {48, 1, 1};  // two warps each
  ProfileCounts loads;
  loads.samples = 60;
  loads.executed = 12;
  loads.stalls = {{"selected", 30}, {"long_sb", 20}, {"of_the_future", 10}};
  ProfileCounts adds;
  adds.samples = 30;
  adds.executed = 4;
  adds.stalls = {{"wait", 30}};
  profile.lines = {{2, loads}, {3, adds}, {4, adds}};  // line 4 calls a function that is inlined from line 3
  ProfileCounts header{.samples = 10, .stalls = {{"barrier", 10}}};
  profile.instructions = {{2, "LDG.E R1, [R2]", loads}, {3, "FADD R1, R1, R3", adds}, {0, "SHFL R1", header}};
  return profile;
}

TEST(Diagnosis, SharesAreOfAllSamplesEachCountedOnce) {
  const Diagnosis diagnosis = diagnose(someProfile(), kText);
  EXPECT_EQ(diagnosis.samples, 100U);
  EXPECT_EQ(diagnosis.executed, 16U);
  EXPECT_DOUBLE_EQ(diagnosis.outside, 0.1);
  ASSERT_EQ(diagnosis.lines.size(), 3U);
  EXPECT_DOUBLE_EQ(diagnosis.lines[1].share, 0.3);
  EXPECT_DOUBLE_EQ(diagnosis.lines[2].share, 0.3) << "as in Nsight Compute, of the line that calls it too";
  const LineShare& first = diagnosis.lines[0];
  EXPECT_EQ(first.line, 2U);
  EXPECT_EQ(first.text, "load();");
  EXPECT_DOUBLE_EQ(first.share, 0.6);
  EXPECT_DOUBLE_EQ(first.instructionsPerWarp, 3);
  ASSERT_NE(first.mainStall(), nullptr);
  EXPECT_EQ(first.mainStall()->id, "long_sb") << "a warp that is issued does not wait";
  EXPECT_SAYS(first.mainStall()->reason.words);
  EXPECT_EQ(first.stalls.back().id, "of_the_future");
  EXPECT_SAYS(first.stalls.back().reason.words);
  EXPECT_EQ(diagnosis.lines[1].text, "add();");
  EXPECT_EQ(diagnosis.stalls.size(), 5U);
}

TEST(Diagnosis, NamesTheUnitThatIsNearItsPeakOrLatency) {
  LaunchProfile profile = someProfile();
  EXPECT_SAYS(diagnose(profile, kText).sentence);
  profile.kernel.metrics = {{"lts__throughput.avg.pct_of_peak_sustained_elapsed", 40.0},
                            {"sm__inst_issued.avg.pct_of_peak_sustained_active", 81.4}};
  EXPECT_SAYS(diagnose(profile, kText).sentence);
  profile.kernel.metrics[1].value = 63;
  EXPECT_SAYS(diagnose(profile, kText).sentence);
  profile.kernel.metrics[1].value = 31;
  EXPECT_SAYS(diagnose(profile, kText).sentence);
  EXPECT_EQ(diagnose(profile, kText).nearestUnit()->name, "L2");
}

TEST(Diagnosis, HasTheBoundsOfNsightComputesGuidedAnalysis) {
  EXPECT_EQ(findLimiter(80), Limiter::Unit);
  EXPECT_EQ(findLimiter(79.6), Limiter::Unit) << "80%, as it is shown";
  EXPECT_EQ(findLimiter(79.4), Limiter::UnitAndLatency);
  EXPECT_EQ(findLimiter(60), Limiter::UnitAndLatency);
  EXPECT_EQ(findLimiter(59.4), Limiter::Latency);
  EXPECT_EQ(findLimiter(0), Limiter::Latency);
  EXPECT_SAYS(limiterWords(Limiter::UnitAndLatency));
}

TEST(Diagnosis, SaysWhatLimitsOccupancy) {
  LaunchProfile profile = someProfile();
  profile.kernel.metrics = {{"launch__occupancy_limit_registers", 5.0},
                            {"launch__occupancy_limit_warps", 8.0},
                            {"sm__maximum_warps_per_active_cycle_pct", 62.5},
                            {"sm__warps_active.avg.pct_of_peak_sustained_active", 60.1}};
  EXPECT_SAYS(diagnose(profile, kText).occupancy);
}

TEST(Diagnosis, KeepsALineThatWasExecutedButNotSampled) {
  LaunchProfile profile = someProfile();
  for (ProfileLine& line : profile.lines) line.counts.samples = 0;
  for (ProfileInstruction& one : profile.instructions) one.counts.samples = 0;
  const Diagnosis diagnosis = diagnose(profile, kText);
  ASSERT_EQ(diagnosis.lines.size(), 3U);
  EXPECT_DOUBLE_EQ(diagnosis.lines[0].instructionsPerWarp, 3);
  EXPECT_EQ(diagnosis.costliestLine(), nullptr);
  EXPECT_SAYS(diagnosis.sentence);
}

TEST(Diagnosis, SurvivesAnEmptyProfile) {
  const Diagnosis diagnosis = diagnose({}, "");
  EXPECT_SAYS(diagnosis.sentence);
  EXPECT_EQ(diagnosis.samples, 0U);
  LaunchProfile beyond = someProfile();
  beyond.lines[0].line = 4000;
  EXPECT_EQ(diagnose(beyond, kText).lines[0].text, "") << "a line that the text has not";
}

TEST(StallWords, EveryReasonHasItsWords) {
  std::set<std::string_view> ids;
  for (const StallReason& reason : stallReasons()) {
    EXPECT_TRUE(ids.insert(reason.id).second) << reason.id;
    EXPECT_FALSE(reason.words.empty() || reason.nsight.empty() || reason.meaning.empty()) << reason.id;
    EXPECT_EQ(toStallReason(reason.id).words, reason.words);
    EXPECT_FALSE(stallGroupWords(reason.group).empty());
  }
  EXPECT_SAYS(toStallReason("barrier").words);
  EXPECT_SAYS(toStallReason("not_selected").words);
}

Result<ProfileRecording> shipped() {
  return loadProfiles(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl");
}

TEST(RecordedProfiles, NameTheLineWithTheMostSamples) {
  const auto recording = shipped();
  ASSERT_TRUE(recording) << recording.error().sentence();
  EXPECT_EQ(recording->profiles.size(), strategies().size()) << "one of every strategy";
  for (const LaunchProfile& profile : recording->profiles) {
    const Strategy* const strategy = findStrategy(profile.kernel.strategy);
    ASSERT_NE(strategy, nullptr) << profile.kernel.strategy;
    EXPECT_EQ(recording->find(*strategy), &profile) << strategy->id << " has changed since it was profiled";
    std::uint64_t most = 0;
    std::uint64_t all = 0;
    for (const ProfileLine& line : profile.lines) {
      most = std::max(most, line.counts.samples);
      std::uint64_t stalls = 0;
      for (const StallCount& stall : line.counts.stalls) {
        stalls += stall.samples;
        EXPECT_FALSE(toStallReason(stall.reason).id.empty()) << stall.reason;
      }
      EXPECT_EQ(stalls, line.counts.samples) << strategy->id << " line " << line.line;
    }
    for (const ProfileInstruction& one : profile.instructions) all += one.counts.samples;
    const Diagnosis diagnosis = diagnose(profile, strategy->source);
    ASSERT_FALSE(diagnosis.lines.empty());
    EXPECT_EQ(diagnosis.lines[0].counts.samples, most) << strategy->id;
    EXPECT_EQ(diagnosis.samples, all) << strategy->id;
    EXPECT_FALSE(diagnosis.lines[0].text.empty());
    const std::string named = "ine " + std::to_string(diagnosis.lines[0].line) + " takes";
    EXPECT_NE(diagnosis.sentence.find(named), std::string::npos) << diagnosis.sentence;
  }
}

TEST(RecordedProfiles, KnowTheLineOfBaselinesRemainder) {
  const auto recording = shipped();
  ASSERT_TRUE(recording);
  const Strategy& baseline = *findStrategy("baseline");
  const LaunchProfile* const profile = recording->find(baseline);
  ASSERT_NE(profile, nullptr);
  const LineShare line = diagnose(*profile, baseline.source).lines[0];
  EXPECT_EQ(line.text, "if (tid % (2 * k) == 0) {");
  EXPECT_NEAR(line.share, 0.514, 0.005);
}

// Some kernels of experiments are a strategy's own text: each was profiled once more in a run of its own.
TEST(RecordedProfiles, OfTwoRunsAgreeWithinFivePoints) {
  const auto first = shipped();
  const auto second = shippedExperimentProfiles();
  ASSERT_TRUE(first && second);
  int compared = 0;
  for (const LaunchProfile& again : second->profiles) {
    const auto found = std::ranges::find_if(first->profiles, [&](const LaunchProfile& one) {
      return one.kernel.textHash == again.kernel.textHash && one.kernel.grid == again.kernel.grid &&
             one.kernel.block == again.kernel.block;
    });
    if (found == first->profiles.end()) continue;
    ++compared;
    const std::vector<LineShare> ours = diagnose(*found, {}).lines;
    for (const LineShare& line : diagnose(again, {}).lines) {
      const auto same = std::ranges::find(ours, line.line, &LineShare::line);
      const double share = same == ours.end() ? 0 : same->share;
      if (std::max(share, line.share) < 0.1) continue;
      EXPECT_NEAR(share, line.share, 0.05) << again.kernel.strategy << " line " << line.line;
    }
  }
  EXPECT_GE(compared, 15);
}

/// Every strategy was profiled again: the line that is named takes the most time there too, and lines that
/// take much of it take as much.
TEST(RecordedProfiles, AgreeWithFurtherRuns) {
  const auto recording = shipped();
  ASSERT_TRUE(recording);
  std::map<std::string, std::map<std::uint32_t, std::vector<double>>> runs;
  std::ifstream file(LANESCOPE_SOURCE_DIR "/kernels/tests/h200-profile-runs.txt");
  static const std::regex row(R"(([a-z0-9-]+) (\d+),([\d.]+)(?:,([\d.]+))?)");
  for (std::string line; std::getline(file, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    auto& shares = runs[found[1]][static_cast<std::uint32_t>(std::stoul(found[2]))];
    for (std::size_t column = 3; column <= 4 && found[column].matched; ++column)
      shares.push_back(std::stod(found[column]));
  }
  EXPECT_EQ(runs.size(), strategies().size());
  for (const auto& [id, lines] : runs) {
    SCOPED_TRACE(id);
    const Strategy& strategy = *findStrategy(id);
    const Diagnosis diagnosis = diagnose(*recording->find(strategy), strategy.source);
    const std::vector<double>& costliest = lines.at(diagnosis.lines[0].line);
    for (const auto& [line, shares] : lines) {
      const auto same = std::ranges::find(diagnosis.lines, line, &LineShare::line);
      ASSERT_NE(same, diagnosis.lines.end()) << line;
      for (std::size_t run = 0; run < shares.size(); ++run) {
        EXPECT_NEAR(shares[run], 100 * same->share, 5) << "line " << line;
        EXPECT_NEAR(shares[run], shares[0], 5) << "line " << line;
        constexpr double kTie = 1;  // two lines of one kernel take the same time
        EXPECT_LE(shares[run], costliest[run] + kTie) << "line " << line;
      }
    }
  }
}

TEST(RecordedProfiles, AreOfTheTextThatWasProfiled) {
  const auto recording = shipped();
  ASSERT_TRUE(recording);
  const std::string text(findStrategy("baseline")->source);
  EXPECT_NE(recording->findText(text), nullptr);
  EXPECT_EQ(recording->findText(text + "\n"), nullptr) << "lines of another text";
}

TEST(RecordedProfiles, AreNoRecordingOfTimes) {
  for (const std::filesystem::path& path : shippedRecordings())
    EXPECT_TRUE(!path.stem().string().ends_with("_profile") &&
                !path.stem().string().ends_with("_experiments"))
        << path;
  const auto path = shippedProfileRecording();
  ASSERT_TRUE(path) << path.error().sentence();
  EXPECT_EQ(path->filename(), "nvidia-h200_profile.jsonl");
}

TEST(RecordedProfiles, SayWhatIsWrong) {
  const auto none = loadProfiles(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_cub.jsonl");
  ASSERT_FALSE(none);
  EXPECT_SAYS(none.error().sentence());
  const testing::ScratchFolder folder;
  EXPECT_FALSE(loadProfiles(folder.write("x.jsonl", "{}\n")));
  EXPECT_FALSE(loadProfiles("/nowhere.jsonl"));
}

}  // namespace
}  // namespace lanescope
