#include "app/window/main_window.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <imgui_internal.h>

#include "app/paint/imgui_compat.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_words.h"
#include "app/panels/guide_view.h"
#include "app/panels/quiz_view.h"
#include "app/pictures/picture_plan.h"
#include "app/window/help.h"
#include "app/window/panels.h"

namespace lanescope {
namespace {

constexpr float kWidest = 900;  ///< units, for a line

}  // namespace

void endNotice(ViewState& state) {
  if (state.notice.text.empty()) return;
  if (state.notice.ends < 0) state.notice.ends = ImGui::GetTime() + kNoticeSeconds;
  if (ImGui::GetTime() >= state.notice.ends || ImGui::IsMouseClicked(0)) state.notify("");
}

void drawNotice(const ViewContext& context, ImVec2 room) {
  const ViewState& state = context.state;
  if (state.notice.text.empty()) return;
  const float unit = context.unit;
  const float padding = 10 * unit;
  const float most = std::min(room.x - 4 * padding, kWidest * unit);
  const char* text = state.notice.text.c_str();
  const float wrap = ImGui::CalcTextSize(text).x <= most ? -1 : most;
  const ImVec2 needed = ImGui::CalcTextSize(text, nullptr, false, wrap);
  const ImVec2 extent(std::ceil(needed.x) + 2 * padding + 2, std::ceil(needed.y) + 2 * padding);
  ImGui::SetNextWindowPos(ImVec2((room.x - extent.x) / 2, room.y - extent.y - padding));
  ImGui::SetNextWindowSize(extent);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  beginOverlay(context, "notice", ColorRole::Accent, ImVec2(padding, padding),
               ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs);
  wrappedText(context, state.notice.text);
  endOverlay();
  ImGui::PopStyleVar();
}

namespace {

constexpr float kPadding = 14;           ///< as the scenes' own margin
constexpr float kStripGap = 8;           ///< around the strip below, as between the places
constexpr float kMostStripShare = 0.3F;  ///< of the window's height

}  // namespace

MainWindow::MainWindow(Session& session, GpuSession& gpu, const Theme& theme, const ExecutorPtr& executor)
    : state_{.session = session,
             .gpu = gpu,
             .theme = &theme,
             .commands = &commands_,
             .machineCode = LocalCode(executor)},
      systemDialogs_(executor, *session.host()),
      views_(makeViews()),
      export_(executor) {
  // If several commands have a key, the first that applies gets it.
  commands_.add(glossaryDialog_.commands(state_));
  commands_.add(panelCommands(state_, layout_));
  for (const auto& view : views_) commands_.add(view->commands(state_));
  commands_.add(commands());
  session.setPlanner(planPictures);
}

void MainWindow::draw(ImVec2 size, const FontTable& fonts, float unit) {
  const bool isNewUnit = styledUnit_ != unit;
  if (styled_ != state_.theme || isNewUnit) {
    styled_ = state_.theme;
    styledUnit_ = unit;
    applyStyle(*styled_, unit);
  }
  const ImguiMeasure measure(fonts);
  Focus pointed;
  const ViewContext context{state_, fonts, measure, pointed, unit};
  // Through an open list, unless a field in it has the caret; otherwise they belong to the window.
  leadWithArrows(popupShows() && !ImGui::GetIO().WantTextInput);
  endNotice(state_);
  syncDrafts();
  const bool asks = state_.mode == Mode::Predict || state_.guides();
  state_.asksInNarrowWindow = asks && isNarrow(size, unit, findArrangement(state_.settings.layout).unfolded);
  shape_ = shape(context, size);
  state_.hasLargeText = hasLargeText(size, unit);
  state_.isFolded = shape_.folds;
  // A source that is not shown takes no typing.
  if (shape_.mode == Mode::Compare || shape_.mode == Mode::Table) state_.typing = false;
  syncTrace();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushFont(fonts.of(FontRole::Body));
  // The frame was cleared to the background's color: drawing it again would cost as much as everything else.
  ImGui::Begin(kPanelsWindow, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground);
  // Dear ImGui may have closed it itself, by the same key.
  if (std::exchange(closesPopups_, false) && popupShows()) ImGui::ClosePopupToLevel(0, true);
  panels_ = panelInfos(views_, shape_);
  layout_ = layoutPanels(size, unit, shape_, panels_);
  for (std::size_t i = 0; i < views_.size(); ++i) drawView(context, i);
  drawDividers(context, layout_);
  drawGuideFrame(context, layout_);
  ImGui::End();
  if (std::string news = state_.session.pollNews(); !news.empty() && !state_.presenting)
    state_.notify(std::move(news));
  drawStrip(context, size);
  const Area transport = layout_.of("transport");
  drawNotice(context, ImVec2(size.x, transport.h > 0 ? transport.y : size.y - shape_.stripHeight));
  systemDialogs_.syncTo(state_);
  openDialog_.draw(context, size);
  saveDialog_.draw(context, size);
  export_.draw(context, size);
  glossaryDialog_.draw(context, size);
  if (state_.dialog == Dialog::Colors) drawColors(context, size);
  if (state_.helpOpen) drawHelp(context, size);
  drawLaser(context);
  ImGui::PopFont();
  restless_ = pointed != state_.marks.hover || isNewUnit || styled_ != state_.theme ||
              shape_ != shape(context, size) || panels_ != panelInfos(views_, shape_);
  state_.marks.hover = pointed;
}

WindowShape MainWindow::shape(const ViewContext& context, ImVec2 size) const {
  return {.mode = state_.mode,
          .guides = state_.guides(),
          .sourceIsTall = state_.sourceIsTall,
          .presents = state_.presenting,
          .hasScenes = !state_.scenes.scenes.empty(),
          .gpuIsOpen = state_.settings.gpuIsOpen,
          .maximised = state_.maximised,
          .stripHeight = stripHeight(context, size),
          .folds = foldsColumns(size, context.unit, shownArrangement(state_)),
          .arrangement = &shownArrangement(state_),
          .shares = state_.settings.panels};
}

// The choices belong to a trace; the linked elements follow its cursor.
void MainWindow::syncTrace() {
  const Replay* replay = state_.session.player().replay();
  const std::uint64_t generation = state_.session.player().generation();
  if (state_.markedGeneration <= generation) {
    if (state_.markedGeneration < generation || replay == nullptr)
      state_.marks.warp = state_.marks.variable = -1;
    if (replay != nullptr) state_.marks.keepTo(replay->trace());
    state_.markedGeneration = generation;
  }
  state_.marks.light(replay);
  syncQuiz(state_);
  syncGuide(state_);
}

void MainWindow::drawView(const ViewContext& context, std::size_t index) {
  const PanelInfo& panel = panels_[index];
  const Area& area = layout_.panels[index].area;
  if (area.w < 1 || area.h < 1) return;
  const float unit = context.unit;
  const bool bar = panel.place == Place::TopBar || panel.place == Place::BottomBar;
  const bool hasMargin = panel.frame == PanelFrame::Margin;
  const ImVec2 padding = hasMargin ? ImVec2(kPadding * unit, (bar ? 8 : 11) * unit) : ImVec2(0, 0);
  const std::string name(panel.id);
  if (panel.frame == PanelFrame::Split)
    beginStage(name.c_str(), area);
  else
    beginPanel(context, name.c_str(), area, padding);
  const ImVec2 content(area.w - 2 * padding.x, area.h - 2 * padding.y);
  if (content.x >= 1 && content.y >= 1) views_[index]->draw(context, content);
  handleDoubleClick(context, panel, area);
  endPanel();
}

// A fault that the text already shows is shown only there.
bool MainWindow::errorShows() const {
  const Session& session = state_.session;
  const bool isInSight =
      session.errorIsInText() && (session.player().replay() != nullptr || state_.showsSource());
  return !session.error().empty() && !isInSight;
}

// The dialogs show errors themselves.
std::optional<MainWindow::Strip> MainWindow::findStrip() const {
  if (state_.dialogOpen()) return std::nullopt;
  if (errorShows()) {
    const auto dismiss = [](MainWindow& window) { window.state_.session.dismissError(); };
    return Strip{withTitles(state_.session.error()), ColorRole::Bad, {{"Dismiss", dismiss}}};
  }
  const std::string offer = drafts_ ? drafts_->offer() : std::string();
  if (offer.empty() || state_.presenting) return std::nullopt;
  const auto open = [](MainWindow& window) {
    window.drafts_->open(window.state_.session, ImGui::GetTime());
    window.state_.mode = Mode::Explore;
  };
  const auto discard = [](MainWindow& window) { window.drafts_->discard(); };
  return Strip{offer, ColorRole::Accent, {{"Open it", open}, {"Discard it", discard}}};
}

float MainWindow::buttonsWidth(const ViewContext& context, const Strip& strip) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float width = -gap;
  for (const Strip::Button& button : strip.buttons) width += pillWidth(context, button.label) + gap;
  return width;
}

