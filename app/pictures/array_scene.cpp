#include "app/pictures/array_scene.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "app/pictures/ladder_picture.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tile_scene.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

constexpr float kLadderTop = 34;  ///< units
constexpr float kLadderFoot = 26;
constexpr float kLadderGroups = 44;
constexpr float kMostLadderLabel = 125;
constexpr float kFoldMark = 7;
constexpr float kFoldedLine =
    0.9F;  ///< of a label's size, from one folded phase to the next: letters are lower
constexpr TextStyle kAxisLabel{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};

/// The room for the rows, between the heading and the axis, right of the labels.
Rect computeRoom(const SceneBuilder& out, const Moment& moment, const Ladder& ladder,
                 const SceneContext& context) {
  const LadderPlan& plan = ladder.planned();
  const TextStyle style{FontRole::Bold, ColorRole::Text, Align::Left, 0.9F, 1};
  float gutter = 0;
  for (const LadderRow& row : ladder.rows)
    gutter = std::max(gutter, out.textWidth(labelOf(moment, ladder, row), style));
  gutter = std::min(gutter, out.u(kMostLadderLabel)) + out.u(kFoldMark + 12);
  const float left = out.margin() + gutter;
  const float top = out.u(kLadderTop) + (hasFaultTag(moment, context) ? out.u(kFaultTag + 4) : 0);
  const float bottom = out.height() - out.u(plan.groups.empty() ? kLadderFoot : kLadderGroups);
  return {left, top, std::max(out.width() - out.margin() - left, 1.0F), std::max(bottom - top, 1.0F)};
}

/// Everything around the cells of a ladder.
class LadderFrame {
 public:
  explicit LadderFrame(const LadderPicture& picture)
      : p_(picture), out_(picture.out), layout_(picture.layout) {}

  /// Behind the rows of the current phase.
  void paintBand() const {
    for (const LadderBand& band : layout_.shown()) {
      if (band.time != Time::Current) continue;
      const Rect rect{out_.margin() / 2, band.top, out_.width() - out_.margin(), band.height};
      out_.fill(rect, ColorRole::Accent, out_.u(4), 0.12F);
      out_.stroke(rect, ColorRole::Accent, out_.u(1.3F), out_.u(4));
    }
  }

  void paintLabels() const {
    const float letter =
        out_.computeSize({FontRole::Body, ColorRole::Text, Align::Left, LadderLayout::kLabelScale, 1});
    float free = 0;  // the foot of the last label
    for (const LadderBand& band : layout_.shown()) {
      for (std::uint32_t row = band.firstRow; row < band.endRow; ++row) {
        const std::string label = labelOf(p_.moment, p_.ladder, p_.ladder.rows[row]);
        const bool isThreads = label == kThreads;
        if (band.isFolded && isThreads) continue;
        const float middle = band.isFolded ? band.top + band.height / 2 : layout_.middle(row);
        const float half = letter * (band.isFolded ? kFoldedLine : 1) / 2;
        const float y = std::max(middle, free + half);
        // In low lines every second phase is named, or fewer; but the current one is.
        if (band.isFolded && y > middle + 1) break;
        // The label of the words below comes first.
        if (isThreads && (y > middle + 1 || middle + letter > layout_.middle(row + 1))) continue;
        paintLabel(band, row, label, y);
        free = y + half;
        if (band.isFolded) break;
      }
      addBandHits(band);
    }
  }

  void paintAxis() const {
    const float y = layout_.bottom() + out_.u(10);
    layout_.words().paintAxis(out_, y, kAxisLabel);
    const std::string_view name = p_.ladder.planned().registers ? "thread" : "index";
    out_.text(out_.margin(), y, std::string(name), kAxisLabel);
    paintGroups();
  }

  // An arrow beside the rows: they are one memory, at later and later times.
  void paintTime() const {
    if (layout_.shown().size() < 2) return;
    const float x = out_.margin() / 2 - out_.u(1);
    const float head = out_.u(7);
    const float foot = layout_.bottom() - out_.u(2);
    out_.line(x, layout_.room().y + out_.u(4), x, foot - head, ColorRole::TextDim, out_.u(1.4F));
    out_.triangle({x - head / 2, foot - head, head, head}, ColorRole::TextDim, true);
  }

