// Parts that must be readable in a small window, 1280x720: lane numbers, words to come, every row.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/warp_scene.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
/// The banks' panel of such a window.
SceneContext banksPanel() { return {.width = 646, .height = 227, .unit = 13.0F / 15}; }

/// Goes to the first shared load by all lanes of that warp.
std::optional<Step> toFullLoad(Replay& replay, std::uint32_t warp) {
  const Trace& trace = replay.trace();
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    if (step.kind != StepKind::SharedLoad || step.warp != warp || step.accesses.count < 32) continue;
    replay.seek(index + 1);
    return step;
  }
  return std::nullopt;
}

/// The texts of the row of lanes, left to right: those in the height of its first box.
std::vector<std::string> laneTexts(const Scene& scene, std::set<float>* sizes = nullptr) {
  std::vector<std::string> texts;
  float top = -1;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind == HitArea::Kind::Thread && top < 0) top = hit.y;
    if (hit.kind != HitArea::Kind::Thread || hit.y != top) continue;
    for (const DrawItem& item : scene.items) {
      if (item.kind != DrawItem::Kind::Text || !hit.contains(item.x, item.y)) continue;
      texts.push_back(item.text);
      if (sizes != nullptr) sizes->insert(item.size);
    }
  }
  return texts;
}

TEST(BankLanes, AreAllNamedAlikeInTheOrderOfTheBanks) {
  struct Case {
    const char* strategy;
    std::uint64_t n;
    std::uint32_t warp;
    bool byThread;
  };
  for (const Case& one : {Case{"no-divergence", 64, 0, true}, Case{"transpose-shared", 64, 1, true},
                          Case{"transpose-shared", 1024, 31, false}}) {
    const auto trace = makeTrace(one.strategy, one.n, "nvidia");
    Replay replay(trace);
    const std::optional<Step> step = toFullLoad(replay, one.warp);
    ASSERT_TRUE(step);
    const BankRequest request = bankRequest(*trace, *step);
    std::set<float> sizes;
    const Scene scene = bankScene(makeMoment(replay), banksPanel(), kMeasure);
    const std::vector<std::string> texts = laneTexts(scene, &sizes);
    ASSERT_EQ(texts.size(), request.lanes.size()) << one.strategy << " N " << one.n;
    EXPECT_EQ(sizes.size(), 1U) << "numbers of one size";
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(texts[i], std::to_string(one.byThread ? request.lanes[i].thread : request.lanes[i].lane));
    const std::string all = collectTexts(scene);
    EXPECT_NE(all.find(one.byThread ? "threads\n" : "lanes\n"), std::string::npos) << all;
    EXPECT_SAYS(testing::splitWords(all));
    EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
  }
}

/// The numbers of two warps' lanes in a panel so wide.
struct LaneNumbers {
  std::vector<std::uint32_t> numbers;
  std::set<float> sizes;
  float between =
      std::numeric_limits<float>::max();  ///< the least room between two of them, in letters' sizes
};

LaneNumbers laneNumbers(const Scene& scene, const TextMeasure& measure) {
  LaneNumbers found;
  float foot = 0;
  float end = 0;
  for (const DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text || item.align != Align::Center) continue;
    const float half = measure.width(item.font, item.size, item.text) / 2;
    if (item.y == foot) found.between = std::min(found.between, (item.x - half - end) / item.size);
    foot = item.y;
    end = item.x + half;
    found.numbers.push_back(static_cast<std::uint32_t>(std::stoul(item.text)));
    found.sizes.insert(item.size);
  }
  return found;
}

