#include "app/pictures/bank_scene.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/base/value_words.h"
#include "app/base/whole.h"
#include "app/pictures/bank_painter.h"
#include "app/pictures/base/cell_grid.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/line_access.h"
#include "sim/base/words.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

// The wavefront that serves each lane: the last one if the lane needs several.
std::array<std::uint32_t, kMaxLanes> wavefrontsByLane(const BankUse& use) {
  std::array<std::uint32_t, kMaxLanes> wavefront{};
  for (std::uint32_t number = 0; number < use.wavefronts.size(); ++number) {
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((use.wavefronts[number].lanes >> lane & 1U) != 0) wavefront[lane] = number;
    }
  }
  return wavefront;
}

// The words of a wavefront that some lane requests: a wide bank also holds others.
std::vector<std::uint32_t> askedIn(const BankWavefront& wavefront, const BankUse& use,
                                   const MachineModel& machine) {
  std::vector<std::uint32_t> asked;
  for (const std::uint32_t served : wavefront.words) {
    for (const std::uint32_t word : use.words[served % machine.banks]) {
      if (word / wordsPerBank(machine) == served) asked.push_back(word);
    }
  }
  return asked;
}

// `8 words`, `8 doubles (16 words)`.
std::string askedText(const Trace& trace, const Step& step, std::uint32_t words) {
  const auto accesses = laneAccesses(trace, step);
  const TracedArray* array = accesses.empty() ? nullptr : arrayOfCell(trace, accesses.front().cell);
  const bool isElement = array != nullptr && isWide(array->type) && accesses.front().bytes == 8;
  if (!isElement) return counted(words, "word");
  return fmt::format("{} ({})", counted(words / 2, elementNoun(array->type)), counted(words, "word"));
}

std::string banksText(const MachineModel& machine, std::uint32_t banks) {
  const std::string text = counted(banks, "bank");
  return machine.bankBytes == 4 ? text : text + fmt::format(" of {} bytes", machine.bankBytes);
}

// `, in 2 requests, one each half warp` if a warp's lanes do not all go to the banks together.
std::string requestsText(const BankRequest& request, const MachineModel& machine) {
  if (machine.requestLanes >= machine.warpSize) return {};
  std::uint32_t groups = 0;  // a bit each
  for (const LaneDemand& demand : request.lanes) groups |= 1U << demand.lane / machine.requestLanes;
  const auto count = static_cast<std::uint32_t>(std::popcount(groups));
  if (count < 2) return {};
  const std::string part = 2 * machine.requestLanes == machine.warpSize
                               ? "half warp"
                               : std::to_string(machine.requestLanes) + " lanes";
  return fmt::format(", in {}, one each {}", counted(count, "request"), part);
}

}  // namespace

BankRequest bankRequest(const Trace& trace, const Step& step) {
  BankRequest request;
  if (!isShared(step.kind)) return request;
  const MachineModel& machine = trace.launch.machine;
  const BankUse use = computeBankUse(trace, step);
  const auto wavefront = wavefrontsByLane(use);
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    LaneDemand& demand = request.lanes.emplace_back();
    demand.lane = access.lane;
    demand.thread = step.warp * machine.warpSize + access.lane;
    demand.cell = access.cell;
    demand.word = access.address / 4;
    demand.words = std::max(1U, access.bytes / 4U);
    demand.bank = access.address / machine.bankBytes % machine.banks;
    demand.wavefront = wavefront[access.lane];
  }
  for (const BankWavefront& each : use.wavefronts)
    request.wordsOfWavefront.push_back(askedIn(each, use, machine));
  request.degree = use.degree;
  request.words = use.wordCount;
  request.banks = use.bankCount;
  request.wavefronts = step.wavefronts;
  request.ideal = step.idealWavefronts;
  request.kind = step.kind;
  std::ranges::sort(request.lanes, {},
                    [](const LaneDemand& d) { return std::tuple(d.bank, d.wavefront, d.lane); });
  return request;
}

