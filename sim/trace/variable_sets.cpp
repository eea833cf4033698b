#include "sim/trace/variable_sets.h"

#include <algorithm>
#include <cstring>

namespace lanescope {
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

}  // namespace lanescope
