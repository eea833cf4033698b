// The second margin of the listing: a GPU's measurements of each line, and the line's machine code.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/analysis/text_profiles.h"
#include "app/panels/base/widgets.h"
#include "app/panels/source_listing.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kProfileColumns = 5.2F;      ///< width of the margin in characters, with its gap
constexpr float kInstructionColumns = 5.6F;  ///< the same of the instructions per warp
constexpr double kLeastShownShare = 0.005;   ///< for a number: below it would be 0%
constexpr const char* kCodePopup = "machine code";

std::string percentText(double share) { return fmt::format("{:.0f}%", 100 * share); }

/// In at most five characters: 0.03, 2.9, 152, 12k, 3M.
std::string shortCount(double count) {
  if (count < 99.5) return fmt::format("{:.2g}", count);
  if (count < 9999.5) return withCommas(static_cast<std::uint64_t>(std::llround(count)));
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
}

float SourceListing::profileWidth(float advance) const {
  if (profile_ == nullptr) return 0;
  return kProfileColumns * advance + (showsInstructions_ ? instructionsWidth(advance) : 0);
}

float SourceListing::instructionsWidth(float advance) const {
  return profile_ == nullptr ? 0 : kInstructionColumns * advance;
}

void SourceListing::drawInstructions(const ViewContext& context, const LineShare& measured,
                                     const Columns& columns, ImVec2 at) const {
  const std::string text = shortCount(measured.instructionsPerWarp);
  const float right = at.x + columns.right + instructionsWidth(columns.advance);
  ImGui::GetWindowDrawList()->AddText(ImVec2(right - ImGui::CalcTextSize(text.c_str()).x, at.y),
                                      context.color(ColorRole::TextDim), text.c_str());
}

void SourceListing::drawProfile(const ViewContext& context, std::uint32_t line, const Columns& columns,
                                ImVec2 at) {
  const LineShare* const measured = profile_ == nullptr ? nullptr : profile_->line(line);
  if (measured == nullptr) return;
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight();
  if (showsInstructions_) drawInstructions(context, *measured, columns, at);
  const float right = at.x + columns.right + profileWidth(columns.advance);
  const float left = right - columns.advance * (kProfileColumns - 0.8F);
  const double most = profile_->diagnosis.lines.front().share;
  const float heat = most > 0 ? static_cast<float>(measured->share / most) : 0;
  drawList.AddRectFilled(ImVec2(left, at.y), ImVec2(right, at.y + height),
                         context.color(ColorRole::Bar, 0.12F), 2 * context.unit);
  drawList.AddRectFilled(ImVec2(left, at.y), ImVec2(left + (right - left) * heat, at.y + height),
                         context.color(ColorRole::Bar, 0.3F + 0.5F * heat), 2 * context.unit);
  if (measured->share >= kLeastShownShare) {
    const std::string text = percentText(measured->share);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    drawList.AddText(ImVec2(right - width - 2 * context.unit, at.y), context.color(ColorRole::Text),
                     text.c_str());
  }
  const float top = at.y - std::floor((columns.rowHeight - height) / 2);
  const Area row{left, top, right - left, columns.rowHeight};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !row.contains(mouse.x, mouse.y)) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tip(context, {.text = profileTip(*profile_, *measured), .note = "Click: the line's machine code"},
      kTipWidth);
  if (!ImGui::IsMouseClicked(0)) return;
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
