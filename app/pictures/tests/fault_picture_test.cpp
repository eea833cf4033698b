// The end of a block by a fault is in the pictures: the lane, the access and its word.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/tile_scene.h"
#include "app/pictures/warp_scene.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {
struct Faulted {
  explicit Faulted(const std::string& statement, std::uint32_t threads = 32) {
    RunOptions options{.traced = Dim3{0, 0, 0}};
    const auto run = runLaunch(
        testing::launchText("__global__ void k(const float* in, float* out) {\n  __shared__ float s[32];\n" +
                                statement + "\n}\n",
                            threads, {"f32:hash:32", "f32:zero:32"}),
        options);
    trace = run->trace;
    plan = planPictures(*trace);
  }

  template <class Draw>
  Scene at(std::uint32_t steps, Draw draw) const {
    Replay replay(trace);
    replay.seek(steps);
    SceneContext context{.width = width, .height = 400};
    const Moment moment = makeMoment(replay, plan);
    return draw(moment, context, ApproximateMeasure());
  }
  template <class Draw>
  Scene atEnd(Draw draw) const {
    return at(static_cast<std::uint32_t>(trace->steps.size()), draw);
  }

  float width = 900;
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const PicturePlan> plan;
};

auto bad(const Scene& scene, DrawItem::Kind kind) {
  return std::ranges::count_if(scene.items, [kind](const DrawItem& item) {
    return item.kind == kind && item.color == ColorRole::Bad;
  });
}

bool says(const Scene& scene, std::string_view text) {
  return std::ranges::any_of(
      scene.items, [text](const DrawItem& item) { return item.text.find(text) != std::string::npos; });
}

TEST(FaultPicture, MarksTheLaneTheWordAndItsBank) {
  const Faulted faulted(
      "  s[threadIdx.x] = in[threadIdx.x];\n  __syncthreads();\n"
      "  if (threadIdx.x == 7) s[threadIdx.x + 33] = 1;");
  const Scene warps = faulted.atEnd(warpScene);
  EXPECT_EQ(bad(warps, DrawItem::Kind::FillRect), 1);
  EXPECT_TRUE(says(warps, "thread 7 faults"));
  const Scene array = faulted.atEnd(arrayScene);
  EXPECT_TRUE(says(array, "s[40] is out of bounds"));
  const auto hit = std::ranges::find_if(
      array.hits, [](const HitArea& area) { return area.tooltip.find("past the end") != std::string::npos; });
  ASSERT_NE(hit, array.hits.end());
  EXPECT_EQ(hit->index, 7U);
  const Scene banks = faulted.atEnd(bankScene);
  EXPECT_TRUE(says(banks, "s[40]"));
  EXPECT_EQ(bad(banks, DrawItem::Kind::StrokeRect), 1);
  // A step before nothing is at fault yet.
  const auto before = static_cast<std::uint32_t>(faulted.trace->steps.size() - 1);
  EXPECT_EQ(bad(faulted.at(before, warpScene), DrawItem::Kind::FillRect), 0);
  EXPECT_EQ(bad(faulted.at(before, arrayScene), DrawItem::Kind::FillRect), 0);
  EXPECT_EQ(bad(faulted.at(before, bankScene), DrawItem::Kind::StrokeRect), 0);
}

TEST(FaultPicture, OfGlobalMemoryIsAtItsArray) {
  const Faulted faulted("  s[threadIdx.x] = in[threadIdx.x];\n  out[(int)threadIdx.x - 5] = s[threadIdx.x];");
  const Scene array = faulted.atEnd(arrayScene);
  EXPECT_TRUE(says(array, "out[-5] is out of bounds"));
  EXPECT_EQ(bad(faulted.atEnd(bankScene), DrawItem::Kind::StrokeRect), 0) << "no bank is asked";
  EXPECT_TRUE(says(faulted.atEnd(bankScene), "Thread 0"));
}

// A reader compares the index with the array's last words.
TEST(FaultPicture, ItsTagCoversNoWordAndMovesNoRow) {
  for (const char* statement : {"  out[threadIdx.x + 99] = 1;", "  out[(int)threadIdx.x - 5] = 1;",
                                "  s[threadIdx.x] = 1;\n  s[threadIdx.x + 33] = 1;"}) {
    const Faulted faulted(statement);
    const Scene array = faulted.atEnd(arrayScene);
    const auto tag = std::ranges::find_if(array.items, [](const DrawItem& item) {
      return item.kind == DrawItem::Kind::FillRect && item.color == ColorRole::Bad && item.w > 40;
    });
    ASSERT_NE(tag, array.items.end()) << statement;
    EXPECT_LE(tag->y + tag->h, array.rows.top) << statement;
    EXPECT_EQ(textProblems(array, ApproximateMeasure()), std::vector<std::string>()) << statement;
    EXPECT_EQ(faulted.at(0, arrayScene).rows.top, array.rows.top) << statement;
  }
}

