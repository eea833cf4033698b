#include "app/pictures/difference_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/why_scene.h"
#include "sim/base/counted.h"
#include "sim/memory/counters.h"

namespace lanescope {
namespace {

std::string formatRatio(double left, double right) {
  if (left <= 0) return "";
  const double ratio = right / left;
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string signedText(double difference) {
  return (difference < 0 ? "−" : "+") + withCommas(roundToWhole<std::uint64_t>(std::abs(difference)));
}

/// `Wavefronts ... conflicts. Fewer are better.`
std::string describeCounter(const CounterInfo& counter) {
  return fmt::format("{}. {}", counter.meaning,
                     counter.better == Direction::LowerIsBetter    ? "Fewer are better."
                     : counter.better == Direction::HigherIsBetter ? "More is better."
                                                                   : "");
}

/// Shares are in whole percent, as shown; a share of no events has no value.
CounterDifference computeDifference(const CounterInfo& counter, const Counters& left, const Counters& right) {
  const auto toNumber = [&](const Counters& counters) {
    const auto part = static_cast<double>(counter.value(counters));
    if (!counter.isShare()) return part;
    return std::round(100 * part / static_cast<double>(std::max<std::uint64_t>(1, counter.whole(counters))));
  };
  const double ours = toNumber(left);
  const double theirs = toNumber(right);
  CounterDifference row{std::string(counter.listed()),
                        describeCounter(counter),
                        counter.text(left, "none"),
                        counter.text(right, "none"),
                        "=",
                        formatRatio(ours, theirs)};
  if (counter.isShare() && (counter.whole(left) == 0 || counter.whole(right) == 0)) {
    row.ratio.clear();
    if (counter.whole(left) != counter.whole(right)) row.difference.clear();
    return row;
  }
  if (ours == theirs) return row;
  row.difference = signedText(theirs - ours) + (counter.isShare() ? " pts" : "");
  if (counter.better == Direction::Neutral) return row;
  row.better = (ours < theirs) == (counter.better == Direction::LowerIsBetter) ? Better::Left : Better::Right;
  return row;
}

}  // namespace

std::vector<CounterDifference> counterDifferences(const Counters& left, const Counters& right) {
  std::vector<CounterDifference> rows;
  for (const CounterInfo* counter : countersOn(kComparison))
    rows.push_back(computeDifference(*counter, left, right));
  return rows;
}

void withoutRight(std::vector<CounterDifference>& rows) {
  for (CounterDifference& row : rows) {
    row.right = "–";
    row.difference.clear();
    row.ratio.clear();
    row.better = Better::Neither;
  }
}

namespace {

/// Right edges of a group's columns, as shares of its width; the arrow is after the first.
constexpr float kLeft = 0.2F;
constexpr float kArrow = 0.265F;
constexpr float kRight = 0.46F;
constexpr float kDifference = 0.74F;
constexpr float kRatio = 0.98F;

class DifferencePainter {
 public:
  DifferencePainter(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                    const TextMeasure& measure)
      : groups_(groups), out_(context, measure) {}

