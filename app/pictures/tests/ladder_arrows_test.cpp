// Arrows and formulas of the ladder agree: a value is made of the sources of its arrows.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

#include "app/launch/element_text.h"
#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {
constexpr std::uint32_t kMaxInputs = 4096;

using Elements = std::set<std::string>;

/// `a0`, `partials[1]`: the names in a formula.
Elements listElements(const Trace& trace, ProvenanceId from) {
  static const std::regex kElement(R"([A-Za-z_]\w*\[\d+\]|[a-z]\d+)");
  const std::string text = trace.provenance.text(from);
  return {std::sregex_token_iterator(text.begin(), text.end(), kElement), std::sregex_token_iterator()};
}

bool isWithin(const Elements& part, const Elements& all) { return std::ranges::includes(all, part); }

std::string formatList(const Elements& elements) {
  std::string list;
  for (const std::string& element : elements) list += element + " ";
  return list;
}

/// The thread's register values as the phase began.
Elements heldBefore(const std::shared_ptr<const Trace>& trace, std::uint32_t phase, std::int64_t thread) {
  Replay replay(trace);
  replay.seek(trace->phases[phase].firstStep);
  Elements held;
  const std::size_t variables = trace->variables.size();
  for (std::size_t v = 0; thread >= 0 && v < variables; ++v)
    held.merge(listElements(*trace,
                            replay.state().variables[static_cast<std::size_t>(thread) * variables + v].from));
  return held;
}

/// The same place in the last row of its kind above.
Elements aboveIt(const Trace& trace, const Ladder& ladder, std::size_t row, std::size_t column) {
  const LadderRow& own = ladder.rows[row];
  while (row-- > 0) {
    const LadderRow& above = ladder.rows[row];
    if (above.kind == own.kind && above.name == own.name)
      return listElements(trace, above.cells[column].from);
  }
  // Values that atomics of the first row join were there before.
  const auto array = std::ranges::find(trace.arrays, own.name, &TracedArray::name);
  if (own.kind != LadderRow::Kind::Output || array == trace.arrays.end()) return {};
  return listElements(trace, trace.initialCells[array->firstCell + own.cells[column].index].from);
}

/// Checks every place that arrows end in. Returns how many there are.
std::size_t checkArrows(const std::shared_ptr<const Trace>& trace, const std::string& what) {
  const Ladder ladder = ladderAtEnd(trace, kMaxInputs);
  std::size_t checked = 0;
  for (std::size_t row = 0; row < ladder.rows.size(); ++row) {
    for (std::size_t column = 0; column < ladder.columns; ++column) {
      const LadderCell& cell = ladder.rows[row].cells[column];
      Elements sources;
      bool hasArrow = false;
      for (const LadderArrow& arrow : ladder.arrows) {
        if (arrow.toRow != row || arrow.toColumn != column) continue;
        hasArrow = true;
        sources.merge(listElements(*trace, ladder.rows[arrow.fromRow].cells[arrow.fromColumn].from));
      }
      if (!hasArrow || !cell.written) continue;
      ++checked;
      if (trace->provenance.terms(cell.from) > Provenance::kMaxTerms) continue;  // the formula is shortened
      const Elements made = listElements(*trace, cell.from);
      const std::string where = what + ", " + ladder.rows[row].label + ", column " + std::to_string(column) +
                                ": made of " + formatList(made) + "; arrows from " + formatList(sources);
      EXPECT_TRUE(isWithin(sources, made)) << where;
      Elements known = sources;
      known.merge(aboveIt(*trace, ladder, row, column));
      if (!isWithin(made, known)) known.merge(heldBefore(trace, ladder.rows[row].phase, cell.thread));
      EXPECT_TRUE(isWithin(made, known)) << where;
    }
  }
  return checked;
}

