#include "app/export/page_words.h"

#include <fmt/format.h>

#include "app/course/glossary.h"

namespace lanescope {
namespace {

using BlockKind = MarkdownBlock::Kind;
using Style = MarkdownRun::Style;

/// A run's text, with the definitions of its terms as tooltips.
std::string textHtml(const MarkdownBlock& block, std::size_t run) {
  const std::string_view text = block.runs[run].text;
  std::string html;
  std::size_t at = 0;
  for (const MarkdownTerm& term : block.terms) {
    if (term.run != run) continue;
    html += escapedForHtml(text.substr(at, term.begin - at));
    html += fmt::format("<abbr title=\"{}\">{}</abbr>", escapedForHtml(term.entry->definition),
                        escapedForHtml(text.substr(term.begin, term.end - term.begin)));
    at = term.end;
  }
  return html + escapedForHtml(text.substr(at));
}

std::string runsHtml(const MarkdownBlock& block) {
  std::string html;
  for (std::size_t i = 0; i < block.runs.size(); ++i) {
    const MarkdownRun& run = block.runs[i];
    const std::string text = textHtml(block, i);
    const std::string_view tag = run.style == Style::Bold ? "strong" : run.style == Style::Code ? "code" : "";
    html += tag.empty() ? text : fmt::format("<{0}>{1}</{0}>", tag, text);
  }
  return html;
}

/// `ul`, `ol`, or empty if it is not a list item.
std::string_view formatList(const MarkdownBlock& block) {
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
    if (formatList(block) != list) {
      if (!list.empty()) html += fmt::format("</{}>\n", list);
      list = formatList(block);
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
