#include "app/pictures/timeline_rounds.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "app/pictures/picture_plan.h"
#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Look = TimelineStretch::Look;

/// A round from its steps: those of a warp are next to each other.
class RoundCounter {
 public:
  RoundCounter(const Step& step, std::uint32_t index)
      : round_{.first = index, .end = index, .phase = step.phase, .look = TimelineStretch::lookOf(step)} {}

  void add(const Step& step) {
    const bool isNext = round_.warps == 0 || step.warp != warp_;
    if (isNext) {
      close();
      ++round_.warps;
      warp_ = step.warp;
    }
    lanes_ |= step.active;
    ++round_.end;
    const Look look = TimelineStretch::lookOf(step);
    const bool isMore = look == Look::Conflicts || (look == Look::Runs && round_.look == Look::Waits);
    if (isMore) round_.look = look;
  }
  TimelineRound take() {
    close();
    return round_;
  }

 private:
  void close() {
    round_.threads += static_cast<std::uint32_t>(std::popcount(lanes_));
    lanes_ = 0;
  }

  TimelineRound round_;
  std::uint32_t warp_ = 0;
  LaneMask lanes_ = 0;  ///< of the warp's turn
};

}  // namespace

std::vector<TimelineRound> planRounds(const Trace& trace) {
  std::vector<TimelineRound> rounds;
  if (trace.warps < 2) return rounds;
  const auto end = static_cast<std::uint32_t>(trace.steps.size());
  for (std::uint32_t first = 0; first < end; first = rounds.back().end) {
    RoundCounter counter(trace.steps[first], first);
    const std::uint32_t next = trace.nextRound(first);
    for (std::uint32_t index = first; index < next; ++index) counter.add(trace.steps[index]);
    rounds.push_back(counter.take());
  }
  return rounds;
}

const TimelineRound* roundAt(const Trace& trace, const std::vector<TimelineRound>& rounds,
                             const TimelineLayout& layout, float x) {
  // Not equal_range(): Clang 14 cannot read the subrange of GCC 12's library.
  const std::uint32_t phase = layout.phaseAt(x);
  const auto first = std::ranges::lower_bound(rounds, phase, {}, &TimelineRound::phase);
  const auto last = std::ranges::upper_bound(rounds, phase, {}, &TimelineRound::phase);
  if (first == last) return nullptr;
  const auto next = std::partition_point(
      first, last, [&](const TimelineRound& round) { return layout.xIn(trace, phase, round.first) <= x; });
  return next == first ? &*first : &*std::prev(next);
}

std::string quoteLine(const Trace& trace, std::uint32_t step) {
  const std::uint32_t line = trace.steps[step].line;
  if (line == 0) return {};
  std::string_view code = trace.launch.source->line(line);
  code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
  return fmt::format("\nline {}: {}", line, code);
}

namespace {

constexpr float kColumnApart = 2.5F;   ///< units: columns less wide than that are one
constexpr float kPaleWarps = 0.28F;    ///< opacity of the share of warps
constexpr float kOtherRound = 0.7F;    ///< and of rounds that are not the current one
constexpr float kArrival = 0.3F;       ///< height of the arrival at a barrier
constexpr float kLeastColumn = 0.06F;  ///< of a bar's height

class RoundsPainter {
 public:
  RoundsPainter(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                const TimelineLayout& layout)
      : out_(out),
        trace_(moment.trace),
        rounds_(moment.plan->rounds),
        context_(context),
        layout_(layout),
        steps_(moment.cursor.steps),
        phase_(moment.phase()) {}

  void paint() {
    for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintCell(phase);
    Column column;
    for (const TimelineRound& round : rounds_) {
      if (context_.hidesFuture && round.end > steps_) break;
      add(column, round);
    }
    paintColumn(column);
    out_.textWithin(layout_.left - out_.u(2), layout_.rowsTop + layout_.rowHeight / 2,
                    layout_.left - out_.u(2), "all",
                    {FontRole::Small, ColorRole::TextDim, Align::Right, 0.72F, 1});
  }

