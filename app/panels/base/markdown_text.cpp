#include "app/panels/base/markdown_text.h"

#include <algorithm>
#include <cmath>

#include "app/base/whole.h"
#include "app/course/glossary.h"
#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

constexpr float kTermTipWidth = 380;  // units
constexpr float kDot = 1;             // units, and the gap between two
constexpr float kDotPitch = 3;

}  // namespace

void termTip(const ViewContext& context, const GlossaryEntry& entry) {
  std::string more;
  for (const std::string& source : entry.sources()) more += source + "\n";
  more += "Glossary: " + keyText(context.state, "glossary");
  tip(context, {.title = entry.term, .text = entry.definition, .note = more}, kTermTipWidth);
}

void showTerm(const ViewContext& context, const GlossaryEntry& entry, const Area& letters) {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const float dot = std::max(1.0F, std::round(kDot * context.unit));
  const float y = std::round(letters.y + letters.h) - dot;
  const bool isPointedAt = ImGui::IsWindowHovered() &&
                           ImGui::IsMouseHoveringRect(ImVec2(letters.x, letters.y),
                                                      ImVec2(letters.x + letters.w, letters.y + letters.h));
  const ImU32 color = context.color(isPointedAt ? ColorRole::Accent : ColorRole::TextDim);
  const float left = std::round(letters.x);
  const std::uint32_t dots = countSteps(letters.x + letters.w - dot - left, kDotPitch * dot);
  for (std::uint32_t i = 0; i < dots; ++i) {
    const float x = left + kDotPitch * dot * static_cast<float>(i);
    drawList.AddRectFilled(ImVec2(x, y), ImVec2(x + dot, y + dot), color);
  }
  if (!isPointedAt) return;
  termTip(context, entry);
  if (ImGui::IsMouseClicked(0)) openGlossary(context.state, entry);
}

const GlossaryEntry* termAt(std::string_view text, float x,
                            const std::function<float(std::string_view)>& measureWidth) {
  for (const TermUse& use : termsIn(text)) {
    if (x >= measureWidth(text.substr(0, use.begin)) && x < measureWidth(text.substr(0, use.end)))
      return use.entry;
  }
  return nullptr;
}

void hintTerms(const ViewContext& context, std::string_view text) {
  if (!ImGui::IsItemHovered()) return;
  const auto measureWidth = [](std::string_view part) {
    return ImGui::CalcTextSize(part.data(), part.data() + part.size()).x;
  };
  const float x = ImGui::GetIO().MousePos.x - ImGui::GetItemRectMin().x;
  if (const GlossaryEntry* entry = termAt(text, x, measureWidth); entry != nullptr) termTip(context, *entry);
}

std::string withTerms(std::string_view tip, std::string_view subject, std::size_t most) {
  std::string text(tip);
  std::vector<const GlossaryEntry*> shown;
  for (const TermUse& use : termsIn(subject)) {
    if (shown.size() == most) break;
    if (std::ranges::find(shown, use.entry) != shown.end()) continue;
    shown.push_back(use.entry);
    text += (text.empty() ? "" : "\n\n") + use.entry->term + ": " + use.entry->definition;
  }
  return text;
}

void openGlossary(ViewState& state, const GlossaryEntry& entry) {
  state.glossaryEntry = &entry;
  state.dialog = Dialog::Glossary;
}

