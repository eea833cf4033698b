#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/analysis/floor_report.h"
#include "app/analysis/profiles.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"
#include "app/pictures/why_scene.h"

namespace lanescope {

/// The parameters of the floors of a document's text: the shown GPU (else an H200), N and the block of the
/// GPU panel, cold caches. A document with a launch form has its own launch. The error, one sentence, says
/// why there are none.
Result<FloorRequest> makeFloorRequest(ViewState& state, const Document& document);

/// The same for a strategy's unedited text.
Result<FloorRequest> makeFloorRequest(const ViewState& state, const Strategy& strategy);

/// The text that the page "why" is about, and the data on it.
struct WhyText {
  const Strategy* strategy = nullptr;  ///< the strategy of the text, edited or not; nullptr: a file
  std::string title;                   ///< `Baseline`, `my.cu`
  std::string_view text;
  const FloorReport* floors = nullptr;  ///< if nullptr, `floorNote` says why
  std::string floorNote;
  double measuredUs = 0;  ///< of this exact text at the floors' N; 0: not measured
  double ownUs = 0;       ///< of the strategy's unedited text; 0: not measured
};

/// The GPU panel's page "why": the current text, its floors, and a bar for each strategy that was profiled.
WhyChart makeWhyChart(TextProfiles& profiles, const WhyText& text);

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

/// Shows the machine code of a line of the current text, if the source is in sight.
void askForCode(ViewState& state, std::uint32_t line);

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