// Two warps are two rows, each lane once. Words at the side leave room for the numbers; if the numbers would
// run together, every second lane has one, and if one is wider than its lane, none has.
TEST(WarpLanes, NumbersAreOfOneSizeAndApart) {
  Replay replay(makeTrace("baseline", 64, "nvidia"));
  replay.seek(1);
  SceneContext context = banksPanel();
  context.height = 92;
  for (const float width : {310.0F, 400.0F, 500.0F, 570.0F, 593.0F, 646.0F, 720.0F, 900.0F}) {
    context.width = width;
    const Scene scene = warpScene(makeMoment(replay), context, kMeasure);
    const LaneNumbers found = laneNumbers(scene, kMeasure);
    const std::uint32_t every = width < 646 ? 2 : 1;
    ASSERT_EQ(found.numbers.size(), width < 570 ? 0 : 64 / every) << width;
    if (found.numbers.empty()) continue;
    for (std::size_t i = 0; i < found.numbers.size(); ++i) EXPECT_EQ(found.numbers[i], every * i) << width;
    EXPECT_EQ(found.sizes.size(), 1U) << width;
    EXPECT_GE(found.between, 0.29F) << width;
    EXPECT_EQ(std::ranges::count(scene.hits, HitArea::Kind::Thread, &HitArea::kind), 64) << width;
    EXPECT_TRUE(textProblems(scene, kMeasure).empty())
        << width << ": " << textProblems(scene, kMeasure).front();
  }
}

/// True if that rectangle covers the ink of that text.
bool covers(const DrawItem& rect, const DrawItem& text, const TextMeasure& measure) {
  const float half = measure.width(text.font, text.size, text.text) / 2;
  return rect.x <= text.x - half + 0.01F && rect.x + rect.w >= text.x + half - 0.01F &&
         rect.y <= text.y - 0.35F * text.size && rect.y + rect.h >= text.y + 0.35F * text.size;
}

// A lane that is masked off is hatched, except at its number.
TEST(WarpLanes, NoHatchingCrossesANumber) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  std::uint32_t at = 0;
  while (trace->steps[at].kind != StepKind::Branch || trace->steps[at].taken == trace->steps[at].active) ++at;
  replay.seek(at + 2);
  SceneContext context = banksPanel();
  context.height = 92;
  const Scene scene = warpScene(makeMoment(replay), context, kMeasure);
  int hatched = 0;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Thread) continue;
    std::size_t line = 0;
    for (std::size_t index = 0; index < scene.items.size(); ++index) {
      const DrawItem& item = scene.items[index];
      if (!hit.contains(item.x, item.y)) continue;
      if (item.kind == DrawItem::Kind::Line && item.color == ColorRole::LaneMasked) line = index;
      if (item.kind != DrawItem::Kind::Text || line == 0) continue;
      ++hatched;
      const auto from = scene.items.begin() + static_cast<std::ptrdiff_t>(line);
      const auto to = scene.items.begin() + static_cast<std::ptrdiff_t>(index);
      EXPECT_TRUE(std::any_of(from, to, [&](const DrawItem& plate) {
        return plate.kind == DrawItem::Kind::FillRect && covers(plate, item, kMeasure);
      })) << item.text;
    }
  }
  EXPECT_EQ(hatched, 16);
}

// Boxes of a shuffle always have a name: threads if their numbers fit, else lanes.
TEST(ShuffleLanes, AreNamedByLaneWhereThreadsHaveNoRoom) {
  const auto trace = makeTrace("shuffle", 1024, "nvidia");
  Replay replay(trace);
  for (const std::uint32_t warp : {0U, 7U}) {
    std::uint32_t at = 0;
    while (trace->steps[at].kind != StepKind::Shuffle || trace->steps[at].warp != warp) ++at;
    replay.seek(at + 1);
    const Scene scene = bankScene(makeMoment(replay), banksPanel(), kMeasure);
    const std::vector<std::string> texts = laneTexts(scene);
    ASSERT_EQ(texts.size(), 32U) << warp;
    EXPECT_EQ(texts.back(), "31") << warp;
    const bool isByLane = collectTexts(scene).find("from\nlane\nto\nlane\n") != std::string::npos;
    EXPECT_EQ(isByLane, warp > 0) << collectTexts(scene);
    EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
  }
}

// Also of 32 wavefronts, in a panel of 1920x1080.
TEST(WavefrontBoxes, AllHaveTheirNumbers) {
  Replay replay(makeTrace("transpose-shared", 1024, "nvidia"));
  ASSERT_TRUE(toFullLoad(replay, 31));
  SceneContext context = banksPanel();
  context.width = 885;
  context.height = 330;
  context.unit = 1.08F;
  const Scene scene = bankScene(makeMoment(replay), context, ApproximateMeasure());
  std::set<std::string> numbered;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Wavefront) continue;
    for (const DrawItem& item : scene.items) {
      const bool isInside =
          item.x > hit.x && item.x < hit.x + hit.w && item.y > hit.y && item.y < hit.y + hit.h;
      if (item.kind == DrawItem::Kind::Text && isInside) numbered.insert(item.text);
    }
  }
  for (int wavefront = 1; wavefront <= 32; ++wavefront)
    EXPECT_TRUE(numbered.contains(std::to_string(wavefront))) << wavefront;
}

