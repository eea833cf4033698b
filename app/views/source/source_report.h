#pragma once

#include "app/views/base/view.h"
#include "app/views/source/source_listing.h"

namespace lanescope {

/// What was found out about the text at hand, to read: faults with their hints, a wrong result, hazards with
/// both accesses and the fix, and whether the result is luck. A click leads to the place or the step.
class SourceReport {
 public:
  /// Whether there is anything to show, and it was not put away.
  bool isOpen(const ViewContext& context) const;
  /// Whether what is to be said is short and about why nothing right came of the text: faults, a wrong result
  /// with no hazard behind it. Beside the launch form there is room for that only.
  static bool fitsBesideForm(const ViewContext& context);
  /// Puts away what is shown, until something else is found; or shows it again.
  void toggle(const ViewContext& context);
  /// Shows what comes of the text on the GPU too, until it is put away.
  void showGpu() { showsGpu_ = true; }
  /// Draws at most that size, less where less is said; the height that it takes.
  void draw(const ViewContext& context, SourceListing& listing, ImVec2 size);
  /// Height that everything takes, as it was last drawn.
  float height() const { return height_; }

 private:
  void drawFaults(const ViewContext& context, SourceListing& listing);
  void drawHazards(const ViewContext& context, SourceListing& listing, const HazardReport& report);
  void drawHazard(const ViewContext& context, SourceListing& listing, const Hazard& hazard);
  void drawResult(const ViewContext& context, SourceListing& listing);
  void drawLuck(const ViewContext& context);
  void drawGpu(const ViewContext& context, SourceListing& listing);

  std::uint64_t awayAt_ = UINT64_MAX;  ///< what was found when it was put away
  std::uint64_t seen_ = 0;             ///< Editor::findings() that were shown
  std::uint64_t seenGpu_ = 0;          ///< GpuText::revision() that was shown
  bool showsGpu_ = false;
  float height_ = 0;
};

/// `2 hazards`, `1 fault`, `no hazards`, `checking…`: the state of the text at hand in a word or two.
struct SourceState {
  std::string text;
  ColorRole color = ColorRole::TextDim;
};
SourceState sourceState(const ViewContext& context);

}  // namespace lanescope
