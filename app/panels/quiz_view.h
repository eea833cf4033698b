#pragma once

#include <string>

#include "app/panels/base/markdown_layout.h"
#include "app/panels/base/view.h"
#include "app/panels/quiz_score.h"

namespace lanescope {

/// The question about the next step, its answer, and the score.
class QuizView final : public View {
 public:
  std::string_view name() const override { return "quiz"; }
  Place place() const override { return Place::Lesson; }
  bool shownIn(const WindowShape& shape) const override { return shape.mode == Mode::Predict; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawAsked(const ViewContext& context);
  void drawYesNo(const ViewContext& context);
  void drawField(const ViewContext& context);
  void drawAnswered(const ViewContext& context);
  void drawState(const ViewContext& context);
  void drawLarge(const ViewContext& context, const std::string& text);
  void enter(ViewState& state);
  void check(ViewState& state, const std::string& answer);
  void focusField(const ViewState& state);

  QuizScorePanel score_;
  MarkdownTexts texts_;
  std::string problem_;    ///< with the answer as it was typed, one sentence
  std::string problemOf_;  ///< the question and the answer that it is about
  bool wantsFocus_ = false;
  bool awaitsFirst_ = false;  ///< it was opened, and has asked nothing yet
  int drawnIn_ = -2;          ///< ImGui's number of the frame that last drew it
};

}  // namespace lanescope
