#include "app/pictures/bank_scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/bank_painter.h"
#include "app/pictures/step_pictures.h"

namespace lanescope {
namespace {

// Units.
constexpr float kGapHeight = 10;     ///< height of the gap for omitted rows
constexpr float kDegreeHeight = 15;  ///< between words and banks
constexpr float kLeastRow = 4;
constexpr float kListLine = 18;
constexpr float kMostGutters = 4;  ///< lines side by side in a gutter

/// The share of the height under the lanes that rows take: the curves take the rest.
float shareOfRows(bool hasLanes) { return hasLanes ? 0.52F : 0.8F; }

}  // namespace

// The requested rows, those of the current wavefront first if there is no room for all. Without a request:
// all rows, or the lowest ones.
void BankPainter::chooseRows(float room) {
  std::vector<std::uint32_t> rows;
  const auto isInProgress = [&](std::uint32_t row) {
    return std::ranges::any_of(request_.lanes, [&](const LaneDemand& demand) {
      return demand.word / rowWords() == row && wavefrontAlpha(demand.wavefront) == 1;
    });
  };
  if (request_.lanes.empty()) {
    for (std::uint32_t row = 0; row < allRows(); ++row) rows.push_back(row);
  }
  for (const LaneDemand& demand : request_.lanes) {
    for (const std::uint32_t word : {demand.word, demand.word + demand.words - 1})
      rows.push_back(word / rowWords());
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto fit = static_cast<std::size_t>(std::max(room / out_.u(kLeastRow), 1.0F));
  if (rows.size() > fit) {
    std::stable_partition(rows.begin(), rows.end(), isInProgress);  // Clang 14 cannot read GCC 12's subrange
    rows.resize(request_.lanes.empty() ? std::max<std::size_t>(static_cast<std::size_t>(room / out_.u(16)), 1)
                                       : fit);
    std::ranges::sort(rows);
  }
  rows_ = std::move(rows);
}

// The tops of the rows, from the lowest up, with a gap for omitted rows.
void BankPainter::placeRows(float room) {
  const auto isGapUnder = [&](std::size_t shown) {
    return shown == 0 ? rows_[0] > 0 : rows_[shown] != rows_[shown - 1] + 1;
  };
  const float gap = std::min(out_.u(kGapHeight), room * 0.5F / static_cast<float>(rows_.size() + 1));
  float gaps = !rows_.empty() && rows_.back() + 1 < allRows() ? gap : 0;
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) gaps += isGapUnder(shown) ? gap : 0;
  rowHeight_ =
      std::min((room - gaps) / static_cast<float>(std::max<std::size_t>(rows_.size(), 1)), out_.u(32));
  rowTops_.clear();
  gaps_.clear();
  float y = gridBottom_;
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    if (isGapUnder(shown)) {
      y -= gap;
      gaps_.push_back(y + gap / 2);
    }
    y -= rowHeight_;
    rowTops_.push_back(y);
  }
  gridTop_ = y;
  if (!rows_.empty() && rows_.back() + 1 < allRows()) gaps_.push_back(y - gap / 2);
}

// As wide as the lines to lower rows need, as far as the words' numbers leave room.
void BankPainter::chooseGutter() {
  const float least =
      perBank_ == 1 ? std::min(bankWidth_ * 0.1F, out_.u(3)) : std::min(bankWidth_ * 0.2F, out_.u(7));
  gutter_ = least;
  if (request_.lanes.empty() || rows_.size() < 2) return;
  const float lines = std::min(static_cast<float>(rows_.size() - 1), kMostGutters);
  const TextStyle number{FontRole::Small, ColorRole::Text, Align::Center, 0.95F, 1};
  const std::uint32_t highest = std::min((rows_.back() + 1) * rowWords(), plan_.words) - 1;
  const float text =
      out_.textWidth(std::string(std::to_string(highest).size(), '4'), number) * static_cast<float>(perBank_);
  const float most = std::min(bankWidth_ - text - out_.u(1), bankWidth_ * 0.4F);
  gutter_ = std::max(least, std::min(out_.u(2.4F) * (lines + 1), most));
}

