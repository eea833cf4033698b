#include "app/scene/banks/bank_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/banks/bank_painter.h"
#include "app/scene/banks/step_pictures.h"

namespace lanescope {

// All rows where they fit; else those that are asked of first, then their neighbours.
void BankPainter::chooseRows() {
  const std::uint32_t total = (plan_.words + rowWords() - 1) / rowWords();
  const float most = (gridBottom_ - lanesTop_) * (request_.lanes.empty() ? 0.8F : 0.52F);
  const auto fit = static_cast<std::uint32_t>(std::max(most / out_.u(4), 1.0F));
  rows_.clear();
  if (total <= fit) {
    for (std::uint32_t row = 0; row < total; ++row) rows_.push_back(row);
    return;
  }
  const auto readable = std::max<std::uint32_t>(static_cast<std::uint32_t>(most / out_.u(16)), 1);
  std::vector<std::uint32_t> asked;
  for (const LaneDemand& demand : request_.lanes) asked.push_back(demand.word / rowWords());
  std::ranges::sort(asked);
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  for (const std::uint32_t row : asked) {
    if (rows_.size() < std::max(fit, readable)) rows_.push_back(row);
  }
  for (std::uint32_t row = 0; row < total && rows_.size() < readable; ++row) {
    if (std::ranges::find(rows_, row) == rows_.end()) rows_.push_back(row);
  }
  std::ranges::sort(rows_);
}

void BankPainter::layOut() {
  demandOfWord_.assign(plan_.words, nullptr);
  for (const LaneDemand& demand : request_.lanes) {
    for (std::uint32_t word = demand.word; word < std::min(demand.word + demand.words, plan_.words); ++word) {
      if (demandOfWord_[word] == nullptr) demandOfWord_[word] = &demand;
    }
  }
  lanesTop_ = out_.u(earlier_ ? 64 : 40);
  gridLeft_ = out_.margin() + out_.u(46);
  gridBottom_ = out_.height() - out_.u(26);
  bankWidth_ =
      std::min((out_.width() - out_.margin() - gridLeft_) / static_cast<float>(machine_.banks), out_.u(170));
  chooseRows();
  const float most = (gridBottom_ - lanesTop_) * (request_.lanes.empty() ? 0.8F : 0.52F);
  rowHeight_ = std::min(most / static_cast<float>(std::max<std::size_t>(rows_.size(), 1)), out_.u(32));
  gridTop_ = gridBottom_ - rowHeight_ * static_cast<float>(rows_.size());
  const TextStyle number{FontRole::Small, ColorRole::Text, Align::Center, 0.6F, 1};
  const float needed =
      out_.textWidth(std::string(std::to_string(plan_.words).size(), '4'), number) + out_.u(2);
  stacked_ = perBank_ > 1 && bankWidth_ * 0.8F < needed * static_cast<float>(perBank_) &&
             rowHeight_ >= out_.u(12) * static_cast<float>(perBank_);
  wordRects_.assign(plan_.words, Rect{});
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    for (unsigned bank = 0; bank < machine_.banks; ++bank) {
      const std::uint32_t first = rows_[shown] * rowWords() + bank * perBank_;
      for (std::uint32_t word = first; word < std::min(first + perBank_, plan_.words); ++word)
        wordRects_[word] = partOf(bankRect(shown, bank), word);
    }
  }
}

// What a bank holds in a row.
Rect BankPainter::bankRect(std::size_t shownRow, unsigned bank) const {
  // What one bank holds side by side shows as one.
  const float gapX =
      perBank_ == 1 ? std::min(bankWidth_ * 0.1F, out_.u(3)) : std::min(bankWidth_ * 0.2F, out_.u(7));
  const float gapY = std::min(rowHeight_ * 0.12F, out_.u(3));
  return {gridLeft_ + static_cast<float>(bank) * bankWidth_,
          gridBottom_ - rowHeight_ * static_cast<float>(shownRow + 1) + gapY / 2, bankWidth_ - gapX,
          rowHeight_ - gapY};
}

