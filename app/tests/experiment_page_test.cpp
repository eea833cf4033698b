// The chart of an experiment below its lesson.
#include <gtest/gtest.h>

#include "app/views/lesson/experiment_page.h"

namespace lanescope {
namespace {

/// Results as a worker gives them: the first kernel takes 1,000 µs, each further one 100 less.
BenchData dataOf(const Experiment& experiment, bool isRight) {
  BenchData data;
  const auto variants = variantsOf(experiment);
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
  const BarChart chart = experimentBars(timesOf(experiment, dataOf(experiment, true)));
  ASSERT_EQ(chart.bars.size(), experiment.variantCount());
  EXPECT_EQ(chart.bars[0].label, "one, with");
  EXPECT_EQ(chart.bars[0].text, "1,000 µs, 1.00");
  EXPECT_EQ(chart.bars[3].label, "four, without");
  EXPECT_EQ(chart.bars[3].text, "700 µs, 0.70");
  EXPECT_EQ(chart.bars[3].value, 700.0);
  EXPECT_EQ(chart.bars[3].note, "16 registers, at most 8 blocks per SM");
}

TEST(ExperimentPage, AWrongResultHasNoTime) {
  const Experiment& experiment = *findExperiment("compensation");
  const BarChart chart = experimentBars(timesOf(experiment, dataOf(experiment, false)));
  ASSERT_EQ(chart.bars.size(), experiment.variantCount());
  EXPECT_TRUE(chart.bars[1].wrong);
  EXPECT_EQ(chart.bars[1].value, 0.0);
  EXPECT_EQ(chart.bars[1].text, "wrong result");
}

TEST(ExperimentPage, WithoutARecordingTheChartSaysSo) {
  const BarChart chart = experimentBars(timesOf(*findExperiment("compensation"), BenchData{}));
  EXPECT_TRUE(chart.bars.empty());
  EXPECT_EQ(chart.empty, "Not timed yet.");
}

}  // namespace
}  // namespace lanescope
