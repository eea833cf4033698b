#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "app/pictures/ladder.h"
#include "sim/trace/step_accesses.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The tree of a kernel without shared memory: words of a buffer that it both loads and stores, or else its
/// results; cells [first, first + count) of the trace.
struct GlobalTree {
  const TracedArray* array = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The tree of a trace without shared memory. Empty if no buffer is both loaded and stored and none gets more
/// than one word, or if it has thousands of words.
std::optional<GlobalTree> findGlobalTree(const Trace& trace);

/// By phase, the variable that a row of threads shows, as an index into Trace::variables: the one with the
/// values that lanes exchange by shuffles. If a phase without a shuffle makes that value in another variable,
/// and a call passes it on at the end, it is that other one. Not set for a phase that leaves it alone; the
/// list is empty if lanes exchange nothing that depends on the input.
std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace);

/// Plans a ladder, phase by phase: its contents, rows and lines in ladder_plan.cpp; rows of results in
/// ladder_results.cpp.
class LadderBuilder {
 public:
  LadderBuilder(const Trace& trace, std::uint32_t maxInputs) : trace_(trace), maxInputs_(maxInputs) {}

  LadderPlan build();

 private:
  static constexpr std::uint32_t kNone = kNoRow;
  static constexpr std::uint32_t kMostAlone = 1024;  // elements of a row if there are no rows of words
  static constexpr std::uint32_t kMostBins = 64;  // elements that atomics change, if words give the columns

  /// A place of a row.
  struct Position {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
  };
  /// Elements of a buffer that the block reads and no thread writes into a row: they get a row of their own.
  struct Input {
    const TracedArray* array = nullptr;
    std::uint32_t first = 0;  // first cell of it that is shown
    std::uint32_t last = 0;   // and its last
    std::uint32_t row = kNone;

    std::uint32_t count() const { return (last - first + 1) / splitWords(array->type); }
  };
  /// The elements of an array outside the rows of words that a phase changes, and their columns: one row.
  struct Results {
    const TracedArray* array = nullptr;
    std::uint32_t row = kNone;
    bool isUpdated = false;                          // by atomics: there is a value before
    std::map<std::uint32_t, std::uint32_t> columns;  // column by element; kNone: none
  };
  /// The last rows so far.
  struct Places {
    std::uint32_t wordRow = kNone;                         // of all words
    std::map<const TracedArray*, std::uint32_t> wordRows;  // of each array, if registers give the columns
    std::map<const TracedArray*, Results> results;
  };

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
  std::optional<Position> findPosition(const Places& places, std::uint32_t cell);

  void placeWords();
  void placeUnderThreads();
  void findGroups();
  Input* findInput(std::uint32_t cell);
  void findInputs();
  bool onlyCopies(const Input& input) const;
  void addInputRow(Input& input);

  std::uint32_t addRow(LadderRow::Kind kind, std::uint32_t phase);
  void setStores(PlannedRow& row, std::vector<PlannedStore> stores) const;
  void addPhase(std::uint32_t phase);
  std::uint32_t addThreadRow(std::uint32_t phase);
  void addWordRows(std::uint32_t phase);
  void addWordRow(std::uint32_t phase, const TracedArray* array);
  void fillWords(PlannedRow& row, const TracedArray* array);

  void addLines(std::uint32_t phase, std::uint32_t threads, const Places& before);
  void addExchangeLines(const Step& step, const LadderLine& line);
  void addAccessLines(const Step& step, const LaneAccess& access, LadderLine line, const Places& before);
  void addLine(const LadderLine& line);
  bool isJoin(const LadderLine& line) const;
  template <class Is>
  std::optional<std::uint32_t> findTaker(const LadderLine& line, Is is) const;
  void markIdle();
  void endJoins();

  void widenForResults();
  std::vector<Results> collectResults(const Phase& phase) const;
  void placeResults(Results& results) const;
  static std::string makeLabel(const Results& results);
  void addResultRow(Results& results, std::uint32_t phase);
  void fillResults(const Results& results);
  void storeResults(const Results& own, const Step& step, const LaneAccess& access, std::uint32_t index,
                    std::vector<PlannedStore>& stores) const;
  void addResults(std::uint32_t phase);

  const Trace& trace_;
  std::uint32_t maxInputs_;
  LadderPlan ladder_;
  std::optional<GlobalTree> tree_;                       // if there is no shared memory
  std::vector<Word> cells_;                              // every word at the end of the current phase
  std::vector<VariableValue> values_;                    // as ReplayState::variables, then
  std::vector<std::optional<std::uint32_t>> variables_;  // by phase: that of its row of threads
  std::vector<std::uint32_t> sharedColumns_;             // by shared cell, if registers give the columns
  std::vector<std::uint32_t> elements_;                  // by word of a row: its element
  std::vector<Input> inputs_;                            // in the order of their first loads
  bool copiesFirst_ = false;                             // the first phase has no row of threads
  Places places_;
  std::uint32_t threadRow_ = kNone;            // the last one of an earlier phase
  std::unordered_set<std::uint64_t> known_;    // the lines of the current phase but those of reductions
  std::unordered_set<std::uint32_t> written_;  // the cells that it has written
};

}  // namespace lanescope
