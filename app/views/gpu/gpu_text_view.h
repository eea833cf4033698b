#pragma once

#include <span>
#include <string>

#include "app/session/gpu/gpu_session.h"
#include "app/views/base/view.h"

namespace lanescope {

/// The text at hand as the GPU panel would run it: its launch, and its timing at the panel's N and block.
Result<TextTask> textTaskOf(const ViewState& state);
/// Runs the text at hand on the GPU, reads its counters, or profiles it; what stands in the way is in
/// ViewState::gpuPanel.refusal.
void runTextOnGpu(ViewState& state);
void countTextOnGpu(ViewState& state);
void profileTextOnGpu(ViewState& state);

/// What the GPU's compiler found in the text at hand; empty where the last run was of another.
std::span<const GpuFinding> gpuFindings(const ViewContext& context);
/// `The GPU's compiler: expected a ";".`
std::string sentenceOf(const GpuFinding& finding);

/// What came of the last text on the GPU, in a few sentences at the cursor.
void drawTextOutcome(const ViewContext& context, const TextOutcome& outcome);

/// Why no text can run, where the page says it: nothing was run or counted before. Empty: nothing is in the
/// way.
std::string shownBlocker(const ViewState& state);

/// The GPU panel's page on the text at hand: running it, what came of it, and its counters beside the
/// simulator's.
class GpuTextView {
 public:
  static void draw(const ViewContext& context, ImVec2 size);

 private:
  static void drawTools(const ViewContext& context);
  static void drawRun(const ViewContext& context, const TextOutcome& outcome);
  static void drawCounters(const ViewContext& context, const TextOutcome& outcome, float width);
};

}  // namespace lanescope
