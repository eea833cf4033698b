#include "app/panels/code_pane.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/gpu/gpu_session.h"
#include "app/gpu/text_launch.h"
#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// The architecture of the current GPU, if there is one: `sm_90`.
std::string findCurrentArchitecture(const ViewContext& context) {
  const HelloMessage* const live = context.state.gpu.liveGpu();
  const std::string name = live == nullptr ? std::string() : findArchitecture(live->computeCapability);
  return name.empty() ? CodeRequest{}.architecture : name;
}

/// The caret's line while the user types, else the line under the pointer, else the walk's; 0 if none.
std::uint32_t currentLineAt(const ViewContext& context) {
  const Document& document = *context.session().editor().current();
  const std::string& text = document.buffer.text();
  if (context.state.typing) {
    const auto caret = static_cast<std::ptrdiff_t>(document.buffer.caret());
    return 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + caret, '\n'));
  }
  if (context.marks().hover.line > 0) return static_cast<std::uint32_t>(context.marks().hover.line);
  const Replay* const replay = context.replay();
  const std::optional<Step> step = replay == nullptr ? std::nullopt : replay->currentStep();
  return step ? step->line : 0;
}

/// The line's share of the launch's issue slots.
void drawSlots(const ViewContext& context, const std::vector<LineSlots>& slots, std::uint32_t line) {
  const auto found = std::ranges::find(slots, line, &LineSlots::line);
  double all = 0;
  for (const LineSlots& one : slots) all += one.slots;
  if (found == slots.end() || all == 0) return;
  const auto count = static_cast<std::uint64_t>(std::llround(found->slots));
  label(context,
        fmt::format("issue slots: about {} warp instructions, {:.0f}% of this launch's", withCommas(count),
                    100 * found->slots / all),
        ColorRole::TextDim);
}

}  // namespace

/// Requests the machine code of the current line, once per change, after the text's check has read it: a
/// frame parses nothing.
void CodePane::ask(const ViewContext& context) {
  Editor& editor = context.session().editor();
  const Document& document = *editor.current();
  context.state.machineCode.poll();
  Asked asked{&document, document.buffer.revision(), context.session().selection(), document.form,
              findCurrentArchitecture(context)};
  if (asked == asked_ || editor.busy()) return;
  asked_ = std::move(asked);
  const auto launch = makeGpuLaunch(document, asked_.selection, *editor.kernelCache());
  problem_ = launch ? std::string() : launch.error().sentence();
  if (launch) context.state.machineCode.ask(*launch, asked_.architecture);
}

void CodePane::draw(const ViewContext& context, ImVec2 size) {
  ask(context);
  ImGui::BeginChild("machine code", size);
  const std::uint32_t line = currentLineAt(context);
  const std::string where = line == 0 ? std::string("point at a line") : fmt::format("line {}", line);
  const CodeOutcome* const outcome =
      context.state.machineCode.of(context.session().editor().current()->buffer.text());
  const bool hasCode = outcome != nullptr && outcome->code.ok();
  heading(
      context, "MACHINE CODE",
      hasCode ? fmt::format("{}, {}, {}", where, outcome->code->architecture, outcome->code->origin) : where);
  if (!problem_.empty()) {
    wrappedText(context, problem_, ColorRole::Bad);
  } else if (outcome == nullptr) {
    label(context, "Compiling…", ColorRole::TextDim);
  } else if (hasCode) {
    drawOutcome(context, *outcome, line);
  } else {
    drawRecorded(context, outcome->code.error(), line);
  }
  endScrolling(context);
}

/// The instructions get the room below the pane's other lines, in whole rows.
void CodePane::drawInstructions(const ViewContext& context, const MachineCode& code, std::uint32_t line) {
  const auto isOfLine = [&](const MachineInstruction& one) { return one.line == line; };
  if (std::ranges::none_of(code.instructions, isOfLine))
    return label(context, "The compiler made no instruction of this line.", ColorRole::TextDim);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const float pitch = ImGui::GetTextLineHeightWithSpacing();
  ImGui::PopFont();
  constexpr float kLeastRows = 3;
  const float rows = std::floor(ImGui::GetContentRegionAvail().y / std::floor(pitch));
  instructions_.begin("instructions", 0, static_cast<std::size_t>(std::max(rows, kLeastRows)), pitch);
  for (const MachineInstruction& one : code.instructions) {
    if (!isOfLine(one)) continue;
    const float top = ImGui::GetCursorPosY();
    label(context, fmt::format("{:04x}  {}", one.address, one.sass), ColorRole::Text, FontRole::Mono);
    ImGui::SetCursorPosY(top + instructions_.pitch());
  }
  instructions_.end();
}

void CodePane::drawOutcome(const ViewContext& context, const CodeOutcome& outcome, std::uint32_t line) {
  if (line == 0) return;
  // The executed code is hidden while the run is to be predicted.
  if (outcome.comparison && !context.state.hidesFuture()) {
    for (const LineAccesses& one : outcome.comparison->lines) {
      if (one.line != line || one.words.empty()) continue;
      wrappedText(context, fmt::format("{}: {}", accessName(one.kind), one.words), ColorRole::Accent);
    }
    drawSlots(context, outcome.comparison->slots, line);
  }
  drawInstructions(context, *outcome.code, line);
}

void CodePane::drawRecorded(const ViewContext& context, const Error& why, std::uint32_t line) {
  const TextProfile* const recorded =
      context.state.profiles.of(context.session().editor().current()->buffer.text());
  const auto code =
      recorded == nullptr ? std::nullopt : readMachineCode(*recorded->profile, recorded->origin);
  if (!code) return wrappedText(context, why.sentence(), ColorRole::Bad);
  label(context, "recorded on " + code->origin, ColorRole::TextDim, FontRole::Small);
  if (line != 0) drawInstructions(context, *code, line);
}

}  // namespace lanescope