  Scene paint() {
    if (groups_.empty() || groups_.front().rows.empty()) return out_.consume();
    const std::size_t rows = groups_.front().rows.size();
    pitch_ = (out_.height() - out_.u(12)) / static_cast<float>(rows + 2);
    text_.scale = std::clamp(pitch_ / out_.u(20), 0.8F, 1.0F);
    dim_ = text_;
    dim_.color = ColorRole::TextDim;
    for (const CounterDifference& row : groups_.front().rows)
      names_ = std::max(names_, out_.textWidth(row.name, text_));
    names_ += out_.u(14);
    top_ = out_.u(6) + 2 * pitch_;
    out_.textWithin(out_.margin(), top_ - pitch_ / 2, names_ - out_.u(8), "→ to the better", dim_);
    for (std::size_t r = 0; r < rows; ++r) {
      const float y = top_ + pitch_ * (static_cast<float>(r) + 0.5F);
      const CounterDifference& row = groups_.front().rows[r];
      out_.line(out_.margin(), y - pitch_ / 2, out_.width() - out_.margin(), y - pitch_ / 2, ColorRole::Grid,
                out_.u(1), 0.7F);
      out_.text(out_.margin(), y, row.name, text_);
      out_.hit({0, y - pitch_ / 2, out_.width(), pitch_}, HitArea::Kind::Strategy,
               static_cast<std::uint32_t>(r), row.name + "\n" + row.meaning);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Rect rect = groupRect(g);
      out_.line(rect.x, rect.y, rect.x, rect.bottom(), ColorRole::Grid, out_.u(1));
      paintHead(groups_[g], rect);
      for (std::size_t r = 0; r < groups_[g].rows.size() && r < rows; ++r)
        paintRow(groups_[g].rows[r], rect, top_ + pitch_ * (static_cast<float>(r) + 0.5F));
    }
    return out_.consume();
  }

 private:
  Rect groupRect(std::size_t index) const {
    const float left = out_.margin() + names_;
    const float width = (out_.width() - out_.margin() - left) / static_cast<float>(groups_.size());
    return {left + width * static_cast<float>(index), out_.u(6), width - out_.u(8),
            out_.height() - out_.u(12)};
  }

  void paintHead(const DifferenceGroup& group, const Rect& rect) {
    const TextStyle title{FontRole::Bold, ColorRole::TextDim, Align::Left, text_.scale, 1};
    const float y = rect.y + pitch_ * 0.5F;
    const float x = rect.x + out_.u(12);
    const float used = out_.textWithin(x, y, rect.w * 0.5F, group.title, title);
    out_.textWithin(x + used + out_.u(8), y, rect.right() - x - used - out_.u(8), group.note, dim_);
    const float captions = rect.y + pitch_ * 1.5F;
    cell(rect, kLeft, captions, "left", dim_);
    cell(rect, kRight, captions, "right", dim_);
    cell(rect, kDifference, captions, "difference", dim_);
    cell(rect, kRatio, captions, "ratio", dim_);
  }

  void paintRow(const CounterDifference& row, const Rect& rect, float y) {
    const bool left = row.better == Better::Left;
    const bool right = row.better == Better::Right;
    TextStyle winner = text_;
    winner.font = FontRole::Bold;
    cell(rect, kLeft, y, row.left, left ? winner : text_);
    cell(rect, kRight, y, row.right, right ? winner : text_);
    const bool isEqual = row.better == Better::Neither;
    cell(rect, kDifference, y, row.difference, isEqual ? dim_ : text_);
    cell(rect, kRatio, y, row.ratio, isEqual ? dim_ : text_);
    if (isEqual) return;
    winner.align = Align::Center;
    out_.text(rect.x + rect.w * kArrow, y, left ? "←" : "→", winner);
  }

  void cell(const Rect& rect, float share, float y, const std::string& text, TextStyle style) {
    style.align = Align::Right;
    out_.text(rect.x + rect.w * share, y, text, style);
  }

  const std::vector<DifferenceGroup>& groups_;
  SceneBuilder out_;
  float names_ = 0, top_ = 0, pitch_ = 0;
  TextStyle text_, dim_;
};

}  // namespace

Scene differenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                      const TextMeasure& measure) {
  return DifferencePainter(groups, context, measure).paint();
}

// The differences with little height: a column for each counter, a row for each span.

namespace {

constexpr float kArrowRoom = 14;  ///< units from the middle of a column to a number
constexpr float kColumnGap = 8;

std::string differenceSign(const CounterDifference& row) {
  if (row.better == Better::Neither) return row.difference;  // `=`, or no comparison
  return row.better == Better::Left ? "←" : "→";
}

class BriefPainter {
 public:
  BriefPainter(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
               const TextMeasure& measure)
      : groups_(groups), out_(context, measure) {}

  Scene paint();

 private:
  void layOut();
  void paintCell(const CounterDifference& row, float middle, float y);

