#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/lanes.h"
#include "sim/memory/shared_banks.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Loads, stores and atomics of one memory. A load of constant memory is of neither.
bool isShared(StepKind kind);
bool isGlobal(StepKind kind);
/// Of any memory.
bool isAccess(StepKind kind);
/// Reads and writes in one: an atomic of either memory.
bool isAtomic(StepKind kind);
/// Whether a shared atomic serializes the lanes that access one bank.
bool isSerialAtomic(const Step& step);
/// Whether it is a shared atomic that the machine carries out as a loop.
bool isSharedLoop(const MachineModel& machine, const Step& step);
/// Changes a word of either memory: a store or an atomic.
bool isWrite(StepKind kind);

/// What each lane of a step asked of memory.
std::span<const LaneAccess> accessesOf(const Trace& trace, const Step& step);
/// The words that a step wrote.
std::span<const CellChange> changesOf(const Trace& trace, const Step& step);
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
/// Calls `use` with each value that a step gave to a variable, those of one variable in the order of lanes.
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
/// Whether a value was read from a cell, and not by a shuffle from a thread's register.
bool isOfMemory(const Trace& trace, const Read& read);
/// The words (of 4 bytes) of shared memory, or of its buffer, that an access touches, sorted.
std::vector<std::uint32_t> wordsTouched(const Trace& trace, const Step& step);

/// A shared access as the banks see it. A word has 4 bytes; a bank may be wider, and then gives the words
/// that lie side by side in it in one wavefront.
struct BankUse {
  std::vector<BankWavefront> wavefronts;          ///< BankWavefront::words are numbers of a bank's width
  std::vector<std::vector<std::uint32_t>> words;  ///< by bank: the words asked of it, sorted
  std::vector<unsigned>
      degree;  ///< by bank: wavefronts that it works for lanes that go together, at the most
  std::uint32_t wordCount = 0;
  std::uint32_t bankCount = 0;  ///< banks asked
  std::uint32_t groups = 0;     ///< of lanes that go to the banks one after the other
};
/// That of a shared access; nothing of another step.
BankUse bankUseOf(const Trace& trace, const Step& step);
/// Words that lie side by side in a bank of that machine: 2 where it is 8 bytes wide.
std::uint32_t wordsPerBank(const MachineModel& machine);
/// Whether a branch parts the lanes that come to it.
bool diverges(const Step& step);
/// Whether a shared access takes more wavefronts than so many bytes need.
bool conflicts(const Step& step);

/// The different addresses that a load of constant memory reads; 0 of any other step.
std::uint32_t constantAddressesOf(const Trace& trace, const Step& step);
/// The sectors that a global access touches, numbered from its buffer's start, sorted; none for any other.
std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step);

}  // namespace lanescope
