// Every picture of every strategy, at several sizes and places: no text is clipped or lies on another.
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "app/pictures/warp_scene.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {
struct Window {
  float width;
  float height;
};
constexpr std::array kWindows = {Window{1280, 720}, Window{1920, 1080}};

struct LayoutCase {
  std::uint64_t n;
  std::string machine;
};

// Start, ends of phases, quarters, the worst access, a global access, the end.
std::set<std::uint32_t> findPlaces(const Trace& trace) {
  const auto steps = static_cast<std::uint32_t>(trace.steps.size());
  std::set<std::uint32_t> places = {0, 1, steps / 4, steps / 2, steps * 3 / 4, steps};
  std::uint32_t worst = 0;
  for (std::uint32_t index = 0; index < steps; ++index) {
    if (isShared(trace.steps[index].kind) && trace.steps[index].wavefronts > trace.steps[worst].wavefronts)
      worst = index;
    if (isGlobal(trace.steps[index].kind) && places.size() < 8) places.insert(index + 1);
    if (trace.steps[index].kind == StepKind::Shuffle && places.size() < 10) places.insert(index + 1);
  }
  places.insert(worst + 1);
  places.insert(trace.phases[trace.phases.size() / 2].endStep);
  return places;
}

void expectNoProblems(const Scene& scene, const TextMeasure& measure, const std::string& what) {
  const std::vector<std::string> problems = textProblems(scene, measure);
  EXPECT_TRUE(problems.empty()) << what << ": " << problems.size()
                                << " problems, the first: " << problems.front();
  for (const DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text) continue;
    EXPECT_GE(item.size, kLeastText * 0.98F) << what << ": " << item.text;
    EXPECT_TRUE(item.alpha >= 1 || item.alpha == 0) << what << ": faint " << item.text;
  }
}

void PrintTo(const LayoutCase& one, std::ostream* out) { *out << one.n << " on " << one.machine; }

class PanelLayout : public ::testing::TestWithParam<LayoutCase> {};

TEST_P(PanelLayout, TextFitsInEveryPicture) {
  for (const Strategy& strategy : strategies()) {
    const auto trace = makeTrace(strategy.id, GetParam().n, GetParam().machine);
    Replay replay(trace);
    for (const std::uint32_t place : findPlaces(*trace)) {
      replay.seek(place);
      Cursor cursor = replay.cursor();
      if (place % 2 == 1 && cursor.wavefront > 1) replay.seek(Cursor{cursor.steps, cursor.wavefront / 2});
      const Moment moment = makeMoment(replay);
      for (const Window window : kWindows) {
        const std::string at = std::string(strategy.id) + " at step " + std::to_string(place) + ", " +
                               std::to_string(window.height);
        expectNoProblems(arrayScene(moment, makeContext(window.width, window.height, 0.33F), kMeasure),
                         kMeasure, "array, " + at);
        expectNoProblems(warpScene(moment, makeContext(window.width, window.height, 0.14F), kMeasure),
                         kMeasure, "warps, " + at);
        expectNoProblems(bankScene(moment, makeContext(window.width, window.height, 0.33F), kMeasure),
                         kMeasure, "banks, " + at);
        expectNoProblems(
            timelineScene(moment, makeContext(window.width * 1.9F, window.height, 0.04F), kMeasure), kMeasure,
            "timeline, " + at);
      }
    }
  }
}

std::string nameFor(const ::testing::TestParamInfo<LayoutCase>& one) {
  return one.param.machine + std::to_string(one.param.n);
}

INSTANTIATE_TEST_SUITE_P(Some, PanelLayout,
                         ::testing::Values(LayoutCase{8, "tiny"}, LayoutCase{64, "nvidia"}), nameFor);
INSTANTIATE_TEST_SUITE_P(Sweep, PanelLayout,
                         ::testing::Values(LayoutCase{8, "nvidia"}, LayoutCase{64, "tiny"},
                                           LayoutCase{64, "g80"}, LayoutCase{64, "kepler64"},
                                           LayoutCase{64, "eight"}, LayoutCase{256, "tiny"},
                                           LayoutCase{256, "nvidia"}, LayoutCase{1024, "tiny"},
                                           LayoutCase{1024, "nvidia"}),
                         nameFor);

TEST(TextProblems, FindsOverlapAndClipping) {
  Scene scene{.width = 100, .height = 40};
  DrawItem item;
  item.kind = DrawItem::Kind::Text;
  item.size = 12;
  item.x = 10;
  item.y = 20;
  item.text = "hello";
  scene.items.push_back(item);
  EXPECT_TRUE(textProblems(scene, kMeasure).empty());
  item.x = 20;
  scene.items.push_back(item);
  EXPECT_EQ(textProblems(scene, kMeasure).size(), 1U);
  item.x = 90;
  scene.items.back() = item;
  EXPECT_EQ(textProblems(scene, kMeasure).size(), 1U);
}

}  // namespace
}  // namespace lanescope
