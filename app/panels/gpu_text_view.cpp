#include "app/panels/gpu_text_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

std::string timesText(double median, double q1, double q3, std::uint32_t samples) {
  return fmt::format("{} µs, quartiles {} to {} µs, {}", figure(median), figure(q1), figure(q3),
                     counted(samples, "sample"));
}

std::size_t errorsIn(const TextOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count(outcome.findings, true, &GpuFinding::isError));
}

void drawCompiled(const ViewContext& context, const TextOutcome& outcome) {
  if (!outcome.compiled) return;
  const CompiledMessage& compiled = *outcome.compiled;
  const std::string compiler = compiled.compiler.empty() ? "The GPU's compiler" : compiled.compiler;
  if (!compiled.compiled) {
    return wrappedText(context,
                       fmt::format("{} for {} refuses the text: {}.", compiler, compiled.architecture,
                                   counted(errorsIn(outcome), "error")),
                       ColorRole::Bad, FontRole::Bold);
  }
  std::string text = fmt::format("{} made code for {} in {} ms", compiler, compiled.architecture,
                                 figure(compiled.milliseconds));
  if (compiled.registers > 0) text += ": " + counted(compiled.registers, "register") + " per thread";
  if (compiled.staticSharedBytes > 0)
    text += fmt::format(", {} of shared memory per block", counted(compiled.staticSharedBytes, "byte"));
  if (compiled.localBytes > 0)
    text += fmt::format(", {} of local memory per thread", counted(compiled.localBytes, "byte"));
  wrappedText(context, text + ".", ColorRole::TextDim);
}

void drawComparison(const ViewContext& context, const TextOutcome& outcome) {
  if (!outcome.comparisonProblem.empty()) wrappedText(context, outcome.comparisonProblem, ColorRole::Warning);
  if (!outcome.comparison) return;
  const EditedComparison& comparison = *outcome.comparison;
  if (comparison.equal) {
    wrappedText(context,
                fmt::format("Same as the simulator, bit for bit: {}.", counted(outcome.values, "value")),
                ColorRole::Good, FontRole::Bold);
  } else {
    wrappedText(context, comparison.sentence,
                comparison.buffers.empty() ? ColorRole::Warning : ColorRole::Bad, FontRole::Bold);
  }
}

void drawTimes(const ViewContext& context, const TextOutcome& outcome) {
  if (outcome.small) {
    const TimedMessage& small = *outcome.small;
    const std::string launch =
        counted(outcome.grid.count(), "block") + " of " + counted(outcome.block.count(), "thread");
    wrappedText(context,
                launch + ": " + timesText(small.medianUs, small.q1Us, small.q3Us, small.samples) + ".");
  }
  if (outcome.timing) {
    const TextTiming& timing = *outcome.timing;
    const std::string where = fmt::format("N = {}, blocks of {}: ", sizeText(timing.n), timing.block);
    if (timing.wrong) {
      wrappedText(context, where + "the sum is wrong, so its time says nothing.", ColorRole::Bad);
    } else {
      wrappedText(context, where + figure(timing.gbps) + " GB/s, " +
                               timesText(timing.medianUs, timing.q1Us, timing.q3Us, timing.samples) +
                               ". Its bar is in the chart of one kernel, " +
                               std::string(elementTypeName(timing.type)) + ", cold.");
    }
  }
  if (!outcome.timingNote.empty()) wrappedText(context, outcome.timingNote, ColorRole::TextDim);
}

}  // namespace

Result<TextTask> makeTextTask(const ViewState& state) {
  const Document* document = state.session.editor().current();
  if (document == nullptr) return Error{"There is no text to run yet."};
  const TextFacts facts = state.session.editor().findFacts();
  auto launch = makeGpuLaunch(*document, state.session.selection(), *state.session.editor().kernelCache());
  if (!launch) return launch.error();
  const GpuPanelState& panel = state.gpuPanel;
  const HelloMessage* live = state.gpu.liveGpu();
  TextTask task;
  task.title = document->name();
  if (document->strategy != nullptr) {
    const std::string note = changeNote(facts, document->form.has_value());
    if (!note.empty()) task.title += ", " + note;
  }
  if (document->form) {
    task.timed = makeTimedForm(*launch);
  } else if (auto timed = makeTimedLaunch(*document, panel.n, panel.block, live != nullptr ? live->sms : 0,
                                          facts.element)) {
    task.timed = std::move(timed).value();
  } else {
    task.timingNote = timed.error().sentence();
  }
  task.launch = std::move(launch).value();
  if (task.launch.given != nullptr) {
    return Error{"A launch with a program's data runs in the simulator alone.",
                 "Write the arguments in the launch form to run the kernel on the GPU."};
  }
  task.kernels = state.session.editor().kernelCache();
  return task;
}

namespace {

/// Requests a GPU action for the current text.
void askGpu(ViewState& state, std::optional<Error> (GpuSession::*ask)(TextTask)) {
  std::string& refusal = state.gpuPanel.refusal;
  refusal.clear();
  auto task = makeTextTask(state);
  const auto error = task ? (state.gpu.*ask)(std::move(task).value()) : task.error();
  if (error) refusal = error->sentence();
}

}  // namespace

void runTextOnGpu(ViewState& state) { askGpu(state, &GpuSession::runText); }

void countTextOnGpu(ViewState& state) { askGpu(state, &GpuSession::countText); }

void profileTextOnGpu(ViewState& state) { askGpu(state, &GpuSession::profileText); }

std::span<const GpuFinding> gpuFindings(const ViewContext& context) {
  const Document* document = context.session().editor().current();
  const GpuText& text = context.state.gpu.text();
  if (document == nullptr || text.outcome().findings.empty() || !text.isAbout(document->buffer.text()))
    return {};
  return text.outcome().findings;
}

