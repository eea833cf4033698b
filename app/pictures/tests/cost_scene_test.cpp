// Where the time goes: kernels under each other on one scale, a piece for each line.
#include "app/pictures/cost_scene.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/tests/scene_checks.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;

const Strategy& strategy(std::string_view id) { return *findStrategy(id); }

CostChart chapterOf(std::string_view id) {
  TextProfiles profiles;
  const Strategy& one = strategy(id);
  return CostCharts().ofChapter(profiles, {&one, one.title, one.source, nullptr});
}

Scene draw(const CostChart& chart, float width, float stretch = 1) {
  SceneContext context{width, 0};
  context.height = stretch * leastCostHeight(chart, context, kMeasure);
  return costScene(chart, context, kMeasure);
}

/// The areas of a kernel's pieces, in order.
std::vector<HitArea> piecesOf(const Scene& scene, const CostChart& chart, std::size_t kernel) {
  std::size_t before = 0;
  for (std::size_t i = 0; i < kernel; ++i) before += chart.kernels[i].pieces.size();
  const auto first = scene.hits.begin() + static_cast<std::ptrdiff_t>(before);
  return {first, first + static_cast<std::ptrdiff_t>(chart.kernels[kernel].pieces.size())};
}

float widthOf(const std::vector<HitArea>& pieces) {
  return pieces.back().x + pieces.back().w - pieces.front().x;
}

TEST(Cost, TheLinesOfAKernelMakeItsTime) {
  const CostChart chart = chapterOf("baseline");
  EXPECT_GE(chart.kernels.size(), 3U);
  for (const KernelCost& kernel : chart.kernels) {
    double all = 0;
    for (const CostPiece& piece : kernel.pieces) all += piece.share;
    EXPECT_NEAR(all, 1, 1e-9) << kernel.title;
    EXPECT_TRUE(std::ranges::is_sorted(kernel.pieces.begin(), kernel.pieces.end() - 1, {}, &CostPiece::role))
        << kernel.title;
    EXPECT_EQ(kernel.isCurrent, kernel.title == "Baseline");
  }
}

TEST(Cost, BarsAreAsLongAsTheirTimesAndPiecesAsWideAsTheirShares) {
  const CostChart chart = chapterOf("no-bank-conflict");
  for (const float width : {240.0F, 420.0F, 1200.0F}) {
    const Scene scene = draw(chart, width);
    const float first = widthOf(piecesOf(scene, chart, 0));
    for (std::size_t i = 0; i < chart.kernels.size(); ++i) {
      const KernelCost& kernel = chart.kernels[i];
      const std::vector<HitArea> pieces = piecesOf(scene, chart, i);
      EXPECT_FLOAT_EQ(pieces.front().x, piecesOf(scene, chart, 0).front().x) << "all begin at 0";
      EXPECT_NEAR(widthOf(pieces) / first, kernel.us / chart.kernels[0].us, 1e-3) << kernel.title;
      for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        EXPECT_NEAR(pieces[piece].w / widthOf(pieces), kernel.pieces[piece].share, 2e-3) << kernel.title;
    }
  }
}

TEST(Cost, TheScaleIsRound) {
  EXPECT_EQ(makeCostScale(678.4).us, 700);
  EXPECT_EQ(makeCostScale(700).us, 700);
  EXPECT_EQ(makeCostScale(701).ticks.size(), 9U);
  EXPECT_EQ(makeCostScale(701).us, 800);
  EXPECT_NEAR(makeCostScale(0.037).us, 0.04, 1e-9);
  EXPECT_EQ(makeCostScale(0).us, 0);
}

TEST(Cost, ALineHasTheColourOfWhatItDoesInEveryKernel) {
  std::string text;
  for (const char* id : {"baseline", "no-divergence", "no-bank-conflict", "shuffle", "transpose-by-row"}) {
    const Strategy& one = strategy(id);
    text += std::string(id) + "\n";
    const SourceText source("", std::string(one.source));
    for (const auto& [line, role] : findLineRoles(one.source, one.kernel)) {
      std::string_view code = source.line(line);
      code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
      text += "  " + std::string(lineRoleWords(role)) + ": " + std::string(code) + "\n";
    }
  }
  EXPECT_SAYS(text);
}

TEST(Cost, TheThreeFirstStepsSayWhyTheOneWithoutDivergenceIsNotFaster) {
  TextProfiles profiles;
  const CostChart chart = CostCharts().ofStrategies(
      profiles, {&strategy("baseline"), &strategy("no-divergence"), &strategy("no-bank-conflict")});
  EXPECT_EQ(chart.note, "");
  EXPECT_SAYS(collectTexts(draw(chart, 1200, 1.4F)));
  EXPECT_SAYS(collectTexts(draw(chart, 240)));
  const auto share = [&](std::size_t kernel) {
    double all = 0;
    for (const CostPiece& piece : chart.kernels[kernel].pieces)
      all += piece.role == LineRole::Condition ? piece.share : 0;
    return all;
  };
  EXPECT_GT(share(0), 0.45);
  EXPECT_GT(share(1), 0.4);
  EXPECT_LT(share(2), 0.1);
}

