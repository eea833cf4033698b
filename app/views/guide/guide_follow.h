#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// Takes the first lesson along with what its reader does; before the views of a frame.
void followGuide(ViewState& state);
/// Shows that card of the first lesson, with its kernel at its place.
void openGuide(ViewState& state, std::size_t index);
/// From the card where it was left, else from the first.
void resumeGuide(ViewState& state);
/// Goes back to the run and the place that the card begins with.
void restartCard(ViewState& state);
/// On to the next card; after the last the course begins: its first kernel at step 0.
void nextCard(ViewState& state);
/// Closes it; it goes on from there another time.
void leaveGuide(ViewState& state);
/// Does what the card asks for.
void showAct(ViewState& state);
/// The first kernel of the course at step 0.
void openFirstKernel(Session& session);

/// A card's text with facts and keys in their places; nothing where a fact is missing.
std::optional<std::string> cardText(ViewState& state, std::string_view text);

}  // namespace lanescope
