// Words, doubles and banks of 8 bytes: the counts in pictures and the sentences on them.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/launch/element_text.h"
#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {
constexpr const char* kTimes = "\u00d7";

std::shared_ptr<const Trace> traceDoubles(std::string_view strategy, std::uint64_t n,
                                          std::string_view machine) {
  auto trace = recordTrace(
      makeLaunch(*findStrategy(strategy), n, 1, *findMachine(machine), ElementType::Double).value());
  EXPECT_TRUE(trace) << strategy;
  return std::make_shared<const Trace>(std::move(*trace));
}

Scene banksAfter(const std::shared_ptr<const Trace>& trace, std::uint32_t steps) {
  Replay replay(trace);
  replay.seek(steps);
  Scene scene = bankScene(makeMoment(replay), makeContext(1920, 1080, 0.33F), kMeasure);
  const std::vector<std::string> problems = textProblems(scene, kMeasure);
  EXPECT_TRUE(problems.empty()) << problems.front();
  return scene;
}

std::optional<std::uint32_t> indexOfFirst(const Trace& trace, StepKind kind, std::uint32_t lanes) {
  const auto found = std::ranges::find_if(
      trace.steps, [&](const Step& step) { return step.kind == kind && step.accesses.count == lanes; });
  if (found == trace.steps.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - trace.steps.begin());
}

std::optional<Step> firstStep(const Trace& trace, StepKind kind, std::uint32_t lanes) {
  const auto index = indexOfFirst(trace, kind, lanes);
  return index ? std::optional(trace.steps[*index]) : std::nullopt;
}

TEST(HalfWarps, AskTheBanksOneAfterTheOther) {
  const auto trace = makeTrace("no-divergence", 64, "g80");
  const auto whole = firstStep(*trace, StepKind::SharedLoad, 32);
  ASSERT_TRUE(whole);
  EXPECT_SAYS(describeStep(*trace, *whole));
  const auto half = firstStep(*trace, StepKind::SharedLoad, 16);
  ASSERT_TRUE(half);
  EXPECT_EQ(describeStep(*trace, *half).find("request"), std::string::npos) << "the other half asks nothing";
  const auto usual = makeTrace("no-divergence", 64, "nvidia");
  EXPECT_EQ(describeStep(*usual, *firstStep(*usual, StepKind::SharedLoad, 32)).find("request"),
            std::string::npos);
}

TEST(WideBanks, HoldTwoWordsEachWithItsOwnNumberAndElement) {
  const auto trace = makeTrace("baseline", 64, "kepler64");
  const auto store = firstStep(*trace, StepKind::SharedStore, 32);
  ASSERT_TRUE(store);
  const BankRequest request = bankRequest(*trace, *store);
  EXPECT_EQ(request.words, 32U);
  EXPECT_EQ(request.banks, 16U);
  for (const LaneDemand& demand : request.lanes) {
    EXPECT_EQ(demand.word, demand.cell);
    EXPECT_EQ(demand.bank, demand.cell / 2 % 32);
  }
  EXPECT_SAYS(describeStep(*trace, *store));
  const Scene scene = banksAfter(trace, *indexOfFirst(*trace, StepKind::SharedStore, 32) + 1);
  std::set<std::uint32_t> cells;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Cell) continue;
    cells.insert(hit.index);
    EXPECT_TRUE(hit.tooltip.starts_with("word " + std::to_string(hit.index) + ": bank " +
                                        std::to_string(hit.index / 2) + ", row 0"))
        << hit.tooltip;
  }
  EXPECT_EQ(cells.size(), 64U) << "every word of the row has a place of its own";
  EXPECT_NE(collectTexts(scene).find("0\u201363"), std::string::npos) << collectTexts(scene);
  EXPECT_EQ(collectTexts(scene).find(kTimes), std::string::npos) << collectTexts(scene);
}

// no-divergence on banks of 8 bytes: consecutive words come in one wavefront.
TEST(WideBanks, AskedForWordsThatAreNotSideBySideConflict) {
  const auto trace = makeTrace("no-divergence", 1024, "kepler64");
  bool conflicted = false;
  for (const Step& step : trace->steps) {
    const BankRequest request = bankRequest(*trace, step);
    if (request.wavefronts != 2) continue;
    conflicted = true;
    EXPECT_EQ(*std::ranges::max_element(request.degree), 2U);
    ASSERT_EQ(request.wordsOfWavefront.size(), 2U);
    for (const auto& words : request.wordsOfWavefront) {
      // Words of one bank are side by side in it.
      std::map<std::uint32_t, std::uint32_t> rowOfBank;
      for (const std::uint32_t word : words) {
        const auto [entry, isNew] = rowOfBank.emplace(word / 2 % 32, word / 2);
        EXPECT_EQ(entry->second, word / 2) << "word " << word;
      }
    }
  }
  EXPECT_TRUE(conflicted);
}

TEST(Doubles, HaveOnePlaceInTheLadder) {
  for (const char* strategy : {"baseline", "no-bank-conflict", "add-during-load"}) {
    const auto trace = traceDoubles(strategy, 8, "tiny");
    const auto words = makeTrace(strategy, 8, "tiny");
    const Ladder ladder = ladderAtEnd(trace);
    const Ladder floats = ladderAtEnd(words);
    EXPECT_EQ(ladder.planned().columns, floats.planned().columns) << strategy;
    EXPECT_EQ(ladder.planned().words, 2 * ladder.planned().elements);
    ASSERT_EQ(ladder.rows.size(), floats.rows.size()) << strategy;
    EXPECT_EQ(ladder.planned().lines.size(), floats.planned().lines.size()) << strategy;
    for (std::size_t row = 0; row < ladder.rows.size(); ++row) {
      for (std::size_t column = 0; column < ladder.rows[row].cells.size(); ++column) {
        const LadderCell& cell = ladder.rows[row].cells[column];
        const LadderCell& same = floats.rows[row].cells[column];
        EXPECT_EQ(cell.there, same.there);
        EXPECT_EQ(cell.written, same.written) << strategy << " row " << row << " column " << column;
        if (!cell.written) continue;
        EXPECT_EQ(trace->provenance.text(cell.from), words->provenance.text(same.from));
        EXPECT_EQ(formatValue(cell.type, cell.bits), formatValue(same.type, same.bits));
      }
    }
  }
}

