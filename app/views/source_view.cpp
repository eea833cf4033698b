#include "app/views/source_view.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/views/variables_pane.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kHangingIndent = 4;
constexpr float kMostThreadShare = 0.4F;  ///< of the panel, for a thread's variables

ColorRole colorOf(SourceToken::Kind kind) {
  switch (kind) {
    case SourceToken::Kind::Keyword: return ColorRole::Accent;
    case SourceToken::Kind::Builtin: return ColorRole::Pass2;
    case SourceToken::Kind::Comment: return ColorRole::TextDim;
    case SourceToken::Kind::Number:
    case SourceToken::Kind::Plain: break;
  }
  return ColorRole::Text;
}

/// Where to break text[begin, end) so that at most `room` bytes stay: after the last space in reach.
std::uint32_t breakAt(std::string_view text, std::uint32_t begin, std::uint32_t end, std::uint32_t room) {
  if (end - begin <= room) return end;
  for (std::uint32_t at = begin + room; at > begin + room / 2; --at) {
    if (text[at] == ' ') return at + 1;
  }
  return begin + room;
}

}  // namespace

void SourceView::draw(const ViewContext& context, ImVec2 size) {
  const Strategy* strategy = context.session().shown().strategy;
  heading(context, "KERNEL", strategy == nullptr ? "" : strategy->file);
  if (context.replay() == nullptr) return drawWaiting(context);
  const char* columnsText = "passes · conflicts";
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  ImGui::SameLine(ImGui::GetCursorStartPos().x + size.x - ImGui::CalcTextSize(columnsText).x -
                  ImGui::GetStyle().ScrollbarSize);
  ImGui::PopFont();
  label(context, columnsText, ColorRole::TextDim, FontRole::Small);
  follow(*context.replay(), context.session().generation());
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const float threadHeight = std::min(variablesHeight(context, size.x), size.y * kMostThreadShare);
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  drawListing(context, ImVec2(size.x, size.y - used - threadHeight - spacing));
  drawVariables(context, ImVec2(size.x, threadHeight));
}

void SourceView::follow(const Replay& replay, std::uint64_t generation) {
  costs_.follow(replay, generation);
  if (generation == generation_) return;
  generation_ = generation;
  source_ = replay.trace().launch.source.get();
  tokens_ = colourTokens(source_->text());
  laidOutColumns_ = 0;
  shownLine_ = 0;
}

SourceView::Columns SourceView::columnsOf(const ViewContext& context, float width) const {
  Columns columns;
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  columns.advance = ImGui::CalcTextSize("0").x;
  columns.rowHeight = ImGui::GetTextLineHeight() * 1.32F;
  ImGui::PopFont();
  columns.warps = columns.advance * 2.8F;
  columns.code = columns.advance * 5.4F;
  columns.right = width - columns.advance * 0.6F;
  return columns;
}

void SourceView::layoutRows(std::uint32_t columns) {
  if (columns == laidOutColumns_) return;
  laidOutColumns_ = columns;
  rows_.clear();
  const std::string_view text = source_->text();
  for (std::uint32_t number = 1; number <= source_->lineCount(); ++number) {
    const std::string_view line = source_->line(number);
    auto begin = static_cast<std::uint32_t>(line.data() - text.data());
    const auto end = static_cast<std::uint32_t>(begin + line.size());
    const auto indent = static_cast<std::uint32_t>(std::min(line.find_first_not_of(' '), line.size()));
    Row row{number, begin, breakAt(text, begin, end, columns), 0, true};
    rows_.push_back(row);
    const std::uint32_t hang = std::min(indent + kHangingIndent, columns / 2);
    for (begin = row.end; begin < end; begin = row.end) {
      row = {number, begin, breakAt(text, begin, end, columns - hang), hang, false};
      rows_.push_back(row);
    }
  }
}

