#pragma once

#include <vector>

#include "app/views/base/view.h"

namespace lanescope {

/// What lies between the panels of this frame, to drag; a double click gives all the arrangement's sizes
/// back. Into the window at hand, which the panels fill.
void drawDividers(const ViewContext& context, const WindowLayout& layout);

/// Gives a panel all the room between the bars, or ends that, where its heading was double-clicked in this
/// frame; inside the panel's ImGui window, after the view was drawn.
void takeDoubleClick(const ViewContext& context, const View& view, const Area& area);

/// Choosing an arrangement, moving a divider, maximising a panel. `layout`: of the last frame.
std::vector<Command> panelCommands(ViewState& state, const WindowLayout& layout);

/// The arrangement at hand: the chosen one, but where a question or a card has no room in it.
const Arrangement& shownArrangement(const ViewState& state);
/// The shares at hand: the arrangement's with what a person has changed.
Shares sharesOf(const ViewState& state);
/// Takes an arrangement as it is.
void arrange(ViewState& state, const Arrangement& arrangement);

}  // namespace lanescope
