#include "app/views/quiz_view.h"

#include <algorithm>
#include <utility>

#include <imgui_stdlib.h>

#include "app/session/operator_words.h"
#include "app/session/question_answer.h"
#include "app/views/markdown_layout.h"
#include "app/views/quiz_follow.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr float kLarge = 1.3F;  ///< a question's type, of the body's

FontTable largeFonts(const ViewContext& context) {
  FontTable large = context.fonts;
  for (const FontRole role : {FontRole::Bold, FontRole::Mono}) {
    float size = fontSize(FontRole::Bold) * context.unit * kLarge;
    large.fonts[static_cast<std::size_t>(role)] = context.fonts.sharpest(role, size);
  }
  return large;
}

/// Width of the longest word of a text, in those fonts.
float longestWord(const FontTable& fonts, const std::vector<MarkdownBlock>& blocks) {
  float longest = 0;
  for (const MarkdownBlock& block : blocks) {
    for (const MarkdownRun& run : block.runs) {
      ImGui::PushFont(fonts.of(run.style == MarkdownRun::Style::Code ? FontRole::Mono : FontRole::Bold));
      std::string_view rest = run.text;
      while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        longest = std::max(longest, ImGui::CalcTextSize(word.data(), word.data() + word.size()).x);
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      }
      ImGui::PopFont();
    }
  }
  return longest;
}

/// A sentence in the type of a projector, or in the body's where a word of it would not fit.
void drawLarge(const ViewContext& context, const std::string& text) {
  const bool fits = longestWord(largeFonts(context), parseMarkdown(text)) <
                    ImGui::GetContentRegionAvail().x - 12 * context.unit;
  const FontTable large = fits ? largeFonts(context) : context.fonts;
  const ViewContext larger{context.state, large, context.measure, context.unit};
  ImGui::PushFont(large.of(FontRole::Bold));
  for (MarkdownBlock& block : parseMarkdown(text)) {
    block.kind = MarkdownBlock::Kind::Heading;
    drawMarkdownBlock(larger, block);
  }
  ImGui::PopFont();
}

void drawText(const ViewContext& context, const std::string& text) {
  for (const MarkdownBlock& block : parseMarkdown(text)) drawMarkdownBlock(context, block);
}

/// A check mark, a cross, or a dash: colour is not the only sign.
void drawMark(const ViewContext& context, QuizOutcome outcome) {
  const bool right = outcome == QuizOutcome::Right;
  const bool skipped = outcome == QuizOutcome::Skipped;
  const ColorRole role = right ? ColorRole::Good : skipped ? ColorRole::Warning : ColorRole::Bad;
  const FontTable large = largeFonts(context);
  ImGui::PushFont(large.of(FontRole::Bold));
  const float r = ImGui::GetTextLineHeight() * 0.5F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 c(at.x + r, at.y + r);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = context.color(role);
  const float width = std::max(2.0F, 2.6F * context.unit);
  if (right) {
    list.AddLine(ImVec2(c.x - r * 0.8F, c.y), ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), color, width);
    list.AddLine(ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), ImVec2(c.x + r * 0.9F, c.y - r * 0.7F), color,
                 width);
  } else if (skipped) {
    list.AddLine(ImVec2(c.x - r * 0.7F, c.y), ImVec2(c.x + r * 0.7F, c.y), color, width);
  } else {
    list.AddLine(ImVec2(c.x - r * 0.6F, c.y - r * 0.6F), ImVec2(c.x + r * 0.6F, c.y + r * 0.6F), color,
                 width);
    list.AddLine(ImVec2(c.x - r * 0.6F, c.y + r * 0.6F), ImVec2(c.x + r * 0.6F, c.y - r * 0.6F), color,
                 width);
  }
  ImGui::Dummy(ImVec2(2 * r, 2 * r));
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(right ? "Right" : skipped ? "Skipped" : "Wrong");
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

bool action(const ViewContext& context, const char* text, bool lit, const char* tip) {
  const bool clicked = pill(context, text, lit, pillWidth(context, text), ImGui::GetFrameHeight());
  hint(context, tip);
  return clicked;
}

/// What a step or a jump has left out.
void drawPassedOver(const ViewContext& context) {
  const std::uint32_t count = context.state.quiz.passedOver();
  if (count == 0) return;
  wrappedText(context,
              count == 1 ? "One question was skipped on the way here."
                         : std::to_string(count) + " questions were skipped on the way here.",
              ColorRole::Warning);
}