// The share of a word in it, with a hair between neighbours: to the right, or as rows are upwards.
Rect BankPainter::partOf(const Rect& rect, std::uint32_t word) const {
  if (perBank_ == 1) return rect;
  if (stacked_) {
    const float height = rect.h / static_cast<float>(perBank_);
    const float y = rect.bottom() - static_cast<float>(word % perBank_ + 1) * height;
    return {rect.x, y, rect.w, height - out_.u(0.6F)};
  }
  const float width = rect.w / static_cast<float>(perBank_);
  const float gap = std::min(out_.u(0.6F), width * 0.05F);
  return {rect.x + static_cast<float>(word % perBank_) * width, rect.y, width - gap, rect.h};
}

const Rect* BankPainter::rectOfWord(std::uint32_t word) const {
  return word < wordRects_.size() && wordRects_[word].w > 0 ? &wordRects_[word] : nullptr;
}

// The last of those steps in this phase, so far.
std::optional<Step> BankPainter::lastOf(const std::vector<std::uint32_t>& steps) const {
  if (trace_.phases.empty()) return std::nullopt;
  const auto found = BankPlan::lastOf(steps, trace_.phases[moment_.phase()], moment_.cursor);
  return found ? std::optional(trace_.steps[*found]) : std::nullopt;
}

// While wavefronts are shown one by one: the wavefront under way in full, the others faint.
float BankPainter::wavefrontAlpha(std::uint32_t wavefront) const {
  if (earlier_) return 0.42F;
  if (!shownOneByOne()) return 1;
  if (wavefront + 1 == moment_.cursor.wavefront) return 1;
  return wavefront + 1 < moment_.cursor.wavefront ? 0.45F : 0.16F;
}

// How much of a lane's curve is drawn while the access, or its wavefront under way, comes in.
float BankPainter::grown(std::uint32_t wavefront) const {
  if (earlier_ || !context_.moving(std::int64_t{moment_.cursor.steps} - 1)) return 1;
  return !shownOneByOne() || wavefront + 1 == moment_.cursor.wavefront ? context_.progress : 1.0F;
}

void BankPainter::paintAxis() {
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.88F, 1};
  const float needed = out_.textWidth("00", style) * 1.35F;
  unsigned stride = 1;
  while (static_cast<float>(stride) * bankWidth_ < needed && stride < machine_.banks) stride *= 2;
  const float y = gridBottom_ + out_.u(11);
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    const Rect column = bankRect(0, bank);
    out_.hit({column.x, gridBottom_, column.w, out_.u(20)}, HitArea::Kind::Bank, bank, [&] {
      return perBank_ == 1 ? fmt::format("bank {}", bank)
                           : fmt::format("bank {}, {} bytes wide\n{} neighbouring words in one pass", bank,
                                         machine_.bankBytes, perBank_);
    });
    if (bank % stride == 0) out_.text(column.midX(), y, fmt::format("{}", bank), style);
  }
  out_.text(gridLeft_ - out_.u(6), y, "bank", {FontRole::Small, ColorRole::TextDim, Align::Right, 0.88F, 1});
}

// The number of turns that each bank of a conflict needs, over its highest row; in a low picture colours and
// the list of wavefronts tell it.
void BankPainter::paintDegrees() {
  if (gridTop_ - out_.u(20) < lanesTop_ + out_.u(24)) return;
  const TextStyle style{FontRole::Bold, ColorRole::Conflict, Align::Center,
                        bankWidth_ < out_.u(20) ? 0.8F : 1.0F, 1};
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    if (!request_.conflicts() || request_.degree[bank] < 2) continue;
    const std::string text = fmt::format("{}\u00d7", request_.degree[bank]);
    const float width = out_.textWidth(text, style) + out_.u(4);
    if (width > bankWidth_ * 1.9F && bank % 2 == 1) continue;
    const float x = bankRect(0, bank).midX();
    const float y = gridTop_ - out_.u(11);
    out_.fill({x - width / 2, y - out_.u(9), width, out_.u(18)}, ColorRole::Panel, out_.u(3), 0.85F);
    if (width <= bankWidth_ * 1.9F) out_.text(x, y, text, style);
  }
}

