#include "app/panels/quiz_view.h"

#include <algorithm>
#include <utility>

#include <imgui_stdlib.h>

#include "app/base/value_words.h"
#include "app/course/questions.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/widgets.h"
#include "app/panels/lesson_view.h"

namespace lanescope {
namespace {

QuizRun makeRun(const Session& session) {
  const Selection& shown = session.shown();
  const Document* document = session.editor().makeDocument(shown);
  const bool isStrategy = shown.strategy != nullptr && shown.document == 0;
  QuizRun run;
  run.strategy = isStrategy ? std::string(shown.strategy->id) : document == nullptr ? "" : document->name();
  run.n = isStrategy && !session.shownRun()->asked.form ? shown.n : 0;
  run.machine = shown.machine == nullptr ? "" : std::string(shown.machine->name);
  run.blocks = shown.blocks;
  run.block = shown.block;
  run.edition = shown.edition;
  return run;
}

void syncTo(ViewState& state) {
  const Session& session = state.session;
  const Player& player = session.player();
  if (player.replay() == nullptr) return;
  state.prediction.quiz.syncTo(*player.replay(), player.generation(), player.grain(), makeRun(session),
                               player.races());
}

}  // namespace

const Question* openQuestion(const ViewState& state) {
  return state.prediction.quiz.state() == QuizState::Asked ? state.prediction.quiz.question() : nullptr;
}

void syncQuiz(ViewState& state) {
  if (state.mode != Mode::Predict) {
    state.prediction.quiz.pause();
    state.prediction.threads.clear();
    return;
  }
  Player& player = state.session.player();
  if (player.grain() == Grain::Line) player.setGrain(Grain::Instruction);  // a line has several questions
  syncTo(state);
  // If nothing is worth a question, it continues by itself, unless the run plays or is being dragged.
  const bool isHeld = ImGui::GetCurrentContext() != nullptr && ImGui::IsMouseDown(0);
  if (state.prediction.quiz.state() == QuizState::Silent && !state.session.player().playing() && !isHeld)
    runToQuestion(state);
  const Question* question = state.prediction.quiz.question();
  const std::string at = question == nullptr ? "" : question->signature + std::to_string(question->firstStep);
  if (at != state.prediction.answeredQuestion) {
    state.prediction.answeredQuestion = at;
    state.prediction.answer.clear();
  }
  if (openQuestion(state) != nullptr && state.session.player().playing()) state.session.player().togglePlay();
  state.prediction.threads.clear();
  if (question == nullptr) return;
  state.marks.linked.lines = {state.session.player().replay()->trace().steps[question->step].line};
  if (question->ofPhase) state.marks.linked.lines.clear();
  for (const std::uint32_t lane : lanesNamed(*question, state.prediction.answer))
    state.prediction.threads.push_back(question->firstThread() + lane);
}

std::optional<Error> answerQuiz(ViewState& state, std::string_view answer) {
  return state.prediction.quiz.answer(answer);
}

void stepQuiz(ViewState& state) {
  state.session.player().forward();
  syncTo(state);
}

void runToQuestion(ViewState& state) {
  while (state.session.player().forward()) {
    syncTo(state);
    if (state.prediction.quiz.state() == QuizState::Asked) return;
  }
}

void beginRound(ViewState& state) {
  state.prediction.quiz.newRound();
  state.session.player().toStart();
  state.prediction.answeredQuestion.clear();
  state.prediction.answer.clear();
  syncTo(state);
}

void chooseThread(ViewState& state, std::uint32_t thread, bool chosen) {
  const Question* question = openQuestion(state);
  if (question == nullptr || question->form != AnswerForm::Lanes || thread < question->firstThread()) return;
  const std::uint32_t lane = thread - question->firstThread();
  if (lane >= question->choices) return;
  std::vector<std::uint32_t> lanes = lanesNamed(*question, state.prediction.answer);
  const auto place = std::ranges::lower_bound(lanes, lane);
  const bool isIn = place != lanes.end() && *place == lane;
  if (chosen && !isIn) lanes.insert(place, lane);
  if (!chosen && isIn) lanes.erase(place);
  state.prediction.answer = numbersText(lanes);
}

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
  if (context.state.presenting) return 0;
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
  const Quiz& quiz = context.state.prediction.quiz;
  if (context.state.presenting) {
    // The question needs the room.
    row(context, "right", quiz.score(), ColorRole::Text, FontRole::Bold);
    frame_ = ImGui::GetCursorPosY() - top;
    return ImGui::EndChild();
  }
  heading(context, "SCORE", "right of answered");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6 * context.unit, kRowGap * context.unit));
  row(context, "all", quiz.score(), ColorRole::Text, FontRole::Bold);
  for (std::size_t i = 0; i < kQuestionKinds; ++i) {
    const auto kind = static_cast<QuestionKind>(i);
    const QuizScore score = quiz.score(kind);
    if (score == QuizScore{}) continue;
    row(context, questionKindName(kind), score, ColorRole::TextDim, FontRole::Body);
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
  const bool isUnsaved = losesResults(context.state);
  if (asked_ != results) asksAgain_ = false;
  asked_ = results;
  const float height = ImGui::GetFrameHeight();
  const char* text = asksAgain_ && isUnsaved ? "Forget results?" : "New round";
  if (pill(context, text, asksAgain_ && isUnsaved, pillWidth(context, "Forget results?"), height))
    pressNewRound(context.state);
  hint(context, "Forget these results and ask again from the start, other questions if there is a choice");
  ImGui::SameLine();
  commandButton(context, "save the results", {.isLit = saves_});
}