std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space != MemorySpace::Shared || cell < array.firstCell ||
        cell >= array.firstCell + array.cellCount)
      continue;
    return array.byteOffset / 4 + cell - array.firstCell;
  }
  return cell;
}

std::uint32_t sharedWords(const Trace& trace) {
  std::uint32_t bytes = 0;
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared) bytes = std::max(bytes, array.byteOffset + 4 * array.cellCount);
  }
  return (bytes + 3) / 4;
}

namespace {

std::string quoteCode(const Trace& trace, const Step& step) {
  return trace.launch.source == nullptr ? std::string() : oneLine(trace.launch.source->slice(step.span), 60);
}

}  // namespace

std::string describeAccess(const Trace& trace, const Step& step) {
  const std::string code = quoteCode(trace, step);
  const bool isLoad = step.kind == StepKind::SharedLoad || step.kind == StepKind::GlobalLoad;
  const bool isStore = step.kind == StepKind::SharedStore || step.kind == StepKind::GlobalStore;
  if (isShared(step.kind)) return code + (isLoad ? " read" : isStore ? " written" : " updated");
  return code + (isLoad ? " read from" : isStore ? " written to" : " updated in") + " global memory";
}

std::string describeAsked(const Trace& trace, const Step& step) {
  if (!isShared(step.kind))
    return askedText(trace, step, static_cast<std::uint32_t>(wordsTouched(trace, step).size()));
  const BankRequest request = bankRequest(trace, step);
  return fmt::format("{} asked of {}", askedText(trace, step, request.words),
                     banksText(trace.launch.machine, request.banks));
}

std::string describePrice(const Trace& trace, const Step& step) {
  if (isShared(step.kind)) {
    return fmt::format("{}, ideal {}{}", counted(step.wavefronts, "wavefront"), step.idealWavefronts,
                       step.wavefronts > 1 && !conflicts(step) ? ", no conflict" : "");
  }
  // An atomic counts more sectors than it touches if lanes share a word: contentionText() explains that.
  return counted(
      step.kind == StepKind::GlobalAtomic ? sectorsTouched(trace, step).size() : std::size_t{step.sectors},
      "sector");
}

std::string describeStep(const Trace& trace, const Step& step) {
  const std::string code = quoteCode(trace, step);
  const std::string warp = fmt::format("warp {}", step.warp);
  const auto count = [](LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); };
  const unsigned active = count(step.active);
  switch (step.kind) {
    case StepKind::SharedLoad:
    case StepKind::SharedStore:
    case StepKind::SharedAtomic:
      return fmt::format("{} by {}{}: {}, {}", describeAccess(trace, step), warp,
                         requestsText(bankRequest(trace, step), trace.launch.machine),
                         describeAsked(trace, step), describePrice(trace, step));
    case StepKind::GlobalLoad:
    case StepKind::GlobalStore:
    case StepKind::GlobalAtomic:
      return fmt::format("{} by {}: {} in {}", describeAccess(trace, step), warp, describeAsked(trace, step),
                         describePrice(trace, step));
    case StepKind::ConstantLoad: {
      const std::uint32_t addresses = countConstantAddresses(trace, step);
      const std::string_view how = addresses == 1 ? ", a broadcast" : ", serialized";
      return fmt::format("{} read from constant memory by {}: {} for {}{}", code, warp,
                         counted(addresses, "address"), counted(active, "lane"), how);
    }
    case StepKind::Shuffle:
      return fmt::format("{}: {} of {} read registers of other lanes", code, counted(active, "lane"), warp);
    case StepKind::Reduce:
      return fmt::format("{}: {} of {} get the result of all their values", code, counted(active, "lane"),
                         warp);
    case StepKind::Vote:
      return fmt::format("{}: {} of {} make one result of their values", code, counted(active, "lane"), warp);
    case StepKind::Branch: {
      const unsigned taken = count(step.taken & step.active);
      const std::string all = active == 1 ? "the one lane" : fmt::format("all {} lanes", active);
      if (taken == active) return fmt::format("{}: true for {} active in {}", code, all, warp);
      if (taken == 0) return fmt::format("{}: false for {} active in {}", code, all, warp);
      return fmt::format("{}: {} diverges, true for {} and false for {}", code, warp, counted(taken, "lane"),
                         active - taken);
    }
    case StepKind::Assign:
      return fmt::format("{}: {} of {}, registers only", code, counted(active, "lane"), warp);
    case StepKind::BlockBarrier:
      return fmt::format("{} reaches {}: the block continues once every warp has", warp,
                         code.empty() ? "the barrier" : code);
    case StepKind::WarpBarrier: return fmt::format("{}: the lanes of {} wait for each other", code, warp);
    case StepKind::Print: return fmt::format("{}: printed by {} of {}", code, counted(active, "lane"), warp);
    case StepKind::Exit: return fmt::format("{} is done", warp);
    case StepKind::Fault: {
      std::string what = trace.fault ? trace.fault->sentence : code;
      if (what.ends_with('.')) what.pop_back();  // as all of these
      return what;
    }
  }
  return {};
}

