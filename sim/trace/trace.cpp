#include "sim/trace/trace.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "sim/memory/small_float.h"

namespace lanescope {
namespace {

/// True if steps of that kind have entries in the pools of accesses and words.
bool hasAccesses(StepKind kind) { return kind <= StepKind::ConstantLoad; }

}  // namespace

std::uint64_t Steps::hashOfShape(const Shape& shape) {
  const auto pair = [](std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32U | low; };
  const std::uint64_t masks = computeHash(pair(shape.active, shape.taken), pair(shape.after, shape.exited));
  const std::uint64_t costs = computeHash(pair(shape.wavefronts, shape.sectors), shape.cellChanges);
  return computeHash(pair(shape.span.begin, shape.span.end), masks, costs);
}

/// The number of the step's shape.
std::uint32_t Steps::shapeFor(const Step& step) {
  const Shape shape{step, static_cast<std::uint16_t>(step.accesses.count),
                    static_cast<std::uint16_t>(step.cellChanges.count)};
  const std::uint64_t hash = hashOfShape(shape);
  const std::uint32_t known =
      shapeIndex_.find(hash, [&](std::uint32_t number) { return shapes_[number] == shape; });
  if (known != 0) return known;
  if (shapes_.empty()) shapes_.append(Shape{});  // index 0: no shape
  const std::uint32_t number = shapes_.append(shape);
  shapeIndex_.add(hash, number, [&](std::uint32_t of) { return hashOfShape(shapes_[of]); });
  return number;
}

void Steps::add(const Step& step) {
  const std::size_t index = size();
  const bool goesOn = index > 0 && runs_.back().warp == step.warp && runs_.back().phase == step.phase &&
                      step.previousOfWarp == static_cast<std::int32_t>(index) - 1;
  if (!goesOn) runs_.append({static_cast<std::uint32_t>(index), step.previousOfWarp, step.phase, step.warp});
  if (index % kBlock == 0) {
    blocks_.append(
        {0, static_cast<std::uint32_t>(details_.size()), static_cast<std::uint32_t>(runs_.size() - 1)});
  }
  addDetail(step);
  const std::uint32_t shape = shapeFor(step);
  if (shape >> 16U != 0) {
    while (shapeHigh_.size() < index) shapeHigh_.append(std::uint16_t{0});
  }
  if (shape >> 16U != 0 || !shapeHigh_.empty()) shapeHigh_.append(static_cast<std::uint16_t>(shape >> 16U));
  shapeLow_.append(static_cast<std::uint16_t>(shape));
}

void Steps::addDetail(const Step& step) {
  std::uint32_t detail = exchangesRegisters(step.kind) ? step.shuffleSources : step.variableSets;
  if (hasAccesses(step.kind)) detail = firsts_.append({step.accesses.first, step.cellChanges.first});
  if (detail == kNoIndex) return;
  blocks_.back().haveDetails |= std::uint64_t{1} << size() % kBlock;
  details_.append(detail);
}

std::uint32_t Steps::stepDetail(std::size_t index) const {
  const Block& block = blocks_[index / kBlock];
  const std::uint64_t bit = std::uint64_t{1} << index % kBlock;
  if ((block.haveDetails & bit) == 0) return kNoIndex;
  const auto before = static_cast<unsigned>(std::popcount(block.haveDetails & (bit - 1)));
  return details_[block.firstDetail + before];
}

std::size_t Steps::makeRun(std::size_t index) const {
  std::size_t run = blocks_[index / kBlock].run;
  while (run + 1 < runs_.size() && runs_[run + 1].first <= index) ++run;
  return run;
}

Step Steps::operator[](std::size_t index) const {
  countWork(work_, &WorkCount::stepsRead);
  const Shape& shape = shapes_[findShape(index)];
  const Run& run = runs_[makeRun(index)];
  Step step;
  static_cast<StepShape&>(step) = shape;
  step.warp = run.warp;
  step.phase = run.phase;
  step.previousOfWarp = run.first == index ? run.previousOfWarp : static_cast<std::int32_t>(index) - 1;
  const std::uint32_t detail = stepDetail(index);
  if (hasAccesses(shape.kind)) {
    const Firsts firsts = firsts_[detail];
    step.accesses = {firsts.accesses, shape.accesses};
    step.cellChanges = {firsts.cellChanges, shape.cellChanges};
  } else if (exchangesRegisters(shape.kind)) {
    step.shuffleSources = detail;
  } else {
    step.variableSets = detail;
  }
  return step;
}

void Steps::moveToPhase(std::size_t first, std::uint32_t phase) {
  for (std::size_t run = first < size() ? makeRun(first) : runs_.size(); run < runs_.size(); ++run)
    runs_[run].phase = phase;
}

std::size_t Steps::bytes() const {
  return shapes_.bytes() + shapeIndex_.bytes() + shapeLow_.bytes() + shapeHigh_.bytes() + blocks_.bytes() +
         details_.bytes() + firsts_.bytes() + runs_.bytes();
}

namespace {

// A set is two bytes of flags, the variable, the lanes unless they are all 32 (if they are the first ones:
// their number), the distance to the previous set, and three columns. Numbers have seven bits per byte; the
// eighth is set in all bytes but the last.

/// The format of a column.
enum class Column : std::uint8_t {
  Zeros,
  Same,      ///< one number
  Counting,  ///< the first number: each is one more than the previous one
  Bytes1,    ///< each in so many bytes
  Bytes2,
  Bytes4,
  Bytes8,
};
constexpr unsigned kColumnBits = 3;

constexpr std::uint32_t kAllLanes = 1;
constexpr std::uint32_t kFirstLanes = 2;
constexpr std::uint32_t kHasPrevious = 4;
constexpr std::uint32_t kHasNext = 8;
constexpr unsigned kFlagBits = 4;

template <class T>
Column findColumn(std::span<const T> values) {
  bool isSame = true;
  bool isCounting = true;
  T all = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    isSame &= values[i] == values[0];
    isCounting &= values[i] == static_cast<T>(values[0] + i);
    all |= values[i];
  }
  if (all == 0) return Column::Zeros;
  if (isSame) return Column::Same;
  if (isCounting) return Column::Counting;
  const auto bits = static_cast<unsigned>(std::bit_width(all));
  return bits <= 8    ? Column::Bytes1
         : bits <= 16 ? Column::Bytes2
         : bits <= 32 ? Column::Bytes4
                      : Column::Bytes8;
}

class Writer {
 public:
  explicit Writer(std::vector<std::uint8_t>& out) : out_(out) {}

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_.push_back(static_cast<std::uint8_t>(value | 0x80U));
    out_.push_back(static_cast<std::uint8_t>(value));
  }
  template <class T>
  void fixed(T value) {
    const std::size_t at = out_.size();
    out_.resize(at + sizeof(T));
    std::memcpy(out_.data() + at, &value, sizeof(T));
  }
  template <class T>
  void column(Column column, std::span<const T> values) {
    switch (column) {
      case Column::Zeros: return;
      case Column::Same:
      case Column::Counting: return number(values[0]);
      case Column::Bytes1: return each<std::uint8_t>(values);
      case Column::Bytes2: return each<std::uint16_t>(values);
      case Column::Bytes4: return each<std::uint32_t>(values);
      case Column::Bytes8: return each<std::uint64_t>(values);
    }
  }

