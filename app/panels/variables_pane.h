#pragma once

#include "app/panels/base/view.h"

namespace lanescope {

/// The thread with its variables shown: the one under the pointer, else the pinned one, else the first that
/// is active in the current step.
std::uint32_t threadOfVariables(const ViewContext& context);

/// Indices into Trace::variables of those that a reader of the source would name at that step: no
/// pointers, no hidden ones, only those that have a value in that thread.
std::vector<std::uint32_t> variablesWithValues(const Replay& replay, std::uint32_t thread);

/// The height that drawVariables() needs in a given width.
float variablesHeight(const ViewContext& context, float width);
/// Every variable of a thread as a button with its value, and the value's origin. A click on one shows its
/// value in every lane of the warps' picture; another click ends that.
void drawVariables(const ViewContext& context, ImVec2 size);

}  // namespace lanescope
