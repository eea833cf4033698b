#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/analysis/profiles.h"
#include "app/base/whole.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/markdown_text.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/panels/source_listing.h"
#include "sim/base/counted.h"

// The margins of the listing: line numbers, findings, warps and costs.
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
  Stops& stops = context.player().stops();
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
  const bool set = isTraced_ && context.player().stops().hasLine(row.line);
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

bool SourceListing::drawWarps(const ViewContext& context, std::uint32_t line, const Columns& columns,
                              ImVec2 at) const {
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const std::span<const LineWarp> here = warpsOn(warps_, line);
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
  context.player().seek(*access.step + 1);
  context.marks().thread =
      static_cast<std::int64_t>(access.warp) * trace.launch.machine.warpSize + access.lane;
  return true;
}

// The second margin of the listing: a GPU's measurements of each line, and the line's machine code.

namespace {

constexpr float kAmountColumns = 5.2F;       ///< width of the margin in characters, with its gap
constexpr float kInstructionColumns = 5.6F;  ///< the same of the instructions per warp
constexpr double kLeastShownShare = 0.005;   ///< for a number: below it would be 0%
constexpr const char* kCodePopup = "machine code";

std::string percentText(double share) { return fmt::format("{:.0f}%", 100 * share); }

/// In at most five characters: 0.03, 2.9, 152, 12k, 3M.
std::string shortCount(double count) {
  if (count < 99.5) return fmt::format("{:.2g}", count);
  if (count < 9999.5) return withCommas(roundToWhole<std::uint64_t>(count));
  return count < 999500 ? fmt::format("{:.0f}k", count / 1e3) : fmt::format("{:.0f}M", count / 1e6);
}

std::string_view stallName(const StallShare& stall) {
  return stall.reason.nsight.empty() ? std::string_view(stall.id) : stall.reason.nsight;
}

/// A row of the machine code: the instruction, its share of all samples, warps that executed it, the main
/// stall.
void drawInstruction(const ViewContext& context, const ProfileInstruction& instruction, double share) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(context, instruction.sass, ColorRole::Text, FontRole::Mono);
  ImGui::TableNextColumn();
  label(context, fmt::format("{:.1f}%", 100 * share), ColorRole::Text, FontRole::Small);
  ImGui::TableNextColumn();
  label(context, withCommas(instruction.counts.executed), ColorRole::TextDim, FontRole::Small);
  ImGui::TableNextColumn();
  const std::vector<StallShare> stalls = stallShares(instruction.counts);
  const auto waits = [](const StallShare& one) { return one.reason.group != StallGroup::Issued; };
  const auto stall = std::ranges::find_if(stalls, waits);
  if (stall == stalls.end()) return;
  label(context, fmt::format("{} {}", stall->reason.words, percentText(stall->share)), ColorRole::TextDim,
        FontRole::Small);
  hint(context, std::string(stallName(*stall)).c_str());
}

}  // namespace

/// Finds the measurements of the current text: none if the text was changed, and none while the run is to be
/// predicted.
void SourceListing::syncProfile(const ViewContext& context) {
  const Document* const document = context.session().editor().current();
  const std::uint64_t revision = document->buffer.revision();
  const std::uint64_t profiles = context.state.profiles.revision();
  if (document != profiledDocument_ || revision != profiledRevision_ || profiles != profilesSeen_) {
    profilesSeen_ = profiles;
    profiledDocument_ = document;
    profiledRevision_ = revision;
    recorded_ = context.state.profiles.of(document->buffer.text());
  }
  profile_ = context.state.hidesFuture() ? nullptr : recorded_;
  unit_.syncTo(context.state, document->buffer.text(), document, revision);
}

float SourceListing::amountsWidth(float advance) const {
  if (!showsAmounts()) return 0;
  return kAmountColumns * advance + (showsInstructions_ ? instructionsWidth(advance) : 0);
}

float SourceListing::instructionsWidth(float advance) const {
  return profile_ == nullptr ? 0 : kInstructionColumns * advance;
}

