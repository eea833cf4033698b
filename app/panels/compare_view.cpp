#include "app/panels/compare_view.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "app/base/whole.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/panels/gpu_words.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/cost_scene.h"
#include "app/pictures/difference_scene.h"
#include "app/pictures/warp_scene.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kPlaceGap = 8;             ///< as between the places of the window
constexpr float kSideMargin = 14;          ///< as the scenes' own margin
constexpr float kLadder = 0.55F;           ///< share of the pictures' height
constexpr float kLadderOverSource = 0.4F;  ///< the same above sources, which need more
constexpr float kLeastForTwo = 300;        ///< units, for the ladder and another picture below it
constexpr float kBriefDifferences = 98;

std::string makeTitle(const Strategy& strategy) { return courseNumber(strategy) + " · " + strategy.title; }

const Phase* findPhase(const Replay& replay) {
  const Trace& trace = replay.trace();
  return trace.phases.empty() ? nullptr : &trace.phases[replay.currentPhase()];
}

/// `phase 4 of 8: step size 4 · 2 hazards`.
std::string placeText(const Replay& replay, std::size_t hazards) {
  const Phase* phase = findPhase(replay);
  std::string found = hazards == 0 ? "" : " · " + counted(hazards, "hazard");
  if (phase == nullptr) return found;
  return "phase " + std::to_string(replay.currentPhase() + 1) + " of " +
         std::to_string(replay.trace().phases.size()) + ": " + phase->label + found;
}

/// As much of the place as has room, `4 of 8` at least.
std::string placeText(const ViewContext& context, const Replay& replay, std::size_t hazards, float room) {
  const std::string text = placeText(replay, hazards);
  constexpr std::string_view kWord = "phase ";
  const std::string number = text.substr(0, text.find(':'));
  if (number.size() == text.size() || labelWidth(context, number + ":…") <= room) return cutToFit(text, room);
  return cutToFit(number.substr(kWord.size()), room);
}

/// The counters of the whole launches, or of the blocks that are traced as long as not all are counted.
DifferenceGroup wholeGroup(Session& session) {
  const Comparison& comparison = session.comparison();
  const RunOutcomePtr& shown = session.shownRun();
  const Counters* const left = shown == nullptr ? nullptr : launchCounters(*shown);
  const Counters* const right = launchCounters(comparison.outcome());
  if (left != nullptr && right != nullptr) return {"whole launch", "", counterDifferences(*left, *right)};
  return {"one block", "",
          counterDifferences(session.player().replay()->trace().total, comparison.replay()->trace().total)};
}

/// True if the left is in a phase that no phase of the right matches.
bool rightWaits(const Session& session, const Comparison& comparison) {
  const Replay& left = *session.player().replay();
  return findPhase(left) != nullptr && comparison.alignment().findPartner(left.currentPhase()) < 0;
}

/// The same variable in another kernel, or -1.
std::int32_t variableLike(const Trace& trace, const TracedVariable& variable) {
  auto found = std::ranges::find(trace.variables, variable.label, &TracedVariable::label);
  if (found == trace.variables.end())
    found = std::ranges::find(trace.variables, variable.name, &TracedVariable::name);
  return found == trace.variables.end() ? -1 : static_cast<std::int32_t>(found - trace.variables.begin());
}

/// A separate panel on the stage.
template <class Draw>
void drawPanel(const ViewContext& context, const char* id, const Area& area, Draw draw) {
  beginPanel(context, id, area);
  draw(context, ImVec2(area.w, area.h));
  endPanel();
}

/// Large type leaves the room to the pictures: the differences take one line each.
bool isBrief(const ViewContext& context) { return context.state.presenting || context.state.hasLargeText; }

/// Compares with the strategy at that distance in the list, cyclically.
Refusal compareWith(const ViewState& state, int by) {
  if (state.mode != Mode::Compare)
    return "No comparison is open. Press " + keyText(state, "compare") + " to compare two strategies.";
  Comparison& comparison = state.session.comparison();
  const std::span<const Strategy> all = strategies();
  const Strategy* here = comparison.strategy() == nullptr ? all.data() : comparison.strategy();
  const auto count = std::ssize(all);
  comparison.choose(&all[static_cast<std::size_t>(((here - all.data()) + by + count) % count)]);
  return std::nullopt;
}

}  // namespace