namespace {

/// A unit of drawing: a word, or a stretch of code with room around it. Pieces that touch in the text stay on
/// one line.
struct Piece {
  MarkdownRun::Style style = MarkdownRun::Style::Plain;
  std::string_view text;
  bool spaceBefore = false;
  float width = 0;
  std::string_view term{};  ///< the part of the text that is a term of the glossary, or a part of one
  const GlossaryEntry* entry = nullptr;
};

constexpr std::size_t kMostRead = 32;  ///< texts that are kept
constexpr float kHeadingSize = 1.15F;  ///< over the body's

ImFont* chooseFont(const ViewContext& context, MarkdownBlock::Kind kind, MarkdownRun::Style style) {
  if (style == MarkdownRun::Style::Code) return context.fonts.of(FontRole::Mono);
  if (kind == MarkdownBlock::Kind::Heading) {
    float size = fontSize(FontRole::Bold) * context.unit * kHeadingSize;
    return context.fonts.sharpest(FontRole::Bold, size);
  }
  return context.fonts.of(style == MarkdownRun::Style::Bold ? FontRole::Bold : FontRole::Body);
}

float textWidth(ImFont* font, std::string_view text) {
  ImGui::PushFont(font);
  const float width = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
  ImGui::PopFont();
  return width;
}

/// Room within and beside the box of a stretch of code.
float codePadding(const ViewContext& context) { return 3 * context.unit; }
float codeMargin(const ViewContext& context) { return 1 * context.unit; }

/// Width of the text that touches a run and stays on its line: a bracket before it, the question mark after
/// it.
float touchingWidth(const ViewContext& context, const MarkdownBlock& block, std::size_t run) {
  float width = 0;
  if (run > 0) {
    const MarkdownRun& before = block.runs[run - 1];
    const std::string_view text = before.text;
    width +=
        textWidth(chooseFont(context, block.kind, before.style), text.substr(text.find_last_of(" \n") + 1));
  }
  if (run + 1 < block.runs.size()) {
    const MarkdownRun& after = block.runs[run + 1];
    const std::string_view text = after.text;
    width +=
        textWidth(chooseFont(context, block.kind, after.style), text.substr(0, text.find_first_of(" \n")));
  }
  return width;
}

/// Sets the term of a piece that begins at that byte of a run and is a part of that term.
void markPiece(const MarkdownBlock& block, std::size_t run, std::size_t begin, Piece& piece) {
  const std::size_t end = begin + piece.text.size();
  for (const MarkdownTerm& term : block.terms) {
    if (term.run != run || term.end <= begin || term.begin >= end) continue;
    const std::size_t from = std::max(term.begin, begin);
    piece.term = piece.text.substr(from - begin, std::min(term.end, end) - from);
    piece.entry = term.entry;
    return;
  }
}

/// The pieces of a block. Code is one piece unless it is, with the text that touches it, wider than a line.
std::vector<Piece> splitPieces(const ViewContext& context, const MarkdownBlock& block, float lineWidth) {
  std::vector<Piece> pieces;
  bool space = false;
  for (std::size_t i = 0; i < block.runs.size(); ++i) {
    const MarkdownRun& run = block.runs[i];
    ImFont* font = chooseFont(context, block.kind, run.style);
    const bool isCode = run.style == MarkdownRun::Style::Code;
    const float around = isCode ? 2 * (codePadding(context) + codeMargin(context)) : 0;
    const bool isWhole =
        isCode && textWidth(font, run.text) + around + touchingWidth(context, block, i) <= lineWidth;
    std::string_view rest = run.text;
    while (!rest.empty()) {
      const std::size_t start = rest.find_first_not_of(" \n");
      space = space || start != 0;
      if (start == std::string_view::npos) break;
      rest.remove_prefix(start);
      const std::string_view word = isWhole ? rest : rest.substr(0, rest.find_first_of(" \n"));
      pieces.push_back({run.style, word, space, textWidth(font, word) + around});
      markPiece(block, i, static_cast<std::size_t>(word.data() - run.text.data()), pieces.back());
      rest.remove_prefix(word.size());
      space = false;
    }
  }
  return pieces;
}

void drawPiece(const ViewContext& context, const MarkdownBlock& block, const Piece& piece, ImVec2 at) {
  ImGui::PushFont(chooseFont(context, block.kind, piece.style));
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  if (piece.style == MarkdownRun::Style::Code) {
    const float margin = codeMargin(context);
    drawList.AddRectFilled(ImVec2(at.x + margin, at.y),
                           ImVec2(at.x + piece.width - margin, at.y + ImGui::GetTextLineHeight()),
                           context.color(ColorRole::Cell), 3 * context.unit);
    at.x += margin + codePadding(context);
  }
  drawList.AddText(at, context.color(ColorRole::Text), piece.text.data(),
                   piece.text.data() + piece.text.size());
  if (piece.entry != nullptr) {
    const auto before = static_cast<std::size_t>(piece.term.data() - piece.text.data());
    const float x = at.x + textWidth(ImGui::GetFont(), piece.text.substr(0, before));
    const float width = textWidth(ImGui::GetFont(), piece.term);
    showTerm(context, *piece.entry, {x, at.y, width, ImGui::GetTextLineHeight()});
  }
  ImGui::PopFont();
}

/// Draws the words in lines from `indent` to `right`; returns the height.
float flowWords(const ViewContext& context, const MarkdownBlock& block, float indent, float right) {
  const std::vector<Piece> pieces = splitPieces(context, block, right - indent);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const bool isHeading = block.kind == MarkdownBlock::Kind::Heading;
  const float lineHeight = ImGui::GetTextLineHeight() * 1.3F * (isHeading ? kHeadingSize : 1);
  const float space = textWidth(context.fonts.of(FontRole::Body), " ");
  float x = indent;
  float y = 0;
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t end = i + 1;
    float width = pieces[i].width;
    while (end < pieces.size() && !pieces[end].spaceBefore) width += pieces[end++].width;
    if (x > indent && pieces[i].spaceBefore) x += space;
    if (x > indent && x + width > right) {
      x = indent;
      y += lineHeight;
    }
    for (; i < end; ++i) {
      drawPiece(context, block, pieces[i], ImVec2(origin.x + x, origin.y + y));
      x += pieces[i].width;
    }
  }
  return y + lineHeight;
}

