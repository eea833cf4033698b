// The ladder's arrows, from the words that a phase reads to those that it writes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/pictures/ladder_painter.h"

namespace lanescope {
namespace {

using Time = LadderRow::Time;

constexpr std::size_t kMaxArrows = 160;    // past it only the current warp's are drawn
constexpr float kDenseAlpha = 0.5F;        // likewise if arrows overlap
constexpr std::size_t kFewestBundled = 9;  // arrows into one place
constexpr float kLeastApart = 4.5F;        // units between the arrows of a row, on average
constexpr std::size_t kLeastMost = 64;     // as many are drawn in a narrow panel, too
constexpr float kArrowWidth = 1.5F;        // units
constexpr float kMostCovered = 0.55F;      // of the area that arrows go through: with more they merge
constexpr std::size_t kFewest = 8;         // as many are drawn, however much they cover

}  // namespace

void LadderPainter::paintArrow(const LadderArrow& arrow, bool crowded) {
  Rect from = cellRect(arrow.fromRow, inView(arrow.fromColumn) ? arrow.fromColumn : first_);
  // From a word out of view: in from that side.
  if (!inView(arrow.fromColumn))
    from.x = arrow.fromColumn < first_ ? left_ - from.w / 2 : out_.width() - out_.margin() - from.w / 2;
  const Rect to = cellRect(arrow.toRow, arrow.toColumn);
  const bool hovered = context_.hoverThread == std::int64_t{arrow.thread};
  const bool current = ladder_.rows[arrow.toRow].time == Time::Current;
  const bool lit = current && arrow.done;
  const bool belongs = current && context_.threadLit(arrow.thread);
  const ColorRole color = hovered ? ColorRole::Accent : ColorRole::Arrow;
  float alpha = lit ? 0.95F : current ? (shown_ > 64 ? kDenseAlpha : kPendingAlpha) : crowded ? 0.18F : 0.42F;
  if (arrow.idle) alpha *= 0.3F;
  if (hovered || belongs) alpha = 1;
  const float portion = lit ? grown(arrow.step) : 1.0F;
  const float head = lit && !arrow.idle && portion >= 1 ? std::min(out_.u(6), columnWidth_ * 0.45F) : 0;
  const bool showHead = head >= out_.u(3);
  const float endY = to.y - (showHead ? head * 0.8F : 0);
  const float width = out_.u(!current || shown_ > 64 ? 1.0F : lit && !crowded ? 1.8F : kArrowWidth);
  const float startY = from.bottom();
  if (std::abs(to.midX() - from.midX()) > 5 * (endY - startY)) {
    // Far neighbours: curves this flat would overlap.
    out_.line(from.midX(), startY, to.midX(), endY, color, width, alpha, portion);
    if (portion < 1)
      paintTraveller(arrow,
                     {from.midX() + (to.midX() - from.midX()) * portion, startY + (endY - startY) * portion});
  } else {
    out_.curve(from.midX(), startY, to.midX(), endY, color, width, alpha, portion);
    const float bend = (endY - startY) / 2;
    const std::array<Point, 4> curve{Point{from.midX(), startY}, Point{from.midX(), startY + bend},
                                     Point{to.midX(), endY - bend}, Point{to.midX(), endY}};
    if (portion < 1) paintTraveller(arrow, pointOn(curve, portion));
  }
  if (showHead) out_.triangle({to.midX() - head / 2, to.y - head, head, head}, color, true, alpha);
}

// The moving value: its text if there is room to read it, else a dot.
void LadderPainter::paintTraveller(const LadderArrow& arrow, Point at) {
  if (arrow.idle || shown_ > 128) return;
  const LadderCell& cell = ladder_.rows[arrow.fromRow].cells[arrow.fromColumn];
  const TextStyle style{FontRole::Mono, ColorRole::TextOnAccent, Align::Center, 0.9F, 1};
  const Provenance& provenance = moment_.trace.provenance;
  const std::string text =
      cell.from != kNoProvenance ? provenance.text(cell.from, 3) : formatValue(cell.type, cell.bits);
  const float width = out_.textWidth(text, style) + out_.u(8);
  if (columnWidth_ < out_.u(kTextCell) || width > columnWidth_ * 1.2F) {
    out_.fill({at.x - out_.u(3), at.y - out_.u(3), out_.u(6), out_.u(6)}, ColorRole::Operand, out_.u(3));
    return;
  }
  const Rect chip{at.x - width / 2, at.y - out_.u(8), width, out_.u(16)};
  out_.fill(chip, ColorRole::Operand, out_.u(4));
  out_.textInside(chip, text, style);
}

/// Arrows of past phases only if there are few columns.
std::vector<LadderArrow> LadderPainter::arrowsInView() const {
  if (shown_ > 64) return ladder_.arrows;
  const std::uint32_t last = ladder_.rows[firstRow_ + rowCount_ - 1].phase;
  const std::uint32_t end = std::min(last, phase_) + 1;
  std::vector<LadderArrow> arrows =
      arrowsAt(ladder_, moment_.cursor, std::min(ladder_.rows[firstRow_].phase, end), end);
  if (context_.hidesFuture) coverArrows(arrows);
  return arrows;
}

/// Chooses the arrows to draw: if there are so many between two rows that they would merge into one area,
/// only those of a single thread and of the thing under the pointer.
void LadderPainter::chooseArrows() {
  std::size_t current = 0;
  for (const LadderArrow& arrow : ladder_.arrows) {
    current += ladder_.rows[arrow.toRow].time == Time::Current && inView(arrow.toColumn) ? 1U : 0U;
  }
  const unsigned warpSize = moment_.trace.launch.machine.warpSize;
  const std::optional<Step> step = moment_.step();
  arrows_.clear();
  for (const LadderArrow& arrow : arrowsInView()) {
    const Time time = ladder_.rows[arrow.toRow].time;
    if (time == Time::Future || !visible(arrow.fromRow) || !visible(arrow.toRow)) continue;
    if (!inView(arrow.toColumn)) continue;
    if (time == Time::Past && (shown_ > 64 || arrow.idle)) continue;
    const bool ofWarp =
        (step && arrow.thread / warpSize == step->warp) || context_.hoverThread == std::int64_t{arrow.thread};
    if (current > kMaxArrows && time == Time::Current && !ofWarp) continue;
    arrows_.push_back(arrow);
  }
  bundle();
  thin();
}

/// Merges arrows of one thread into one place from many: those that begin side by side become one.
void LadderPainter::bundle() {
  const auto makeKey = [](const LadderArrow& arrow) {
    return std::tuple(arrow.fromRow, arrow.toRow, arrow.toColumn, arrow.thread, arrow.done, arrow.idle);
  };
  std::map<decltype(makeKey(arrows_.front())), std::size_t> counts;
  for (const LadderArrow& arrow : arrows_) ++counts[makeKey(arrow)];
  std::vector<LadderArrow> many;
  std::erase_if(arrows_, [&](const LadderArrow& arrow) {
    const bool isOfMany = counts[makeKey(arrow)] >= kFewestBundled && lines_ == 1;
    if (isOfMany) many.push_back(arrow);
    return isOfMany;
  });
  std::ranges::stable_sort(many, {}, [&](const LadderArrow& arrow) {
    return std::tuple_cat(makeKey(arrow), std::tuple(arrow.fromColumn));
  });
  bundles_.clear();
  for (const LadderArrow& arrow : many) {
    const bool goesOn = !bundles_.empty() && makeKey(bundles_.back().arrow) == makeKey(arrow) &&
                        arrow.fromColumn <= bundles_.back().lastColumn + 1;
    if (!goesOn) bundles_.push_back({arrow, arrow.fromColumn});
    bundles_.back().lastColumn = std::max(bundles_.back().lastColumn, arrow.fromColumn);
  }
}

void LadderPainter::thin() {
  struct Crowd {
    std::size_t count = 0;
    float left = std::numeric_limits<float>::max();
    float right = 0;
    float length = 0;  // of all its arrows
    float height = 0;  // likewise
    /// The share of the area between the two rows that arrows of that width cover, if none lay on another.
    float covered(float width) const {
      const float area = (right - left) * height / static_cast<float>(count);
      return area > 0 ? length * width / area : 0;
    }
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Crowd> crowds;
  for (const LadderArrow& arrow : arrows_) {
    const Rect from = cellRect(arrow.fromRow, arrow.fromColumn);
    const Rect to = cellRect(arrow.toRow, arrow.toColumn);
    Crowd& crowd = crowds[{arrow.fromRow, arrow.toRow}];
    ++crowd.count;
    crowd.left = std::min({crowd.left, from.midX(), to.midX()});
    crowd.right = std::max({crowd.right, from.midX(), to.midX()});
    crowd.length += std::hypot(to.midX() - from.midX(), to.y - from.bottom());
    crowd.height += to.y - from.bottom();
  }
  const auto most = static_cast<std::size_t>(
      std::max((out_.width() - out_.margin() - left_) / out_.u(kLeastApart), static_cast<float>(kLeastMost)));
  std::set<std::uint32_t> merging;  // the rows in which they end: arrows that begin above others overlap them
  for (const auto& [rows, crowd] : crowds) {
    const bool isArea = crowd.count > kFewest && crowd.covered(out_.u(kArrowWidth)) > kMostCovered;
    if (crowd.count > most || isArea) merging.insert(rows.second);
  }
  const std::optional<Step> step = moment_.step();
  const bool isAnyThreadLit = context_.hoverThread >= 0 || !context_.litThreads.empty();
  std::int64_t alone = -1;
  if (!isAnyThreadLit && step && step->active != 0)
    alone = std::int64_t{step->warp} * moment_.trace.launch.machine.warpSize + std::countr_zero(step->active);
  std::erase_if(arrows_, [&](const LadderArrow& arrow) {
    if (!merging.contains(arrow.toRow)) return false;
    isThinned_ = true;
    const bool isLit = context_.hoverThread == std::int64_t{arrow.thread} ||
                       (context_.hoverThread < 0 && context_.threadLit(arrow.thread));
    return !isLit && alone != std::int64_t{arrow.thread};
  });
}

// A bracket under the starts of the arrows, and one arrow from its middle.
void LadderPainter::paintBundle(const ArrowBundle& bundle) {
  const std::uint32_t first = std::clamp(bundle.arrow.fromColumn, first_, first_ + shown_ - 1);
  const std::uint32_t last = std::clamp(bundle.lastColumn, first_, first_ + shown_ - 1);
  const Rect from = cellRect(bundle.arrow.fromRow, first);
  const Rect to = cellRect(bundle.arrow.toRow, bundle.arrow.toColumn);
  const float right = cellRect(bundle.arrow.fromRow, last).right();
  const float tick = std::min(out_.u(4), (to.y - from.bottom()) * 0.3F);
  const float y = from.bottom() + tick;
  const bool hovered = context_.hoverThread == std::int64_t{bundle.arrow.thread};
  const bool lit = bundle.arrow.done && ladder_.rows[bundle.arrow.toRow].time == Time::Current;
  const ColorRole color = hovered ? ColorRole::Accent : ColorRole::Arrow;
  const float alpha = hovered || lit ? 0.95F : kPendingAlpha;
  const float width = out_.u(lit ? 1.8F : kArrowWidth);
  for (const float end : {from.x, right}) out_.line(end, from.bottom(), end, y, color, width, alpha);
  out_.line(from.x, y, right, y, color, width, alpha);
  const float head = std::min(out_.u(6), std::max(to.y - y, 0.0F) * 0.6F);
  out_.curve((from.x + right) / 2, y, to.midX(), to.y - head, color, width, alpha);
  out_.triangle({to.midX() - head / 2, to.y - head, head, head}, color, true, alpha);
}

/// Rows and the arrows between them. An arrow that crosses a row goes behind its cells.
void LadderPainter::paintRowsAndArrows() {
  const std::size_t end = firstRow_ + rowCount_;
  std::set<std::size_t> crossed;
  const auto crosses = [](const LadderArrow& arrow) { return arrow.toRow > arrow.fromRow + 1; };
  for (const LadderArrow& arrow : arrows_) {
    for (std::size_t row = std::size_t{arrow.fromRow} + 1; row < arrow.toRow; ++row) crossed.insert(row);
  }
  const bool crowded = shown_ > 32;
  for (std::size_t row = firstRow_; row < end; ++row) {
    if (!crossed.contains(row)) paintRow(row);
  }
  for (const LadderArrow& arrow : arrows_) {
    if (crosses(arrow)) paintArrow(arrow, crowded);
  }
  for (const std::size_t row : crossed) {
    if (row >= firstRow_ && row < end) paintRow(row);
  }
  for (const ArrowBundle& bundle : bundles_) paintBundle(bundle);
  for (const LadderArrow& arrow : arrows_) {
    if (!crosses(arrow)) paintArrow(arrow, crowded);
  }
}

}  // namespace lanescope
