#include "app/scene/bank_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/bank_layout.h"
#include "app/scene/scene_builder.h"
#include "app/scene/step_pictures.h"

namespace lanescope {
namespace {

class BankPainter {
 public:
  BankPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        machine_(trace_.launch.machine),
        context_(context),
        out_(context, measure) {}

  Scene paint();

 private:
  void layOut();
  void chooseRows();
  Rect wordRect(std::size_t shownRow, unsigned bank) const;
  const Rect* rectOfWord(std::uint32_t word) const;
  float passAlpha(std::uint32_t pass) const;
  float grown(std::uint32_t pass) const;
  bool shownOneByOne() const {
    return !earlier_ && request_.passes > 1 && moment_.cursor.wavefront < request_.passes;
  }
  const Step* busiestAccess() const;
  const Step* lastShuffle() const;

  void paintWords();
  void paintWord(std::uint32_t word, const Rect& rect);
  void paintWordText(std::uint32_t word, const Rect& rect, bool lit);
  void paintAxis();
  void paintDegrees();
  void paintLanes();
  void paintSentence(std::string_view sentence);
  std::vector<Rect> laneBoxes(std::size_t count, float right) const;
  void paintLaneLabels(const std::vector<Rect>& boxes);

  const Moment& moment_;
  const Trace& trace_;
  const MachineModel& machine_;
  const SceneContext& context_;
  SceneBuilder out_;
  BankRequest request_;
  bool earlier_ = false;  // the request is not the step under way: shown faint
  std::uint32_t words_ = 0;
  std::vector<std::uint32_t> rows_;              // shown ones, lowest first
  std::vector<std::int32_t> cellOfWord_;         // -1: padding
  std::vector<const LaneDemand*> demandOfWord_;  // the first lane that asks for it
  std::vector<Rect> wordRects_;                  // by word; w 0: not shown
  float gridTop_ = 0, gridBottom_ = 0, gridLeft_ = 0;
  float rowHeight_ = 0, bankWidth_ = 0;
  float lanesTop_ = 0;
};

// All rows where they fit; else those that are asked of first, then their neighbours.
void BankPainter::chooseRows() {
  const std::uint32_t total = (words_ + machine_.banks - 1) / machine_.banks;
  const float most = (gridBottom_ - lanesTop_) * (request_.lanes.empty() ? 0.8F : 0.52F);
  const auto fit = static_cast<std::uint32_t>(std::max(most / out_.u(4), 1.0F));
  rows_.clear();
  if (total <= fit) {
    for (std::uint32_t row = 0; row < total; ++row) rows_.push_back(row);
    return;
  }
  const auto readable = std::max<std::uint32_t>(static_cast<std::uint32_t>(most / out_.u(16)), 1);
  std::vector<std::uint32_t> asked;
  for (const LaneDemand& demand : request_.lanes) asked.push_back(demand.word / machine_.banks);
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
  words_ = sharedWords(trace_);
  cellOfWord_.assign(words_, -1);
  demandOfWord_.assign(words_, nullptr);
  for (std::uint32_t cell = trace_.sharedCells; cell-- > 0;) {
    const std::uint32_t word = wordOfCell(trace_, cell);
    if (word < words_) cellOfWord_[word] = static_cast<std::int32_t>(cell);
  }
  for (const LaneDemand& demand : request_.lanes) {
    for (std::uint32_t word = demand.word; word < std::min(demand.word + demand.words, words_); ++word) {
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
  wordRects_.assign(words_, Rect{});
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    for (unsigned bank = 0; bank < machine_.banks; ++bank) {
      const std::uint32_t word = rows_[shown] * machine_.banks + bank;
      if (word < words_) wordRects_[word] = wordRect(shown, bank);
    }
  }
}

Rect BankPainter::wordRect(std::size_t shownRow, unsigned bank) const {
  const float gapX = std::min(bankWidth_ * 0.1F, out_.u(3));
  const float gapY = std::min(rowHeight_ * 0.12F, out_.u(3));
  return {gridLeft_ + static_cast<float>(bank) * bankWidth_,
          gridBottom_ - rowHeight_ * static_cast<float>(shownRow + 1) + gapY / 2, bankWidth_ - gapX,
          rowHeight_ - gapY};
}

const Rect* BankPainter::rectOfWord(std::uint32_t word) const {
  return word < wordRects_.size() && wordRects_[word].w > 0 ? &wordRects_[word] : nullptr;
}

// The access of this phase, so far, that took most passes; the latest of those.
const Step* BankPainter::busiestAccess() const {
  const Step* found = nullptr;
  const std::uint32_t first = trace_.phases.empty() ? 0 : trace_.phases[moment_.phase()].firstStep;
  for (std::uint32_t index = first; index < moment_.cursor.steps && index < trace_.steps.size(); ++index) {
    const Step& step = trace_.steps[index];
    if (isShared(step.kind) && (found == nullptr || step.wavefronts >= found->wavefronts)) found = &step;
  }
  return found;
}

// The latest shuffle of this phase, so far.
const Step* BankPainter::lastShuffle() const {
  if (trace_.phases.empty()) return nullptr;
  const std::uint32_t first = trace_.phases[moment_.phase()].firstStep;
  for (std::uint32_t index = moment_.cursor.steps; index > first; --index) {
    if (trace_.steps[index - 1].kind == StepKind::Shuffle) return &trace_.steps[index - 1];
  }
  return nullptr;
}

// While passes are shown one by one: the pass under way in full, the others faint.
float BankPainter::passAlpha(std::uint32_t pass) const {
  if (earlier_) return 0.42F;
  if (!shownOneByOne()) return 1;
  if (pass + 1 == moment_.cursor.wavefront) return 1;
  return pass + 1 < moment_.cursor.wavefront ? 0.45F : 0.16F;
}

// How much of a lane's curve is drawn while the access, or its pass under way, comes in.
float BankPainter::grown(std::uint32_t pass) const {
  if (earlier_ || !context_.moving(std::int64_t{moment_.cursor.steps} - 1)) return 1;
  return !shownOneByOne() || pass + 1 == moment_.cursor.wavefront ? context_.progress : 1.0F;
}

// The word's number; in wide cells also where its value comes from.
void BankPainter::paintWordText(std::uint32_t word, const Rect& rect, bool lit) {
  if (rect.h < out_.u(10) || rect.w < out_.u(10)) return;
  TextStyle style{FontRole::Small, lit ? ColorRole::TextOnAccent : ColorRole::TextDim, Align::Center, 0.95F,
                  1};
  const std::int32_t cell = cellOfWord_[word];
  if (rect.w >= out_.u(80) && cell >= 0) {
    const Word& value = moment_.state.cells[static_cast<std::size_t>(cell)];
    for (const std::size_t terms : {8U, 4U, 2U}) {
      if (value.from == kNoProvenance) break;
      if (out_.textInside(rect, fmt::format("{}:  {}", word, trace_.provenance.text(value.from, terms)),
                          style, 0.85F))
        return;
    }
  }
  // Those of a row are of one size.
  const std::size_t digits = fmt::format("{}", word | (machine_.banks - 1)).size();
  const float widest = out_.textWidth(std::string(digits, '4'), style);
  style.scale *= std::clamp((rect.w - out_.u(2)) / widest, 0.6F, 1.0F);
  out_.textInside(rect, fmt::format("{}", word), style, 0.6F);
}

void BankPainter::paintWord(std::uint32_t word, const Rect& rect) {
  const std::int32_t cell = cellOfWord_[word];
  const LaneDemand* demand = demandOfWord_[word];
  const float radius = std::min({out_.u(3), rect.h / 4, rect.w / 4});
  const float alpha = demand == nullptr ? 1.0F : passAlpha(demand->pass) * grown(demand->pass);
  const bool roomy = rect.h >= out_.u(8);
  out_.fill(rect, ColorRole::Cell, radius, cell < 0 ? 0.3F : request_.lanes.empty() ? 0.6F : 1.0F);
  if (roomy) out_.stroke(rect, ColorRole::CellBorder, out_.u(1), radius, 0.7F);
  if (demand != nullptr) out_.fill(rect, passColor(demand->pass), radius, alpha);
  paintWordText(word, rect, demand != nullptr && alpha > 0.9F);
  if (cell < 0) return;
  if (context_.cellLit(cell)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), radius);
  std::string tip =
      fmt::format("word {}: bank {}, row {}", word, word % machine_.banks, word / machine_.banks);
  const auto index = static_cast<std::uint32_t>(cell);
  const TracedArray* array = arrayOfCell(trace_, index);
  if (array != nullptr && index < moment_.state.cells.size() && moment_.state.cells[index].written) {
    const ProvenanceId from = moment_.state.cells[index].from;
    tip += fmt::format("\n{} = {}", trace_.provenance.text(from, 32),
                       formatValue(array->type, elementBits(*array, moment_.state.cells, index)));
  }
  out_.hit(rect, HitArea::Kind::Cell, index, std::move(tip),
           demand == nullptr ? -1 : std::int64_t{demand->thread});
}

void BankPainter::paintWords() {
  for (std::uint32_t word = 0; word < words_; ++word) {
    if (const Rect* rect = rectOfWord(word)) paintWord(word, *rect);
  }
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.85F, 1};
  float lastY = out_.height();
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    const Rect rect = wordRect(shown, 0);
    if (lastY - rect.midY() < out_.sizeOf(style) * 1.1F) continue;
    lastY = rect.midY();
    const std::uint32_t first = rows_[shown] * machine_.banks;
    const std::uint32_t last = std::min(first + machine_.banks, words_) - 1;
    out_.textWithin(gridLeft_ - out_.u(6), rect.midY(), out_.u(52),
                    last == first ? fmt::format("{}", first) : fmt::format("{}\u2013{}", first, last), style);
  }
}

