#include "app/panels/source_listing.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/base/whole.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/pictures/picture_plan.h"

namespace lanescope {
namespace {

constexpr float kLeading = 1.32F;           ///< row height over the font's
constexpr float kMostAboveHead = 1.0F / 3;  ///< of the view, before the first step

bool overlaps(SourceSpan span, const CodeRow& row) { return span.begin <= row.end && span.end > row.begin; }

std::size_t longestCode(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && !line.substr(first).starts_with("//"))
      longest = std::max(longest, line.size());
  }
  return longest;
}

}  // namespace

void SourceListing::edit(const ViewContext& context, std::uint32_t offset) {
  Document* document = context.session().editor().current();
  if (document == nullptr) return;
  document->buffer.place(offset);
  shownCaret_ = UINT32_MAX;
  context.state.typing = true;
}

void SourceListing::syncTo(const ViewContext& context) {
  const Document* document = context.session().editor().current();
  const Replay* replay = context.replay();
  if (document != document_) {
    document_ = document;
    revision_ = 0;
    shownLine_ = kNoLine;
    shownCaret_ = document->buffer.caret();
    context.state.typing = false;
    scrollTo(0);
  }
  text_ = &document->buffer.text();
  if (revision_ != document->buffer.revision()) {
    revision_ = document->buffer.revision();
    countWork(context.session().editor().kernelCache()->work(), &WorkCount::tokenizations);
    tokens_ = colourTokens(*text_);
    longest_ = longestCode(*text_);
    columns_ = 0;
  }
  isTraced_ = replay != nullptr &&
              context.session().editor().makeDocument(context.session().shown()) == document &&
              document->has(*replay->trace().launch.source);
  if (isTraced_) {
    costs_.syncTo(replay->trace(), replay->cursor(), context.session().plan());
    warps_ = warpsByLine(replay->trace(), replay->state());
  }
}

void SourceListing::layOut(std::uint32_t columns) {
  if (columns == columns_) return;
  columns_ = columns;
  rows_.layout(*text_, columns);
}

SourceListing::Columns SourceListing::makeColumns(const ViewContext& context, float width) const {
  Columns columns;
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  columns.advance = ImGui::CalcTextSize("0").x;
  columns.rowHeight = std::round(ImGui::GetTextLineHeight() * kLeading);
  ImGui::PopFont();
  const auto lines = static_cast<std::size_t>(std::ranges::count(*text_, '\n')) + 1;
  const auto digits = static_cast<float>(std::max<std::size_t>(2, std::to_string(lines).size()));
  columns.number = columns.advance * (digits + 1.8F);
  columns.warps = columns.number + columns.advance * 0.6F;
  // If several warps are on a line, their number is shown there.
  const std::uint32_t warps = context.replay() == nullptr ? 1 : context.replay()->trace().warps;
  columns.code = columns.number + columns.advance * (warps >= 10 ? 4.2F : warps > 1 ? 3.6F : 3.0F);
  columns.right = width - columns.advance * 0.6F - amountsWidth(columns.advance);
  return columns;
}

void SourceListing::type(Session& session, const Chord& pressed) {
  Document* document = session.editor().current();
  if (document == nullptr || document != document_ || columns_ == 0) return;
  // The rows can be older than the last key.
  if (revision_ != document->buffer.revision()) rows_.layout(document->buffer.text(), columns_);
  input_.handleKey(document->buffer, rows_, pageRows_, pressed);
}

void SourceListing::handleInput(const ViewContext& context, const Columns& columns, ImVec2 origin) {
  pageRows_ = toWhole<std::size_t>(ImGui::GetWindowHeight() / columns.rowHeight);
  const float height = contentHeight(columns);
  ImGui::SetCursorScreenPos(ImVec2(origin.x + columns.code - columns.advance, origin.y));
  const float width = std::max(1.0F, columns.right - columns.code + columns.advance);
  ImGui::InvisibleButton("code", ImVec2(width, std::max(height, ImGui::GetWindowHeight())));
  if (ImGui::IsItemHovered() && !context.state.helpOpen) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (ImGui::IsItemActive()) {
    const ImGuiIO& io = ImGui::GetIO();
    const float y = std::max(0.0F, io.MousePos.y - origin.y) / columns.rowHeight;
    const std::size_t row = std::min(toWhole<std::size_t>(y), rows_.rows().size() - 1);
    const float column = (io.MousePos.x - origin.x - columns.code) / columns.advance + 0.5F;
    const std::uint32_t offset = rows_.offsetAt(*text_, row, toWhole<std::uint32_t>(std::max(0.0F, column)));
    const int clicks = ImGui::IsItemActivated() ? io.MouseClickedCount[0] : 0;
    if (clicks > 0) {
      const bool grows = !context.state.sourceIsTall && !context.state.presenting;
      if (grows) held_ = Held{ImGui::GetScrollY(), ImGui::GetWindowHeight()};
      revealed_.reset();
    }
    input_.handlePointer(context.session().editor().current()->buffer, offset, clicks, io.KeyShift);
    context.state.typing = true;
  } else if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered()) {
    context.state.typing = false;
  }
  if (!context.state.typing) held_.reset();
}

