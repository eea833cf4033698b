#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/base/markdown.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// The strategy whose kernel a lesson compares its own with: the one that its first heading names (`What
/// *Baseline* wastes`), else the first that `What changes` names; nullptr where neither names one.
const Strategy* comparedStrategy(const Strategy& strategy);

/// A text as a diff from another, as a patch has it: lines with `-` and `+`, with one line around them that
/// both have, and `...` where lines are left out. Blank lines and comments do not count, nor does `rightName`
/// where the left has `leftName`. Empty: nothing differs.
std::string textChanges(std::string_view left, std::string_view leftName, std::string_view right,
                        std::string_view rightName);

/// A lesson as it is shown, its terms marked. The section `What changes` ends with the diff from the kernel
/// of comparedStrategy(), or says that most lines differ.
std::vector<MarkdownBlock> lessonBlocks(const Strategy& strategy);

}  // namespace lanescope