  const std::vector<DifferenceGroup>& groups_;
  SceneBuilder out_;
  TextStyle text_, dim_, number_;
  float names_ = 0, pitch_ = 0, column_ = 0;
};

// The numbers are as large as the widest allows, and all alike.
void BriefPainter::layOut() {
  pitch_ = (out_.height() - out_.u(12)) / static_cast<float>(groups_.size() + 1);
  text_.scale = std::clamp(pitch_ / out_.u(20), 0.8F, 1.0F);
  dim_ = number_ = text_;
  dim_.color = ColorRole::TextDim;
  names_ = out_.textWidth("→ to the better", dim_);
  TextStyle bold = text_;
  bold.font = FontRole::Bold;
  float widest = 1;
  for (const DifferenceGroup& group : groups_) {
    names_ = std::max(names_, out_.textWidth(group.title, bold));
    for (const CounterDifference& row : group.rows)
      widest = std::max({widest, out_.textWidth(row.left, bold), out_.textWidth(row.right, bold)});
  }
  names_ += out_.u(14);
  const auto columns = static_cast<float>(groups_.front().rows.size());
  column_ = (out_.width() - 2 * out_.margin() - names_) / columns;
  number_.scale *= std::min(1.0F, (column_ / 2 - out_.u(kArrowRoom)) / widest);
}

void BriefPainter::paintCell(const CounterDifference& row, float middle, float y) {
  const auto side = [&](const std::string& text, bool isBetter, Align align, float x) {
    TextStyle style = number_;
    style.align = align;
    if (isBetter) style.font = FontRole::Bold;
    out_.text(x, y, text, style);
  };
  const float room = out_.u(kArrowRoom);
  side(row.left, row.better == Better::Left, Align::Right, middle - room);
  side(row.right, row.better == Better::Right, Align::Left, middle + room);
  const bool isEqual = row.better == Better::Neither;
  TextStyle sign = isEqual ? dim_ : text_;
  sign.align = Align::Center;
  if (!isEqual) sign.font = FontRole::Bold;
  if (const std::string text = differenceSign(row); !text.empty()) out_.text(middle, y, text, sign);
}

Scene BriefPainter::paint() {
  if (groups_.empty() || groups_.front().rows.empty()) return out_.consume();
  layOut();
  const float top = out_.u(6);
  out_.text(out_.margin(), top + pitch_ / 2, "→ to the better", dim_);
  const auto& columns = groups_.front().rows;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Rect head{out_.margin() + names_ + column_ * static_cast<float>(c), top, column_, pitch_};
    TextStyle style = dim_;
    style.align = Align::Center;
    out_.textInside({head.x, head.y, head.w - out_.u(kColumnGap), head.h}, columns[c].name, style, 0.6F);
    out_.hit({head.x, top, column_, out_.height() - 2 * top}, HitArea::Kind::Strategy,
             static_cast<std::uint32_t>(c), columns[c].name + "\n" + columns[c].meaning);
  }
  for (std::size_t r = 0; r < groups_.size(); ++r) {
    const float y = top + pitch_ * (static_cast<float>(r) + 1.5F);
    out_.line(out_.margin(), y - pitch_ / 2, out_.width() - out_.margin(), y - pitch_ / 2, ColorRole::Grid,
              out_.u(1), 0.7F);
    TextStyle title = text_;
    title.font = FontRole::Bold;
    out_.text(out_.margin(), y, groups_[r].title, title);
    const auto& cells = groups_[r].rows;
    for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c) {
      const float left = out_.margin() + names_ + column_ * static_cast<float>(c);
      paintCell(cells[c], left + (column_ - out_.u(kColumnGap)) / 2, y);
    }
  }
  return out_.consume();
}

}  // namespace

Scene briefDifferenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                           const TextMeasure& measure) {
  return BriefPainter(groups, context, measure).paint();
}