void SourceView::drawListing(const ViewContext& context, ImVec2 size) {
  const float width = size.x - ImGui::GetStyle().ScrollbarSize;
  const Columns columns = columnsOf(context, width);
  // Whole rows, none cut by the lower edge.
  size.y = std::max(1.0F, std::floor(size.y / columns.rowHeight)) * columns.rowHeight;
  ImGui::BeginChild("listing", size);
  const float costRoom = columns.advance * 7;
  layoutRows(
      static_cast<std::uint32_t>(std::max(24.0F, (width - columns.code - costRoom) / columns.advance)));
  const Step* step = context.replay()->currentStep();
  const std::uint32_t current = step == nullptr ? 0 : step->line;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float view = ImGui::GetWindowHeight();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ImVec2 at(origin.x, origin.y + static_cast<float>(i) * columns.rowHeight);
    if (current != shownLine_ && rows_[i].line == current && rows_[i].first) {
      const float top = static_cast<float>(i) * columns.rowHeight;
      const float scroll = ImGui::GetScrollY();
      if (top < scroll + columns.rowHeight || top + 3 * columns.rowHeight > scroll + view) {
        // A whole number of rows: no half line at the top.
        const float rows = std::floor(std::max(0.0F, top - view * 0.45F) / columns.rowHeight);
        ImGui::SetScrollY(rows * columns.rowHeight);
      }
      shownLine_ = current;
    }
    drawRow(context, rows_[i], columns, at);
  }
  ImGui::Dummy(ImVec2(1, static_cast<float>(rows_.size()) * columns.rowHeight));
  ImGui::EndChild();
}

void SourceView::drawRow(const ViewContext& context, const Row& row, const Columns& columns,
                         ImVec2 at) const {
  const Step* step = context.replay()->currentStep();
  const ImVec2 corner(at.x + ImGui::GetWindowWidth(), at.y + columns.rowHeight);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, corner))
    context.state.nextHover.line = row.line;
  if (std::ranges::binary_search(context.state.linked.lines, row.line)) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + 3 * context.unit, corner.y),
                                              context.color(ColorRole::Accent));
    ImGui::GetWindowDrawList()->AddRectFilled(at, corner, context.color(ColorRole::Accent, 0.14F));
  }
  if (step != nullptr && step->line == row.line) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, ImVec2(at.x + ImGui::GetWindowWidth(), at.y + columns.rowHeight),
        context.color(ColorRole::Accent, 0.28F));
  }
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const float inset = (columns.rowHeight - ImGui::GetTextLineHeight()) / 2;
  const ImVec2 baseline(at.x, at.y + inset);
  if (row.first) drawMargins(context, row, columns, baseline);
  drawCode(context, row, columns, baseline);
  ImGui::PopFont();
}

void SourceView::drawCode(const ViewContext& context, const Row& row, const Columns& columns,
                          ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const std::string_view text = source_->text();
  const auto x = [&](std::uint32_t offset) {
    return at.x + columns.code + columns.advance * static_cast<float>(row.indent + offset - row.begin);
  };
  const Step* step = context.replay()->currentStep();
  if (step != nullptr && step->line == row.line && step->span.begin < row.end && step->span.end > row.begin) {
    const float left = x(std::max(step->span.begin, row.begin));
    const float right = x(std::min(step->span.end, row.end));
    drawList.AddRectFilled(ImVec2(left, at.y + ImGui::GetTextLineHeight()),
                           ImVec2(right, at.y + ImGui::GetTextLineHeight() + 2 * context.unit),
                           context.color(ColorRole::Accent));
  }
  const auto first =
      std::ranges::partition_point(tokens_, [&](const SourceToken& t) { return t.end <= row.begin; });
  for (auto token = first; token != tokens_.end() && token->begin < row.end; ++token) {
    const std::uint32_t begin = std::max(token->begin, row.begin);
    const std::uint32_t end = std::min(token->end, row.end);
    drawList.AddText(ImVec2(x(begin), at.y), context.color(colorOf(token->kind)), text.data() + begin,
                     text.data() + end);
  }
}

