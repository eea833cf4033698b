// Rules of the banks' picture that hold for every access of every strategy, as geometry.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/pictures/bank_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tests/scene_checks.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;

/// The panel at 1280x720 and at 1920x1080.
std::vector<SceneContext> panels() {
  std::vector<SceneContext> panels(2);
  panels[0].width = 646;
  panels[0].height = 227;
  panels[0].unit = 13.0F / 15;
  panels[1].width = 1000;
  panels[1].height = 380;
  return panels;
}

/// Steps that ask the banks for different things: one of each kind, number of wavefronts and of words.
std::vector<std::uint32_t> differentRequests(const Trace& trace) {
  std::set<std::tuple<StepKind, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  std::vector<std::uint32_t> steps;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    if (!isShared(step.kind) && !isGlobal(step.kind)) continue;
    if (seen.emplace(step.kind, step.wavefronts, step.sectors, step.accesses.count).second)
      steps.push_back(index);
  }
  return steps;
}

/// The first text that a curve or line of that scene crosses; "" if there is none.
std::string crossedText(const Scene& scene) {
  std::vector<const DrawItem*> texts;
  for (const DrawItem& item : scene.items) {
    if (item.kind == Kind::Text) texts.push_back(&item);
  }
  const auto crossed = [&](Point at) -> std::string {
    for (const DrawItem* text : texts) {
      const float width = kMeasure.width(text->font, text->size, text->text);
      const float left = text->x - (text->align == Align::Left     ? 0
                                    : text->align == Align::Center ? width / 2
                                                                   : width);
      if (at.x > left && at.x < left + width && std::abs(at.y - text->y) < text->size * 0.36F)
        return text->text;
    }
    return {};
  };
  for (const DrawItem& item : scene.items) {
    if (item.kind != Kind::Curve && item.kind != Kind::Line) continue;
    const std::array<Point, 4> curve = controlPoints(item);
    for (int part = 0; part <= 60; ++part) {
      const float t = static_cast<float>(part) / 60;
      const Point at =
          item.kind == Kind::Curve ? pointOn(curve, t) : Point{item.x + item.w * t, item.y + item.h * t};
      if (std::string text = crossed(at); !text.empty()) return text;
    }
  }
  return {};
}

class BankRules : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  /// Calls look(replay, plan, index, what) for every request of another shape of every strategy.
  template <typename Look>
  static void forEachRequest(const Look& look) {
    for (const Strategy& strategy : strategies()) {
      const auto trace = makeTrace(strategy.id, GetParam(), "nvidia");
      Replay replay(trace);
      const auto plan = planPictures(*trace);
      for (const std::uint32_t index : differentRequests(*trace))
        look(replay, plan, index, fmt::format("{} step {}", strategy.id, index + 1));
    }
  }
};

TEST_P(BankRules, NoCurveCrossesANumber) {
  forEachRequest([](Replay& replay, const auto& plan, std::uint32_t index, const std::string& what) {
    const Trace& trace = replay.trace();
    for (const Cursor cursor : {Cursor{index + 1, trace.steps[index].wavefronts}, Cursor{index + 1, 1}}) {
      replay.seek(cursor);
      for (const SceneContext& panel : panels()) {
        const Scene scene = bankScene(makeMoment(replay, plan), panel, kMeasure);
        EXPECT_EQ(crossedText(scene), "") << what << ", " << panel.width;
      }
    }
  });
}

TEST_P(BankRules, OnlyRowsThatAreAskedForAreDrawn) {
  forEachRequest([](Replay& replay, const auto& plan, std::uint32_t index, const std::string& what) {
    const Trace& trace = replay.trace();
    if (!isShared(trace.steps.kindAt(index))) return;
    std::set<std::uint32_t> asked;
    for (const LaneDemand& demand : bankRequest(trace, trace.steps[index]).lanes) {
      for (std::uint32_t word = demand.word; word < demand.word + demand.words; ++word)
        asked.insert(word / 32);
    }
    replay.seek(index + 1);
    std::set<std::uint32_t> drawn;
    const Scene scene = bankScene(makeMoment(replay, plan), panels()[1], kMeasure);
    for (const HitArea& hit : scene.hits) {
      if (hit.kind == HitArea::Kind::Cell) drawn.insert(wordOfCell(trace, hit.index) / 32);
    }
    EXPECT_TRUE(std::ranges::includes(asked, drawn)) << what;
    EXPECT_TRUE(asked == drawn || asked.size() > 16) << what;
  });
}