std::vector<Command> CompareView::commands(ViewState& state) {
  constexpr HelpGroup kGroup = HelpGroup::Modes;
  const HelpLine help{"compare; with the next strategy, Shift: the previous one", kGroup};
  return {
      {.id = "compare",
       .keys = {"F2"},
       .help = help,
       .whileTyping = true,
       .run = [&state] { state.toggle(Mode::Compare); }},
      {.keys = {"J"}, .help = help, .run = [&state] { return compareWith(state, 1); }},
      {.keys = {"Shift+J"}, .help = help, .run = [&state] { return compareWith(state, -1); }},
  };
}

void CompareView::draw(const ViewContext& context, ImVec2 size) {
  const float gap = kPlaceGap * context.unit;
  Session& session = context.session();
  const Player& player = session.player();
  Comparison& comparison = session.comparison();
  if (player.replay() != nullptr) comparison.syncTo(session.shown(), *player.replay(), player.generation());
  syncRight(context, comparison.replay());
  showsWarps_ = context.state.comparesWarps;
  syncTexts(session);

  // When presented, the pictures take the room.
  float low = isBrief(context) ? kBriefDifferences * context.unit
                               : std::clamp(size.y * 0.33F, 150 * context.unit, 250 * context.unit);
  if (showsProfiles_) low = std::clamp(size.y * 0.5F, 290 * context.unit, 420 * context.unit);
  const float width = (size.x - gap) / 2;
  const float height = size.y - low - gap;
  noteHeight_ = 0;
  if (comparison.replay() != nullptr && !comparison.sentence().empty()) {
    const float room = width - 2 * kSideMargin * context.unit;
    noteHeight_ = ImGui::CalcTextSize(withTitles(comparison.sentence()).c_str(), nullptr, false, room).y +
                  6 * context.unit;
  }
  drawPanel(context, "left", {0, 0, width, height},
            [&](const ViewContext& inner, ImVec2 room) { drawLeft(inner, room); });
  Focus pointedRight;
  const ViewContext right{context.state, context.fonts, context.measure, pointedRight, context.unit, &right_};
  drawPanel(right, "right", {width + gap, 0, width, height},
            [&](const ViewContext& inner, ImVec2 room) { drawRight(inner, room); });
  drawPanel(context, "differences", {0, height + gap, size.x, low},
            [&](const ViewContext& inner, ImVec2 room) {
              showsProfiles_ ? drawProfiles(inner, room) : drawDifferences(inner, room);
            });
  pointFromRight(context, pointedRight);
}

// The left side's title: a strategy with its changes, or a file.
std::string CompareView::leftTitle(const Session& session) {
  const Selection& shown = session.shown();
  if (shown.strategy == nullptr) {
    const Document* document = session.editor().current();
    return document == nullptr ? "" : document->name();
  }
  const RunOutcome& run = *session.shownRun();
  const std::string note = changeNote(run.facts, run.asked.form.has_value());
  return makeTitle(*shown.strategy) + (note.empty() ? "" : " (" + note + ")");
}

// The right side has a separate pointer with its linked elements. The pinned ones are the left's.
void CompareView::syncRight(const ViewContext& context, const Replay* replay) {
  const Marks& left = context.state.marks;
  right_.linked = {};
  right_.thread = left.thread;
  right_.warp = left.warp;
  right_.variable = -1;
  if (replay != nullptr) {
    const Trace& trace = replay->trace();
    if (left.variable >= 0 && context.replay() != nullptr) {
      const Trace& own = context.replay()->trace();
      const auto index = static_cast<std::size_t>(left.variable);
      if (index < own.variables.size()) right_.variable = variableLike(trace, own.variables[index]);
    }
    right_.keepTo(trace);
    right_.light(replay);
  }
  givenThread_ = right_.thread;
  givenWarp_ = right_.warp;
}

