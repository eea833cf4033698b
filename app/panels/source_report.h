#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/analysis/toolkit.h"
#include "app/launch/launch_form.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/panels/source_listing.h"
#include "app/workbench/editor.h"
#include "app/workbench/run_job.h"

namespace lanescope {

/// Below the source: the current line's machine code, which this machine's CUDA Toolkit makes of the text as
/// it is, and what the line's accesses became. Without a toolkit the recorded machine code of a text that was
/// profiled, or how to get one.
class CodePane {
 public:
  bool isOpen() const { return isOpen_; }
  void toggle() { isOpen_ = !isOpen_; }
  /// Opens it, with that line until the walk moves or another line is pointed at.
  void open(std::uint32_t line) {
    isOpen_ = true;
    asksFor_ = line;
  }
  /// Draws in that size and scrolls if it is too small.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void ask(const ViewContext& context);
  std::uint32_t findLine(const ViewContext& context);
  void drawOutcome(const ViewContext& context, const CodeOutcome& outcome, std::uint32_t line);
  void drawRecorded(const ViewContext& context, const Error& why, std::uint32_t line);
  void drawInstructions(const ViewContext& context, const MachineCode& code, std::uint32_t line);

  bool isOpen_ = false;
  std::uint32_t asksFor_ = 0;     ///< the line to show next, from open()
  std::uint32_t shownLine_ = 0;   ///< that open() asked for; 0: none
  std::uint32_t shownSteps_ = 0;  ///< of the walk, then
  /// The last request.
  struct Asked {
    const Document* document = nullptr;
    std::uint64_t revision = 0;
    Selection selection;
    std::optional<LaunchForm> form;
    std::string architecture;
    bool operator==(const Asked&) const = default;
  };
  Asked asked_;
  RowList instructions_;
  std::string problem_;  ///< why there was no request, one sentence; can be empty
};

/// The findings on the current text, to read: faults with their hints, a wrong result, hazards with both
/// accesses and the fix, and if the result is luck. A click leads to the place or the step.
class SourceReport {
 public:
  /// True if it has content and was not dismissed.
  bool isOpen(const ViewContext& context) const;
  /// True if the report is short and about why nothing right came of the text: faults, or a wrong result
  /// without a hazard. Beside the launch form there is room for that only.
  static bool fitsBesideForm(const ViewContext& context);
  /// Dismisses the report until there is another finding, or shows it again.
  void toggle(const ViewContext& context);
  /// The same as dismissing what was drawn last.
  void dismiss() {
    awayAt_ = drawnAt_;
    showsGpu_ = false;
  }
  /// Also shows the text's outcome on the GPU, until it is dismissed.
  void showGpu() { showsGpu_ = true; }
  /// Draws at most that size, less if the report is short; returns its height.
  void draw(const ViewContext& context, SourceListing& listing, ImVec2 size);
  /// The total height, as it was last drawn.
  float height() const { return height_; }

 private:
  void drawFaults(const ViewContext& context, SourceListing& listing);
  void drawHazards(const ViewContext& context, SourceListing& listing, const HazardReport& report);
  void drawHazard(const ViewContext& context, SourceListing& listing, const Hazard& hazard);
  void drawResult(const ViewContext& context, SourceListing& listing);
  void drawLuck(const ViewContext& context);
  void drawGpu(const ViewContext& context, SourceListing& listing);

  std::uint64_t awayAt_ = UINT64_MAX;  ///< the findings when it was dismissed
  std::uint64_t drawnAt_ = 0;          ///< the findings when it was drawn
  std::uint64_t seen_ = 0;             ///< the value of Editor::findings() that was shown
  std::uint64_t seenGpu_ = 0;          ///< the value of GpuText::revision() that was shown
  bool showsGpu_ = false;
  float height_ = 0;
};

/// `2 hazards`, `1 fault`, `no hazards`, `checking…`: the state of the current text in a word or two.
struct SourceState {
  std::string text;
  ColorRole color = ColorRole::TextDim;
};
SourceState sourceState(const ViewContext& context);

}  // namespace lanescope
