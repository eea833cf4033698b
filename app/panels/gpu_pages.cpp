#include "app/panels/gpu_pages.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_view.h"
#include "app/pictures/cost_scene.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kMostCost = 1.8F;          ///< times the least height that the picture of the costs takes
constexpr const char* kUsualGpu = "h200";  ///< its floors are shown if the shown GPU is unknown

/// The rates of the shown GPU, else those of the usual one.
Result<GpuRates> ratesOnShow(const GpuSession& gpu) {
  const auto& hello = gpu.data().hello();
  auto rates = findGpuRates(hello ? hello->gpu : kUsualGpu);
  return rates ? rates : findGpuRates(kUsualGpu);
}

Result<FloorRequest> requestFor(const ViewState& state, std::uint64_t largestN) {
  auto rates = ratesOnShow(state.gpu);
  if (!rates) return rates.error();
  FloorRequest request;
  const std::uint64_t n = largestN != 0 ? std::min(state.gpuPanel.n, largestN) : state.gpuPanel.n;
  request.query = {n, state.gpuPanel.block, CacheState::Cold, std::move(rates).value(), {}, {}};
  return request;
}

}  // namespace

Result<FloorRequest> makeFloorRequest(const ViewState& state, const Strategy& strategy) {
  auto request = requestFor(state, strategy.largestN);
  if (request) request.value().strategy = &strategy;
  return request;
}

Result<FloorRequest> makeFloorRequest(ViewState& state, const Document& document) {
  if (document.form || document.strategy == nullptr) {
    auto request = requestFor(state, 0);
    auto launch = makeGpuLaunch(document, state.session.selection(), *state.session.editor().kernelCache());
    if (!launch) return launch.error();
    if (launch->raw != nullptr)
      return Error{"Floors of a launch with a program's data are not counted.",
                   "Write the arguments in the launch form."};
    if (!request) return request;
    request.value().launch = std::move(launch).value();
    request.value().query.toolkit = state.machineCode.toolkit();
    return request;
  }
  if (state.session.editor().findFacts().element != ElementType::Float)
    return Error{"Floors are counted of strategies over floats."};
  const Strategy& strategy = *document.strategy;
  auto request = makeFloorRequest(state, strategy);
  if (const std::string text = document.buffer.text(); request && text != strategy.source)
    request.value().query.text = std::make_shared<SourceText>(std::string(strategy.file), text);
  if (request) request.value().query.toolkit = state.machineCode.toolkit();
  return request;
}

namespace {

WhyRow findRow(const TextProfile& profile, const Strategy* atHand) {
  const Diagnosis& diagnosis = profile.diagnosis;
  WhyRow row;
  const std::string& id = profile.profile->kernel.strategy;
  row.label = contenderTitle(id);
  row.parts = whyParts(diagnosis);
  row.highlight = atHand != nullptr && atHand->id == id;
  row.tooltip = row.label + "\n" + diagnosis.sentence;
  for (const StallShare& stall : diagnosis.stalls) {
    if (stall.share >= 0.02)
      row.tooltip +=
          fmt::format("\n{:.0f}% {} ({})", 100 * stall.share, stall.reason.words,
                      stall.reason.nsight.empty() ? std::string_view(stall.id) : stall.reason.nsight);
  }
  row.tooltip += "\n" + profile.origin;
  if (const LineShare* const line = diagnosis.costliestLine()) {
    row.note = fmt::format("line {}, {:.0f}%", line->line, 100 * line->share);
    row.tooltip += fmt::format("\nline {}: {}", line->line, line->text);
  }
  return row;
}

/// The part of the page about the current text.
void describeText(WhyChart& chart, TextProfiles& profiles, const WhyText& text) {
  const Strategy* const strategy = text.strategy;
  if (const TextProfile* const own = profiles.of(text.text)) {
    chart.units = own->diagnosis.units;
    chart.sentence = text.title + ". " + own->diagnosis.sentence + " Measured on " + own->origin + ".";
  } else if (strategy != nullptr && text.text == strategy->source) {
    chart.sentence =
        fmt::format("No profile of {} was recorded; lanescope-gpu profile {} --record FILE makes one.",
                    strategy->title, strategy->id);
  } else {
    chart.sentence =
        text.title + " was not profiled: Profile does it, on a connected GPU with Nsight Compute.";
  }
}

/// The possible gain from a change of a strategy's text, if only its unedited text was timed.
std::string changeSentence(const Floors& floors, double ownUs) {
  return fmt::format(
      " The strategy's own text takes {:.1f} µs: this one can be {:.2f} times as fast at best.", ownUs,
      ownUs / floors.us());
}

void describeFloors(WhyChart& chart, TextProfiles& profiles, const WhyText& text) {
  if (text.floors == nullptr) {
    chart.floorSentence = text.floorNote;
    return;
  }
  const FloorReport& report = *text.floors;
  const Floors& floors = report.floors;
  const TextProfile* const own = profiles.of(text.text);
  const bool isEdited = text.strategy != nullptr && text.text != text.strategy->source;
  const double us = text.measuredUs > 0 || isEdited ? text.measuredUs : text.ownUs;
  const std::string where = report.n == 0 ? "Its launch"
                                          : fmt::format("N = {}, {} per block", sizeText(report.n),
                                                        counted(report.threads, "thread"));
  chart.floorSentence = fmt::format("{} on {}. {}", where, report.gpu.gpu, floorSentence(floors, us));
  if (us <= 0 && isEdited && text.ownUs > 0 && floors.us() > 0)
    chart.floorSentence += changeSentence(floors, text.ownUs);
  const std::string waiting = waitingSentence(floors, us, own == nullptr ? nullptr : &own->diagnosis);
  if (!waiting.empty()) chart.floorSentence += " " + waiting;
  if (report.isOfText) chart.floorSentence.append(" ").append(report.textNote());
  for (const UnitFloor& unit : floors.units) {
    chart.floors.push_back(
        {std::string(unitName(unit.unit)) + ", floor", unit.us,
         fmt::format("{} µs{}", microseconds(unit.us), unit.rate.isMeasured ? "" : " (datasheet)")});
  }
  chart.floorScaleUs = std::max(us, floors.us());
}

}  // namespace

