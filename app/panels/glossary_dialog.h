#pragma once

#include <string>
#include <vector>

#include "app/course/glossary.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// The glossary: its terms with a search on the left, and on the right the chosen term's meaning and the
/// lessons that use it.
class GlossaryDialog {
 public:
  /// The command that opens it, and its keys while it is open.
  std::vector<Command> commands(ViewState& state);
  /// Draws the dialog over a window of that size if it is the open one.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void begin(ViewState& state);
  void search(ViewState& state);
  void move(ViewState& state, int by);
  void syncTo(const GlossaryEntry* chosen);
  static Refusal openLesson(ViewState& state);
  void drawTerms(const ViewContext& context, ImVec2 size);
  void drawEntry(const ViewContext& context);
  void drawLinks(const ViewContext& context, const GlossaryEntry& entry);
  static void drawLessons(const ViewContext& context, const GlossaryEntry& entry);

  std::string words_;  ///< that are searched for
  std::string searched_ = "?";
  std::vector<const GlossaryEntry*> found_;
  const GlossaryEntry* shown_ =
      nullptr;  ///< the entry that `blocks_` explains: ViewState::glossaryEntry, once drawn
  std::vector<MarkdownBlock> blocks_;
  RowList list_;
  bool reveals_ = false;  ///< the chosen term scrolls into sight
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
};

}  // namespace lanescope