  // The place of the access that ended the block: at its word, or beyond the array's end.
  void paintFault() const {
    const TraceFault* const fault = p_.moment.fault();
    if (fault == nullptr || fault->array < 0) return;
    const TracedArray& array = p_.moment.trace.arrays[static_cast<std::size_t>(fault->array)];
    std::size_t index = p_.ladder.currentRow;
    for (std::size_t row = 0; row < p_.ladder.rows.size(); ++row) {
      const LadderRow& each = p_.ladder.rows[row];
      if (!layout_.isShown(row) || each.kind == Kind::Threads) continue;
      const bool isOfArray = array.space == MemorySpace::Global
                                 ? each.kind != Kind::Words && each.name == array.name
                                 : each.kind == Kind::Words && row <= p_.ladder.currentRow;
      if (isOfArray) index = row;
    }
    // Above the rows, so that their words stay visible, with a line to the place beside the array's words.
    const auto [first, columns] = columnsOf(index, array);
    const bool isBefore = fault->word < 0;
    const CellGrid& grid = layout_.words();
    const float end = isBefore ? grid.x(first) : grid.x(first + columns) - grid.gap();
    const float x = std::clamp(end, grid.left(), grid.right()) + out_.u(isBefore ? -4.0F : 4.0F);
    const float tagY = layout_.room().y - out_.u(2 + kFaultTag / 2);
    if (isBefore || fault->word >= std::int64_t{array.cellCount}) {
      const float y = layout_.middle(index);
      out_.line(x, tagY, x, y, ColorRole::Bad, out_.u(1.5F));
      out_.fill({x - out_.u(3), y - out_.u(3), out_.u(6), out_.u(6)}, ColorRole::Bad, out_.u(1));
    }
    paintFaultTag(out_, p_.moment, x - out_.u(4), tagY);
  }

 private:
  void paintLabel(const LadderBand& band, std::uint32_t index, const std::string& label, float y) const {
    const LadderRow& row = p_.ladder.rows[index];
    const bool isArray = row.kind == Kind::Input || row.kind == Kind::Output ||
                         (p_.ladder.planned().registers && row.kind == Kind::Words);
    TextStyle style{isArray ? FontRole::Mono : FontRole::Body, ColorRole::Text, Align::Left,
                    LadderLayout::kLabelScale, 1};
    if (band.time == Time::Current && !isArray) style.font = FontRole::Bold;
    if (band.time == Time::Future || label == kThreads) style.color = ColorRole::TextDim;
    if (label == kThreads) style.font = FontRole::Body;
    const float x = out_.margin() + out_.u(kFoldMark + 3);
    out_.textWithin(x, y, layout_.room().x - x - out_.u(6), label, style);
  }

  // A folded band opens by a click on its cells; one that was opened has a mark to fold it again.
  void addBandHits(const LadderBand& band) const {
    const bool isOpened = std::ranges::find(p_.context.unfolded, band.phase) != p_.context.unfolded.end();
    if (band.isFolded || (isOpened && band.time != Time::Current)) {
      const float size = out_.u(kFoldMark);
      const float x = out_.margin() - out_.u(1);
      const float y = band.isFolded ? band.top + band.height / 2 : layout_.top(band.firstRow) + size / 2;
      out_.triangle({x, y - size / 2, size, size}, ColorRole::TextDim, !band.isFolded);
      const Rect mark{x, band.top, size + out_.u(3), band.height};
      const char* tip = band.isFolded ? "Click: open this phase" : "Click: fold this phase";
      out_.hit(mark, HitArea::Kind::More, band.phase, tip);
      const Rect cells{layout_.room().x, band.top, layout_.room().w, band.height};
      if (band.isFolded) out_.hit(cells, HitArea::Kind::More, band.phase, tip);
    }
    const float left = out_.margin() + out_.u(kFoldMark + 3);
    const Phase& phase = p_.moment.trace.phases[band.phase];
    const bool isCovered = p_.context.hidesFuture && p_.moment.cursor.steps < phase.endStep;
    out_.hit(
        {left, band.top, layout_.room().x - 1 - left, band.height}, HitArea::Kind::Phase, band.phase,
        [&] {
          return isCovered ? phase.label
                           : fmt::format("{}\n{} at work", phase.label,
                                         counted(phase.activeThreads.size(), "thread"));
        },
        -1, phase.endStep);
  }