/// Code keeps its lines: if one is wider than the column, it scrolls sideways.
void drawCode(const ViewContext& context, const MarkdownBlock& block) {
  const std::string& code = block.runs.front().text;
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const float pad = 6 * context.unit;
  const ImVec2 text = ImGui::CalcTextSize(code.c_str());
  const ImVec2 whole(text.x + 2 * pad, text.y + 2 * pad);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool isWide = whole.x > width;
  const float height = whole.y + (isWide ? ImGui::GetStyle().ScrollbarSize : 0);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                            context.color(ColorRole::Cell), 4 * context.unit);
  if (isWide) {
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, context.color(ColorRole::TextDim));
    ImGui::PushID(code.c_str());
    ImGui::BeginChild("code", ImVec2(width, height), false,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + pad, at.y + pad), context.color(ColorRole::Text),
                                      code.c_str());
  ImGui::Dummy(ImVec2(isWide ? whole.x : width, whole.y));
  if (isWide) {
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

}  // namespace

void drawMarkdownBlock(const ViewContext& context, const MarkdownBlock& block) {
  if (block.runs.empty()) return;
  if (block.kind == MarkdownBlock::Kind::Code) return drawCode(context, block);
  float indent = 0;
  if (block.kind == MarkdownBlock::Kind::Item) {
    const float before = 6 * context.unit;  // place for the bar with which a lesson marks the phase's item
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + before, at.y), context.color(ColorRole::TextDim),
                                        block.marker.c_str());
    indent = before + ImGui::CalcTextSize(block.marker.c_str()).x + 6 * context.unit;
  }
  if (block.kind == MarkdownBlock::Kind::Heading) ImGui::Dummy(ImVec2(0, 2 * context.unit));
  const float height = flowWords(context, block, indent, ImGui::GetContentRegionAvail().x);
  ImGui::Dummy(ImVec2(1, height));
}

const std::vector<MarkdownBlock>& MarkdownTexts::findBlocks(const std::string& text) {
  if (read_.size() >= kMostRead) read_.clear();
  const auto [read, isNew] = read_.try_emplace(text);
  if (isNew) {
    read->second = parseMarkdown(text);
    markTerms(read->second);
  }
  return read->second;
}

void MarkdownTexts::draw(const ViewContext& context, const std::string& text) {
  for (const MarkdownBlock& block : findBlocks(text)) drawMarkdownBlock(context, block);
}

}  // namespace lanescope
