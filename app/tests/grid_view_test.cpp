// The map of a launch's blocks below the array, and how many fit an SM.
#include <gtest/gtest.h>

#include "app/gpu/gpu_session.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TEST(GridView, AClickOnABlockTracesIt) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  EXPECT_EQ(hitIn(bench, headless, "array", HitArea::Kind::Block).x, -1) << "one block needs no map";
  bench.session.chooseBlocks(4);
  ASSERT_TRUE(waitForTrace(bench.session));
  headless.settle(bench.window);
  expectDrawn(headless, bench, "four blocks");
  headless.click(bench.window, hitIn(bench, headless, "array", HitArea::Kind::Block, 2));
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.player().replay()->trace().tracedBlock.x, 2U);
  EXPECT_EQ(bench.session.selection().blocks, 4U);
  headless.settle(bench.window);
  EXPECT_NE(textIn(findPanel("array")).find("block 2 of 4"), std::string::npos) << textIn(findPanel("array"));
}

TEST(GridView, AKernelWithAGridOfItsOwnHasTheMapToo) {
  TestWindow bench("transpose-shared", 2048);
  const std::uint64_t blocks = bench.session.player().replay()->trace().launch.grid.count();
  ASSERT_GT(blocks, 1U);
  EXPECT_EQ(bench.session.gridBlocks(), blocks);
  bench.window.press("V");
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.selection().block, 1U);
  Headless headless(kProjector, bench.window);
  expectDrawn(headless, bench, "transpose-shared");
}

// 32 threads and 128 bytes of shared memory: nothing but the SM's 32 blocks limits them.
TEST(SmFit, FollowsTheLaunch) {
  TestWindow bench("baseline", 64);
  bench.session.chooseBlocks(2);
  ASSERT_TRUE(waitForTrace(bench.session));
  const auto fit = computeSmFit(bench.session.shownRun()->launch(), bench.gpu);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->block.threads, 32U);
  EXPECT_EQ(fit->block.sharedBytes, 128U);
  EXPECT_FALSE(fit->block.registers) << "no compiler has seen it";
  EXPECT_EQ(fit->occupancy.blocks(), 32U);
  EXPECT_EQ(fit->limits->capability, "9.0");
  EXPECT_SAYS(fitDetail(*fit));
}

}  // namespace
}  // namespace lanescope
