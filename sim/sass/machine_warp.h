#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/machine_model.h"
#include "sim/sass/access_sites.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

inline constexpr unsigned kZeroRegister = 255;    ///< RZ
inline constexpr unsigned kZeroUniform = 63;      ///< URZ
inline constexpr unsigned kTruePredicate = 7;     ///< PT, UPT
inline constexpr std::size_t kMostOperands = 12;  ///< of an instruction

/// The modifiers in an opcode, after its points: `IMAD.WIDE.U32` has WIDE and U32. Any others do not change
/// the result here.
enum class Modifier : std::uint8_t {
#define MODIFIER(name) k##name,
#include "sim/sass/modifiers.def"
  Count
};

enum class OperandKind : std::uint8_t {
  Register,
  Uniform,
  Predicate,
  UniformPredicate,
  Immediate,
  Real,      ///< a number with a fraction, or without `0x`
  Constant,  ///< c[bank][offset]
  Address,   ///< [R2.64+0x4], and desc[UR4][...]
  Special,   ///< SR_TID.X
  Barrier,   ///< B0
  Other,
};

struct MachineOperand {
  OperandKind kind = OperandKind::Other;
  bool isNegative = false;
  bool isInverted = false;  ///< `~R2`, `!P0`
  bool isAbsolute = false;
  std::uint8_t half = 0;  ///< 1: its low 16 bits, twice (`.H0_H0`); 2: its high ones
  unsigned number = 0;    ///< of a register, predicate or barrier; the bank of a constant
  std::uint32_t bits = 0;
  double real = 0;
  unsigned base = kZeroRegister;    ///< of an address, or the index of a constant
  unsigned uniform = kZeroUniform;  ///< added
  unsigned scale = 1;               ///< of the base
  std::int64_t offset = 0;
  std::string text;  ///< of a special register, and of others
};

struct MachineWarp;
struct MachineOperation;
/// Executes an instruction of a warp for the lanes of `mask`, which is not empty.
using MachineAction = void (*)(MachineWarp& warp, const MachineOperation& operation, std::uint32_t mask);

/// The effect of an instruction on the warp's flow, if it is not a plain computation.
enum class FlowKind : std::uint8_t {
  None,
  Ignored,
  Branch,
  DivergentBranch,  ///< BRA.DIV: taken by a warp that is not whole
  Exit,
  Call,
  Return,
  Announce,     ///< BSSY
  Reconverge,   ///< BSYNC
  Leave,        ///< BREAK
  WarpBarrier,  ///< WARPSYNC
  BlockBarrier,
};

/// A machine instruction, read.
struct MachineOperation {
  std::string name;  ///< `IMAD`
  std::bitset<static_cast<std::size_t>(Modifier::Count)> modifiers;
  unsigned guard = kTruePredicate;
  bool isGuardUniform = false;
  bool isGuardInverted = false;
  bool isWidening = false;  ///< F2F to 64 bits
  bool isBrain = false;     ///< of bfloat16 values
  std::vector<MachineOperand> operands;
  std::optional<MachineOperand> destination;  ///< a register
  std::vector<MachineOperand> results;        ///< predicates
  std::vector<MachineOperand> sources;        ///< without the predicates after them
  std::vector<MachineOperand> conditions;     ///< those
  std::optional<std::size_t> target;          ///< index of an instruction
  std::optional<MachineAccess> access;
  FlowKind flow = FlowKind::None;
  MachineAction action = nullptr;  ///< null: of the flow, of memory, or unknown

  bool has(Modifier one) const { return modifiers[static_cast<std::size_t>(one)]; }
  /// A source by its number; one of kind Other if there are fewer.
  const MachineOperand& source(std::size_t number) const;
};

/// Reads `@!P2 LDS R4, [R7+UR4+0x4]`. An unreadable part makes an operand of kind Other.
MachineOperation parseOperation(std::string_view sass);

using LaneWords = std::array<std::uint32_t, kMaxLanes>;
using LaneWide = std::array<std::uint64_t, kMaxLanes>;

/// Lanes of a warp that are at one place of the code.
struct WarpSplit {
  enum class State : std::uint8_t { Ready, AtReconvergence, AtWarpBarrier, AtBlockBarrier };
  std::size_t at = 0;  ///< index of the next instruction
  std::uint32_t mask = 0;
  State state = State::Ready;
  std::uint32_t awaited = 0;  ///< lanes, including exited ones
  unsigned barrier = 0;       ///< AtReconvergence: which
};

