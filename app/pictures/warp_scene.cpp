#include "app/pictures/warp_scene.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/base/cell_grid.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/warp_text.h"

namespace lanescope {

namespace {

constexpr float kRoomyPitch = 19;      // units: a row as tall has room for words,
constexpr float kTallPitch = 26;       // and for two lines of them
constexpr float kLabelWithLine = 112;  // units, of a label with long words in one line
constexpr float kWideLane = 24;        // units: lanes as wide leave room for longer words at their side
constexpr float kValueLane = 9;        // units: a lane as wide may have room for a value
constexpr float kSmallestNumber = 0.6F;
constexpr float kEasyNumber = 0.85F;     // required scale of a row's numbers before its words
constexpr float kAboveBar = 0.78F;       // share of a lane's height over the bar of a waiting lane
constexpr float kLeastToFold = 110;      // units of height for each warp
constexpr float kFoldsAt = 1.7F;         // times larger lanes: a warp's are in several lines
constexpr float kBetweenNumbers = 0.3F;  // share of their size: with less room than that they run together

constexpr TextStyle kLaneStyle{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};

constexpr TextStyle kNameStyle{FontRole::Bold, ColorRole::Text, Align::Left, 0.92F, 1};
constexpr TextStyle kLineStyle{FontRole::Small, ColorRole::TextDim, Align::Left, 0.85F, 1};

constexpr std::array kLegend = {LaneState::Active, LaneState::MaskedOff, LaneState::AtBarrier,
                                LaneState::Exited};
constexpr TextStyle kLegendStyle{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};

class WarpPainter {
 public:
  WarpPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        waiting_(moment.trace, moment.state),
        context_(context),
        text_(moment, context),
        out_(context, measure) {}

  Scene paint() {
    if (trace_.warps == 0) {
      out_.heading("WARPS", "");
      return out_.consume();
    }
    const bool detail = layOutDetail();
    isShort_ = areNamesShort();
    std::string large;
    if (detail) {
      layOutOthers();
      isShort_ = isShort_ || areNamesShort();
      layOutDetail();
      paintWarp(focusWarp(), 0);
      large = fmt::format(", {} {}", context_.focusWarp >= 0 ? "chosen: warp" : "large: warp", focusWarp());
      if (namesLanes_) large += " by lane";
      const std::uint32_t line = hasLines() ? 0 : text_.findLine(focusWarp());
      if (line != 0) large += fmt::format(", line {}", line);
      layOutOthers();
    }
    const std::string note = makeNote() + large;
    const bool legend = out_.width() > legendWidth() + out_.u(300);
    out_.heading("WARPS", note, legend ? legendWidth() : 0);
    if (legend) paintLegend();
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) paintWarp(warp, warp);
    return out_.consume();
  }

 private:
  // `2 warps of 32 lanes`; `1 of 2 warps not at line 11 yet` if the rows have no room for that.
  std::string makeNote() const {
    const std::size_t behind = sideWidth_ < out_.u(100) ? text_.countBehind() : 0;
    std::string toCome = fmt::format("{} of {} not at line {} yet", behind, counted(trace_.warps, "warp"),
                                     text_.currentLine());
    if (text_.showsVariable()) {
      const std::string& name = trace_.variables[static_cast<std::size_t>(context_.variable)].label;
      return name + " in every lane" + (behind > 0 ? ", " + toCome : "");
    }
    if (behind > 0) return toCome;
    const unsigned lanes = trace_.launch.machine.warpSize;
    std::string note = fmt::format("{} of {}", counted(trace_.warps, "warp"), counted(lanes, "lane"));
    // The last warp's other lanes are absent, which has no entry in the legend.
    if (trace_.threads < trace_.warps * lanes) note += fmt::format(", {}", counted(trace_.threads, "thread"));
    return note;
  }

