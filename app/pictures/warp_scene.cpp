#include "app/pictures/warp_scene.h"

#include <algorithm>
#include <array>
#include <bit>
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

namespace lanescope {

/// `masked off`, `at barrier` …
std::string_view nameFor(LaneState state);

/// How many lanes of a warp are in each state.
struct WarpCount {
  std::array<unsigned, 6> lanes{};
  unsigned of(LaneState state) const { return lanes[static_cast<std::size_t>(state)]; }
};

/// The texts of the picture of the warps.
class WarpText {
 public:
  WarpText(const Moment& moment, const SceneContext& context)
      : moment_(moment), trace_(moment.trace), context_(context) {}

  static WarpCount parseCount(std::span<const LaneState> lanes);
  /// `16 of 32 active, 50%`
  std::string share(const WarpCount& count) const;
  /// True if the lane is at fault for the end of the block, at that moment.
  bool isAtFault(std::uint32_t warp, unsigned lane) const;
  /// `thread 7 faults`; "" if the warp's step is not a fault.
  std::string describeFault(std::uint32_t warp) const;
  /// The most common reason why the inactive lanes are inactive.
  std::string reason(std::uint32_t warp, const WarpCount& count) const;
  /// True if a variable was chosen, to be shown for every lane.
  bool showsVariable() const {
    return context_.variable >= 0 && static_cast<std::size_t>(context_.variable) < trace_.variables.size();
  }
  /// The value of the chosen variable in a thread; "" if it has none.
  std::string computeValue(std::uint32_t thread) const;
  /// The chosen variable over a warp: `k = 4 in all lanes`, `i: 0, 2 … 30`.
  std::string readValues(std::uint32_t warp) const;
  /// The tooltip of a lane.
  std::string makeTip(std::uint32_t warp, unsigned lane, LaneState state) const;

