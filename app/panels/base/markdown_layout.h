#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/base/markdown.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// Draws a block at the cursor, wrapped to the content region's width, and moves the cursor below it.
void drawMarkdownBlock(const ViewContext& context, const MarkdownBlock& block);

/// Texts for panels, each parsed once, with the terms of the glossary marked.
class MarkdownTexts {
 public:
  const std::vector<MarkdownBlock>& findBlocks(const std::string& text);
  void draw(const ViewContext& context, const std::string& text);

 private:
  std::map<std::string, std::vector<MarkdownBlock>> read_;
};

}  // namespace lanescope
