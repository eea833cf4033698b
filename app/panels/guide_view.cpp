#include "app/panels/guide_view.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "app/course/guide.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_words.h"
#include "app/panels/lesson_view.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

GuideSituation situationAt(const ViewState& state) {
  const bool chartsAreOpen = state.settings.gpuIsOpen || gpuIsMaximised(state);
  return readSituation(state.session, state.marks.shownThread(), chartsAreOpen);
}

/// The kernel that the card steps through and the fastest reduction, timed at the N of the charts.
struct Contrast {
  const Strategy* slow = nullptr;  ///< nullptr unless both were timed and they are different
  const Strategy* fast = nullptr;
  double slowUs = 0;
  double fastUs = 0;
};

Contrast findContrast(const ViewState& state) {
  const BenchData& data = state.gpu.data();
  const BenchSetting setting{.block = state.gpuPanel.block};
  const Strategy* const own = findStrategy(state.guide.card().strategy);
  Contrast found;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family != Family::Reduction) continue;
    const auto reading = anyGridsReading(data, setting, std::string(strategy.id), state.gpuPanel.n);
    if (!reading || reading->wrong || reading->medianUs <= 0) continue;
    if (&strategy == own) {
      found.slow = own;
      found.slowUs = reading->medianUs;
    }
    if (found.fast == nullptr || reading->medianUs < found.fastUs) {
      found.fast = &strategy;
      found.fastUs = reading->medianUs;
    }
  }
  return found.slow == nullptr || found.slow == found.fast || !data.hello() ? Contrast() : found;
}

/// The line that takes most of its time in its profile; empty unless it was profiled.
std::string costliestLineText(ViewState& state, const Strategy& strategy) {
  const TextProfile* const profile = state.profiles.of(strategy.source);
  const LineShare* const costliest = profile == nullptr ? nullptr : profile->diagnosis.costliestLine();
  if (costliest == nullptr) return "";
  const LineShare& line = *costliest;
  const std::string text = line.text.substr(0, line.text.find_last_not_of(" {") + 1);
  const bool divides = text.find_first_of("%/") != std::string::npos;
  return fmt::format(
      " The costliest line of *{}* is line {}, `{}`: {:.0f}% of the warps' time and {:.0f} of the {:.0f} "
      "instructions that a warp runs.{} The column **GPU time** beside the kernel has every line's share.",
      strategy.title, line.line, text, 100 * line.share, line.instructionsPerWarp,
      profile->diagnosis.instructionsPerWarp,
      divides
          ? " A GPU has no single instruction for a remainder or a quotient of integers: it takes up to 20."
          : "");
}

void addTimes(ViewState& state, GuideFacts& facts) {
  const auto [slow, fast, slowUs, fastUs] = findContrast(state);
  if (slow == nullptr) return;
  const BenchData& data = state.gpu.data();
  facts["gpu"] = withArticle(data.hello()->gpu);
  facts["count"] = withCommas(state.gpuPanel.n);
  facts["slow"] = slow->title;
  facts["slowTime"] = microsecondsText(slowUs);
  facts["fast"] = fast->title;
  facts["fastTime"] = microsecondsText(fastUs);
  facts["ratio"] = fmt::format("{:.{}f}", slowUs / fastUs, slowUs / fastUs < 10 ? 1 : 0);
  facts["costliest line"] = costliestLineText(state, *slow);
}

/// The bars that the last card is about.
std::set<std::string> shownBars(const ViewState& state) {
  if (!state.guides() || state.guide.card().act != CardAct::Charts) return {};
  const Contrast contrast = findContrast(state);
  if (contrast.slow == nullptr) return {};
  return {std::string(contrast.slow->id), std::string(contrast.fast->id)};
}

void giveAnswer(ViewState& state) {
  const GuideCard& card = state.guide.card();
  state.guide.answer(cardText(state, card.answer).value_or(std::string(card.without)));
  // The next typing is the next card's key.
  if (card.act == CardAct::Race) state.typing = false;
}

/// The edit that the card asks for, and its run.
void raceForReader(Session& session) {
  constexpr std::string_view kBefore = "s[tid + k]";
  constexpr std::string_view kAfter = "s[tid + 1]";
  Document* document = session.editor().current();
  if (document == nullptr) return;
  TextBuffer& buffer = document->buffer;
  const std::size_t at = buffer.text().find(kBefore);
  if (at == std::string::npos) return;
  const auto begin = static_cast<std::uint32_t>(at);
  buffer.select({begin, begin + static_cast<std::uint32_t>(kBefore.size())});
  buffer.insert(kAfter);
  session.run();
}