TEST(Doubles, OfWarpsStandUnderTheirThreads) {
  const auto trace = traceDoubles("shuffle", 128, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  const auto row = std::ranges::find(ladder.rows, LadderRow::Kind::Words, &LadderRow::kind);
  ASSERT_NE(row, ladder.rows.end());
  std::size_t there = 0;
  for (const LadderCell& cell : row->cells) there += cell.there ? 1 : 0;
  EXPECT_EQ(there, trace->sharedCells / 2);
  EXPECT_TRUE(row->cells[32].written);
}

TEST(Doubles, ThePictureSaysItsUnit) {
  const auto makeNote = [&](const std::shared_ptr<const Trace>& trace) {
    Replay replay(trace);
    return collectTexts(arrayScene(makeMoment(replay), makeContext(1600, 1000, 0.4F), kMeasure));
  };
  EXPECT_SAYS(testing::splitWords(makeNote(traceDoubles("baseline", 8, "tiny"))));
  EXPECT_SAYS(testing::splitWords(makeNote(makeTrace("baseline", 8, "tiny"))));
}

TEST(Doubles, OfAWholeWarpTakeTwoWavefrontsAndNoConflict) {
  const auto trace = traceDoubles("baseline", 64, "nvidia");
  const auto store = firstStep(*trace, StepKind::SharedStore, 32);
  ASSERT_TRUE(store);
  EXPECT_SAYS(describeStep(*trace, *store));
  EXPECT_EQ(
      collectTexts(banksAfter(trace, *indexOfFirst(*trace, StepKind::SharedStore, 32) + 1)).find(kTimes),
      std::string::npos);
  const auto load = firstStep(*trace, StepKind::GlobalLoad, 32);
  ASSERT_TRUE(load);
  EXPECT_SAYS(describeStep(*trace, *load));
  // On banks of their own width they all go at once.
  const auto wide = traceDoubles("baseline", 64, "kepler64");
  EXPECT_SAYS(describeStep(*wide, *firstStep(*wide, StepKind::SharedStore, 32)));
}

// Marks over the banks, the sentence and the counters say the same, on every machine.
TEST(Conflicts, AreMarkedWhereTheyAreCounted) {
  for (const char* strategy : {"no-divergence", "no-bank-conflict", "transpose-shared", "unroll-last-warp"}) {
    for (const MachineModel& machine : machinePresets()) {
      for (const ElementType type : findElementTypes(*findStrategy(strategy))) {
        auto recorded = recordTrace(makeLaunch(*findStrategy(strategy), 64, 1, machine, type).value());
        ASSERT_TRUE(recorded);
        const auto trace = std::make_shared<const Trace>(std::move(*recorded));
        for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
          const Step step = trace->steps[index];
          if (!isShared(step.kind)) continue;
          const BankRequest request = bankRequest(*trace, step);
          const bool asksTwice = std::ranges::any_of(request.degree, [](unsigned d) { return d > 1; });
          const std::string texts = collectTexts(banksAfter(trace, index + 1));
          EXPECT_EQ(texts.find(kTimes) != std::string::npos, conflicts(step) && asksTwice)
              << strategy << " " << machine.name << "\n"
              << texts;
          EXPECT_EQ(describeStep(*trace, step).ends_with(", no conflict"),
                    step.wavefronts > 1 && !conflicts(step));
          EXPECT_EQ(request.wordsOfWavefront.size(), step.wavefronts);
        }
      }
    }
  }
}

/// A warp that loads `load` of 16 constants.
std::shared_ptr<const Trace> readConstants(const std::string& load) {
  auto trace = recordTrace(testing::launchText(
      "__constant__ float table[16] = {1, 2};\n__global__ void k(float* out) {\n  out[threadIdx.x] = " +
          load + ";\n}\n",
      32, {"f32:zero:32"}));
  EXPECT_TRUE(trace) << load;
  return std::make_shared<const Trace>(std::move(*trace));
}

TEST(Constants, AreShownWithTheAddressesThatAWarpAsksFor) {
  const auto one = readConstants("table[3]");
  const auto load = indexOfFirst(*one, StepKind::ConstantLoad, 32);
  ASSERT_TRUE(load);
  EXPECT_SAYS(describeStep(*one, one->steps[*load]));
  const Scene scene = banksAfter(one, *load + 1);
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  const auto words = [](const Scene& of) {
    return std::ranges::count(of.hits, HitArea::Kind::Cell, &HitArea::kind);
  };
  EXPECT_EQ(words(scene), 1);

  const auto several = readConstants("table[threadIdx.x / 4]");
  const auto next = indexOfFirst(*several, StepKind::ConstantLoad, 32);
  ASSERT_TRUE(next);
  EXPECT_SAYS(describeStep(*several, several->steps[*next]));
  EXPECT_EQ(words(banksAfter(several, *next + 1)), 8);
  EXPECT_EQ(computeCounters(*several, several->steps[*next]).constantAddresses, 8U);
  EXPECT_EQ(several->total.constantAddresses, 8U);
  EXPECT_EQ(several->total.globalLoadSectors, 0U);
}

}  // namespace
}  // namespace lanescope