namespace {

/// True if the picture is about such a step, and does not only say it in words.
bool isShown(StepKind kind) {
  return isShared(kind) || isGlobal(kind) || kind == StepKind::ConstantLoad || exchangesRegisters(kind) ||
         kind == StepKind::Fault;
}

}  // namespace

BankPlan planBanks(const Trace& trace) {
  BankPlan plan;
  plan.words = sharedWords(trace);
  plan.cellOfWord.assign(plan.words, -1);
  for (std::uint32_t cell = trace.sharedCells; cell-- > 0;) {
    const std::uint32_t word = wordOfCell(trace, cell);
    if (word < plan.words) plan.cellOfWord[word] = static_cast<std::int32_t>(cell);
  }
  for (const Phase& phase : trace.phases) {
    std::uint32_t most = 0;
    std::uint32_t mostSectors = 0;
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const StepKind kind = trace.steps.kindAt(index);
      if (isShown(kind)) plan.accesses.push_back(index);
      if (exchangesRegisters(kind)) plan.exchanges.push_back(index);
      if (isGlobal(kind) && trace.steps[index].sectors >= mostSectors) {
        mostSectors = trace.steps[index].sectors;
        plan.widest.push_back(index);
      }
      if (!isShared(kind)) continue;
      const std::uint32_t wavefronts = trace.steps[index].wavefronts;
      if (wavefronts < most) continue;
      most = wavefronts;
      plan.busiest.push_back(index);
    }
  }
  return plan;
}

