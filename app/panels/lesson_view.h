#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/analysis/profiles.h"
#include "app/analysis/recording.h"
#include "app/base/markdown.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/pictures/chart_scene.h"

namespace lanescope {

/// Parts stacked in a panel that scrolls. A part out of sight is not drawn but takes its room, once its
/// height is known.
class PartsInSight {
 public:
  template <std::invocable Draw>
  void draw(std::size_t part, Draw drawPart) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float letters = ImGui::GetFontSize();
    if (width != width_ || letters != letters_) heights_.clear();
    width_ = width;
    letters_ = letters;
    if (part >= heights_.size()) heights_.resize(part + 1);
    float& height = heights_[part];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (height > 0 && !ImGui::IsRectVisible(at, ImVec2(at.x + width, at.y + height))) {
      ImGui::Dummy(ImVec2(1, height - ImGui::GetStyle().ItemSpacing.y));
      return;
    }
    drawPart();
    height = ImGui::GetCursorScreenPos().y - at.y;
  }
  /// To be called when the parts change.
  void clear() { heights_.clear(); }

 private:
  std::vector<float> heights_;     ///< by part, pixels; 0: unknown
  float width_ = 0, letters_ = 0;  ///< valid for this content width and letter size
};

/// A bar for each kernel that was timed, with its time and its ratio to the first. Its tooltip says what
/// limits it, if it was profiled.
BarChart experimentBars(const ExperimentTimes& times, const ExperimentProfiles& profiles = {});

/// The experiments of a lesson that were recorded, below its text: each with its question and a chart of the
/// times.
class ExperimentPage {
 public:
  void draw(const ViewContext& context, const Strategy& strategy);

 private:
  struct Entry {
    std::vector<MarkdownBlock> text;
    BarChart bars;
    std::string foot;
  };
  void read(const Strategy& strategy);
  static void drawEntry(const ViewContext& context, Entry& entry, const std::string& id);

  const Strategy* shown_ = nullptr;
  bool isLoaded_ = false;
  BenchData recorded_;         ///< empty if no recording of experiments ships
  ProfileRecording profiled_;  ///< the profiles of these experiments
  std::vector<Entry> entries_;
  PartsInSight parts_;  ///< by entry
};

/// The place of a lesson or of what replaces it: a column, or below the source if there is no room for one.
PanelInfo lessonPanel(std::string_view id, const WindowShape& shape);

/// The chosen lesson and the current phase's events; the lessons by chapters over it, on request.
class LessonView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawPhase(const ViewContext& context);
  /// A row of the list: a chapter, or a lesson of it.
  struct Row {
    const Strategy* strategy = nullptr;
    std::string text;
  };
  void findRows(const std::string& words);
  void drawTitle(const ViewContext& context);
  void drawList(const ViewContext& context, bool isColumn);
  void drawSearch(const ViewContext& context, bool isNew);
  static void open(const ViewContext& context, const Strategy& strategy);
  static void drawRow(const ViewContext& context, const Row& row, float height);
  void drawRows(const ViewContext& context, bool isNew);
  bool readLesson(const ViewContext& context, const Strategy& strategy);
  void drawLesson(const ViewContext& context, const Strategy& strategy, bool isItsOwn);
  /// A note on the source of the lesson's numbers; "" if they are those on the screen.
  std::string numbersNote(const ViewContext& context, const Strategy& strategy);
  void drawNumbersNote(const ViewContext& context, const std::string& note);
  static void drawCost(const ViewContext& context, const Strategy& strategy);
  static void drawNext(const ViewContext& context, const Strategy& strategy);
  void drawBlock(const ViewContext& context, std::size_t index, bool isCurrent);

  const Strategy* parsed_ = nullptr;
  RowList list_;
  std::vector<Row> rows_;
  bool opensList_ = false;     ///< in the next frame
  std::string words_;          ///< the search text
  std::string searched_;       ///< that of the rows
  std::size_t shownRows_ = 0;  ///< rows that the list had in its last frame
  std::vector<MarkdownBlock> blocks_;
  PartsInSight shownBlocks_;
  PartsInSight shownCost_;                             ///< the picture of the chapter's times
  std::pair<const Strategy*, std::uint64_t> counted_;  ///< strategy and N of lessonBlocks_
  std::uint64_t lessonBlocks_ = 1;
  ExperimentPage experiments_;
  std::optional<std::size_t> current_;  ///< the item about the current phase
  std::uint64_t generation_ = 0;        ///< generation of its trace
};

}  // namespace lanescope
