#include "app/pictures/bank_painter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/value_words.h"

namespace lanescope {
namespace {

constexpr TextStyle kListTitle{FontRole::Bold, ColorRole::Text, Align::Left, 0.95F, 1};
constexpr TextStyle kListEntry{FontRole::Body, ColorRole::Text, Align::Left, 0.86F, 1};
// Units.
constexpr float kListPitch = 18;
constexpr float kListBox = 22;
constexpr float kListGap = 14;
constexpr float kBoxNumber = 0.92F;      // share of its role's size: the number in a wavefront's box
constexpr float kLeastBoxNumber = 0.7F;  // least share of that size
constexpr float kBoxGap = 0.2F;          // share of the boxes' pitch, at most

/// `word 3`, `words 0 2 4`.
std::string listedWords(const BankRequest& request, std::uint32_t wavefront) {
  const auto& words = request.wordsOfWavefront[wavefront];
  return fmt::format("{} {}", words.size() == 1 ? "word" : "words", fmt::join(words, " "));
}

/// The smallest text size of a box's number.
TextStyle smallest(const SceneBuilder& out) {
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, kBoxNumber, 1};
  style.scale *= std::clamp(out.leastScale(style), kLeastBoxNumber, 1.0F);
  return style;
}

}  // namespace

ColorRole wavefrontColor(const BankRequest& request, std::uint32_t wavefront) {
  if (wavefront < request.ideal) return accessColor(request.kind);
  return (wavefront - request.ideal) % 2 == 0 ? ColorRole::Conflict : ColorRole::ConflictOdd;
}

WavefrontList::WavefrontList(const SceneBuilder& out, const BankRequest& request, std::uint32_t wavefront,
                             std::size_t mostLines, bool isOpened)
    : wavefront_(wavefront),
      title_(wavefront > 0 ? fmt::format("wavefront {} of {}", wavefront, request.wavefronts)
                           : counted(request.wavefronts, "wavefront")) {
  const float room = out.width() - 2 * out.margin();
  boxesX_ = out.textWidth(title_, kListTitle) + out.u(8);
  const auto count = static_cast<float>(request.wavefronts);
  boxPitch_ = std::min(out.u(kListBox), std::max(room * 0.6F - boxesX_, out.u(40)) / count);
  // All boxes have numbers if a line has room for them and for the link to the rest of the list.
  const std::string widest(std::to_string(request.wavefronts).size(), '0');
  const float numbered = (out.textWidth(widest, smallest(out)) + out.u(1)) / (1 - kBoxGap);
  const float rest = out.textWidth(fmt::format("+{} more", request.wavefronts), kListEntry) + out.u(8);
  if (boxesX_ + count * numbered + rest <= room) boxPitch_ = std::max(boxPitch_, numbered);
  lines_ = 1;
  float x = boxesX_ + count * boxPitch_ + out.u(8);
  // The current wavefront first, so that it has room; the others follow.
  const std::uint32_t first = wavefront > 0 ? wavefront - 1 : 0;
  for (std::uint32_t listed = 0; listed < request.wavefronts; ++listed) {
    const std::uint32_t each = (first + listed) % request.wavefronts;
    const std::uint32_t left = request.wavefronts - listed;
    Entry entry{fmt::format("{}: {}", each + 1, listedWords(request, each)), x, 0, lines_ - 1};
    entry.width = out.textWidth(entry.text, kListEntry);
    const float more =
        left > 1 ? out.textWidth(fmt::format("+{} more", left), kListEntry) + out.u(kListGap) : 0;
    const bool isLast = lines_ == mostLines;
    const bool fits = entry.x + entry.width + (isLast ? more : 0) <= room;
    if (!fits && !isLast && (x > 0)) {
      ++lines_;
      x = 0;
      --listed;
      continue;
    }
    const bool isCut = !fits && listed == 0 && room - entry.x - more > out.u(90);
    if (!fits && !isCut) {
      addRest(out, request, first, listed, std::move(entry));
      break;
    }
    if (isCut) entry.width = room - entry.x - more;
    x += entry.width + out.u(kListGap);
    entries_.push_back(std::move(entry));
  }
  if (isOpened) addClose(out, isCut() ? room : x, room, mostLines);
}

