#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/markdown.h"
#include "app/course/glossary.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// A tip at the pointer: the term, its definition, and where to read more.
void termTip(const ViewContext& context, const GlossaryEntry& entry);

/// Underlines a term of a text with dots; its letters are in that rectangle of the screen. If pointed at, it
/// shows its definition. A click opens the glossary there.
void showTerm(const ViewContext& context, const GlossaryEntry& entry, const Area& letters);

/// The term of a line of text at that distance from its left end, in pixels; `measureWidth` measures its
/// parts.
const GlossaryEntry* termAt(std::string_view text, float x,
                            const std::function<float(std::string_view)>& measureWidth);

/// A tip for the item before, which is a line in the current font, while the pointer is on one of its terms.
void hintTerms(const ViewContext& context, std::string_view text);

/// A tip and, in separate lines, the definitions of the terms of its subject: the first `most` of them.
std::string withTerms(std::string_view tip, std::string_view subject, std::size_t most = 2);

/// Opens the glossary at an entry.
void openGlossary(ViewState& state, const GlossaryEntry& entry);

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
