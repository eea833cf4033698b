#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "app/pictures/array_scene.h"
#include "sim/trace/step_accesses.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The tree of a kernel without shared memory: words of a buffer that it both loads and stores, or else its
/// results; cells [first, first + count) of the trace.
struct GlobalTree {
  const TracedArray* array = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool holds(std::uint32_t cell) const { return cell >= first && cell - first < count; }
};

/// The tree of a trace without shared memory. Empty if no buffer is both loaded and stored and none gets more
/// than one word, or if it has thousands of words.
std::optional<GlobalTree> findGlobalTree(const Trace& trace);

/// The operands in the tree of the words that a phase stores in it; none from a word to itself.
std::vector<OperandArrow> arrowsIn(const GlobalTree& tree, const Trace& trace, const Phase& phase);

/// By phase, the variable that a row of registers shows, as an index into Trace::variables: the one with the
/// values that lanes exchange by shuffles. If a phase without a shuffle makes that value in another variable,
/// and a call passes it on at the end, it is that other one. Not set for a phase that leaves it alone; the
/// list is empty if lanes exchange nothing that depends on the input.
std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace);

/// A place of a ladder that is read.
struct LadderPosition {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
};

/// Plans a ladder, phase by phase: its contents are chosen in ladder_plan.cpp; rows of registers and of
/// results are filled in ladder_registers.cpp and ladder_results.cpp.
class LadderBuilder {
 public:
  LadderBuilder(const Trace& trace, std::uint32_t maxInputs) : trace_(trace), maxInputs_(maxInputs) {}

  LadderPlan build();

 private:
  static constexpr std::uint32_t kNone = kNoRow;
  static constexpr std::uint32_t kMostAlone = 1024;  // elements of a row if there are no rows of words

  std::uint32_t findThread(const Step& step, unsigned lane) const {
    return step.warp * trace_.launch.machine.warpSize + lane;
  }
  /// kNone: it has no place. If registers give the columns, only written words have one.
  std::uint32_t findColumn(std::uint32_t word) const {
    return ladder_.registers ? sharedColumns_[word] : elements_[word - firstWord()];
  }
  // The second word of an element of two words has no place of its own.
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
  void placeUnderThreads();
  void findGroups();
  /// Elements of a buffer that the block reads and no thread writes into a row: they get a row of their own.
  struct Input {
    const TracedArray* array = nullptr;
    std::uint32_t first = 0;  // first cell of it that is shown
    std::uint32_t last = 0;   // and its last
    std::uint32_t row = kNone;

    std::uint32_t count() const { return (last - first + 1) / splitWords(array->type); }
  };
  Input* findInput(std::uint32_t cell);
  void findInputs();
  bool onlyCopies(const Input& input) const;
  void addInputRow(Input& input);
  /// The elements of an array outside the rows of words that a phase changes, and their columns: one row.
  struct Results {
    const TracedArray* array = nullptr;
    std::uint32_t row = kNone;
    bool isUpdated = false;                          // by atomics: there is a value before
    std::map<std::uint32_t, std::uint32_t> columns;  // column by element; kNone: none
  };
  void widenForResults();
  std::vector<Results> collectResults(const Phase& phase) const;
  void placeResults(Results& results) const;
  static std::string makeLabel(const Results& results);
  void addResultRow(Results& results, std::uint32_t phase);
  void fillResults(const Results& results);
  void storeResults(const Results& own, const Step& step, const LaneAccess& access, std::uint32_t index,
                    std::vector<PlannedStore>& stores) const;
  void addResultArrows(const Step& step, std::uint32_t index, std::span<const Results> results);
  void addResults(std::uint32_t phase);
  std::optional<LadderPosition> findPosition(std::uint32_t cell);
  std::optional<LadderPosition> findPosition(const Read& read);
  bool isOfRegister(const CellChange& stored, const std::vector<Read>& reads) const;
  std::vector<Read> lastReads(const CellChange& stored, std::uint32_t index) const;
  void addStoreArrows(const CellChange& stored, std::uint32_t index, LadderPosition to);
  std::uint32_t addRow(LadderRow::Kind kind, std::uint32_t phase);
  void setStores(PlannedRow& row, std::vector<PlannedStore> stores) const;
  void findReads(std::uint32_t phase);
  void addPhase(std::uint32_t phase);
  void addRegisterRow(std::uint32_t phase);
  bool isOfOwn(ProvenanceId value, std::uint32_t thread, const PlannedRow& row, const Phase& phase) const;
  void addRegisterArrows(std::uint32_t phase, std::uint32_t number);
  void addWordRows(std::uint32_t phase);
  void addWordRow(std::uint32_t phase, const TracedArray* array);
  void fillWords(PlannedRow& row, const TracedArray* array);
  void addOwnArrows(const Phase& phase, std::uint32_t row);
  std::uint32_t findWordRow(std::uint32_t word) const;
  void addInputArrows(std::uint32_t phase, std::uint32_t row);
  void addArrow(LadderPosition from, LadderPosition to, std::uint32_t thread, std::uint32_t step,
                std::uint32_t thereAfter = 0);
  void addOwnRegisters();
  void markIdle();
  void markIdleRow(std::uint32_t number, std::vector<std::vector<bool>>& used);

  const Trace& trace_;
  std::uint32_t maxInputs_;
  LadderPlan ladder_;
  std::optional<GlobalTree> tree_;                        // if there is no shared memory
  std::vector<Word> cells_;                               // every word at the end of the current phase
  std::vector<VariableValue> values_;                     // as ReplayState::variables, then
  std::vector<std::optional<std::uint32_t>> variables_;   // by phase: that of its row of registers
  std::vector<std::uint32_t> sharedColumns_;              // by shared cell, if registers give the columns
  std::vector<std::uint32_t> elements_;                   // by word of a row: its element
  std::vector<ReadsId> made_;                             // by thread: the operands of its register
  std::vector<VariableValue> left_;                       // by thread: its value after the last row's phase
  std::vector<Input> inputs_;                             // in the order of their first loads
  std::map<const TracedArray*, Results> results_;         // the last row of each array so far
  std::map<const TracedArray*, std::uint32_t> wordRows_;  // the last of each array, under registers
  std::uint32_t wordRow_ = kNone;                         // the last of all words, elsewhere
  std::uint32_t registerRow_ = kNone;
};

}  // namespace lanescope
