#include "app/panels/source_report.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/gpu/gpu_session.h"
#include "app/gpu/gpu_text.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/workbench/result_check.h"
#include "sim/base/counted.h"
#include "sim/machine/run/prepare.h"
#include "sim/trace/hazards.h"

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
  const auto count = roundToWhole<std::uint64_t>(found->slots);
  label(context,
        fmt::format("issue slots: about {} warp instructions, {:.0f}% of this launch's", withCommas(count),
                    100 * found->slots / all),
        ColorRole::TextDim);
}

}  // namespace

/// The line that was asked for, until the walk moves; else the current one.
std::uint32_t CodePane::findLine(const ViewContext& context) {
  const std::uint32_t steps = context.replay() == nullptr ? 0 : context.replay()->cursor().steps;
  if (const std::uint32_t line = std::exchange(asksFor_, 0); line != 0) {
    shownLine_ = line;
    shownSteps_ = steps;
  }
  if (context.state.typing || steps != shownSteps_) shownLine_ = 0;
  const bool isPointed = context.state.typing || context.marks().hover.line > 0;
  return shownLine_ != 0 && !isPointed ? shownLine_ : currentLineAt(context);
}

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
  const std::uint32_t line = findLine(context);
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
  instructions_.begin("instructions", 0, toWhole<std::size_t>(std::max(rows, kLeastRows)), pitch);
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

