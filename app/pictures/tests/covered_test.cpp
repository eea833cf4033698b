// With the future hidden, a picture is the same whatever comes next.
#include <sstream>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "app/pictures/warp_scene.h"

namespace lanescope {
namespace {
/// The same run up to `steps`, and another after it: other lanes, words, costs and values. Lane 0 stays: its
/// values name the steps of a tree (phaseNames), which is a fact of the text.
std::shared_ptr<const Trace> withAnotherFuture(const Trace& trace, std::uint32_t steps) {
  auto other = std::make_shared<Trace>(trace);
  const auto moved = [&](std::uint32_t cell) {
    return cell < trace.sharedCells ? trace.sharedCells - 1 - cell : cell;
  };
  other->steps = {};
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    Step step = trace.steps[index];
    if (index < steps) {
      other->steps.add(step);
      continue;
    }
    step.active = (~step.active & 2U) | (step.active & 1U);
    step.taken ^= 1U;
    step.after = 1U;
    step.wavefronts += 3;
    step.sectors += 5;
    other->steps.add(step);
    for (std::uint32_t i = 0; i < step.accesses.count; ++i) {
      LaneAccess& access = other->accesses[step.accesses.first + i];
      access.value.bits ^= 0x123U;
      // Beside registers a shared word is in the column of its lane: that is layout, and stays.
      if (access.cell < trace.sharedCells && trace.total.shuffles > 0) continue;
      access.cell = moved(access.cell);
      access.lane = static_cast<std::uint8_t>((access.lane + 1) % trace.lanesOfWarp(step.warp));
    }
  }
  for (Phase& phase : other->phases) {
    if (phase.endStep <= steps) continue;
    phase.counters.sharedLoadWavefronts += 99;
    phase.counters.divergentBranches += 7;
    phase.activeThreads.assign(1, 0);
    for (Word& word : phase.sharedAfter) word.bits ^= 0x77U;
  }
  other->total.sharedLoadWavefronts += 1000;
  return other;
}

std::string dumpScene(const Scene& scene) {
  std::string text;
  for (const DrawItem& item : scene.items) {
    text += std::to_string(static_cast<int>(item.kind)) + " " + std::to_string(static_cast<int>(item.color)) +
            " " + std::to_string(item.x) + " " + std::to_string(item.y) + " " + std::to_string(item.w) + " " +
            std::to_string(item.h) + " " + std::to_string(item.alpha) + " " + item.text + "\n";
  }
  for (const HitArea& hit : scene.hits) {
    text += std::to_string(hit.x) + " " + std::to_string(hit.y) + " " + std::to_string(hit.thread) + " " +
            std::to_string(hit.index) + " " + hit.tooltip + "\n";
  }
  return text;
}

/// The first lines that differ, or "".
std::string firstDifference(const std::string& first, const std::string& second) {
  std::istringstream one(first);
  std::istringstream two(second);
  std::string a;
  std::string b;
  while (true) {
    const bool hasOne = static_cast<bool>(std::getline(one, a));
    const bool hasTwo = static_cast<bool>(std::getline(two, b));
    if (!hasOne && !hasTwo) return "";
    if (hasOne != hasTwo || a != b) return "'" + a + "' and '" + b + "'";
  }
}

std::vector<std::string> makePictures(const std::shared_ptr<const Trace>& trace, std::uint32_t steps,
                                      bool hides) {
  Replay replay(trace);
  replay.seek(steps);
  SceneContext context = makeContext(1280, 720, 0.4F);
  context.hidesFuture = hides;
  const Moment moment = makeMoment(replay);
  return {dumpScene(arrayScene(moment, context, kMeasure)), dumpScene(warpScene(moment, context, kMeasure)),
          dumpScene(bankScene(moment, context, kMeasure)),
          dumpScene(timelineScene(moment, context, kMeasure))};
}

TEST(CoveredPictures, DoNotDependOnWhatComesNext) {
  for (const char* strategy : {"baseline", "no-divergence", "add-during-load", "shuffle", "unroll-last-warp",
                               "transpose-shared", "float4-loads"}) {
    for (const std::uint64_t n : {8U, 64U}) {
      const auto trace = makeTrace(strategy, n, n == 8 ? "tiny" : "nvidia");
      if (trace == nullptr) continue;
      bool seen = false;
      for (std::uint32_t steps = 0; steps <= trace->steps.size(); steps += 3) {
        const auto other = withAnotherFuture(*trace, steps);
        const auto covered = makePictures(trace, steps, true);
        const auto coveredOther = makePictures(other, steps, true);
        for (std::size_t picture = 0; picture < covered.size(); ++picture)
          EXPECT_EQ(firstDifference(covered[picture], coveredOther[picture]), "")
              << strategy << " " << n << " at " << steps;
        seen = seen || makePictures(trace, steps, false) != makePictures(other, steps, false);
      }
      EXPECT_TRUE(seen) << strategy << ": the other future shows where nothing is hidden";
    }
  }
}

TEST(CoveredPictures, AChosenLaneIsRinged) {
  Replay replay(makeTrace("baseline", 64, "nvidia"));
  replay.seek(20U);
  SceneContext context = makeContext(1280, 720, 0.2F);
  const auto rings = [&] {
    return countItems(warpScene(makeMoment(replay), context, ApproximateMeasure()),
                      DrawItem::Kind::StrokeRect, ColorRole::Text);
  };
  const std::size_t before = rings();
  const std::vector<std::uint32_t> chosen{3, 40};
  context.chosenThreads = chosen;
  EXPECT_EQ(rings(), before + 2);
}

}  // namespace
}  // namespace lanescope