std::vector<Rect> BankPainter::laneBoxes(std::size_t count, float right) const {
  std::vector<Rect> boxes;
  const float room = right - gridLeft_;
  const float pitch = std::min(room / static_cast<float>(std::max<std::size_t>(count, 1)), out_.u(62));
  const float width = pitch * (pitch < out_.u(20) ? 0.94F : 0.86F);
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

void BankPainter::paintLanes() {
  const bool conflict = request_.wavefronts > 1;
  // In a narrow picture the lanes need more of it for their names.
  const float side = conflict ? std::min(out_.u(178), out_.width() * 0.24F) : 0;
  const float right = out_.width() - out_.margin() - side;
  const std::vector<Rect> boxes = laneBoxes(request_.lanes.size(), right);
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const LaneDemand& demand = request_.lanes[index];
    const Rect* word = rectOfWord(demand.word);
    if (word == nullptr) continue;
    const Rect* last = rectOfWord(demand.word + demand.words - 1);
    // To the middle of what it asks for, where that lies side by side.
    const float target = last != nullptr && last->y == word->y && last->x > word->x
                             ? (word->x + last->right()) / 2
                             : word->midX();
    const float top = last != nullptr && last->x == word->x ? std::min(word->y, last->y) : word->y;
    const bool hovered = context_.hoverThread == demand.thread ||
                         (context_.hoverCell >= std::int64_t{demand.cell} &&
                          context_.hoverCell < std::int64_t{demand.cell} + demand.words);
    const bool belongs = context_.threadLit(demand.thread);
    const float alpha = wavefrontAlpha(demand.wavefront);
    out_.curve(boxes[index].midX(), boxes[index].bottom(), target, top,
               hovered ? ColorRole::Accent : wavefrontColor(demand.wavefront),
               out_.u(hovered || belongs ? 2.6F : 1.6F), alpha < 1 ? alpha : 0.9F, grown(demand.wavefront));
  }
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const LaneDemand& demand = request_.lanes[index];
    const float alpha = wavefrontAlpha(demand.wavefront);
    if (alpha < 1) out_.fill(boxes[index], ColorRole::Panel, out_.u(3));
    out_.fill(boxes[index], wavefrontColor(demand.wavefront), out_.u(3), alpha);
    if (context_.threadLit(demand.thread))
      out_.stroke(boxes[index].inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), out_.u(3));
    out_.hit(boxes[index], HitArea::Kind::Thread, demand.thread,
             [&] {
               return fmt::format("thread {}, lane {}, asks for {}\npass {} of {}", demand.thread,
                                  demand.lane, placeOf(demand), demand.wavefront + 1, request_.wavefronts);
             })
        .cell = demand.cell;
  }
  paintLaneLabels(boxes);
  if (!conflict) return;
  const std::uint32_t wavefront = shownOneByOne() ? std::max(moment_.cursor.wavefront, 1U) : 0;
  const std::uint32_t steps = earlier_ ? 0 : moment_.cursor.steps;
  paintWavefronts({out_, request_, wavefront, steps, right + out_.u(16), lanesTop_, gridTop_ - out_.u(20)});
}

