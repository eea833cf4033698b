// The lanes over the banks, each with its curve to the word it reads or writes. A curve ends over the words.
// To a word below another one it continues as a line in the gutter beside the bank, so that it crosses no
// number.
#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/bank_painter.h"
#include "app/pictures/wavefront_list.h"

namespace lanescope {
namespace {

constexpr float kLaneShare = 0.94F;  ///< the share of its pitch that a narrow lane takes

}  // namespace

std::vector<Rect> BankPainter::laneBoxes(std::size_t count) const {
  std::vector<Rect> boxes;
  const float room = out_.width() - out_.margin() - gridLeft_;
  const float pitch = std::min(room / static_cast<float>(std::max<std::size_t>(count, 1)), out_.u(62));
  const float width = pitch * (pitch < out_.u(24) ? kLaneShare : 0.86F);
  for (std::size_t index = 0; index < count; ++index) {
    boxes.push_back(
        {gridLeft_ + pitch * static_cast<float>(index), lanesTop_, std::min(width, out_.u(40)), out_.u(24)});
  }
  // Few lanes: spread over the room they have.
  const float spread = count > 0 ? (room - pitch * static_cast<float>(count)) / static_cast<float>(count) : 0;
  for (std::size_t index = 0; index < count; ++index) {
    boxes[index].x += std::min(spread, out_.u(40)) * (static_cast<float>(index) + 0.5F);
  }
  return boxes;
}

void BankPainter::paintCurve(const Rect& lane, const LaneDemand& demand) {
  const bool hovered = context_.hoverThread == demand.thread ||
                       (context_.hoverCell >= std::int64_t{demand.cell} &&
                        context_.hoverCell < std::int64_t{demand.cell} + demand.words);
  const ColorRole color = hovered ? ColorRole::Accent : wavefrontColor(demand.wavefront);
  const float width = out_.u(hovered || context_.threadLit(demand.thread) ? 2.6F : 1.6F);
  const float alpha = std::min(wavefrontAlpha(demand.wavefront), 0.9F);
  const float portion = grown(demand.wavefront);
  const auto to = [&](float x, float y) {
    out_.curve(lane.midX(), lane.bottom(), x, y, color, width, alpha, portion);
  };
  const Rect* word = rectOfWord(demand.word);
  if (word == nullptr) return to(bankRect(0, demand.bank).midX(), gridTop_);  // its row has no room
  const Rect* last = rectOfWord(demand.word + demand.words - 1);
  const auto shown =
      static_cast<std::size_t>(std::ranges::lower_bound(rows_, demand.word / rowWords()) - rows_.begin());
  const bool isUnder = stacked_ && demand.word % perBank_ + demand.words < perBank_;
  const std::size_t over = rows_.size() - 1 - shown + (isUnder ? 1U : 0U);
  if (over == 0) {
    // To the middle of the requested words if they are adjacent.
    const bool isBeside = last != nullptr && last->y == word->y && last->x > word->x;
    const float top = last != nullptr && last->x == word->x ? std::min(word->y, last->y) : word->y;
    return to(isBeside ? (word->x + last->right()) / 2 : word->midX(), top);
  }
  const float all = static_cast<float>(rows_.size() - (stacked_ ? 0U : 1U));
  const float x = word->x - gutter_ * static_cast<float>(over) / (all + 1);
  to(x, gridTop_);
  if (portion < 1) return;
  const float thin = std::min(width, std::max(gutter_ * 0.5F, out_.u(1)));
  out_.line(x, gridTop_, x, word->midY(), color, thin, alpha);
  out_.line(x, word->midY(), word->x, word->midY(), color, thin, alpha);
}

void BankPainter::paintLanes() {
  const std::vector<Rect> boxes = laneBoxes(request_.lanes.size());
  // Curves to lower rows come first, so that the part they share with others in a narrow gutter stays
  // visible.
  std::vector<std::size_t> order(boxes.size());
  for (std::size_t index = 0; index < order.size(); ++index) order[index] = index;
  std::ranges::stable_sort(order, {}, [&](std::size_t index) {
    const LaneDemand& demand = request_.lanes[index];
    return std::pair(wavefrontAlpha(demand.wavefront), demand.word / rowWords());
  });
  for (const std::size_t index : order) paintCurve(boxes[index], request_.lanes[index]);
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const LaneDemand& demand = request_.lanes[index];
    const float alpha = wavefrontAlpha(demand.wavefront);
    if (alpha < 1) out_.fill(boxes[index], ColorRole::Panel, out_.u(3));
    out_.fill(boxes[index], wavefrontColor(demand.wavefront), out_.u(3), alpha);
    if (context_.threadLit(demand.thread))
      out_.stroke(boxes[index].inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), out_.u(3));
    out_.hit(boxes[index], HitArea::Kind::Thread, demand.thread,
             [&] {
               return fmt::format("thread {}, lane {}, asks for {}\nwavefront {} of {}", demand.thread,
                                  demand.lane, findPlace(demand), demand.wavefront + 1, request_.wavefronts);
             })
        .cell = demand.cell;
  }
  paintLaneLabels(boxes);
  list_.paint(out_, request_, out_.margin(), listTop_, earlier_ ? 0 : moment_.cursor.steps);
}

// All boxes are labelled alike: by thread if that fits, else by lane. They are in the order of the requested
// banks, so that lines do not cross.
void BankPainter::paintLaneLabels(const std::vector<Rect>& boxes) {
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, 1, 1};
  enum class Naming : std::uint8_t { ThreadWithT, Thread, Lane };
  const auto nameFor = [&](const LaneDemand& demand, Naming naming) {
    if (naming == Naming::Lane) return fmt::format("{}", demand.lane);
    return fmt::format("{}{}", naming == Naming::ThreadWithT ? "t" : "", demand.thread);
  };
  const auto computeScale = [&](Naming naming) {
    float widest = 1;
    for (const LaneDemand& demand : request_.lanes)
      widest = std::max(widest, out_.textWidth(nameFor(demand, naming), style));
    const float around = out_.u(naming == Naming::ThreadWithT ? 2.4F : 0.6F);
    return boxes.empty() ? 0.0F : std::min(1.0F, (boxes[0].w - around) / widest);
  };
  Naming naming = Naming::ThreadWithT;
  const float least = out_.leastScale(style);
  if (computeScale(naming) < std::max(0.93F, least)) naming = Naming::Thread;
  if (computeScale(naming) < std::max(0.7F, least)) naming = Naming::Lane;
  const float scale = computeScale(naming);
  for (std::size_t index = 0; index < boxes.size() && scale >= least; ++index) {
    const LaneDemand& demand = request_.lanes[index];
    style.color = wavefrontAlpha(demand.wavefront) > 0.9F ? ColorRole::TextOnAccent : ColorRole::Text;
    style.scale = scale;
    out_.text(boxes[index].midX(), boxes[index].midY(), nameFor(demand, naming), style);
  }
  const TextStyle dim{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};
  const float room = gridLeft_ - out_.margin() - out_.u(2);
  out_.textWithin(out_.margin(), lanesTop_ + out_.u(4), room, naming == Naming::Lane ? "lanes" : "threads",
                  dim);
  if (boxes.size() > 1) out_.textWithin(out_.margin(), lanesTop_ + out_.u(19), room, "by bank", dim);
}

}  // namespace lanescope
