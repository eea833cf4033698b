#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/markdown.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// The strategy that a lesson compares its own kernel with: the one named in its first heading (`What
/// *Baseline* wastes`), else the first that `What changes` names; nullptr if neither names one.
const Strategy* comparedStrategy(const Strategy& strategy);

/// A text as a diff from another, in the form of a patch: lines with `-` and `+`, with one common line around
/// them, and `...` for lines that are left out. Blank lines and comments do not count, nor does a `rightName`
/// that replaces `leftName`. Empty if nothing differs.
std::string textChanges(std::string_view left, std::string_view leftName, std::string_view right,
                        std::string_view rightName);

/// A lesson as it is shown, its terms marked. The section `What changes` ends with the diff from the kernel
/// of comparedStrategy(), or says that most lines differ.
std::vector<MarkdownBlock> lessonBlocks(const Strategy& strategy);

}  // namespace lanescope
