#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "sim/base/work_count.h"
#include "sim/base/source_text.h"
#include "sim/memory/shared_banks.h"
#include "sim/memory/step_kind.h"
#include "sim/trace/node_index.h"
#include "sim/trace/pages.h"

namespace lanescope {

using LaneMask = std::uint32_t;  ///< bit l: lane l

/// No entry in a pool.
inline constexpr std::uint32_t kNoIndex = UINT32_MAX;

/// The common part of steps that do the same with the same lanes.
struct StepShape {
  StepKind kind = StepKind::Assign;
  bool isResultUsed = false;    ///< GlobalAtomic: false: a reduction
  SharedAtomic sharedAtomic{};  ///< SharedAtomic
  std::uint32_t line = 0;       ///< 1-based source line
  SourceSpan span;              ///< the operation in the source: `s[index + i]`, `tid < i`
  LaneMask active = 0;          ///< lanes that execute it
  LaneMask taken = 0;           ///< Branch: the active lanes with a true condition
  LaneMask after = 0;           ///< lanes of the warp active after it (0: all lanes wait, left or are done)
  LaneMask exited = 0;          ///< lanes that have returned, after it
  std::uint32_t maskedBy = 0;   ///< line of the innermost branch that masks lanes off; 0: no branch
  std::uint32_t wavefronts = 0;
  std::uint32_t idealWavefronts = 0;
  std::uint32_t loadWavefronts = 0;  ///< SharedAtomic: the wavefronts that load
  std::uint32_t sectors = 0;
  bool operator==(const StepShape&) const = default;
};

/// One warp executing one operation of the source.
struct Step : StepShape {
  std::uint16_t warp = 0;
  std::uint32_t phase = 0;
  std::int32_t previousOfWarp = -1;         ///< index of this warp's previous step, -1: none
  PoolRange accesses;                       ///< Trace::accesses, one per lane
  PoolRange cellChanges;                    ///< Trace::cellChanges
  std::uint32_t variableSets = kNoIndex;    ///< Assign: the first of its sets in Trace::variableSets
  std::uint32_t shuffleSources = kNoIndex;  ///< Shuffle: first of warpSize entries in Trace::shuffleSources
  bool operator==(const Step&) const = default;
};

/// The steps of a trace, in two to six bytes each: a loop makes the same step over and over, so the part that
/// many have in common (place in the source, masks, costs) is kept once, and everything that follows from the
/// order of warps is not kept at all. Steps are values: they come out as they went in.
class Steps {
 public:
  class Iterator;

  /// Counts how many are read; may be null.
  void countWith(WorkCountPtr work) { work_ = std::move(work); }
  /// Adds the next step. Its phase is that of the previous step, or a later one.
  void add(const Step& step);
  Step operator[](std::size_t index) const;
  /// That step's kind; faster than reading the whole step.
  StepKind findKind(std::size_t index) const { return shapes_[findShape(index)].kind; }
  Step back() const { return (*this)[size() - 1]; }
  std::size_t size() const { return shapeLow_.size(); }
  bool empty() const { return shapeLow_.empty(); }
  Iterator begin() const;
  Iterator end() const;

  /// Moves the steps from there on, all of one phase, to another.
  void moveToPhase(std::size_t first, std::uint32_t phase);

  /// Their size in memory.
  std::size_t bytes() const;
  /// Releases the index of equal steps, once no more are to come.
  void close() { shapeIndex_.clear(); }

 private:
  /// A shape, and the number of entries in the pools that its steps have.
  struct Shape : StepShape {
    std::uint16_t accesses = 0;
    std::uint16_t cellChanges = 0;
    bool operator==(const Shape&) const = default;
  };
  /// The indices of an access's first entries in the pools.
  struct Firsts {
    std::uint32_t accesses = 0;
    std::uint32_t cellChanges = 0;
  };
  /// Steps of one warp and one phase, one after the other.
  struct Run {
    std::uint32_t first = 0;
    std::int32_t previousOfWarp = -1;  ///< for the first
    std::uint32_t phase = 0;
    std::uint16_t warp = 0;
  };
  static constexpr std::size_t kBlock = 64;
  /// kBlock steps, one after the other.
  struct Block {
    std::uint64_t haveDetails = 0;  ///< bit i: the i-th has an entry in details_
    std::uint32_t firstDetail = 0;
    std::uint32_t run = 0;  ///< for the first
  };

  static std::uint64_t hashOfShape(const Shape& shape);
  std::uint32_t shapeFor(const Step& step);
  void addDetail(const Step& step);
  std::uint32_t findShape(std::size_t index) const {
    const std::uint32_t high = shapeHigh_.empty() ? 0 : shapeHigh_[index];
    return high << 16U | shapeLow_[index];
  }
  std::uint32_t stepDetail(std::size_t index) const;
  std::size_t makeRun(std::size_t index) const;

  Pages<Shape> shapes_;  ///< from 1 on
  NodeIndex shapeIndex_;
  Pages<std::uint16_t> shapeLow_;   ///< by step: the number of its shape,
  Pages<std::uint16_t> shapeHigh_;  ///< and its upper half, once there are that many shapes
  Pages<Block> blocks_;
  Pages<std::uint32_t>
      details_;  ///< for an access: index in firsts_; else Step::variableSets or shuffleSources
  Pages<Firsts> firsts_;
  Pages<Run> runs_;
  WorkCountPtr work_;
};

/// Over the steps in order, each as a value.
class Steps::Iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;  // operator* returns a value, not a reference
  using value_type = Step;
  using difference_type = std::ptrdiff_t;
  using reference = Step;
  /// Holds a step while a member of it is read.
  struct pointer {
    Step step;
    const Step* operator->() const { return &step; }
  };

  Iterator() = default;
  Iterator(const Steps* steps, difference_type index) : steps_(steps), index_(index) {}

  Step operator*() const { return (*steps_)[static_cast<std::size_t>(index_)]; }
  pointer operator->() const { return {**this}; }
  Step operator[](difference_type offset) const { return *(*this + offset); }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) { return {steps_, index_++}; }
  Iterator operator--(int) { return {steps_, index_--}; }
  Iterator& operator+=(difference_type offset) {
    index_ += offset;
    return *this;
  }
  Iterator& operator-=(difference_type offset) { return *this += -offset; }
  friend Iterator operator+(Iterator at, difference_type offset) { return at += offset; }
  friend Iterator operator+(difference_type offset, Iterator at) { return at += offset; }
  friend Iterator operator-(Iterator at, difference_type offset) { return at -= offset; }
  friend difference_type operator-(Iterator a, Iterator b) { return a.index_ - b.index_; }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }
  std::strong_ordering operator<=>(const Iterator& other) const { return index_ <=> other.index_; }

 private:
  const Steps* steps_ = nullptr;
  difference_type index_ = 0;
};

inline Steps::Iterator Steps::begin() const { return {this, 0}; }
inline Steps::Iterator Steps::end() const { return {this, static_cast<std::ptrdiff_t>(size())}; }

}  // namespace lanescope
