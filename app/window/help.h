#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/panels/base/view.h"

namespace lanescope {

/// The help's lines: keys, and their actions.
std::vector<std::pair<std::string, std::string>> helpLines(const Commands& commands);

/// Every key and its action, over the middle of a window of that size; a click beside it closes it.
void drawHelp(const ViewContext& context, ImVec2 size);

/// Every colour of the pictures with its one meaning, likewise.
void drawColors(const ViewContext& context, ImVec2 size);

}  // namespace lanescope
