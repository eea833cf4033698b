// The chart of an experiment below its lesson.
#include <gtest/gtest.h>

#include "app/analysis/diagnosis.h"
#include "app/panels/lesson_view.h"
#include "app/tests/drawn_text.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

/// Results as a worker gives them: the first kernel takes 1,000 µs, each further one 100 less.
BenchData readData(const Experiment& experiment, bool isRight) {
  BenchData data;
  const auto variants = makeVariants(experiment);
  EXPECT_TRUE(variants.ok());
  double us = 1000;
  for (const Variant& variant : *variants) {
    ResultMessage result;
    result.run = 1;
    result.series = {variant.series, experiment.n, variant.block};
    result.verified = isRight;
    result.medianUs = result.q1Us = result.q3Us = us;
    result.registers = 16;
    result.residentBlocks = 8;
    data.apply(result);
    us -= 100;
  }
  return data;
}

TEST(ExperimentPage, HasABarForEveryKernelWithItsRatioToTheFirst) {
  const Experiment& experiment = *findExperiment("compensation");
  const BarChart chart = experimentBars(readTimes(experiment, readData(experiment, true)));
  ASSERT_EQ(chart.bars.size(), experiment.variantCount());
  EXPECT_SAYS(chart.bars[0].label);
  EXPECT_EQ(chart.bars[0].text, "1,000 µs, 1.00");
  EXPECT_SAYS(chart.bars[3].label);
  EXPECT_EQ(chart.bars[3].text, "700 µs, 0.70");
  EXPECT_EQ(chart.bars[3].value, 700.0);
  EXPECT_SAYS(chart.bars[3].note);
}

TEST(ExperimentPage, ANameTooLongForTheColumnIsAboveItsBar) {
  BarChart chart;
  chart.bars = {{.label = "copy from pinned memory, own parts", .value = 2, .text = "2 µs, 1.00"},
                {.label = "copy from paged memory, own parts", .value = 4, .text = "4 µs, 2.00"}};
  for (const bool above : {false, true}) {
    chart.labelsAbove = above;
    SceneContext context{.width = 300, .height = leastBarChartHeight(chart, 1)};
    const std::string letters = withoutSpaces(barChartScene(chart, context, ApproximateMeasure()));
    EXPECT_EQ(letters.find("copyfrompagedmemory,ownparts") != std::string::npos, above) << letters;
    EXPECT_NE(letters.find("4µs,2.00"), std::string::npos) << letters;
  }
}

/// A profile in which DRAM is near its peak and a line waits.
LaunchProfile findProfile(const Variant& variant) {
  LaunchProfile profile;
  profile.kernel.strategy = variant.series;
  profile.kernel.textHash = hashText(*variant.text);
  profile.kernel.grid = {1, 1, 1};
  profile.kernel.block = {32, 1, 1};
  profile.kernel.metrics = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 74.0}};
  ProfileLine line;
  line.line = 1;
  line.counts.samples = 100;
  line.counts.stalls = {{"long_sb", 88}, {"selected", 12}};
  profile.lines = {line};
  return profile;
}

TEST(ExperimentPage, SaysWhatLimitsAKernelThatWasProfiled) {
  const Experiment& experiment = *findExperiment("compensation");
  const ExperimentTimes times = readTimes(experiment, readData(experiment, true));
  ProfileRecording recording;
  recording.gpu.gpu = "NVIDIA H200";
  recording.gpu.date = "2026-11-23";
  recording.profiles = {findProfile(times.variants[1]), findProfile(times.variants[2])};
  recording.profiles[1].kernel.textHash += 1;  // of an earlier text
  const ExperimentProfiles profiles = readProfiles(times.variants, recording);
  EXPECT_EQ(profiles.source, "NVIDIA H200, 2026-11-23");
  ASSERT_EQ(profiles.clauses.size(), times.variants.size());
  const std::string clause = "DRAM at 74% of its peak; 88% of the warps' time: \"" +
                             std::string(stallGroupWords(StallGroup::Global)) + "\"";
  EXPECT_EQ(profiles.clauses[1], clause);
  EXPECT_EQ(profiles.clauses[2], "");
  const BarChart chart = experimentBars(times, profiles);
  EXPECT_SAYS(chart.bars[0].note);
  EXPECT_EQ(chart.bars[1].note, "16 registers, at most 8 blocks per SM\n" + clause);
}

TEST(ExperimentPage, AWrongResultHasNoTime) {
  const Experiment& experiment = *findExperiment("compensation");
  const BarChart chart = experimentBars(readTimes(experiment, readData(experiment, false)));
  ASSERT_EQ(chart.bars.size(), experiment.variantCount());
  EXPECT_TRUE(chart.bars[1].wrong);
  EXPECT_EQ(chart.bars[1].value, 0.0);
  EXPECT_SAYS(chart.bars[1].text);
}

TEST(ExperimentPage, WithoutARecordingTheChartSaysSo) {
  const BarChart chart = experimentBars(readTimes(*findExperiment("compensation"), BenchData{}));
  EXPECT_TRUE(chart.bars.empty());
  EXPECT_SAYS(chart.empty);
}

}  // namespace
}  // namespace lanescope
