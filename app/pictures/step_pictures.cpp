#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr TextStyle kStepSentence{FontRole::Body, ColorRole::Text, Align::Left, 1, 1};

void paintExchange(SceneBuilder& out, const Trace& trace, const SceneContext& context, const Step& step,
                   float upper, float alpha) {
  const MachineModel& machine = trace.launch.machine;
  const float left = out.margin() + out.u(46);
  const float room = out.width() - out.margin() - left;
  const float pitch = std::min(room / static_cast<float>(machine.warpSize), out.u(90));
  const float height = std::min(out.u(24), (out.height() - out.margin() - upper) / 4);
  const float lower = std::min(upper + out.u(170), out.height() - out.margin() - height);
  const auto box = [&](unsigned lane, float top) {
    return Rect{left + pitch * static_cast<float>(lane), top, pitch * 0.88F, height};
  };
  // All boxes are labelled alike: by thread as t16 if that fits in each, else as 16; by lane if neither fits.
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, 1, 1};
  const auto findThread = [&](unsigned lane) { return step.warp * machine.warpSize + lane; };
  const auto fits = [&](std::string_view letter) {
    for (unsigned lane = 0; lane < machine.warpSize; ++lane)
      if (!out.fitsInside(pitch * 0.88F, fmt::format("{}{}", letter, findThread(lane)), style, 0.75F))
        return false;
    return true;
  };
  const std::string_view letter = fits("t") ? "t" : "";
  const bool namesLanes = letter.empty() && !fits("");
  for (unsigned lane = 0; lane < machine.warpSize; ++lane) {
    const bool active = (step.active >> lane & 1U) != 0;
    const std::uint32_t thread = findThread(lane);
    const LaneMask sources = lanesRead(trace, step, lane);
    const bool moved = sources != 0;
    const bool hovered = context.threadLit(thread);
    const auto curve = [&](float fromX, float fromY, float toX, float toY) {
      out.curve(fromX, fromY, toX, toY, hovered ? ColorRole::Accent : ColorRole::Operand,
                out.u(hovered ? 2.6F : 1.5F), 0.85F * alpha);
    };
    if (step.kind == StepKind::Reduce && moved) {
      // All lanes of a group meet halfway.
      const float meetX = (box(static_cast<unsigned>(std::countr_zero(sources)), 0).midX() +
                           box(static_cast<unsigned>(std::bit_width(sources)) - 1, 0).midX()) /
                          2;
      const float meetY = (upper + height + lower) / 2;
      curve(box(lane, upper).midX(), upper + height, meetX, meetY);
      curve(meetX, meetY, box(lane, lower).midX(), lower);
    } else if (moved) {
      curve(box(static_cast<unsigned>(std::countr_zero(sources)), upper).midX(), upper + height,
            box(lane, lower).midX(), lower);
    }
    for (const float top : {upper, lower}) {
      const bool lit = active && (top == upper || moved);
      const Rect rect = box(lane, top);
      out.fill(rect, lit ? ColorRole::LaneActive : ColorRole::Cell, out.u(3), lit ? alpha : 1.0F);
      if (hovered) out.stroke(rect.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
      style.color = lit && alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text;
      out.textInside(rect, fmt::format("{}{}", letter, namesLanes ? lane : thread), style, 0.5F);
      out.hit(
          rect, HitArea::Kind::Thread, thread,
          [&] {
            if (!moved) return fmt::format("thread {} keeps its own value", thread);
            if (step.kind == StepKind::Reduce)
              return fmt::format("thread {} gets the result of {}", thread,
                                 counted(static_cast<unsigned>(std::popcount(sources)), "lane"));
            return fmt::format("thread {} gets the value of thread {}", thread,
                               findThread(static_cast<unsigned>(std::countr_zero(sources))));
          },
          thread);
    }
  }
  const TextStyle beside{FontRole::Body, ColorRole::TextDim, Align::Left, 0.88F, 1};
  const float width = left - out.margin() - out.u(4);
  const auto name = [&](float top, std::string_view end) {
    const float line = namesLanes ? out.computeSize(beside) * 0.55F : 0;
    out.textWithin(out.margin(), top + height / 2 - line, width, end, beside);
    if (namesLanes) out.textWithin(out.margin(), top + height / 2 + line, width, "lane", beside);
  };
  name(upper, "from");
  name(lower, "to");
}

