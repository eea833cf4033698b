#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/memory/counters.h"
#include "sim/sass/access_groups.h"
#include "sim/sass/access_sites.h"
#include "sim/sass/issue_slots.h"
#include "sim/sass/machine_code.h"
#include "sim/sass/machine_run.h"

namespace lanescope {

/// How the compiler changed the accesses of one kind on a line.
enum class AccessFate : std::uint8_t {
  AsWritten,
  Unrolled,    ///< copies of them; as many are executed, or more if a warp's lanes leave the loop apart
  Merged,      ///< several in one wider access
  InRegister,  ///< a value that the thread has in a register is not loaded, or only stored when it must be
  Removed,     ///< gone, without a reason that follows from the launch: the value is not needed
  Moved,       ///< machine code has them on another line
  Aggregated,  ///< atomics of a warp on one address are made one
  Added,       ///< machine code has some on a line that has none in the text
  Together,    ///< one for the lanes of several places, as of both sides of a branch
  Narrowed,    ///< of wide values only parts, or in parts
  Unclear,     ///< how often machine code makes them does not follow from the text
};

/// The accesses of one kind on a line: those of the text and those of the machine code.
struct LineAccesses {
  std::uint32_t line = 0;
  StepKind kind = StepKind::SharedLoad;
  std::uint32_t inText = 0;               ///< places in the text that were executed
  std::uint64_t executions = 0;           ///< of those, by warps
  std::vector<std::string> texts;         ///< `s[tid]`, one for each of inText
  std::vector<unsigned> widths;           ///< bytes of a lane, of each machine instruction
  std::vector<std::string> instructions;  ///< `@!P2 LDS`, without operands
  bool isPredicated = false;              ///< some of the machine's are
  AccessFate fate = AccessFate::AsWritten;
  AccessCost text;     ///< as the simulator counted them
  AccessCost machine;  ///< of the machine's accesses, as computed
  std::string words;   ///< one sentence on the change; empty if there is none
};

/// A counter as the text and as the machine code predict it.
struct CounterChange {
  std::string name;  ///< Nsight Compute's
  std::uint64_t text = 0;
  std::uint64_t machine = 0;
  std::vector<std::uint32_t> lines;  ///< that make the difference, or may, rising
  bool isClear = true;               ///< false: `machine` leaves out the effects of an Unclear line
};

/// Text beside machine code, for one launch.
struct AccessComparison {
  std::vector<LineAccesses> lines{};      ///< by line and kind
  std::vector<CounterChange> counters{};  ///< every counter of Nsight Compute that the simulator predicts
  std::vector<LineSlots> slots{};         ///< by line, of the blocks observed
  std::uint64_t blocks = 0;               ///< that were observed, from the first on
  std::uint64_t gridBlocks = 0;
  /// Why the machine code could not be executed and its accesses are derived from the text's. Empty: it was
  /// executed, register by register, and `machine` is the result.
  std::string notExecuted{};

  bool isWhole() const { return blocks == gridBlocks; }
};

/// Runs the launch in the simulator and compares the memory accesses of its text with those of its machine
/// code, which is executed as well if that is possible (runMachineCode). The code must know its lines.
/// Errors: as observeAccesses().
Result<AccessComparison> compareAccesses(const Launch& launch, const MachineCode& code,
                                         std::uint64_t mostAccesses = kMostAccesses);

struct ExecutedAccesses;

/// The cost of accesses of one kind, as counters.
Counters countersOfCost(StepKind kind, const AccessCost& cost, bool isResultUsed);

/// Every counter of Nsight Compute that the simulator predicts, of the text and of the machine code;
/// `comparison` has the lines of both. The machine code's counters are as executed, if it was executed.
std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups, const ExecutedAccesses* executed);

/// The executed accesses of machine code in a launch, by the lines and kinds of `groups`. A loop over shared
/// memory is left out if its iterations depend on which warps meet.
struct ExecutedAccesses {
  std::map<AccessGroupKey, AccessCost> costs;
  std::map<AccessGroupKey, Counters> counters;
  Counters others;  ///< of instructions that are on no line
};

ExecutedAccesses executedAccesses(const MachineRun& run, const MachineCode& code, const AccessGroups& groups);

/// Gives the lines the executed accesses, and words of their own if these differ from those derived from the
/// text.
void addExecuted(AccessComparison& comparison, const ExecutedAccesses& executed, const AccessGroups& groups);

/// The cost of all accesses, barriers and shuffles of machine code in a launch.
Counters executedCounters(const MachineRun& run, const MachineCode& code);

/// The issue slots by line, as executed.
std::vector<LineSlots> executedSlots(const MachineRun& run, const MachineCode& code);

}  // namespace lanescope