// With large text the panel of the banks is low: the curves leave room for the degree at its cells.
TEST(BankDegrees, StandAtTheirCellsInALowPanel) {
  Replay replay(makeTrace("no-divergence", 64, "nvidia"));
  ASSERT_TRUE(toFullLoad(replay, 0));
  SceneContext context = banksPanel();
  context.width = 704;
  context.height = 196;
  context.unit = 17.0F / 15;
  const Scene scene = bankScene(makeMoment(replay), context, kMeasure);
  EXPECT_NE(collectTexts(scene).find("2\u00d7\n"), std::string::npos) << collectTexts(scene);
  EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
}

TEST(WarpLanes, OfManyWarpsOneIsLargeAndNumbered) {
  Replay replay(makeTrace("baseline", 1024, "nvidia"));
  SceneContext context = banksPanel();
  context.height = 120;
  context.focusWarp = 2;
  for (const float width : {570.0F, 646.0F, 900.0F}) {
    context.width = width;
    const Scene scene = warpScene(makeMoment(replay), context, kMeasure);
    const std::vector<std::string> texts = laneTexts(scene);
    ASSERT_EQ(texts.size(), width < 646 ? 16U : 32U) << width;
    EXPECT_EQ(texts.front(), "64") << width;
    EXPECT_EQ(std::ranges::count(scene.hits, HitArea::Kind::Thread, &HitArea::kind), 1024 + 32) << width;
  }
}

/// Letters of a font that is so much wider than the one that is measured for tests.
class ScaledMeasure final : public TextMeasure {
 public:
  explicit ScaledMeasure(float scale) : scale_(scale) {}
  float width(FontRole font, float size, std::string_view text) const override {
    return scale_ * ApproximateMeasure().width(font, size, text);
  }

 private:
  float scale_;
};

// "warp 1" is narrower than "warp 0", and was the only long name among w0, w2 and w3 if it alone had room.
TEST(WarpLanes, WarpsAreNamedAlike) {
  const auto trace = makeTrace("kahan", 1024, "nvidia");
  const Replay replay(trace);
  SceneContext context{.width = 900, .height = 190};
  std::set<std::string> forms;
  for (float scale = 0.5F; scale < 1.5F; scale += 0.01F) {
    const Scene scene = warpScene(makeMoment(replay), context, ScaledMeasure(scale));
    std::multiset<std::string> named;
    for (const DrawItem& item : scene.items) {
      const bool isName = item.kind == DrawItem::Kind::Text && item.text.starts_with("w") &&
                          item.text.find_first_of("0123456789") == item.text.size() - 1;
      if (isName) named.insert(item.text.substr(0, item.text.size() - 1));
    }
    if (named.size() > 8) continue;  // one is shown large, too
    ASSERT_EQ(named.size(), 8U);
    EXPECT_EQ(*named.begin(), *named.rbegin()) << scale;
    forms.insert(named.begin(), named.end());
  }
  EXPECT_EQ(forms, (std::set<std::string>{"w", "warp "}));
}

// The dots of rows that are left out are clear of the rows' labels, even if rows are low.
TEST(BankRows, GapsAreClearOfLabels) {
  const auto trace = makeTrace("transpose-shared", 1024, "nvidia");
  Replay replay(trace);
  std::uint32_t conflict = 0;
  while (trace->steps[conflict].wavefronts < 32) ++conflict;
  replay.seek(conflict + 1);
  std::size_t dots = 0;
  for (float height = 160; height < 420; height += 5) {
    SceneContext context = banksPanel();
    context.height = height;
    const Scene scene = bankScene(makeMoment(replay), context, kMeasure);
    for (const DrawItem& dot : scene.items) {
      if (dot.kind != DrawItem::Kind::FillRect || dot.color != ColorRole::TextDim || dot.w > 4) continue;
      ++dots;
      for (const DrawItem& text : scene.items) {
        if (text.kind != DrawItem::Kind::Text || text.align != Align::Right) continue;
        EXPECT_GT(std::abs(text.y - dot.y - dot.h / 2), text.size / 2) << text.text << ", " << height;
      }
    }
  }
  EXPECT_GT(dots, 0U);
}