/// `line 12 · warp 0 · step size 2`.
std::string placeOf(const Trace& trace, const Question& question) {
  const std::string phase = trace.phases[question.phase].label;
  if (question.ofPhase) return "phase " + std::to_string(question.phase + 1) + " · " + phase;
  return "line " + std::to_string(trace.steps[question.step].line) + " · warp " +
         std::to_string(question.warp) + " · " + phase;
}

std::string hintOf(const Question& question) {
  switch (question.form) {
    case AnswerForm::Lanes: return "0-7, 16";
    case AnswerForm::Number: return "a whole number";
    default: break;
  }
  return takesSymbols(question) ? "a number, or " + std::string(operatorWords(joinerOf(question)).example)
                                : "a number";
}

}  // namespace

void QuizView::draw(const ViewContext& context, ImVec2 size) {
  const Quiz& quiz = context.state.quiz;
  const Question* question = quiz.question();
  entered_ = std::exchange(context.state.quizEntered, false);
  // The question that predicting begins with takes what is typed, as those that Enter leads to do.
  const int frame = ImGui::GetFrameCount();
  if (std::exchange(drawnIn_, frame) + 1 < frame) awaitsFirst_ = true;
  if (awaitsFirst_ && context.replay() != nullptr) {
    awaitsFirst_ = false;
    focusField(context);
  }
  const std::size_t number = quiz.records().size() + 1;
  heading(context, "PREDICT",
          quiz.standing() == QuizStanding::Asked ? "question " + std::to_string(number) : std::string());
  if (context.replay() == nullptr)
    return drawWaiting(context, {}, "The first question comes once the kernel has run.");
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  const float foot = std::min(score_.height(context), (size.y - used) * 0.6F);
  ImGui::BeginChild("quiz text", ImVec2(size.x, size.y - used - foot - ImGui::GetStyle().ItemSpacing.y));
  if (question != nullptr) {
    label(context, placeOf(context.replay()->trace(), *question), ColorRole::TextDim);
    drawLarge(context, question->text);
  }
  switch (quiz.standing()) {
    case QuizStanding::Asked: drawAsked(context); break;
    case QuizStanding::Told: drawTold(context); break;
    default: drawStanding(context); break;
  }
  ImGui::EndChild();
  score_.draw(context, ImVec2(size.x, foot));
}

void QuizView::check(const ViewContext& context, const std::string& answer) {
  const std::optional<Error> problem = answerQuiz(context.state, answer);
  problem_ = problem ? problem->sentence() : std::string();
  problemOf_ = context.state.predictionOf + "/" + answer;
  if (problem) focusField(context);
}

// A question that is come to by Enter is answered by the keyboard too.
void QuizView::focusField(const ViewContext& context) {
  const Question* question = context.state.quiz.question();
  wantsFocus_ = context.state.quiz.standing() == QuizStanding::Asked && question->form != AnswerForm::YesNo;
}

void QuizView::next(const ViewContext& context, bool byKey) {
  stepQuiz(context.state);
  if (byKey) focusField(context);
}

void QuizView::toQuestion(const ViewContext& context, bool byKey) {
  runToQuestion(context.state);
  if (byKey) focusField(context);
}

void QuizView::drawYesNo(const ViewContext& context) {
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  const float height = ImGui::GetFrameHeight() * 1.35F;
  const bool yes = pill(context, "Yes", false, width, height);
  hint(context, "Yes (Y)");
  ImGui::SameLine();
  const bool no = pill(context, "No", false, width, height);
  hint(context, "No (N)");
  if (yes)
    check(context, "yes");
  else if (no)
    check(context, "no");
}