/// A lane of the warp at the cursor, one that is masked off if `idle`.
std::int64_t laneToShow(const Replay& replay, bool idle) {
  const Trace& trace = replay.trace();
  const std::optional<Step> step = replay.currentStep();
  const std::uint32_t warp = step ? step->warp : 0;
  const std::vector<LaneState> states =
      laneStates(trace, replay.state(), warp, WaitingWarps(trace, replay.state()));
  const auto wanted = [idle](LaneState state) { return !idle || state == LaneState::MaskedOff; };
  const auto lane = std::ranges::find_if(states, wanted);
  if (lane == states.end()) return -1;
  return std::int64_t{warp} * trace.launch.machine.warpSize + (lane - states.begin());
}

}  // namespace

std::optional<std::string> cardText(ViewState& state, std::string_view text) {
  GuideFacts facts = collectFacts(state.session, state.marks.shownThread());
  addTimes(state, facts);
  return filled(text, [&](std::string_view name) -> std::optional<std::string> {
    constexpr std::string_view kKey = "key:";
    if (name.starts_with(kKey)) return keyText(state, name.substr(kKey.size()));
    const auto fact = facts.find(name);
    return fact == facts.end() ? std::nullopt : std::optional(fact->second);
  });
}

void openFirstKernel(Session& session) {
  session.openAt(0);
  session.chooseStrategy(strategies().front());
}

void restartCard(ViewState& state) {
  Session& session = state.session;
  const GuideCard& card = state.guide.card();
  state.guide.open(state.guide.index());
  state.marks.releaseMarks();
  state.maximised.reset();
  state.typing = false;
  if (card.act == CardAct::Charts) {
    state.settings.gpuIsOpen = false;
    state.gpuPanel.page = GpuPage::Bandwidth;  // the step that the card is about
  }
  if (isOfCard(session, card)) {
    // An edited text that did not run is replaced by the text that ran.
    if (session.editor().current()->isEdited()) session.editor().reset();
    return;
  }
  session.openAt(0);
  session.select({findStrategy(card.strategy), card.n, findMachine(card.machine)});
  if (session.editor().current()->isEdited()) session.resetText();
}

void openGuide(ViewState& state, std::size_t index) {
  state.mode = Mode::Explore;
  state.helpOpen = false;
  state.guide.open(index);
  state.settings.lessonCard = state.guide.card().id;
  restartCard(state);
}

void resumeGuide(ViewState& state) { openGuide(state, findGuideCard(state.settings.lessonCard).value_or(0)); }

void nextCard(ViewState& state) {
  if (!state.guide.isLast()) return openGuide(state, state.guide.index() + 1);
  state.guide.close();
  state.settings.lessonCard.clear();
  openFirstKernel(state.session);
  state.notify("The course begins here, with the first kernel of the list.");
}

void leaveGuide(ViewState& state) {
  const bool isUntouched = state.guide.index() == 0 && !state.guide.isAnswered();
  state.guide.close();
  if (isUntouched) openFirstKernel(state.session);
  state.notify("The first lesson continues from here with " + keyText(state, "first lesson") + ".");
}

void showAct(ViewState& state) {
  Session& session = state.session;
  Player& player = session.player();
  if (!state.guide.isBegun()) return;
  const CardAct act = state.guide.card().act;
  switch (act) {
    case CardAct::Step: player.forward(); break;
    case CardAct::Wavefronts: player.step(Grain::Wavefront, true); break;
    case CardAct::Lane:
    case CardAct::IdleLane:
      state.marks.thread = laneToShow(*player.replay(), act == CardAct::IdleLane);
      break;
    case CardAct::Race: raceForReader(session); break;
    case CardAct::Charts: state.settings.gpuIsOpen = true; break;
  }
}

void syncGuide(ViewState& state) {
  state.gpuPanel.onlyBars = shownBars(state);
  if (!state.guides()) return;
  const Session& session = state.session;
  Player& player = state.session.player();
  Guide& guide = state.guide;
  if (guide.isBegun()) {
    if (guide.syncTo(situationAt(state))) giveAnswer(state);
    return;
  }
  const GuideCard& card = guide.card();
  if (!isOfCard(session, card)) return;
  player.setGrain(card.grain);
  player.seek(findStart(card.start, player.replay()->trace()));
  guide.begin(situationAt(state));
}