namespace {

constexpr const char* kNone = "–";

/// The format of a row's numbers, and which of them is better.
struct RowKind {
  const char* unit = "";  ///< after the number
  int digits = 0;
  bool inPoints = false;                ///< a percentage: the difference is in points
  std::optional<bool> lowerIsBetter{};  ///< not set: neither is
};

std::string numberText(const std::optional<double>& value, const RowKind& kind) {
  return value ? fmt::format("{:.{}f}{}", *value, kind.digits, kind.unit) : kNone;
}

CounterDifference findRow(std::string name, std::string meaning, const std::optional<double>& left,
                          const std::optional<double>& right, const RowKind& kind) {
  CounterDifference row{
      std::move(name), std::move(meaning), numberText(left, kind), numberText(right, kind), {}, {},
      Better::Neither};
  if (!left || !right) return row;
  if (row.left == row.right) {
    row.difference = "=";
    return row;
  }
  // Computed from the numbers as shown: 2% and 1% differ by one point.
  const double step = std::pow(10.0, kind.digits);
  const double more = (std::round(*right * step) - std::round(*left * step)) / step;
  row.difference = fmt::format("{}{:.{}f}{}", more < 0 ? "−" : "+", std::abs(more), kind.digits,
                               kind.inPoints ? " pts" : kind.unit);
  if (*left > 0) row.ratio = fmt::format("{:.2f}×", *right / *left);
  if (kind.lowerIsBetter) row.better = (more < 0) == *kind.lowerIsBetter ? Better::Right : Better::Left;
  return row;
}

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::optional<double> readDuration(const ProfileSide& side) {
  return side.profile == nullptr ? std::nullopt : positive(side.profile->diagnosis.durationUs);
}

std::optional<double> computeFloor(const ProfileSide& side) {
  return side.floors == nullptr ? std::nullopt : positive(side.floors->floors.us());
}

std::optional<double> readInstructions(const ProfileSide& side) {
  return side.profile == nullptr ? std::nullopt : positive(side.profile->diagnosis.instructionsPerWarp);
}

std::optional<double> metricIn(const ProfileSide& side, ProfileMetric metric) {
  return side.profile == nullptr ? std::nullopt : findMetric(side.profile->profile->kernel, metric);
}

/// `N = 2^26, 256 threads per block`, of both sides if they differ; empty if nothing is known.
std::string launchNote(const ProfileSide& left, const ProfileSide& right) {
  std::string note;
  for (const ProfileSide* const side : {&left, &right}) {
    if (side->profile == nullptr) continue;
    CostSetting setting = settingOf(*side->profile);
    setting.gpu.clear();
    const std::string one = settingText(setting);
    if (one != note) note += (note.empty() ? "" : " | ") + one;
  }
  return note;
}

DifferenceGroup kernelGroup(const ProfileSide& left, const ProfileSide& right) {
  DifferenceGroup group{"kernel", launchNote(left, right), {}};
  const RowKind time{" µs", 1, false, true};
  group.rows.push_back(findRow("time", "Time of the launch, under the profiler", readDuration(left),
                               readDuration(right), time));
  group.rows.push_back(findRow("floor",
                               "The least that launch and the longest unit need, over as many elements",
                               computeFloor(left), computeFloor(right), time));
  group.rows.push_back(findRow("instructions per warp", "Machine instructions per warp",
                               readInstructions(left), readInstructions(right), {"", 1, false, true}));
  struct Row {
    ProfileMetric metric;
    const char* name;
  };
  constexpr std::array<Row, 5> kRows{{{ProfileMetric::Dram, "DRAM, of its peak"},
                                      {ProfileMetric::L2, "L2, of its peak"},
                                      {ProfileMetric::L1, "L1/shared, of its peak"},
                                      {ProfileMetric::IssueSlots, "issue slots, of their peak"},
                                      {ProfileMetric::AchievedOccupancy, "occupancy"}}};
  for (const auto& [metric, name] : kRows) {
    const bool isUnit = metric != ProfileMetric::AchievedOccupancy;
    group.rows.push_back(findRow(
        name, isUnit ? "Percent of the unit's peak" : "Warps per SM, as a percentage of the most that fit",
        metricIn(left, metric), metricIn(right, metric), {"%", 0, true, {}}));
  }
  return group;
}

std::array<double, kStallGroups> computeShares(const ProfileSide& side) {
  std::array<double, kStallGroups> shares{};
  for (const WhyPart& part : whyParts(side.profile->diagnosis))
    shares[static_cast<std::size_t>(part.group)] = 100 * part.share;
  return shares;
}

DifferenceGroup stallGroup(const ProfileSide& left, const ProfileSide& right) {
  DifferenceGroup group{"warps' time", "", {}};
  if (left.profile == nullptr || right.profile == nullptr) return group;
  const auto ours = computeShares(left);
  const auto theirs = computeShares(right);
  for (std::size_t i = 0; i < kStallGroups; ++i) {
    group.rows.push_back(findRow(std::string(stallGroupWords(static_cast<StallGroup>(i))),
                                 "Share of the warps' time, of all samples", ours[i], theirs[i],
                                 {"%", 0, true, {}}));
  }
  return group;
}

}  // namespace