/// The entry for the wavefronts from `listed` on; their words are its tooltip.
void WavefrontList::addRest(const SceneBuilder& out, const BankRequest& request, std::uint32_t first,
                            std::uint32_t listed, Entry entry) {
  entry.text = fmt::format("+{} more", request.wavefronts - listed);
  entry.width = out.textWidth(entry.text, kListEntry);
  entry.isSwitch = true;
  for (std::uint32_t rest = listed; rest < request.wavefronts; ++rest) {
    const std::uint32_t other = (first + rest) % request.wavefronts;
    rest_ += fmt::format("{}{}: {}", rest_.empty() ? "" : "\n", other + 1, listedWords(request, other));
  }
  if (entry.x + entry.width <= out.width() - 2 * out.margin()) entries_.push_back(std::move(entry));
}

void WavefrontList::addClose(const SceneBuilder& out, float x, float room, std::size_t mostLines) {
  Entry entry{"show the banks", x, 0, lines_ - 1, true};
  entry.width = out.textWidth(entry.text, kListEntry);
  if (entry.x + entry.width > room) {
    if (lines_ <= mostLines) ++lines_;
    entry.x = 0;
    entry.line = lines_ - 1;
  }
  entries_.push_back(std::move(entry));
}

// A box for each wavefront; the current one has a frame, later ones are pale.
void WavefrontList::paintBoxes(SceneBuilder& out, const BankRequest& request, float left, float top,
                               std::uint32_t steps) const {
  const float gap = std::min(out.u(3), boxPitch_ * kBoxGap);
  for (std::uint32_t wavefront = 0; wavefront < request.wavefronts; ++wavefront) {
    const Rect box{left + boxPitch_ * static_cast<float>(wavefront), top, boxPitch_ - gap,
                   out.u(kListPitch - 2)};
    const bool now = wavefront + 1 == wavefront_;
    const bool toCome = wavefront_ > 0 && wavefront + 1 > wavefront_;
    const float alpha = steps == 0 ? kFaintWavefront : toCome ? 0.25F : 1.0F;
    out.fill(box, wavefrontColor(request, wavefront), std::min(out.u(3), box.w / 4), alpha);
    if (now) out.stroke(box.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
    const TextStyle style{FontRole::Small, alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text,
                          Align::Center, kBoxNumber, 1};
    if (boxPitch_ >= out.u(12)) out.textInside(box, fmt::format("{}", wavefront + 1), style, kLeastBoxNumber);
    HitArea& hit = out.hit({box.x, box.y, boxPitch_, box.h}, HitArea::Kind::Wavefront, wavefront, [&] {
      return fmt::format("wavefront {} of {}\n{}", wavefront + 1, request.wavefronts,
                         listedWords(request, wavefront));
    });
    if (steps == 0) continue;
    hit.step = steps;
    hit.wavefront = wavefront + 1;
  }
}

void WavefrontList::paint(SceneBuilder& out, const BankRequest& request, float left, float top,
                          std::uint32_t steps) const {
  if (lines_ == 0) return;
  out.text(left, top + out.u(kListPitch / 2 - 1), title_, kListTitle);
  paintBoxes(out, request, left + boxesX_, top, steps);
  for (const Entry& entry : entries_) {
    const float y = top + out.u(kListPitch * (static_cast<float>(entry.line) + 0.5F) - 1);
    TextStyle style = kListEntry;
    if (entry.isSwitch) style.color = ColorRole::Accent;
    out.textWithin(left + entry.x, y, entry.width + 0.5F, entry.text, style);
    if (!entry.isSwitch) continue;
    const bool isRest = entry.text.front() == '+';
    out.hit({left + entry.x, y - out.u(kListPitch / 2), entry.width, out.u(kListPitch)}, HitArea::Kind::More,
            0, isRest ? rest_ + "\nClick to list them all" : "Put the list away");
  }
}

// The lanes over the banks, each with its curve to the word it reads or writes. A curve ends over the words.
// To a word below another one it continues as a line in the gutter beside the bank, so that it crosses no
// number.

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
  const ColorRole color = hovered ? ColorRole::Accent : wavefrontColor(request_, demand.wavefront);
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
    out_.fill(boxes[index], wavefrontColor(request_, demand.wavefront), out_.u(3), alpha);
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
  const float second = lanesTop_ + out_.u(19);
  // The rows' numbers come first.
  const bool isFree =
      rows_.empty() || bankRect(rows_.size() - 1, 0).midY() - second >= 1.1F * out_.computeSize(dim);
  if (boxes.size() > 1 && isFree) out_.textWithin(out_.margin(), second, room, "by bank", dim);
}