namespace {

constexpr float kBoxMargin = 8;  ///< units
constexpr float kTitle = 1.2F;   ///< its type size, relative to the bold one

std::string_view findPanel(CardSubject subject) {
  switch (subject) {
    case CardSubject::Source: return "source";
    case CardSubject::Warps: return "warps";
    case CardSubject::Banks: return "banks";
    case CardSubject::Gpu: break;
  }
  return "gpu";
}

/// A tinted box with a bar at its left, behind the drawing of `draw`; it extends into the margin at the
/// right.
template <class Draw>
void drawInBox(const ViewContext& context, ColorRole color, Draw draw) {
  const float unit = context.unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float right = from.x + ImGui::GetContentRegionAvail().x + kBoxMargin * unit;
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::Dummy(ImVec2(0, 0));
  ImGui::Indent(10 * unit);
  draw();
  ImGui::Unindent(10 * unit);
  list.ChannelsSetCurrent(0);
  const float bottom = ImGui::GetCursorScreenPos().y;
  const ImVec2 window = ImGui::GetWindowPos();
  list.PushClipRect(window, ImVec2(right, window.y + ImGui::GetWindowHeight()));
  list.AddRectFilled(from, ImVec2(right, bottom), context.color(color, 0.16F), 4 * unit);
  list.AddRectFilled(from, ImVec2(from.x + 3 * unit, bottom), context.color(color), 2 * unit);
  list.PopClipRect();
  list.ChannelsMerge();
  ImGui::Dummy(ImVec2(0, 0));
}

void drawTitle(const ViewContext& context, std::string_view title) {
  float size = fontSize(FontRole::Bold) * context.unit * kTitle;
  ImFont* font = context.fonts.sharpest(FontRole::Bold, size);
  const char* end = title.data() + title.size();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = 6 * context.unit;
  ImGui::GetWindowDrawList()->AddText(font, size, ImVec2(at.x, at.y + top), context.color(ColorRole::Text),
                                      title.data(), end, width);
  const float height = font->CalcTextSizeA(size, 1e9F, width, title.data(), end).y;
  ImGui::Dummy(ImVec2(0, top + height + 4 * context.unit));
}

/// A check mark: color is not the only sign.
void drawDone(const ViewContext& context) {
  const float r = ImGui::GetTextLineHeight() * 0.36F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 c(at.x + r, at.y + ImGui::GetTextLineHeight() / 2);
  const ImU32 color = context.color(ColorRole::Text);
  const float width = std::max(2.0F, 2.2F * context.unit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(c.x - r * 0.8F, c.y), ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), color, width);
  list.AddLine(ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), ImVec2(c.x + r * 0.9F, c.y - r * 0.7F), color, width);
  ImGui::Dummy(ImVec2(2 * r, ImGui::GetTextLineHeight()));
  ImGui::SameLine();
  label(context, "Done", ColorRole::Text, FontRole::Bold);
}

/// True if the window shows something other than the card's subject.
bool isElsewhere(const ViewContext& context) {
  const Session& session = context.session();
  const Guide& guide = context.state.guide;
  if (!guide.isBegun() || guide.isAnswered() || session.player().replay() == nullptr) return false;
  if (guide.card().act == CardAct::Race)
    return session.shown().strategy != findStrategy(guide.card().strategy);
  if (!isOfCard(session, guide.card())) return true;
  const std::uint32_t here = session.player().replay()->cursor().steps;
  const std::uint32_t place = guide.place().steps;
  return guide.card().act == CardAct::Wavefronts && here != place && here != place + 1;
}

}  // namespace

PanelInfo GuideView::panel(const WindowShape& shape) const {
  PanelInfo info = lessonPanel("guide", shape);
  info.isShown = shape.guides;
  return info;
}

