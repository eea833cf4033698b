#include "app/panels/quiz_score.h"

#include <algorithm>
#include <utility>

#include <imgui_stdlib.h>

#include "app/paint/imgui_compat.h"
#include "app/panels/quiz_follow.h"
#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

constexpr float kRowGap = 2;

std::string tallyText(const QuizScore& score) {
  std::string text = std::to_string(score.right) + " of " + std::to_string(score.answered());
  if (score.skipped > 0) text += ", " + std::to_string(score.skipped) + " skipped";
  return text;
}

void row(const ViewContext& context, std::string_view name, const QuizScore& score, ColorRole color,
         FontRole font) {
  const std::string text = tallyText(score);
  ImGui::PushFont(context.fonts.of(font));
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::PopFont();
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  label(context, name, color, font);
  ImGui::SameLine(right - width);
  label(context, text, ColorRole::Text, font);
}

/// Height of the rows, one for each kind that had a question.
float rowsHeight(const ViewContext& context) {
  float rows = 0;
  for (std::size_t kind = 0; kind < kQuestionKinds; ++kind)
    rows += context.state.prediction.quiz.score(static_cast<QuestionKind>(kind)) == QuizScore{} ? 0.0F : 1.0F;
  return rows * (ImGui::GetTextLineHeight() + kRowGap * context.unit);
}

}  // namespace

float QuizScorePanel::height(const ViewContext& context) const { return frame_ + rowsHeight(context); }

void QuizScorePanel::draw(const ViewContext& context, ImVec2 size) {
  // A scroll bar only if there is too little room.
  const ImGuiWindowFlags bar =
      size.y >= height(context) - 1 ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_None;
  ImGui::BeginChild("quiz text score", size, false, bar);
  const float top = ImGui::GetCursorPosY();
  ImGui::Separator();
  heading(context, "SCORE", "right of answered");
  const Quiz& quiz = context.state.prediction.quiz;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6 * context.unit, kRowGap * context.unit));
  row(context, "all", quiz.score(), ColorRole::Text, FontRole::Bold);
  for (std::size_t i = 0; i < kQuestionKinds; ++i) {
    const auto kind = static_cast<QuestionKind>(i);
    const QuizScore score = quiz.score(kind);
    if (score == QuizScore{}) continue;
    row(context, nameFor(kind), score, ColorRole::TextDim, FontRole::Body);
  }
  ImGui::PopStyleVar();
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawActions(context);
  if (saves_) drawSaving(context);
  if (!note_.empty()) wrappedText(context, note_, isBad_ ? ColorRole::Bad : ColorRole::TextDim);
  frame_ = ImGui::GetCursorPosY() - top - rowsHeight(context);
  ImGui::EndChild();
}

void QuizScorePanel::drawActions(const ViewContext& context) {
  const std::size_t results = context.state.prediction.quiz.records().size();
  saved_ = std::min(saved_, results);
  const bool isUnsaved = results > saved_;
  if (asked_ != results) asksAgain_ = false;
  asked_ = results;
  const float height = ImGui::GetFrameHeight();
  const char* text = asksAgain_ && isUnsaved ? "Forget results?" : "New round";
  if (pill(context, text, asksAgain_ && isUnsaved, pillWidth(context, "Forget results?"), height)) {
    asksAgain_ = isUnsaved && !asksAgain_;
    if (asksAgain_) {
      note_ = "Results that are not saved will be lost: press again to go on.";
      isBad_ = true;
    } else {
      beginRound(context.state);
      saved_ = 0;
      note_.clear();
    }
  }
  hint(context, "Forget these results and ask again from the start, other questions where there is a choice");
  ImGui::SameLine();
  commandButton(context, "save the results", {.isLit = saves_});
}

void QuizScorePanel::toggleSaving() {
  saves_ = wantsFocus_ = !saves_;
  asksAgain_ = false;
  note_.clear();
}

void QuizScorePanel::drawSaving(const ViewContext& context) {
  if (path_.empty()) path_ = "~/lanescope-predictions.csv";
  const bool replaces = !replaces_.empty() && replaces_ == path_;
  const char* text = replaces ? "Replace" : "Save";
  const float width = pillWidth(context, "Replace");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - width - ImGui::GetStyle().ItemSpacing.x);
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  const bool isEntered = ImGui::InputText(
      "##csv", &path_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::SameLine();
  if (!pill(context, text, replaces, width, ImGui::GetFrameHeight()) && !isEntered) return;
  const QuizSaving saving = saveQuiz(context.state.prediction.quiz.records(), path_, replaces);
  replaces_ = saving.isPresent ? path_ : "";
  note_ = saving.sentence;
  isBad_ = !saving.saved;
  wantsFocus_ = !saving.saved;
  if (!saving.saved) return;
  saved_ = context.state.prediction.quiz.records().size();
  saves_ = false;
}

}  // namespace lanescope