// The words that the banks hold: their requests and values, and as much of them as there is room for.

// The word's number; in wide cells also the origin of its value.
void BankPainter::paintWordText(std::uint32_t word, const Rect& rect, ColorRole color) {
  if (rect.h < out_.u(10) || rect.w < out_.u(10)) return;
  TextStyle style{FontRole::Small, color, Align::Center, 0.95F, 1};
  const std::int32_t cell = plan_.cellOfWord[word];
  if (rect.w >= out_.u(80) && cell >= 0) {
    const auto index = static_cast<std::uint32_t>(cell);
    const Word& value = words_[index];
    const TracedArray* array = arrayOfCell(trace_, index);
    const bool isPart = array != nullptr && isWide(array->type);
    const std::string_view part = !isPart ? "" : firstCellAt(*array, index) == index ? ", low" : ", high";
    for (const std::size_t terms : {8U, 4U, 2U}) {
      if (value.from == kNoProvenance) break;
      const std::string text = trace_.provenance.text(value.from, terms);
      if (out_.textInside(rect, fmt::format("{}:  {}{}", word, text, part), style, 0.85F)) return;
    }
  }
  // All numbers of a row have one size. If the widest does not fit, none is drawn.
  const std::size_t digits = fmt::format("{}", word | (rowWords() - 1)).size();
  const float widest = out_.textWidth(std::string(digits, '4'), style);
  const float room = rect.w - out_.u(0.6F);
  const float scale = std::clamp(room / widest, out_.leastScale(style), 1.0F);
  if (widest * scale > room + 0.01F) return;
  style.scale *= scale;
  out_.textInside(rect, fmt::format("{}", word), style, 0.6F);
}

void BankPainter::paintWord(std::uint32_t word, const Rect& rect) {
  const std::int32_t cell = plan_.cellOfWord[word];
  const LaneDemand* demand = demandOfWord_[word];
  const float radius = std::min({out_.u(3), rect.h / 4, rect.w / 4});
  const float alpha = demand == nullptr ? 1.0F : wavefrontAlpha(demand->wavefront) * grown(demand->wavefront);
  const bool roomy = rect.h >= out_.u(8);
  out_.fill(rect, ColorRole::Cell, radius, cell < 0 ? 0.3F : request_.lanes.empty() ? 0.6F : 1.0F);
  if (roomy) out_.stroke(rect, ColorRole::CellBorder, out_.u(1), radius, 0.7F);
  if (demand != nullptr) out_.fill(rect, wavefrontColor(request_, demand->wavefront), radius, alpha);
  const ColorRole onDemand = alpha > 0.9F ? ColorRole::TextOnAccent : ColorRole::Text;
  paintWordText(word, rect, demand == nullptr ? ColorRole::TextDim : onDemand);
  if (cell < 0) return;
  const auto index = static_cast<std::uint32_t>(cell);
  const Phase& phase = trace_.phases[moment_.phase()];
  if (context_.hasHazardAt(index, phase.firstStep, moment_.cursor.steps))
    out_.stroke(rect.inset(-out_.u(1)), ColorRole::Bad, out_.u(2), radius);
  if (isLit(index)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), radius);
  out_.hit(
      rect, HitArea::Kind::Cell, index, [&] { return makeTip(word); },
      demand == nullptr ? -1 : std::int64_t{demand->thread});
}

