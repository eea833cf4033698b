#include "app/panels/gpu_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/gpu/gpu_session.h"
#include "app/panels/gpu_words.h"
#include "kernels/strategies/shape.h"

namespace lanescope {
namespace {

constexpr float kSlack = 2;  ///< in pixels: ImGui scrolls by whole ones

}  // namespace

void BarReveal::syncTo(const Strategy* atHand, const BarChart& bars, const Scene& scene, float room) {
  const float now = ImGui::GetScrollY();
  if (std::abs(now - scroll_) > kSlack) isScrolled_ = true;
  if (std::exchange(atHand_, atHand) != atHand) isScrolled_ = false;
  scroll_ = now;
  const auto bar = std::ranges::find(bars.bars, true, &BarEntry::highlight);
  const auto index = static_cast<std::uint32_t>(bar - bars.bars.begin());
  const auto hit = std::ranges::find(scene.hits, index, &HitArea::index);
  const bool isPresent = bar != bars.bars.end() && hit != scene.hits.end();
  const Bar wanted = isPresent ? Bar{atHand, hit->y, room} : Bar{};
  if (std::exchange(shown_, wanted) == wanted || !isPresent || isScrolled_) return;
  const float most = std::max(scene.height - room, 0.0F);
  scroll_ = std::clamp(hit->y - (room - hit->h) / 2, 0.0F, most);
  ImGui::SetScrollY(scroll_);
}

// The GPU panel's commands: their keys and actions.

namespace {

/// Why the panel's keys do nothing.
std::string notInSight(const ViewState& state) {
  const bool hasPlace = state.mode == Mode::Explore || state.mode == Mode::Predict;
  if (hasPlace) return "";
  return "The GPU panel is not in sight: " + keyText(state, "escape") + " goes back to it.";
}

}  // namespace

PanelInfo GpuView::panel(const WindowShape& shape) const {
  return {.id = "gpu",
          .place = Place::Source,
          .order = 3,
          .least = 236,
          .share = 0.42F,
          .folded = 38,
          .open = shape.gpuIsOpen && !shape.sourceIsTall && !shape.folds ? 1.0F : 0.0F,
          .yields = 1,
          .isShown = !shape.presents || shape.maximised == "gpu",
          .zoom = 1.15F};  // its charts have larger letters already
}

std::vector<Command> GpuView::commands(ViewState& state) {
  GpuSession& gpu = state.gpu;
  constexpr HelpGroup kGroup = HelpGroup::Gpu;
  const HelpLine panel{"the GPU panel: its charts, or one line; Shift: large", kGroup};
  const HelpLine pages{"the GPU panel's next page, Shift: the previous one", kGroup};
  const HelpLine runs{"time on the GPU, or cancel; Shift: replay, counters, profile", kGroup};
  const HelpLine menu{"strategies to time, source of the times, files; Shift: cold or warm", kGroup};
  const HelpLine lists{"GPU: choose N, Shift: threads per block; blocks per grid", kGroup};
  const std::function<std::string()> blocked = [&state] { return notInSight(state); };
  const auto asks = [&state](void (*ask)(ViewState&)) {
    return [&state, ask] {
      enlargeGpu(state);
      ask(state);
    };
  };
  const auto opens = [this, &state](List list) { return [this, &state, list] { open(state, list); }; };
  const auto isText = [&state] { return state.gpuPanel.page == GpuPage::Text; };
  const auto isWhy = [&state] { return state.gpuPanel.page == GpuPage::Why; };
  const auto textBlocked = [&state, &gpu] {
    const std::string why = notInSight(state);
    return why.empty() ? gpu.textBlocker() : why;
  };
  return {
      {.id = "GPU panel",
       .keys = {"G"},
       .help = panel,
       .blocked = blocked,
       .run = [&state] { toggleGpu(state); }},
      {.id = "large GPU panel",
       .keys = {"Shift+G"},
       .help = panel,
       .label = "##larger",
       .tip = "Larger, over the other panels",
       .blocked = blocked,
       .run =
           [&state] {
             if (gpuIsMaximised(state)) return state.maximised.reset();
             state.maximised = "gpu";
           }},
      {.keys = {"F7"}, .help = pages, .blocked = blocked, .run = [this, &state] { turnPage(state, 1); }},
      {.keys = {"Shift+F7"},
       .help = pages,
       .blocked = blocked,
       .run = [this, &state] { turnPage(state, -1); }},
      // A run in progress is cancelled by the panel's own button, which has the same key.
      {.id = "run the text on the GPU",
       .keys = {"F8"},
       .help = runs,
       .label = "Run on GPU",
       .tip = "Compile the current text for the GPU, run it, and compare",
       .applies = [isText, &gpu] { return isText() && !gpu.text().busy(); },
       .blocked = textBlocked,
       .run = asks(runTextOnGpu)},
      {.id = "count the text on the GPU",
       .keys = {"Shift+F8"},
       .help = runs,
       .label = "Counters",
       .tip = "Read the launch's hardware counters with Nsight Compute",
       .applies = isText,
       .blocked = textBlocked,
       .run = asks(countTextOnGpu)},
      {.id = "profile the text on the GPU",
       .keys = {"Shift+F8"},
       .help = runs,
       .label = "Profile",
       .tip = "Profile the current text, line by line, with Nsight Compute on the connected GPU",
       .applies = [isWhy, &gpu] { return isWhy() && !gpu.text().busy(); },
       .blocked = textBlocked,
       .run = asks(profileTextOnGpu)},
      {.id = "run on the GPU",
       .keys = {"F8"},
       .help = runs,
       .tip = "Time what is chosen",
       .blocked =
           [&state, &gpu] {
             std::string why = notInSight(state);
             if (!why.empty() || isRunning(state) || gpu.isWithoutGpu()) return why;
             return withTitles(gpu.runBlocker());
           },
       .run = [this, &state] { return runOrCancel(state); }},
      {.id = "live or recorded",
       .keys = {"Shift+F8"},
       .help = runs,
       .tip = "Replay the recording that ships with Lanescope",
       .blocked = blocked,
       .run = [this, &state] { return showOther(state); }},
      {.id = "GPU menu",
       .keys = {"F9"},
       .help = menu,
       .tip = "Strategies to time, source of the times, comparison, files",
       .blocked = blocked,
       .run = opens(List::Menu)},
      {.id = "cold or warm",
       .keys = {"Shift+F9"},
       .help = menu,
       .blocked = blocked,
       .run =
           [this, &state] {
             enlargeGpu(state);
             CacheState& cache = choice_.setting.cache;
             cache = cache == CacheState::Cold ? CacheState::Warm : CacheState::Cold;
           }},
      {.keys = {"F10"}, .help = lists, .blocked = blocked, .run = opens(List::Sizes)},
      {.keys = {"Shift+F10"}, .help = lists, .blocked = blocked, .run = opens(List::Blocks)},
      {.keys = {"F12"}, .help = lists, .blocked = blocked, .run = opens(List::Grids)},
  };
}

namespace {

/// The text of an empty chart: its next event, or `otherwise` if nothing comes by itself.
std::string emptyText(const GpuSession& gpu, std::string otherwise) {
  if (gpu.animating()) return "Replaying the recording…";
  if (gpu.state() == WorkerState::Starting) return "Looking for a GPU…";
  return otherwise;
}

constexpr float kLargeLetters = 1.15F;
constexpr float kLeastProgress = 40;  ///< units, of the bar
constexpr float kLeastChart = 150;    ///< units, of its height
constexpr unsigned kSmallestPower = 12;
constexpr unsigned kLargestPower = 28;
constexpr std::array<std::uint32_t, 5> kBlocks{64, 128, 256, 512, 1024};

std::vector<std::uint64_t> sizesToRun() {
  std::vector<std::uint64_t> sizes;
  for (unsigned power = kSmallestPower; power <= kLargestPower; power += 2)
    sizes.push_back(std::uint64_t{1} << power);
  return sizes;
}

bool contains(const std::vector<std::uint64_t>& sizes, std::uint64_t n) {
  return std::ranges::find(sizes, n) != sizes.end();
}

bool isAlive(const GpuSession& gpu) {
  return gpu.state() == WorkerState::Ready || gpu.state() == WorkerState::Running;
}

}  // namespace

void GpuView::open(ViewState& state, List list) {
  enlargeGpu(state);
  opens_ = list;
  opensIn_ = ImGui::GetFrameCount() + 1;
}

void GpuView::turnPage(ViewState& state, int by) {
  enlargeGpu(state);
  constexpr int kCount = static_cast<int>(GpuPage::Text) + 1;
  GpuPage& page = state.gpuPanel.page;
  page = static_cast<GpuPage>((static_cast<int>(page) + by + kCount) % kCount);
  reveal_ = {};
}

bool GpuView::isRunning(const ViewState& state) {
  return state.gpu.state() == WorkerState::Running || state.gpu.text().busy();
}

/// Cancels the current run, or looks for a GPU if there is none, or times the choice.
void GpuView::runOrCancel(ViewState& state) {
  enlargeGpu(state);
  GpuSession& gpu = state.gpu;
  refusal_.clear();
  if (isRunning(state)) return gpu.cancel();
  if (gpu.isWithoutGpu()) return gpu.start();
  choice_.highlighted = state.session.selection().strategy;
  const bool isAllN = state.gpuPanel.page == GpuPage::OverN;
  const BenchPlan plan = makePlan(choice_, isAllN ? sizesToRun() : std::vector<std::uint64_t>{choice_.n});
  if (const std::optional<Error> error = gpu.run(plan)) refusal_ = error->sentence();
}

/// Switches from the live GPU's numbers to the recording's, and back.
Refusal GpuView::showOther(ViewState& state) {
  enlargeGpu(state);
  GpuSession& gpu = state.gpu;
  if (!isAlive(gpu)) return "There is no GPU here: a recording is shown.";
  refusal_.clear();
  if (gpu.source() == GpuSource::Recording) {
    gpu.showLive();
  } else if (const std::optional<Error> error = gpu.replay()) {
    refusal_ = error->sentence();
  }
  return std::nullopt;
}

void GpuView::draw(const ViewContext& context, ImVec2 size) {
  const GpuSession& gpu = context.state.gpu;
  GpuPanelState& panel = context.state.gpuPanel;
  syncData(gpu);
  syncProfile(context.state);
  if (panel.wantedPicks) choice_.picks = *std::exchange(panel.wantedPicks, std::nullopt);
  panel.picks = choice_.picks;
  panel.n = choice_.n;
  panel.block = choice_.setting.block;
  choice_.highlighted = context.session().selection().strategy;
  if (size.y < 2 * ImGui::GetFrameHeight()) {
    if (drawGpuLine(context, gpuLine(gpu, choice_, context.session().editor().current()), size.x))
      enlargeGpu(context.state);
    return;
  }
  const ImVec2 start = ImGui::GetCursorPos();
  // The buttons are hidden while presenting; keys do the same.
  const bool presents = context.state.presenting;
  drawSource(context, size.x);
  if (presents)
    drawSetting(context);
  else
    drawPages(context, size.x);
  const float used = ImGui::GetCursorPosY() - start.y;
  planChart(context);
  const std::string& news = gpu.sentence().empty() ? context.state.gpuPanel.notice : gpu.sentence();
  const std::string notice = presents ? "" : news;
  const std::string pageWords = panel.page == GpuPage::Text
                                    ? (shownBlocker(context.state).empty() ? notice : std::string())
                                : panel.page == GpuPage::Why ? whyNotice(context.state)
                                                             : wordsBelow(gpu, choice_, leftOutPins_, notice);
  const std::string sentence = withTitles(refusal_.empty() ? pageWords : refusal_);
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  const float controls = presents ? 0 : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float room = size.y - used - controls;
  float sentenceHeight = ImGui::CalcTextSize(sentence.c_str(), nullptr, false, size.x).y;
  // A small chart needs the room more than the news below it, which are also in a tip.
  const bool isNews = refusal_.empty() && pageWords == notice;
  const bool isCut = isNews && room - sentenceHeight < kLeastChart * context.unit;
  if (isCut) sentenceHeight = ImGui::GetTextLineHeight();
  const std::string shown = isCut ? cutToFit(sentence, size.x) : sentence;
  ImGui::PopFont();
  if (!sentence.empty()) sentenceHeight += 4 * context.unit;
  drawPicture(context, ImVec2(size.x, std::max(20.0F, room - (sentence.empty() ? 0 : sentenceHeight))));
  if (!sentence.empty()) {
    ImGui::PushTextWrapPos(start.x + size.x);
    label(context, shown, refusal_.empty() ? ColorRole::TextDim : ColorRole::Bad, FontRole::Small);
    ImGui::PopTextWrapPos();
    if (shown != sentence) hintAlways(context, sentence);
  }
  if (presents) return;
  ImGui::SetCursorPos(ImVec2(start.x, start.y + size.y - ImGui::GetFrameHeight()));
  drawRun(context, size.x);
}

/// What the page shows, in words.
void GpuView::drawSetting(const ViewContext& context) const {
  const GpuPage page = context.state.gpuPanel.page;
  std::string text = kGpuPageNames[static_cast<std::size_t>(page)];
  // The others name what they are about.
  if (page == GpuPage::Why || page == GpuPage::Text) return label(context, text);
  if (page != GpuPage::OverN) text += ", N = " + sizeText(choice_.n);
  text += ", " + std::to_string(choice_.setting.block) + " threads per block";
  text += choice_.setting.cache == CacheState::Cold ? ", cold L2" : ", warm L2";
  label(context, text);
}

/// Shows any numbers until the user chooses: a recording need not have the default N and block.
void GpuView::syncData(const GpuSession& gpu) {
  const BenchData& data = gpu.data();
  // A recording of another kind than before: whole reductions, or another type of element.
  if (data.series().size() != seriesSeen_) {
    seriesSeen_ = data.series().size();
    const auto isShown = [&](const auto& entry) { return choice_.setting.covers(entry.first); };
    if (seriesSeen_ > 0 && std::ranges::none_of(data.series(), isShown) && !chosen_) {
      const SeriesKey& first = data.series().begin()->first;
      choice_.setting = {first.block, first.cache, first.scope, first.type};
    }
  }
  // Each replay opens at its N, and stays there until the user chooses another.
  if (std::exchange(replaySeen_, gpu.replays()) == gpu.replays()) return;
  if (const auto size = gpu.openingSize(); size && *size > 0) choice_.n = *size;
}

/// Larger, over the pictures, and back: corners that point outwards or inwards.
void GpuView::drawSizeChoice(const ViewContext& context, float height) {
  const bool isLarge = gpuIsMaximised(context.state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  commandButton(context, "large GPU panel",
                {.width = height, .height = height, .tip = isLarge ? "Back to its place" : nullptr});
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const ImU32 ink = context.color(ColorRole::Text);
  const ImVec2 middle(at.x + height / 2, at.y + height / 2);
  const float far = height * 0.28F;
  const float near = height * 0.09F;
  const float thick = std::max(1.2F, 1.5F * context.unit);
  for (const float side : {-1.0F, 1.0F}) {
    const float tip = isLarge ? near : far;
    const ImVec2 corner(middle.x + side * tip, middle.y - side * tip);
    const float arm = isLarge ? far - near : near - far;
    drawList.AddLine(corner, ImVec2(corner.x + side * arm, corner.y), ink, thick);
    drawList.AddLine(corner, ImVec2(corner.x, corner.y - side * arm), ink, thick);
  }
}

void GpuView::drawSource(const ViewContext& context, float width) {
  const GpuSession& gpu = context.state.gpu;
  const float left = ImGui::GetCursorStartPos().x;
  if (drawGpuHeading(context)) toggleGpu(context.state);
  const float height = ImGui::GetTextLineHeight() + 4 * context.unit;
  const float room = pillWidth(context, GpuOptions::text(choice_), FontRole::Body);
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float tools = context.state.presenting ? left + width : left + width - room - spacing - height;
  std::string source = gpu.label();
  if (!source.empty()) {
    ImGui::SameLine(0, 8 * context.unit);
    ImGui::PushFont(context.fonts.of(FontRole::Bold));
    const float most = tools - spacing - ImGui::GetCursorPosX();
    const std::string whole = source;
    if (ImGui::CalcTextSize(source.c_str()).x > most) source = cutToFit(gpu.shortLabel(), most);
    ImGui::PopFont();
    label(context, source, gpu.source() == GpuSource::Recording ? ColorRole::TextDim : ColorRole::Text,
          FontRole::Bold);
    if (source != whole) hint(context, whole.c_str());
  }
  if (context.state.presenting) return;
  ImGui::SameLine(tools);
  drawSizeChoice(context, height);
  ImGui::SameLine(left + width - room);
  options_.draw(context, choice_, scene_, room, pollOpening(List::Menu));
}

void GpuView::drawPages(const ViewContext& context, float width) {
  constexpr std::array<const char*, kGpuPageNames.size()> kTips{
      "(bytes read + bytes written) / median time",
      "Median time of a launch, whiskers at the quartiles",
      "Bandwidth over the number of elements; the wheel zooms, a drag moves, Shift and a drag zoom to a box",
      "Where the time goes: each line's part of it, units near their peaks, and what warps wait for",
      "The current text on the GPU: run, compared, counted",
  };
  const float height = ImGui::GetFrameHeight();
  GpuPage& page = context.state.gpuPanel.page;
  for (std::size_t i = 0; i < kTips.size(); ++i) {
    const auto one = static_cast<GpuPage>(i);
    if (pill(context, kGpuPageNames[i], page == one, pillWidth(context, kGpuPageNames[i]), height)) {
      page = one;
      reveal_ = {};
    }
    hint(context, kTips[i]);
    ImGui::SameLine();
  }
  if (page == GpuPage::Why) {  // profiles are only of a cold L2
    const float wide = pillWidth(context, "Profile");
    ImGui::SameLine(ImGui::GetCursorStartPos().x + width - wide);
    return commandButton(context, "profile the text on the GPU", {.width = wide, .height = height});
  }
  const float cold = pillWidth(context, "cold");
  const float warm = pillWidth(context, "warm");
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - cold - warm - ImGui::GetStyle().ItemSpacing.x);
  CacheState& cache = choice_.setting.cache;
  if (pill(context, "cold", cache == CacheState::Cold, cold, height)) cache = CacheState::Cold;
  commandHint(context, "cold or warm", "L2 flushed before every sample");
  ImGui::SameLine();
  if (pill(context, "warm", cache == CacheState::Warm, warm, height)) cache = CacheState::Warm;
  commandHint(context, "cold or warm", "L2 warm: not flushed");
}

void GpuView::drawPicture(const ViewContext& context, ImVec2 size) {
  const GpuPage page = context.state.gpuPanel.page;
  if (page == GpuPage::Text) return drawText(context, size);
  // The chart has a margin as wide as the panel's. ImGui cuts a child at half the panel's.
  const float margin = ImGui::GetCursorStartPos().x;
  ImGui::SetCursorPosX(0);
  const ImVec2 room(size.x + 1.5F * margin, size.y);
  if (page == GpuPage::Why) {
    ImGui::BeginChild("why", room);
    drawWhy(context, room);
    return endScrolling(context);
  }
  const bool isLines = page == GpuPage::OverN;
  ImGui::BeginChild("chart", room, false, isLines ? ImGuiWindowFlags_NoScrollWithMouse : 0);
  if (isLines) {
    SceneContext layout = context.scene(room);
    layout.unit = chartUnit(context);
    lines_.draw(context, overN_, plans_, layout, scene_);
  } else {
    drawBars(context, room);
  }
  ImGui::EndChild();
}

/// The page on the current text; in larger letters if the panel is large.
void GpuView::drawText(const ViewContext& context, ImVec2 size) {
  if (!gpuIsMaximised(context.state)) return GpuTextView::draw(context, size);
  FontTable large = context.fonts;
  for (const FontRole role : {FontRole::Body, FontRole::Bold, FontRole::Small}) {
    float pixels = fontSize(role) * context.unit * kLargeLetters;
    large.fonts[static_cast<std::size_t>(role)] = context.fonts.sharpest(role, pixels);
  }
  const ViewContext larger{context.state, large, context.measure, context.pointed,
                           context.unit * kLargeLetters};
  ImGui::PushFont(large.of(FontRole::Body));
  GpuTextView::draw(larger, size);
  ImGui::PopFont();
}

/// Letters and bars grow with the panel.
float GpuView::chartUnit(const ViewContext& context) {
  return context.unit * (gpuIsMaximised(context.state) ? 1.3F : 1.0F);
}

/// Plans the page's chart, and names the pinned runs that are not in it, if anything of that has changed.
void GpuView::planChart(const ViewContext& context) {
  const GpuSession& gpu = context.state.gpu;
  const GpuPage page = context.state.gpuPanel.page;
  if (page == GpuPage::Why || page == GpuPage::Text) return plannedFor_.reset();
  const std::set<std::string>& onlyBars = context.state.gpuPanel.onlyBars;
  ChartKey key{gpu.revision(), page, gpu.animating(), choice_, onlyBars};
  if (plannedFor_ == key) return;
  plannedFor_ = std::move(key);
  ++plans_;
  const BenchNumbers numbers{gpu.data(), gpu.title(), gpu.pins()};
  if (page == GpuPage::OverN) {
    overN_ = gpuLines(numbers, choice_);
    overN_.empty = emptyText(gpu, std::move(overN_.empty));
    leftOutPins_ = pinsLeftOut(numbers, choice_, pinsIn(overN_), true);
    return;
  }
  const bool time = page == GpuPage::Time;
  BenchChoice choice = choice_;
  if (!onlyBars.empty()) choice.picks = onlyBars;
  bars_ = gpuBars(numbers, choice, time);
  bars_.empty = emptyText(gpu, std::move(bars_.empty));
  const bool isChosen = onlyBars.empty() || numbers.pins.empty();
  leftOutPins_ =
      pinsLeftOut(numbers, choice_, pinsIn(isChosen ? bars_ : gpuBars(numbers, choice_, time)), false);
  const HelloMessage* shown = numbers.data.hello() ? &*numbers.data.hello() : nullptr;
  const TextOutcome& text = gpu.text().outcome();
  // Numbers of another GPU do not match it.
  if (text.timing && (shown == nullptr || shown->gpu == text.timing->gpu))
    addTextBar(bars_, text, choice_, time);
}

void GpuView::drawBars(const ViewContext& context, ImVec2 size) {
  const float unit = chartUnit(context);
  // In a small panel the legend leaves the bars as many rows as it can.
  bars_.legendColumns = 1;
  if (leastBarChartHeight(bars_, unit) > size.y) bars_.legendColumns = 2;
  const float least = leastBarChartHeight(bars_, unit);
  const float bar = least > size.y ? ImGui::GetStyle().ScrollbarSize : 0;
  SceneContext layout = context.scene(ImVec2(size.x - bar, std::max(size.y, least)));
  layout.unit = unit;
  if (bar > 0) layout.pointer.reset();  // BarReveal looks for one of the bars
  const auto build = [&](SceneKey& builtFor, Scene& scene) {
    const SceneKey key{plans_,        layout.width,    layout.height, unit, pointerIn(layout),
                       bars_.seenTop, bars_.seenBottom};
    if (builtFor == key) return;
    builtFor = key;
    scene = barChartScene(bars_, layout, context.measure);
  };
  bars_.seenTop = bars_.seenBottom = 0;
  build(sceneOf_, scene_);
  if (bar <= 0) {
    showScene(context, scene_, "gpu chart");
    return;
  }
  // The exported picture is the whole chart. The shown one has its legend and the lines' labels if they can
  // be seen. Dear ImGui scrolls by whole pixels, and so can end short of the last bar's edge.
  const bool isAtEnd = ImGui::GetScrollMaxY() > 0 && ImGui::GetScrollY() >= ImGui::GetScrollMaxY();
  bars_.seenBottom = isAtEnd ? layout.height : ImGui::GetScrollY() + size.y;
  bars_.seenTop = ImGui::GetScrollY();
  build(seenOf_, seen_);
  reveal_.syncTo(choice_.highlighted, bars_, scene_, size.y);
  showScene(context, seen_, "gpu chart");
}

void GpuView::drawSizes(const ViewContext& context, const GpuSession& gpu) {
  ImGui::SetNextItemWidth(comboWidth(context, "2^28"));
  if (pollOpening(List::Sizes)) openCombo("##size");
  const std::vector<std::uint64_t> haveTimes = gpu.data().sizes(choice_.setting);
  std::vector<std::uint64_t> sizes = haveTimes;
  for (const std::uint64_t n : sizesToRun()) {
    if (!contains(sizes, n)) sizes.push_back(n);
  }
  std::ranges::sort(sizes);
  if (!beginList(context, "##size", sizeText(choice_.n), sizes.size())) return;
  for (const std::uint64_t n : sizes) {
    const bool measured = contains(haveTimes, n);
    ImGui::PushStyleColor(ImGuiCol_Text, context.color(measured ? ColorRole::Text : ColorRole::TextDim));
    if (ImGui::Selectable(sizeText(n).c_str(), n == choice_.n)) {
      choice_.n = n;
      context.state.gpu.chooseSize(n);
    }
    ImGui::PopStyleColor();
  }
  endList();
}

void GpuView::drawBlocks(const ViewContext& context) {
  ImGui::SetNextItemWidth(comboWidth(context, "1024"));
  if (pollOpening(List::Blocks)) openCombo("##block");
  if (!beginList(context, "##block", std::to_string(choice_.setting.block), kBlocks.size())) return;
  for (const std::uint32_t block : kBlocks) {
    if (ImGui::Selectable(std::to_string(block).c_str(), block == choice_.setting.block)) {
      choice_.setting.block = block;
      chosen_ = true;
    }
  }
  endList();
}

/// The button from the live GPU's numbers to the recording's, and back if there is a GPU.
void GpuView::drawSourceChoice(const ViewContext& context, float height) {
  const GpuSession& gpu = context.state.gpu;
  if (!isAlive(gpu)) return;
  const bool isRecorded = gpu.source() == GpuSource::Recording;
  commandButton(context, "live or recorded",
                {.text = isRecorded ? "Live" : "Replay",
                 .width = pillWidth(context, "Replay"),
                 .height = height,
                 .tip = isRecorded ? "Show this GPU's numbers" : nullptr});
  ImGui::SameLine();
}

void GpuView::drawRun(const ViewContext& context, float width) {
  const GpuSession& gpu = context.state.gpu;
  const float height = ImGui::GetFrameHeight();
  const float left = ImGui::GetCursorStartPos().x;
  ImGui::AlignTextToFramePadding();
  label(context, "N", ColorRole::TextDim);
  ImGui::SameLine();
  drawSizes(context, gpu);
  ImGui::SameLine();
  label(context, "block", ColorRole::TextDim);
  ImGui::SameLine();
  drawBlocks(context);
  ImGui::SameLine();
  label(context, "grid", ColorRole::TextDim);
  ImGui::SameLine();
  blocks_.draw(context, choice_, pollOpening(List::Grids));
  ImGui::SameLine();
  const bool running = isRunning(context.state);
  const char* text = running                                         ? "Cancel"
                     : gpu.isWithoutGpu()                            ? "Look again"
                     : context.state.gpuPanel.page == GpuPage::OverN ? "Run all N"
                                                                     : "Run";
  const float buttonWidth = pillWidth(context, gpu.isWithoutGpu() ? "Look again" : "Run all N");
  const float end = left + width - buttonWidth - ImGui::GetStyle().ItemSpacing.x;
  // In a narrow panel a run's progress replaces the button to the recording.
  const float beside = ImGui::GetCursorPosX() + pillWidth(context, "Replay") + kLeastProgress * context.unit;
  if (!running || beside < end) drawSourceChoice(context, height);
  if (const std::string whole = GpuBlocks::conversion(choice_); !running && !whole.empty()) {
    const std::string brief = whole.substr(0, whole.find(' ')) + " per thread";
    if (ImGui::GetCursorPosX() + pillWidth(context, brief) < end) {
      label(context, brief, ColorRole::TextDim);
      hint(context, whole.c_str());
    }
  }
  if (gpu.state() == WorkerState::Running) {
    const auto& progress = gpu.data().progress();
    const float done = progress && progress->total > 0
                           ? static_cast<float>(progress->done) / static_cast<float>(progress->total)
                           : 0.0F;
    ImGui::ProgressBar(done, ImVec2(std::max(end - ImGui::GetCursorPosX(), 8.0F), height), "");
    ImGui::SameLine();
  }
  ImGui::SameLine(left + width - buttonWidth);
  const std::string tip =
      gpu.isWithoutGpu() ? gpu.runBlocker() + " This looks for one again." : std::string();
  commandButton(context, "run on the GPU",
                {.text = text,
                 .isLit = !running && gpu.runBlocker().empty(),
                 .width = buttonWidth,
                 .tip = running              ? "Cancel what runs"
                        : gpu.isWithoutGpu() ? tip.c_str()
                                             : nullptr});
}

}  // namespace lanescope
