// Arrays of two dimensions: the plan for a trace, and its picture.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/tile_scene.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {
constexpr const char* kProduct = R"(#define TILE 8
__global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = acc;
}
)";

/// The block (1, 0) of a product of two matrices of 16 by 16.
std::shared_ptr<const Trace> product() {
  Launch launch;
  launch.source = std::make_shared<SourceText>("matmul.cu", kProduct);
  launch.grid = {2, 2, 1};
  launch.block = {8, 8, 1};
  launch.machine = *findMachine("nvidia");
  launch.arguments = {parseArgument("f32:hash:256").value(), parseArgument("f32:hash:256").value(),
                      parseArgument("f32:zero:256").value(), parseArgument("i32=16").value()};
  Result<Trace> recorded = recordTrace(launch, {1, 0, 0});
  EXPECT_TRUE(recorded) << recorded.error().sentence();
  return std::make_shared<const Trace>(std::move(recorded).value());
}

const TileArray& arrayNamed(const TilePlan& plan, const Trace& trace, std::string_view name) {
  const auto found = std::ranges::find_if(
      plan.arrays, [&](const TileArray& array) { return trace.arrays[array.array].name == name; });
  return found == plan.arrays.end() ? plan.arrays.front() : *found;
}

/// The first accesses of an 8 by 8 block, thread (x, y) at start + x * dx + y * dy.
std::vector<std::uint32_t> tileFirsts(std::uint32_t start, std::uint32_t dx, std::uint32_t dy) {
  std::vector<std::uint32_t> firsts;
  for (std::uint32_t thread = 0; thread < 64; ++thread)
    firsts.push_back(start + thread % 8 * dx + thread / 8 * dy);
  return firsts;
}

TEST(TileScene, SmallCellsAreRowsWithGapsOfWholePixels) {
  const auto trace = makeTrace("transpose-by-row", 1024, "nvidia");
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  for (float width = 560; width < 800; width += 30) {
    SceneContext context{.width = width, .height = 220};
    const Scene scene = arrayScene(makeMoment(replay), context, ApproximateMeasure());
    std::size_t gaps = 0;
    for (const DrawItem& item : scene.items) {
      if (item.kind != DrawItem::Kind::FillRect || item.color != ColorRole::Panel) continue;
      EXPECT_EQ(std::min(item.w, item.h), 1) << width;
      ++gaps;
    }
    EXPECT_EQ(gaps, 4U * 32) << width << ": of the columns and the rows of two matrices";
    EXPECT_LT(scene.items.size(), 400U) << width << ": not an item per cell, of 2048";
  }
}

// An empty panel would look broken to its reader.
TEST(TileScene, SaysWhyThereIsNoMatrixYet) {
  const auto trace = makeTrace("transpose-by-row", 64, "nvidia");
  Replay replay(trace);
  const auto last = static_cast<std::uint32_t>(trace->steps.size());
  for (const std::uint32_t step : {0U, last / 2, last}) {
    replay.seek(step);
    for (const float width : {480.0F, 900.0F}) {
      SceneContext context{.width = width, .height = 200, .hidesFuture = true};
      const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
      const bool saysWhy = std::ranges::any_of(scene.items, [](const DrawItem& item) {
        return item.text.find("rows and columns") != std::string::npos;
      });
      EXPECT_EQ(saysWhy, step != last) << "step " << step << ", width " << width;
      EXPECT_EQ(textProblems(scene, kMeasure), std::vector<std::string>());
    }
  }
}

TEST(TilePlanned, RowsOfAMatrixFollowFromItsAccesses) {
  const Dim3 block{8, 8, 1};
  EXPECT_EQ(findWalk(tileFirsts(40, 1, 64), block), (TileWalk{64, false}));
  EXPECT_EQ(findWalk(tileFirsts(40, 64, 1), block), (TileWalk{64, true}));
  EXPECT_EQ(findWalk(tileFirsts(0, 1, 8), block), (TileWalk{8, false}));
  EXPECT_FALSE(findWalk(tileFirsts(0, 1, 1), block));
  EXPECT_FALSE(findWalk(tileFirsts(0, 2, 64), block));
  EXPECT_FALSE(findWalk(tileFirsts(0, 1, 64), {64, 1, 1})) << "a block of one dimension says nothing";
  auto guarded = tileFirsts(40, 1, 64);
  for (std::size_t thread = 0; thread < 12; ++thread) guarded[thread] = TileTouch::kNever;
  EXPECT_EQ(findWalk(guarded, block), (TileWalk{64, false}));
  guarded[20] += 3;
  EXPECT_FALSE(findWalk(guarded, block)) << "one thread goes elsewhere";
}

TEST(TilePlanned, OnlyKernelsOfTwoDimensionsHaveTiles) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.id == "block-tree") continue;
    const auto trace = makeTrace(strategy.id, 64, "nvidia");
    if (trace == nullptr) continue;
    EXPECT_EQ(!planTiles(*trace).arrays.empty(), strategy.id.starts_with("transpose")) << strategy.id;
  }
}

TEST(TilePlanned, PaddingIsWhatNoThreadUses) {
  for (const auto& [id, padding] : {std::pair("transpose-shared", 0U), std::pair("transpose-padded", 1U),
                                    std::pair("transpose-padded-two", 2U)}) {
    const auto trace = makeTrace(id, 64, "nvidia");
    const TilePlan plan = planTiles(*trace);
    ASSERT_EQ(plan.arrays.size(), 3U) << id;
    const TileArray& tile = arrayNamed(plan, *trace, "tile");
    EXPECT_EQ(tile.rows, 8U);
    EXPECT_EQ(tile.columns, 8 + padding) << id;
    EXPECT_EQ(tile.padding, padding) << id;
    EXPECT_EQ(trace->arrays[plan.arrays.front().array].name, "in");
    EXPECT_EQ(trace->arrays[plan.arrays.back().array].name, "out");
  }
}