// The words of one element light up together.
bool BankPainter::isLit(std::uint32_t cell) const {
  const TracedArray* array = arrayOfCell(trace_, cell);
  if (array == nullptr) return context_.cellLit(cell);
  const std::uint32_t first = firstCellAt(*array, cell);
  for (std::uint32_t each = first; each < first + splitWords(array->type); ++each) {
    if (context_.cellLit(each)) return true;
  }
  return false;
}

std::string BankPainter::makeTip(std::uint32_t word) const {
  std::string tip =
      fmt::format("word {}: bank {}, row {}", word, word / perBank_ % machine_.banks, word / rowWords());
  const auto index = static_cast<std::uint32_t>(plan_.cellOfWord[word]);
  const TracedArray* array = arrayOfCell(trace_, index);
  if (array == nullptr) return tip;
  if (isWide(array->type)) {
    tip += fmt::format("\n{} half of {}, a {} of two words",
                       index == firstCellAt(*array, index) ? "low" : "high", cellName(trace_, index),
                       elementNoun(array->type));
  }
  if (index >= moment_.state.cells.size() || !moment_.state.cells[index].written) return tip;
  const ProvenanceId from = moment_.state.cells[index].from;
  const std::string value = formatValue(array->type, elementBits(*array, moment_.state.cells, index));
  const std::string made = trace_.provenance.text(from, 32);
  return tip + (made.empty() ? "\n" + value : fmt::format("\n{} = {}", made, value));
}

// `word 3 of bank 3`, `words 6 and 7 of banks 6 and 7`, `words 6 and 7 of bank 3`.
std::string BankPainter::findPlace(const LaneDemand& demand) const {
  if (demand.words == 1) return fmt::format("word {} of bank {}", demand.word, demand.bank);
  const std::uint32_t last = demand.word + demand.words - 1;
  const std::uint32_t lastBank = last / perBank_ % machine_.banks;
  const std::string_view between = demand.words == 2 ? "and" : "to";
  const std::string words = fmt::format("words {} {} {}", demand.word, between, last);
  if (lastBank == demand.bank) return fmt::format("{} of bank {}", words, demand.bank);
  return fmt::format("{} of banks {} {} {}", words, demand.bank, demand.words / perBank_ == 2 ? "and" : "to",
                     lastBank);
}

void BankPainter::paintWords() {
  for (const std::uint32_t row : rows_) {
    for (std::uint32_t word = row * rowWords(); word < std::min((row + 1) * rowWords(), plan_.words);
         ++word) {
      if (const Rect* rect = rectOfWord(word)) paintWord(word, *rect);
    }
  }
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.85F, 1};
  const float right = gridLeft_ - out_.u(4);
  float lastY = out_.height();
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    const Rect rect = bankRect(shown, 0);
    if (lastY - rect.midY() < out_.computeSize(style) * 1.1F) continue;
    const auto touches = [&](float gap) {
      return std::abs(gap - rect.midY()) < out_.computeSize(style) * 0.6F;
    };
    if (std::ranges::any_of(gaps_, touches)) continue;
    lastY = rect.midY();
    const std::uint32_t first = rows_[shown] * rowWords();
    const std::uint32_t last = std::min(first + rowWords(), plan_.words) - 1;
    out_.textWithin(right, rect.midY(), out_.u(56),
                    last == first ? fmt::format("{}", first) : fmt::format("{}\u2013{}", first, last), style);
  }
  // Omitted rows.
  for (const float y : gaps_) {
    const float radius = out_.u(1.1F);
    for (const float at : {0.0F, 5.0F, 10.0F})
      out_.fill({right - out_.u(14 - at), y - radius, 2 * radius, 2 * radius}, ColorRole::TextDim, radius);
  }
}

}  // namespace lanescope
