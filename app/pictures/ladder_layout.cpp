#include "app/pictures/ladder_layout.h"

#include <algorithm>
#include <numeric>

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

// Units.
constexpr float kWidest = 150;     ///< column
constexpr float kLeastGap = 6;     ///< for lines
constexpr float kLeastFolded = 8;  ///< a line of a phase
constexpr float kBetweenRows = 2;  ///< of memory
constexpr float kLeastWords = 7;
constexpr float kLeastThreads = 6;
constexpr float kTallestWords = 34;
constexpr float kTallestThreads = 26;
constexpr float kMostOpen = 104;
constexpr float kMostCurrent = 190;  ///< among folded ones
constexpr float kMostAlone = 40;     ///< a row without threads
constexpr float kWithRoom = 2;       ///< times as much, if even then there is room left

/// The columns' width: threads are above the words of their numbers if there are about as many of both.
struct Widths {
  float words = 0, threads = 0;
};
Widths computeWidths(const LadderPlan& plan, float room, float widest) {
  const auto columns = static_cast<float>(plan.columns);
  const auto threads = static_cast<float>(plan.threads);
  if (plan.columns == 1 || 2 * columns < threads)
    return {std::min(room, columns * widest), std::min(room, threads * widest)};
  const float all = std::max(columns, threads);
  const float width = std::min(room, all * widest);
  return {width * columns / all, width * threads / all};
}

}  // namespace

LadderLayout::LadderLayout(const SceneBuilder& out, const Ladder& ladder, const SceneContext& context,
                           const Rect& room)
    : room_(room), unit_(out.u(1)), textCell_(out.u(kTextCell)) {
  const LadderPlan& plan = ladder.planned();
  const TextStyle label{FontRole::Body, ColorRole::Text, Align::Left, kLabelScale, 1};
  label_ = out.computeSize(label) * 1.06F;
  letters_ = out.computeSize({FontRole::Mono, ColorRole::Text, Align::Center, 0.82F, 1}) * 1.2F;
  const auto columns = static_cast<float>(plan.columns);
  const float shown =
      context.columnCount == 0 ? columns : std::min(static_cast<float>(context.columnCount), columns);
  const float first = std::min(static_cast<float>(context.firstColumn), columns - shown);
  const Widths widths = computeWidths(plan, room.w * columns / shown, out.u(kWidest) * columns / shown);
  const float shift = first / columns * widths.words;
  words_ = CellGrid(out, {plan.columns, 0}, room.x, room.right(), widths.words, shift);
  threads_ = CellGrid(out, {plan.threads, plan.warpSize}, room.x, room.right(), widths.threads, shift);
  places_.resize(ladder.rows.size());
  findBands(ladder, context);
  std::vector<float> heights;
  for (const LadderBand& band : bands_) heights.push_back(leastHeight(ladder, band));
  end_ = static_cast<std::uint32_t>(bands_.size());
  if (std::reduce(heights.begin(), heights.end()) > room_.h) chooseBands(context, heights);
  placeBands(ladder, std::move(heights));
}

void LadderLayout::findBands(const Ladder& ladder, const SceneContext& context) {
  const LadderPlan& plan = ladder.planned();
  if (plan.inputs > 0) bands_.push_back({0, plan.inputs, 0, Time::Past});
  for (std::uint32_t phase = 0; phase < plan.phases.size(); ++phase) {
    const PlannedPhase& planned = plan.phases[phase];
    if (planned.endRow == planned.firstRow) continue;
    bands_.push_back({planned.firstRow, planned.endRow, phase, ladder.rows[planned.firstRow].time});
  }
  for (LadderBand& band : bands_) {
    const bool isOpened = std::ranges::find(context.unfolded, band.phase) != context.unfolded.end();
    band.isFolded = hasThreads(ladder, band) && band.time != Time::Current && !isOpened;
  }
}

bool LadderLayout::hasThreads(const Ladder& ladder, const LadderBand& band) const {
  return ladder.rows[band.firstRow].kind == Kind::Threads;
}

LadderLayout::Sizes LadderLayout::sizesOf(const Ladder& ladder, const LadderBand& band) const {
  Sizes sizes{kLeastThreads * unit_, kLeastWords * unit_, kLeastGap * unit_, kBetweenRows * unit_};
  for (std::uint32_t row = band.firstRow; row < band.endRow; ++row) {
    if (!hasTexts(ladder.rows[row])) continue;
    float& height = ladder.rows[row].kind == Kind::Threads ? sizes.threads : sizes.words;
    height = std::max(height, letters_);
  }
  const auto rows = band.endRow - band.firstRow - (hasThreads(ladder, band) ? 1U : 0U);
  // Rows of several arrays have a label each.
  if (rows > 1) sizes.words = std::max(sizes.words, label_ - sizes.between);
  if (!hasThreads(ladder, band)) sizes.threads = sizes.gap = 0;
  if (rows == 0) sizes.words = sizes.between = 0;
  return sizes;
}

float LadderLayout::leastHeight(const Ladder& ladder, const LadderBand& band) const {
  const Sizes sizes = sizesOf(ladder, band);
  const bool isAlone = !hasThreads(ladder, band);
  const auto rows = static_cast<float>(band.endRow - band.firstRow - (isAlone ? 0U : 1U));
  const float height = sizes.threads + 2 * sizes.gap + rows * (sizes.words + sizes.between);
  // Threads are labelled, too, unless the words below them have the phase's name.
  const auto isWords = [](const LadderRow& row) { return row.kind == Kind::Words; };
  const bool areNamed =
      !isAlone && (ladder.planned().registers || std::none_of(ladder.rows.begin() + band.firstRow,
                                                              ladder.rows.begin() + band.endRow, isWords));
  return std::max(height, (rows + (areNamed ? 1.0F : 0.0F)) * label_);
}