/// Data that all warps of a block share.
struct BlockConstants {
  Dim3 index;  ///< of the block
  Dim3 block;  ///< extents
  Dim3 grid;
  std::array<std::vector<std::byte>, 5> banks;  ///< of constants; an empty one is unknown
};

/// The registers of a warp.
struct MachineWarp {
  std::array<LaneWords, kZeroRegister + 1> registers{};
  std::array<std::uint32_t, kZeroUniform + 1> uniforms{};
  std::array<std::uint32_t, kTruePredicate + 1> predicates{};  ///< a bit for each lane
  std::array<std::uint32_t, kTruePredicate + 1> uniformPredicates{};
  std::array<std::array<std::uint32_t, 16>, kMaxLanes> barriers{};  ///< by lane: lanes that meet at each
  std::vector<WarpSplit> splits;
  std::uint32_t gone = 0;
  std::uint32_t present = 0;
  std::uint32_t index = 0;          ///< in the block
  std::uint32_t barrierVotes = 0;   ///< BAR.RED: lanes with a true condition
  std::uint32_t barrierResult = 0;  ///< of the block
  bool failed = false;              ///< an operand is of a kind that the instruction does not have here
  const BlockConstants* shared = nullptr;

  /// An operand's 32 bits in every lane, without its sign; `room` holds values that have no register of their
  /// own.
  const LaneWords& raw(const MachineOperand& operand, LaneWords& room);
  /// As an integer: negated or inverted if the operand says so.
  const LaneWords& whole(const MachineOperand& operand, LaneWords& room);
  /// As bits of a `float`.
  const LaneWords& real(const MachineOperand& operand, LaneWords& room);
  /// 64 bits: two registers from an operand's on, or a constant.
  LaneWide wide(const MachineOperand& operand, bool isSigned = true);
  /// As bits of a `double`.
  LaneWide wideReal(const MachineOperand& operand);
  /// A predicate as lanes.
  std::uint32_t lanes(const MachineOperand& operand) const;

  void set(const MachineOperand& destination, const LaneWords& values, std::uint32_t mask);
  void setWide(const MachineOperand& destination, const LaneWide& values, std::uint32_t mask);
  void setPredicate(const MachineOperand& destination, std::uint32_t values, std::uint32_t mask);
  std::uint32_t constant(unsigned bank, std::int64_t offset);
};

/// Sets the predicates of a comparison that holds in those lanes.
void combinePredicates(MachineWarp& warp, const MachineOperation& operation, std::uint32_t holds,
                       std::uint32_t mask);

/// The function that computes an instruction of that name; null if there is none.
MachineAction chooseAction(const MachineOperation& operation);
MachineAction findWholeAction(const MachineOperation& operation);
MachineAction findRealAction(const MachineOperation& operation);
MachineAction findExchangeAction(const MachineOperation& operation);

/// Global, shared and local memory, as machine code addresses them.
class MachineMemory {
 public:
  /// `sharedBegin`: the address of the first byte of a block's shared memory.
  MachineMemory(PreparedLaunch& prepared, const MachineModel& machine, std::uint32_t sharedBegin);

  void beginBlock();
  /// All lanes of a warp have passed a barrier: it now sees the updates of other warps.
  void barrierPassed() { updatedBy_.clear(); }
  /// Performs an access for the lanes of `mask` and returns its cost. An error is in why().
  AccessCost access(MachineWarp& warp, const MachineOperation& operation, std::uint32_t mask);
  const std::string& why() const { return why_; }
  /// An update of shared memory in a loop met another warp's: how often it is repeated depends on time.
  bool depends() const { return depends_; }

 private:
  struct Request {
    LaneWide addresses{};
    std::uint32_t mask = 0;
    unsigned bytes = 4;
  };
  std::byte* at(std::uint64_t address, unsigned bytes, bool isShared);
  void load(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared);
  void store(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared);
  void update(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared,
              std::uint32_t through);
  AccessCost computeCost(const MachineOperation& operation, const Request& request,
                         std::uint32_t& through) const;
  void local(MachineWarp& warp, const MachineOperation& operation, const Request& request);

  PreparedLaunch& prepared_;
  const MachineModel& machine_;
  std::uint32_t sharedBegin_;
  std::vector<std::byte> shared_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> local_;  ///< by thread and address: words
  std::map<std::uint64_t, std::uint32_t> updatedBy_;                        ///< by shared word, a warp
  std::string why_;
  bool depends_ = false;
};

}  // namespace lanescope