void BankPainter::layOut() {
  demandOfWord_.assign(plan_.words, nullptr);
  for (const LaneDemand& demand : request_.lanes) {
    for (std::uint32_t word = demand.word; word < std::min(demand.word + demand.words, plan_.words); ++word) {
      if (demandOfWord_[word] == nullptr) demandOfWord_[word] = &demand;
    }
  }
  lanesTop_ = out_.u(earlier_ ? 64 : 40);
  if (!contention_.empty()) lanesTop_ += out_.u(kListLine);
  listTop_ = lanesTop_;
  if (request_.wavefronts > 1) {
    const float spare = (out_.height() - listTop_ - out_.u(190)) / out_.u(kListLine);
    const std::uint32_t wavefront = shownOneByOne() ? moment_.cursor.wavefront : 0;
    list_ = WavefrontList(out_, request_, wavefront, static_cast<std::size_t>(std::clamp(spare, 1.0F, 4.0F)));
    showsListAlone_ = context_.listsAll && list_.isCut();
    if (showsListAlone_) {
      const float lines = (out_.height() - listTop_ - out_.u(kListLine)) / out_.u(kListLine);
      list_ =
          WavefrontList(out_, request_, wavefront, static_cast<std::size_t>(std::max(lines - 1, 1.0F)), true);
      return;
    }
    lanesTop_ += out_.u(kListLine) * static_cast<float>(list_.lines()) + out_.u(2);
  }
  gridLeft_ = out_.margin() + out_.u(50);
  hasDegrees_ = request_.conflicts() && out_.height() - lanesTop_ > out_.u(108);
  axisTop_ = out_.height() - out_.u(26);
  gridBottom_ = axisTop_ - (hasDegrees_ ? out_.u(kDegreeHeight) : 0);
  bankWidth_ =
      std::min((out_.width() - out_.margin() - gridLeft_) / static_cast<float>(machine_.banks), out_.u(170));
  const float room = (gridBottom_ - lanesTop_) * shareOfRows(!request_.lanes.empty());
  chooseRows(room);
  placeRows(room);
  chooseGutter();
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
        wordRects_[word] = findPart(bankRect(shown, bank), word);
    }
  }
}

// The rectangle of a bank in a row. Left of it is the gutter, in which lines go to lower rows.
Rect BankPainter::bankRect(std::size_t shownRow, unsigned bank) const {
  const float gapY = std::min(rowHeight_ * 0.12F, out_.u(3));
  return {gridLeft_ + static_cast<float>(bank) * bankWidth_ + gutter_, rowTops_[shownRow] + gapY / 2,
          bankWidth_ - gutter_, rowHeight_ - gapY};
}

// The share of a word in that rectangle, with a thin gap between neighbours: from left to right, or upwards
// like the rows.
Rect BankPainter::findPart(const Rect& rect, std::uint32_t word) const {
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

// The last of those steps in this phase so far.
std::optional<Step> BankPainter::findLast(const std::vector<std::uint32_t>& steps) const {
  if (trace_.phases.empty()) return std::nullopt;
  const auto found = BankPlan::findLast(steps, trace_.phases[moment_.phase()], moment_.cursor);
  return found ? std::optional(trace_.steps[*found]) : std::nullopt;
}

// While wavefronts are shown one by one, the current one is opaque and the others are faint.
float BankPainter::wavefrontAlpha(std::uint32_t wavefront) const {
  if (earlier_) return kFaintWavefront;
  if (!shownOneByOne()) return 1;
  if (wavefront + 1 == moment_.cursor.wavefront) return 1;
  return wavefront + 1 < moment_.cursor.wavefront ? kFaintWavefront : 0.16F;
}

// The portion of a lane's curve that is drawn while the access, or its current wavefront, appears.
float BankPainter::grown(std::uint32_t wavefront) const {
  if (earlier_ || !context_.moving(std::int64_t{moment_.cursor.steps} - 1)) return 1;
  return !shownOneByOne() || wavefront + 1 == moment_.cursor.wavefront ? context_.progress : 1.0F;
}

void BankPainter::paintAxis() {
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.88F, 1};
  const float needed = out_.textWidth("00", style) * 1.35F;
  unsigned stride = 1;
  while (static_cast<float>(stride) * bankWidth_ < needed && stride < machine_.banks) stride *= 2;
  const float y = axisTop_ + out_.u(11);
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    const Rect column = bankRect(0, bank);
    out_.hit({column.x, axisTop_, column.w, out_.u(20)}, HitArea::Kind::Bank, bank, [&] {
      return perBank_ == 1 ? fmt::format("bank {}", bank)
                           : fmt::format("bank {}, {} bytes wide\n{} adjacent words in one wavefront", bank,
                                         machine_.bankBytes, perBank_);
    });
    if (bank % stride == 0) out_.text(column.midX(), y, fmt::format("{}", bank), style);
  }
  out_.text(gridLeft_ - out_.u(6), y, "bank", {FontRole::Small, ColorRole::TextDim, Align::Right, 0.88F, 1});
}

// The number of wavefronts that each bank of a conflict needs, under its words; in a low picture colours and
// the list of wavefronts show it.
void BankPainter::paintDegrees() {
  if (!hasDegrees_) return;
  TextStyle style{FontRole::Bold, ColorRole::Conflict, Align::Center, 1, 1};
  if (bankWidth_ < out_.u(20)) style.scale = std::max(0.8F, out_.leastScale(style));
  float free = 0;
  for (unsigned bank = 0; bank < machine_.banks; ++bank) {
    if (request_.degree[bank] < 2) continue;
    const std::string text = fmt::format("{}\u00d7", request_.degree[bank]);
    const float half = out_.textWidth(text, style) / 2;
    const float x = bankRect(0, bank).midX();
    if (x - half < free) continue;
    free = x + half + out_.u(2);
    out_.text(x, gridBottom_ + out_.u(kDegreeHeight / 2), text, style);
  }
}

