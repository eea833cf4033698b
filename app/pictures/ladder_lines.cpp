// The lines of a ladder, from the words that threads read and to those that they write, and the values that
// travel along them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/pictures/ladder_picture.h"
#include "app/pictures/picture_plan.h"

namespace lanescope {
namespace {

constexpr float kFinished = 0.75F;  ///< opacity: 3:1 to the panel in every theme
constexpr float kDense = 6;         ///< units: lines of cells less wide are thin
constexpr std::size_t kMostTravellers = 64;
constexpr float kApart = 1.5F;  ///< pixels between two lines, at the least

/// A line on the screen.
struct Segment {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  Point at(float portion) const { return {x0 + (x1 - x0) * portion, y0 + (y1 - y0) * portion}; }
};

class LadderLines {
 public:
  explicit LadderLines(const LadderPicture& picture) : p_(picture) {}

  void paint() {
    for (const LadderBand& band : p_.layout.shown()) {
      const bool isInputs = band.firstRow < p_.ladder.planned().inputs;
      if (band.isFolded || isInputs || band.time == LadderRow::Time::Future) continue;
      for (const LadderLine& line : p_.ladder.planned().linesOf(band.phase)) paintLine(line, band);
    }
  }

  void paintTravellers() {
    std::vector<LadderLine> moving;
    for (const LadderBand& band : p_.layout.shown()) {
      if (band.isFolded || band.time != LadderRow::Time::Current) continue;
      for (const LadderLine& line : p_.ladder.planned().linesOf(band.phase)) {
        if (portionOf(line) > 0 && portionOf(line) < 1) moving.push_back(line);
      }
    }
    if (moving.size() > kMostTravellers) return;
    for (const LadderLine& line : moving) paintTraveller(line);
  }

 private:
  bool isDone(const LadderLine& line) const { return line.step < p_.moment.cursor.steps; }
  float portionOf(const LadderLine& line) const {
    if (!isDone(line) || line.step < p_.motion.from) return 1;
    return line.isWrite ? p_.motion.writes : p_.motion.reads;
  }

  // From the top down; empty if it is out of view.
  std::optional<Segment> place(const LadderLine& line) const {
    const LadderLayout& layout = p_.layout;
    const Rect thread = layout.cell(p_.ladder, line.threads, line.thread);
    const bool isBelow = line.row > line.threads;
    Rect place = layout.cell(p_.ladder, line.row, line.column);
    if (!layout.isShown(line.row)) place.y = layout.room().y - place.h;  // scrolled away: from the upper edge
    Segment segment{place.midX(), place.bottom(), thread.midX(), thread.y};
    if (isBelow) segment = {thread.midX(), thread.bottom(), place.midX(), place.y};
    return cut(segment);
  }

  // The part between the left and the right edge.
  std::optional<Segment> cut(Segment segment) const {
    const float left = p_.layout.room().x;
    const float right = p_.layout.room().right();
    if (std::max(segment.x0, segment.x1) < left || std::min(segment.x0, segment.x1) > right)
      return std::nullopt;
    const auto yAt = [whole = segment](float x) {
      return whole.y0 + (whole.y1 - whole.y0) * (x - whole.x0) / (whole.x1 - whole.x0);
    };
    for (const float edge : {left, right}) {
      const auto isOut = [&](float x) { return edge == left ? x < left : x > right; };
      const float y = isOut(segment.x0) || isOut(segment.x1) ? yAt(edge) : 0;
      if (isOut(segment.x0)) segment = {edge, y, segment.x1, segment.y1};
      if (isOut(segment.x1)) segment = {segment.x0, segment.y0, edge, y};
    }
    return segment;
  }

