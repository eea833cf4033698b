#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// Takes the quiz along with the session's cursor while the mode is Predict; playing stops at a question.
/// In another mode nothing is asked and nothing counted.
void followQuiz(ViewState& state);
/// The question that waits for an answer, or nullptr.
const Question* openQuestion(const ViewState& state);

/// Judges the answer; an error is the sentence to show.
std::optional<Error> answerQuiz(ViewState& state, std::string_view answer);
/// Goes one grain on.
void stepQuiz(ViewState& state);
/// Goes on to the next question, or to the end.
void runToQuestion(ViewState& state);
/// Forgets the results and asks from the run's start.
void beginRound(ViewState& state);
/// Adds a thread to the answer, or takes it out; nothing where no lanes are asked for, or not its warp's.
void chooseThread(ViewState& state, std::uint32_t thread, bool chosen);

}  // namespace lanescope