/// Boxes in a row, as wide as there is room for.
class BoxRow {
 public:
  BoxRow(const SceneBuilder& out, std::size_t count, float top, float height)
      : left_(out.margin()),
        pitch_(std::min((out.width() - 2 * out.margin()) / static_cast<float>(count), out.u(90))),
        top_(top),
        height_(height) {}
  Rect at(std::size_t place) const {
    return {left_ + pitch_ * static_cast<float>(place), top_, pitch_ * 0.88F, height_};
  }

 private:
  float left_, pitch_, top_, height_;
};

void paintConstants(SceneBuilder& out, const Trace& trace, const SceneContext& context, const Step& step) {
  const auto accesses = laneAccesses(trace, step);
  std::map<std::uint32_t, std::vector<std::uint32_t>> threadsByCell;  // by cell
  for (const LaneAccess& access : accesses)
    threadsByCell[access.cell].push_back(step.warp * trace.launch.machine.warpSize + access.lane);
  const float upper = out.u(74);
  const float height = std::min(out.u(24), (out.height() - out.margin() - upper) / 4);
  const float lower = std::min(upper + out.u(170), out.height() - out.margin() - height);
  const BoxRow words(out, threadsByCell.size(), upper, height);
  const BoxRow lanes(out, accesses.size(), lower, height);
  const TextStyle style{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 1, 1};
  std::size_t lane = 0;
  for (const LaneAccess& access : accesses) {
    const auto word =
        static_cast<std::size_t>(std::distance(threadsByCell.begin(), threadsByCell.find(access.cell)));
    const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
    const bool isLit = context.threadLit(thread);
    const Rect from = words.at(word);
    const Rect to = lanes.at(lane++);
    out.curve(from.midX(), from.bottom(), to.midX(), to.y, isLit ? ColorRole::Accent : ColorRole::Operand,
              out.u(isLit ? 2.6F : 1.5F), 0.85F);
    out.fill(to, ColorRole::LaneActive, out.u(3));
    if (isLit) out.stroke(to.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
    if (!out.textInside(to, fmt::format("t{}", thread), style, 0.75F))
      out.textInside(to, std::to_string(thread), style, 0.5F);
    out.hit(
        to, HitArea::Kind::Thread, thread,
        [&] { return fmt::format("thread {} reads {}", thread, cellName(trace, access.cell)); }, thread);
  }
  std::size_t place = 0;
  for (const auto& [cell, threads] : threadsByCell) {
    const Rect box = words.at(place++);
    out.fill(box, ColorRole::Operand, out.u(3));
    out.textInside(box, cellName(trace, cell), style, 0.75F);
    out.hit(box, HitArea::Kind::Cell, cell, [&, &readers = threads, &word = cell] {
      return fmt::format("{}: for {}", cellName(trace, word), counted(readers.size(), "lane"));
    });
  }
}

}  // namespace

Scene constantScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const Step step = *moment.step();
  out.heading("CONSTANT MEMORY", describeStep(moment.trace, step));
  out.textWithin(out.margin(), out.u(46), out.width() - 2 * out.margin(),
                 "Accesses to different addresses are serialized; no sector of global memory is requested.",
                 kStepSentence);
  paintConstants(out, moment.trace, context, step);
  return out.consume();
}