  void layOut() {
    const float room = out_.width() - 2 * out_.margin();
    const float tall = std::max(out_.height() - top_ - out_.u(8), 1.0F);
    const auto lanes = static_cast<float>(trace_.launch.machine.warpSize);
    float best = -1;
    lines_ = 1;
    for (std::uint32_t columns = 1; columns <= trace_.warps; ++columns) {
      const std::uint32_t rows = (trace_.warps + columns - 1) / columns;
      const float pitch = std::min(tall / static_cast<float>(rows), out_.u(40));
      const float width = room / static_cast<float>(columns);
      const bool roomy = columns == 1 && pitch >= out_.u(kRoomyPitch);
      const bool labels = pitch >= out_.u(12);
      const float side = roomy ? out_.u(158) : labels && width > out_.u(300) ? out_.u(46) : out_.u(4);
      const bool isWide = labels && width - out_.u(66) - side >= out_.u(kWideLane) * lanes;
      const float label = roomy || isWide ? out_.u(66) : labels ? out_.u(30) : out_.u(4);
      const float lane = std::min({(width - label - side) / lanes, pitch * 3.2F, out_.u(72)});
      const float quality = roomy ? 1000 : std::min(lane, pitch * 0.8F) + (labels ? out_.u(6) : 0);
      if (lane <= 0 || quality <= best) continue;
      best = quality;
      rows_ = rows;
      columns_ = columns;
      pitch_ = pitch;
      columnWidth_ = columns == 1 ? room : width;
      labelWidth_ = label;
      sideWidth_ = side;
      laneWidth_ = lane;
      if (roomy) {
        widenLanes(columnWidth_, pitch_, findLast(trace_.warps - 1));
        foldLanes(tall / static_cast<float>(rows));
        break;
      }
    }
    laneHeight_ = computeLaneHeight();
  }

  float computeLaneHeight() const {
    const float one = (lines_ == 1 ? pitch_ : pitch_ - out_.u(10)) * 0.82F / static_cast<float>(lines_);
    return std::min(one, std::max(laneWidth_ * 1.25F, out_.u(6)));
  }

  /// Lanes in two or four lines per warp, if that makes them nearly twice as large or more: a panel that has
  /// the window to itself shows them so. `free`: the height for a warp.
  void foldLanes(float free) {
    const auto sizeWith = [&](std::uint32_t lines) {
      const float wide = laneWidth_ * static_cast<float>(lines);
      return std::min({wide, free * 0.82F / static_cast<float>(lines), out_.u(72)});
    };
    if (free < out_.u(kLeastToFold)) return;
    const float flat = std::min(laneWidth_, sizeWith(1));
    std::uint32_t best = 1;
    for (const std::uint32_t lines : {2U, 4U}) {
      const bool isLarger = sizeWith(lines) > 1.15F * sizeWith(best);
      if (trace_.launch.machine.warpSize >= 4 * lines && sizeWith(lines) > kFoldsAt * flat && isLarger)
        best = lines;
    }
    lines_ = best;
    if (lines_ == 1) return;
    laneWidth_ = std::min(laneWidth_ * static_cast<float>(lines_), out_.u(72));
    // A gap shows which lines are one warp's.
    pitch_ = std::min(free, static_cast<float>(lines_) * laneWidth_ * 1.25F / 0.82F + out_.u(10));
  }
  std::uint32_t lanesPerLine() const { return trace_.launch.machine.warpSize / lines_; }

  // If there are many warps, one of them gets a row of its own, lane by lane, above the others. Returns false
  // if that would leave the others no room, or be no larger than they are.
  bool layOutDetail() {
    const float room = out_.width() - 2 * out_.margin();
    top_ = out_.u(32);
    layOut();
    if (isNumbered() || out_.height() < out_.u(92)) return false;
    if (columns_ == 1 && pitch_ >= out_.u(kRoomyPitch)) return false;
    rows_ = columns_ = lines_ = 1;
    pitch_ = out_.u(27);
    columnWidth_ = room;
    widenLanes(room, pitch_, findLast(focusWarp()));
    namesLanes_ = numbersIn(laneWidth_, findLast(focusWarp())) < smallest();
    if (namesLanes_) widenLanes(room, pitch_, trace_.launch.machine.warpSize - 1);
    laneHeight_ = computeLaneHeight();
    return true;
  }