void QuizView::drawField(const ViewContext& context) {
  const Question& question = *context.state.quiz.question();
  std::string& answer = context.state.prediction;
  const float checkWidth = pillWidth(context, "Check");
  const bool wanted = std::exchange(wantsFocus_, false) || (answer.empty() && entered_);
  const bool checks = !answer.empty() && entered_;
  if (wanted) ImGui::SetKeyboardFocusHere();
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0F);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - checkWidth - ImGui::GetStyle().ItemSpacing.x);
  const bool isEntered =
      ImGui::InputTextWithHint("##prediction", hintOf(question).c_str(), &answer,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const float height = ImGui::GetItemRectSize().y;
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::SameLine();
  const bool clicked = pill(context, "Check", true, checkWidth, height);
  hint(context, "Check the answer (Enter)");
  if (question.form == AnswerForm::Lanes) {
    wrappedText(context,
                question.ofWarp
                    ? "Click or drag over lanes in the warps, or type 0-7, 16; 0, 2 ... 30; all; none."
                    : "Click or drag over threads in the warps, or type 0-7, 16; 0, 2 ... 30; all; none.",
                ColorRole::TextDim);
  }
  if (takesSymbols(question))
    wrappedText(context,
                "A number, or the " + std::string(operatorWords(joinerOf(question)).result) +
                    " that it is made of, in any order.",
                ColorRole::TextDim);
  if (isEntered || clicked || checks) check(context, std::string(answer));
}

void QuizView::drawAsked(const ViewContext& context) {
  const bool isYesNo = context.state.quiz.question()->form == AnswerForm::YesNo;
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  if (isYesNo)
    drawYesNo(context);
  else
    drawField(context);
  if (context.state.quiz.standing() != QuizStanding::Asked) return;
  if (!problem_.empty() && problemOf_ == context.state.predictionOf + "/" + context.state.prediction)
    wrappedText(context, problem_, ColorRole::Bad);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  const bool shows =
      action(context, "Show me", false, "The answer, and why; counts as skipped (F6; A outside the field)");
  ImGui::SameLine();
  const bool skips = action(context, "Skip", false, "Do the step without an answer (Right)");
  drawPassedOver(context);
  if (shows)
    context.state.quiz.giveUp();
  else if (skips)
    next(context, false);
}

void QuizView::drawTold(const ViewContext& context) {
  const QuizRecord& record = *context.state.quiz.outcome();
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawMark(context, record.outcome);
  if (record.outcome == QuizOutcome::Wrong)
    wrappedText(context, "You said: " + record.given + ". " + record.note);
  if (record.outcome != QuizOutcome::Right)
    wrappedText(context, "The answer: " + record.question.right.text, ColorRole::Text, FontRole::Bold);
  drawText(context, record.question.explanation);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  const bool goes = action(context, "Next", true, "Do the step and see it (Enter or Right)");
  const bool byKey = entered_;
  if (goes || byKey) next(context, byKey);
}

void QuizView::drawStanding(const ViewContext& context) {
  Session& session = context.session();
  const QuizStanding standing = context.state.quiz.standing();
  if (standing == QuizStanding::End) {
    const QuizScore score = context.state.quiz.score();
    drawLarge(context, "The end of the run.");
    if (score.answered() > 0) {
      drawLarge(context, std::to_string(score.right) + " of " + std::to_string(score.answered()) +
                             (score.answered() == 1 ? " answer is right." : " answers are right."));
    }
    drawPassedOver(context);
    wrappedText(context, "Save the results, begin a new round, or choose another strategy.",
                ColorRole::TextDim);
    return;
  }
  if (standing == QuizStanding::InPhase) {
    drawLarge(context, "Within a phase.");
    wrappedText(context, "At this grain the questions are about whole phases.", ColorRole::TextDim);
    if (action(context, "Finish it", true, "To the phase's end (Enter or Right)") || entered_)
      next(context, true);
    ImGui::SameLine();
    if (action(context, "Back to its start", false, "To where the phase begins (Left)"))
      session.step(Grain::Phase, false);
    return;
  }
  if (standing == QuizStanding::InAccess) {
    drawLarge(context, "Pass by pass.");
    wrappedText(context, "The access is under way: its next pass comes with Right.", ColorRole::TextDim);
  } else if (standing == QuizStanding::Seen) {
    drawLarge(context, "You have seen this step.");
    wrappedText(context, "Questions go on where you have not been yet.", ColorRole::TextDim);
  } else {
    drawLarge(context, "Nothing new to ask here.");
    wrappedText(context, "The next step repeats what was asked, or does too little to ask about.",
                ColorRole::TextDim);
  }
  const bool byKey = entered_;
  if (action(context, "To the next question", true, "On to the next question (Enter)") || byKey)
    toQuestion(context, byKey);
  ImGui::SameLine();
  if (action(context, "One step", false, "Do the step (Right)")) next(context, false);
  drawPassedOver(context);
}

}  // namespace lanescope