std::shared_ptr<const Trace> tracedBlock(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                                         const MachineModel& machine, ElementType type, std::uint32_t block) {
  const Result<Launch> launch = makeLaunch(strategy, n, blocks, machine, type);
  if (!launch) return nullptr;  // not every strategy takes every size
  Result<Trace> trace = recordTrace(*launch, {block, 0, 0});
  EXPECT_TRUE(trace) << strategy.id;
  return trace ? std::make_shared<const Trace>(std::move(*trace)) : nullptr;
}

TEST(LadderArrows, ComeFromWhatTheFormulaNames) {
  std::size_t checked = 0;
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {8U, 16U, 64U}) {
      for (const char* machine : {"nvidia", "tiny"}) {
        for (const ElementType type : findElementTypes(strategy)) {
          const auto trace = tracedBlock(strategy, n, 1, *findMachine(machine), type, 0);
          if (trace)
            checked += checkArrows(trace, std::string(strategy.id) + " " + std::to_string(n) + " " + machine);
        }
      }
    }
  }
  EXPECT_GT(checked, 10000U);
}

TEST(LadderArrows, OfALaterBlockDoToo) {
  for (const Strategy& strategy : strategies()) {
    const auto trace = tracedBlock(strategy, 64, 4, *findMachine("nvidia"), ElementType::Float, 3);
    if (trace) checkArrows(trace, std::string(strategy.id) + " block 3");
  }
}

TEST(LadderArrows, OfAReductionComeFromEveryLane) {
  for (const std::uint64_t n : {8U, 64U}) {
    const auto trace = makeTrace("reduce-add", n, "nvidia");
    const Ladder ladder = ladderAtEnd(trace, kMaxInputs);
    const auto row = std::ranges::find(ladder.rows, LadderRow::Kind::Words, &LadderRow::kind);
    ASSERT_NE(row, ladder.rows.end());
    EXPECT_EQ(trace->provenance.terms(row->cells[0].from), n);
    std::set<std::uint32_t> columns;
    for (const LadderArrow& arrow : ladder.arrows) {
      if (&ladder.rows[arrow.toRow] == &*row && arrow.toColumn == 0) columns.insert(arrow.fromColumn);
    }
    EXPECT_EQ(columns.size(), n);
  }
}

TEST(LadderArrows, OfAWideLoadComeFromAllItsWords) {
  for (const std::uint64_t n : {33U, 64U}) {
    const Ladder ladder = ladderAtEnd(makeTrace("float4-loads", n, "nvidia"), kMaxInputs);
    ASSERT_EQ(ladder.rows[0].kind, LadderRow::Kind::Input);
    std::set<std::uint32_t> read;
    for (const LadderArrow& arrow : ladder.arrows) {
      if (arrow.fromRow == 0) read.insert(arrow.fromColumn);
    }
    EXPECT_EQ(read.size(), n);
  }
}

TEST(LadderArrows, OfWideSharedAccessesJoinAllTheirWords) {
  const auto trace = traceOfText(
      "__global__ void k(const float* in, float* out) {\n  __shared__ float4 s[8];\n"
      "  const int i = threadIdx.x;\n  s[i] = reinterpret_cast<const float4*>(in)[i];\n  __syncthreads();\n"
      "  if (i < 4) { const float4 v = s[i + 4]; out[i] = v.x + v.y + v.z + v.w; }\n}\n",
      8, {"f32:hash:64", "f32:zero:64"}, "nvidia");
  ASSERT_TRUE(trace);
  const Ladder ladder = ladderAtEnd(trace, kMaxInputs);
  std::size_t outputs = 0;
  std::size_t results = 0;
  for (const LadderArrow& arrow : ladder.arrows)
    outputs += ladder.rows[arrow.toRow].kind == LadderRow::Kind::Output ? 1 : 0;
  const auto words = std::ranges::find(ladder.rows, LadderRow::Kind::Words, &LadderRow::kind);
  ASSERT_NE(words, ladder.rows.end());
  for (const LadderCell& cell : words->cells) results += cell.result ? 1 : 0;
  EXPECT_EQ(outputs, 16U);
  EXPECT_EQ(results, 32U);
  EXPECT_GT(checkArrows(trace, "float4 in shared memory"), 3U);
}