/// A click makes the panel higher, some frames later: the row below the pointer stays there, even if the text
/// would then end above the panel's end. If it is scrolled to its end, a text begins with a whole row, too.
float SourceListing::contentHeight(const Columns& columns) const {
  const float view = ImGui::GetWindowHeight();
  const float text = static_cast<float>(rows_.rows().size()) * columns.rowHeight;
  const float hidden = std::ceil((text - view) / columns.rowHeight) * columns.rowHeight;
  const float rows = std::max(text, hidden > 0 ? view + hidden + 1 : 0);  // ImGui rounds it down
  if (!held_ || held_->scroll <= 0) return rows;
  const float room = view == held_->view ? ImGui::GetIO().DisplaySize.y : view;
  return std::max(rows, held_->scroll + room + 1);
}

float SourceListing::scrolled() const { return scrollTo_.value_or(ImGui::GetScrollY()); }

void SourceListing::scrollTo(float y) {
  scrollTo_ = y;
  ImGui::SetScrollY(y);
}

/// Scrolls by whole rows, so that no half line is at the top: by the least that shows the row, or to the
/// middle.
void SourceListing::show(std::size_t row, float rowHeight, bool nearest) {
  const float view = ImGui::GetWindowHeight();
  const float top = static_cast<float>(row) * rowHeight;
  const float scroll = scrolled();
  const float margin = nearest || view < 5 * rowHeight ? 0 : rowHeight;
  if (top >= scroll + std::min(margin, top) && top + rowHeight + margin <= scroll + view) return;
  const float edge = top < scroll ? top : top + rowHeight - view;
  const float wanted = std::max(0.0F, nearest ? edge : top - view * 0.45F);
  scrollTo(std::ceil(wanted / rowHeight) * rowHeight);
}

bool SourceListing::comeBack(const ViewContext& context, const Columns& columns, bool isNewLayout) {
  if (std::exchange(presents_, context.state.presenting) && !presents_) comesBack_ = sight_.has_value();
  const Replay* const replay = context.replay();
  const bool isPresent = isTraced_ && sight_ && replay->cursor() == sight_->cursor;
  if (!comesBack_ || !isPresent || context.state.typing) {
    comesBack_ = false;
    return false;
  }
  scrollTo(static_cast<float>(rows_.findRow(sight_->offset)) * columns.rowHeight);
  const std::optional<Step> step = replay->currentStep();
  shownLine_ = step ? step->line : 0;
  comesBack_ = isNewLayout;
  return true;
}

void SourceListing::scroll(const ViewContext& context, const Columns& columns) {
  const std::uint32_t caret = document_->buffer.caret();
  const float view = ImGui::GetWindowHeight();
  const bool isNewLayout = view != shownHeight_ || columns_ != shownColumns_;
  if (comeBack(context, columns, isNewLayout)) {
    shownHeight_ = view;
    shownColumns_ = columns_;
    return;
  }
  if (isNewLayout) {  // the rows in sight can now be out of sight
    shownHeight_ = view;
    shownColumns_ = columns_;
    shownCaret_ = UINT32_MAX;
    shownLine_ = kNoLine;
    if (!revealLine_) revealLine_ = revealed_;
    // After a change of the rows' height, the first would be cut.
    if (!held_) scrollTo(std::round(scrolled() / columns.rowHeight) * columns.rowHeight);
  }
  if (context.state.typing) {
    if (caret != shownCaret_) show(rows_.findRow(caret), columns.rowHeight, true);
    shownCaret_ = caret;
  }
  const std::optional<Step> step = isTraced_ ? context.replay()->currentStep() : std::nullopt;
  // Before the first step: the kernel's head.
  const std::uint32_t current = !isTraced_ ? kNoLine : step ? step->line : 0;
  const bool hasMoved = current != kNoLine && current != shownLine_ && !context.state.typing;
  if (revealLine_) {
    show(rows_.rowOfLine(*revealLine_), columns.rowHeight, false);
    revealed_ = revealLine_;
  } else if (hasMoved && current == 0) {
    const std::uint32_t head = context.replay()->trace().kernelLine;
    const float top = static_cast<float>(rows_.rowOfLine(head > 1 ? head - 1 : head)) * columns.rowHeight;
    // A comment that takes little of the view stays above it.
    if (head > 0) scrollTo(top > view * kMostAboveHead ? top : 0);
    revealed_.reset();
  } else if (hasMoved) {
    const std::size_t first = rows_.rowOfLine(current);
    show(first, columns.rowHeight, false);
    // A wrapped line also shows its other rows if there is room for them, and always the operation's own.
    std::size_t last = first;
    while (last + 1 < rows_.rows().size() && rows_.rows()[last + 1].line == current) ++last;
    show(last, columns.rowHeight, true);
    show(first, columns.rowHeight, true);
    if (step->span.begin < step->span.end) show(rows_.findRow(step->span.begin), columns.rowHeight, true);
    revealed_.reset();
  }
  shownLine_ = context.state.typing ? kNoLine : current;
  revealLine_.reset();
}

