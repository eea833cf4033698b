#pragma once

#include "app/session/base/markdown.h"
#include "app/views/base/view.h"

namespace lanescope {

/// Draws a block at the cursor, wrapped to the content region's width, and moves the cursor below it.
void drawMarkdownBlock(const ViewContext& context, const MarkdownBlock& block);

}  // namespace lanescope