// A value read only for a condition or an index is in no value.
TEST(LadderArrows, FollowValuesAlone) {
  const auto trace = traceOfText(
      "__global__ void k(const float* in, float* out) {\n  __shared__ float s[8];\n  __shared__ int "
      "flag[8];\n"
      "  const int i = threadIdx.x;\n  s[i] = in[i];\n  flag[i] = 7 - i;\n  __syncthreads();\n"
      "  if (flag[7] == 0) out[i] = s[flag[i]];\n}\n",
      8, {"f32:hash:64", "f32:zero:64"}, "nvidia");
  ASSERT_TRUE(trace);
  const Ladder ladder = ladderAtEnd(trace, kMaxInputs);
  std::set<std::pair<std::uint32_t, std::uint32_t>> arrows;
  for (const LadderArrow& arrow : ladder.arrows) {
    if (ladder.rows[arrow.toRow].kind == LadderRow::Kind::Output)
      arrows.emplace(arrow.toColumn, trace->arrays[0].name == "s" ? arrow.fromColumn : arrow.fromColumn % 8);
  }
  ASSERT_EQ(arrows.size(), 8U);
  for (const auto& [to, from] : arrows) EXPECT_EQ(from, 7 - to);
}

TEST(LadderArrows, OfTheLastBlockComeFromTheOthersSums) {
  const auto trace =
      tracedBlock(*findStrategy("last-block-done"), 64, 4, *findMachine("nvidia"), ElementType::Float, 3);
  ASSERT_TRUE(trace);
  const Ladder ladder = ladderAtEnd(trace, kMaxInputs);
  const auto row = std::ranges::find(ladder.rows, "partials", &LadderRow::name);
  ASSERT_NE(row, ladder.rows.end());
  EXPECT_EQ(row->kind, LadderRow::Kind::Input);
  const auto number = static_cast<std::uint32_t>(row - ladder.rows.begin());
  std::set<std::pair<std::uint32_t, std::uint32_t>> arrows;
  for (const LadderArrow& arrow : ladder.arrows) {
    if (arrow.fromRow == number) arrows.emplace(arrow.fromColumn, arrow.toColumn);
  }
  // Each thread reads the sum of the block with its number; the last one is this block's own.
  EXPECT_EQ(arrows, (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {1, 1}, {2, 2}}));
  const Elements made = listElements(*trace, ladder.rows.back().cells[0].from);
  EXPECT_TRUE(isWithin({"partials[0]", "partials[1]", "partials[2]", "a12", "a63"}, made))
      << formatList(made);
  EXPECT_FALSE(made.contains("a0"));
}

/// Curves and lines in the arrows' colour.
std::size_t arrowLines(const Scene& scene) {
  return countItems(scene, DrawItem::Kind::Curve, ColorRole::Arrow) +
         countItems(scene, DrawItem::Kind::Line, ColorRole::Arrow);
}

TEST(ArrowCrowds, OneThreadsArrowsIntoOnePlaceAreOneBracket) {
  const auto trace = makeTrace("one-thread", 64, "nvidia");
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()) / 2);
  SceneContext context = makeContext(1280, 720, 0.3F);
  const Scene scene = arrayScene(makeMoment(replay), context, ApproximateMeasure());
  EXPECT_GE(arrowLines(scene), 4U) << "two ticks, a bar and the arrow";
  EXPECT_LE(arrowLines(scene), 8U);
}