// A question without an answer is no loss.
bool QuizScorePanel::losesResults(const ViewState& state) const {
  const Quiz& quiz = state.prediction.quiz;
  return quiz.records().size() > saved_ && quiz.score().answered() > 0;
}

void QuizScorePanel::pressNewRound(ViewState& state) {
  asksAgain_ = losesResults(state) && !asksAgain_;
  if (asksAgain_) {
    note_ = "Results that are not saved will be lost: press again to continue.";
    isBad_ = true;
    return;
  }
  beginRound(state);
  saved_ = 0;
  note_.clear();
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
  const QuizSaving saving =
      saveQuiz(context.state.prediction.quiz.records(), *context.session().host(), path_, replaces);
  replaces_ = saving.isPresent ? path_ : "";
  note_ = saving.sentence;
  isBad_ = !saving.saved;
  wantsFocus_ = !saving.saved;
  if (!saving.saved) return;
  saved_ = context.state.prediction.quiz.records().size();
  saves_ = false;
}

namespace {

constexpr float kLarge = 1.3F;  ///< a question's type size, relative to the body's

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

/// A check mark, a cross, or a dash: color is not the only sign.
void drawMark(const ViewContext& context, QuizOutcome outcome) {
  const bool right = outcome == QuizOutcome::Right;
  const bool skipped = outcome == QuizOutcome::Skipped;
  const ColorRole role = right ? ColorRole::Text : skipped ? ColorRole::Warning : ColorRole::Bad;
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

/// The questions that a step or a jump has skipped.
void drawPassedOver(const ViewContext& context) {
  const std::uint32_t count = context.state.prediction.quiz.passedOver();
  if (count == 0) return;
  wrappedText(context,
              count == 1 ? "One question was skipped on the way here."
                         : std::to_string(count) + " questions were skipped on the way here.",
              ColorRole::Warning);
}

/// `line 12 · warp 0 · step size 2`.
std::string findPlace(const Trace& trace, const Question& question) {
  const std::string phase = trace.phases[question.phase].label;
  if (question.ofPhase) return "phase " + std::to_string(question.phase + 1) + " · " + phase;
  return "line " + std::to_string(trace.steps[question.step].line) + " · warp " +
         std::to_string(question.warp) + " · " + phase;
}

std::string makeHint(const Question& question) {
  switch (question.form) {
    case AnswerForm::Lanes: return "0-7, 16";
    case AnswerForm::Number: return "a whole number";
    default: break;
  }
  return takesSymbols(question) ? "a number, or " + std::string(operatorWords(findJoiner(question)).example)
                                : "a number";
}

bool asksYesNo(const ViewState& state) {
  const Question* question = openQuestion(state);
  return question != nullptr && question->form == AnswerForm::YesNo;
}

}  // namespace

// Keys with another meaning during a prediction come before all others.
PanelInfo QuizView::panel(const WindowShape& shape) const {
  PanelInfo info = lessonPanel("quiz", shape);
  info.isShown = shape.mode == Mode::Predict;
  return info;
}

std::vector<Command> QuizView::commands(ViewState& state) {
  constexpr HelpGroup kGroup = HelpGroup::Modes;
  const auto predicts = [&state] { return state.mode == Mode::Predict; };
  const auto isAsked = [&state, predicts] { return predicts() && openQuestion(state) != nullptr; };
  const auto isYesNo = [&state, predicts] { return predicts() && asksYesNo(state); };
  const auto answers = [&state](const char* answer) {
    return [&state, answer] { (void)state.prediction.quiz.answer(answer); };
  };
  const HelpLine predict{"predict: Enter checks, then continues; Y, N answer", kGroup};
  const auto isTyped = [isAsked, isYesNo] { return isAsked() && !isYesNo(); };
  const HelpLine results{"predict: shows the answer; saves the results", kGroup};
  std::vector<Command> rows{
      {.id = "predict",
       .keys = {"F4"},
       .help = predict,
       .whileTyping = true,
       .run = [&state] { state.toggle(Mode::Predict); }},
      // The field itself handles it: it releases the caret, and nothing else is to be released.
      {.keys = {"Esc"},
       .applies =
           [&state, predicts] {
             return predicts() && state.takesText() && !state.typing && !state.dialogOpen();
           },
       .whileTyping = true,
       .inPopups = true,
       .run = [] {}},
      {.id = "show the answer",
       .keys = {"F6"},
       .help = results,
       .label = "Show me",
       .tip = "The answer, and why; counts as skipped",
       .applies = [&state, isAsked] { return isAsked() && !state.dialogOpen(); },
       .whileTyping = true,
       .run = [&state] { state.prediction.quiz.giveUp(); }},
      {.keys = {"A"}, .applies = isAsked, .run = [&state] { state.prediction.quiz.giveUp(); }},
      {.id = "yes", .keys = {"Y"}, .label = "Yes", .tip = "Yes", .applies = isYesNo, .run = answers("yes")},
      {.id = "no", .keys = {"N"}, .label = "No", .tip = "No", .applies = isYesNo, .run = answers("no")},
      {.id = "continue", .keys = {"Enter"}, .applies = predicts, .run = [this, &state] { enter(state); }},
      {.keys = {"C", "D", "H"},
       .applies = predicts,
       .run = [&state] { state.notify("While you predict, these are hidden."); }},
      {.id = "save the results",
       .keys = {"Q"},
       .help = results,
       .label = "Save CSV",
       .tip = "Every question, your answer and the right one, as a table",
       .run = [this, &state]() -> Refusal {
         if (state.mode != Mode::Predict)
           return "There are no results: " + keyText(state, "predict") + " asks for predictions.";
         score_.toggleSaving();
         return std::nullopt;
       }},
  };
  // In an empty field there is nothing to move the caret in: the key is a step, as it is outside.
  rows.push_back({.keys = {"Right"},
                  .applies =
                      [&state, isTyped] {
                        return isTyped() && state.takesText() && state.prediction.answer.empty() &&
                               !state.typing && !state.dialogOpen();
                      },
                  .whileTyping = true,
                  .run =
                      [this, &state] {
                        stepQuiz(state);
                        focusField(state);
                      }});
  // A digit is the answer's next one, with and without the caret in its field.
  for (const char* const digit : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
    rows.push_back(
        {.keys = {digit}, .applies = isTyped, .run = [&state, digit] { state.prediction.answer += digit; }});
  return rows;
}

/// A sentence in a projector's type size, or in the body's if a word would not fit.
void QuizView::drawLarge(const ViewContext& context, const std::string& text) {
  const std::vector<MarkdownBlock>& blocks = texts_.findBlocks(text);
  const bool fits =
      longestWord(largeFonts(context), blocks) < ImGui::GetContentRegionAvail().x - 12 * context.unit;
  const FontTable large = fits ? largeFonts(context) : context.fonts;
  const ViewContext larger{context.state, large, context.measure, context.pointed, context.unit};
  ImGui::PushFont(large.of(FontRole::Bold));
  for (MarkdownBlock block : blocks) {
    block.kind = MarkdownBlock::Kind::Heading;
    drawMarkdownBlock(larger, block);
  }
  ImGui::PopFont();
}

void QuizView::draw(const ViewContext& context, ImVec2 size) {
  const Quiz& quiz = context.state.prediction.quiz;
  const Question* question = quiz.question();
  // The first question of a prediction accepts typing, like those that Enter leads to.
  const int frame = ImGui::GetFrameCount();
  if (std::exchange(drawnIn_, frame) + 1 < frame) awaitsFirst_ = true;
  if (awaitsFirst_ && context.replay() != nullptr) {
    awaitsFirst_ = false;
    focusField(context.state);
  }
  const std::size_t number = quiz.records().size() + 1;
  heading(context, "PREDICT",
          quiz.state() == QuizState::Asked ? "question " + std::to_string(number) : std::string());
  if (context.replay() == nullptr)
    return drawWaiting(context, {}, "The first question comes once the kernel has run.");
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  const float foot = std::min(score_.height(context), (size.y - used) * 0.6F);
  ImGui::BeginChild("quiz text", ImVec2(size.x, size.y - used - foot - ImGui::GetStyle().ItemSpacing.y));
  if (question != nullptr) {
    label(context, findPlace(context.replay()->trace(), *question), ColorRole::TextDim);
    drawLarge(context, question->text);
  }
  switch (quiz.state()) {
    case QuizState::Asked: drawAsked(context); break;
    case QuizState::Answered: drawAnswered(context); break;
    default: drawState(context); break;
  }
  endScrolling(context);
  score_.draw(context, ImVec2(size.x, foot));
}

/// Enter, beside a field.
void QuizView::enter(ViewState& state) {
  syncQuiz(state);
  if (state.session.player().replay() == nullptr) return;
  switch (state.prediction.quiz.state()) {
    case QuizState::End: return score_.pressNewRound(state);
    case QuizState::Asked:
      if (asksYesNo(state)) return;
      if (state.prediction.answer.empty())
        wantsFocus_ = true;
      else
        check(state, std::string(state.prediction.answer));
      return;
    case QuizState::Answered:
    case QuizState::InPhase: stepQuiz(state); break;
    default:
      if (state.prediction.quiz.hasSeenAll(state.session.player().replay()->trace()))
        score_.pressNewRound(state);
      else
        runToQuestion(state);
      break;
  }
  focusField(state);
}

void QuizView::check(ViewState& state, const std::string& answer) {
  const std::optional<Error> problem = answerQuiz(state, answer);
  problem_ = problem ? problem->sentence() : std::string();
  problemOf_ = state.prediction.answeredQuestion + "/" + answer;
  if (problem) focusField(state);
}

// A question that was reached with Enter is also answered by the keyboard.
void QuizView::focusField(const ViewState& state) {
  const Question* question = openQuestion(state);
  wantsFocus_ = question != nullptr && question->form != AnswerForm::YesNo;
}

void QuizView::drawYesNo(const ViewContext& context) {
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  const float height = ImGui::GetFrameHeight() * 1.35F;
  commandButton(context, "yes", {.width = width, .height = height});
  ImGui::SameLine();
  commandButton(context, "no", {.width = width, .height = height});
}

void QuizView::drawField(const ViewContext& context) {
  const Question& question = *context.state.prediction.quiz.question();
  std::string& answer = context.state.prediction.answer;
  const float checkWidth = pillWidth(context, "Check");
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0F);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - checkWidth - ImGui::GetStyle().ItemSpacing.x);
  const bool isEntered =
      ImGui::InputTextWithHint("##prediction", makeHint(question).c_str(), &answer,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const float height = ImGui::GetItemRectSize().y;
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::SameLine();
  const bool clicked = pill(context, "Check", true, checkWidth, height);
  commandHint(context, "continue", "Check the answer");
  if (question.form == AnswerForm::Lanes) {
    wrappedText(context,
                question.ofWarp
                    ? "Click or drag over lanes in the warps, or type 0-7, 16; 0, 2 ... 30; all; none."
                    : "Click or drag over threads in the warps, or type 0-7, 16; 0, 2 ... 30; all; none.",
                ColorRole::TextDim);
  }
  if (takesSymbols(question))
    wrappedText(context,
                "A number, or the " + std::string(operatorWords(findJoiner(question)).result) +
                    " that it is made of, in any order: a7 is element 7 of the first input.",
                ColorRole::TextDim);
  if (isEntered || clicked) check(context.state, std::string(answer));
}

void QuizView::drawAsked(const ViewContext& context) {
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  if (asksYesNo(context.state))
    drawYesNo(context);
  else
    drawField(context);
  if (context.state.prediction.quiz.state() != QuizState::Asked) return;
  if (!problem_.empty() &&
      problemOf_ == context.state.prediction.answeredQuestion + "/" + context.state.prediction.answer)
    wrappedText(context, problem_, ColorRole::Bad);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  commandButton(context, "show the answer");
  ImGui::SameLine();
  commandButton(context, "next step", {.text = "Skip", .tip = "Do the step without an answer"});
  drawPassedOver(context);
}

void QuizView::drawAnswered(const ViewContext& context) {
  const QuizRecord& record = *context.state.prediction.quiz.outcome();
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  drawMark(context, record.outcome);
  if (record.outcome == QuizOutcome::Wrong)
    wrappedText(context, "You said: " + record.answer + ". " + record.note);
  if (record.outcome != QuizOutcome::Right)
    wrappedText(context, "The answer: " + record.question.right.text, ColorRole::Text, FontRole::Bold);
  texts_.draw(context, record.question.explanation);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  commandButton(context, "continue", {.text = "Next", .isLit = true, .tip = "Do the step and see it"});
}

namespace {

void drawNewRound(const ViewContext& context) {
  commandButton(context, "continue", {.text = "New round", .isLit = true, .tip = "Ask again from the start"});
}

}  // namespace

void QuizView::drawEnd(const ViewContext& context) {
  const QuizScore score = context.state.prediction.quiz.score();
  drawLarge(context, "The end of the run.");
  if (score.answered() > 0) {
    drawLarge(context, std::to_string(score.right) + " of " + std::to_string(score.answered()) +
                           (score.answered() == 1 ? " answer is right." : " answers are right."));
  }
  drawPassedOver(context);
  wrappedText(context, "Save the results, begin a new round, or choose another strategy.",
              ColorRole::TextDim);
  drawNewRound(context);
}

void QuizView::drawState(const ViewContext& context) {
  const Quiz& quiz = context.state.prediction.quiz;
  const QuizState state = quiz.state();
  if (state == QuizState::End) return drawEnd(context);
  if (state == QuizState::InPhase) {
    drawLarge(context, "Within a phase.");
    wrappedText(context, "Stepping by phase, the questions are about whole phases.", ColorRole::TextDim);
    commandButton(context, "continue", {.text = "Finish it", .isLit = true, .tip = "To the phase's end"});
    ImGui::SameLine();
    commandButton(context, "previous phase",
                  {.text = "Back to its start", .tip = "To the phase's beginning"});
    return;
  }
  if (state == QuizState::InAccess) {
    drawLarge(context, "Wavefront by wavefront.");
    wrappedText(
        context,
        "The access is in flight: " + keyText(context.state, "next step") + " shows its next wavefront.",
        ColorRole::TextDim);
  } else if (state == QuizState::Seen && quiz.hasSeenAll(context.replay()->trace())) {
    drawLarge(context, "You have seen all of this run.");
    wrappedText(context, "A new round asks about it from its start.", ColorRole::TextDim);
    drawNewRound(context);
    return;
  } else if (state == QuizState::Seen) {
    drawLarge(context, "You have seen this step.");
    wrappedText(context, "The next question is about a step that you have not seen.", ColorRole::TextDim);
  } else {
    drawLarge(context, "On the way to the next question.");
  }
  commandButton(context, "continue",
                {.text = "To the next question", .isLit = true, .tip = "To the next question"});
  ImGui::SameLine();
  commandButton(context, "next step", {.text = "One step", .tip = "Do the step"});
  drawPassedOver(context);
}

}  // namespace lanescope