 private:
  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
};

std::string_view nameFor(LaneState state) {
  switch (state) {
    case LaneState::Active: return "active";
    case LaneState::MaskedOff: return "masked off";
    case LaneState::AtBarrier: return "at barrier";
    case LaneState::Exited: return "done";
    case LaneState::NotStarted: return "not started";
    case LaneState::NotThere: return "absent";
  }
  return "";
}

WarpCount WarpText::parseCount(std::span<const LaneState> lanes) {
  WarpCount count;
  for (const LaneState state : lanes) ++count.lanes[static_cast<std::size_t>(state)];
  return count;
}

std::string WarpText::share(const WarpCount& count) const {
  const unsigned size = trace_.launch.machine.warpSize;
  if (count.of(LaneState::Active) == 0) return fmt::format("0 of {} active", size);
  return fmt::format("{} of {} active, {}%", count.of(LaneState::Active), size,
                     (count.of(LaneState::Active) * 100 + size / 2) / size);
}

std::string WarpText::computeValue(std::uint32_t thread) const {
  const auto index = static_cast<std::size_t>(context_.variable);
  const std::size_t at = std::size_t{thread} * trace_.variables.size() + index;
  if (at >= moment_.state.variables.size()) return "";
  const VariableValue& value = moment_.state.variables[at];
  return value.set ? formatValue(trace_.variables[index].type, value.bits) : "";
}

std::string WarpText::readValues(std::uint32_t warp) const {
  std::vector<std::string> values;
  bool same = true;
  for (unsigned lane = 0; lane < trace_.lanesOfWarp(warp); ++lane) {
    std::string value = computeValue(warp * trace_.launch.machine.warpSize + lane);
    if (value.empty()) continue;
    if (!values.empty() && values.front() != value) same = false;
    values.push_back(std::move(value));
  }
  const std::string& name = trace_.variables[static_cast<std::size_t>(context_.variable)].label;
  if (values.empty()) return name + " has no value here";
  const bool all = values.size() == trace_.lanesOfWarp(warp);
  if (same) {
    return all ? fmt::format("{} = {} in all lanes", name, values.front())
               : fmt::format("{} = {} in {}", name, values.front(), counted(values.size(), "lane"));
  }
  return values.size() < 3 ? fmt::format("{}: {}, {}", name, values[0], values[1])
                           : fmt::format("{}: {}, {} \u2026 {}", name, values[0], values[1], values.back());
}

bool WarpText::isAtFault(std::uint32_t warp, unsigned lane) const {
  const TraceFault* const fault = moment_.fault();
  return fault != nullptr && moment_.step()->warp == warp && (fault->lanes >> lane & 1U) != 0;
}

std::string WarpText::describeFault(std::uint32_t warp) const {
  const TraceFault* const fault = moment_.fault();
  if (fault == nullptr || moment_.step()->warp != warp) return "";
  if (std::popcount(fault->lanes) != 1) return "faults here";
  const auto lane = static_cast<unsigned>(std::countr_zero(fault->lanes));
  return fmt::format("thread {} faults", warp * trace_.launch.machine.warpSize + lane);
}

std::string WarpText::makeTip(std::uint32_t warp, unsigned lane, LaneState state) const {
  const std::uint32_t thread = warp * trace_.launch.machine.warpSize + lane;
  std::string tip = fmt::format("thread {}: warp {}, lane {}, {}", thread, warp, lane, nameFor(state));
  if (isAtFault(warp, lane)) tip += "\n" + moment_.fault()->sentence;
  const std::int32_t last = moment_.state.lastStep[warp];
  if (state == LaneState::MaskedOff && last >= 0) {
    const Step step = trace_.steps[static_cast<std::size_t>(last)];
    if (step.kind == StepKind::Branch && step.after == 0)
      tip += fmt::format(" by line {}", step.line);
    else if (step.maskedBy != 0)
      tip += fmt::format(" by line {}", step.maskedBy);
  }
  if (showsVariable()) {
    const std::string value = computeValue(thread);
    tip += fmt::format("; {} {}", trace_.variables[static_cast<std::size_t>(context_.variable)].label,
                       value.empty() ? "has no value" : "= " + value);
  }
  return tip;
}

std::string WarpText::reason(std::uint32_t warp, const WarpCount& count) const {
  LaneState most = LaneState::NotThere;
  for (const LaneState state :
       {LaneState::NotStarted, LaneState::Exited, LaneState::AtBarrier, LaneState::MaskedOff}) {
    if (count.of(state) > 0 && (most == LaneState::NotThere || count.of(state) >= count.of(most)))
      most = state;
  }
  if (most == LaneState::MaskedOff) {
    const std::int32_t last = moment_.state.lastStep[warp];
    if (last < 0) return "masked off";
    const Step step = trace_.steps[static_cast<std::size_t>(last)];
    if (step.kind == StepKind::Branch && count.of(LaneState::Active) == 0)
      return fmt::format("line {} is false for all", step.line);
    return step.maskedBy == 0 ? "masked off" : fmt::format("masked off by line {}", step.maskedBy);
  }
  if (most == LaneState::AtBarrier) return "waits at the barrier";
  if (most == LaneState::NotThere) {
    return count.of(LaneState::NotThere) == 0
               ? ""
               : fmt::format("{} absent", counted(count.of(LaneState::NotThere), "lane"));
  }
  if (count.of(LaneState::Active) > 0) return fmt::format("{} {}", count.of(most), nameFor(most));
  return std::string(nameFor(most));
}

namespace {

constexpr float kRoomyPitch = 19;  // units: a row as tall has room for words
constexpr float kValueLane = 9;    // units: a lane as wide may have room for a value
constexpr float kSmallestNumber = 0.6F;
constexpr float kEasyNumber = 0.85F;     // required scale of a row's numbers before its words
constexpr float kAboveBar = 0.78F;       // share of a lane's height over the bar of a waiting lane
constexpr float kBetweenNumbers = 0.3F;  // share of their size: with less room than that they run together

constexpr TextStyle kLaneStyle{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};

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
    std::string note = fmt::format("{} of {}", counted(trace_.warps, "warp"),
                                   counted(trace_.launch.machine.warpSize, "lane"));
    // The last warp's other lanes are absent, which has no entry in the legend.
    if (trace_.threads < trace_.warps * trace_.launch.machine.warpSize)
      note += fmt::format(", {}", counted(trace_.threads, "thread"));
    if (text_.showsVariable())
      note = trace_.variables[static_cast<std::size_t>(context_.variable)].label + " in every lane";
    const bool chosen = context_.focusWarp >= 0;
    if (detail) {
      paintWarp(focusWarp(), 0);
      note += fmt::format(", {} {}", chosen ? "chosen: warp" : "large: warp", focusWarp());
      if (namesLanes_) note += " by lane";
      namesLanes_ = false;  // the others have no numbers, or their threads'
      top_ = out_.u(32 + 30);
      layOut();
    }
    const bool legend = out_.width() > legendWidth() + out_.u(300);
    out_.heading("WARPS", note, legend ? legendWidth() : 0);
    if (legend) paintLegend();
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) paintWarp(warp, warp);
    return out_.consume();
  }

 private:
  void layOut() {
    const float room = out_.width() - 2 * out_.margin();
    const float tall = std::max(out_.height() - top_ - out_.u(8), 1.0F);
    const auto lanes = static_cast<float>(trace_.launch.machine.warpSize);
    float best = -1;
    for (std::uint32_t columns = 1; columns <= trace_.warps; ++columns) {
      const std::uint32_t rows = (trace_.warps + columns - 1) / columns;
      const float pitch = std::min(tall / static_cast<float>(rows), out_.u(40));
      const float width = room / static_cast<float>(columns);
      const bool roomy = columns == 1 && pitch >= out_.u(kRoomyPitch);
      const bool labels = pitch >= out_.u(12);
      const float label = roomy ? out_.u(66) : labels ? out_.u(30) : out_.u(4);
      const float side = roomy ? out_.u(158) : labels && width > out_.u(300) ? out_.u(46) : out_.u(4);
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
        break;
      }
    }
    laneHeight_ = std::min(pitch_ * 0.82F, std::max(laneWidth_ * 1.25F, out_.u(6)));
  }

  // If there are many warps, one of them gets a row of its own, lane by lane, above the others. Returns false
  // if that would leave the others no room, or be no larger than they are.
  bool layOutDetail() {
    const float room = out_.width() - 2 * out_.margin();
    top_ = out_.u(32);
    layOut();
    if (isNumbered() || out_.height() < out_.u(92)) return false;
    if (columns_ == 1 && pitch_ >= out_.u(kRoomyPitch)) return false;
    rows_ = columns_ = 1;
    pitch_ = out_.u(27);
    columnWidth_ = room;
    widenLanes(room, pitch_, findLast(focusWarp()));
    namesLanes_ = numbersIn(laneWidth_, findLast(focusWarp())) < smallest();
    if (namesLanes_) widenLanes(room, pitch_, trace_.launch.machine.warpSize - 1);
    laneHeight_ = std::min(pitch_ * 0.82F, std::max(laneWidth_ * 1.25F, out_.u(6)));
    return true;
  }

  // For a row with room for words at its sides: as many words as leave lanes wide enough for the number of
  // that thread, and for room between numbers; all words if there is no room for numbers.
  void widenLanes(float width, float pitch, std::uint32_t last) {
    struct Sides {
      float label;
      float side;
    };
    constexpr std::array kSides = {Sides{66, 158}, Sides{66, 40}, Sides{50, 40}, Sides{30, 40}, Sides{30, 4}};
    const auto receive = [&](const Sides& sides) {
      labelWidth_ = out_.u(sides.label);
      sideWidth_ = out_.u(sides.side);
      laneWidth_ =
          std::min({(width - labelWidth_ - sideWidth_) / static_cast<float>(trace_.launch.machine.warpSize),
                    pitch * 3.2F, out_.u(72)});
      return numbersIn(laneWidth_, last);
    };
    const float least = smallest();
    const float easy = std::max(kEasyNumber, least);
    for (const Sides& sides : kSides)
      if (receive(sides) >= easy && areApart(laneWidth_, last, easy)) return;
    for (const Sides& sides : kSides)
      if (receive(sides) >= least) return;
    receive(kSides[1]);
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
    const float lanesWidth = laneWidth_ * static_cast<float>(size);
    if (current) {
      const Rect frame{left - out_.u(3), middle - pitch_ / 2, labelWidth_ + lanesWidth + out_.u(6), pitch_};
      out_.fill(frame, ColorRole::Accent, out_.u(4), 0.14F);
      out_.stroke(frame, ColorRole::Accent, out_.u(1.3F), out_.u(4));
    }
    const bool compact = columns_ > 1 || labelWidth_ < out_.u(60) || pitch_ < out_.u(kRoomyPitch);
    if (labelWidth_ >= out_.u(20)) {
      const TextStyle style{compact   ? FontRole::Small
                            : current ? FontRole::Bold
                                      : FontRole::Body,
                            current ? ColorRole::Text : ColorRole::TextDim, Align::Left,
                            compact ? 0.85F : 0.92F, 1};
      const float room = labelWidth_ - out_.u(5);
      // Warps below each other are named alike, as the longest name has room.
      const std::string longest = rows_ > 1
                                      ? "warp " + std::string(std::to_string(trace_.warps - 1).size(), '4')
                                      : fmt::format("warp {}", warp);
      TextStyle widest = style;
      if (!compact) widest.font = FontRole::Bold;
      const bool isShort = out_.textWidth(longest, widest) > room;
      out_.textWithin(left + out_.u(3), middle, room, fmt::format("{}{}", isShort ? "w" : "warp ", warp),
                      style);
    }
    const float gap = laneGap();
    const std::int32_t last = moment_.state.lastStep[warp];
    const std::int64_t line = last < 0 ? -1 : std::int64_t{trace_.steps[static_cast<std::size_t>(last)].line};
    out_.hit({left, middle - pitch_ / 2, labelWidth_, pitch_}, HitArea::Kind::Warp, warp, [&] {
      return fmt::format("warp {}{}", warp, columns_ > 1 || rows_ > 4 ? "\nClick: show it large" : "");
    });
    const Numbers numbers = listNumbers(warp);
    for (unsigned lane = 0; lane < size; ++lane) {
      const Rect rect{lanesLeft + static_cast<float>(lane) * laneWidth_, middle - laneHeight_ / 2,
                      laneWidth_ - gap, laneHeight_};
      const std::uint32_t thread = warp * size + lane;
      const LaneState state = states[lane];
      paintLane(rect, state, thread, numbers);
      if (state == LaneState::NotThere) continue;
      out_.hit({rect.x, rect.y, laneWidth_, rect.h}, HitArea::Kind::Thread, thread,
               [&] { return text_.makeTip(warp, lane, state); })
          .line = line;
    }
    paintSide(warp, count, lanesLeft + lanesWidth + out_.u(10), middle);
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
    paintBox(rect, state);
    const unsigned warpSize = trace_.launch.machine.warpSize;
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
    style.color = active ? ColorRole::TextOnAccent : ColorRole::TextDim;
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
    if (sideWidth_ < out_.u(30)) return;
    if (const std::string fault = text_.describeFault(warp); !fault.empty()) {
      const TextStyle style{FontRole::Bold, ColorRole::Bad, Align::Left, 0.88F, 1};
      const float room = sideWidth_ - out_.u(8);
      out_.textWithin(x, y, room, out_.textWidth(fault, style) <= room ? fault : "fault", style);
      return;
    }
    const TextStyle strong{FontRole::Body, ColorRole::Text, Align::Left, 0.88F, 1};
    const TextStyle dim{FontRole::Body, ColorRole::TextDim, Align::Left, 0.88F, 1};
    const std::string why = text_.showsVariable() ? text_.readValues(warp) : text_.reason(warp, count);
    if (sideWidth_ < out_.u(100)) {
      out_.textWithin(x, y, sideWidth_ - out_.u(8),
                      fmt::format("{}/{}", count.of(LaneState::Active), trace_.launch.machine.warpSize),
                      {FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1});
    } else if (pitch_ >= out_.u(32) && !why.empty()) {
      const float line = out_.computeSize(strong) * 0.62F;
      out_.textWithin(x, y - line, sideWidth_ - out_.u(8), text_.share(count), strong);
      out_.textWithin(x, y + line, sideWidth_ - out_.u(8), why, dim);
    } else if ((count.of(LaneState::Active) > 0 && !text_.showsVariable()) || why.empty()) {
      out_.textWithin(x, y, sideWidth_ - out_.u(8), text_.share(count), strong);
    } else {
      out_.textWithin(x, y, sideWidth_ - out_.u(8), why, dim);
    }
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
  bool namesLanes_ = false;  ///< the large warp's threads have numbers too long for their lanes
};

}  // namespace

Scene warpScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return WarpPainter(moment, context, measure).paint();
}

}  // namespace lanescope