// A click on the right pins for both, if both have such a thread or warp.
void CompareView::pointFromRight(const ViewContext& context, const Focus& pointedRight) {
  Marks& left = context.state.marks;
  right_.hover = pointedRight;
  if (context.replay() == nullptr) return;
  const Trace& trace = context.replay()->trace();
  if (right_.thread != givenThread_ && right_.thread < std::int64_t{trace.threads})
    left.thread = right_.thread;
  if (right_.warp != givenWarp_ && right_.warp < static_cast<std::int32_t>(trace.warps))
    left.warp = right_.warp;
}

namespace {

/// A side's name, large while presenting.
void drawName(const ViewContext& context, const std::string& name) {
  constexpr float kLarge = 1.3F;
  if (!context.state.presenting) return label(context, name, ColorRole::Text, FontRole::Bold);
  float size = fontSize(FontRole::Bold) * context.unit * kLarge;
  ImGui::PushFont(context.fonts.sharpest(FontRole::Bold, size));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopFont();
}

}  // namespace

// What is below the ladders, and what is in place of the counters.
void CompareView::drawKinds(const ViewContext& context, float x) {
  const float unit = context.unit;
  const float height = ImGui::GetFrameHeight();
  ImGui::SameLine(x);
  const auto offer = [&](const char* text, bool isShown, bool warps, bool sources, const char* tip) {
    if (pill(context, text, isShown, pillWidth(context, text), height)) {
      if (!sources) context.state.comparesWarps = warps;
      showsSources_ = sources;
    }
    hint(context, tip);
  };
  offer("banks", !showsWarps_ && !showsSources_, false, false,
        "Show the banks of shared memory below the ladders");
  ImGui::SameLine(0, 6 * unit);
  offer("warps", showsWarps_ && !showsSources_, true, false,
        "Show the lanes of every warp below the ladders");
  ImGui::SameLine(0, 6 * unit);
  offer("source", showsSources_, false, true,
        "Show both sources below the ladders, what differs between them marked");
  ImGui::SameLine(0, 6 * unit);
  if (pill(context, "profile", showsProfiles_, pillWidth(context, "profile"), height))
    showsProfiles_ = !showsProfiles_;
  hint(context,
       "Compare what was profiled on a GPU, in place of the counters: units, what warps wait for, lines");
}

void CompareView::drawLeft(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  float pills = -6 * unit;
  for (const char* text : {"banks", "warps", "source", "profile"})
    pills += pillWidth(context, text) + 6 * unit;
  if (context.state.presenting) pills = 0;
  ImGui::SetCursorPos(ImVec2(kSideMargin * unit, 8 * unit));
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  const std::string title = cutToFit(leftTitle(context.session()), size.x * 0.5F);
  ImGui::PopFont();
  drawName(context, title);
  if (context.replay() != nullptr) {
    ImGui::SameLine(0, 10 * unit);
    ImGui::AlignTextToFramePadding();
    const float room = size.x - pills - kSideMargin * unit - ImGui::GetCursorPosX() - 8 * unit;
    label(context, placeText(context, *context.replay(), context.player().hazards().size(), room),
          ColorRole::TextDim);
  }
  if (!context.state.presenting) drawKinds(context, size.x - pills - kSideMargin * unit);
  if (context.replay() != nullptr) return drawPictures(context, *context.replay(), size, false);
  ImGui::SetCursorPos(ImVec2(kSideMargin * unit, 8 * unit + ImGui::GetFrameHeight() + 12 * unit));
  ImGui::BeginChild("why", ImVec2(size.x - 2 * kSideMargin * unit, 0));
  drawWaiting(context, {}, waitingText(context));
  ImGui::EndChild();
}

// The strategy on the right, and the button that swaps the sides; its name alone while presenting.
void CompareView::drawChoice(const ViewContext& context, float width) {
  Session& session = context.session();
  Comparison& comparison = session.comparison();
  const Strategy* chosen = comparison.strategy();
  const std::string title = chosen == nullptr ? "" : makeTitle(*chosen);
  if (context.state.presenting) {
    ImGui::AlignTextToFramePadding();
    return drawName(context, cutToFit(title, width));
  }
  ImGui::SetNextItemWidth(width);
  if (beginList(context, "##other", title, strategies().size())) {
    for (const Strategy& strategy : strategies()) {
      if (choice(makeTitle(strategy).c_str(), &strategy == chosen)) comparison.choose(&strategy);
    }
    endList();
  }
  ImGui::SameLine();
  const Strategy* left = session.shown().strategy;
  ImGui::BeginDisabled(left == nullptr || chosen == nullptr || comparison.replay() == nullptr);
  if (pill(context, "swap", false, pillWidth(context, "swap"), ImGui::GetFrameHeight())) {
    session.chooseStrategy(*chosen);
    if (session.error().empty()) comparison.choose(left);
  }
  ImGui::EndDisabled();
  hint(context, "The left strategy to the right, and the right one to the left");
}