// The rows of shared memory hold s and, beside it, t.
TEST(FaultPicture, ItsLineIsBesideTheWordsOfItsArrayAmongOthers) {
  const Faulted faulted(
      "  __shared__ float t[32];\n  s[threadIdx.x] = in[threadIdx.x] + in[0];\n  t[threadIdx.x] = 1;\n"
      "  __syncthreads();\n  s[threadIdx.x + 1] = t[threadIdx.x];");
  const Scene array = faulted.atEnd(arrayScene);
  ASSERT_TRUE(says(array, "s[32] is out of bounds"));
  const auto line = std::ranges::find_if(array.items, [](const DrawItem& item) {
    return item.kind == DrawItem::Kind::Line && item.color == ColorRole::Bad;
  });
  ASSERT_NE(line, array.items.end());
  const auto findShownWord = [&](const char* name, std::int64_t cell) {
    const auto word = std::ranges::find_if(array.hits, [&](const HitArea& hit) {
      return hit.kind == HitArea::Kind::Cell && hit.contains(hit.x, line->y + line->h) &&
             hit.tooltip.find(std::string(name) + "[" + std::to_string(cell) + "]") != std::string::npos;
    });
    EXPECT_NE(word, array.hits.end()) << name << cell;
    return word == array.hits.end() ? HitArea{} : *word;
  };
  const HitArea last = findShownWord("s", 31);
  EXPECT_GE(line->x, last.x + last.w * 0.8F);
  EXPECT_LE(line->x, last.x + last.w + 8);
}

TEST(FaultPicture, SaysItShortlyWhereThereIsLittleRoom) {
  Faulted faulted("  if (threadIdx.x == 7) out[threadIdx.x + 99] = 1;");
  int shortly = 0;
  for (faulted.width = 480; faulted.width < 1000; faulted.width += 20) {
    const Scene warps = faulted.atEnd(warpScene);
    const std::vector<std::string> problems = textProblems(warps, kMeasure);
    EXPECT_TRUE(problems.empty()) << faulted.width << ": " << problems.front();
    EXPECT_FALSE(says(warps, "…")) << faulted.width;
    if (says(warps, "fault") && !says(warps, "thread 7 faults")) ++shortly;
  }
  EXPECT_GT(shortly, 0);
}

TEST(FaultPicture, AWalkOfOneStepIsDrawn) {
  const Faulted faulted("  out[threadIdx.x + 99] = 1;", 64);
  EXPECT_TRUE(says(faulted.atEnd(arrayScene), "out[99] is out of bounds"));
  EXPECT_EQ(bad(faulted.atEnd(warpScene), DrawItem::Kind::FillRect), 1);
  EXPECT_FALSE(faulted.at(0, arrayScene).items.empty());
}

TEST(FaultPicture, ManyLanesAreAtFaultForABarrier) {
  const Faulted faulted("  if (threadIdx.x < 4) __syncthreads();");
  EXPECT_EQ(bad(faulted.atEnd(warpScene), DrawItem::Kind::FillRect), 4);
  EXPECT_TRUE(says(faulted.atEnd(warpScene), "faults here"));
}

// The tile of a matrix is the block's, though not all of its threads came to it; the word is below the last
// row.
TEST(FaultPicture, MarksAWordBelowItsMatrix) {
  Launch launch = testing::launchText(
      "__global__ void k(const float* in, float* out) {\n"
      "  int at = threadIdx.y * 8 + threadIdx.x;\n  out[at] = in[at] + in[at + 8];\n}\n",
      8, {"f32:hash:64", "f32:zero:64"});
  launch.block.y = 8;
  RunOptions options{.traced = Dim3{0, 0, 0}};
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  const auto plan = planPictures(*run->trace);
  ASSERT_EQ(plan->tiles->arrays.size(), 2U);
  for (const TileArray& array : plan->tiles->arrays) EXPECT_EQ(array.tile.rows, 8U);
  Replay replay(run->trace);
  const auto draw = [&](std::uint32_t steps) {
    replay.seek(steps);
    SceneContext context{.width = 900, .height = 400};
    return arrayScene(makeMoment(replay, plan), context, ApproximateMeasure());
  };
  const auto steps = static_cast<std::uint32_t>(run->trace->steps.size());
  const Scene scene = draw(steps);
  EXPECT_TRUE(says(scene, "MATRICES"));
  EXPECT_TRUE(says(scene, "in[64] is out of bounds"));
  EXPECT_EQ(bad(scene, DrawItem::Kind::FillRect), 2) << "its cell and the tag";
  const auto cell = std::ranges::find_if(scene.items, [](const DrawItem& item) {
    return item.kind == DrawItem::Kind::FillRect && item.color == ColorRole::Bad;
  });
  for (const HitArea& hit : scene.hits) {
    if (hit.tooltip.find("past the end") != std::string::npos) continue;  // the tag's
    EXPECT_LE(hit.y + hit.h, cell->y + 1);
  }
  EXPECT_EQ(bad(draw(steps - 1), DrawItem::Kind::FillRect), 0);
}

}  // namespace
}  // namespace lanescope
