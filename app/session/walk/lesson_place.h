#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/session/base/markdown.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The item of a lesson's list about that phase: one that begins with its label in bold (`**step size
/// 4**`), with its number among others (`**step size 4**, **2**`), or with a range that has it (`**step size
/// 16** to **step size 1**`). A label that comes again takes the next such item, where there is one.
/// With `n`, lists about another N (see lessonElements) are left out.
std::optional<std::size_t> lessonItemOf(std::span<const MarkdownBlock> lesson, std::span<const Phase> phases,
                                        std::size_t phase, std::optional<std::uint64_t> n = {});

/// The N that the text before an item says its list is about (`With N = 1,024 and …`); nothing where it does
/// not.
std::optional<std::uint64_t> lessonElements(std::span<const MarkdownBlock> lesson, std::size_t item);

/// What to say above a lesson on that machine: lessons describe 32 lanes, whole warps at a time, and 32
/// banks of 4 bytes, but where they name the machine. "" where the machine has those.
std::string lessonMachineNote(std::span<const MarkdownBlock> lesson, const MachineModel& machine,
                              std::uint64_t n);

/// Whether a block's words are true of some machines only: it speaks of banks, warps, lanes or wavefronts.
bool dependsOnMachine(const MarkdownBlock& block);

}  // namespace lanescope