// Listed, or behind `+2 more`.
TEST_P(BankRules, EveryWavefrontIsListed) {
  forEachRequest([](Replay& replay, const auto& plan, std::uint32_t index, const std::string& what) {
    const Trace& trace = replay.trace();
    const Step step = trace.steps[index];
    if (!isShared(step.kind) || step.wavefronts < 2) return;
    replay.seek(index + 1);
    const Scene scene = bankScene(makeMoment(replay, plan), panels()[0], kMeasure);
    std::string listed = collectTexts(scene);
    for (const HitArea& hit : scene.hits) listed += "\n" + hit.tooltip;
    for (std::uint32_t wavefront = 1; wavefront <= step.wavefronts; ++wavefront)
      EXPECT_NE(listed.find(fmt::format("\n{}: word", wavefront)), std::string::npos)
          << what << ": " << wavefront << " of " << step.wavefronts;
  });
}

INSTANTIATE_TEST_SUITE_P(Some, BankRules, ::testing::Values(8U, 64U, 256U));

// A branch comes before the access that it guards: the panel is not empty meanwhile.
TEST(BankScene, ShowsTheRequestOfThePhaseBeforeUntilThePhaseHasOne) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  std::size_t before = 0;
  std::size_t so = 0;
  for (std::uint32_t steps = trace->phases[1].firstStep + 1; steps <= trace->steps.size(); ++steps) {
    replay.seek(steps);
    if (isShared(replay.currentStep()->kind) || isGlobal(replay.currentStep()->kind)) continue;
    const Scene scene = bankScene(makeMoment(replay), panels()[0], kMeasure);
    const std::string texts = collectTexts(scene);
    const bool isBefore = texts.find("last in ") != std::string::npos;
    const bool isSoFar = texts.find("most wavefronts in this phase so far: ") != std::string::npos;
    EXPECT_NE(isBefore, isSoFar) << steps << ": " << texts;
    const bool hasDegree = texts.find("\u00d7") != std::string::npos;
    EXPECT_FALSE(isBefore && hasDegree) << "of another phase: " << texts;
    EXPECT_GT(std::ranges::count(scene.items, DrawItem::Kind::Curve, &DrawItem::kind), 0) << steps;
    before += isBefore ? 1 : 0;
    so += isSoFar ? 1 : 0;
  }
  EXPECT_GT(before, 5U);
  EXPECT_GT(so, 5U);
}

TEST(SectorScene, SaysWhatIsUsedOfWhatIsMoved) {
  const auto trace = makeTrace("transpose-by-column", 64, "nvidia");
  Replay replay(trace);
  bool hasWaste = false;
  for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
    const Step step = trace->steps[index];
    if (!isGlobal(step.kind)) continue;
    const BytesUsed bytes = bytesUsed(*trace, step);
    EXPECT_EQ(bytes.used, 4 * wordsTouched(*trace, step).size());
    EXPECT_EQ(bytes.moved, 32 * step.sectors);
    hasWaste = hasWaste || bytes.used < bytes.moved;
    replay.seek(index + 1);
    const std::string texts = collectTexts(bankScene(makeMoment(replay), panels()[1], kMeasure));
    EXPECT_TRUE(texts.starts_with("SECTORS\n")) << texts;
    EXPECT_NE(texts.find(fmt::format("{} of {} bytes used", bytes.used, bytes.moved)), std::string::npos)
        << texts;
  }
  EXPECT_TRUE(hasWaste);
}

// `t15` would touch the edges of its word in a small window: there the words have the threads' numbers alone.
TEST(SectorScene, LeavesRoomAroundTheThreadsOfWords) {
  Replay replay(makeTrace("strided-access", 64, "nvidia"));
  SceneContext context{.height = 225, .unit = 0.857F};
  for (const auto& [width, label] : {std::pair(592.0F, "15"), std::pair(900.0F, "t15")}) {
    context.width = width;
    const Scene scene = bankScene(makeMoment(replay), context, kMeasure);
    const auto isLabel = [&, expected = std::string(label)](const DrawItem& item) {
      return item.text == expected;
    };
    EXPECT_TRUE(std::ranges::any_of(scene.items, isLabel)) << collectTexts(scene);
    EXPECT_EQ(collectTexts(scene).find("by thread") != std::string::npos, width < 600);
    EXPECT_TRUE(textProblems(scene, kMeasure).empty());
  }
}