std::optional<std::uint32_t> BankPlan::findLast(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                                Cursor cursor) {
  const auto due = std::ranges::lower_bound(steps, cursor.steps);
  if (due == steps.begin() || *(due - 1) < phase.firstStep) return std::nullopt;
  return *(due - 1);
}

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
  const auto fit = toWhole<std::size_t>(std::max(room / out_.u(kLeastRow), 1.0F));
  if (rows.size() > fit) {
    std::stable_partition(rows.begin(), rows.end(), isInProgress);  // Clang 14 cannot read GCC 12's subrange
    rows.resize(request_.lanes.empty() ? std::max<std::size_t>(toWhole<std::size_t>(room / out_.u(16)), 1)
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
  lanesTop_ = out_.u(part_ ? 30 : earlier_ ? 64 : 40);
  if (!contention_.empty()) lanesTop_ += out_.u(kListLine);
  listTop_ = lanesTop_;
  if (request_.wavefronts > 1 && !part_ && !isOfOtherPhase_) {
    const float spare = (out_.height() - listTop_ - out_.u(190)) / out_.u(kListLine);
    const std::uint32_t wavefront = shownOneByOne() ? moment_.cursor.wavefront : 0;
    list_ = WavefrontList(out_, request_, wavefront, toWhole<std::size_t>(std::clamp(spare, 1.0F, 4.0F)));
    showsListAlone_ = context_.listsAll && list_.isCut();
    if (showsListAlone_) {
      const float lines = (out_.height() - listTop_ - out_.u(kListLine)) / out_.u(kListLine);
      list_ = WavefrontList(out_, request_, wavefront, toWhole<std::size_t>(std::max(lines - 1, 1.0F)), true);
      return;
    }
    lanesTop_ += out_.u(kListLine) * static_cast<float>(list_.lines()) + out_.u(2);
  }
  gridLeft_ = out_.margin() + out_.u(50);
  hasDegrees_ = request_.conflicts() && !isOfOtherPhase_ && out_.height() - lanesTop_ > out_.u(108);
  axisTop_ = out_.height() - out_.u(part_ && !part_->hasAxis ? 6 : 26);
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
// The step of the request with most wavefronts so far in this phase; until it has one, of a phase before.
std::optional<std::uint32_t> BankPainter::findBusiest() const {
  const auto due = std::ranges::lower_bound(plan_.busiest, moment_.cursor.steps);
  return due == plan_.busiest.begin() ? std::nullopt : std::optional(*(due - 1));
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
  const std::uint32_t stride = findStride(needed, bankWidth_, machine_.banks);
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

// The bank that the faulting access would have used; its words are others.
void BankPainter::paintFault() {
  const TraceFault* const fault = moment_.fault();
  if (fault == nullptr || fault->array < 0) return;
  const TracedArray& array = trace_.arrays[static_cast<std::size_t>(fault->array)];
  if (array.space != MemorySpace::Shared || rows_.empty()) return;
  const auto row = static_cast<std::int64_t>(rowWords());
  const std::int64_t word = ((array.byteOffset / 4 + fault->word) % row + row) % row;
  const unsigned bank = static_cast<unsigned>(word) / perBank_;
  const Rect top = bankRect(rows_.size() - 1, bank);
  out_.stroke({top.x, axisTop_ + out_.u(2), top.w, out_.u(18)}, ColorRole::Bad, out_.u(1.8F), out_.u(3));
  const TextStyle style{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 1, 1};
  const std::string text =
      fmt::format("{} would be in bank {}", fault->place.empty() ? array.name : fault->place, bank);
  const float width = out_.textWidth(text, style) + out_.u(12);
  const float x = std::clamp(top.midX() - width / 2, out_.margin(), out_.width() - out_.margin() - width);
  const Rect tag{x, top.y - out_.u(26), width, out_.u(18)};
  out_.fill(tag, ColorRole::Bad, out_.u(4));
  out_.textInside(tag, text, style, 0.6F);
}

void BankPainter::paintSentence(std::string_view sentence) {
  out_.textWithin(out_.margin(), out_.u(46), out_.width() - 2 * out_.margin(), sentence,
                  {FontRole::Body, ColorRole::Text, Align::Left, 1, 1});
}

Scene BankPainter::paint(std::optional<BankPart> part) {
  part_ = std::move(part);
  const std::optional<Step> step = moment_.step();
  const bool access = step && isShared(step->kind);
  const std::optional<std::uint32_t> busiest = access ? std::nullopt : findBusiest();
  const std::optional<Step> shown = busiest  ? std::optional(trace_.steps[*busiest])
                                    : access ? step
                                             : std::nullopt;
  if (shown) request_ = bankRequest(trace_, *shown);
  isOfOtherPhase_ = busiest && !trace_.phases.empty() && *busiest < trace_.phases[moment_.phase()].firstStep;
  if (access) contention_ = contentionText(trace_, *step);
  earlier_ = !access;
  layOut();
  std::string note =
      fmt::format("{} of {} bytes, consecutive", counted(machine_.banks, "bank"), machine_.bankBytes);
  if (access) note = describeStep(trace_, *step);
  if (busiest) {
    const auto phase =
        std::ranges::upper_bound(trace_.phases, *busiest, {}, &Phase::firstStep) - trace_.phases.begin() - 1;
    const std::string when = isOfOtherPhase_
                                 ? "last in " + moment_.plan->phaseNames[static_cast<std::size_t>(phase)]
                                 : "most wavefronts in this phase so far";
    note = fmt::format("{}: {}", when, describeStep(trace_, *shown));
  }
  if (part_)
    out_.heading(part_->title, part_->note);
  else
    out_.heading(access && isAtomic(step->kind) ? "ATOMIC" : "BANKS", note);
  if (showsListAlone_) {
    list_.paint(out_, request_, out_.margin(), listTop_, earlier_ ? 0 : moment_.cursor.steps);
  } else {
    paintWords();
    if (!part_ || part_->hasAxis) paintAxis();
  }
  if (shown && !showsListAlone_) {
    paintLanes();
    paintDegrees();
  }
  if (!step) {
    paintSentence("Nothing has run yet: step forward to see which words the lanes ask for.");
  } else if (!access) {
    paintSentence(fmt::format("{}{}", describeStep(trace_, *step),
                              isOfOtherPhase_ ? "; this phase has accessed none of these words yet." : "."));
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
  if (std::optional<Scene> scene = lineAccessScene(moment, context, measure)) return std::move(*scene);
  const std::optional<Step> step = moment.step();
  if (step && isGlobal(step->kind)) return sectorScene(moment, moment.cursor.steps - 1, context, measure);
  if (step && step->kind == StepKind::ConstantLoad) return constantScene(moment, context, measure);
  const std::optional<std::uint32_t> exchange =
      moment.trace.phases.empty() ? std::nullopt
                                  : BankPlan::findLast(moment.plan->banks->exchanges,
                                                       moment.trace.phases[moment.phase()], moment.cursor);
  const bool isExchange = step && exchangesRegisters(step->kind);
  const bool hasWords = moment.plan->banks->words > 0;
  const auto hasRequest = [&] {
    return !moment.trace.phases.empty() &&
           BankPlan::findLast(moment.plan->banks->busiest, moment.trace.phases[moment.phase()],
                              moment.cursor);
  };
  if (isExchange || (exchange && !(step && isShared(step->kind)) && !hasRequest()))
    return exchangeScene(moment, moment.trace.steps[*exchange], context, measure);
  if (!hasWords) {
    const std::optional<std::uint32_t> access = globalAccessFor(moment, context);
    return access ? sectorScene(moment, *access, context, measure) : noSharedScene(moment, context, measure);
  }
  return BankPainter(moment, moment, context, measure).paint();
}

bool isAmongAccesses(const Moment& moment) {
  // Between two accesses of one warp a loop takes its branch, its barrier and the like: folding there, at
  // every turn, would let all pictures jump. What takes longer are warps without work, or arithmetic.
  constexpr std::uint32_t kLongest = 11;
  const std::vector<std::uint32_t>& accesses = moment.plan->banks->accesses;
  const std::uint32_t here = moment.cursor.steps == 0 ? 0 : moment.cursor.steps - 1;
  const auto next = std::ranges::lower_bound(accesses, here);
  const auto to = next == accesses.end() ? static_cast<std::uint32_t>(moment.trace.steps.size()) : *next;
  if (to == here) return true;
  const std::uint32_t from = next == accesses.begin() ? 0 : *(next - 1) + 1;
  return to - from <= kLongest;
}

bool phaseHasAccess(const Moment& moment) {
  if (moment.trace.phases.empty()) return false;
  const Phase& phase = moment.trace.phases[moment.phase()];
  return BankPlan::findLast(moment.plan->banks->accesses, phase, {.steps = phase.endStep}).has_value();
}

Scene bankLineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const std::optional<Step> step = moment.step();
  out.heading(moment.plan->banks->words > 0 ? "BANKS" : "MEMORY ACCESS",
              step ? describeStep(moment.trace, *step) : std::string("nothing has run yet"));
  return out.consume();
}

}  // namespace lanescope