  // The warps below one of them that is large.
  void layOutOthers() {
    namesLanes_ = false;  // they have no numbers, or their threads'
    top_ = out_.u(32 + 30);
    layOut();
  }

  /// The words of every row's label: `warp 3` and `line 12`, or shorter.
  struct LabelWords {
    std::string_view name = "w";
    std::string_view line;  ///< empty: there is no room for it
    bool isUnder = false;   ///< the line under the name, not beside it
  };
  // Long words if all rows have room for them; a short name rather than no line.
  LabelWords chooseLabelWords() const {
    const float room = labelWidth_ - out_.u(5);
    const TextStyle style = nameStyle();
    const auto widthOf = [&](std::string_view name) {
      return out_.textWidth(fmt::format("{}{:4>{}}", name, "", std::to_string(trace_.warps - 1).size()),
                            style);
    };
    const auto widthOfLine = [&](std::string_view line) {
      return out_.textWidth(fmt::format("{}{:4>{}}", line, "", countLineDigits()), kLineStyle);
    };
    const std::string_view name = widthOf("warp ") <= room ? "warp " : "w";
    if (pitch_ >= tallPitch()) {
      for (const std::string_view line : {"line ", "L"})
        if (std::max(widthOfLine(line), widthOf("w")) <= room) return {name, line, true};
    }
    struct Beside {
      std::string_view name, line;
    };
    for (const auto& [each, line] : {Beside{"warp ", "line "}, Beside{"w", "line "}, Beside{"w", "L"}})
      if (widthOf(each) + widthOfLine(line) + out_.u(14) <= room) return {.name = each, .line = line};
    return {.name = name, .line = {}};
  }
  TextStyle nameStyle() const {
    return isCompact() ? TextStyle{FontRole::Small, ColorRole::TextDim, Align::Left, 0.85F, 1} : kNameStyle;
  }
  std::size_t countLineDigits() const {
    const SourceText* const source = trace_.launch.source.get();
    return std::to_string(source == nullptr ? 100 : source->lineCount()).size();
  }
  bool hasLines() const { return !chooseLabelWords().line.empty(); }
  bool areNamesShort() const { return hasNames() && chooseLabelWords().name == "w"; }
  /// The least pitch of a row with two lines of words.
  float tallPitch() const {
    return std::max(out_.u(kTallPitch), 1.1F * (out_.computeSize(kNameStyle) + out_.computeSize(kLineStyle)));
  }
  /// True if the row has room for whole words at its sides.
  bool isCompact() const { return columns_ > 1 || labelWidth_ < out_.u(60) || pitch_ < out_.u(kRoomyPitch); }
  /// True if the longest name has room.
  bool hasNames() const {
    const std::string longest = fmt::format("w{:4>{}}", "", std::to_string(trace_.warps - 1).size());
    return out_.textWidth(longest, nameStyle()) <= labelWidth_ - out_.u(5);
  }

  // For a row with room for words at its sides: as many words as leave lanes wide enough for the number of
  // that thread, and for room between numbers; all words if there is no room for numbers.
  // Of labels, those with a line come first.
  void widenLanes(float width, float pitch, std::uint32_t last) {
    struct Sides {
      float label;
      float side;
    };
    constexpr std::array kSides = {Sides{kLabelWithLine, 158},
                                   Sides{66, 158},
                                   Sides{66, 40},
                                   Sides{50, 40},
                                   Sides{30, 40},
                                   Sides{50, 4},
                                   Sides{30, 4}};
    const std::span sides = std::span(kSides).subspan(pitch < tallPitch() ? 0 : 1);
    const auto receive = [&](const Sides& chosen) {
      labelWidth_ = out_.u(chosen.label);
      sideWidth_ = out_.u(chosen.side);
      laneWidth_ =
          std::min({(width - labelWidth_ - sideWidth_) / static_cast<float>(trace_.launch.machine.warpSize),
                    pitch * 3.2F, out_.u(72)});
      return numbersIn(laneWidth_, last);
    };
    const float least = smallest();
    const float easy = std::max(kEasyNumber, least);
    for (const bool isForLine : {true, false}) {
      for (const Sides& each : sides)
        if (receive(each) >= easy && areApart(laneWidth_, last, easy) && (!isForLine || hasLines())) return;
    }
    for (const Sides& each : sides)
      if (receive(each) >= least) return;
    receive(sides[1]);
  }