// Between accesses a kernel without shared memory has the widest one so far, before the first the one to
// come.
TEST(SectorScene, HasAnAccessAtEveryStep) {
  const auto trace = makeTrace("vector-add", 64, "nvidia");
  Replay replay(trace);
  SceneContext context = panels()[1];
  const auto textsAt = [&](std::uint32_t steps) {
    replay.seek(steps);
    return collectTexts(bankScene(makeMoment(replay), context, kMeasure));
  };
  EXPECT_TRUE(textsAt(0).starts_with("SECTORS\nthe first access will be: in[i]")) << textsAt(0);
  const std::string before = textsAt(1);
  EXPECT_TRUE(before.starts_with("SECTORS\nthe next access will be: in[i]")) << before;
  for (std::uint32_t steps = 0; steps <= trace->steps.size(); ++steps)
    EXPECT_TRUE(textsAt(steps).starts_with("SECTORS\n")) << steps;
  const std::string atEnd = textsAt(static_cast<std::uint32_t>(trace->steps.size()));
  EXPECT_TRUE(atEnd.starts_with("SECTORS\nmost sectors in this phase so far: ")) << atEnd;
  EXPECT_SAYS(testing::splitWords(atEnd));
  context.hidesFuture = true;
  EXPECT_TRUE(textsAt(0).starts_with("MEMORY\n")) << textsAt(0);
  EXPECT_TRUE(textsAt(1).starts_with("MEMORY\n")) << textsAt(1);
}

// A narrow panel once had the numbers 41, 51 and 61 alone: their ones are narrow.
TEST(SectorScene, LabelsAllWordsOrTheFirstOfEachSector) {
  const auto trace = makeTrace("one-atomic", 64, "nvidia");
  Replay replay(trace);
  std::set<std::size_t> counts;
  for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
    const Step step = trace->steps[index];
    if (!isGlobal(step.kind) || isAtomic(step.kind)) continue;
    replay.seek(index + 1);
    for (float width = 300; width < 1200; width += 20) {
      SceneContext panel = panels()[0];
      panel.width = width;
      const Scene scene = bankScene(makeMoment(replay), panel, kMeasure);
      const auto isLabel = [](const DrawItem& item) {
        return item.kind == Kind::Text && item.color == ColorRole::TextOnAccent;
      };
      const auto labels = static_cast<std::size_t>(std::ranges::count_if(scene.items, isLabel));
      EXPECT_TRUE(labels == 32 || labels == step.sectors) << labels << " in " << width;
      counts.insert(labels);
    }
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{4, 32})) << "both are looked at";
}

// One wavefront without a conflict is not free if lanes update one word.
TEST(Contention, IsToldWithTheCounterThatCountsIt) {
  const auto run = runLaunch(
      testing::launchText("__global__ void k(const float* in, float* out) {\n  __shared__ int bins[16];\n"
                          "  if (threadIdx.x < 16) bins[threadIdx.x] = 0;\n  __syncthreads();\n"
                          "  atomicAdd(&bins[threadIdx.x / 5], 1);\n  __syncthreads();\n"
                          "  int before = atomicAdd(&bins[15], 1);\n"
                          "  atomicAdd(&out[threadIdx.x % 4], in[before]);\n}\n",
                          32, {"f32:hash:32", "f32:zero:32"}),
      RunOptions{.traced = Dim3{0, 0, 0}});
  const std::shared_ptr<const Trace> trace = run->trace;
  Replay replay(trace);
  int listed = 0;
  for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
    const Step step = trace->steps[index];
    const std::string text = contentionText(*trace, step);
    EXPECT_EQ(text.empty(), !isAtomic(step.kind));
    if (text.empty()) continue;
    std::map<std::uint32_t, unsigned> lanes;
    unsigned most = 0;
    for (const LaneAccess& access : laneAccesses(*trace, step))
      most = std::max(most, ++lanes[access.address]);
    if (most < 2) continue;
    ++listed;
    EXPECT_TRUE(text.starts_with(fmt::format("Up to {} lanes ", most))) << text;
    replay.seek(index + 1);
    const std::string texts = collectTexts(bankScene(makeMoment(replay), panels()[1], kMeasure));
    EXPECT_TRUE(texts.starts_with("ATOMIC\n")) << texts;
    const bool isCounted = step.kind == StepKind::SharedAtomic && !isSerialAtomic(step);
    EXPECT_NE(texts.find(isCounted ? "adds once" : "serialized"), std::string::npos) << texts;
    // The heading has the touched sectors, not the counted ones.
    if (isGlobal(step.kind)) {
      EXPECT_GT(step.sectors, sectorsTouched(*trace, step).size());
      EXPECT_SAYS(testing::splitWords(texts));
    }
  }
  EXPECT_EQ(listed, 3);
}

}  // namespace
}  // namespace lanescope
