#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/memory/access_costs.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// True for a shared atomic that serializes the lanes that access one bank.
bool isSerialAtomic(const Step& step);
/// True for a shared atomic that the machine executes as a loop.
bool isSharedLoop(const MachineModel& machine, const Step& step);

/// The access of each lane of a step.
std::span<const LaneAccess> laneAccesses(const Trace& trace, const Step& step);
/// The words that a step wrote.
std::span<const CellChange> stepChanges(const Trace& trace, const Step& step);
/// Calls `use` with each set of variables of a step.
template <class F>
void forEachSet(const Trace& trace, const Step& step, F use) {
  if (step.variableSets == kNoIndex) return;
  VariableSet set;
  for (std::uint32_t index = step.variableSets; index != kNoIndex; index = set.next) {
    trace.variableSets.read(index, set);
    use(set);
  }
}
/// Calls `use` with each value that a step gave to a variable, for one variable in the order of lanes.
template <class F>
void forEachChange(const Trace& trace, const Step& step, F use) {
  forEachSet(trace, step, [&](const VariableSet& set) {
    std::size_t entry = 0;
    forEachLane(set.lanes, [&](unsigned lane) {
      use(VariableChange{set.variable,
                         step.warp * trace.launch.machine.warpSize + lane,
                         {set.bits[entry], set.from[entry], true},
                         set.reads[entry]});
      ++entry;
    });
  });
}
/// True if a value was read from a cell, and not by a shuffle from a thread's register.
bool isOfMemory(const Trace& trace, const Read& read);
/// The words (of 4 bytes) of shared memory, or of its buffer, that an access reaches, sorted.
std::vector<std::uint32_t> wordsTouched(const Trace& trace, const Step& step);

/// A shared access from the banks' view. A word has 4 bytes; a bank may be wider, and then gives its
/// consecutive words in one wavefront.
struct BankUse {
  std::vector<BankWavefront> wavefronts;          ///< BankWavefront::words count in words of a bank's width
  std::vector<std::vector<std::uint32_t>> words;  ///< by bank: the words requested from it, sorted
  std::vector<unsigned> degree;  ///< by bank: the most wavefronts that it takes for lanes that go together
  std::uint32_t wordCount = 0;
  std::uint32_t bankCount = 0;  ///< banks asked
  std::uint32_t groups = 0;     ///< of lanes that access the banks one after the other
};
/// The bank use of a shared access; zeros for other steps.
BankUse computeBankUse(const Trace& trace, const Step& step);
/// Consecutive words in a bank of that machine: 2 if a bank is 8 bytes wide.
std::uint32_t wordsPerBank(const MachineModel& machine);
/// True if a branch parts the lanes that come to it.
bool diverges(const Step& step);
/// True if a shared access takes more wavefronts than its bytes need.
bool conflicts(const Step& step);

/// The different addresses that a load of constant memory reads; 0 for any other step.
std::uint32_t countConstantAddresses(const Trace& trace, const Step& step);
/// The sectors that a global access reaches, numbered from its buffer's start, sorted; empty for any other.
std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step);

/// Finds the function of each variable: fills in function and label of Trace::variables.
void nameVariables(Trace& trace);

/// The function around a place in the text: an index into Trace::functions; -1: the kernel's own text.
std::int32_t functionAt(const Trace& trace, SourceSpan position);

/// The variables that a thread can name after a step of its warp, as indices into Trace::variables: the
/// kernel's own, and those of functions that the warp has been in since the kernel's own text. If several in
/// one function have one name, the innermost; if a function is in the trace with several template arguments,
/// the variables that the thread set last. `step`: index of its warp's last one, -1: none yet.
std::vector<std::uint32_t> variablesInSight(const Trace& trace, std::uint32_t thread, std::int32_t step);

/// The variable that a name in a step's own text means, or nullopt.
std::optional<std::uint32_t> variableNamed(const Trace& trace, const Step& step, std::string_view name);

}  // namespace lanescope
