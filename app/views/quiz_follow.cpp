#include "app/views/quiz_follow.h"

#include <algorithm>

namespace lanescope {
namespace {

QuizRun runOf(const Session& session) {
  const Selection& shown = session.shown();
  const Document* document = session.editor().documentOf(shown);
  const bool isStrategy = shown.strategy != nullptr && shown.document == 0;
  QuizRun run;
  run.strategy = isStrategy ? std::string(shown.strategy->id) : document == nullptr ? "" : document->name();
  run.n = isStrategy && !session.editor().ranByForm(shown) ? shown.n : 0;
  run.machine = shown.machine == nullptr ? "" : std::string(shown.machine->name);
  run.blocks = shown.blocks;
  run.block = shown.block;
  run.edition = shown.edition;
  return run;
}

void follow(ViewState& state) {
  const Session& session = state.session;
  if (session.replay() == nullptr) return;
  state.quiz.follow(*session.replay(), session.generation(), session.grain(), runOf(session),
                    session.races());
}

/// The question that waits for an answer, or nullptr.
const Question* openQuestion(const ViewState& state) {
  return state.quiz.standing() == QuizStanding::Asked ? state.quiz.question() : nullptr;
}

}  // namespace

void followQuiz(ViewState& state) {
  if (state.mode != Mode::Predict) {
    state.quiz.pause();
    state.chosenThreads.clear();
    return;
  }
  follow(state);
  const Question* question = state.quiz.question();
  const std::string at = question == nullptr ? "" : question->signature + std::to_string(question->firstStep);
  if (at != state.predictionOf) {
    state.predictionOf = at;
    state.prediction.clear();
  }
  if (openQuestion(state) != nullptr && state.session.playing()) state.session.togglePlay();
  state.chosenThreads.clear();
  if (question == nullptr) return;
  state.linked.lines = {state.session.replay()->trace().steps[question->step].line};
  if (question->ofPhase) state.linked.lines.clear();
  for (const std::uint32_t lane : lanesNamed(*question, state.prediction))
    state.chosenThreads.push_back(question->firstThread() + lane);
}

bool pressInQuiz(ViewState& state, Key key, bool takesText) {
  if (state.mode != Mode::Predict) return false;
  // The field itself takes Escape: it lets go of the caret, and nothing else is to be let go of.
  if (key == Key::Escape) return takesText && !state.typing && !state.dialogOpen();
  const Question* question = openQuestion(state);
  if (key == Key::ShowAnswerAnywhere && question != nullptr && !state.dialogOpen()) {
    state.quiz.giveUp();
    return true;
  }
  if (takesText) return false;
  const bool isYesNo = question != nullptr && question->form == AnswerForm::YesNo;
  switch (key) {
    case Key::PassOn:
      if (!isYesNo) return false;
      (void)state.quiz.answer("no");
      return true;
    case Key::Yes:
      if (isYesNo) (void)state.quiz.answer("yes");
      return isYesNo;
    case Key::ShowAnswer: state.quiz.giveUp(); return question != nullptr;
    case Key::Enter: state.quizEntered = true; return true;
    case Key::Conflict:
    case Key::Divergence:
    case Key::Hazard: state.tell("While you predict, nothing tells where these are."); return true;
    // A digit is an answer; beside the field it does nothing.
    case Key::Grain1:
    case Key::Grain2:
    case Key::Grain3: return question != nullptr && !isYesNo;
    default: return false;
  }
}

std::optional<Error> answerQuiz(ViewState& state, std::string_view answer) {
  return state.quiz.answer(answer);
}

void stepQuiz(ViewState& state) {
  state.session.forward();
  follow(state);
}

void runToQuestion(ViewState& state) {
  while (state.session.forward()) {
    follow(state);
    if (state.quiz.standing() == QuizStanding::Asked) return;
  }
}

void beginRound(ViewState& state) {
  state.quiz.newRound();
  state.session.toStart();
  state.predictionOf.clear();
  state.prediction.clear();
  follow(state);
}

void chooseThread(ViewState& state, std::uint32_t thread, bool chosen) {
  const Question* question = openQuestion(state);
  if (question == nullptr || question->form != AnswerForm::Lanes || thread < question->firstThread()) return;
  const std::uint32_t lane = thread - question->firstThread();
  if (lane >= question->choices) return;
  std::vector<std::uint32_t> lanes = lanesNamed(*question, state.prediction);
  const auto place = std::ranges::lower_bound(lanes, lane);
  const bool isIn = place != lanes.end() && *place == lane;
  if (chosen && !isIn) lanes.insert(place, lane);
  if (!chosen && isIn) lanes.erase(place);
  state.prediction = numbersText(lanes);
}

}  // namespace lanescope
