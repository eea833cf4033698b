#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/base/markdown.h"

namespace lanescope {

/// For HTML, within an element or an attribute.
std::string escapedForHtml(std::string_view text);

/// A lesson's blocks as HTML. Each item of a list has the id `lesson-` and its block's number.
/// `heading`: the level of its headings.
std::string markdownHtml(std::span<const MarkdownBlock> blocks, int heading);

}  // namespace lanescope