  /// True if each lane is large enough for a number.
  bool isNumbered() const {
    return laneHeight_ >= out_.u(10) && numbersIn(laneWidth_, findLast(trace_.warps - 1)) >= smallest();
  }

  std::uint32_t findLast(std::uint32_t warp) const {
    return std::min((warp + 1) * trace_.launch.machine.warpSize, std::max(trace_.threads, 1U)) - 1;
  }

  // The size of the numbers up to that of a thread in a lane of that width, times their style's size.
  float numbersIn(float lane, std::uint32_t last) const {
    const std::string digits(std::to_string(last).size(), '4');
    return (lane - out_.u(1)) / out_.textWidth(digits, kLaneStyle);
  }

  // True if such numbers, of that size, do not run together.
  bool areApart(float lane, std::uint32_t last, float scale) const {
    const std::string digits(std::to_string(last).size(), '4');
    const float between = out_.computeSize(kLaneStyle) * kBetweenNumbers;
    return scale * (out_.textWidth(digits, kLaneStyle) + between) <= lane;
  }

  /// The least of a number's own size.
  float smallest() const { return std::max(kSmallestNumber, out_.leastScale(kLaneStyle)); }
  float computeGap(float lane) const {
    return lane < out_.u(4) ? lane * 0.15F : std::min(lane * 0.12F, out_.u(3));
  }

  float laneGap() const { return computeGap(laneWidth_); }
  void paintWarp(std::uint32_t warp, std::uint32_t place) {
    const std::uint32_t column = place / rows_;
    const float left = out_.margin() + static_cast<float>(column) * columnWidth_;
    const float middle = top_ + (static_cast<float>(place % rows_) + 0.5F) * pitch_;
    const unsigned size = trace_.launch.machine.warpSize;
    const std::optional<Step> step = moment_.step();
    const bool current = step && step->warp == warp;
    const std::vector<LaneState> states = laneStates(trace_, moment_.state, warp, waiting_);
    const WarpCount count = WarpText::parseCount(states);
    const float lanesLeft = left + labelWidth_;
    const float lanesWidth = laneWidth_ * static_cast<float>(lanesPerLine());
    const float pitch = laneHeight_ / 0.82F;  // of a line of lanes
    const float firstLine = middle - pitch * static_cast<float>(lines_) / 2;
    if (current) {
      const Rect frame{left - out_.u(3), middle - pitch_ / 2, labelWidth_ + lanesWidth + out_.u(6), pitch_};
      out_.fill(frame, ColorRole::Accent, out_.u(4), 0.14F);
      out_.stroke(frame, ColorRole::Accent, out_.u(1.3F), out_.u(4));
    }
    if (hasNames()) paintLabel(warp, current, left + out_.u(3), middle);
    const float gap = laneGap();
    const std::int32_t last = moment_.state.lastStep[warp];
    const std::int64_t line = last < 0 ? -1 : std::int64_t{trace_.steps[static_cast<std::size_t>(last)].line};
    out_.hit({left, middle - pitch_ / 2, labelWidth_, pitch_}, HitArea::Kind::Warp, warp, [&] {
      const std::string at = text_.describePlace(warp);
      return fmt::format("warp {}{}{}{}", warp, at.empty() ? "" : " ", at,
                         columns_ > 1 || rows_ > 4 ? "\nClick: show it large" : "");
    });
    const Numbers numbers = listNumbers(warp);
    // As in the array: a warp of which no lane works is an outline.
    const bool skips = count.of(LaneState::Active) == 0 && count.of(LaneState::AtBarrier) == 0;
    for (unsigned lane = 0; lane < size; ++lane) {
      const unsigned above = lane / lanesPerLine();  // lines of its warp
      const float y = firstLine + (static_cast<float>(above) + 0.5F) * pitch;
      const Rect rect{lanesLeft + static_cast<float>(lane % lanesPerLine()) * laneWidth_, y - laneHeight_ / 2,
                      laneWidth_ - gap, laneHeight_};
      const std::uint32_t thread = warp * size + lane;
      const LaneState state = states[lane];
      paintLane(rect, skips && state == LaneState::MaskedOff ? LaneState::NotStarted : state, thread,
                numbers);
      if (state == LaneState::NotThere) continue;
      out_.hit({rect.x, rect.y, laneWidth_, rect.h}, HitArea::Kind::Thread, thread,
               [&] { return text_.makeTip(warp, lane, state); })
          .line = line;
    }
    paintSide(warp, count, lanesLeft + lanesWidth + out_.u(10), middle);
  }

