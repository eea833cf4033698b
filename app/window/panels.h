#pragma once

#include <memory>
#include <vector>

#include "app/panels/base/view.h"

namespace lanescope {

/// The gaps between the panels of this frame, to drag. A double click restores all the arrangement's sizes.
/// Drawn into the current window, which the panels fill.
void drawDividers(const ViewContext& context, const WindowLayout& layout);

/// Gives a panel all the room between the bars, or ends that, if its heading was double-clicked in this
/// frame. Call it inside the panel's ImGui window, after the view was drawn.
void handleDoubleClick(const ViewContext& context, const PanelInfo& panel, const Area& area);

/// Choosing an arrangement, moving a divider, maximising a panel. `layout`: of the last frame.
std::vector<Command> panelCommands(ViewState& state, const WindowLayout& layout);

/// What the views say of their panels in a window of that shape, in their order.
std::vector<PanelInfo> panelInfos(const std::vector<std::unique_ptr<View>>& views, const WindowShape& shape);
/// The current arrangement: the chosen one, unless a question or a card has no room in it.
const Arrangement& shownArrangement(const ViewState& state);
/// Takes an arrangement as it is.
void arrange(ViewState& state, const Arrangement& arrangement);

}  // namespace lanescope