/// Beside the buttons.
float MainWindow::stripTextWidth(const ViewContext& context, const Strip& strip, float window) {
  const float around = 2 * (kStripGap + 2 * kPadding) * context.unit;
  return std::max(window - around - buttonsWidth(context, strip), 1.0F);
}

float MainWindow::stripHeight(const ViewContext& context, ImVec2 size) const {
  const std::optional<Strip> strip = findStrip();
  if (!strip) return 0;
  ImGui::PushFont(context.fonts.of(FontRole::Body));
  const float text =
      ImGui::CalcTextSize(strip->text.c_str(), nullptr, false, stripTextWidth(context, *strip, size.x)).y;
  const float high = std::max(std::min(text, size.y * kMostStripShare), ImGui::GetFrameHeight());
  ImGui::PopFont();
  return std::ceil(high + (20 + kStripGap) * context.unit);
}

void MainWindow::drawStrip(const ViewContext& context, ImVec2 size) {
  const std::optional<Strip> strip = findStrip();
  if (shape_.stripHeight <= 0 || !strip) return;
  const float gap = kStripGap * context.unit;
  const ImVec2 extent(size.x - 2 * gap, shape_.stripHeight - gap);
  ImGui::SetNextWindowPos(ImVec2(gap, size.y - gap - extent.y));
  ImGui::SetNextWindowSize(extent);
  beginOverlay(context, "strip", strip->color, ImVec2(kPadding * context.unit, 10 * context.unit),
               ImGuiWindowFlags_NoFocusOnAppearing);
  const float width = stripTextWidth(context, *strip, size.x);
  ImGui::BeginChild("strip text", ImVec2(width + kPadding * context.unit, 0));
  ImGui::PushTextWrapPos(width);
  label(context, strip->text);
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  ImGui::SameLine(extent.x - kPadding * context.unit - buttonsWidth(context, *strip));
  for (const Strip::Button& button : strip->buttons) {
    if (pill(context, button.label, false, pillWidth(context, button.label), 0)) button.act(*this);
    ImGui::SameLine();
  }
  endOverlay();
}