void SourceListing::draw(const ViewContext& context, ImVec2 size) {
  const float scrollbar = ImGui::GetStyle().ScrollbarSize;
  const float width = size.x - scrollbar;
  text_ = &context.session().editor().current()->buffer.text();
  syncProfile(context);
  showsInstructions_ = false;
  Columns columns = makeColumns(context, width);
  size.y = std::max(1.0F, std::floor(size.y / columns.rowHeight)) * columns.rowHeight;
  ImGui::BeginChild("listing", size);
  scrollTo_.reset();
  syncTo(context);
  const float costs = isTraced_ ? static_cast<float>(context.session().plan()->lines->longest) : 0;
  const float costRoom = columns.advance * std::max(7.0F, costs + 1.5F);
  float room = width - columns.code - costRoom - amountsWidth(columns.advance);
  const float less = instructionsWidth(columns.advance);
  if (less > 0 && room - less >= columns.advance * static_cast<float>(longest_)) {
    showsInstructions_ = true;
    columns = makeColumns(context, width);
    room -= less;
  }
  advance_ = columns.advance;
  layOut(toWhole<std::uint32_t>(std::max(24.0F, room / columns.advance)));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  handleInput(context, columns, origin);
  scroll(context, columns);
  const float top = ImGui::GetWindowPos().y;
  const auto above = toWhole<std::size_t>(std::max(0.0F, (top - origin.y) / columns.rowHeight));
  const std::size_t seen = toWhole<std::size_t>(ImGui::GetWindowHeight() / columns.rowHeight) + 2;
  if (!presents_ && !comesBack_ && isTraced_ && above < rows_.rows().size())
    sight_ = Sight{rows_.rows()[above].begin, context.replay()->cursor()};
  for (std::size_t i = above; i < std::min(rows_.rows().size(), above + seen); ++i) {
    drawRow(context, i, columns, ImVec2(origin.x, origin.y + static_cast<float>(i) * columns.rowHeight));
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(1, contentHeight(columns)));
  drawMachineCode(context);
  ImGui::EndChild();
}

float SourceListing::x(std::size_t row, std::uint32_t offset, const Columns& columns) const {
  return columns.code + columns.advance * static_cast<float>(rows_.findColumn(*text_, row, offset));
}

void SourceListing::drawRow(const ViewContext& context, std::size_t index, const Columns& columns,
                            ImVec2 at) {
  drawBackground(context, index, columns, at);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const float inset = std::floor((columns.rowHeight - ImGui::GetTextLineHeight()) / 2);
  const ImVec2 baseline(at.x, at.y + inset);
  const CodeRow& row = rows_.rows()[index];
  drawMargins(context, row, columns, baseline);
  if (row.first) drawAmount(context, row.line, columns, baseline);
  drawCode(context, index, columns, baseline);
  drawUnderlines(context, index, columns, baseline);
  ImGui::PopFont();
}

