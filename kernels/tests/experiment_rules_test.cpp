#include "kernels/protocol/bench_rules.h"

#include <gtest/gtest.h>

#include "kernels/protocol/worker_options.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TEST(ExperimentRules, ARunHasTheExperimentsSettings) {
  const Experiment& experiment = *findExperiment("serialized-loads");
  const auto bench = makeBench({7, experiment.id, 0, 15});
  ASSERT_TRUE(bench.ok());
  EXPECT_EQ(bench->run, 7U);
  EXPECT_EQ(bench->n, experiment.n);
  EXPECT_EQ(bench->block, experiment.block);
  EXPECT_EQ(bench->maxSamples, 15U);
  EXPECT_TRUE(bench->cold);
  EXPECT_FALSE(bench->warm);
  EXPECT_EQ(makeBench({7, experiment.id, 1024, 15})->n, 1024U);
}

TEST(ExperimentRules, EveryKernelIsAContenderWithItsOwnLaunch) {
  const Experiment& experiment = *findExperiment("block-sizes");
  const auto bench = makeBench({1, experiment.id});
  const auto chosen = makeContenders(experiment, *bench);
  ASSERT_TRUE(chosen.ok()) << chosen.error().sentence();
  ASSERT_EQ(chosen->size(), experiment.variantCount());
  for (const Contender& contender : *chosen) {
    ASSERT_NE(contender.variant, nullptr);
    EXPECT_EQ(contender.id, contender.variant->series);
    const auto launches = makeLaunches(contender, *bench, 132);
    ASSERT_TRUE(launches.ok()) << launches.error().sentence();
    EXPECT_EQ(launches->size(), 1U);
    EXPECT_EQ(launches->front().threads(), contender.variant->block);
  }
}

TEST(ExperimentRules, RefuseWhatCannotBeTimed) {
  EXPECT_SAYS(makeBench({1, "nothing"}).error().message);
  EXPECT_SAYS(makeBench({1, "nothing"}).error().hint);
  EXPECT_SAYS(makeBench({1, "block-sums", std::uint64_t{1} << 32U}).error().message);
  const Experiment& experiment = *findExperiment("block-sums");
  const auto bench = makeBench({1, experiment.id, 1000});
  EXPECT_SAYS(makeContenders(experiment, *bench).error().message);
}

TEST(ExperimentRules, WithoutIdsEveryExperimentIsAsked) {
  const auto all = makeExperimentRequests(ExperimentOptions{});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->size(), experiments().size());
  EXPECT_EQ(all->back().run, experiments().size());
  EXPECT_SAYS(makeExperimentRequests({{"nothing"}, {}, 40, {}}).error().message);
}

TEST(ExperimentRules, EverySizeIsARequestOfItsOwn) {
  const auto all = makeExperimentRequests({{"last-block", "block-sums"}, {"2^16", "2^20"}, 40, {}});
  ASSERT_TRUE(all.ok()) << all.error().sentence();
  ASSERT_EQ(all->size(), 4U);
  EXPECT_EQ((*all)[1].experiment, "last-block");
  EXPECT_EQ((*all)[1].n, 1048576U);
  EXPECT_EQ(all->back().experiment, "block-sums");
  EXPECT_EQ(all->back().run, 4U);
  EXPECT_SAYS(makeExperimentRequests({{"last-block"}, {"many"}, 40, {}}).error().message);
}

TEST(ExperimentRules, EveryKernelOfAnExperimentCanBeProfiled) {
  LaunchOptions options{.targets = {"contended-atomics", "host-copies"}, .n = "2^12"};
  const auto launches = makeLaunches(options, 132);
  ASSERT_TRUE(launches.ok()) << launches.error().sentence();
  ASSERT_EQ(launches->size(), 4U) << "three kernels, and one beside two copies of the host";
  const NamedLaunch& many = (*launches)[2];
  EXPECT_EQ(many.strategy, "contended-atomics: 1024");
  EXPECT_EQ(many.n, 4096U);
  EXPECT_NE(many.launch.text.find("i % 1024"), std::string::npos);
  EXPECT_EQ(many.launch.arguments[1], "f32:zero:1024");
  options.targets = {"contended-atomic"};
  EXPECT_FALSE(makeLaunches(options, 132).ok());
}

TEST(LaunchOptions, NameABlockInTwoWays) {
  for (const std::string name : {"--block", "--threads"}) {
    LaunchOptions options;
    CLI::App command;
    addLaunchOptions(command, options);
    command.parse(name + " 8,8 --grid 2^2 --arg f32:hash:64 --dynamic-shared 2^8");
    EXPECT_EQ(options.spec.readBlock().value(), (Dim3{8, 8, 1})) << name;
    EXPECT_EQ(options.spec.readGrid().value(), (Dim3{4, 1, 1}));
    EXPECT_EQ(options.spec.readDynamicShared().value(), 256U);
    EXPECT_EQ(command.help().find("--threads"), std::string::npos) << "only its older name";
    EXPECT_FALSE(readStrategyThreads(options.spec).ok()) << "it has one number of threads";
  }
  EXPECT_EQ(readStrategyThreads(LaunchSpec{}).value(), 256U);
  EXPECT_EQ(readStrategyThreads(LaunchSpec{.block = "2^7"}).value(), 128U);
}

}  // namespace
}  // namespace lanescope