// Few lines have the room of their panel, and each sector says how much of it is used.
TEST(SectorLines, FillTheirPanel) {
  struct Size {
    float width, height;
  };
  struct Case {
    const char* strategy;
    const char* used;
    std::size_t sectors;
  };
  for (const Case& one :
       {Case{"vector-add", "32 of 32 bytes used", 4}, Case{"strided-access", "8 of 32 bytes used", 8}}) {
    const auto trace = makeTrace(one.strategy, 64, "nvidia");
    Replay replay(trace);
    std::uint32_t at = 0;
    while (trace->steps[at].kind != StepKind::GlobalLoad) ++at;
    replay.seek(at + 1);
    for (const Size& size : {Size{1280, 720}, Size{1920, 1080}, Size{2560, 1440}}) {
      const SceneContext context = makeContext(size.width, size.height, 0.32F);
      const Scene scene = bankScene(makeMoment(replay), context, kMeasure);
      const std::string texts = collectTexts(scene);
      std::size_t captions = 0;
      for (std::size_t from = 0; (from = texts.find(one.used, from)) != std::string::npos; ++from) ++captions;
      EXPECT_EQ(captions, one.sectors) << one.strategy << size.width << "\n" << texts;
      float foot = 0;
      for (const DrawItem& item : scene.items)
        if (item.text.find("bytes used") != std::string::npos) foot = std::max(foot, item.y);
      EXPECT_GT(foot, 0.6F * context.height) << one.strategy << " " << size.width;
      EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
    }
  }
}

/// The place of a walk over 1024 elements, as Cursor::steps.
using CursorOf = std::uint32_t (*)(const Trace& trace);
std::uint32_t loaded(const Trace& trace) { return trace.phases[0].endStep; }
std::uint32_t inTheFirstRound(const Trace& trace) { return trace.phases[1].firstStep + 1; }

/// The array of 1024 elements in a panel of that size; a side of 0 is the banks' panel's.
Scene arrayOf1024(const char* strategy, CursorOf findCursor, float width, float height,
                  bool hidesFuture = false) {
  const auto trace = makeTrace(strategy, 1024, "nvidia");
  Replay replay(trace);
  replay.seek(findCursor(*trace));
  SceneContext context = banksPanel();
  if (width > 0) context.width = width;
  if (height > 0) context.height = height;
  context.hidesFuture = hidesFuture;
  return ladderScene(makeMoment(replay), context, ApproximateMeasure());
}

TEST(ArrayRows, WordsToBeWrittenShowBeforeTheFirstIs) {
  const auto toCome = [](bool hidesFuture) {
    return countItems(arrayOf1024("no-divergence", inTheFirstRound, 0, 215, hidesFuture),
                      DrawItem::Kind::FillRect, ColorRole::Result, 0.3F);
  };
  EXPECT_GT(toCome(false), 100U);
  EXPECT_EQ(toCome(true), 0U) << "where they are to be predicted they do not";
}

TEST(ArrayRows, FewOfALargeBlockShareTheRoom) {
  const Scene scene = arrayOf1024("transpose-shared", loaded, 980, 340);
  EXPECT_NE(collectTexts(scene).find("\nindex"), std::string::npos) << "the axis' name is whole";
  float out = 0;
  for (const HitArea& hit : scene.hits)
    out = hit.kind == HitArea::Kind::Phase && hit.index == 1 ? std::max(out, hit.h) : out;
  EXPECT_GT(out, 25) << "height of the row that is to come, in pixels";
}

TEST(ArrayRows, AllOfALargeBlockAreThereBesideAnother) {
  // A ladder of two side by side.
  const Scene scene = arrayOf1024("no-divergence", inTheFirstRound, 628, 176);
  const std::string all = collectTexts(scene);
  EXPECT_EQ(scene.rows.shown, scene.rows.all) << all;
  EXPECT_EQ(all.find("rows "), std::string::npos) << all;
  EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
}

}  // namespace
}  // namespace lanescope