std::vector<DifferenceGroup> profileDifferences(const ProfileSide& left, const ProfileSide& right) {
  return {kernelGroup(left, right), stallGroup(left, right)};
}

std::vector<std::string> costliestLines(const ProfileSide& side, std::size_t most) {
  std::vector<std::string> rows;
  if (side.profile == nullptr) return rows;
  for (const LineShare& line : side.profile->diagnosis.lines) {
    if (rows.size() == most || line.counts.samples == 0) break;
    rows.push_back(fmt::format("line {}, {:.0f}%: {}", line.line, 100 * line.share, line.text));
  }
  return rows;
}

namespace {

constexpr float kDiffRow = 17;   // units
constexpr float kDiffTop = 34;   // units: the heading
constexpr float kDiffFoot = 8;   // units
constexpr float kDiffSign = 14;  // units
constexpr TextStyle kDiffCode{FontRole::Mono, ColorRole::Text, Align::Left, 0.92F, 1};
constexpr TextStyle kDiffNumber{FontRole::Mono, ColorRole::TextDim, Align::Right, 0.85F, 1};

std::uint32_t rowsIn(float height, float unit) {
  return toWhole<std::uint32_t>(std::max((height / unit - kDiffTop - kDiffFoot) / kDiffRow, 1.0F));
}

class DiffPainter {
 public:
  DiffPainter(std::span<const DiffRow> rows, const SourceDiffSide& side, const SceneContext& context,
              const TextMeasure& measure)
      : rows_(rows), side_(side), out_(context, measure) {}

  Scene paint(float unit);

 private:
  void paintRow(const DiffRow& row, float y);
  void paintChanged(const DiffLine& line, float left, float y);