  // The columns of each array: a brace for each under the axis.
  void paintGroups() const {
    const float y = layout_.bottom() + out_.u(20);
    const float tick = out_.u(4);
    const TextStyle style{FontRole::Mono, ColorRole::Text, Align::Center, 0.92F, 1};
    const CellGrid& grid = layout_.words();
    for (const LadderGroup& group : p_.ladder.planned().groups) {
      const float x = std::max(grid.x(group.firstColumn), grid.left());
      const float right = std::min(grid.x(group.firstColumn + group.columns), grid.right()) -
                          std::max(grid.gap(), out_.u(1.5F));
      if (x >= right) continue;
      out_.line(x, y, right, y, ColorRole::TextDim, out_.u(1.2F));
      out_.line(x, y - tick, x, y, ColorRole::TextDim, out_.u(1.2F));
      out_.line(right, y - tick, right, y, ColorRole::TextDim, out_.u(1.2F));
      out_.textInside({x, y + out_.u(2), right - x, out_.u(16)}, group.name, style, 0.6F);
    }
  }

  // The first column of an array's words in that row, and how many columns they have.
  std::pair<std::uint32_t, std::uint32_t> columnsOf(std::size_t row, const TracedArray& array) const {
    const LadderRow& shown = p_.ladder.rows[row];
    if (shown.kind == Kind::Words) {
      const auto& groups = p_.ladder.planned().groups;
      const auto group = std::ranges::find(groups, array.name, &LadderGroup::name);
      if (group != groups.end()) return {group->firstColumn, group->columns};
    }
    const auto last = std::ranges::find_if(shown.cells.rbegin(), shown.cells.rend(), &LadderCell::there);
    return {0, static_cast<std::uint32_t>(shown.cells.rend() - last)};
  }

  const LadderPicture& p_;
  SceneBuilder& out_;
  const LadderLayout& layout_;
};

Scene paintNothing(SceneBuilder& out, const Moment& moment) {
  const float y = out.heading(moment.trace.sharedCells > 0 ? "SHARED MEMORY" : "GLOBAL MEMORY", "");
  out.paragraph(out.margin(), y, out.width() - 2 * out.margin(), 2,
                "This kernel has no array that fits here.",
                {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
  paintFaultTag(out, moment, out.margin(), y + out.u(64));
  return out.consume();
}

}  // namespace

Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const LadderMotion motion = makeMotion(moment, context);
  Ladder arrived = ladderAt(moment);
  if (arrived.rows.empty()) return paintNothing(out, moment);
  if (context.hidesFuture) coverFuture(arrived, moment);
  Ladder onTheWay;
  if (motion.isAny()) {
    onTheWay = ladderAt(moment, motion.from);
    if (context.hidesFuture) coverFuture(onTheWay, moment);
  }
  const Ladder& ladder = motion.isAny() ? onTheWay : arrived;
  const LadderLayout layout(out, ladder, context, computeRoom(out, moment, ladder, context));
  const LadderPicture picture{moment, context, ladder, arrived, layout, motion, out};
  const LadderFrame frame(picture);
  paintHeading(picture);
  frame.paintBand();
  paintLines(picture);
  paintRows(picture);
  frame.paintLabels();
  frame.paintAxis();
  frame.paintTime();
  paintTravellers(picture);
  frame.paintFault();
  Scene scene = out.consume();
  scene.rows = {layout.firstBand(), static_cast<std::uint32_t>(layout.shown().size()),
                static_cast<std::uint32_t>(layout.bands().size()), layout.room().y, layout.bottom()};
  return scene;
}

Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return moment.plan->tiles->arrays.empty() ? ladderScene(moment, context, measure)
                                            : tileScene(moment, context, measure);
}

}  // namespace lanescope
