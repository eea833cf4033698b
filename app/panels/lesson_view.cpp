#include "app/panels/lesson_view.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include "app/base/whole.h"
#include "app/course/glossary.h"
#include "app/course/lesson.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/markdown_text.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/pictures/cost_scene.h"
#include "app/pictures/picture_plan.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kLabelShare = 0.38F;  ///< of the column: a wider label is above its bar

/// `1,245 µs, 0.50`
std::string barText(double us, double first) {
  return first > 0 ? fmt::format("{}, {:.2f}", microsecondsText(us), us / first) : microsecondsText(us);
}

}  // namespace

BarChart experimentBars(const ExperimentTimes& times, const ExperimentProfiles& profiles) {
  BarChart chart;
  chart.empty = "Not timed yet.";
  const double first = times.us(0);
  for (std::size_t i = 0; i < times.variants.size(); ++i) {
    const auto& result = times.results[i];
    if (!result) continue;
    BarEntry bar;
    bar.label = times.variants[i].name;
    bar.wrong = !result->verified;
    bar.value = times.us(i);
    bar.text = bar.wrong ? "wrong result" : barText(bar.value, first);
    bar.highlight = i == 0;
    bar.lowerQuartile = result->q1Us;
    bar.upperQuartile = result->q3Us;
    if (result->registers > 0)
      bar.note = std::to_string(result->registers) + " registers, at most " +
                 std::to_string(result->residentBlocks) + " blocks per SM";
    if (i < profiles.clauses.size() && !profiles.clauses[i].empty())
      bar.note += (bar.note.empty() ? "" : "\n") + profiles.clauses[i];
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

void ExperimentPage::read(const Strategy& strategy) {
  if (!isLoaded_) {
    if (const auto recording = shippedExperiments()) recorded_ = recording->data();
    if (auto profiles = shippedExperimentProfiles()) profiled_ = std::move(profiles).value();
    isLoaded_ = true;
  }
  shown_ = &strategy;
  entries_.clear();
  parts_.clear();
  for (const Experiment* experiment : findExperiments(strategy)) {
    const ExperimentTimes times = readTimes(*experiment, recorded_);
    Entry entry;
    const ExperimentProfiles profiles = readProfiles(times.variants, profiled_);
    entry.bars = experimentBars(times, profiles);
    if (entry.bars.bars.empty()) continue;  // not recorded
    entry.text = parseMarkdown("## Experiment: " + experiment->title + "\n\n" + experiment->question + "\n");
    markTerms(entry.text);
    const bool isProfiled =
        std::ranges::any_of(profiles.clauses, [](const std::string& clause) { return !clause.empty(); });
    entry.foot = times.source.empty() ? ""
                                      : "Bars: " + factorNames(*experiment) + ". " +
                                            settingText({times.source, experiment->n, experiment->block}) +
                                            ": medians, and ratios to the first." +
                                            (isProfiled ? " Point at a bar to see what limits it." : "");
    entries_.push_back(std::move(entry));
  }
}

void ExperimentPage::draw(const ViewContext& context, const Strategy& strategy) {
  if (shown_ != &strategy) read(strategy);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    parts_.draw(i, [&] { drawEntry(context, entries_[i], fmt::format("experiment {}", i)); });
}

void ExperimentPage::drawEntry(const ViewContext& context, Entry& entry, const std::string& id) {
  for (const MarkdownBlock& block : entry.text) drawMarkdownBlock(context, block);
  const float width = ImGui::GetContentRegionAvail().x;
  BarChart& bars = entry.bars;
  bars.labelsAbove = std::ranges::any_of(bars.bars, [&](const BarEntry& bar) {
    return labelWidth(context, bar.label, FontRole::Bold) > kLabelShare * width;
  });
  const SceneContext layout =
      context.scene(ImVec2(width, leastBarChartHeight(bars, context.unit) + 4 * context.unit));
  showScene(context, barChartScene(bars, layout, context.measure), id.c_str());
  wrappedText(context, entry.foot, ColorRole::TextDim);
  ImGui::Dummy(ImVec2(0, 4 * context.unit));
}

namespace {

constexpr float kListWidth = 350;  ///< units, if the lesson has no column

std::string lessonLabel(const Strategy& strategy) { return courseNumber(strategy) + "  " + strategy.title; }

std::size_t countVisited(const Settings& settings, const std::string* chapter) {
  return static_cast<std::size_t>(std::ranges::count_if(strategies(), [&](const Strategy& strategy) {
    return (chapter == nullptr || strategy.chapter == *chapter) && settings.hasVisited(strategy.id);
  }));
}

}  // namespace

PanelInfo lessonPanel(std::string_view id, const WindowShape& shape) {
  if (!shape.presents && !shape.folds) return {.id = id, .place = Place::Lesson, .leastWidth = 351};
  PanelInfo below{.id = id, .place = Place::Source, .order = 1, .least = 150, .share = 0.26F, .zoom = 2.4F};
  if (shape.asks()) below.least = 260;
  if (shape.asks()) below.leastPart = 0.56F;
  return below;
}

PanelInfo LessonView::panel(const WindowShape& shape) const {
  PanelInfo info = lessonPanel("lesson", shape);
  info.isShown = !shape.asks() && !(shape.folds && shape.sourceIsTall && !shape.presents);
  return info;
}

std::vector<Command> LessonView::commands(ViewState& state) {
  return {{.id = "lessons",
           .keys = {"Ctrl+F"},
           .help = {"the list of lessons, to search; Enter opens the first that is found", HelpGroup::Choice},
           .tip = "The lessons by chapters; searches titles and texts",
           .blocked =
               [&state] {
                 const bool isShown = state.mode == Mode::Explore && !state.guides();
                 return isShown ? "" : "The list of lessons opens beside a lesson.";
               },
           .whileTyping = true,
           .run = [this] { opensList_ = true; }}};
}

void LessonView::draw(const ViewContext& context, ImVec2 size) {
  const bool isColumn = !context.state.presenting && !context.state.isFolded;
  if (isColumn) drawTitle(context);
  drawList(context, isColumn);
  if (context.state.presenting) return drawPhase(context);
  const float gap = 8 * context.unit;
  constexpr float kLeastLines = 4;
  if (context.replay() != nullptr) {
    drawPhase(context);
    const float rest = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - gap;
    if (context.state.isFolded && rest < kLeastLines * ImGui::GetTextLineHeightWithSpacing()) return;
    ImGui::Dummy(ImVec2(0, 2 * context.unit));
    ImGui::Separator();
  }
  const Strategy* const strategy = context.session().selection().strategy;
  if (strategy == nullptr) return;
  const bool isNew = readLesson(context, *strategy);
  const std::string note = numbersNote(context, *strategy);
  if (!note.empty()) drawNumbersNote(context, note);
  const float used = ImGui::GetCursorPosY();
  ImGui::BeginChild("lesson text", ImVec2(size.x, ImGui::GetCursorStartPos().y + size.y - used));
  if (isNew) ImGui::SetScrollY(0);
  drawLesson(context, *strategy, note.empty());
  endScrolling(context);
}

void LessonView::drawPhase(const ViewContext& context) {
  if (context.replay() == nullptr) return;
  const auto& texts = context.session().plan()->phaseTexts;
  const std::uint32_t phase = context.replay()->currentPhase();
  if (phase >= texts.size()) return;
  for (const MarkdownBlock& block : texts[phase]) drawMarkdownBlock(context, block);
}

/// The rows of the list: chapters and the lessons that match the search, each chapter above its own.
void LessonView::findRows(const std::string& words) {
  if (words == searched_ && !rows_.empty()) return;
  searched_ = words;
  rows_.clear();
  const std::string* chapter = nullptr;
  for (const Strategy& strategy : strategies()) {
    if (!matches(strategy, words)) continue;
    if (chapter == nullptr || *chapter != strategy.chapter) rows_.push_back({nullptr, strategy.chapter});
    chapter = &strategy.chapter;
    rows_.push_back({&strategy, lessonLabel(strategy)});
  }
}

/// The lesson's title, which opens the list, and the lessons before and after it.
void LessonView::drawTitle(const ViewContext& context) {
  const Strategy* const strategy = context.session().selection().strategy;
  const float unit = context.unit;
  const float height = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = ImGui::GetContentRegionAvail().x - 2 * (height + gap);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  commandButton(context, "lessons", {.text = "##list", .width = width, .height = height});
  const float arrow = 4 * unit;
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  const float room = width - 4 * arrow - 3 * gap;
  const std::string title = cutToFit(strategy == nullptr ? "Lessons" : lessonLabel(*strategy), room);
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  drawList.AddText(ImVec2(at.x + gap, at.y + (height - ImGui::GetTextLineHeight()) / 2),
                   context.color(ColorRole::Text), title.c_str());
  ImGui::PopFont();
  const ImVec2 foot(at.x + width - gap - arrow, at.y + height / 2 + arrow / 2);
  drawList.AddTriangleFilled(ImVec2(foot.x - arrow, foot.y - arrow), ImVec2(foot.x + arrow, foot.y - arrow),
                             foot, context.color(ColorRole::TextDim));
  ImGui::SameLine(0, gap);
  commandButton(context, "previous lesson", {.text = "<##lesson", .width = height, .height = height});
  ImGui::SameLine(0, gap);
  commandButton(context, "next lesson", {.text = ">##lesson", .width = height, .height = height});
}

/// The list over the lesson, below its title, until a lesson is chosen. If the lesson has no column, over the
/// panels.
void LessonView::drawList(const ViewContext& context, bool isColumn) {
  constexpr const char* kName = "lessons";
  const bool isNew = std::exchange(opensList_, false);
  if (isNew) {
    ImGui::OpenPopup(kName);
    words_.clear();
  }
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  const float margin = 12 * context.unit;
  const float width = kListWidth * context.unit;
  Area area{std::min(ImGui::GetWindowPos().x, all.x - width), margin, width, all.y - 2 * margin};
  if (isColumn) {
    area = {ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y, ImGui::GetWindowWidth(), 0};
    area.h = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - area.y;
  }
  ImGui::SetNextWindowPos(ImVec2(area.x, area.y));
  ImGui::SetNextWindowSize(ImVec2(area.w, area.h));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  const bool isOpen = ImGui::BeginPopup(kName, ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  if (!isOpen) return;
  drawSearch(context, isNew);
  drawRows(context, isNew);
  ImGui::EndPopup();
}

void LessonView::drawSearch(const ViewContext& context, bool isNew) {
  heading(context, "LESSONS",
          fmt::format("{} of {} opened", countVisited(context.state.settings, nullptr), strategies().size()));
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (isNew) focusNextItem();
  const bool isEntered =
      ImGui::InputTextWithHint("##search lessons", "search", &words_,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  findRows(words_);
  if (isEntered && rows_.size() > 1) open(context, *rows_[1].strategy);
}

void LessonView::open(const ViewContext& context, const Strategy& strategy) {
  context.session().chooseStrategy(strategy);
  ImGui::CloseCurrentPopup();
}

void LessonView::drawRow(const ViewContext& context, const Row& row, float height) {
  const float unit = context.unit;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float indent = 8 * unit;
  const ImVec2 text(at.x + indent, at.y + (height - ImGui::GetTextLineHeight()) / 2);
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  if (row.strategy == nullptr) {
    ImGui::Dummy(ImVec2(width, height));
    if (!ImGui::IsItemVisible()) return;
    ImGui::PushFont(context.fonts.of(FontRole::Bold));
    drawList.AddText(ImVec2(at.x, text.y), context.color(ColorRole::TextDim),
                     cutToFit(row.text, width - ImGui::CalcTextSize("00/00 ").x).c_str());
    ImGui::PopFont();
    const std::string progress = fmt::format("{}/{}", countVisited(context.state.settings, &row.text),
                                             std::ranges::count(strategies(), row.text, &Strategy::chapter));
    drawList.AddText(ImVec2(at.x + width - ImGui::CalcTextSize(progress.c_str()).x, text.y),
                     context.color(ColorRole::TextDim), progress.c_str());
    return;
  }
  const Strategy& strategy = *row.strategy;
  const bool isLit = &strategy == context.session().selection().strategy;
  if (ImGui::InvisibleButton(strategy.title.c_str(), ImVec2(width, height))) open(context, strategy);
  if (!ImGui::IsItemVisible()) return;
  if (isLit || ImGui::IsItemHovered()) {
    drawList.AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                           context.color(isLit ? ColorRole::Accent : ColorRole::Cell), 4 * unit);
  }
  const ColorRole color = isLit ? ColorRole::TextOnAccent : ColorRole::Text;
  const float mark = 14 * unit;
  drawList.AddText(text, context.color(color), cutToFit(row.text, width - indent - mark).c_str());
  if (context.state.settings.hasVisited(strategy.id)) {
    // A check mark, drawn because the font need not have one.
    const ImVec2 foot(at.x + width - 0.6F * mark, at.y + height / 2 + 3.5F * unit);
    const ImU32 ink = context.color(isLit ? ColorRole::TextOnAccent : ColorRole::TextDim);
    drawList.AddLine(ImVec2(foot.x - 3 * unit, foot.y - 3 * unit), foot, ink, 1.4F * unit);
    drawList.AddLine(foot, ImVec2(foot.x + 5 * unit, foot.y - 7 * unit), ink, 1.4F * unit);
  }
  const ImVec2 window = ImGui::GetWindowPos();
  if (ImGui::IsItemHovered() && !strategy.summary.empty())  // beside the list: its other rows stay readable
    tip(context, {.text = strategy.summary, .rightEdge = window.x + ImGui::GetWindowWidth()}, 320);
}

void LessonView::drawRows(const ViewContext& context, bool isNew) {
  const Strategy* const chosen = context.session().selection().strategy;
  const float pitch = std::floor(ImGui::GetTextLineHeight() + 7 * context.unit);
  const float rows = std::max(1.0F, std::floor(ImGui::GetContentRegionAvail().y / pitch));
  list_.begin("strategies", 0, toWhole<std::size_t>(rows), pitch);
  if (std::exchange(shownRows_, rows_.size()) != rows_.size()) ImGui::SetScrollY(0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (isNew && chosen != nullptr && rows_[i].strategy == chosen) list_.reveal(i);
    drawRow(context, rows_[i], list_.pitch());
  }
  if (rows_.empty()) wrappedText(context, "No lesson has that in it.", ColorRole::TextDim);
  list_.end();
}

/// True if the lesson is another one than in the last frame.
bool LessonView::readLesson(const ViewContext& context, const Strategy& strategy) {
  if (&strategy == parsed_) return false;
  blocks_ = lessonBlocks(strategy);
  parsed_ = &strategy;
  shownBlocks_.clear();
  shownCost_.clear();
  context.state.settings.visit(strategy.id);
  return true;
}

/// `isItsOwn`: the numbers on the screen are those of the text.
void LessonView::drawLesson(const ViewContext& context, const Strategy& strategy, bool isItsOwn) {
  const Replay* replay = context.replay();
  std::optional<std::size_t> item;
  if (replay != nullptr && context.session().shown().strategy == &strategy)
    item =
        findLessonItem(blocks_, replay->trace().phases, replay->currentPhase(), context.session().shown().n);
  if (item && !isItsOwn && dependsOnMachine(blocks_[*item])) item.reset();
  // It comes into sight when the phase changes, not when the lesson opens at its beginning.
  const bool isMoved = item != current_ && generation_ == context.player().generation();
  current_ = item;
  generation_ = context.player().generation();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (item == i && isMoved)
      ImGui::SetScrollFromPosY(ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y, 0.2F);
    shownBlocks_.draw(i, [&] { drawBlock(context, i, item == i); });
  }
  shownCost_.draw(0, [&] { drawCost(context, strategy); });
  experiments_.draw(context, strategy);
  drawNext(context, strategy);
}

/// Where the time of a reduction goes, line by line, beside the other kernels of its chapter. Nothing if it
/// is the only one that was profiled.
void LessonView::drawCost(const ViewContext& context, const Strategy& strategy) {
  if (strategy.family != Family::Reduction || context.state.hidesFuture()) return;
  const CostChart chart = context.state.costs.ofChapter(
      context.state.profiles, {&strategy, strategy.title, strategy.source, nullptr});
  if (chart.kernels.size() < 2) return;
  SceneContext layout = context.scene(ImVec2(ImGui::GetContentRegionAvail().x, 0));
  layout.height = leastCostHeight(chart, layout, context.measure);
  const SceneInput input = showScene(context, costScene(chart, layout, context.measure), "cost");
  const Document* const document = context.session().editor().current();
  const bool isLine = input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::Line;
  if (isLine && document != nullptr && document->buffer.text() == strategy.source)
    askForCode(context.state, input.hit->index);
}

/// The button to the next lesson, below the lesson.
void LessonView::drawNext(const ViewContext& context, const Strategy& strategy) {
  if (&strategy == &strategies().back()) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const float padding = 2 * ImGui::GetStyle().FramePadding.x;
  const std::string title = cutToFit("Next: " + (&strategy + 1)->title, width - padding);
  commandButton(context, "next lesson", {.text = title.c_str(), .width = width});
}

std::string LessonView::numbersNote(const ViewContext& context, const Strategy& strategy) {
  const Session& session = context.session();
  const MachineModel* const machine = session.selection().machine;
  if (machine == nullptr) return {};
  const std::pair of{&strategy, lessonN(blocks_, session.shown().n)};
  if (counted_ != of) lessonBlocks_ = lessonBlocks(strategy, of.second);
  counted_ = of;
  return lessonNumbersNote(blocks_, *machine, session.shown().n, session.gridBlocks(), lessonBlocks_);
}

/// The source of the lesson's numbers, and a button to it: above the text, where it stays in sight.
void LessonView::drawNumbersNote(const ViewContext& context, const std::string& note) {
  constexpr const char* kGo = "Go there";
  const float button = pillWidth(context, kGo);
  const float height = ImGui::GetFrameHeight();
  const float room = ImGui::GetContentRegionAvail().x - button - 8 * context.unit;
  const ImVec2 at = ImGui::GetCursorPos();
  const float text = ImGui::CalcTextSize(note.c_str(), nullptr, false, room).y;
  ImGui::SetCursorPos(ImVec2(at.x, at.y + std::max(0.0F, (height - text) / 2)));
  ImGui::PushTextWrapPos(at.x + room);
  label(context, note, ColorRole::TextDim);
  ImGui::PopTextWrapPos();
  ImGui::SetCursorPos(ImVec2(at.x + room + 8 * context.unit, at.y + std::max(0.0F, (text - height) / 2)));
  const std::uint64_t n = lessonN(blocks_, context.session().shown().n);
  if (pill(context, kGo, false, button, height)) context.session().chooseSetup(n, machinePresets().front());
  hint(context, ("N = " + std::to_string(n) + " on " + std::string(machinePresets().front().name)).c_str());
  ImGui::SetCursorPos(ImVec2(at.x, at.y + std::max(text, height) + 4 * context.unit));
}

void LessonView::drawBlock(const ViewContext& context, std::size_t index, bool isCurrent) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  if (isCurrent) drawList.ChannelsSplit(2);
  if (isCurrent) drawList.ChannelsSetCurrent(1);
  drawMarkdownBlock(context, blocks_[index]);
  if (!isCurrent) return;
  drawList.ChannelsSetCurrent(0);
  const ImVec2 to(from.x + ImGui::GetContentRegionAvail().x,
                  ImGui::GetCursorScreenPos().y - 3 * context.unit);
  drawList.AddRectFilled(ImVec2(from.x, from.y - 3 * context.unit), to,
                         context.color(ColorRole::Accent, 0.22F), 4 * context.unit);
  drawList.AddRectFilled(ImVec2(from.x, from.y - 3 * context.unit), ImVec2(from.x + 3 * context.unit, to.y),
                         context.color(ColorRole::Accent), 2 * context.unit);
  drawList.ChannelsMerge();
}

}  // namespace lanescope
