#pragma once

#include <span>
#include <string>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// The current text as the GPU panel would run it: its launch, and its timing at the panel's N and block.
Result<TextTask> makeTextTask(const ViewState& state);
/// Runs the current text on the GPU, reads its counters, or profiles it. If it cannot,
/// ViewState::gpuPanel.refusal says why.
void runTextOnGpu(ViewState& state);
void countTextOnGpu(ViewState& state);
void profileTextOnGpu(ViewState& state);

/// The findings of the GPU's compiler in the current text; empty if the last run was of another.
std::span<const GpuFinding> gpuFindings(const ViewContext& context);
/// `The GPU's compiler: expected a ";".`
std::string makeSentence(const GpuFinding& finding);

/// The outcome of the last text on the GPU, in a few sentences at the cursor.
void drawTextOutcome(const ViewContext& context, const TextOutcome& outcome);

/// Why no text can run, if the page says so: no text was run or counted before. Empty if nothing prevents it.
std::string shownBlocker(const ViewState& state);

/// The GPU panel's page on the current text: its run, the outcome, and its counters beside the simulator's.
class GpuTextView {
 public:
  static void draw(const ViewContext& context, ImVec2 size);

 private:
  static void drawTools(const ViewContext& context);
  static void drawRun(const ViewContext& context, const TextOutcome& outcome);
  static void drawCounters(const ViewContext& context, const TextOutcome& outcome, float width);
};

}  // namespace lanescope