void MainWindow::keepDrafts() { drafts_.emplace(state_.session.executor(), state_.session.host()); }

void MainWindow::syncDrafts() {
  if (!drafts_) return;
  drafts_->sync(state_.session, ImGui::GetTime());
  if (std::string news = drafts_->pollNews(); !news.empty()) state_.notify(std::move(news));
}

std::string MainWindow::flushDrafts() {
  if (!drafts_) return {};
  drafts_->flush(state_.session);
  return drafts_->pollNews();
}

std::optional<double> MainWindow::secondsToChange() const {
  std::optional<double> next = drafts_ ? drafts_->due() : std::nullopt;
  if (state_.notice.ends >= 0) next = std::min(next.value_or(state_.notice.ends), state_.notice.ends);
  if (next) next = std::max(0.0, *next - ImGui::GetTime());
  return next;
}

bool MainWindow::type(const Chord& pressed) {
  return std::ranges::any_of(views_, [&](const auto& view) { return view->type(state_, pressed); });
}

/// A ring around the pointer, for the back of the room. What it points at is free.
void MainWindow::drawLaser(const ViewContext& context) const {
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (!state_.laser || !ImGui::IsMousePosValid(&at)) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImDrawList& drawList = *ImGui::GetForegroundDrawList();
  const float radius = 20 * context.unit;
  const float thick = 3.5F * context.unit;
  // Its edges are seen on any ground.
  drawList.AddCircle(at, radius, IM_COL32(255, 255, 255, 230), 48, thick + 2 * context.unit);
  drawList.AddCircle(at, radius, IM_COL32(235, 30, 30, 255), 48, thick);
}

