#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/markdown.h"
#include "kernels/strategies/catalogue.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The item of a lesson's list about that phase: one that begins with its label in bold (`**step size 4**`),
/// with its number among others (`**step size 4**, **2**`), or with a range that has it (`**step size 16** to
/// **step size 1**`). A repeated label takes the next such item, if there is one. With `n`, lists about
/// another N (see lessonElements) are left out.
std::optional<std::size_t> findLessonItem(std::span<const MarkdownBlock> lesson,
                                          std::span<const Phase> phases, std::size_t phase,
                                          std::optional<std::uint64_t> n = {});

/// The N that the text before an item gives for its list (`With N = 1,024 and …`); nullopt if it gives none.
std::optional<std::uint64_t> lessonElements(std::span<const MarkdownBlock> lesson, std::size_t item);

/// The N of a lesson's numbers: `shown` if one of its lists is about that, else that of its first list, else
/// 64. They are for the machine `nvidia`.
std::uint64_t lessonN(std::span<const MarkdownBlock> lesson, std::uint64_t shown);

/// The blocks of the launch that they are for: as few as can share `n` elements.
std::uint64_t lessonBlocks(const Strategy& strategy, std::uint64_t n);

/// The note above a lesson if its numbers are not for the N, machine and blocks on the screen: it says what
/// they are for. "" if they match. `ofLesson`: lessonBlocks() of lessonN().
std::string lessonNumbersNote(std::span<const MarkdownBlock> lesson, const MachineModel& machine,
                              std::uint64_t n, std::uint64_t blocks, std::uint64_t ofLesson);

/// True if a block's words hold for some machines only: it is about banks, warps, lanes or wavefronts.
bool dependsOnMachine(const MarkdownBlock& block);

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