WhyChart makeWhyChart(TextProfiles& profiles, const WhyText& text) {
  WhyChart chart;
  describeText(chart, profiles, text);
  describeFloors(chart, profiles, text);
  if (!profiles.problem().empty()) {
    chart.sentence += " " + profiles.problem();
    return chart;
  }
  for (const TextProfile* profile : profiles.ofStrategies()) {
    chart.rows.push_back(findRow(*profile, text.strategy));
    chart.origin = profile->origin;
  }
  return chart;
}

void askForCode(ViewState& state, std::uint32_t line) {
  if (state.maximised == "gpu") state.maximised.reset();
  if (state.showsSource()) state.askedCode = line;
}

// The GPU panel's page "why": the parts of the time, its floors, and profiling the current text.

/// Stores a profile that the worker has made of a text.
void GpuView::syncProfile(ViewState& state) {
  const GpuText& text = state.gpu.text();
  if (std::exchange(outcomeSeen_, text.revision()) == text.revision() || text.busy()) return;
  const TextOutcome& outcome = text.outcome();
  if (outcome.profile == nullptr || state.gpu.liveGpu() == nullptr || outcome.profile == profileKept_) return;
  profileKept_ = outcome.profile;
  state.profiles.add(*outcome.profile, outcome.source->text(), *state.gpu.liveGpu());
}

namespace {

/// Floors of a text that was not profiled are of the launch that its strategy's chapter was profiled with, if
/// one was on that GPU: they stand beside its kernels on one scale.
void askLikeProfiles(FloorQuery& query, TextProfiles& profiles, const Strategy& strategy) {
  const TextProfile* const like = profiles.of(strategy.source);
  if (like == nullptr) return;
  const CostSetting setting = settingOf(*like);
  if (setting.n == 0 || setting.gpu != query.gpu.gpu) return;
  query.n = setting.n;
  query.threads = setting.threads;
}

}  // namespace

void GpuView::syncFloors(const ViewContext& context) {
  ViewState& state = context.state;
  const Document* const document = state.session.editor().current();
  if (document == nullptr) return;
  const auto& hello = state.gpu.data().hello();
  const auto key =
      std::make_tuple(document, document->buffer.revision(), state.gpuPanel.n, state.gpuPanel.block,
                      hello ? hello->gpu : std::string(), state.profiles.revision());
  if (floorsOf_ == key) return;
  floorsOf_ = key;
  auto request = makeFloorRequest(state, *document);
  floorProblem_ = request ? "" : request.error().sentence();
  if (!request) return;
  request.value().profile = state.profiles.of(document->buffer.text());
  if (request->profile == nullptr && request->strategy != nullptr)
    askLikeProfiles(request.value().query, state.profiles, *request->strategy);
  state.session.floors().show(std::move(request).value());
}