Scene exchangeScene(const Moment& moment, const Step& exchange, const SceneContext& context,
                    const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const Step step = *moment.step();
  const bool isNow = exchangesRegisters(step.kind);
  const std::string sentence = describeStep(moment.trace, step);
  const bool joins = exchange.kind == StepKind::Reduce;
  std::string note = "each lane reads a register of another lane: no memory, no bank";
  if (!isNow)
    note = "the last of this phase so far: " + describeStep(moment.trace, exchange);
  else if (joins)
    note = "the values of all lanes are combined in one instruction: no memory, no bank";
  out.heading(joins ? "REDUCTION" : "SHUFFLE", note);
  out.textWithin(out.margin(), out.u(46), out.width() - 2 * out.margin(), sentence + ".", kStepSentence);
  paintExchange(out, moment.trace, context, exchange, out.u(64), isNow ? 1.0F : 0.42F);
  return out.consume();
}

Scene noSharedScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  out.heading("MEMORY", "no shared memory in this kernel");
  const std::optional<Step> step = moment.step();
  const float room = out.width() - 2 * out.margin();
  out.textWithin(out.margin(), out.u(46), room,
                 step ? describeStep(moment.trace, *step) + "." : "Nothing has run yet: step forward.",
                 kStepSentence);
  std::string text = "This kernel keeps nothing in shared memory, so no bank is asked for a word. ";
  if (!moment.trace.shuffleSources.empty())
    text += "Step to an exchange of registers to see which lane reads which. ";
  text += fmt::format("Step to an access of global memory to see which sectors of {} bytes it touches.",
                      moment.trace.launch.machine.sectorBytes);
  TextStyle style = kStepSentence;
  style.color = ColorRole::TextDim;
  out.paragraph(out.margin(), out.u(76), room, 5, text, style);
  return out.consume();
}

std::string contentionText(const Trace& trace, const Step& step) {
  if (!isAtomic(step.kind)) return {};
  std::map<std::uint32_t, unsigned> lanesOfAddress;
  unsigned most = 0;
  for (const LaneAccess& access : laneAccesses(trace, step))
    most = std::max(most, ++lanesOfAddress[access.address]);
  if (most < 2) return most == 0 ? "" : "No two lanes update one word.";
  if (isSharedLoop(trace.launch.machine, step)) {
    return fmt::format(
        "Up to {} lanes update one word. A GPU does this in a loop: load, compute, compare and swap, until "
        "every lane's update went through. {} of the {} load.",
        most, step.loadWavefronts, counted(step.wavefronts, "wavefront"));
  }
  if (step.kind == StepKind::SharedAtomic && step.sharedAtomic == SharedAtomic::Increment)
    return fmt::format("Up to {} lanes add 1 to one word: a GPU counts them and adds once.", most);
  const std::string text = fmt::format("Up to {} lanes update one word: {} serialized updates, ", most, most);
  if (isGlobal(step.kind)) {
    return text + fmt::format("so the counter of sectors has {} for the {} touched.", step.sectors,
                              sectorsTouched(trace, step).size());
  }
  return text +
         (step.sharedAtomic == SharedAtomic::CompareSwap ? "two wavefronts each." : "a wavefront each.");
}

// A global access as memory sees it: lines, their sectors, and the bytes of them that are used.