// The commands that belong to no single view: dialogs, size, theme, presenting, and clearing a choice.

namespace {

const Theme& nextTheme(const Theme& theme) {
  const std::span<const Theme> all = themes();
  const auto index = static_cast<std::size_t>(&theme - all.data());
  return all[(index + 1) % all.size()];
}

}  // namespace

std::vector<Command> MainWindow::commands() {
  ViewState& state = state_;
  constexpr HelpGroup kFiles = HelpGroup::Text;
  const HelpLine sizes{"larger, smaller or standard text"};
  const auto dialog = [&state](Dialog which) {
    return [&state, which] {
      state.dialog = state.dialog == which ? Dialog::None : which;
      state.helpOpen = false;  // it would lie over the dialog
    };
  };
  return {
      {.id = "open",
       .keys = {"Ctrl+O"},
       .help = {"open a kernel file or a session", kFiles},
       .label = "Open",
       .tip = "Open a kernel file, or drop one onto the window",
       .whileTyping = true,
       .run = dialog(Dialog::Open)},
      {.id = "save",
       .keys = {"Ctrl+S"},
       .help = {"save the session or the text", kFiles},
       .whileTyping = true,
       .run = dialog(Dialog::Save)},
      {.id = "export",
       .keys = {"E"},
       .help = {"export: pictures, a page that steps, counters, the trace", kFiles},
       .label = "Export",
       .tip = "Export pictures, a page that steps, counters or the trace",
       .run = dialog(Dialog::Export)},
      {.id = "present",
       .keys = {"F5"},
       .help = {"present: large type, no buttons; Esc ends it"},
       .label = "Present",
       .tip = "Large type, no buttons, the pointer as a ring",
       .whileTyping = true,
       .run = [&state] { state.presenting = state.laser = !state.presenting; }},
      {.id = "laser",
       .keys = {"S"},
       .help = {"the pointer as a ring"},
       .label = "Pointer as a ring",
       .run = [&state] { state.laser = !state.laser; }},
      {.id = "full screen",
       .keys = {"F", "F11"},
       .help = {"full screen"},
       .label = "Full screen",
       .tip = "Full screen on and off",
       .whileTyping = true,
       .inPopups = true,
       .run =
           [this] {
             if (onFullScreen) onFullScreen();
           }},
      {.id = "larger text",
       .keys = {"Ctrl++"},
       .also = {"Ctrl+="},
       .help = sizes,
       .label = "larger",
       .whileTyping = true,
       .run = [this] { return changeScale(1); }},
      {.id = "smaller text",
       .keys = {"Ctrl+-"},
       .help = sizes,
       .label = "smaller",
       .whileTyping = true,
       .run = [this] { return changeScale(-1); }},
      {.id = "own text size",
       .keys = {"Ctrl+0"},
       .help = sizes,
       .label = "standard",
       .whileTyping = true,
       .run = [&state] { state.settings.scale = 1; }},
      {.id = "theme",
       .keys = {"T"},
       .help = {"next theme"},
       .tip = "Theme: dark, light, high contrast",
       .run = [&state] { state.theme = &nextTheme(*state.theme); }},
      {.id = "colors", .label = "Colours", .run = dialog(Dialog::Colors)},
      {.id = "help",
       .keys = {"?"},
       .also = {"F1"},
       .help = {"this help"},
       .label = "?",
       .tip = "Keys",
       .run = [&state] { state.helpOpen = !state.helpOpen; }},
      {.id = "escape",
       .keys = {"Esc"},
       .help = {"closes dialogs and menus; clears a selection; undoes a changed launch"},
       .whileTyping = true,
       .inPopups = true,
       .run = [this] { return escape(); }},
  };
}