WhyText GpuView::whyText(const ViewContext& context) const {
  ViewState& state = context.state;
  WhyText why;
  const Document* const document = state.session.editor().current();
  if (document == nullptr) {
    why.title = "No text is open";
    return why;
  }
  FloorWatch& watch = state.session.floors();
  why.strategy = document->form ? nullptr : document->strategy;
  why.title = why.strategy != nullptr ? why.strategy->title : document->name();
  why.text = whyText_;
  why.floors = floorProblem_.empty() ? watch.report() : nullptr;
  why.floorNote = !floorProblem_.empty()     ? floorProblem_
                  : !watch.problem().empty() ? watch.problem()
                                             : "Counting what it needs at least…";
  if (why.floors == nullptr || why.strategy == nullptr) return why;
  const auto& hello = state.gpu.data().hello();
  if (!hello || hello->gpu != why.floors->gpu.gpu) return why;
  BenchSetting setting{.block = why.floors->threads};
  const auto own = state.gpu.data().reading(setting.key(why.strategy->id, why.floors->n));
  if (own && !own->wrong) why.ownUs = own->medianUs;
  const GpuText& text = state.gpu.text();
  const auto& timing = text.outcome().timing;
  if (timing && !timing->wrong && timing->n == why.floors->n && timing->block == why.floors->threads &&
      timing->gpu == hello->gpu && text.isAbout(whyText_))
    why.measuredUs = timing->medianUs;
  return why;
}

/// The notice below the page: a profile in progress, or the outcome of the last.
std::string GpuView::whyNotice(const ViewState& state) {
  const GpuText& text = state.gpu.text();
  if (text.busy()) return std::string(text.stageText());
  if (!state.gpuPanel.refusal.empty()) return state.gpuPanel.refusal;
  if (text.outcome().wasProfiled) return text.outcome().profileProblem;
  return state.gpuPanel.notice;
}

/// The time of the current text and of its chapter by lines; below it its parts for the current text and for
/// the profiled strategies.
void GpuView::drawWhy(const ViewContext& context, ImVec2 size) {
  syncFloors(context);
  const Document* const document = context.session().editor().current();
  whyText_ = document == nullptr ? std::string() : document->buffer.text();
  const WhyText why = whyText(context);
  const WhyChart chart = makeWhyChart(context.state.profiles, why);
  const bool isEdited = why.strategy != nullptr && why.text != why.strategy->source;
  const CostChart cost = context.state.costs.ofChapter(
      context.state.profiles, {why.strategy, why.title + (isEdited ? ", edited" : ""), why.text, why.floors});
  SceneContext layout = context.scene(ImVec2(size.x - ImGui::GetStyle().ScrollbarSize, size.y));
  layout.unit = chartUnit(context);
  const float least = leastWhyHeight(chart, layout, context.measure);
  const float leastCost = leastCostHeight(cost, layout, context.measure);
  if (least + leastCost <= size.y) layout.width = size.x;
  const SceneContext whole = layout;
  layout.height = std::clamp(size.y - least, leastCost, kMostCost * leastCost);
  scene_ = costScene(cost, layout, context.measure);
  SceneContext below = whole;
  below.height = std::max(size.y - scene_.height, least);
  if (below.pointer) below.pointer->y -= scene_.height;
  const float top = scene_.height;
  scene_.height += below.height;
  scene_.append(whyScene(chart, below, context.measure), 0, top);
  dropCutLetters(scene_.items, ImGui::GetScrollY(), ImGui::GetScrollY() + size.y);
  const SceneInput input = showScene(context, scene_, "why");
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::Line)
    askForCode(context.state, input.hit->index);
}

namespace {

std::string timesText(double median, double q1, double q3, std::size_t samples) {
  return fmt::format("{}, quartiles {} to {}, {}", microsecondsText(median), figure(q1), microsecondsText(q3),
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
                ColorRole::Text, FontRole::Bold);
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
      wrappedText(context, where + "the sum is wrong, so its time has no meaning.", ColorRole::Bad);
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
  if (document == nullptr) return Error{"No text to run yet.", "Open a kernel first (Ctrl+O)."};
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
  if (task.launch.raw != nullptr) {
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
    const ColorRole color = row.equal ? ColorRole::Text : isRead ? ColorRole::Warning : ColorRole::TextDim;
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