TEST(ArrowCrowds, OfTooManyTheOnesOfALaneAreShown) {
  // Every thread adds six words that are far apart.
  Launch launch;
  launch.source = std::make_shared<SourceText>(
      "all.cu",
      "__global__ void all(const float* in, float* out) {\n  __shared__ float s[64];\n"
      "  s[threadIdx.x] = in[threadIdx.x];\n  __syncthreads();\n"
      "  out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x ^ 8] + s[threadIdx.x ^ 19] + s[threadIdx.x ^ 37] "
      "+\n"
      "                     s[threadIdx.x ^ 42] + s[threadIdx.x ^ 63];\n}\n");
  launch.block.x = 64;
  launch.machine = *findMachine("nvidia");
  launch.arguments = {parseArgument("f32:hash:64").value(), parseArgument("f32:zero:64").value()};
  const auto trace = std::make_shared<const Trace>(recordTrace(launch).value());
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  SceneContext context = makeContext(1280, 720, 0.3F);
  const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
  EXPECT_LT(arrowLines(scene), 70U) << "of 384";
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  EXPECT_TRUE(textProblems(scene, kMeasure).empty());
  context.hoverThread = 5;
  const Scene pointed = arrayScene(makeMoment(replay), context, kMeasure);
  EXPECT_EQ(countItems(pointed, DrawItem::Kind::Curve, ColorRole::Accent) +
                countItems(pointed, DrawItem::Kind::Line, ColorRole::Accent),
            countItems(scene, DrawItem::Kind::Line, ColorRole::Accent) + 6);
}

TEST(ArrowCrowds, ThatLieFlatAreThoseOfOneLaneToo) {
  const auto trace = makeTrace("no-bank-conflict", 64, "nvidia");
  const auto findPhase = [&](std::string_view label) {
    return std::ranges::find(trace->phases, label, &Phase::label);
  };
  const auto linesIn = [&](std::string_view label) {
    Replay replay(trace);
    replay.seek(findPhase(label)->firstStep);
    return arrowLines(arrayScene(makeMoment(replay), makeContext(1280, 720, 0.3F), ApproximateMeasure()));
  };
  ASSERT_NE(findPhase("step size 32"), trace->phases.end());
  EXPECT_LE(linesIn("step size 32"), 2U) << "of 64, all as flat";
  EXPECT_GE(linesIn("step size 4"), 8U) << "few are all drawn";
}

// In the lesson on strides the arrows of the words from two arrays cross each other.
TEST(ArrowCrowds, ThatCrossAreThoseOfOneLaneToo) {
  const auto trace = makeTrace("bank-strides", 64, "nvidia");
  Replay replay(trace);
  const auto load = [](const Step& step) { return step.kind == StepKind::GlobalLoad; };
  std::uint32_t at = 0;
  while (!load(trace->steps[at])) ++at;
  replay.seek(at + 1);
  const Scene scene = arrayScene(makeMoment(replay), makeContext(1280, 720, 0.3F), ApproximateMeasure());
  EXPECT_GE(arrowLines(scene), 2U) << "from both arrays";
  EXPECT_LE(arrowLines(scene), 4U) << "of 128";
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
}

TEST(LadderArrows, GoBehindTheCellsOfARowThatTheyCross) {
  const auto trace = makeTrace("vector-add", 8, "tiny");
  const Replay replay(trace);
  const Scene scene = arrayScene(makeMoment(replay), makeContext(1280, 720, 0.4F), ApproximateMeasure());
  const auto places = [&](auto&& wanted) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
      if (wanted(scene.items[i])) found.push_back(i);
    }
    return found;
  };
  const auto texts = places([](const DrawItem& item) { return item.text == "b0"; });
  ASSERT_EQ(texts.size(), 1U);
  const float y = scene.items[texts.front()].y;
  const auto across = places([&](const DrawItem& item) {
    return (item.kind == DrawItem::Kind::Line || item.kind == DrawItem::Kind::Curve) &&
           item.color == ColorRole::Arrow && item.y < y && item.y + item.h > y;
  });
  EXPECT_EQ(across.size(), 8U);
  for (const std::size_t arrow : across) EXPECT_LT(arrow, texts.front());
}

}  // namespace
}  // namespace lanescope