 private:
  template <class Narrow, class T>
  void each(std::span<const T> values) {
    const std::size_t at = out_.size();
    out_.resize(at + values.size() * sizeof(Narrow));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<Narrow>(values[i]);
      std::memcpy(out_.data() + at + i * sizeof(Narrow), &value, sizeof(Narrow));
    }
  }

  std::vector<std::uint8_t>& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> in) : at_(in.data()) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = *at_++;
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  template <class T>
  T fixed() {
    T value{};
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <class T>
  void column(Column column, std::span<T> values) {
    switch (column) {
      case Column::Zeros: std::ranges::fill(values, T{0}); return;
      case Column::Same: std::ranges::fill(values, static_cast<T>(number())); return;
      case Column::Counting: {
        const auto first = static_cast<T>(number());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(first + i);
        return;
      }
      case Column::Bytes1: return each<std::uint8_t>(values);
      case Column::Bytes2: return each<std::uint16_t>(values);
      case Column::Bytes4: return each<std::uint32_t>(values);
      case Column::Bytes8: return each<std::uint64_t>(values);
    }
  }
  const std::uint8_t* at() const { return at_; }

 private:
  template <class Narrow, class T>
  void each(std::span<T> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Narrow value{};
      std::memcpy(&value, at_ + i * sizeof(Narrow), sizeof(Narrow));
      values[i] = static_cast<T>(value);
    }
    at_ += values.size() * sizeof(Narrow);
  }

  const std::uint8_t* at_;
};