  void paintLine(const LadderLine& line, const LadderBand& band) {
    if (!isDone(line) && p_.context.hidesFuture) return;
    const std::optional<Segment> segment = place(line);
    if (!segment) return;
    const bool isLit = p_.context.hoverThread == std::int64_t{line.thread};
    const bool belongs = isLit || (p_.context.hoverThread < 0 && p_.context.threadLit(line.thread));
    const bool isBright = band.time == LadderRow::Time::Current && isDone(line);
    // Lines in the pixels of the last one, or in those beside it, are not seen apart.
    if (!belongs && last_ && lastIsBright_ == isBright && lastIsWrite_ == line.isWrite &&
        std::abs(last_->x0 - segment->x0) < kApart && std::abs(last_->x1 - segment->x1) < kApart &&
        last_->y0 == segment->y0 && last_->y1 == segment->y1)
      return;
    last_ = segment;
    lastIsBright_ = isBright;
    lastIsWrite_ = line.isWrite;
    const ColorRole color = isLit ? ColorRole::Accent : line.isWrite ? ColorRole::Result : ColorRole::Operand;
    const bool isDense = p_.layout.grid(p_.ladder.rows[line.threads]).pitch() < p_.out.u(kDense);
    const float width = p_.out.u(belongs ? 2.4F : isBright && !isDense ? 1.8F : 1.0F);
    const float portion = portionOf(line);
    if (portion <= 0) return;
    const bool isUp = !line.isWrite && line.row > line.threads;
    const Segment way = isUp ? Segment{segment->x1, segment->y1, segment->x0, segment->y0} : *segment;
    p_.out.line(way.x0, way.y0, way.x1, way.y1, color, std::max(width, 1.0F),
                isBright || belongs ? 1 : kFinished, portion);
  }

  // The moving value: its text if there is room to read it, else a dot.
  void paintTraveller(const LadderLine& line) {
    const std::optional<Segment> segment = place(line);
    if (!segment) return;
    const bool isUp = !line.isWrite && line.row > line.threads;
    const Point at = segment->at(isUp ? 1 - portionOf(line) : portionOf(line));
    const LadderCell& cell = p_.arrived.rows[line.row].cells[line.column];
    const TextStyle style{FontRole::Mono, ColorRole::TextOnAccent, Align::Center, 0.9F, 1};
    const std::string text = p_.valueText(cell);
    const float width = p_.out.textWidth(text, style) + p_.out.u(8);
    const ColorRole color = line.isWrite ? ColorRole::Result : ColorRole::Operand;
    const LadderRow& threads = p_.ladder.rows[line.threads];
    const float column = p_.layout.grid(threads).pitch();
    if (!p_.layout.hasTexts(threads) || width > column * 1.5F) {
      p_.out.fill({at.x - p_.out.u(3), at.y - p_.out.u(3), p_.out.u(6), p_.out.u(6)}, color, p_.out.u(3));
      return;
    }
    const float height = p_.out.computeSize(style) * 1.25F;
    const Rect chip{at.x - width / 2, at.y - height / 2, width, height};
    p_.out.fill(chip, color, p_.out.u(4));
    p_.out.textInside(chip, text, style);
  }

  const LadderPicture& p_;
  std::optional<Segment> last_;
  bool lastIsBright_ = false, lastIsWrite_ = false;
};

}  // namespace

LadderMotion makeMotion(const Moment& moment, const SceneContext& context) {
  LadderMotion motion;
  if (context.progress >= 1 || context.movedFrom >= moment.cursor.steps) return motion;
  motion.from = context.movedFrom;
  bool reads = false;
  bool writes = false;
  const LadderPlan& plan = *moment.plan->ladder;
  const std::uint32_t phase = moment.phase();
  if (phase < plan.phases.size()) {
    for (const LadderLine& line : plan.linesOf(phase)) {
      if (line.step < motion.from || line.step >= moment.cursor.steps) continue;
      (line.isWrite ? writes : reads) = true;
    }
  }
  const float both = 2 * context.progress;
  motion.reads = reads && writes ? std::min(both, 1.0F) : context.progress;
  motion.writes = reads && writes ? std::max(both - 1, 0.0F) : context.progress;
  return motion;
}

void paintLines(const LadderPicture& picture) { LadderLines(picture).paint(); }

void paintTravellers(const LadderPicture& picture) {
  if (picture.motion.isAny()) LadderLines(picture).paintTravellers();
}

}  // namespace lanescope