void SourceListing::drawTitles(const ViewContext& context, float width) const {
  struct Title {
    std::string_view text;
    float right;  ///< of its margin
    const char* tip;
  };
  const float end = ImGui::GetCursorStartPos().x + width - ImGui::GetStyle().ScrollbarSize - 0.6F * advance_;
  const float costs = end - amountsWidth(advance_);
  std::vector<Title> titles;  // the one at the right first
  if (unit_.width() == StepWidth::Instructions)
    titles.push_back(
        {"instructions", end, "Each line's share of the machine instructions that the warps run"});
  else if (profile_ != nullptr)
    titles.push_back({"GPU time", end, "Each line's share of the time that a GPU took for the kernel"});
  const Title cost{costTitle(context.replay()->trace().total), costs,
                   "Of each line so far: wavefronts · conflicts of shared memory; sect.: sectors of global "
                   "memory moved; diverge: branches whose lanes went different ways"};
  const Title instructions{"instr/warp", costs + instructionsWidth(advance_),
                           "Machine instructions of each line that a warp runs, as a GPU counted them"};
  const auto room = [&](std::string_view text) {
    return labelWidth(context, text, FontRole::Small) + 2 * advance_;
  };
  const float left = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  const float others = room(cost.text) + (titles.empty() ? 0 : room(titles.front().text));
  if (showsInstructions_ && end - left > others + room(instructions.text)) titles.push_back(instructions);
  titles.push_back(cost);
  float right = end;
  for (const Title& title : titles) {
    right = std::min(right, title.right);
    const float from = right - labelWidth(context, title.text, FontRole::Small);
    if (title.text.empty() || from < left + advance_) continue;
    ImGui::SameLine(from);
    label(context, title.text, ColorRole::TextDim, FontRole::Small);
    hint(context, title.tip);
    right = from - 1.5F * advance_;
  }
}

void SourceListing::drawInstructions(const ViewContext& context, std::uint32_t line, const Columns& columns,
                                     ImVec2 at) const {
  const LineShare* const measured = profile_->line(line);
  if (measured == nullptr) return;
  const std::string text = shortCount(measured->instructionsPerWarp);
  const float right = at.x + columns.right + instructionsWidth(columns.advance);
  ImGui::GetWindowDrawList()->AddText(ImVec2(right - ImGui::CalcTextSize(text.c_str()).x, at.y),
                                      context.color(ColorRole::TextDim), text.c_str());
}

std::optional<SourceListing::LineAmount> SourceListing::amountOf(std::uint32_t line) const {
  const LineShare* const measured = profile_ == nullptr ? nullptr : profile_->line(line);
  if (unit_.width() != StepWidth::Instructions) {
    if (measured == nullptr) return std::nullopt;
    const double most = profile_->diagnosis.lines.front().share;
    return LineAmount{measured->share, most, profileTip(*profile_, *measured)};
  }
  const auto found = unit_.amounts().find(line);
  if (found == unit_.amounts().end()) return std::nullopt;
  const double share = found->second / unit_.all();
  std::string tip = fmt::format("{:.1f}% of the instructions that the warps run\n", 100 * share);
  tip += measured != nullptr ? profileTip(*profile_, *measured)
                             : "by the machine code that this machine's CUDA Toolkit makes of the text";
  return LineAmount{share, unit_.most() / unit_.all(), std::move(tip)};
}

