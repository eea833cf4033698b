#include "app/analysis/stall_words.h"

#include <algorithm>
#include <array>

namespace lanescope {
namespace {

using enum StallGroup;

constexpr std::array kReasons{
    StallReason{"long_sb", "Stall Long Scoreboard", "waits for global memory",
                "The warp waits for a load from global, local or texture memory.", Global},
    StallReason{"lg", "Stall LG Throttle", "waits for a place in global memory's queue",
                "The queue of loads and stores to global and local memory is full.", Global},
    StallReason{"tex", "Stall TEX Throttle", "waits for a place in the texture unit's queue",
                "The queue of the texture unit is full.", Global},
    StallReason{"imc", "Stall IMC Miss", "waits for a constant",
                "A constant, such as a kernel's argument, is not in its cache.", Global},
    StallReason{
        "short_sb", "Stall Short Scoreboard", "waits for shared memory (or a special unit)",
        "The warp waits for shared memory, or for another unit behind the same queue: a shuffle, or a "
        "special function, as a division of integers uses.",
        Shared},
    StallReason{"mio", "Stall MIO Throttle", "waits for a place in shared memory's queue",
                "The queue of shared memory, shuffles and special functions is full.", Shared},
    StallReason{"barrier", "Stall Barrier", "waits at the barrier",
                "The warp waits at a barrier for other warps of its block.", Barrier},
    StallReason{"membar", "Stall Membar", "waits at a memory fence",
                "The warp waits until its earlier writes can be seen.", Barrier},
    StallReason{"wait", "Stall Wait", "computes: a fixed latency",
                "The warp waits for the fixed latency of its own previous instruction.", Latency},
    StallReason{"math", "Stall Math Pipe Throttle", "waits for a busy arithmetic pipe",
                "The pipe that the instruction needs is taken by other warps.", Latency},
    StallReason{"gmma", "Stall GMMA", "waits for the tensor cores", "The warp waits for a matrix operation.",
                Latency},
    StallReason{"dispatch", "Stall Dispatch Stall", "waits for the dispatcher",
                "The dispatcher holds the warp's instruction back, as for conflicts in the register file.",
                Latency},
    StallReason{"no_inst", "Stall No Instruction", "waits for its next instruction",
                "The instruction is not in the cache yet: after a jump, or at the start.", Code},
    StallReason{"branch_resolving", "Stall Branch Resolving", "waits for a branch's target",
                "The warp waits for the target of a branch and for the program counter.", Code},
    StallReason{"not_selected", "Stall Not Selected", "issue slots taken by others",
                "The warp was ready, but the scheduler issued another.", Slots},
    StallReason{"selected", "Selected", "is issued", "The warp issued an instruction.", Issued},
    StallReason{"drain", "Stall Drain", "waits for its stores before it ends",
                "The warp has ended but for its stores.", Other},
    StallReason{"sleep", "Stall Sleeping", "sleeps", "All of the warp's threads are asleep or yield.", Other},
    StallReason{"sleeping", "Stall Sleeping", "sleeps", "All of the warp's threads are asleep or yield.",
                Other},
    StallReason{"misc", "Stall Misc", "waits for another reason", "A reason of the hardware's own.", Other},
};

}  // namespace

std::span<const StallReason> stallReasons() { return kReasons; }

StallReason toStallReason(std::string_view id) {
  const auto* const found = std::ranges::find(kReasons, id, &StallReason::id);
  return found != kReasons.end()
             ? *found
             : StallReason{"", "", "waits for another reason", "A reason that is not known here.", Other};
}

std::string_view stallGroupWords(StallGroup group) {
  switch (group) {
    case Global: return "waits for global memory";
    case Shared: return "waits for shared memory";
    case Barrier: return "waits at the barrier";
    case Latency: return "computes: a fixed latency";
    case Code: return "waits for its next instruction";
    case Slots: return "issue slots taken by others";
    case Issued: return "is issued";
    case Other: break;
  }
  return "other reasons";
}

}  // namespace lanescope