// All boxes are labelled alike: by thread where that fits, else by lane. They stand in the order of the banks
// asked, so that lines do not cross.
void BankPainter::paintLaneLabels(const std::vector<Rect>& boxes) {
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, 1, 1};
  enum class Naming : std::uint8_t { ThreadWithT, Thread, Lane };
  const auto nameOf = [&](const LaneDemand& demand, Naming naming) {
    if (naming == Naming::Lane) return fmt::format("{}", demand.lane);
    return fmt::format("{}{}", naming == Naming::ThreadWithT ? "t" : "", demand.thread);
  };
  const auto scaleOf = [&](Naming naming) {
    float widest = 1;
    for (const LaneDemand& demand : request_.lanes)
      widest = std::max(widest, out_.textWidth(nameOf(demand, naming), style));
    return boxes.empty() ? 0.0F : std::min(1.0F, (boxes[0].w - out_.u(2)) / widest);
  };
  Naming naming = Naming::ThreadWithT;
  if (scaleOf(naming) < 0.93F) naming = Naming::Thread;
  if (scaleOf(naming) < 0.7F) naming = Naming::Lane;
  const float scale = scaleOf(naming);
  for (std::size_t index = 0; index < boxes.size() && scale >= 0.6F; ++index) {
    const LaneDemand& demand = request_.lanes[index];
    style.color = wavefrontAlpha(demand.wavefront) > 0.9F ? ColorRole::TextOnAccent : ColorRole::Text;
    style.scale = scale;
    out_.text(boxes[index].midX(), boxes[index].midY(), nameOf(demand, naming), style);
  }
  const TextStyle dim{FontRole::Small, ColorRole::TextDim, Align::Left, 0.88F, 1};
  const float room = gridLeft_ - out_.margin() - out_.u(4);
  out_.textWithin(out_.margin(), lanesTop_ + out_.u(6), room, naming == Naming::Lane ? "lanes" : "threads",
                  dim);
  if (boxes.size() > 1) out_.textWithin(out_.margin(), lanesTop_ + out_.u(18), room, "by bank", dim);
}

void BankPainter::paintSentence(std::string_view sentence) {
  out_.textWithin(out_.margin(), out_.u(46), out_.width() - 2 * out_.margin(), sentence,
                  {FontRole::Body, ColorRole::Text, Align::Left, 1, 1});
}

// A kernel without shared memory asks no bank for anything: where its work is to be seen instead.
void BankPainter::paintNoWords() {
  const bool shuffles = !trace_.shuffleSources.empty();
  std::string text = "This kernel keeps nothing in shared memory, so no bank is asked for a word. ";
  if (shuffles) text += "Step to a shuffle to see which lane hands its value to which. ";
  text += fmt::format("Step to an access of global memory to see which sectors of {} bytes it touches.",
                      machine_.sectorBytes);
  out_.paragraph(out_.margin(), out_.u(76), out_.width() - 2 * out_.margin(), 5, text,
                 {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
}

Scene BankPainter::paint() {
  const std::optional<Step> step = moment_.step();
  const bool access = step && isShared(step->kind);
  const bool global = step && isGlobal(step->kind);
  const bool shuffles = step && step->kind == StepKind::Shuffle;
  const std::optional<Step> shown = access ? step : global || shuffles ? std::nullopt : lastOf(plan_.busiest);
  const std::optional<Step> shuffle = access || global || shown ? std::nullopt : lastOf(plan_.shuffles);
  if (shown) request_ = bankRequest(trace_, *shown);
  earlier_ = !access;
  layOut();
  std::string note =
      fmt::format("{} of {} bytes, side by side", counted(machine_.banks, "bank"), machine_.bankBytes);
  if (plan_.words == 0) note = "no shared memory in this kernel";
  if (access) note = describeStep(trace_, *step);
  if (!access && shown) note = "most passes in this phase so far: " + describeStep(trace_, *shown);
  out_.heading("BANKS", note);
  if (plan_.words > 0) {
    paintWords();
    paintAxis();
  }
  if (shown) {
    paintLanes();
    paintDegrees();
  }
  if (!step) {
    paintSentence(plan_.words == 0
                      ? "Nothing has run yet: step forward."
                      : "Nothing has run yet: step forward to see which words the lanes ask for.");
  } else if (!access) {
    paintSentence(describeStep(trace_, *step) + ".");
  }
  if (plan_.words == 0 && !global && !shuffle) paintNoWords();
  const StepFrame frame{out_, trace_, context_, gridLeft_, lanesTop_ + out_.u(4), gridTop_};
  if (global) paintSectors(frame, *step);
  if (shuffle) paintShuffle(frame, *shuffle, shuffles ? 1.0F : 0.42F);
  return out_.take();
}

Scene bankScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return BankPainter(moment, context, measure).paint();
}

}  // namespace lanescope