std::string makeSentence(const GpuFinding& finding) {
  return (finding.isError ? "The GPU's compiler: " : "The GPU's compiler warns: ") +
         makeSentences(finding.diagnostic);
}

void drawTextOutcome(const ViewContext& context, const TextOutcome& outcome) {
  if (!outcome.problem.empty()) {
    wrappedText(context, outcome.problem, ColorRole::Bad, FontRole::Bold);
    if (outcome.lostWorker)
      wrappedText(context, "That ended the GPU worker. A new one takes the next run.", ColorRole::TextDim);
  }
  drawComparison(context, outcome);
  drawTimes(context, outcome);
  drawCompiled(context, outcome);
}

void GpuTextView::drawTools(const ViewContext& context) {
  GpuSession& gpu = context.state.gpu;
  commandButton(context, "run the text on the GPU", {.isLit = gpu.textBlocker().empty()});
  ImGui::SameLine();
  commandButton(context, "count the text on the GPU");
  if (gpu.text().missingCompiler().empty()) return;
  ImGui::SameLine();
  if (pill(context, "Look again", false, pillWidth(context, "Look again"), ImGui::GetFrameHeight()))
    gpu.retryCompiler();
  hint(context, "Let the next run look for the compiler again");
}

void GpuTextView::drawRun(const ViewContext& context, const TextOutcome& outcome) {
  drawTextOutcome(context, outcome);
  for (const GpuFinding& finding : outcome.findings) {
    const std::uint32_t line =
        finding.diagnostic.span.end > 0 ? outcome.source->findLine(finding.diagnostic.span) : 0;
    wrappedText(context, (line > 0 ? fmt::format("Line {}: ", line) : "") + makeSentences(finding.diagnostic),
                finding.isError ? ColorRole::Text : ColorRole::TextDim);
  }
}

/// A row for each counter; below it why it differs, if it does.
void GpuTextView::drawCounters(const ViewContext& context, const TextOutcome& outcome, float width) {
  if (!outcome.countersProblem.empty()) wrappedText(context, outcome.countersProblem, ColorRole::Warning);
  if (outcome.counters.empty()) return;
  const float left = ImGui::GetCursorPosX();
  const std::array<float, 2> rights{width * 0.66F, width * 0.88F};
  const auto cell = [&](const std::string& text, float right, ColorRole color) {
    ImGui::SameLine(left + right - ImGui::CalcTextSize(text.c_str()).x);
    label(context, text, color);
  };
  label(context, "counter", ColorRole::TextDim);
  cell("predicted", rights[0], ColorRole::TextDim);
  cell("measured", rights[1], ColorRole::TextDim);
  std::size_t equal = 0;
  for (const CounterRow& row : outcome.counters) {
    const bool isRead = row.measured.has_value();
    const ColorRole color = row.equal ? ColorRole::Good : isRead ? ColorRole::Warning : ColorRole::TextDim;
    equal += row.equal ? 1 : 0;
    ImGui::BeginGroup();
    label(context, row.plain);
    cell(std::to_string(row.predicted), rights[0], ColorRole::Text);
    cell(isRead ? std::to_string(*row.measured) : "not read", rights[1], isRead ? ColorRole::Text : color);
    cell(row.equal ? "=" : isRead ? "≠" : "?", width - 4 * context.unit, color);
    ImGui::EndGroup();
    hint(context, std::string(row.name).c_str());
    if (!row.reason.empty()) wrappedText(context, row.reason, ColorRole::TextDim, FontRole::Small);
  }
  wrappedText(context,
              fmt::format("{} of {} equal. Predicted by the simulator, measured by {}.", equal,
                          outcome.counters.size(), outcome.countersTool),
              ColorRole::TextDim, FontRole::Small);
}

std::string shownBlocker(const ViewState& state) {
  const TextOutcome& outcome = state.gpu.text().outcome();
  const bool isTaken = !state.gpuPanel.refusal.empty() || state.gpu.text().busy();
  return isTaken || outcome.wasRun || outcome.wasCounted ? std::string() : state.gpu.textBlocker();
}

void GpuTextView::draw(const ViewContext& context, ImVec2 size) {
  const float top = ImGui::GetCursorPosY();
  drawTools(context);
  const float used = ImGui::GetCursorPosY() - top;
  ImGui::BeginChild("gpu text", ImVec2(size.x + 6 * context.unit, std::max(1.0F, size.y - used)));
  const GpuText& text = context.state.gpu.text();
  const TextOutcome& outcome = text.outcome();
  const float width = std::min(size.x - ImGui::GetStyle().ScrollbarSize, 560 * context.unit);
  const std::string blocker = shownBlocker(context.state);
  if (!context.state.gpuPanel.refusal.empty()) {
    wrappedText(context, context.state.gpuPanel.refusal, ColorRole::Bad);
  } else if (text.busy()) {
    label(context, text.stageText(), ColorRole::TextDim);
  } else if (!blocker.empty()) {
    wrappedText(context, blocker, ColorRole::TextDim);
  } else if (!outcome.wasRun && !outcome.wasCounted) {
    wrappedText(context,
                "Run on GPU compiles the current text, edited or not, runs its launch and compares every "
                "value with the simulator's.",
                ColorRole::TextDim);
  }
  const Document* document = context.session().editor().current();
  if (outcome.source != nullptr) {
    const bool isOld = document == nullptr || !text.isAbout(document->buffer.text());
    heading(context, outcome.title, isOld ? "not the current text" : "");
  }
  // The last request comes first.
  if (outcome.countedLast) drawCounters(context, outcome, width);
  if (outcome.wasRun) drawRun(context, outcome);
  if (!outcome.countedLast) drawCounters(context, outcome, width);
  endScrolling(context);
}

}  // namespace lanescope