TEST(Cost, EveryTextFitsAtEverySize) {
  for (const char* id : {"baseline", "shuffle", "one-thread"}) {
    for (const float width : {190.0F, 300.0F, 640.0F, 1280.0F}) {
      for (const std::string& problem : textProblems(draw(chapterOf(id), width), kMeasure))
        ADD_FAILURE() << id << " at " << width << ": " << problem;
    }
  }
}

TEST(Cost, OnlyThePiecesOfTheCurrentTextAreLinesOfIt) {
  const CostChart chart = chapterOf("no-divergence");
  const Scene scene = draw(chart, 900);
  for (std::size_t i = 0; i < chart.kernels.size(); ++i) {
    const std::vector<HitArea> pieces = piecesOf(scene, chart, i);
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
      const bool isLine = chart.kernels[i].isCurrent && chart.kernels[i].pieces[piece].line > 0;
      EXPECT_EQ(pieces[piece].kind, isLine ? HitArea::Kind::Line : HitArea::Kind::Strategy);
      if (isLine) {
        EXPECT_EQ(pieces[piece].index, chart.kernels[i].pieces[piece].line);
      }
    }
  }
  EXPECT_SAYS(piecesOf(scene, chart, 1)[1].tooltip);
}

/// The floors of a launch of which half the instructions are line 11's.
FloorReport makeFloors() {
  FloorReport report;
  report.n = std::uint64_t{1} << 26U;
  report.threads = 256;
  report.gpu.gpu = "NVIDIA H200";
  report.counts.kernel = "baseline";
  report.issued = IssuedInstructions{100, "somewhere", {{11, 4, 50}, {7, 2, 30}, {12, 2, 20}}};
  report.floors.launchUs = 20;
  report.floors.units = {{RateUnit::Issue, 180, 100, {}}};
  return report;
}

TEST(Cost, APredictionIsOutlinedAndSaysSo) {
  TextProfiles profiles;
  const FloorReport floors = makeFloors();
  const std::string edited = std::string(strategy("baseline").source) + "\n";
  const CostChart chart =
      CostCharts().ofChapter(profiles, {&strategy("baseline"), "Baseline, edited", edited, &floors});
  ASSERT_GE(chart.kernels.size(), 2U);
  const KernelCost& own = chart.kernels[1];
  EXPECT_EQ(own.basis, CostBasis::Predicted) << "below the text it was made from";
  EXPECT_EQ(own.us, 200);
  double all = 0;
  for (const CostPiece& piece : own.pieces) all += piece.share;
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_NEAR(own.pieces[1].share, 0.45, 1e-9) << "half of what is not the launch";
  const Scene scene = draw(chart, 900);
  const std::vector<HitArea> pieces = piecesOf(scene, chart, 1);
  for (const DrawItem& item : scene.items) {
    const bool isInside = pieces.front().contains(item.x + 1, item.y + 1) && item.y >= pieces.front().y;
    EXPECT_FALSE(isInside && item.kind == Kind::FillRect) << "a prediction is not filled";
  }
  const std::string texts = collectTexts(scene);
  EXPECT_NE(texts.find("outlined: predicted from floors"), std::string::npos);
  EXPECT_NE(texts.find("at least 200 µs"), std::string::npos);
  EXPECT_SAYS(pieces[1].tooltip);
}

TEST(Cost, WhatWasProfiledOtherwiseIsNotOnTheScale) {
  TextProfiles profiles;
  FloorReport floors = makeFloors();
  floors.n = std::uint64_t{1} << 24U;
  const std::string edited = std::string(strategy("baseline").source) + "\n";
  const CostChart chart =
      CostCharts().ofChapter(profiles, {&strategy("baseline"), "Baseline, edited", edited, &floors});
  EXPECT_EQ(chart.kernels.size(), 1U);
  EXPECT_SAYS(chart.note);
  EXPECT_SAYS(CostCharts().ofChapter(profiles, {nullptr, "my.cu", "int i;", nullptr}).note);
  const Strategy& slow = strategy("one-thread");
  EXPECT_SAYS(CostCharts()
                  .ofTwo(profiles, {&slow, slow.title, slow.source, nullptr},
                         {nullptr, "Baseline", strategy("baseline").source, nullptr})
                  .note);
}

}  // namespace
}  // namespace lanescope