  std::span<const DiffRow> rows_;
  const SourceDiffSide& side_;
  SceneBuilder out_;
};

// A tint behind the words that differ, and a line under them, so that colour alone does not show it.
void DiffPainter::paintChanged(const DiffLine& line, float left, float y) {
  const float end = out_.width() - out_.margin();
  for (const ChangedPart& part : line.changed) {
    const float from = left + out_.textWidth(line.text.substr(0, part.begin), kDiffCode);
    const float width = out_.textWidth(line.text.substr(part.begin, part.end - part.begin), kDiffCode);
    const float right = std::min(from + width, end);
    if (right <= from) continue;
    const float half = out_.u(kDiffRow / 2 - 1);
    out_.fill({from - out_.u(1), y - half, right - from + out_.u(2), 2 * half}, ColorRole::Accent, out_.u(2),
              0.3F);
    out_.line(from, y + half, right, y + half, ColorRole::Text, out_.u(1.2F));
  }
}

void DiffPainter::paintRow(const DiffRow& row, float y) {
  const DiffLine& line = side_.isRight ? row.right : row.left;
  const float half = out_.u(kDiffRow / 2);
  const Rect band{out_.margin() / 2, y - half, out_.width() - out_.margin(), 2 * half};
  if (line.number == 0) {
    out_.hatch(band, ColorRole::PanelBorder, out_.u(7), out_.u(1), 0.8F);
    return;
  }
  const bool isOwn = row.kind == DiffRow::Kind::LeftOnly || row.kind == DiffRow::Kind::RightOnly;
  if (isOwn) out_.fill(band, ColorRole::Accent, out_.u(2), 0.16F);
  if (line.number == side_.line) out_.stroke(band, ColorRole::Accent, out_.u(1.4F), out_.u(2));
  const float numbers = out_.margin() + out_.textWidth("000", kDiffNumber);
  out_.text(numbers, y, std::to_string(line.number), kDiffNumber);
  const char* sign = isOwn ? (side_.isRight ? "+" : "-") : row.kind == DiffRow::Kind::Changed ? "~" : "";
  out_.text(numbers + out_.u(kDiffSign / 2 + 1), y, sign,
            {FontRole::Mono, ColorRole::Text, Align::Center, 1, 1});
  const float left = numbers + out_.u(kDiffSign + 3);
  paintChanged(line, left, y);
  const float room = out_.width() - out_.margin() - left;
  out_.textWithin(left, y, room, line.text, kDiffCode);
  const bool isCut = out_.textWidth(line.text, kDiffCode) > room;
  out_.hit(band, HitArea::Kind::Line, line.number, isCut ? line.text : std::string());
}

Scene DiffPainter::paint(float unit) {
  const auto counted = [this](DiffRow::Kind kind) { return std::ranges::count(rows_, kind, &DiffRow::kind); };
  const auto own = counted(side_.isRight ? DiffRow::Kind::RightOnly : DiffRow::Kind::LeftOnly);
  const auto changed = counted(DiffRow::Kind::Changed);
  const std::string note = own + changed == 0
                               ? "no line differs"
                               : std::to_string(own) + " only here (" + (side_.isRight ? "+" : "-") + "), " +
                                     std::to_string(changed) + " changed (~)";
  out_.heading("SOURCE", note);
  const std::uint32_t shown = std::min(rowsIn(out_.height(), unit), static_cast<std::uint32_t>(rows_.size()));
  const std::uint32_t first = std::min(side_.firstRow, static_cast<std::uint32_t>(rows_.size()) - shown);
  for (std::uint32_t index = 0; index < shown; ++index)
    paintRow(rows_[first + index], out_.u(kDiffTop) + out_.u(kDiffRow) * (static_cast<float>(index) + 0.5F));
  Scene scene = out_.consume();
  scene.rows = {first, shown, static_cast<std::uint32_t>(rows_.size()), kDiffTop * unit,
                (kDiffTop + kDiffRow * static_cast<float>(shown)) * unit};
  return scene;
}

}  // namespace

Scene sourceDiffScene(std::span<const DiffRow> rows, const SourceDiffSide& side, const SceneContext& context,
                      const TextMeasure& measure) {
  return DiffPainter(rows, side, context, measure).paint(context.unit);
}

std::uint32_t firstDiffRow(std::size_t rows, std::size_t middle, std::size_t other, float height,
                           float unit) {
  const std::size_t shown = std::min<std::size_t>(rowsIn(height, unit), rows);
  std::size_t first = middle > shown / 2 ? middle - shown / 2 : 0;
  if (other < first && middle < other + shown) first = other;
  if (other >= first + shown && other < middle + shown) first = other + 1 - shown;
  return static_cast<std::uint32_t>(std::min(first, rows - shown));
}

std::size_t findDiffRow(std::span<const DiffRow> rows, bool isRight, std::uint32_t line) {
  const auto found = std::ranges::find_if(
      rows, [&](const DiffRow& row) { return line > 0 && (isRight ? row.right : row.left).number == line; });
  return found == rows.end() ? 0 : static_cast<std::size_t>(found - rows.begin());
}

}  // namespace lanescope