void SourceListing::drawBackground(const ViewContext& context, std::size_t index, const Columns& columns,
                                   ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const CodeRow& row = rows_.rows()[index];
  const TextBuffer& buffer = document_->buffer;
  const ImVec2 end(at.x + ImGui::GetWindowWidth(), at.y + columns.rowHeight);
  const std::optional<Step> step = isTraced_ ? context.replay()->currentStep() : std::nullopt;
  if (isTraced_ && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end))
    context.pointed.line = row.line;
  if (isTraced_ && std::ranges::binary_search(context.marks().linked.lines, row.line)) {
    drawList.AddRectFilled(at, ImVec2(at.x + 3 * context.unit, end.y), context.color(ColorRole::Accent));
    drawList.AddRectFilled(at, end, context.color(ColorRole::Accent, 0.14F));
  }
  if (step && step->line == row.line) {
    drawList.AddRectFilled(at, end, context.color(ColorRole::Accent, 0.28F));
  } else if (context.state.typing && index == rows_.findRow(buffer.caret())) {
    drawList.AddRectFilled(at, end, context.color(ColorRole::Cell));
  }
  if (!context.state.typing) return;
  const SourceSpan selection = buffer.selection();
  if (buffer.hasSelection() && selection.begin <= row.end && selection.end > row.begin) {
    const bool further = selection.end > row.end;
    const float left = at.x + x(index, selection.begin, columns);
    const float right = at.x + x(index, selection.end, columns) + (further ? columns.advance * 0.5F : 0);
    drawList.AddRectFilled(ImVec2(left, at.y), ImVec2(right, end.y), context.color(ColorRole::Accent, 0.45F));
  }
  if (index != rows_.findRow(buffer.caret())) return;
  const float caret = std::round(at.x + x(index, buffer.caret(), columns));
  drawList.AddRectFilled(ImVec2(caret - 1, at.y + 1),
                         ImVec2(caret - 1 + std::max(2.0F, 2 * context.unit), end.y - 1),
                         context.color(ColorRole::Text));
}

void SourceListing::drawCode(const ViewContext& context, std::size_t index, const Columns& columns,
                             ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const CodeRow& row = rows_.rows()[index];
  const std::optional<Step> step = isTraced_ ? context.replay()->currentStep() : std::nullopt;
  if (step && step->line == row.line && step->span.begin < row.end && step->span.end > row.begin) {
    const float bottom = at.y + ImGui::GetTextLineHeight();
    drawList.AddRectFilled(ImVec2(at.x + x(index, step->span.begin, columns), bottom),
                           ImVec2(at.x + x(index, step->span.end, columns), bottom + 2 * context.unit),
                           context.color(ColorRole::Accent));
  }
  forEachPiece(tokens_, row, [&](const SourceToken& token, std::uint32_t begin, std::uint32_t end) {
    drawList.AddText(ImVec2(at.x + x(index, begin, columns), at.y), context.color(tokenColor(token.kind)),
                     text_->data() + begin, text_->data() + end);
  });
}

void SourceListing::squiggle(const ViewContext& context, std::size_t row, SourceSpan span,
                             const Columns& columns, ImVec2 at, ColorRole color) const {
  const CodeRow& shown = rows_.rows()[row];
  const bool isHere = overlaps(span, shown) || (span.begin == span.end && rows_.findRow(span.begin) == row);
  if (!isHere || span.end == 0) return;
  const float left = at.x + x(row, std::max(span.begin, shown.begin), columns);
  const float right = std::max(left + columns.advance, at.x + x(row, std::min(span.end, shown.end), columns));
  const float step = std::max(2.0F, 2.5F * context.unit);
  const float base = at.y + ImGui::GetTextLineHeight();
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const std::uint32_t steps = countSteps(right - left, step);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const bool isUp = i % 2 == 1;
    const float from = left + step * static_cast<float>(i);
    const float to = std::min(from + step, right);
    const float low = base + step * 0.8F;
    drawList.AddLine(ImVec2(from, isUp ? base : low), ImVec2(to, isUp ? low : base), context.color(color),
                     std::max(1.2F, 1.4F * context.unit));
  }
}

void SourceListing::drawUnderlines(const ViewContext& context, std::size_t index, const Columns& columns,
                                   ImVec2 at) const {
  const Editor& editor = context.session().editor();
  const HazardReport* report = context.state.hidesFuture() ? nullptr : editor.hazards();
  if (report != nullptr) {
    // Errors come first in the report, and are drawn over the warnings.
    for (auto hazard = report->hazards.rbegin(); hazard != report->hazards.rend(); ++hazard) {
      squiggle(context, index, hazard->access.span, columns, at, ColorRole::Bad);
      if (hazard->earlier) squiggle(context, index, hazard->earlier->span, columns, at, ColorRole::Bad);
    }
  }
  for (const GpuFinding& finding : gpuFindings(context))
    squiggle(context, index, finding.diagnostic.span, columns, at,
             finding.isError ? ColorRole::Bad : ColorRole::Warning);
  for (const Diagnostic& diagnostic : editor.diagnostics())
    squiggle(context, index, diagnostic.span, columns, at, ColorRole::Bad);
}

}  // namespace lanescope