  // The warp's name and, if there is room, its line: under the name, or beside it.
  void paintLabel(std::uint32_t warp, bool isCurrent, float x, float middle) {
    const LabelWords words = chooseLabelWords();
    TextStyle style = nameStyle();
    if (!isCompact() && !isCurrent) style.font = FontRole::Body;
    style.color = isCurrent ? ColorRole::Text : ColorRole::TextDim;
    const float room = labelWidth_ - out_.u(5);
    const std::uint32_t line = words.line.empty() ? 0 : text_.findLine(warp);
    const bool isUnder = line > 0 && words.isUnder;
    const float y = isUnder ? middle - out_.computeSize(style) * 0.5F : middle;
    out_.textWithin(x, y, room, fmt::format("{}{}", isShort_ ? "w" : words.name, warp), style);
    if (line == 0) return;
    const bool isHere = line == text_.currentLine() && !text_.isBehind(warp);
    TextStyle lineStyle = kLineStyle;
    if (isHere) lineStyle.color = ColorRole::Text;
    if (!isUnder) lineStyle.align = Align::Right;
    const float lineY = isUnder ? middle + out_.computeSize(style) * 0.6F : middle;
    std::string text = fmt::format("{}{}", words.line, line);
    // In a loop it has been on the current line, and comes to it again.
    const std::string past = "past " + text;
    const float lineRoom =
        isUnder ? room : room - out_.u(8) - out_.textWidth(fmt::format("{}{} ", words.name, warp), style);
    if (text_.isBehind(warp) && out_.textWidth(past, lineStyle) <= lineRoom) text = past;
    out_.textWithin(isUnder ? x : x + room - out_.u(8), lineY, room, text, lineStyle);
  }

  /// The numbers of a row of lanes: all of one size.
  struct Numbers {
    unsigned every = 0;  ///< the lanes that have a number: each, every second, or none (0)
    float scale = 1;     ///< of their style's size
  };
  // The numbers of a warp's threads. If they fit but with too little room between them, every second lane has
  // one.
  Numbers listNumbers(std::uint32_t warp) const {
    if (laneHeight_ < out_.u(10)) return {};
    const float high = laneHeight_ * kAboveBar / (out_.computeSize(kLaneStyle) * 1.05F);
    const std::uint32_t last = namesLanes_ ? trace_.launch.machine.warpSize - 1 : findLast(warp);
    const float scale = std::min({1.0F, numbersIn(laneWidth_, last), high});
    if (scale < smallest()) return {};
    return {areApart(laneWidth_, last, scale) ? 1U : 2U, scale};
  }