/// Writes the set with that index.
void write(const VariableSet& set, std::uint32_t index, bool hasNext, Writer& out) {
  const std::size_t count = set.count();
  const auto bits = std::span(set.bits).first(count);
  const auto from = std::span(set.from).first(count);
  const auto reads = std::span(set.reads).first(count);
  const Column columns[] = {findColumn(bits), findColumn(from), findColumn(reads)};
  const bool isFirst = (set.lanes & (set.lanes + 1)) == 0;
  std::uint32_t flags = set.lanes == ~LaneMask{0} ? kAllLanes : isFirst ? kFirstLanes : 0;
  if (set.previous != kNoIndex) flags |= kHasPrevious;
  if (hasNext) flags |= kHasNext;
  for (unsigned i = 0; i < 3; ++i)
    flags |= static_cast<std::uint32_t>(columns[i]) << (kFlagBits + i * kColumnBits);
  out.fixed(static_cast<std::uint16_t>(flags));
  out.number(set.variable);
  if ((flags & (kAllLanes | kFirstLanes)) == 0) out.fixed(set.lanes);
  if ((flags & kFirstLanes) != 0) out.number(count);
  if (set.previous != kNoIndex) out.number(index - set.previous);
  out.column(columns[0], bits);
  out.column(columns[1], from);
  out.column(columns[2], reads);
}

}  // namespace

std::uint32_t VariableSets::append(std::span<VariableSet> ofStep) {
  // The distance to the previous set depends on the place of this one, which depends on whether all fit into
  // the page.
  std::uint32_t first = bytes_.indexFor(1);
  while (true) {
    written_.clear();
    Writer out(written_);
    for (VariableSet& set : ofStep) {
      const auto index = static_cast<std::uint32_t>(first + written_.size());
      const bool hasNext = &set != &ofStep.back();
      write(set, index, hasNext, out);
      set.next = hasNext ? static_cast<std::uint32_t>(first + written_.size()) : kNoIndex;
    }
    const std::uint32_t fits = bytes_.indexFor(written_.size());
    if (fits == first) return bytes_.append(written_);
    first = fits;
  }
}

void VariableSets::read(std::uint32_t index, VariableSet& set) const {
  const std::span<const std::uint8_t> bytes = bytes_.rest(index);
  Reader in(bytes);
  const auto flags = in.fixed<std::uint16_t>();
  const auto column = [flags](unsigned i) {
    return static_cast<Column>(flags >> (kFlagBits + i * kColumnBits) & ((1U << kColumnBits) - 1));
  };
  set.variable = static_cast<std::uint32_t>(in.number());
  set.lanes = (flags & kAllLanes) != 0     ? ~LaneMask{0}
              : (flags & kFirstLanes) != 0 ? (LaneMask{1} << in.number()) - 1
                                           : in.fixed<LaneMask>();
  set.previous = (flags & kHasPrevious) != 0 ? index - static_cast<std::uint32_t>(in.number()) : kNoIndex;
  const std::size_t count = set.count();
  in.column(column(0), std::span(set.bits).first(count));
  in.column(column(1), std::span(set.from).first(count));
  in.column(column(2), std::span(set.reads).first(count));
  const auto length = static_cast<std::uint32_t>(in.at() - bytes.data());
  set.next = (flags & kHasNext) != 0 ? index + length : kNoIndex;
}

std::uint32_t Trace::lanesOfWarp(std::uint32_t warp) const {
  const std::uint32_t first = warp * launch.machine.warpSize;
  return first >= threads ? 0 : std::min(launch.machine.warpSize, threads - first);
}

