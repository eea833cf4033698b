#include "app/panels/gpu_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <imgui_stdlib.h>

#include "app/panels/base/widgets.h"
#include "app/panels/gpu_grids.h"
#include "app/panels/titles.h"
#include "kernels/protocol/bench_blocks.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr std::array<std::uint64_t, 6> kPerMultiprocessor{1, 2, 4, 8, 16, 32};
constexpr std::array<std::uint64_t, 5> kPlain{1, 16, 128, 1024, 8192};  ///< for a GPU with unknown data

std::string describeElementsPerThread(const BenchChoice& choice, std::uint64_t blocks) {
  const double threads = static_cast<double>(blocks) * choice.setting.block;
  return elementsPerThreadText(static_cast<double>(choice.n) / threads);
}

/// A row of the menu: the number, and its meaning in dim letters.
bool row(const ViewContext& context, const std::string& number, const std::string& meaning, bool isChosen) {
  const float left = ImGui::GetCursorPosX();
  const bool pressed = ImGui::Selectable(("##" + number).c_str(), isChosen);
  const bool isTinted = isChosen || ImGui::IsItemHovered();  // dim letters are hard to read there
  ImGui::SameLine(left);
  label(context, number, ColorRole::Text, isChosen ? FontRole::Bold : FontRole::Body);
  ImGui::SameLine(left + 64 * context.unit);
  label(context, meaning, isTinted ? ColorRole::Text : ColorRole::TextDim, FontRole::Small);
  return pressed;
}

}  // namespace

float comboWidth(const ViewContext& context, std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x + 14 * context.unit +
         ImGui::GetFrameHeight();
}

BenchPlan makePlan(const BenchChoice& choice, std::vector<std::uint64_t> sizes) {
  BenchPlan plan;
  plan.sizes = std::move(sizes);
  plan.setting = choice.setting;
  plan.strategies = contendersToRun(choice);
  plan.blocks = choice.blocks;
  return plan;
}

std::string GpuBlocks::missing(const BenchChoice& choice, const GpuSession& gpu) {
  const auto hasThem = [&](const auto& entry) {
    return entry.first.blocks == choice.blocks && choice.setting.covers(entry.first);
  };
  const auto& series = gpu.data().series();
  if (choice.blocks == 0 || series.empty() || std::ranges::any_of(series, hasThem)) return {};
  return "No times here have a grid of " + withCommas(choice.blocks) + " blocks" +
         (gpu.runBlocker().empty() ? ": Run makes them." : ".");
}

std::string GpuBlocks::conversion(const BenchChoice& choice) {
  return choice.blocks == 0 ? std::string() : describeElementsPerThread(choice, choice.blocks);
}

