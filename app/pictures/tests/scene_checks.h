#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/array_scene.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// Measures the texts of scenes in tests.
inline const ApproximateMeasure kMeasure;

/// The moment a replay is at, planned for it alone.
Moment makeMoment(const Replay& replay);
/// The ladder at a moment.
Ladder buildLadder(Moment moment, std::uint32_t maxInputs);
/// After so many steps of a trace.
Ladder ladderAt(const std::shared_ptr<const Trace>& trace, std::size_t steps, std::uint32_t maxInputs = 64);
Ladder ladderAtEnd(const std::shared_ptr<const Trace>& trace, std::uint32_t maxInputs = 64);
/// From a place that a thread reads to one that it writes later in the same phase.
struct Flow {
  std::uint32_t fromRow = 0, fromColumn = 0;
  std::uint32_t toRow = 0, toColumn = 0;
  std::uint32_t thread = 0;
};
std::vector<Flow> listFlows(const LadderPlan& plan);
/// A kernel's run in one block; null, and a failure, if there is none.
std::shared_ptr<const Trace> traceOfText(std::string text, std::uint32_t threads,
                                         const std::vector<std::string>& arguments,
                                         std::string_view machine = "tiny");

/// Texts that leave the scene's bounds or lie on one another, one sentence each; empty when all fit.
std::vector<std::string> textProblems(const Scene& scene, const TextMeasure& measure);

/// Every text of a scene, in order, one per line.
std::string collectTexts(const Scene& scene);

/// Items of a kind in a colour, at least as opaque as that.
std::size_t countItems(const Scene& scene, DrawItem::Kind kind, ColorRole color, float leastAlpha = 0);

/// A strategy's run of `n` elements in one block. Throws if there is none: the test then ends.
std::shared_ptr<const Trace> makeTrace(std::string_view strategy, std::uint64_t n, std::string_view machine);
/// The same, as the window has it: warps take turns by line.
std::shared_ptr<const Trace> makeTraceByLine(std::string_view strategy, std::uint64_t n,
                                             std::string_view machine);

/// A context as the middle column of a window has it, `share` of its height high.
SceneContext makeContext(float windowWidth, float windowHeight, float share);

}  // namespace lanescope