void BankPainter::paintAxis() {
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.88F, 1};
  const float needed = out_.textWidth("00", style) * 1.35F;
  unsigned stride = 1;
  while (static_cast<float>(stride) * bankWidth_ < needed && stride < machine_.banks) stride *= 2;
  const float y = gridBottom_ + out_.u(11);
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    const Rect column = wordRect(0, bank);
    out_.hit({column.x, gridBottom_, column.w, out_.u(20)}, HitArea::Kind::Bank, bank,
             fmt::format("bank {}", bank));
    if (bank % stride == 0) out_.text(column.midX(), y, fmt::format("{}", bank), style);
  }
  out_.text(gridLeft_ - out_.u(6), y, "bank", {FontRole::Small, ColorRole::TextDim, Align::Right, 0.88F, 1});
}

// The number of turns each bank needs, over its highest word that is asked for.
void BankPainter::paintDegrees() {
  const TextStyle style{FontRole::Bold, ColorRole::Conflict, Align::Center,
                        bankWidth_ < out_.u(20) ? 0.8F : 1.0F, 1};
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    if (request_.degree.empty() || request_.degree[bank] < 2) continue;
    const std::string text = fmt::format("{}\u00d7", request_.degree[bank]);
    const float width = out_.textWidth(text, style) + out_.u(4);
    if (width > bankWidth_ * 1.9F && bank % 2 == 1) continue;
    const float x = wordRect(0, bank).midX();
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
  const bool conflict = request_.passes > 1;
  const float side = conflict ? out_.u(178) : 0;
  const float right = out_.width() - out_.margin() - side;
  const std::vector<Rect> boxes = laneBoxes(request_.lanes.size(), right);
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const LaneDemand& demand = request_.lanes[index];
    const Rect* word = rectOfWord(demand.word);
    if (word == nullptr) continue;
    const bool hovered = context_.hoverThread == demand.thread || context_.hoverCell == demand.cell;
    const bool belongs = context_.threadLit(demand.thread);
    const float alpha = passAlpha(demand.pass);
    out_.curve(boxes[index].midX(), boxes[index].bottom(), word->midX(), word->y,
               hovered ? ColorRole::Accent : passColor(demand.pass), out_.u(hovered || belongs ? 2.6F : 1.6F),
               alpha < 1 ? alpha : 0.9F, grown(demand.pass));
  }
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const LaneDemand& demand = request_.lanes[index];
    const float alpha = passAlpha(demand.pass);
    if (alpha < 1) out_.fill(boxes[index], ColorRole::Panel, out_.u(3));
    out_.fill(boxes[index], passColor(demand.pass), out_.u(3), alpha);
    if (context_.threadLit(demand.thread))
      out_.stroke(boxes[index].inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), out_.u(3));
    out_.hit(boxes[index], HitArea::Kind::Thread, demand.thread,
             fmt::format("thread {}, lane {}, asks for word {} of bank {}\npass {} of {}", demand.thread,
                         demand.lane, demand.word, demand.bank, demand.pass + 1, request_.passes))
        .cell = demand.cell;
  }
  paintLaneLabels(boxes);
  if (!conflict) return;
  const std::uint32_t wavefront = shownOneByOne() ? std::max(moment_.cursor.wavefront, 1U) : 0;
  const std::uint32_t steps = earlier_ ? 0 : moment_.cursor.steps;
  paintPasses({out_, request_, wavefront, steps, right + out_.u(16), lanesTop_, gridTop_ - out_.u(20)});
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
    style.color = passAlpha(demand.pass) > 0.9F ? ColorRole::TextOnAccent : ColorRole::Text;
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