namespace {

constexpr unsigned kSectorsOfLine = 4;  // a line has 128 bytes, a sector 32
// Units.
constexpr float kSectorPitch = 150;      ///< between lines, at the most
constexpr float kTallest = 120;          ///< height of a sector
constexpr float kLeastSectorPitch = 22;  ///< below that, sectors are side by side
constexpr float kSmallestPitch = 15;
constexpr float kLabelled = 40;   ///< from there on, sectors are labelled with their number
constexpr float kRoomy = 72;      ///< from there on, also with their bytes
constexpr float kLineLabel = 54;  ///< times 1.6 if it includes its bytes
constexpr std::size_t kMostColumns = 4;
constexpr float kLeastWordLabel = 0.7F;  ///< smallest scale of a word's label
constexpr TextStyle kWordLabel{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 0.95F, 1};
constexpr TextStyle kCaption{FontRole::Small, ColorRole::TextDim, Align::Center, 0.9F, 1};
constexpr float kFaint = 0.42F;  ///< opacity of an access that is not the current step

/// The labels of the boxes of words: all of them alike, so that no box seems to be special.
enum class WordLabels : std::uint8_t {
  Threads,  ///< `t32`
  Numbers,  ///< `32`
  Firsts,   ///< if there is no room for all: `t32` over a sector's first word and its neighbours
};
constexpr std::array<WordLabels, 2> kOnAllWords{WordLabels::Threads, WordLabels::Numbers};

class SectorPainter {
 public:
  SectorPainter(const Moment& moment, std::uint32_t access, const SceneContext& context,
                const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        machine_(trace_.launch.machine),
        step_(trace_.steps[access]),
        isNow_(access + 1 == moment.cursor.steps),
        isToCome_(access >= moment.cursor.steps),
        context_(context),
        out_(context, measure),
        touched_(sectorsTouched(trace_, step_)) {
    if (!isNow_) wordLabel_.color = ColorRole::Text;
    for (const std::uint32_t sector : touched_) {
      if (lines_.empty() || lines_.back() != sector / kSectorsOfLine)
        lines_.push_back(sector / kSectorsOfLine);
    }
  }

  Scene paint(std::string_view note) {
    const std::string_view whose = isNow_           ? ""
                                   : !isToCome_     ? "most sectors in this phase so far: "
                                   : moment_.step() ? "the next access will be: "
                                                    : "the first access will be: ";
    out_.heading(isAtomic(step_.kind) ? "ATOMIC" : "SECTORS",
                 note.empty() ? std::string(whose) + describeStep(trace_, step_) : std::string(note));
    if (!isNow_) {
      const std::optional<Step> step = moment_.step();
      out_.textWithin(out_.margin(), out_.u(46), out_.width() - 2 * out_.margin(),
                      step ? describeStep(trace_, *step) + "." : "Nothing has run yet: step forward.",
                      {FontRole::Body, ColorRole::Text, Align::Left, 1, 1});
    }
    layOut(paintUse(out_.u(isNow_ ? 36 : 64)) + out_.u(4));
    for (std::size_t place = 0; place < std::min(shown_ + 1, lines_.size()); ++place) paintLine(place);
    return out_.consume();
  }

 private:
  // The share of the moved bytes that lanes requested. Returns the y under it.
  float paintUse(float top) {
    const BytesUsed bytes = bytesUsed(trace_, step_);
    const float share = static_cast<float>(bytes.used) / static_cast<float>(std::max(bytes.moved, 1U));
    const Rect bar{out_.margin(), top + out_.u(3), std::min(out_.u(180), out_.width() * 0.25F), out_.u(12)};
    out_.fill(bar, ColorRole::Cell, out_.u(3));
    out_.fill({bar.x, bar.y, bar.w * std::min(share, 1.0F), bar.h}, accessColor(step_.kind), out_.u(3),
              alpha());
    const float x = bar.right() + out_.u(10);
    const float room = out_.width() - out_.margin() - x;
    const float width =
        out_.textWithin(x, bar.midY(), room, fmt::format("{} of {} bytes used", bytes.used, bytes.moved),
                        {FontRole::Bold, ColorRole::Text, Align::Left, 1, 1});
    out_.textWithin(
        x + width + out_.u(10), bar.midY(), room - width - out_.u(10),
        fmt::format("{} of {} bytes in {} of {}",
                    counted(static_cast<std::uint32_t>(touched_.size()), "sector"), machine_.sectorBytes,
                    counted(static_cast<std::uint32_t>(lines_.size()), "line"),
                    kSectorsOfLine * machine_.sectorBytes),
        {FontRole::Body, ColorRole::TextDim, Align::Left, 0.9F, 1});
    float y = top + out_.u(24);
    if (const std::string contention = contentionText(trace_, step_); !contention.empty()) {
      out_.textWithin(out_.margin(), y + out_.u(4), out_.width() - 2 * out_.margin(), contention,
                      {FontRole::Body, ColorRole::Text, Align::Left, 0.9F, 1});
      y += out_.u(20);
    }
    return y;
  }

  // Lines are below one another, or side by side if there are too many.
  void layOut(float top) {
    top_ = top;
    const float room = out_.height() - out_.u(10) - top;
    const auto countRows = [&](std::size_t columns) { return (lines_.size() + columns - 1) / columns; };
    while (columns_<kMostColumns&& static_cast<float>(countRows(columns_)) * out_.u(kLeastSectorPitch)> room)
      columns_ *= 2;
    pitch_ = std::min(out_.u(kSectorPitch),
                      room / static_cast<float>(std::max<std::size_t>(countRows(columns_), 1)));
    shown_ = lines_.size();
    if (pitch_ >= out_.u(kSmallestPitch)) return;
    pitch_ = out_.u(kSmallestPitch);
    const auto rows = toWhole<std::size_t>(std::max(room / pitch_, 1.0F));
    shown_ = std::min(rows * columns_ - 1, lines_.size());
  }

  void paintLine(std::size_t place) {
    const float width = (out_.width() - 2 * out_.margin()) / static_cast<float>(columns_);
    const std::size_t row = place / columns_;
    const Rect cell{out_.margin() + width * static_cast<float>(place % columns_),
                    top_ + pitch_ * static_cast<float>(row), width - out_.u(8), pitch_};
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
    const float label = out_.u(kLineLabel * (columns_ > 1 ? 0.6F : isRoomy() ? 1.6F : 1.0F));
    const float height = boxHeight();
    const float y = cell.y + height / 2;
    if (place == shown_) {
      out_.textWithin(
          cell.x, y, cell.w,
          fmt::format("+{} more", counted(static_cast<std::uint32_t>(lines_.size() - shown_), "line")),
          style);
      return;
    }
    out_.textWithin(cell.x, y, label - out_.u(4),
                    columns_ == 1 ? fmt::format("line {}", lines_[place]) : fmt::format("{}", lines_[place]),
                    style);
    const float sector = (cell.w - label) / kSectorsOfLine;
    if (place == 0) labels_ = labelsFor(sector - out_.u(3));
    if (isRoomy()) {
      const std::uint32_t bytes = kSectorsOfLine * machine_.sectorBytes;
      const std::uint32_t first = lines_[place] * bytes;
      out_.textWithin(cell.x, y + captionHeight(), label - out_.u(4),
                      fmt::format("bytes {}–{}", first, first + bytes - 1), style);
      if (place == 0 && labels_ == WordLabels::Numbers)
        out_.textWithin(cell.x, y + 2 * captionHeight(), label - out_.u(4), "by thread", style);
    }
    for (unsigned each = 0; each < kSectorsOfLine; ++each) {
      paintSector(lines_[place] * kSectorsOfLine + each,
                  {cell.x + label + sector * static_cast<float>(each), cell.y, sector - out_.u(3), height});
    }
  }

  void paintSector(std::uint32_t sector, const Rect& box) {
    const bool isTouched = std::ranges::binary_search(touched_, sector);
    out_.fill(box, ColorRole::Cell, out_.u(3), isTouched ? 1.0F : 0.35F);
    if (!isTouched) return;
    const std::uint32_t begin = sector * machine_.sectorBytes;
    constexpr std::uint32_t kWord = 4;
    for (std::uint32_t word = begin; isRoomy() && word < begin + machine_.sectorBytes; word += kWord)
      out_.stroke(wordRect(word, word + kWord, begin, box), ColorRole::CellBorder, out_.u(1), out_.u(2));
    for (const LaneAccess& access : laneAccesses(trace_, step_)) paintAccess(access, begin, box);
    if (labels_ == WordLabels::Firsts) paintFirst(begin, box);
    out_.stroke(box, accessColor(step_.kind), out_.u(1.5F), out_.u(3), alpha());
    paintCaptions(sector, box);
  }

  void paintAccess(const LaneAccess& access, std::uint32_t sectorBegin, const Rect& box) {
    // The part in this sector of an access that is wider than a word.
    const std::uint32_t begin = std::max(access.address, sectorBegin);
    const std::uint32_t end = std::min(access.address + std::max<std::uint32_t>(access.bytes, 1),
                                       sectorBegin + machine_.sectorBytes);
    if (begin >= end) return;
    const Rect rect = wordRect(begin, end, sectorBegin, box);
    const std::uint32_t thread = step_.warp * machine_.warpSize + access.lane;
    out_.fill(rect, accessColor(step_.kind), std::min(out_.u(2), rect.w / 4), alpha());
    if (context_.threadLit(thread))
      out_.stroke(rect.inset(-out_.u(1)), ColorRole::Accent, out_.u(2), out_.u(2));
    const auto sharing =
        std::ranges::count(laneAccesses(trace_, step_), access.address, &LaneAccess::address);
    if (labels_ != WordLabels::Firsts && isFirstOfWord(access))
      out_.textInside(rect, makeLabel(access, labels_), wordLabel_, kLeastWordLabel);
    out_.hit(
        rect, HitArea::Kind::Thread, thread,
        [&] {
          std::string tip =
              fmt::format("thread {}, lane {}: byte {} of the buffer", thread, access.lane, access.address);
          return sharing > 1 ? tip + fmt::format("\n{} on this word",
                                                 counted(static_cast<std::uint32_t>(sharing), "lane"))
                             : tip;
        },
        thread);
  }

  void paintFirst(std::uint32_t sectorBegin, const Rect& box) {
    const std::uint32_t sectorEnd = sectorBegin + machine_.sectorBytes;
    const auto accesses = laneAccesses(trace_, step_);
    const LaneAccess* first = nullptr;
    for (const LaneAccess& access : accesses) {
      const bool isHere = access.address >= sectorBegin && access.address < sectorEnd;
      if (isHere && (first == nullptr || access.address < first->address)) first = &access;
    }
    if (first == nullptr) return;
    std::uint32_t end = first->address;
    for (const LaneAccess* next = first; next != nullptr && end < sectorEnd;) {
      end = std::min(end + std::max<std::uint32_t>(next->bytes, 1), sectorEnd);
      const auto adjoins = std::ranges::find(accesses, end, &LaneAccess::address);
      next = adjoins == accesses.end() ? nullptr : &*adjoins;
    }
    const Rect run = wordRect(first->address, end, sectorBegin, box);
    const std::string label = makeLabel(*first, WordLabels::Firsts);
    const float room = std::min(run.w, out_.textWidth(label, wordLabel_) + out_.u(5));
    out_.textInside({run.x, run.y, room, run.h}, label, wordLabel_, kLeastWordLabel);
  }

  Rect wordRect(std::uint32_t begin, std::uint32_t end, std::uint32_t sectorBegin, const Rect& box) const {
    const float byte = (box.w - out_.u(2)) / static_cast<float>(machine_.sectorBytes);
    return {box.x + out_.u(1) + byte * static_cast<float>(begin - sectorBegin), box.y + out_.u(2),
            byte * (static_cast<float>(end - begin) - 0.4F), box.h - out_.u(4)};
  }

  // Lanes that share a word share its box: the first and how many more.
  std::string makeLabel(const LaneAccess& access, WordLabels labels) const {
    const std::uint32_t thread = step_.warp * machine_.warpSize + access.lane;
    const auto sharing =
        std::ranges::count(laneAccesses(trace_, step_), access.address, &LaneAccess::address);
    const std::string more = sharing > 1 ? fmt::format(" +{}", sharing - 1) : "";
    return fmt::format("{}{}{}", labels == WordLabels::Numbers ? "" : "t", thread, more);
  }

  bool isFirstOfWord(const LaneAccess& access) const {
    const auto accesses = laneAccesses(trace_, step_);
    return std::ranges::find(accesses, access.address, &LaneAccess::address)->lane == access.lane;
  }

  WordLabels labelsFor(float sector) const {
    const auto haveRoom = [&](WordLabels labels) {
      return std::ranges::all_of(laneAccesses(trace_, step_), [&](const LaneAccess& access) {
        const std::uint32_t bytes = std::clamp<std::uint32_t>(access.bytes, 1, machine_.sectorBytes);
        const Rect rect = wordRect(0, bytes, 0, {0, 0, sector, 0});
        // A `t` that touches the box's edges is harder to read than a number in its middle.
        const float room = rect.w - (labels == WordLabels::Threads ? out_.u(4) : 0);
        return out_.fitsInside(room, makeLabel(access, labels), wordLabel_, kLeastWordLabel);
      });
    };
    const auto* const all = std::ranges::find_if(kOnAllWords, haveRoom);
    return all == kOnAllWords.end() ? WordLabels::Firsts : *all;
  }

  float alpha() const { return isNow_ ? 1 : kFaint; }
  bool isRoomy() const { return columns_ == 1 && pitch_ >= out_.u(kRoomy); }
  float captionHeight() const { return out_.computeSize(kCaption) * 1.3F; }
  /// Height of a sector's box; its captions are under it.
  float boxHeight() const {
    if (pitch_ < out_.u(kLabelled)) return pitch_ * 0.8F;
    const float captions = captionHeight() * (isRoomy() ? 2.5F : 1.4F);
    return std::min(pitch_ - captions, out_.u(kTallest));
  }

  /// Bytes of a sector that the lanes requested.
  std::uint32_t countUsed(std::uint32_t sector) const {
    const std::uint32_t begin = sector * machine_.sectorBytes;
    std::vector<bool> used(machine_.sectorBytes);
    for (const LaneAccess& access : laneAccesses(trace_, step_)) {
      const std::uint32_t end = std::min(access.address + access.bytes, begin + machine_.sectorBytes);
      for (std::uint32_t byte = std::max(access.address, begin); byte < end; ++byte)
        used[byte - begin] = true;
    }
    return static_cast<std::uint32_t>(std::ranges::count(used, true));
  }

  void paintCaptions(std::uint32_t sector, const Rect& box) {
    if (pitch_ < out_.u(kLabelled)) return;
    Rect row{box.x, box.bottom() + out_.u(1), box.w, captionHeight()};
    out_.textInside(row, fmt::format("sector {}", sector), kCaption);
    if (!isRoomy()) return;
    row.y += row.h;
    TextStyle style = kCaption;
    style.color = ColorRole::Text;
    const std::string used = fmt::format("{} of {}", countUsed(sector), machine_.sectorBytes);
    if (!out_.textInside(row, used + " bytes used", style)) out_.textInside(row, used, style);
  }

  const Moment& moment_;
  const Trace& trace_;
  const MachineModel& machine_;
  Step step_;
  bool isNow_, isToCome_;
  TextStyle wordLabel_ = kWordLabel;
  const SceneContext& context_;
  SceneBuilder out_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> lines_;
  std::size_t columns_ = 1, shown_ = 0;
  float top_ = 0, pitch_ = 0;
  WordLabels labels_ = WordLabels::Threads;
};

}  // namespace

BytesUsed bytesUsed(const Trace& trace, const Step& step) {
  const std::uint32_t sectors =
      isAtomic(step.kind) ? static_cast<std::uint32_t>(sectorsTouched(trace, step).size()) : step.sectors;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
  for (const LaneAccess& access : laneAccesses(trace, step))
    asked.emplace_back(access.address, access.address + access.bytes);
  std::ranges::sort(asked);
  BytesUsed bytes{0, sectors * trace.launch.machine.sectorBytes};
  std::uint32_t done = 0;
  for (const auto& [begin, end] : asked) {
    bytes.used += end > done ? end - std::max(begin, done) : 0;
    done = std::max(done, end);
  }
  return bytes;
}

Scene sectorScene(const Moment& moment, std::uint32_t access, const SceneContext& context,
                  const TextMeasure& measure, std::string_view note) {
  return SectorPainter(moment, access, context, measure).paint(note);
}

}  // namespace lanescope
