// The margins of the listing: line numbers, findings, warps and costs.
#include <algorithm>
#include <span>

#include "app/paint/imgui_compat.h"
#include "app/panels/base/term_tip.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_text_view.h"
#include "app/panels/source_listing.h"

namespace lanescope {
namespace {

bool isOnLine(const Hazard& hazard, std::uint32_t line) {
  return hazard.access.line == line || (hazard.earlier && hazard.earlier->line == line);
}

const Hazard* hazardOn(const HazardReport* report, std::uint32_t line) {
  if (report == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(report->hazards, [&](const Hazard& each) { return isOnLine(each, line); });
  return found == report->hazards.end() ? nullptr : &*found;
}

/// A triangle with an exclamation mark.
void drawWarningSign(ImDrawList& drawList, ImVec2 middle, float r, ImU32 color, ImU32 ink) {
  drawList.AddTriangleFilled(ImVec2(middle.x, middle.y - r * 0.6F),
                             ImVec2(middle.x + r * 0.65F, middle.y + r * 0.55F),
                             ImVec2(middle.x - r * 0.65F, middle.y + r * 0.55F), color);
  const float w = std::max(0.8F, r * 0.09F);
  drawList.AddRectFilled(ImVec2(middle.x - w, middle.y - r * 0.25F),
                         ImVec2(middle.x + w, middle.y + r * 0.2F), ink);
  drawList.AddRectFilled(ImVec2(middle.x - w, middle.y + r * 0.3F),
                         ImVec2(middle.x + w, middle.y + r * 0.45F), ink);
}

void toggleStop(const ViewContext& context, std::uint32_t line) {
  Stops& stops = context.session().stops();
  const auto next = nextRunLine(context.replay()->trace(), line);
  if (stops.hasLine(line) || next == line) return stops.toggleLine(line);
  const std::string none = "No step of this run is on line " + std::to_string(line);
  if (!next) return context.state.notify(none + " or below it: there is nothing to stop at.");
  stops.toggleLine(*next);
  const std::string there = "line " + std::to_string(*next) + ", the next that has one.";
  context.state.notify(none + (stops.hasLine(*next) ? ": it stops on " : ": it no longer stops on ") + there);
}

}  // namespace

// A click on a line's margin sets or clears its breakpoint: a red disc behind the number. A line without a
// step passes it to the next one that has some, as debuggers do.
void SourceListing::drawStop(const ViewContext& context, const CodeRow& row, const Columns& columns,
                             ImVec2 at, MarginPart taken) const {
  const float height = ImGui::GetTextLineHeight();
  const float top = at.y - std::floor((columns.rowHeight - height) / 2);
  const ImVec2 corner(at.x + columns.code - columns.advance, top + columns.rowHeight);
  const bool hovered = isTraced_ && taken != MarginPart::Finding && ImGui::IsWindowHovered() &&
                       ImGui::IsMouseHoveringRect(ImVec2(at.x, top), corner);
  if (hovered && ImGui::IsMouseClicked(0)) toggleStop(context, row.line);
  const bool set = isTraced_ && context.session().stops().hasLine(row.line);
  if (hovered && taken == MarginPart::None)
    tip(context, set ? "Click: no longer stop at this line" : "Click: stop at this line");
  if (!row.first) return;  // the number is beside the line's first row
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const std::string number = std::to_string(row.line);
  const float width = columns.advance * static_cast<float>(number.size());
  if (set || hovered) {
    drawList.AddRectFilled(ImVec2(at.x + columns.advance * 1.6F, at.y),
                           ImVec2(at.x + columns.number + columns.advance * 0.3F, at.y + height),
                           context.color(ColorRole::Bad, set ? 0.9F : 0.35F), height * 0.3F);
  }
  drawList.AddText(ImVec2(at.x + columns.number - width, at.y),
                   context.color(set ? ColorRole::TextOnAccent : ColorRole::TextDim), number.c_str());
}

void SourceListing::drawMargins(const ViewContext& context, const CodeRow& row, const Columns& columns,
                                ImVec2 at) const {
  MarginPart taken = MarginPart::None;
  if (!row.first) return drawStop(context, row, columns, at, taken);
  if (isTraced_ && drawWarps(context, row.line, columns, at)) taken = MarginPart::Warps;
  if (drawFindings(context, row.line, columns, at)) taken = MarginPart::Finding;
  drawStop(context, row, columns, at, taken);
  if (!isTraced_) return;
  if (!context.state.hidesFuture()) drawCost(context, row.line, columns, at);
}

void SourceListing::drawCost(const ViewContext& context, std::uint32_t line, const Columns& columns,
                             ImVec2 at) const {
  const Counters& counters = costs_.of(line);
  const std::string text = costText(counters);
  if (text.empty()) return;
  const float right = at.x + columns.right;
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(ImVec2(right - width, at.y), context.color(costColor(counters)),
                                      text.c_str());
  const ImVec2 corner(right, at.y + ImGui::GetTextLineHeight());
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(ImVec2(right - width, at.y), corner))
    tip(context, withTerms(costTip(counters), costTip(counters), 3), kTipWidth);
}

void SourceListing::findWarps(const Replay& replay) {
  const Trace& trace = replay.trace();
  warps_.clear();
  const WaitingWarps waiting(trace, replay.state());
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    const std::int32_t last = replay.state().lastStep[warp];
    if (last < 0) continue;
    const Step step = trace.steps[static_cast<std::size_t>(last)];
    warps_.push_back({step.line, warp, waiting.contains(warp)});
  }
  std::ranges::stable_sort(warps_, {}, &LineWarp::line);
}