float LadderLayout::mostHeight(const Ladder& ladder, const LadderBand& band) const {
  const auto rows = static_cast<float>(band.endRow - band.firstRow);
  if (!hasThreads(ladder, band)) return rows * kMostAlone * unit_;
  const bool isLarge = folds_ && band.time == Time::Current;
  return ((isLarge ? kMostCurrent : kMostOpen) + std::max(rows - 2, 0.0F) * kMostAlone) * unit_;
}

// Folds what can be folded; then as many bands as there is room for, around the current one.
void LadderLayout::chooseBands(const SceneContext& context, std::vector<float>& heights) {
  folds_ = true;
  std::size_t current = 0;
  std::size_t folded = 0;
  float open = 0;
  for (std::size_t band = 0; band < bands_.size(); ++band) {
    if (bands_[band].isFolded)
      ++folded;
    else
      open += heights[band];
    if (bands_[band].time == Time::Current) current = band;
  }
  // The current phase has a third of the room before the others have more than their names need.
  const auto shareBeside = [&](float opened) {
    return (room_.h - opened) / static_cast<float>(std::max<std::size_t>(folded, 1));
  };
  const float named = std::min(shareBeside(open), 0.9F * label_);
  const float rest = std::max(named, shareBeside(std::max(open, room_.h / 3)));
  for (std::size_t band = 0; band < bands_.size(); ++band)
    if (bands_[band].isFolded) heights[band] = std::clamp(rest, kLeastFolded * unit_, label_ + unit_);
  const auto count = bands_.size();
  if (std::reduce(heights.begin(), heights.end()) <= room_.h) return;
  std::size_t first = current;
  std::size_t end = current + 1;
  float used = heights[current];
  if (context.firstRow >= 0) {
    first = std::min(static_cast<std::size_t>(context.firstRow), count - 1);
    end = first + 1;
    used = heights[first];
  }
  while (context.firstRow < 0 && first > 0 && used + heights[first - 1] <= (used + room_.h) / 2)
    used += heights[--first];
  while (end < count && used + heights[end] <= room_.h) used += heights[end++];
  while (first > 0 && used + heights[first - 1] <= room_.h) used += heights[--first];
  first_ = static_cast<std::uint32_t>(first);
  end_ = static_cast<std::uint32_t>(end);
}

// The rest of the room is for the open bands.
void LadderLayout::placeBands(const Ladder& ladder, std::vector<float> heights) {
  for (LadderBand& band : bands_) band.isFolded = band.isFolded && folds_;
  std::vector<std::size_t> open;
  float rest = room_.h;
  for (std::size_t band = first_; band < end_; ++band) {
    rest -= heights[band];
    if (!bands_[band].isFolded) open.push_back(band);
  }
  for (const float times : {1.0F, kWithRoom}) {
    const auto more = [&](std::size_t band) {
      return times * mostHeight(ladder, bands_[band]) - heights[band];
    };
    std::ranges::sort(open, {}, more);
    for (std::size_t index = 0; index < open.size() && rest > 0; ++index) {
      const float share =
          std::min(rest / static_cast<float>(open.size() - index), std::max(more(open[index]), 0.0F));
      heights[open[index]] += share;
      rest -= share;
    }
  }
  float y = room_.y;
  for (std::size_t band = first_; band < end_; ++band) {
    bands_[band].top = y;
    bands_[band].height = std::min(heights[band], std::max(room_.bottom() - y, label_));
    y += bands_[band].height;
    placeRows(ladder, bands_[band]);
  }
}

void LadderLayout::placeRows(const Ladder& ladder, const LadderBand& band) {
  const bool isAlone = !hasThreads(ladder, band);
  const auto rows = static_cast<float>(band.endRow - band.firstRow - (isAlone ? 0U : 1U));
  if (band.isFolded) {
    const float pitch = (band.height - 2 * unit_) / (rows + 1);
    for (std::uint32_t row = band.firstRow; row < band.endRow; ++row)
      places_[row] = {band.top + unit_ + pitch * static_cast<float>(row - band.firstRow), pitch - unit_};
    return;
  }
  Sizes sizes = sizesOf(ladder, band);
  const float least = sizes.threads + 2 * sizes.gap + rows * (sizes.words + sizes.between);
  const float rest = std::max(band.height - least, 0.0F);
  const float most = mostHeight(ladder, band);
  const float tall = unit_ * std::clamp(band.height / std::max(most, 1.0F), 1.0F, kWithRoom);
  if (rows > 0)
    sizes.words +=
        std::min(rest * (isAlone ? 0.6F : 0.22F) / rows, std::max(kTallestWords * tall - sizes.words, 0.0F));
  if (!isAlone)
    sizes.threads += std::min(rest * 0.12F, std::max(kTallestThreads * tall - sizes.threads, 0.0F));
  const float words = rows * (sizes.words + sizes.between);
  const float gaps = std::max(band.height - sizes.threads - words, 0.0F);
  float y = band.top + gaps / 2;
  for (std::uint32_t row = band.firstRow; row < band.endRow; ++row) {
    const bool isThreads = ladder.rows[row].kind == Kind::Threads;
    places_[row] = {y, isThreads ? sizes.threads : sizes.words};
    y += isThreads ? sizes.threads + gaps / 2 : sizes.words + sizes.between;
  }
}

}  // namespace lanescope