TEST(TilePlanned, ABlockOfAProductReadsItsRowsAndColumnsTileByTile) {
  const auto trace = product();
  const TilePlan plan = planTiles(*trace);
  ASSERT_EQ(plan.arrays.size(), 5U);
  EXPECT_EQ(arrayNamed(plan, *trace, "A").tile, (TileArea{0, 0, 8, 8}));
  EXPECT_EQ(arrayNamed(plan, *trace, "B").tile, (TileArea{0, 8, 8, 8}));
  EXPECT_EQ(arrayNamed(plan, *trace, "C").tile, (TileArea{0, 8, 8, 8}));
  for (const char* name : {"A", "B", "C"}) EXPECT_EQ(arrayNamed(plan, *trace, name).columns, 16U) << name;
  std::set<std::uint32_t> columns;
  for (const auto& touches : arrayNamed(plan, *trace, "A").touches) {
    for (const TileTouch& touch : touches) columns.insert(touch.element % 16);
  }
  EXPECT_EQ(columns.size(), 16U) << "two tiles after each other";
}

TEST(TileScene, FitsAtEveryStepAndSize) {
  std::vector<std::shared_ptr<const Trace>> traces{product()};
  for (const char* id :
       {"transpose-shared", "transpose-padded-two", "transpose-unrolled", "transpose-by-row"}) {
    for (const std::uint64_t n : {64U, 1024U}) traces.push_back(makeTrace(id, n, "nvidia"));
  }
  for (const auto& trace : traces) {
    Replay replay(trace);
    const auto steps = static_cast<std::uint32_t>(trace->steps.size());
    for (const auto& [width, height, unit] :
         {std::tuple(592.0F, 213.0F, 13.0F / 15), std::tuple(900.0F, 340.0F, 1.1F)}) {
      for (std::uint32_t quarter = 0; quarter <= 4; ++quarter) {
        replay.seek(steps * quarter / 4);
        SceneContext context{.width = width, .height = height, .unit = unit, .hoverThread = 9};
        const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
        EXPECT_TRUE(textProblems(scene, kMeasure).empty())
            << trace->kernelName << ": " << textProblems(scene, kMeasure).front();
        for (const DrawItem& item : scene.items) {
          if (item.kind != DrawItem::Kind::FillRect) continue;
          EXPECT_LE(item.x + item.w, width + 0.5F) << trace->kernelName;
          EXPECT_LE(item.y + item.h, height + 0.5F) << trace->kernelName;
        }
      }
    }
  }
}

/// The shared tile's cells: row by row as far as their places show.
std::pair<std::size_t, std::size_t> rowsAndColumns(const Scene& scene) {
  std::set<float> rows, columns;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Cell) continue;
    rows.insert(hit.y);
    columns.insert(hit.x);
  }
  return {rows.size(), columns.size()};
}

TEST(TileScene, ATileHasARowOfCellsPerRow) {
  const auto trace = makeTrace("transpose-padded", 64, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases.front().endStep);
  const SceneContext context = makeContext(1280, 720, 0.3F);
  const Scene loaded = arrayScene(makeMoment(replay), context, kMeasure);
  EXPECT_EQ(rowsAndColumns(loaded), (std::pair<std::size_t, std::size_t>(8, 9)));
  EXPECT_NE(collectTexts(loaded).find("tile[8][9]"), std::string::npos) << collectTexts(loaded);
  EXPECT_NE(collectTexts(loaded).find("padding"), std::string::npos);
  const auto has = [](const HitArea& hit) {
    return hit.tooltip.starts_with("tile[11]: row 1, column 2\na10 = ");
  };
  EXPECT_TRUE(std::ranges::any_of(loaded.hits, has));
  replay.seek(0U);
  const Scene before = arrayScene(makeMoment(replay), context, kMeasure);
  EXPECT_GT(countItems(loaded, DrawItem::Kind::FillRect, ColorRole::Result),
            countItems(before, DrawItem::Kind::FillRect, ColorRole::Result) + 60);
}

/// An element is called the same in every array: `a12` or its value.
TEST(TileScene, AllArraysShowOriginsOrNone) {
  const auto trace = makeTrace("transpose-shared", 64, "nvidia");
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  std::set<bool> seen;
  for (float width = 400; width <= 1000; width += 25) {
    SceneContext context{.width = width, .height = 213, .unit = 13.0F / 15};
    const Scene scene = arrayScene(makeMoment(replay), context, ApproximateMeasure());
    std::set<bool> areOrigins;
    for (const DrawItem& item : scene.items) {
      const bool isCell =
          item.kind == DrawItem::Kind::Text && item.font == FontRole::Mono && item.text.size() <= 3;
      if (isCell && item.align == Align::Center) areOrigins.insert(item.text.front() == 'a');
    }
    EXPECT_LE(areOrigins.size(), 1U) << width;
    seen.insert(areOrigins.begin(), areOrigins.end());
  }
  EXPECT_EQ(seen.size(), 2U) << "origins where there is room, values where there is less";
}

TEST(TileScene, AThreadsRowAndColumnAreLit) {
  const auto trace = product();
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()) / 2);
  SceneContext context = makeContext(1280, 720, 0.3F);
  const auto bands = [&] {
    return countItems(arrayScene(makeMoment(replay), context, kMeasure), DrawItem::Kind::FillRect,
                      ColorRole::Accent);
  };
  const std::size_t before = bands();
  context.hoverThread = 13;
  EXPECT_GE(bands(), before + 4) << "a row and a column in both tiles at least";
}

}  // namespace
}  // namespace lanescope