void SourceListing::drawAmount(const ViewContext& context, std::uint32_t line, const Columns& columns,
                               ImVec2 at) {
  const std::optional<LineAmount> amount = amountOf(line);
  if (!amount) return;
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight();
  if (showsInstructions_) drawInstructions(context, line, columns, at);
  const float right = at.x + columns.right + amountsWidth(columns.advance);
  const float left = right - columns.advance * (kAmountColumns - 0.8F);
  const float heat = amount->most > 0 ? static_cast<float>(amount->share / amount->most) : 0;
  drawList.AddRectFilled(ImVec2(left, at.y), ImVec2(right, at.y + height),
                         context.color(ColorRole::Bar, 0.12F), 2 * context.unit);
  drawList.AddRectFilled(ImVec2(left, at.y), ImVec2(left + (right - left) * heat, at.y + height),
                         context.color(ColorRole::Bar, 0.3F + 0.5F * heat), 2 * context.unit);
  if (amount->share >= kLeastShownShare) {
    const std::string text = percentText(amount->share);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    drawList.AddText(ImVec2(right - width - 2 * context.unit, at.y), context.color(ColorRole::Text),
                     text.c_str());
  }
  const float top = at.y - std::floor((columns.rowHeight - height) / 2);
  const Area row{left, top, right - left, columns.rowHeight};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !row.contains(mouse.x, mouse.y)) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tip(context, {.text = amount->tip, .note = "Click: the line's machine code"}, kTipWidth);
  if (!ImGui::IsMouseClicked(0)) return;
  if (profile_ == nullptr || profile_->line(line) == nullptr) {
    context.state.askedCode = line;
    return;
  }
  codeLine_ = line;
  codeRow_ = row;
  opensCode_ = true;
}

/// The machine code of the clicked line, below its row or above it, on the side with more room.
void SourceListing::drawMachineCode(const ViewContext& context) {
  if (std::exchange(opensCode_, false)) ImGui::OpenPopup(kCodePopup);
  const float below = ImGui::GetIO().DisplaySize.y - codeRow_.y - codeRow_.h;
  const bool isBelow = below > codeRow_.y;
  const ImVec2 corner(std::floor(codeRow_.x + codeRow_.w),
                      std::floor(isBelow ? codeRow_.y + codeRow_.h : codeRow_.y));
  ImGui::SetNextWindowPos(corner, ImGuiCond_Always, ImVec2(1, isBelow ? 0.0F : 1.0F));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(corner.x, std::max(below, codeRow_.y)));
  // A fraction of a pixel would add a scroll bar.
  const ImVec2 margin(std::floor(14 * context.unit), std::floor(12 * context.unit));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin);
  if (ImGui::BeginPopup(kCodePopup)) {
    const LineShare* const line = profile_ == nullptr ? nullptr : profile_->line(codeLine_);
    if (line == nullptr) {
      ImGui::CloseCurrentPopup();
    } else {
      drawCodeTable(context, *line);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void SourceListing::drawCodeTable(const ViewContext& context, const LineShare& line) const {
  heading(context, fmt::format("line {}", line.line),
          fmt::format("{} of the warps' time, {:.1f} instructions per warp, {}", percentText(line.share),
                      line.instructionsPerWarp, profile_->origin));
  const std::vector<const ProfileInstruction*> code = profile_->machineCodeFor(line.line);
  for (const StallShare& stall : line.stalls) {
    if (stall.share < 0.05) continue;
    label(context, fmt::format("{} {} ({})", percentText(stall.share), stall.reason.words, stallName(stall)),
          ColorRole::TextDim, FontRole::Small);
    hint(context, std::string(stall.reason.meaning).c_str());
  }
  if (code.empty()) {
    label(context, "The recording has no machine code. It is recorded by", ColorRole::TextDim);
    label(context, fmt::format("lanescope-gpu profile {} --record FILE", profile_->profile->kernel.strategy),
          ColorRole::Text, FontRole::Mono);
    return;
  }
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("code", 4, kFlags)) return;
  for (const char* title : {"instruction", "samples", "warps", "main stall"}) ImGui::TableSetupColumn(title);
  ImGui::TableHeadersRow();
  const double all = static_cast<double>(std::max<std::uint64_t>(1, profile_->diagnosis.samples));
  for (const ProfileInstruction* one : code)
    drawInstruction(context, *one, static_cast<double>(one->counts.samples) / all);
  ImGui::EndTable();
}

}  // namespace lanescope