// A click on a line's number sets or clears its breakpoint: a red disc behind it.
void SourceView::drawStop(const ViewContext& context, const Row& row, const Columns& columns,
                          ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  Stops& stops = context.session().stops();
  const float height = ImGui::GetTextLineHeight();
  const ImVec2 corner(at.x + columns.warps, at.y + height);
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, corner);
  if (hovered && ImGui::IsMouseClicked(0)) stops.toggleLine(row.line);
  const bool set = stops.hasLine(row.line);
  if (set || hovered) {
    drawList.AddRectFilled(ImVec2(at.x, at.y), ImVec2(at.x + columns.advance * 2.4F, at.y + height),
                           context.color(ColorRole::Bad, set ? 0.9F : 0.35F), height * 0.3F);
  }
  const std::string number = std::to_string(row.line);
  const float numberWidth = columns.advance * static_cast<float>(number.size());
  drawList.AddText(ImVec2(at.x + columns.advance * 2.2F - numberWidth, at.y),
                   context.color(set ? ColorRole::TextOnAccent : ColorRole::TextDim), number.c_str());
  if (!hovered) return;
  beginTooltip(context);
  label(context, set ? "Click: no longer stop at this line" : "Click: stop at this line");
  endTooltip();
}

void SourceView::drawMargins(const ViewContext& context, const Row& row, const Columns& columns,
                             ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  drawStop(context, row, columns, at);
  const Trace& trace = context.replay()->trace();
  std::string warps;
  std::uint32_t here = 0;
  bool waiting = true;
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    const std::int32_t last = context.replay()->state().lastStep[warp];
    if (last < 0 || trace.steps[static_cast<std::size_t>(last)].line != row.line) continue;
    ++here;
    waiting = waiting && trace.steps[static_cast<std::size_t>(last)].kind == StepKind::BlockBarrier;
    if (!warps.empty()) warps += ", ";
    warps += std::to_string(warp);
  }
  if (here > 0) {
    const float height = ImGui::GetTextLineHeight();
    const ImVec2 top(at.x + columns.warps, at.y + height * 0.22F);
    const float r = height * 0.56F;
    const ImU32 color = context.color(waiting ? ColorRole::LaneWaiting : ColorRole::LaneActive);
    if (waiting) {
      drawList.AddRectFilled(top, ImVec2(top.x + r * 0.3F, top.y + r), color);
      drawList.AddRectFilled(ImVec2(top.x + r * 0.55F, top.y), ImVec2(top.x + r * 0.85F, top.y + r), color);
    } else {
      drawList.AddTriangleFilled(top, ImVec2(top.x + r * 0.85F, top.y + r / 2), ImVec2(top.x, top.y + r),
                                 color);
    }
    if (here > 1) {
      ImFont* small = context.fonts.of(FontRole::Small);
      drawList.AddText(small, small->FontSize * ImGui::GetIO().FontGlobalScale, ImVec2(top.x + r, at.y + 1),
                       color, std::to_string(here).c_str());
    }
    const ImVec2 corner(at.x + columns.code, at.y + height);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, corner)) {
      const std::string tip =
          (here == 1 ? "Warp " : "Warps ") + warps + (waiting ? " at the barrier" : " last here");
      beginTooltip(context);
      label(context, tip);
      endTooltip();
    }
  }
  drawCost(context, row, columns, at);
}

void SourceView::drawCost(const ViewContext& context, const Row& row, const Columns& columns,
                          ImVec2 at) const {
  const Counters& counters = costs_.of(row.line);
  const std::string text = costText(counters);
  if (text.empty()) return;
  const bool costs = counters.bankConflicts() > 0 || counters.divergentBranches > 0;
  const float right = at.x + columns.right;
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(ImVec2(right - width, at.y),
                                      context.color(costs ? ColorRole::Conflict : ColorRole::TextDim),
                                      text.c_str());
  const ImVec2 corner(right, at.y + ImGui::GetTextLineHeight());
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(ImVec2(right - width, at.y), corner)) return;
  beginTooltip(context);
  label(context, costTip(counters));
  endTooltip();
}

}  // namespace lanescope
