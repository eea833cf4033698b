#pragma once

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

}  // namespace lanescope
