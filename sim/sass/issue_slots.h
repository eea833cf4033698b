#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/observer.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

/// The kind of a text's operation, as far as its machine code can be recognized by it.
enum class OperationKind : std::uint8_t {
  SharedLoad,
  SharedStore,
  SharedAtomic,
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,
  Shuffle,
  Barrier,     ///< of the block
  Arithmetic,  ///< addition, subtraction or multiplication of floating values
  LoopTest,    ///< the test that continues or ends a loop: once more than it has iterations
  Other,       ///< another branch, an assignment, a constant: no machine instruction certainly belongs to it
};
/// That of an access of shared or of global memory; Other of any other event.
OperationKind toOperationKind(StepKind access);

/// An operation of a text, and how often the warps of a launch execute it.
struct OperationCount {
  std::uint32_t number = 0;  ///< of its instruction in the bytecode
  std::uint32_t line = 0;
  OperationKind kind = OperationKind::Other;
  unsigned bytes = 0;  ///< of a lane, of accesses and shuffles
  std::uint64_t executions = 0;
  std::uint64_t warps = 0;  ///< that execute it at all
};

/// Counts them. Listens to every block of a launch.
class OperationCounter final : public Observer {
 public:
  explicit OperationCounter(const CompiledKernel& kernel) : kernel_(kernel) {}

  void blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                   const MemoryView&) override;
  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;
  void instructionDone(const WarpState& warp, const Instruction& i) override;

  /// The executed operations, in the order of the code.
  std::vector<OperationCount> consume() const;

 private:
  /// An instruction on memory may be on shared and on global memory.
  struct Site {
    OperationCount count;
    std::vector<bool> isSeen;  ///< by warp of the block
  };
  void count(Site& site, const WarpState& warp);

  const CompiledKernel& kernel_;
  const Bytecode* code_ = nullptr;
  std::vector<Site> shared_;  ///< by instruction
  std::vector<Site> others_;
};

/// The issue slots that a line needs.
struct LineSlots {
  std::uint32_t line = 0;          ///< 0: code that belongs to no line of the text
  std::uint32_t instructions = 0;  ///< machine instructions that it has
  double slots = 0;                ///< warp instructions issued for it
};

/// The issue slots of a launch of `warps` warps, by line, from its machine code and from how often its text's
/// operations are executed. All machine instructions of a straight piece of code are executed equally often:
/// as often as the accesses, shuffles, barriers and floating-point operations of the text that are in it, of
/// which the machine code may have several copies. A piece without one is executed as often as its lines, or
/// as the piece before it. Code outside every loop is executed at most once per warp. If several answers are
/// possible, the least is taken, so that the sum is a lower bound.
std::vector<LineSlots> issueSlots(const MachineCode& code, const std::vector<OperationCount>& text,
                                  std::uint64_t warps);

}  // namespace lanescope