 private:
  /// One round, or several that are too narrow to stand apart.
  struct Column {
    float left = 0;
    float right = -1;  ///< below left: none yet
    float threads = 0, warps = 0;
    Look look = Look::Waits;
    std::uint32_t phase = 0;
    bool isCurrent = false;
  };

  void add(Column& column, const TimelineRound& round) {
    Column next{.left = layout_.xIn(trace_, round.phase, round.first),
                .right = layout_.xIn(trace_, round.phase, round.end),
                .threads = static_cast<float>(round.threads) / static_cast<float>(trace_.threads),
                .warps = static_cast<float>(round.warps) / static_cast<float>(trace_.warps),
                .look = round.look,
                .phase = round.phase,
                .isCurrent = steps_ > round.first && steps_ <= round.end};
    const bool isNarrow = column.right >= column.left && next.phase == column.phase &&
                          next.right - column.left < kColumnApart * out_.u(1);
    if (!isNarrow) {
      paintColumn(column);
      column = next;
      return;
    }
    column.right = next.right;
    column.threads = std::max(column.threads, next.threads);
    column.warps = std::max(column.warps, next.warps);
    column.look = std::max(column.look, next.look);
    column.isCurrent = column.isCurrent || next.isCurrent;
  }

  void paintColumn(const Column& column) {
    if (column.right < column.left) return;
    const float width = column.right - column.left;
    const float gap = width > out_.u(6) ? out_.u(1) : width > out_.u(kColumnApart) ? out_.u(0.5F) : 0;
    const auto paintBar = [&](float share, ColorRole color, float alpha) {
      const float height = room() * std::max(share, kLeastColumn);
      const Rect bar = layout_.inView({column.left, layout_.rowsTop + room() - height, width - gap, height});
      if (bar.w > 0) out_.fill(bar, color, 0, alpha);
    };
    const float alpha = column.isCurrent ? 1 : kOtherRound;
    if (column.look == Look::Waits) return paintBar(kArrival, ColorRole::TextDim, alpha);
    paintBar(column.warps, ColorRole::LaneActive, kPaleWarps);
    paintBar(column.threads, column.look == Look::Conflicts ? ColorRole::Conflict : ColorRole::LaneActive,
             alpha);
  }

  void paintCell(std::uint32_t phase) {
    const Rect cell = layout_.inView({layout_.edges[phase], layout_.rowsTop,
                                      layout_.edges[phase + 1] - layout_.edges[phase], layout_.rowHeight});
    if (cell.w <= 0) return;
    const bool isHere = steps_ > 0 && phase == phase_;
    out_.fill({cell.x, cell.y, std::max(cell.w - out_.u(2), 0.0F), room()},
              isHere ? ColorRole::Accent : ColorRole::Cell, 0, isHere ? 0.2F : 0.6F);
    out_.hit(cell, HitArea::Kind::Note, phase, [&] {
      return fmt::format(
          "{}, all {} warps{}\nA column is a line that these warps execute, once each: solid as high as the "
          "share "
          "of the block's threads that are active, pale as the share of warps; a low gray one is the arrival "
          "at a barrier\nClick to go to its end",
          trace_.phases[phase].label, trace_.warps, describeRoundUnderPointer());
    });
  }

  std::string describeRoundUnderPointer() const {
    if (!context_.pointer) return {};
    const TimelineRound* const round = roundAt(trace_, rounds_, layout_, context_.pointer->x);
    if (round == nullptr || (context_.hidesFuture && round->end > steps_)) return {};
    return fmt::format("{}\n{} of {}, {} of {}", quoteLine(trace_, round->first), round->warps,
                       counted(trace_.warps, "warp"), withCommas(round->threads),
                       counted(trace_.threads, "thread"));
  }

  float room() const { return layout_.rowHeight - std::min(layout_.rowHeight * 0.14F, out_.u(1)); }

  SceneBuilder& out_;
  const Trace& trace_;
  const std::vector<TimelineRound>& rounds_;
  const SceneContext& context_;
  const TimelineLayout& layout_;
  std::uint32_t steps_;
  std::uint32_t phase_;
};

}  // namespace

void paintTimelineRounds(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                         const TimelineLayout& layout) {
  RoundsPainter(out, moment, context, layout).paint();
}

}  // namespace lanescope
