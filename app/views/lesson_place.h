#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "app/views/markdown.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The item of a lesson's list that tells of that phase: one that begins with its label in bold (`**step size
/// 4**`), with its number among others (`**step size 4**, **2**`), or with a range that has it (`**step size
/// 16** to **step size 1**`). A label that comes again takes the next such item, where there is one.
/// With `n`, lists about another N (see lessonElements) are left out.
std::optional<std::size_t> lessonItemOf(std::span<const MarkdownBlock> lesson, std::span<const Phase> phases,
                                        std::size_t phase, std::optional<std::uint64_t> n = {});

/// The N that the text before an item says its list is about (`With N = 1,024 and …`); nothing where it does
/// not.
std::optional<std::uint64_t> lessonElements(std::span<const MarkdownBlock> lesson, std::size_t item);

}  // namespace lanescope
