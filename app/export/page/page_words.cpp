#include "app/export/page/page_words.h"

#include <fmt/format.h>

namespace lanescope {
namespace {

using BlockKind = MarkdownBlock::Kind;
using Style = MarkdownRun::Style;

std::string runsHtml(const MarkdownBlock& block) {
  std::string html;
  for (const MarkdownRun& run : block.runs) {
    const std::string text = escapedForHtml(run.text);
    const std::string_view tag = run.style == Style::Bold ? "strong" : run.style == Style::Code ? "code" : "";
    html += tag.empty() ? text : fmt::format("<{0}>{1}</{0}>", tag, text);
  }
  return html;
}

/// `ul`, `ol`, or nothing for what is no item.
std::string_view listOf(const MarkdownBlock& block) {
  if (block.kind != BlockKind::Item) return "";
  return block.marker == "•" ? "ul" : "ol";
}

}  // namespace

std::string escapedForHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

std::string markdownHtml(std::span<const MarkdownBlock> blocks, int heading) {
  std::string html;
  std::string_view list;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const MarkdownBlock& block = blocks[i];
    if (listOf(block) != list) {
      if (!list.empty()) html += fmt::format("</{}>\n", list);
      list = listOf(block);
      if (!list.empty()) html += fmt::format("<{}>\n", list);
    }
    const std::string text = runsHtml(block);
    switch (block.kind) {
      case BlockKind::Heading: html += fmt::format("<h{0}>{1}</h{0}>\n", heading, text); break;
      case BlockKind::Paragraph: html += fmt::format("<p>{}</p>\n", text); break;
      case BlockKind::Item: html += fmt::format("<li id=\"lesson-{}\">{}</li>\n", i, text); break;
      case BlockKind::Code: html += fmt::format("<pre>{}</pre>\n", text); break;
    }
  }
  if (!list.empty()) html += fmt::format("</{}>\n", list);
  return html;
}

}  // namespace lanescope