void CompareView::drawRight(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  const Comparison& comparison = context.session().comparison();
  ImGui::SetCursorPos(ImVec2(kSideMargin * unit, 8 * unit));
  drawChoice(context, size.x * 0.42F);
  const Replay* replay = comparison.replay();
  if (replay == nullptr) {
    ImGui::SetCursorPos(ImVec2(kSideMargin * unit, 8 * unit + ImGui::GetFrameHeight() + 12 * unit));
    ImGui::BeginChild("why", ImVec2(size.x - 2 * kSideMargin * unit, 0));
    if (context.replay() == nullptr) {
      label(context, "This side runs once the left one has.", ColorRole::TextDim);
    } else if (comparison.sentence().empty()) {
      label(context, "Simulating…", ColorRole::TextDim);
    } else {
      wrappedText(context, withTitles(comparison.sentence()));
    }
    ImGui::EndChild();
    return;
  }
  ImGui::SameLine(0, 10 * unit);
  ImGui::AlignTextToFramePadding();
  const bool waits = context.replay() != nullptr && rightWaits(context.session(), comparison);
  const std::string note =
      waits ? "waits: it has no such phase" : placeText(*replay, comparison.hazards().size());
  const float room = size.x - kSideMargin * unit - ImGui::GetCursorPosX();
  label(context, cutToFit(note, room), ColorRole::TextDim);
  hint(context, waits ? placeText(*replay, comparison.hazards().size()).c_str() : note.c_str());
  if (noteHeight_ > 0) {
    ImGui::SetCursorPos(ImVec2(kSideMargin * unit, 12 * unit + ImGui::GetFrameHeight()));
    ImGui::BeginChild("note", ImVec2(size.x - 2 * kSideMargin * unit, noteHeight_));
    wrappedText(context, withTitles(comparison.sentence()), ColorRole::Warning);
    ImGui::EndChild();
  }
  drawPictures(context, *replay, size, true);
}

void CompareView::drawPictures(const ViewContext& context, const Replay& replay, ImVec2 size, bool isRight) {
  const Alignment& alignment = context.session().comparison().alignment();
  const float top = 8 * context.unit + ImGui::GetFrameHeight() + noteHeight_;
  // A low side keeps the picture that can be read in it.
  const bool isAlone = showsProfiles_ && !showsSources_ && size.y - top < kLeastForTwo * context.unit;
  const float ladder = (size.y - top) * (isAlone ? 1 : showsSources_ ? kLadderOverSource : kLadder);
  LadderZoom& zoom = isRight ? rightZoom_ : leftZoom_;
  const std::uint64_t generation =
      isRight ? context.session().comparison().generation() : context.player().generation();
  const std::shared_ptr<const PicturePlan>& plan =
      isRight ? context.session().comparison().plan() : context.session().plan();
  const auto sceneAt = [&](float y, float height, auto makeScene) {
    ImGui::SetCursorPos(ImVec2(0, y));
    SceneContext layout = context.scene(ImVec2(size.x, height));
    if (isRight) layout.movedFrom = alignment.toRightSteps(layout.movedFrom);
    if (isRight) layout.hazards = &context.session().comparison().hazards();
    zoom.apply(layout, replay, *plan, generation);
    Scene scene = makeScene(makeMoment(replay, plan), layout, context.measure);
    // Places on the right are reached by moving the left to the same point.
    for (HitArea& hit : scene.hits) {
      if (!isRight || hit.step < 0) continue;
      hit.step = alignment.toLeftSteps(static_cast<std::uint32_t>(hit.step));
      hit.wavefront = 0;
    }
    return scene;
  };
  zoom.show(context, sceneAt(top, ladder, arrayScene), "ladder");
  if (isAlone) return;
  if (showsSources_) {
    drawSource(context, replay, {0, top + ladder, size.x, size.y - top - ladder}, isRight);
  } else if (showsWarps_) {
    showScene(context, sceneAt(top + ladder, size.y - top - ladder, warpScene), "warps scene");
  } else {
    showScene(context, sceneAt(top + ladder, size.y - top - ladder, bankScene), "banks scene");
  }
}