  void paintLane(const Rect& rect, LaneState state, std::uint32_t thread, const Numbers& numbers) {
    const unsigned warpSize = trace_.launch.machine.warpSize;
    const bool isToCome = state == LaneState::Active && text_.isBehind(thread / warpSize);
    if (isToCome)
      paintToCome(rect);
    else
      paintBox(rect, state);
    if (text_.isAtFault(thread / warpSize, thread % warpSize)) paintFault(rect);
    if (context_.threadLit(thread)) {
      out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), out_.u(3));
    }
    if (context_.threadChosen(thread)) {
      // A ring and a bar under it, both unlike any state of a lane.
      out_.stroke(rect.inset(-out_.u(1)), ColorRole::Text, out_.u(2.4F), std::min(out_.u(3), rect.w / 4));
      out_.fill({rect.x, rect.bottom() + out_.u(1), rect.w, out_.u(3.5F)}, ColorRole::Text);
    }
    if (state == LaneState::NotThere) return;
    if (state == LaneState::Exited && !text_.showsVariable()) return;
    const bool active = state == LaneState::Active;
    const Rect area = state == LaneState::AtBarrier ? Rect{rect.x, rect.y, rect.w, rect.h * kAboveBar} : rect;
    TextStyle style = kLaneStyle;
    style.color = isToCome ? ColorRole::Text : active ? ColorRole::TextOnAccent : ColorRole::TextDim;
    if (text_.showsVariable()) {
      const std::string value = text_.computeValue(thread);
      const std::string shown = value.empty() ? "–" : value;
      if (laneWidth_ < out_.u(kValueLane) || laneHeight_ < out_.u(10)) return;
      if (state == LaneState::MaskedOff && out_.fitsInside(area.w, shown, style, kSmallestNumber))
        paintPlate(out_, area, shown, style);
      out_.textInside(area, shown, style, kSmallestNumber);
      return;
    }
    if (numbers.every == 0 || thread % warpSize % numbers.every != 0) return;
    style.scale *= numbers.scale;
    const std::string number = fmt::format("{}", namesLanes_ ? thread % warpSize : thread);
    if (state == LaneState::MaskedOff) paintPlate(out_, area, number, style);
    out_.text(area.midX(), area.midY(), number, style);
  }

  // An active lane whose warp has not reached the current line: what it does there is yet to come.
  void paintToCome(const Rect& rect) {
    paintCell(out_, rect, {CellLook::Style::Outlined, ColorRole::LaneActive});
    paintCell(out_, rect, {CellLook::Style::Filled, ColorRole::LaneActive, 0.3F});
  }

  // Over the lane's state, and unlike any.
  void paintFault(const Rect& rect) {
    out_.fill(rect, ColorRole::Bad, std::min(out_.u(3), rect.w / 5));
    out_.stroke(rect.inset(-out_.u(2)), ColorRole::Bad, out_.u(1.6F), std::min(out_.u(4), rect.w / 4));
  }

  // The warp that is shown large: the chosen one, else the running one.
  std::uint32_t focusWarp() const {
    if (context_.focusWarp >= 0)
      return std::min(static_cast<std::uint32_t>(context_.focusWarp), trace_.warps - 1);
    const std::optional<Step> step = moment_.step();
    return step ? step->warp : 0;
  }

  void paintBox(const Rect& rect, LaneState state) {
    const float radius = std::min(out_.u(3), rect.w / 5);
    const float thin = std::max(out_.u(1), 0.75F);
    const bool tiny = rect.w < out_.u(7) || rect.h < out_.u(7);
    using Style = CellLook::Style;
    switch (state) {
      case LaneState::Active: return paintCell(out_, rect, {Style::Filled, ColorRole::LaneActive});
      case LaneState::MaskedOff: return paintCell(out_, rect, {Style::Hatched, ColorRole::LaneMasked, 0.8F});
      case LaneState::NotStarted: return paintCell(out_, rect, {Style::Outlined, ColorRole::CellBorder});
      case LaneState::NotThere: return paintCell(out_, rect, {Style::Filled, ColorRole::LaneAbsent, 0.5F});
      case LaneState::AtBarrier:
        out_.fill(rect, ColorRole::Cell, radius);
        out_.fill({rect.x, rect.bottom() - rect.h * 0.24F, rect.w, rect.h * 0.24F}, ColorRole::LaneWaiting,
                  radius);
        break;
      case LaneState::Exited: {
        const float dot = std::min({rect.w * 0.4F, rect.h * 0.4F, out_.u(5)});
        if (!tiny) out_.stroke(rect, ColorRole::LaneExited, thin, radius, 0.5F);
        out_.fill({rect.midX() - dot / 2, rect.midY() - dot / 2, dot, dot}, ColorRole::LaneExited, dot / 2);
        break;
      }
    }
  }

  void paintSide(std::uint32_t warp, const WarpCount& count, float x, float y) {
    const TextStyle small{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};
    if (sideWidth_ < out_.u(30) || pitch_ < out_.computeSize(small)) return;
    if (const std::string fault = text_.describeFault(warp); !fault.empty()) {
      const TextStyle style{FontRole::Bold, ColorRole::Bad, Align::Left, 0.88F, 1};
      const float room = sideWidth_ - out_.u(8);
      out_.textWithin(x, y, room, out_.textWidth(fault, style) <= room ? fault : "fault", style);
      return;
    }
    const TextStyle strong{FontRole::Body, ColorRole::Text, Align::Left, 0.88F, 1};
    const TextStyle dim{FontRole::Body, ColorRole::TextDim, Align::Left, 0.88F, 1};
    const std::string why = text_.showsVariable()  ? text_.readValues(warp)
                            : text_.isBehind(warp) ? sayBehind(dim)
                                                   : text_.reason(warp, count);
    if (sideWidth_ < out_.u(100)) {
      out_.textWithin(x, y, sideWidth_ - out_.u(8),
                      fmt::format("{}/{}", count.of(LaneState::Active), trace_.launch.machine.warpSize),
                      small);
    } else if (pitch_ >= out_.u(32) && !why.empty()) {
      const float line = out_.computeSize(strong) * 0.62F;
      out_.textWithin(x, y - line, sideWidth_ - out_.u(8), text_.share(count), strong);
      out_.textWithin(x, y + line, sideWidth_ - out_.u(8), why, dim);
    } else if ((count.of(LaneState::Active) > 0 && !text_.showsVariable() && !text_.isBehind(warp)) ||
               why.empty()) {
      out_.textWithin(x, y, sideWidth_ - out_.u(8), text_.share(count), strong);
    } else {
      out_.textWithin(x, y, sideWidth_ - out_.u(8), why, dim);
    }
  }

  // As long as there is room; the tooltip has the sentence.
  std::string sayBehind(const TextStyle& style) const {
    std::string whole = fmt::format("has not reached line {} yet", text_.currentLine());
    const bool fits = out_.textWidth(whole, style) <= sideWidth_ - out_.u(8);
    return fits ? whole : fmt::format("not at line {} yet", text_.currentLine());
  }

  void paintLegend() {
    float x = out_.width() - out_.margin() - legendWidth() + out_.u(14);
    for (const LaneState state : kLegend) {
      paintBox({x, out_.u(11), out_.u(14), out_.u(14)}, state);
      x += out_.u(19);
      out_.text(x, out_.u(18), std::string(nameFor(state)), kLegendStyle);
      x += out_.textWidth(nameFor(state), kLegendStyle) + out_.u(15);
    }
  }

  float legendWidth() const {
    float width = 0;
    for (const LaneState state : kLegend) width += out_.textWidth(nameFor(state), kLegendStyle) + out_.u(34);
    return width;
  }

  const Moment& moment_;
  const Trace& trace_;
  WaitingWarps waiting_;
  const SceneContext& context_;
  WarpText text_;
  SceneBuilder out_;
  float top_ = 0, pitch_ = 0, columnWidth_ = 0;
  float labelWidth_ = 0, sideWidth_ = 0, laneWidth_ = 0, laneHeight_ = 0;
  std::uint32_t rows_ = 1, columns_ = 1;
  std::uint32_t lines_ = 1;  ///< of a warp's lanes, see foldLanes()
  bool isShort_ = false;     ///< the names are: `w3`
  bool namesLanes_ = false;  ///< the large warp's threads have numbers too long for their lanes
};

}  // namespace

Scene warpScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return WarpPainter(moment, context, measure).paint();
}

}  // namespace lanescope
