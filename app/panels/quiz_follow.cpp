#include "app/panels/quiz_follow.h"

#include <algorithm>

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
  if (session.replay() == nullptr) return;
  state.prediction.quiz.syncTo(*session.replay(), session.generation(), session.grain(), makeRun(session),
                               session.races());
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
  syncTo(state);
  // If nothing is worth a question, it continues by itself, unless the run plays or is being dragged.
  const bool isHeld = ImGui::GetCurrentContext() != nullptr && ImGui::IsMouseDown(0);
  if (state.prediction.quiz.state() == QuizState::Silent && !state.session.playing() && !isHeld)
    runToQuestion(state);
  const Question* question = state.prediction.quiz.question();
  const std::string at = question == nullptr ? "" : question->signature + std::to_string(question->firstStep);
  if (at != state.prediction.answeredQuestion) {
    state.prediction.answeredQuestion = at;
    state.prediction.answer.clear();
  }
  if (openQuestion(state) != nullptr && state.session.playing()) state.session.togglePlay();
  state.prediction.threads.clear();
  if (question == nullptr) return;
  state.marks.linked.lines = {state.session.replay()->trace().steps[question->step].line};
  if (question->ofPhase) state.marks.linked.lines.clear();
  for (const std::uint32_t lane : lanesNamed(*question, state.prediction.answer))
    state.prediction.threads.push_back(question->firstThread() + lane);
}

std::optional<Error> answerQuiz(ViewState& state, std::string_view answer) {
  return state.prediction.quiz.answer(answer);
}

void stepQuiz(ViewState& state) {
  state.session.forward();
  syncTo(state);
}

void runToQuestion(ViewState& state) {
  while (state.session.forward()) {
    syncTo(state);
    if (state.prediction.quiz.state() == QuizState::Asked) return;
  }
}

void beginRound(ViewState& state) {
  state.prediction.quiz.newRound();
  state.session.toStart();
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

}  // namespace lanescope