// The texts are compared once for each pair of runs.
void CompareView::syncTexts(Session& session) {
  const Comparison& comparison = session.comparison();
  const bool hasBoth = session.player().replay() != nullptr && comparison.replay() != nullptr;
  const std::uint64_t left = hasBoth ? session.player().generation() : 0;
  const std::uint64_t right = hasBoth ? comparison.generation() : 0;
  if (left == leftText_ && right == rightText_) return;
  leftText_ = left;
  rightText_ = right;
  moved_ = 0;
  rows_.clear();
  if (hasBoth)
    rows_ = diffLines(session.player().replay()->trace().launch.source->text(),
                      comparison.replay()->trace().launch.source->text());
}

// Both sides show the same rows, around the current line of the left, with the right's if both fit. The wheel
// moves them.
void CompareView::drawSource(const ViewContext& context, const Replay& replay, const Area& area,
                             bool isRight) {
  const auto findLine = [](const Replay& run) {
    const std::optional<Step> step = run.currentStep();
    return step ? step->line : run.trace().kernelLine;
  };
  const Replay* const right = context.session().comparison().replay();
  const std::uint32_t leftLine = context.replay() == nullptr ? 0 : findLine(*context.replay());
  if (std::exchange(line_, leftLine) != leftLine) moved_ = 0;
  const std::size_t leftRow = findDiffRow(rows_, false, leftLine);
  const std::size_t rightRow = right == nullptr ? leftRow : findDiffRow(rows_, true, findLine(*right));
  const std::uint32_t middle = firstDiffRow(rows_.size(), leftRow, rightRow, area.h, context.unit);
  const double first = std::clamp(middle + moved_, 0.0, static_cast<double>(rows_.size()));
  ImGui::SetCursorPos(ImVec2(area.x, area.y));
  const SourceDiffSide side{isRight, findLine(replay), toWhole<std::uint32_t>(first)};
  const Scene scene = sourceDiffScene(rows_, side, context.scene(ImVec2(area.w, area.h)), context.measure);
  const SceneInput input = showScene(context, scene, "source scene");
  if (input.hovered && ImGui::GetIO().MouseWheel != 0)
    moved_ = scene.rows.first - static_cast<double>(ImGui::GetIO().MouseWheel) - middle;
}

/// The costliest lines of both sides, and the least time that each needs.
void CompareView::drawLines(const ViewContext& context, ImVec2 size, const ProfileSide& left,
                            const ProfileSide& right) {
  constexpr std::size_t kMostLines = 2;
  ImGui::BeginChild("lines", size);
  for (const auto& [name, side] : {std::pair("left", &left), std::pair("right", &right)}) {
    label(context,
          std::string(name) + (side->profile == nullptr ? ": not profiled" : ", " + side->profile->origin),
          ColorRole::TextDim, FontRole::Bold);
    for (const std::string& line : costliestLines(*side, kMostLines))
      label(context, cutToFit(line, size.x), ColorRole::Text, FontRole::Small);
    if (side->floors == nullptr) continue;
    ImGui::PushTextWrapPos(size.x);
    label(context, floorSentence(side->floors->floors, 0), ColorRole::TextDim, FontRole::Small);
    ImGui::PopTextWrapPos();
  }
  endScrolling(context);
}