void GpuBlocks::draw(const ViewContext& context, BenchChoice& choice, bool opens) {
  const float width = comboWidth(context, "default");
  const std::string shown = choice.blocks == 0 ? "default" : withCommas(choice.blocks);
  const float room = width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x;
  const float margin = std::floor(10 * context.unit);  // a fraction of a pixel would add a scroll bar
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints(ImVec2(330 * context.unit, 0),
                                      ImVec2(330 * context.unit, ImGui::GetIO().DisplaySize.y * 0.8F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  if (opens) openCombo("##grid");
  const bool isOpen =
      ImGui::BeginCombo("##grid", cutToFit(shown, room).c_str(), ImGuiComboFlags_HeightLargest);
  ImGui::PopStyleVar();
  if (isOpen) {
    drawMenu(context, choice);
    ImGui::EndCombo();
    return;
  }
  filledFor_.reset();
  const std::string meaning = choice.blocks == 0
                                  ? std::string("Each strategy chooses its own number of blocks")
                                  : gridDetail(choice.blocks) + ": " + conversion(choice);
  hint(context, (meaning + "\nFor the next run of the kernels that stride over their grid").c_str());
}

void GpuBlocks::drawMenu(const ViewContext& context, BenchChoice& choice) {
  if (filledFor_ != choice.blocks) {
    filledFor_ = choice.blocks;
    blocks_ = choice.blocks == 0 ? std::string() : std::to_string(choice.blocks);
    perThread_.clear();
    fault_.clear();
  }
  heading(context, "BLOCKS", "where a kernel strides over its grid");
  drawPresets(context, choice);
  ImGui::Separator();
  drawFields(context, choice);
  drawConsequence(context, choice);
}

void GpuBlocks::drawPresets(const ViewContext& context, BenchChoice& choice) {
  if (row(context, "default", "each strategy's own choice", choice.blocks == 0)) choice.blocks = 0;
  const auto& hello = context.state.gpu.data().hello();
  const std::uint64_t sms = hello ? hello->sms : 0;
  if (sms == 0) {
    for (const std::uint64_t count : kPlain) {
      if (row(context, withCommas(count), describeElementsPerThread(choice, count), choice.blocks == count))
        choice.blocks = count;
    }
    return;
  }
  for (const std::uint64_t each : kPerMultiprocessor) {
    const std::uint64_t count = each * sms;
    const std::string meaning = std::to_string(each) + " per SM, " + describeElementsPerThread(choice, count);
    if (row(context, withCommas(count), meaning, choice.blocks == count)) choice.blocks = count;
  }
}

void GpuBlocks::drawFields(const ViewContext& context, BenchChoice& choice) {
  const float width = 110 * context.unit;
  const float column = ImGui::GetCursorPosX() + 120 * context.unit;
  const auto field = [&](const char* name, const char* id, std::string& text, const char* tip) {
    ImGui::AlignTextToFramePadding();
    label(context, name, ColorRole::TextDim);
    ImGui::SameLine(column);
    ImGui::SetNextItemWidth(width);
    const bool isEntered = ImGui::InputText(id, &text, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool isLeft = ImGui::IsItemDeactivatedAfterEdit() && !text.empty();
    hint(context, tip);
    return isEntered || isLeft;
  };
  if (field("blocks", "##blocks", blocks_, "A number or a power of two, 1 to 2^31 - 1; Enter takes it"))
    receive(choice, blocks_, {});
  if (field("elements per thread", "##per thread", perThread_,
            "The most elements per thread, on average, at this N and block size; Enter turns it into a "
            "number of blocks"))
    receive(choice, {}, perThread_);
  if (!fault_.empty()) wrappedText(context, fault_, ColorRole::Bad, FontRole::Small);
}

void GpuBlocks::receive(BenchChoice& choice, const std::string& blocks, const std::string& perThread) {
  const auto formatList = [](const std::string& text) {
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
  };
  const auto counts =
      blocksAskedFor(formatList(blocks), formatList(perThread), choice.n, choice.setting.block);
  fault_ = counts ? std::string() : counts.error().sentence();
  if (!counts) return;
  choice.blocks = counts->empty() ? 0 : counts->front();
  filledFor_ = choice.blocks;
  blocks_ = choice.blocks == 0 ? std::string() : std::to_string(choice.blocks);
}

/// The effect on a run: the elements per thread, and the strategies that keep another grid, or why it is
/// refused.
void GpuBlocks::drawConsequence(const ViewContext& context, const BenchChoice& choice) {
  if (choice.blocks == 0) return;
  const BenchRequest request = makeRequest(makePlan(choice, {choice.n}), choice.n);
  wrappedText(context,
              gridDetail(choice.blocks) + " of " + std::to_string(choice.setting.block) +
                  " threads: " + conversion(choice) + " at N = " + sizeText(choice.n) + ".",
              ColorRole::Text, FontRole::Small);
  const auto contenders = makeContenders(request);
  const std::string sentence = withTitles(contenders ? ownGridsText(request) : contenders.error().sentence());
  if (!sentence.empty())
    wrappedText(context, sentence, contenders ? ColorRole::TextDim : ColorRole::Bad, FontRole::Small);
}

}  // namespace lanescope