bool SourceListing::drawWarps(const ViewContext& context, std::uint32_t line, const Columns& columns,
                              ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  // Not equal_range(): Clang 14 cannot read the subrange of GCC 12's library.
  const std::span here(std::ranges::lower_bound(warps_, line, {}, &LineWarp::line),
                       std::ranges::upper_bound(warps_, line, {}, &LineWarp::line));
  if (here.empty()) return false;
  const bool waiting = std::ranges::all_of(here, &LineWarp::isWaiting);
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
  if (here.size() > 1) {
    ImFont* small = context.fonts.of(FontRole::Small);
    drawList.AddText(small, computeSize(*small) * ImGui::GetIO().FontGlobalScale, ImVec2(top.x + r, at.y + 1),
                     color, std::to_string(here.size()).c_str());
  }
  const ImVec2 left(at.x + columns.number, at.y);
  const ImVec2 corner(at.x + columns.code - columns.advance, at.y + height);
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(left, corner)) return false;
  std::string warps;
  for (const LineWarp& each : here) warps += (warps.empty() ? "" : ", ") + std::to_string(each.warp);
  tip(context,
      (here.size() == 1 ? "Warp " : "Warps ") + warps + (waiting ? " at the barrier" : " last here"));
  return true;
}

std::string SourceListing::faultsOn(const ViewContext& context, std::uint32_t line) const {
  const std::uint32_t begin = rows_.rows()[rows_.rowOfLine(line)].begin;
  const std::uint32_t end =
      line < rows_.lineCount() ? rows_.rows()[rows_.rowOfLine(line + 1)].begin : UINT32_MAX;
  std::string text;
  for (const Diagnostic& diagnostic : context.session().editor().diagnostics()) {
    const SourceSpan span = diagnostic.span;
    if (span.end == 0 || span.begin < begin || span.begin >= end) continue;
    text += (text.empty() ? "" : "\n") + makeSentences(diagnostic);
  }
  for (const GpuFinding& finding : gpuFindings(context)) {
    const SourceSpan span = finding.diagnostic.span;
    if (!finding.isError || span.end == 0 || span.begin < begin || span.begin >= end) continue;
    text += (text.empty() ? "" : "\n") + makeSentence(finding);
  }
  return text;
}

/// A warning sign for hazards, a square for faults; their texts appear in a tip.
bool SourceListing::drawFindings(const ViewContext& context, std::uint32_t line, const Columns& columns,
                                 ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight();
  const float r = std::min(columns.advance * 1.15F, height * 0.7F);
  const ImVec2 middle(at.x + r * 0.7F, at.y + height / 2);
  const Hazard* hazard =
      context.state.hidesFuture() ? nullptr : hazardOn(context.session().editor().hazards(), line);
  std::string found = faultsOn(context, line);
  if (!found.empty()) {
    drawList.AddRectFilled(ImVec2(middle.x - r / 2, middle.y - r / 2),
                           ImVec2(middle.x + r / 2, middle.y + r / 2), context.color(ColorRole::Bad),
                           2 * context.unit);
  } else if (hazard != nullptr) {
    drawWarningSign(drawList, middle, r, context.color(ColorRole::Bad), context.color(ColorRole::Background));
    found = asSentence(hazard->message) + "\n" + hazard->fix;
  }
  const ImVec2 corner(at.x + columns.advance * 1.6F, at.y + height);
  if (found.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(at, corner)) return false;
  tip(context, found, kTipWidth);
  if (hazard == nullptr || !isTraced_ || !ImGui::IsMouseClicked(0)) return true;
  const bool isEarlier = hazard->earlier && hazard->earlier->line == line;
  goTo(context, isEarlier ? *hazard->earlier : hazard->access);
  return true;
}

bool goTo(const ViewContext& context, const HazardAccess& access) {
  if (context.replay() == nullptr) return false;
  const Trace& trace = context.replay()->trace();
  if (!(access.block == trace.tracedBlock)) {
    const Dim3& grid = trace.launch.grid;
    const std::uint64_t row = std::uint64_t{access.block.z} * grid.y + access.block.y;
    context.session().traceBlock(static_cast<std::uint32_t>(row * grid.x + access.block.x));
    return true;
  }
  if (!access.step) return false;
  context.session().seek(*access.step + 1);
  context.marks().thread =
      static_cast<std::int64_t>(access.warp) * trace.launch.machine.warpSize + access.lane;
  return true;
}

}  // namespace lanescope
