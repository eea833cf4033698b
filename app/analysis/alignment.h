#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// Two sequences paired in order: a pair's indices both rise, and the scores of all pairs add up to the
/// most that is possible. Only pairs that score over 0 are made; of equals the earliest.
struct IndexPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  bool operator==(const IndexPair&) const = default;
};
std::vector<IndexPair> pairInOrder(std::uint32_t left, std::uint32_t right,
                                   const std::function<int(std::uint32_t, std::uint32_t)>& score);

/// The matching phases of two traces, in order. Best are those with one label (`load`, `step size 4`,
/// `store`), then those of one kind (two loads, two rounds of additions, preferably with as many threads),
/// else the phases at the same place. The order is kept: if one strategy halves its step size and the other
/// doubles it, the first round goes with the first.
std::vector<IndexPair> pairPhases(const Trace& left, const Trace& right);

/// The place of one run while another is stepped. Both start and end together. A phase of the left that has a
/// partner ends when the right has done the partner and the phases after it that have none; at a phase
/// without a partner the right waits. Within a phase the same kinds of memory accesses, shuffles and barriers
/// go together; between them the right moves in proportion.
class Alignment {
 public:
  Alignment() = default;
  Alignment(const Trace& left, const Trace& right);

  /// The right's phase that matches one of the left's, or -1.
  std::int32_t findPartner(std::uint32_t leftPhase) const;
  /// Steps of the right that are done when that many of the left are; never falls.
  std::uint32_t toRightSteps(std::uint32_t leftSteps) const;
  /// The fewest steps of the left with which the right has done that many.
  std::uint32_t toLeftSteps(std::uint32_t rightSteps) const;
  /// The right's place: an access in progress there is at the same wavefront as its partner, or at its last.
  Cursor syncTo(const Replay& left, const Trace& right) const;

 private:
  struct Knot {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };
  void add(std::uint32_t left, std::uint32_t right);
  void addSteps(const Trace& left, PoolRange leftSteps, const Trace& right, PoolRange rightSteps);
  bool isKnot(std::uint32_t leftSteps) const;

  std::vector<std::int32_t> partners_;  ///< by the left's phase
  std::vector<Knot> knots_{Knot{}};     ///< left ones rise, right ones never fall
};

/// A part of a line that the other side lacks: bytes [begin, end).
struct ChangedPart {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const ChangedPart&) const = default;
};

/// A line of a text, with the parts that only it has.
struct DiffLine {
  std::uint32_t number = 0;  ///< from 1; 0: this side has no such line
  std::string text;
  std::vector<ChangedPart> changed;  ///< words; if both sides have the line
};

/// A row of two texts side by side.
struct DiffRow {
  enum class Kind : std::uint8_t { Same, Changed, LeftOnly, RightOnly } kind = Kind::Same;
  DiffLine left, right;
};

/// Two texts aligned line by line: equal lines beside each other, and between them lines that share half of
/// their words. White space does not count. Takes time proportional to the number of pairs of lines.
std::vector<DiffRow> diffLines(std::string_view left, std::string_view right);

}  // namespace lanescope
