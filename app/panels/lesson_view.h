#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/markdown.h"
#include "app/panels/parts_in_sight.h"
#include "app/panels/base/row_list.h"
#include "app/panels/base/view.h"
#include "app/panels/experiment_page.h"

namespace lanescope {

/// The lessons by chapters, the current phase's events, and the chosen lesson.
class LessonView final : public View {
 public:
  std::string_view name() const override { return "lesson"; }
  Place place() const override { return Place::Lesson; }
  bool shownIn(const WindowShape& shape) const override {
    return shape.mode != Mode::Predict && !shape.guides;
  }
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
  void drawListHeading(const ViewContext& context);
  static void open(const ViewContext& context, const Strategy& strategy);
  static void drawRow(const ViewContext& context, const Row& row, float height);
  void drawStrategies(const ViewContext& context);
  void drawLesson(const ViewContext& context);
  /// A note on the source of the lesson's numbers; "" if they are those on the screen.
  std::string numbersNote(const ViewContext& context, const Strategy& strategy);
  void drawNumbersNote(const ViewContext& context, const std::string& note);
  static void drawNext(const ViewContext& context, const Strategy& strategy);
  void drawBlock(const ViewContext& context, std::size_t index, bool isCurrent);

  const Strategy* parsed_ = nullptr;
  RowList list_;
  std::vector<Row> rows_;
  bool startsSearch_ = false;        ///< the caret goes to the search in the next frame
  std::string searched_;             ///< the search text of the rows
  const Strategy* shown_ = nullptr;  ///< the list is scrolled to it
  std::size_t shownRows_ = 0;        ///< rows that the list had then
  std::vector<MarkdownBlock> blocks_;
  PartsInSight shownBlocks_;
  std::pair<const Strategy*, std::uint64_t> counted_;  ///< strategy and N of lessonBlocks_
  std::uint64_t lessonBlocks_ = 1;
  ExperimentPage experiments_;
  std::optional<std::size_t> current_;  ///< the item about the current phase
  std::uint64_t generation_ = 0;        ///< generation of its trace
};

}  // namespace lanescope
