#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "app/scene/array_ladder.h"
#include "app/scene/global_tree.h"
#include "app/scene/ladder_reads.h"
#include "app/session/element_noun.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// Puts a ladder together, phase by phase; of array_ladder.cpp and ladder_rows.cpp alone.
class LadderBuilder {
 public:
  LadderBuilder(const Moment& moment, std::uint32_t maxInputs)
      : moment_(moment), trace_(moment.trace), maxInputs_(maxInputs) {}

  Ladder build();

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t threadOf(const Step& step, unsigned lane) const {
    return step.warp * trace_.launch.machine.warpSize + lane;
  }
  LadderRow::Time timeOf(std::uint32_t phase) const;
  std::uint32_t columnOf(std::uint32_t word) const {
    return ladder_.registers ? sharedColumns_[word] : elements_[word - firstWord()];
  }
  // Of an element of two words, the second has no place of its own.
  bool isFirstOfElement(std::uint32_t word) const {
    return word == firstWord() || elements_[word - firstWord()] != elements_[word - firstWord() - 1];
  }
  // The words that the rows of a phase show: of shared memory, or of a tree in global memory.
  std::uint32_t firstWord() const { return tree_ ? tree_->first : 0; }
  std::uint32_t wordCount() const { return tree_ ? tree_->count : trace_.sharedCells; }
  bool isWord(std::uint32_t cell) const { return cell >= firstWord() && cell - firstWord() < wordCount(); }
  bool storesWords(const Step& step) const {
    return isWrite(step.kind) && (tree_ ? isGlobal(step.kind) : isShared(step.kind));
  }

  void findRegisters();
  void placeWords();
  void findGroups();
  /// Elements of a buffer that the block reads and nobody writes into a row: a row of their own.
  struct Input {
    const TracedArray* array = nullptr;
    std::uint32_t first = 0;  // first cell of it that is shown
    std::uint32_t last = 0;   // and its last
    std::uint32_t row = kNone;

    std::uint32_t count() const { return (last - first + 1) / wordsOf(array->type); }
  };
  Input* inputOf(std::uint32_t cell);
  void findInputs();
  bool onlyCopies(const Input& input) const;
  void addInputRow(Input& input);
  std::uint32_t addRow(LadderRow::Kind kind, std::uint32_t phase);
  void addPhase(std::uint32_t phase);
  void addRegisterRow(std::uint32_t phase);
  void addWordRow(std::uint32_t phase);
  void fillWords(LadderRow& row);
  std::vector<std::uint32_t> outputElements(const Phase& phase) const;
  void addOutputRow(std::uint32_t phase);
  void addInputArrows(std::uint32_t phase, std::uint32_t row, bool toRegisters);
  void addArrow(std::uint32_t fromRow, std::uint32_t fromColumn, std::uint32_t row, std::uint32_t column,
                std::uint32_t thread, std::uint32_t step);

  const Moment& moment_;
  const Trace& trace_;
  std::uint32_t maxInputs_;
  Ladder ladder_;
  std::optional<GlobalTree> tree_;            // where there is no shared memory
  std::vector<Word> treeCells_;               // every word, as the rows are built
  std::optional<std::uint32_t> variable_;     // the register that lanes exchange
  std::vector<VariableValue> registers_;      // by thread, as the rows are built
  std::vector<std::uint32_t> sharedColumns_;  // by shared cell, where registers give the columns
  std::vector<std::uint32_t> elements_;       // by word of a row: the element it is of
  LadderReads reads_;                         // of words, as the rows are built
  std::vector<Input> inputs_;                 // in the order of their first loads
  std::uint32_t wordRow_ = kNone;             // the last of its kind so far
  std::uint32_t registerRow_ = kNone;
};

}  // namespace lanescope
