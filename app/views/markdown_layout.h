#pragma once

#include "app/views/markdown.h"
#include "app/views/view.h"

namespace lanescope {

/// Draws a block at the cursor, wrapped to the content region's width, and moves the cursor below it.
void drawMarkdownBlock(const ViewContext& context, const MarkdownBlock& block);
/// Height that a paragraph takes in that width.
float paragraphHeight(const ViewContext& context, const MarkdownBlock& block, float width);

}  // namespace lanescope