bool MainWindow::press(const Chord& chord) {
  const bool isTyping = takesText();
  if ((isTyping && chord.writes()) || chord.isHeld()) return false;
  state_.notify("");
  const Command* command = commands_.meaning(chord, isTyping, popupShows());
  return command != nullptr && runCommand(state_, *command);
}

/// True if a list or a menu is open, which has the other keys.
bool MainWindow::popupShows() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

/// Closes or clears the topmost part that is open or chosen.
Refusal MainWindow::escape() {
  if (popupShows()) {
    closesPopups_ = true;
  } else if (state_.dialogOpen()) {
    state_.dialog = Dialog::None;
  } else if (state_.helpOpen) {
    state_.helpOpen = false;
  } else if (state_.typing) {
    state_.typing = false;
  } else if (errorShows()) {
    state_.session.dismissError();
  } else if (state_.session.editor().formIsChanged()) {
    // The field with the caret would restore the text that it had when it got the focus.
    if (ImGui::GetCurrentContext() != nullptr) ImGui::ClearActiveID();
    state_.session.editor().revertForm();
  } else if (std::ranges::any_of(views_, [&](const auto& view) { return view->close(state_); })) {
    return std::nullopt;
  } else if (state_.maximised) {
    state_.maximised.reset();
  } else if (state_.guides()) {
    leaveGuide(state_);
  } else if (state_.marks.isChosen()) {
    state_.marks.releaseMarks();
  } else if (state_.presenting) {
    state_.presenting = state_.laser = false;
  } else if (state_.mode != Mode::Explore) {
    state_.mode = Mode::Explore;
  } else {
    return "";
  }
  return std::nullopt;
}

float MainWindow::unit(ImVec2 size, float scale) const {
  if (!state_.presenting) return unitFor(size, scale);
  WindowShape shape = shape_;
  shape.mode = state_.mode;
  shape.presents = true;
  shape.maximised = state_.maximised;
  const std::vector<PanelInfo> panels = panelInfos(views_, shape);
  const PanelInfo* const zoomed = findZoomed(shape, panels);
  return presentedUnit(size, scale, zoomed == nullptr ? 1 : zoomed->zoom);
}

// The next scale with a visible effect: several can look the same in a window without room for them.
Refusal MainWindow::changeScale(int by) {
  const ImVec2 size = ImGui::GetCurrentContext() == nullptr ? ImVec2(0, 0) : ImGui::GetIO().DisplaySize;
  const auto last = std::ssize(kScales) - 1;
  const auto* here = std::ranges::lower_bound(kScales, static_cast<float>(state_.settings.scale) - 0.01F);
  for (auto index = here - kScales.begin() + by; index >= 0 && index <= last; index += by) {
    const float next = kScales[static_cast<std::size_t>(index)];
    const float change = unit(size, next) - unit(size);
    if (size.x > 0 && change * static_cast<float>(by) <= 0) continue;
    state_.settings.scale = next;
    return std::nullopt;
  }
  if (by < 0) return "The text is as small as it gets.";
  const std::string most = "The text is as large as this window allows";
  if (state_.presenting) return most + ".";
  return most + ": make the window larger, or present (" + keyText(state_, "present") + ").";
}

}  // namespace lanescope