// The bank of the word that the faulting access would have used.
void BankPainter::paintFault() {
  const TraceFault* const fault = moment_.fault();
  if (fault == nullptr || fault->array < 0) return;
  const TracedArray& array = trace_.arrays[static_cast<std::size_t>(fault->array)];
  if (array.space != MemorySpace::Shared || rows_.empty()) return;
  const auto row = static_cast<std::int64_t>(rowWords());
  const std::int64_t word = ((array.byteOffset / 4 + fault->word) % row + row) % row;
  const unsigned bank = static_cast<unsigned>(word) / perBank_;
  const Rect top = bankRect(rows_.size() - 1, bank);
  const Rect column{top.x, top.y, top.w, bankRect(0, bank).bottom() - top.y};
  out_.stroke(column.inset(-out_.u(2)), ColorRole::Bad, out_.u(1.8F), out_.u(3));
  const TextStyle style{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 1, 1};
  const std::string& text = fault->place.empty() ? array.name : fault->place;
  const float width = out_.textWidth(text, style) + out_.u(12);
  const float x = std::clamp(column.midX() - width / 2, out_.margin(), out_.width() - out_.margin() - width);
  const Rect tag{x, column.y - out_.u(26), width, out_.u(18)};
  out_.fill(tag, ColorRole::Bad, out_.u(4));
  out_.textInside(tag, text, style, 0.6F);
}

void BankPainter::paintSentence(std::string_view sentence) {
  out_.textWithin(out_.margin(), out_.u(46), out_.width() - 2 * out_.margin(), sentence,
                  {FontRole::Body, ColorRole::Text, Align::Left, 1, 1});
}

Scene BankPainter::paint() {
  const std::optional<Step> step = moment_.step();
  const bool access = step && isShared(step->kind);
  const std::optional<Step> shown = access ? step : findLast(plan_.busiest);
  if (shown) request_ = bankRequest(trace_, *shown);
  if (access) contention_ = contentionText(trace_, *step);
  earlier_ = !access;
  layOut();
  std::string note =
      fmt::format("{} of {} bytes, consecutive", counted(machine_.banks, "bank"), machine_.bankBytes);
  if (access) note = describeStep(trace_, *step);
  if (!access && shown) note = "most wavefronts in this phase so far: " + describeStep(trace_, *shown);
  out_.heading(access && isAtomic(step->kind) ? "ATOMIC" : "BANKS", note);
  if (showsListAlone_) {
    list_.paint(out_, request_, out_.margin(), listTop_, earlier_ ? 0 : moment_.cursor.steps);
  } else {
    paintWords();
    paintAxis();
  }
  if (shown && !showsListAlone_) {
    paintLanes();
    paintDegrees();
  }
  if (!step) {
    paintSentence("Nothing has run yet: step forward to see which words the lanes ask for.");
  } else if (!access) {
    paintSentence(describeStep(trace_, *step) + ".");
  } else if (!contention_.empty()) {
    out_.textWithin(out_.margin(), out_.u(45), out_.width() - 2 * out_.margin(), contention_,
                    {FontRole::Body, ColorRole::Text, Align::Left, 0.9F, 1});
  }
  if (!showsListAlone_) paintFault();
  return out_.consume();
}

namespace {

/// If the step is not an access: the widest so far in its phase, or the next one if there is none yet.
std::optional<std::uint32_t> globalAccessFor(const Moment& moment, const SceneContext& context) {
  const std::vector<std::uint32_t>& widest = moment.plan->banks->widest;
  if (widest.empty() || moment.trace.phases.empty()) return std::nullopt;
  const auto last = moment.step()
                        ? BankPlan::findLast(widest, moment.trace.phases[moment.phase()], moment.cursor)
                        : std::nullopt;
  if (last || context.hidesFuture) return last;
  const auto next = std::ranges::lower_bound(widest, moment.cursor.steps);
  return next == widest.end() ? std::nullopt : std::optional(*next);
}

}  // namespace

Scene bankScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  const std::optional<Step> step = moment.step();
  if (step && isGlobal(step->kind)) return sectorScene(moment, moment.cursor.steps - 1, context, measure);
  if (step && step->kind == StepKind::ConstantLoad) return constantScene(moment, context, measure);
  const std::optional<std::uint32_t> shuffle =
      moment.trace.phases.empty() ? std::nullopt
                                  : BankPlan::findLast(moment.plan->banks->shuffles,
                                                       moment.trace.phases[moment.phase()], moment.cursor);
  const bool isShuffle = step && step->kind == StepKind::Shuffle;
  const bool hasWords = moment.plan->banks->words > 0;
  const auto hasRequest = [&] {
    return !moment.trace.phases.empty() &&
           BankPlan::findLast(moment.plan->banks->busiest, moment.trace.phases[moment.phase()],
                              moment.cursor);
  };
  if (isShuffle || (shuffle && !(step && isShared(step->kind)) && !hasRequest()))
    return shuffleScene(moment, moment.trace.steps[*shuffle], context, measure);
  if (!hasWords) {
    const std::optional<std::uint32_t> access = globalAccessFor(moment, context);
    return access ? sectorScene(moment, *access, context, measure) : noSharedScene(moment, context, measure);
  }
  return BankPainter(moment, context, measure).paint();
}

}  // namespace lanescope