std::vector<Command> GuideView::commands(ViewState& state) {
  const auto shows = [&state] { return state.guides() && !state.dialogOpen() && !state.helpOpen; };
  const auto isOpen = [&state, shows] { return shows() && !state.guide.isAnswered(); };
  const auto isDone = [&state, shows] { return shows() && state.guide.isAnswered(); };
  const HelpLine help{"the first lesson, from the card that was open last", HelpGroup::Modes};
  const HelpLine steps{"first lesson: next card; shows how", HelpGroup::Modes};
  return {
      {.id = "first lesson",
       .keys = {"Shift+F1"},
       .help = help,
       .label = "First lesson",
       .tip = "Threads, warps, banks and races, explained in two minutes",
       .run =
           [&state] {
             if (state.guides()) return leaveGuide(state);
             resumeGuide(state);
           }},
      {.id = "next card",
       .keys = {"Enter"},
       .help = steps,
       .label = "Next",
       .tip = "Continue",
       .applies = isDone,
       .blocked =
           [&state] {
             const bool isAnswered = state.guide.isOpen() && state.guide.isAnswered();
             return isAnswered ? std::string() : "Do what the card asks for first, or press Show me.";
           },
       .run = [&state] { nextCard(state); }},
      {.id = "show the act",
       .keys = {"F6"},
       .help = steps,
       .label = "Show me",
       .tip = "Does it for you",
       .applies = isOpen,
       .whileTyping = true,
       .run = [&state] { showAct(state); }},
      {.id = "previous card",
       .label = "Back",
       .tip = "The previous card",
       .run =
           [&state] {
             if (state.guide.isOpen() && state.guide.index() > 0) openGuide(state, state.guide.index() - 1);
           }},
      {.id = "leave the lesson",
       .label = "Skip",
       .tip = "Closes the first lesson; the View menu has it",
       .run =
           [&state] {
             if (state.guide.isOpen()) leaveGuide(state);
           }},
      {.id = "restart the card",
       .label = "Back to the card's place",
       .tip = "The kernel, N and step that the card is about",
       .run =
           [&state] {
             if (state.guide.isOpen()) restartCard(state);
           }},
  };
}

void GuideView::drawTask(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  drawInBox(context, ColorRole::Accent, [&] {
    texts_.draw(context, cardText(context.state, guide.card().task).value_or(""));
    if (!guide.isAnswered() && !guide.remark().empty()) texts_.draw(context, guide.remark());
  });
  if (isElsewhere(context)) {
    wrappedText(context, "The window shows another place now.", ColorRole::TextDim);
    commandButton(context, "restart the card");
  }
}

void GuideView::drawAnswer(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  if (!guide.isAnswered()) return;
  drawInBox(context, ColorRole::Text, [&] {
    drawDone(context);
    texts_.draw(context, guide.answer());
  });
  if (guide.card().act == CardAct::Race && context.session().editor().current()->isEdited())
    commandButton(context, "reset", {.text = "Restore the kernel"});
}

void GuideView::drawButtons(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  commandButton(context, "next card",
                {.text = guide.isLast() && guide.isAnswered() ? "Begin the course" : nullptr,
                 .isLit = guide.isAnswered()});
  ImGui::SameLine();
  if (!guide.isAnswered()) {
    commandButton(context, "show the act");
    ImGui::SameLine();
  }
  if (guide.index() > 0) {
    commandButton(context, "previous card");
    ImGui::SameLine();
  }
  commandButton(context, "leave the lesson");
}

void GuideView::draw(const ViewContext& context, ImVec2 size) {
  const Guide& guide = context.state.guide;
  const float unit = context.unit;
  heading(context, "FIRST LESSON",
          std::to_string(guide.index() + 1) + " of " + std::to_string(guideCards().size()));
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  const float foot = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.y;
  ImGui::BeginChild("guide text", ImVec2(size.x - kBoxMargin * unit, size.y - used - foot));
  drawTitle(context, guide.card().title);
  texts_.draw(context, cardText(context.state, guide.card().text).value_or(""));
  ImGui::Dummy(ImVec2(0, 2 * unit));
  drawTask(context);
  drawAnswer(context);
  endScrolling(context);
  drawButtons(context);
}

void drawGuideFrame(const ViewContext& context, const WindowLayout& layout) {
  const Guide& guide = context.state.guide;
  if (!context.state.guides() || guide.isAnswered()) return;
  const Area area = layout.of(findPanel(guide.card().subject));
  if (area.h <= 0) return;
  const float gap = 2 * context.unit;
  ImGui::GetWindowDrawList()->AddRect(
      ImVec2(area.x - gap, area.y - gap), ImVec2(area.x + area.w + gap, area.y + area.h + gap),
      context.color(ColorRole::Accent), 8 * context.unit, 0, 3 * context.unit);
}

}  // namespace lanescope