namespace {

constexpr std::size_t kMostFaults = 5;

/// If the number changes, the findings have: the simulator's and those of the GPU's compiler.
std::uint64_t findingsSoFar(const ViewContext& context) {
  return context.session().editor().findings() + context.state.gpu.text().revision();
}

/// A row of text that can be clicked; its underline is bright while the pointer is on it.
bool clickable(const ViewContext& context, const char* id, const std::string& text, ColorRole color,
               FontRole font = FontRole::Body) {
  ImGui::PushFont(context.fonts.of(font));
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isClicked = ImGui::InvisibleButton(id, ImVec2(width, size.y));
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  drawList.AddText(nullptr, 0, at, context.color(color), text.c_str(), nullptr, width);
  const bool isPointedAt = ImGui::IsItemHovered();
  if (isPointedAt) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  drawList.AddLine(ImVec2(at.x, at.y + size.y), ImVec2(at.x + size.x, at.y + size.y),
                   context.color(color, isPointedAt ? 1.0F : 0.45F));
  ImGui::PopFont();
  return isClicked;
}

std::string placeText(const SourceText& source, SourceSpan span) {
  const LineColumn place = source.place(span.begin);
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

/// `thread 2 writes s[2] on line 12`.
std::string accessText(const ViewContext& context, const Hazard& hazard, const HazardAccess& access) {
  const Trace& trace = context.replay()->trace();
  const std::uint64_t thread = std::uint64_t{access.warp} * trace.launch.machine.warpSize + access.lane;
  std::string text = threadText(trace.launch, thread);
  if (!(access.block == trace.tracedBlock)) text += " of " + blockText(trace.launch, access.block);
  text += " " + access.verb + " ";
  if (!hazard.place.empty()) text += hazard.place + " ";
  return text + "on line " + std::to_string(access.line);
}

/// The result of the last launch if it is wrong, else nullptr.
const ResultCheck* wrongResult(const Editor& editor) {
  const ResultCheck* const result = editor.result();
  return result != nullptr && !result->isRight ? result : nullptr;
}

ColorRole luckColor(LuckVerdict verdict) {
  switch (verdict) {
    case LuckVerdict::Same: return ColorRole::Text;
    case LuckVerdict::Rounding: return ColorRole::Warning;
    case LuckVerdict::Depends:
    case LuckVerdict::Fails: break;
  }
  return ColorRole::Bad;
}

}  // namespace

SourceState sourceState(const ViewContext& context) {
  const Editor& editor = context.session().editor();
  const Document* document = editor.current();
  if (document == nullptr) return {};
  if (const std::size_t faults = editor.diagnostics().size(); faults > 0)
    return {counted(faults, "error"), ColorRole::Bad};
  const auto ofGpu = std::ranges::count(gpuFindings(context), true, &GpuFinding::isError);
  if (ofGpu > 0) return {counted(static_cast<std::size_t>(ofGpu), "GPU error"), ColorRole::Bad};
  if (editor.formIsChanged() && context.replay() != nullptr && !context.session().simulating())
    return {"not run", ColorRole::Warning};
  if (context.state.hidesFuture()) return {};
  if (const HazardReport* report = editor.hazards()) {
    const std::size_t found = report->hazards.size();
    if (found == 0 && wrongResult(editor) != nullptr) return {"wrong result", ColorRole::Bad};
    if (found == 0) return {report->isComplete ? "no hazards" : "none found", ColorRole::Text};
    return {counted(found, "hazard"), ColorRole::Bad};
  }
  if (context.session().simulating()) return {"running…", ColorRole::TextDim};
  const bool isTraced =
      context.replay() != nullptr && document->has(*context.replay()->trace().launch.source);
  return {isTraced ? "" : "not run", ColorRole::Warning};
}

bool SourceReport::fitsBesideForm(const ViewContext& context) {
  const Editor& editor = context.session().editor();
  if (!editor.diagnostics().empty() || !gpuFindings(context).empty()) return true;
  const HazardReport* const report = editor.hazards();
  return wrongResult(editor) != nullptr && report != nullptr && report->hazards.empty();
}

bool SourceReport::isOpen(const ViewContext& context) const {
  const Editor& editor = context.session().editor();
  if (context.state.hidesFuture() && editor.diagnostics().empty()) return false;
  const HazardReport* report = editor.hazards();
  const bool isFound = !editor.diagnostics().empty() || (report != nullptr && !report->hazards.empty());
  const bool isOther = editor.luck() != nullptr || editor.tryingLuck() || !gpuFindings(context).empty();
  const bool isWrong = wrongResult(editor) != nullptr;
  return showsGpu_ || ((isFound || isWrong || isOther) && awayAt_ != findingsSoFar(context));
}

void SourceReport::toggle(const ViewContext& context) {
  awayAt_ = isOpen(context) ? findingsSoFar(context) : UINT64_MAX;
  showsGpu_ = false;
}

void SourceReport::draw(const ViewContext& context, SourceListing& listing, ImVec2 size) {
  ImGui::BeginChild("report", size);
  drawnAt_ = findingsSoFar(context);
  const Editor& editor = context.session().editor();
  drawGpu(context, listing);
  drawFaults(context, listing);
  if (context.state.hidesFuture()) {
    height_ = ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y;
    endScrolling(context);
    return;
  }
  const HazardReport* report = editor.hazards();
  if (seen_ != editor.findings()) {
    seen_ = editor.findings();
    if (report != nullptr && !report->hazards.empty()) listing.reveal(report->hazards.front().access.line);
  }
  drawLuck(context);
  if (editor.diagnostics().empty()) drawResult(context, listing);
  if (report != nullptr && editor.diagnostics().empty()) drawHazards(context, listing, *report);
  height_ = ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y;
  endScrolling(context);
}

/// The outcome of the text on the GPU, if it was requested here; its compiler's findings in any case.
void SourceReport::drawGpu(const ViewContext& context, SourceListing& listing) {
  const GpuText& text = context.state.gpu.text();
  const auto findings = gpuFindings(context);
  if (!showsGpu_ && findings.empty()) return;
  heading(context, "ON THE GPU", text.outcome().title);
  const std::string& refusal = context.state.gpuPanel.refusal;
  if (!refusal.empty()) wrappedText(context, refusal, ColorRole::Bad);
  if (text.busy()) label(context, text.stageText(), ColorRole::TextDim);
  if (refusal.empty() && text.outcome().wasRun) drawTextOutcome(context, text.outcome());
  for (std::size_t i = 0; i < std::min(findings.size(), kMostFaults); ++i) {
    const Diagnostic& found = findings[i].diagnostic;
    const std::string id = "gpu" + std::to_string(i);
    const ColorRole color = findings[i].isError ? ColorRole::Bad : ColorRole::Warning;
    if (found.span.end > 0 &&
        clickable(context, id.c_str(), "line " + std::to_string(text.outcome().source->findLine(found.span)),
                  color, FontRole::Bold))
      listing.edit(context, found.span.begin);
    wrappedText(context, makeSentence(findings[i]));
  }
  if (findings.size() > kMostFaults)
    label(context, "and " + counted(findings.size() - kMostFaults, "more finding"), ColorRole::TextDim);
  if (seenGpu_ == text.revision()) return;
  seenGpu_ = text.revision();
  if (!findings.empty() && findings.front().diagnostic.span.end > 0)
    listing.reveal(text.outcome().source->findLine(findings.front().diagnostic.span));
}

void SourceReport::drawFaults(const ViewContext& context, SourceListing& listing) {
  const Editor& editor = context.session().editor();
  const Document& document = *editor.current();
  const auto& faults = editor.diagnostics();
  if (faults.empty()) return;
  const SourceText source("", document.buffer.text());
  for (std::size_t i = 0; i < std::min(faults.size(), kMostFaults); ++i) {
    const Diagnostic fault = faults[i];
    const bool isPlaced = fault.span.end > 0;
    const std::string id = std::to_string(i);
    if (isPlaced &&
        clickable(context, id.c_str(), placeText(source, fault.span), ColorRole::Bad, FontRole::Bold))
      listing.edit(context, fault.span.begin);
    wrappedText(context, makeSentences(fault));
  }
  if (faults.size() > kMostFaults)
    label(context, "and " + counted(faults.size() - kMostFaults, "more fault"), ColorRole::TextDim);
}

void SourceReport::drawResult(const ViewContext& context, SourceListing& listing) {
  const Editor& editor = context.session().editor();
  const ResultCheck* const result = wrongResult(editor);
  if (result == nullptr) return;
  label(context, "Wrong result", ColorRole::Bad, FontRole::Bold);
  wrappedText(context, result->sentence);
  const HazardReport* const report = editor.hazards();
  // Hazards can be the cause, and give more precise places: they get the room.
  const bool isAlone = report == nullptr || report->hazards.empty();
  const Replay* const replay = context.replay();
  const auto written = replay == nullptr || !isAlone
                           ? std::nullopt
                           : findLastWrite(replay->trace(), result->output, result->element);
  if (written) {
    const std::uint32_t line = replay->trace().steps[written->steps - 1].line;
    const std::string who = "thread " + std::to_string(written->thread) + " writes it on line ";
    if (clickable(context, "result", who + std::to_string(line), ColorRole::Accent)) {
      listing.reveal(line);
      context.player().seek(written->steps);
      context.marks().thread = written->thread;
    }
  }
  if (isAlone) wrappedText(context, result->fix);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
}

void SourceReport::drawHazards(const ViewContext& context, SourceListing& listing,
                               const HazardReport& report) {
  for (const Hazard& hazard : report.hazards) drawHazard(context, listing, hazard);
  if (report.omitted > 0) label(context, "and " + counted(report.omitted, "more hazard"), ColorRole::TextDim);
  if (!report.isComplete) {
    wrappedText(
        context,
        "Looked at " + withCommas(report.blocksLooked) + " of " + counted(report.blocks, "block") + ".",
        ColorRole::TextDim);
  }
}

void SourceReport::drawHazard(const ViewContext& context, SourceListing& listing, const Hazard& hazard) {
  ImGui::PushID(&hazard);
  std::string title(hazardKindName(hazard.kind));
  std::ranges::replace(title, '_', ' ');
  const bool isError = hazard.severity == HazardSeverity::Error;
  title = (isError ? "Error: " : "Warning: ") + title;
  if (hazard.earlier) title += ", in the " + std::string(hazardScopeName(hazard.scope));
  if (const std::string met = metText(hazard); !met.empty()) title += ", " + met;
  label(context, title, ColorRole::Bad, FontRole::Bold);
  wrappedText(context, asSentence(hazard.message));
  const auto side = [&](const char* id, const char* word, const HazardAccess& access) {
    const bool isClicked =
        clickable(context, id, word + accessText(context, hazard, access), ColorRole::Accent);
    const Trace& trace = context.replay()->trace();
    if (!(access.block == trace.tracedBlock))
      hint(context, ("Click to trace " + blockText(trace.launch, access.block)).c_str());
    if (!isClicked) return;
    listing.reveal(access.line);
    goTo(context, access);
  };
  if (context.replay() != nullptr && hazard.earlier) side("first", "first: ", *hazard.earlier);
  if (context.replay() != nullptr) side("second", hazard.earlier ? "then: " : "at: ", hazard.access);
  if (!hazard.fix.empty()) wrappedText(context, "Fix: " + hazard.fix);
  ImGui::Dummy(ImVec2(0, 2 * context.unit));
  ImGui::PopID();
}

void SourceReport::drawLuck(const ViewContext& context) {
  const Editor& editor = context.session().editor();
  if (editor.tryingLuck()) return label(context, "Is it luck? Trying other orders…", ColorRole::TextDim);
  const Result<LuckReport>* luck = editor.luck();
  if (luck == nullptr) return;
  if (!*luck) return wrappedText(context, luck->error().sentence(), ColorRole::Bad);
  const LuckReport& report = luck->value();
  wrappedText(context, report.sentence, luckColor(report.verdict), FontRole::Bold);
  for (const OrderOutcome& order : report.orders) {
    if (order.verdict < LuckVerdict::Depends || order.order.seed > 1) continue;
    std::string text = order.order.name() + ": ";
    text += order.verdict == LuckVerdict::Fails ? order.failure
                                                : order.array + "[" + std::to_string(order.index) + "] is " +
                                                      order.found + ", not " + order.expected;
    wrappedText(context, text, ColorRole::TextDim);
  }
}

}  // namespace lanescope