/// The difference of the profiles of both sides' texts, and their floors.
void CompareView::drawProfiles(const ViewContext& context, ImVec2 size) {
  ViewState& state = context.state;
  const Document* const document = state.session.editor().current();
  const Strategy* const other = state.session.comparison().strategy();
  if (document == nullptr || other == nullptr) return;
  const std::string text = document->buffer.text();
  if (text != leftProfiled_ || other != rightProfiled_ || state.gpuPanel.n != floorsN_) {
    leftProfiled_ = text;
    rightProfiled_ = other;
    floorsN_ = state.gpuPanel.n;
    const TextProfile* const ours = state.profiles.of(text);
    const TextProfile* const theirs = state.profiles.of(other->source);
    const auto ask = [](FloorWatch& watch, Result<FloorRequest> request, const TextProfile* own,
                        const TextProfile* of) {
      if (!request) return;
      FloorQuery& query = request.value().query;
      if (of != nullptr && of->profile->kernel.n != 0 && !request->launch) {  // beside that launch's time
        query.n = of->profile->kernel.n;
        query.threads = of->profile->kernel.block[0];
      }
      request.value().profile = own;
      watch.show(std::move(request).value());
    };
    auto& [left, right] = state.session.comparedFloors();
    ask(left, makeFloorRequest(state, *document), ours, ours != nullptr ? ours : theirs);
    ask(right, makeFloorRequest(state, *other), theirs, theirs);
  }
  const auto& watches = state.session.comparedFloors();
  const ProfileSide left{state.profiles.of(text), watches[0].report()};
  const ProfileSide right{state.profiles.of(other->source), watches[1].report()};
  const CostChart cost =
      state.costs.ofTwo(state.profiles, {nullptr, leftTitle(state.session), text, left.floors},
                        {other, makeTitle(*other), other->source, right.floors});
  SceneContext whole = context.scene(size);
  whole.height = std::min(leastCostHeight(cost, whole, context.measure), size.y);
  showScene(context, costScene(cost, whole, context.measure), "cost scene");
  const float top = whole.height;
  size.y = std::max(size.y - top, 1.0F);
  const std::vector<DifferenceGroup> groups = profileDifferences(left, right);
  const float part = size.x / 3;
  const float margin = kSideMargin * context.unit;
  float x = 0;
  for (const DifferenceGroup& group : groups) {
    ImGui::SetCursorPos(ImVec2(x, top));
    const SceneContext layout = context.scene(ImVec2(part, size.y));
    if (!group.rows.empty())
      showScene(context, differenceScene({group}, layout, context.measure), group.title.c_str());
    x += part;
  }
  ImGui::SetCursorPos(ImVec2(x + margin, top + 8 * context.unit));
  drawLines(context, ImVec2(part - 2 * margin, size.y - 12 * context.unit), left, right);
}

void CompareView::drawDifferences(const ViewContext& context, ImVec2 size) {
  const Comparison& comparison = context.session().comparison();
  if (context.replay() == nullptr || comparison.replay() == nullptr) {
    ImGui::SetCursorPos(ImVec2(kSideMargin * context.unit, 11 * context.unit));
    label(context, "The counters are compared once both sides have run.", ColorRole::TextDim);
    return;
  }
  const Replay& left = *context.replay();
  const Replay& right = *comparison.replay();
  const bool waits = rightWaits(context.session(), comparison);
  const Counters none;
  const Phase* ours = findPhase(left);
  const Phase* theirs = waits ? nullptr : findPhase(right);
  const auto group = [](std::string title, std::string note, const Counters& a, const Counters& b) {
    return DifferenceGroup{std::move(title), std::move(note), counterDifferences(a, b)};
  };
  const std::string note =
      (ours == nullptr ? "" : ours->label) + (theirs == nullptr ? ", none" : "") +
      (theirs != nullptr && ours != nullptr && theirs->label != ours->label ? ", " + theirs->label : "");
  std::vector<DifferenceGroup> groups{group("whole phase", note, ours == nullptr ? none : ours->counters,
                                            theirs == nullptr ? none : theirs->counters),
                                      group("so far", "", left.state().counters, right.state().counters),
                                      wholeGroup(context.session())};
  if (theirs == nullptr) withoutRight(groups.front().rows);
  ImGui::SetCursorPos(ImVec2(0, 0));
  const SceneContext layout = context.scene(size);
  showScene(context,
            isBrief(context) ? briefDifferenceScene(groups, layout, context.measure)
                             : differenceScene(groups, layout, context.measure),
            "difference scene");
}

}  // namespace lanescope
