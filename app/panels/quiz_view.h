#pragma once

#include <string>

#include "app/panels/base/markdown_text.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// Moves the quiz along with the session's cursor while the mode is Predict. Playing stops at a question. In
/// another mode there are no questions and no counts.
void syncQuiz(ViewState& state);
/// The question that waits for an answer, or nullptr.
const Question* openQuestion(const ViewState& state);

/// Judges the answer; an error is the sentence to show.
std::optional<Error> answerQuiz(ViewState& state, std::string_view answer);
/// Goes one grain on.
void stepQuiz(ViewState& state);
/// Continues with the next question, or to the end.
void runToQuestion(ViewState& state);
/// Forgets the results and asks again from the run's start.
void beginRound(ViewState& state);
/// Adds a thread to the answer, or removes it. Does nothing if the question does not ask for lanes, or not
/// for this warp's.
void chooseThread(ViewState& state, std::uint32_t thread, bool chosen);

/// The right answers out of all, by kind; a new round; the results as a file.
class QuizScorePanel {
 public:
  /// Draws at the cursor, in at most that size.
  void draw(const ViewContext& context, ImVec2 size);
  /// Its height: as it was last drawn, with the current kinds.
  float height(const ViewContext& context) const;
  /// Begins a new round; if that loses results, only if it is pressed again.
  void pressNewRound(ViewState& state);
  /// Asks for a path to save the results to, or cancels that.
  void toggleSaving();

 private:
  void drawActions(const ViewContext& context);
  void drawSaving(const ViewContext& context);
  bool losesResults(const ViewState& state) const;

  float frame_ = 0;  ///< height without the rows of kinds
  std::string path_;
  std::string note_;  ///< the outcome of saving, one sentence
  bool isBad_ = false;
  bool saves_ = false;     ///< the field for the path is open
  std::string replaces_;   ///< the path of an existing file: saving again replaces it
  std::size_t saved_ = 0;  ///< results that a file has
  bool wantsFocus_ = false;
  std::size_t asked_ = 0;   ///< number of results when it asked
  bool asksAgain_ = false;  ///< a new round would lose results
};

/// The question about the next step, its answer, and the score.
class QuizView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawAsked(const ViewContext& context);
  void drawYesNo(const ViewContext& context);
  void drawField(const ViewContext& context);
  void drawAnswered(const ViewContext& context);
  void drawState(const ViewContext& context);
  void drawEnd(const ViewContext& context);
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