Scene BankPainter::paint() {
  const Step* step = moment_.step();
  const bool access = step != nullptr && isShared(step->kind);
  const bool global = step != nullptr && isGlobal(step->kind);
  const bool shuffles = step != nullptr && step->kind == StepKind::Shuffle;
  const Step* shown = access ? step : global || shuffles ? nullptr : busiestAccess();
  const Step* shuffle = access || global || shown != nullptr ? nullptr : lastShuffle();
  if (shown != nullptr) request_ = bankRequest(trace_, *shown);
  earlier_ = !access;
  layOut();
  std::string note = fmt::format("{} of {} bytes, side by side", machine_.banks, machine_.bankBytes);
  if (access) note = describeStep(trace_, *step);
  if (!access && shown != nullptr) note = "most passes in this phase so far: " + describeStep(trace_, *shown);
  out_.heading("BANKS", note);
  if (words_ > 0) {
    paintWords();
    paintAxis();
  }
  if (shown != nullptr) {
    paintLanes();
    paintDegrees();
  }
  if (step == nullptr) {
    paintSentence("Nothing has run yet: step forward to see which words the lanes ask for.");
  } else if (!access) {
    paintSentence(describeStep(trace_, *step) + ".");
  }
  const StepFrame frame{out_, trace_, context_, gridLeft_, lanesTop_ + out_.u(4), gridTop_};
  if (global) paintSectors(frame, *step);
  if (shuffle != nullptr) paintShuffle(frame, *shuffle, shuffles ? 1.0F : 0.42F);
  return out_.take();
}

}  // namespace

Scene bankScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return BankPainter(moment, context, measure).paint();
}

}  // namespace lanescope
