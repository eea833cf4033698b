#pragma once

#include "app/views/main_window.h"

namespace lanescope {

/// Takes the quiz along with the session's cursor while the mode is Predict; playing stops at a question.
/// In another mode nothing is asked and nothing counted.
void followQuiz(ViewState& state);
/// Acts on a key that means something else while the mode is Predict: Y and N answer, A and F6 show the
/// answer, Enter waits for the view, and the keys that run to what is still hidden do nothing. False where
/// the key has its usual meaning.
bool pressInQuiz(ViewState& state, Key key, bool takesText);

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