std::size_t Trace::roundsBefore(std::uint32_t step) const {
  std::size_t rounds = 0;
  for (std::uint32_t word = 0; word < step / 64; ++word)
    rounds += static_cast<std::size_t>(std::popcount(roundBits[word]));
  for (std::uint32_t index = step / 64 * 64; index < std::min<std::size_t>(step, steps.size()); ++index)
    rounds += beginsRound(index) ? 1U : 0U;
  return rounds;
}

std::uint32_t Trace::nextRound(std::uint32_t step) const {
  const auto end = static_cast<std::uint32_t>(steps.size());
  do ++step;
  while (step < end && !beginsRound(step));
  return std::min(step, end);
}

std::uint32_t Trace::previousRound(std::uint32_t step) const {
  do step -= step > 0 ? 1 : 0;
  while (step > 0 && !beginsRound(step));
  return step;
}

std::size_t Trace::poolBytes() const {
  return initialCells.size() * sizeof(Word) + steps.bytes() + roundBits.bytes() + accesses.bytes() +
         cellChanges.bytes() + variableSets.bytes() + shuffleSources.bytes() + provenance.bytes() +
         reads.bytes();
}

std::size_t toBytes(const Phase& phase) {
  return sizeof(Phase) + phase.activeThreads.size() * sizeof(phase.activeThreads[0]) +
         (phase.cellsRead.size() + phase.cellsWritten.size()) * sizeof(phase.cellsRead[0]) +
         phase.sharedAfter.size() * sizeof(phase.sharedAfter[0]) +
         phase.exchanged.size() * sizeof(phase.exchanged[0]);
}

const TracedArray* arrayOfCell(const Trace& trace, std::uint32_t cell) {
  const auto found = std::ranges::find_if(trace.arrays, [cell](const TracedArray& array) {
    return cell >= array.firstCell && cell < array.firstCell + array.cellCount;
  });
  return found == trace.arrays.end() ? nullptr : &*found;
}

std::string cellName(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = arrayOfCell(trace, cell);
  if (array == nullptr) return fmt::format("word {}", cell);
  const std::uint32_t words = splitWords(array->type);
  if (array->space == MemorySpace::Shared && array->cellCount == words) return array->name;
  return fmt::format("{}[{}]", array->name, (cell - array->firstCell) / words);
}

std::uint64_t elementBits(const TracedArray& array, std::span<const Word> cells, std::uint32_t cell) {
  if (!isWide(array.type)) return cells[cell].bits;
  const std::uint32_t low = cell - (cell - array.firstCell) % 2;
  const std::uint64_t high = low + 1 < cells.size() ? cells[low + 1].bits : 0;
  return cells[low].bits | high << 32;
}

namespace {

/// A 16-bit number; for a memory word that holds two, both.
template <class Small>
std::string smallText(std::uint32_t bits) {
  const auto text = [](std::uint32_t half) { return fmt::format("{:.4g}", Small::ofBits(half).value()); };
  return bits >> 16 == 0 ? text(bits) : text(bits & 0xffffu) + " " + text(bits >> 16);
}

}  // namespace

std::string formatValue(ValueType type, std::uint64_t bits) {
  const auto narrow = static_cast<std::uint32_t>(bits);
  switch (type) {
    case ValueType::Bool: return bits != 0 ? "true" : "false";
    case ValueType::I8:
    case ValueType::I16:
    case ValueType::I32: return std::to_string(static_cast<std::int32_t>(narrow));
    case ValueType::U8:
    case ValueType::U16:
    case ValueType::U32: return std::to_string(narrow);
    case ValueType::I64: return std::to_string(static_cast<std::int64_t>(bits));
    case ValueType::U64: return std::to_string(bits);
    case ValueType::F32: return fmt::format("{:.7g}", std::bit_cast<float>(narrow));
    case ValueType::F64: return fmt::format("{:.10g}", std::bit_cast<double>(bits));
    case ValueType::F16: return smallText<Half>(narrow);
    case ValueType::BF16: return smallText<BFloat16>(narrow);
    case ValueType::Pointer: return fmt::format("{:#x}", bits);
    default: return {};
  }
}

}  // namespace lanescope
