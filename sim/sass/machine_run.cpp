#include "sim/sass/machine_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/machine/run/prepare.h"
#include "sim/memory/address.h"
#include "sim/sass/machine_warp.h"

namespace lanescope {
namespace {

/// The instructions of a kernel, read, and the targets of their branches.
struct MachineProgram {
  std::vector<MachineOperation> operations;
  std::vector<std::uint32_t> addresses;  ///< rising
};

/// Executes blocks in their order: the warps of each in turn, from barrier to barrier.
class MachineBlock {
 public:
  MachineBlock(const MachineProgram& program, MachineMemory& memory, BlockConstants constants,
               MachineRun& run, std::uint64_t mostIssued);

  /// Error: as runMachineCode().
  Result<bool> runBlock(Dim3 index);

 private:
  using State = WarpSplit::State;

  void begin(Dim3 index);
  bool runWarp(MachineWarp& warp);
  /// Runs a split until it waits, ends or has branched apart; false on an error, which is in why_.
  bool runSplit(MachineWarp& warp, std::size_t split);
  bool flow(MachineWarp& warp, WarpSplit& split, const MachineOperation& operation, std::uint32_t mask);
  void branch(MachineWarp& warp, WarpSplit& split, std::size_t target, std::uint32_t taken);
  void leave(MachineWarp& warp, WarpSplit& split, std::uint32_t lanes);
  /// Lets lanes continue together once all of them wait for each other.
  static bool join(MachineWarp& warp, State state);
  bool openBarrier();
  bool fail(const MachineOperation& operation, const std::string& why);

  const MachineProgram& program_;
  MachineMemory& memory_;
  BlockConstants constants_;
  MachineRun& run_;
  std::uint64_t left_;
  std::vector<MachineWarp> warps_;
  std::string why_;
};

using M = Modifier;

struct NamedFlow {
  std::string_view name;
  FlowKind flow;
};

constexpr auto kFlows = std::to_array<NamedFlow>({{"BRA", FlowKind::Branch},
                                                  {"EXIT", FlowKind::Exit},
                                                  {"CALL", FlowKind::Call},
                                                  {"RET", FlowKind::Return},
                                                  {"BSSY", FlowKind::Announce},
                                                  {"BSYNC", FlowKind::Reconverge},
                                                  {"BREAK", FlowKind::Leave},
                                                  {"WARPSYNC", FlowKind::WarpBarrier},
                                                  {"BAR", FlowKind::BlockBarrier},
                                                  {"NOP", FlowKind::Ignored},
                                                  {"YIELD", FlowKind::Ignored},
                                                  {"NANOSLEEP", FlowKind::Ignored},
                                                  {"MEMBAR", FlowKind::Ignored},
                                                  {"ERRBAR", FlowKind::Ignored},
                                                  {"CGAERRBAR", FlowKind::Ignored},
                                                  {"CCTL", FlowKind::Ignored},
                                                  {"DEPBAR", FlowKind::Ignored},
                                                  {"FENCE", FlowKind::Ignored},
                                                  {"PREEXIT", FlowKind::Ignored},
                                                  {"ACQBULK", FlowKind::Ignored},
                                                  {"ENDCOLLECTIVE", FlowKind::Ignored}});

bool isLocal(const MachineOperation& operation) { return operation.name == "LDL" || operation.name == "STL"; }

/// Asynchronous copies and matrices of a warp are not computed here.
bool isKnownAccess(const MachineOperation& operation) {
  return operation.name != "LDGSTS" && operation.name != "LDSM" && operation.name != "STSM";
}

/// The target of a call: an address in the kernel's own code, as recorded and as listed.
std::optional<std::uint64_t> addressIn(const MachineOperation& operation) {
  for (const MachineOperand& one : operation.operands) {
    if (one.kind == OperandKind::Immediate) return one.bits;
  }
  return std::nullopt;
}

Result<MachineProgram> makeProgram(const MachineCode& code) {
  MachineProgram program;
  for (const MachineInstruction& one : code.instructions) program.addresses.push_back(one.address);
  for (const MachineInstruction& one : code.instructions) {
    MachineOperation operation = parseOperation(one.sass);
    const auto flow = std::ranges::find(kFlows, operation.name, &NamedFlow::name);
    if (flow != kFlows.end()) operation.flow = flow->flow;
    // `BMOV.32.CLEAR RZ, B0` clears a register that a BSSY sets again.
    if (operation.name == "BMOV" && operation.destination && operation.destination->number == kZeroRegister)
      operation.flow = FlowKind::Ignored;
    if (operation.name == "BRA" && operation.has(M::kDIV)) operation.flow = FlowKind::DivergentBranch;
    std::optional<std::uint64_t> target;
    if (one.target != kNoTarget) target = one.target;
    if (operation.flow == FlowKind::Call && !target) target = addressIn(operation);
    if (target) {
      const auto at = std::ranges::lower_bound(program.addresses, *target);
      if (at != program.addresses.end() && *at == *target)
        operation.target = static_cast<std::size_t>(at - program.addresses.begin());
    }
    const bool isOfBarrier = operation.flow == FlowKind::Announce || operation.flow == FlowKind::Reconverge;
    if (isOfBarrier && (operation.operands.empty() || operation.operands[0].kind != OperandKind::Barrier))
      operation.flow = FlowKind::None;  // of an unknown form
    if (operation.flow == FlowKind::None && !operation.access && !isLocal(operation))
      operation.action = chooseAction(operation);
    program.operations.push_back(std::move(operation));
  }
  if (program.operations.empty()) return Error{"The machine code has no instructions."};
  return program;
}

MachineBlock::MachineBlock(const MachineProgram& program, MachineMemory& memory, BlockConstants constants,
                           MachineRun& run, std::uint64_t mostIssued)
    : program_(program), memory_(memory), constants_(std::move(constants)), run_(run), left_(mostIssued) {
  const auto threads = static_cast<std::size_t>(constants_.block.count());
  warps_.resize((threads + kMaxLanes - 1) / kMaxLanes);
}

void MachineBlock::begin(Dim3 index) {
  constants_.index = index;
  memory_.beginBlock();
  const std::uint64_t threads = constants_.block.count();
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    MachineWarp& warp = warps_[w];
    warp = {};
    warp.index = static_cast<std::uint32_t>(w);
    warp.shared = &constants_;
    const std::uint64_t lanes = std::min<std::uint64_t>(kMaxLanes, threads - w * kMaxLanes);
    warp.present = lanes == kMaxLanes ? ~0u : (1u << lanes) - 1;
    warp.predicates[kTruePredicate] = ~0u;
    warp.uniformPredicates[kTruePredicate] = ~0u;
    warp.splits.push_back({0, warp.present, State::Ready, 0, 0});
  }
}

Result<bool> MachineBlock::runBlock(Dim3 index) {
  begin(index);
  while (true) {
    for (MachineWarp& warp : warps_) {
      if (!runWarp(warp)) return Error{why_};
    }
    const bool isDone =
        std::ranges::all_of(warps_, [](const MachineWarp& one) { return one.splits.empty(); });
    if (isDone) return true;
    if (!openBarrier()) return Error{"The machine code's warps wait for each other, and none continues."};
  }
}

bool MachineBlock::runWarp(MachineWarp& warp) {
  while (true) {
    const auto ready = std::ranges::find(warp.splits, State::Ready, &WarpSplit::state);
    if (ready == warp.splits.end()) {
      if (join(warp, State::AtReconvergence) || join(warp, State::AtWarpBarrier)) continue;
      return true;
    }
    if (!runSplit(warp, static_cast<std::size_t>(ready - warp.splits.begin()))) return false;
    std::erase_if(warp.splits, [](const WarpSplit& one) { return one.mask == 0; });
    join(warp, State::AtReconvergence);
    join(warp, State::AtWarpBarrier);
  }
}

bool MachineBlock::join(MachineWarp& warp, State state) {
  for (std::size_t i = 0; i < warp.splits.size(); ++i) {
    WarpSplit& first = warp.splits[i];
    if (first.state != state) continue;
    const std::uint32_t awaited = first.awaited & ~warp.gone;
    std::uint32_t here = 0;
    for (const WarpSplit& one : warp.splits) {
      if (one.state == state && one.at == first.at) here |= one.mask;
    }
    if ((awaited & ~here) != 0) continue;
    const std::size_t at = first.at;
    std::uint32_t together = 0;
    for (WarpSplit& one : warp.splits) {
      if (one.state != state || one.at != at || (one.mask & ~awaited) != 0) continue;
      together |= one.mask;
      one.mask = 0;
    }
    warp.splits[i].mask = together;
    warp.splits[i].state = State::Ready;
    std::erase_if(warp.splits, [](const WarpSplit& one) { return one.mask == 0; });
    return true;
  }
  return false;
}

bool MachineBlock::runSplit(MachineWarp& warp, std::size_t split) {
  while (true) {
    WarpSplit& now = warp.splits[split];
    if (now.at >= program_.operations.size()) {
      why_ = "The machine code leads out of the kernel.";
      return false;
    }
    if (left_-- == 0) {
      why_ = "The machine code of the launch has too many instructions to execute.";
      return false;
    }
    const MachineOperation& operation = program_.operations[now.at];
    const std::uint32_t guard =
        operation.isGuardUniform ? warp.uniformPredicates[operation.guard] : warp.predicates[operation.guard];
    const std::uint32_t mask = now.mask & (operation.isGuardInverted ? ~guard : guard);
    InstructionRun& counted = run_.instructions[now.at];
    ++counted.issued;
    if (operation.flow != FlowKind::None) {
      if (!flow(warp, now, operation, mask)) return why_.empty();
      continue;
    }
    ++now.at;
    if (mask == 0) continue;
    if (operation.access || isLocal(operation)) {
      if (!isKnownAccess(operation)) return fail(operation, "it is not known here");
      counted.cost += memory_.access(warp, operation, mask);
      if (!memory_.why().empty()) return fail(operation, memory_.why());
    } else if (operation.action != nullptr) {
      operation.action(warp, operation, mask);
      ++counted.cost.executions;
    } else {
      return fail(operation, "it is not known here");
    }
    if (warp.failed) return fail(operation, "its operands are of a form that is not known here");
  }
}

bool MachineBlock::fail(const MachineOperation& operation, const std::string& why) {
  why_ = fmt::format("The machine code cannot be executed at {}: {}.", operation.name, why);
  return false;
}

void MachineBlock::branch(MachineWarp& warp, WarpSplit& split, std::size_t target, std::uint32_t taken) {
  const std::size_t next = split.at + 1;
  if (taken == split.mask) {
    split.at = target;
    return;
  }
  split.at = next;
  if (taken == 0) return;
  split.mask &= ~taken;
  warp.splits.push_back({target, taken, State::Ready, 0, 0});  // `split` may have moved
}

void MachineBlock::leave(MachineWarp& warp, WarpSplit& split, std::uint32_t lanes) {
  warp.gone |= lanes;
  split.mask &= ~lanes;
  ++split.at;
}

/// False: the split does not continue for now, or there is an error.
bool MachineBlock::flow(MachineWarp& warp, WarpSplit& split, const MachineOperation& operation,
                        std::uint32_t mask) {
  const auto first = static_cast<std::size_t>(std::countr_zero(split.mask));
  switch (operation.flow) {
    case FlowKind::Branch: {
      std::uint32_t taken = mask;
      for (const MachineOperand& one : operation.conditions) taken &= warp.lanes(one);
      if (!operation.target && taken != 0) return fail(operation, "its target is not known");
      const std::size_t target = operation.target.value_or(0);
      const bool isBack = target <= split.at && taken != 0;
      branch(warp, split, target, taken);
      return !isBack || warp.splits.size() == 1;
    }
    case FlowKind::DivergentBranch:
      if (split.mask != (warp.present & ~warp.gone)) return fail(operation, "its warp is not whole");
      ++split.at;
      return true;
    case FlowKind::Exit: {
      std::uint32_t lanes = mask;
      for (const MachineOperand& one : operation.conditions) lanes &= warp.lanes(one);
      leave(warp, split, lanes);
      return split.mask != 0;
    }
    case FlowKind::Call:
      if (!operation.target) return fail(operation, "its target is not known");
      branch(warp, split, *operation.target, mask);
      return true;
    case FlowKind::Return: {
      const auto from = std::ranges::find(operation.operands, OperandKind::Register, &MachineOperand::kind);
      if (from == operation.operands.end()) return fail(operation, "its target is not known");
      const std::uint32_t address = warp.registers[from->number][first];
      const auto at = std::ranges::lower_bound(program_.addresses, address);
      if (at == program_.addresses.end() || *at != address) return fail(operation, "its target is not known");
      branch(warp, split, static_cast<std::size_t>(at - program_.addresses.begin()), mask);
      return true;
    }
    case FlowKind::Announce:
      forEachLane(mask, [&](unsigned lane) { warp.barriers[lane][operation.operands[0].number] = mask; });
      ++split.at;
      return true;
    case FlowKind::Reconverge:
      split.barrier = operation.operands[0].number;
      split.awaited = warp.barriers[first][split.barrier];
      ++split.at;
      if (split.awaited == split.mask) return true;
      split.state = State::AtReconvergence;
      return false;
    case FlowKind::Leave: {
      const auto barrier = std::ranges::find(operation.operands, OperandKind::Barrier, &MachineOperand::kind);
      if (barrier == operation.operands.end()) return fail(operation, "its barrier is not known");
      std::uint32_t lanes = mask;
      for (const MachineOperand& one : operation.conditions) lanes &= warp.lanes(one);
      for (auto& ofLane : warp.barriers) ofLane[barrier->number] &= ~lanes;
      for (WarpSplit& one : warp.splits) {
        if (one.state == State::AtReconvergence && one.barrier == barrier->number) one.awaited &= ~lanes;
      }
      ++split.at;
      return true;
    }
    case FlowKind::WarpBarrier: {
      if (operation.has(M::kCOLLECTIVE)) return fail(operation, "it is not known here");
      std::uint32_t awaited = warp.present;
      if (!operation.has(M::kALL) && !operation.operands.empty()) {
        LaneWords room;
        awaited = warp.raw(operation.operands[0], room)[first] & warp.present;
      }
      ++split.at;
      if ((awaited & ~warp.gone) == split.mask) return true;
      split.awaited = awaited;
      split.state = State::AtWarpBarrier;
      return false;
    }
    case FlowKind::BlockBarrier: {
      const bool isVote = operation.has(M::kRED);
      if (isVote && !operation.conditions.empty())
        warp.barrierVotes |= warp.lanes(operation.conditions[0]) & mask;
      split.state = State::AtBlockBarrier;
      return false;
    }
    default: ++split.at; return true;
  }
}

bool MachineBlock::openBarrier() {
  std::uint32_t votes = 0;
  std::uint32_t threads = 0;
  const MachineOperation* barrier = nullptr;
  for (const MachineWarp& warp : warps_) {
    for (const WarpSplit& split : warp.splits) {
      if (split.state != State::AtBlockBarrier) return false;
      barrier = &program_.operations[split.at];
      threads += static_cast<std::uint32_t>(std::popcount(split.mask));
    }
    votes += static_cast<std::uint32_t>(std::popcount(warp.barrierVotes));
  }
  if (barrier == nullptr) return false;
  const std::uint32_t result = barrier->has(M::kPOPC)  ? votes
                               : barrier->has(M::kAND) ? std::uint32_t{votes == threads}
                                                       : std::uint32_t{votes != 0};
  memory_.barrierPassed();
  for (MachineWarp& warp : warps_) {
    warp.barrierVotes = 0;
    warp.barrierResult = result;
    for (WarpSplit& split : warp.splits) {
      split.state = State::Ready;
      ++split.at;
    }
  }
  return true;
}

/// The places of the parameters in constant bank 0 and of shared memory, for code of an architecture.
struct CodeLayout {
  std::string_view architectures;  ///< numbers, each between blanks
  std::size_t parameters;
  std::uint32_t sharedBegin;
};
constexpr auto kLayouts =
    std::to_array<CodeLayout>({{" 75 80 86 87 88 89 ", 0x160, 0}, {" 90 ", 0x210, 0x400}});
constexpr std::size_t kStackPlace = 0x28;
constexpr std::uint32_t kStackBytes = 0x10000;
constexpr std::size_t kMostParameterBytes = 4096;

/// The layout for `sm_90`, and for code without a name, which was recorded on a GPU of that; nullptr if
/// unknown.
const CodeLayout* findLayout(std::string_view architecture) {
  if (architecture.empty()) return &kLayouts.back();
  if (architecture.ends_with('a')) architecture.remove_suffix(1);
  const std::string number =
      " " + std::string(architecture.substr(std::min<std::size_t>(3, architecture.size()))) + " ";
  const auto found = std::ranges::find_if(kLayouts, [&](const CodeLayout& one) {
    return one.architectures.find(number) != std::string_view::npos;
  });
  return found == kLayouts.end() ? nullptr : &*found;
}

void put(std::vector<std::byte>& bytes, std::size_t place, const void* from, std::size_t count) {
  if (place + count <= bytes.size()) std::memcpy(bytes.data() + place, from, count);
}

/// Constant bank 0: extents, the stack, the parameters.
std::vector<std::byte> makeParameters(const Launch& launch, const PreparedLaunch& prepared,
                                      std::size_t place) {
  std::vector<std::byte> bytes(place + kMostParameterBytes);
  const std::array<std::uint32_t, 6> extents{launch.block.x, launch.block.y, launch.block.z,
                                             launch.grid.x,  launch.grid.y,  launch.grid.z};
  put(bytes, 0, extents.data(), sizeof extents);
  put(bytes, kStackPlace, &kStackBytes, sizeof kStackBytes);
  const Bytecode& code = prepared.code();
  std::size_t bits = 0;
  for (std::size_t p = 0; p < code.parameterTypes.size(); ++p) {
    const Type& type = *code.parameterTypes[p];
    place = (place + type.alignment - 1) / type.alignment * type.alignment;
    for (const Leaf& leaf : findLeaves(type)) {
      if (bits < prepared.parameterBits.size())
        put(bytes, place + leaf.offset, &prepared.parameterBits[bits], leaf.type->size);
      ++bits;
    }
    place += type.size;
  }
  return bytes;
}

/// Puts bytes at a place of a bank, which grows as it must.
void place(std::vector<std::byte>& bank, std::uint64_t at, const void* from, std::size_t count) {
  constexpr std::size_t kMostConstants = 64u << 10;
  if (at > kMostConstants || count > kMostConstants) return;
  const auto begin = static_cast<std::size_t>(at);
  bank.resize(std::max(bank.size(), (begin + count + 3) / 4 * 4));
  put(bank, begin, from, count);
}

/// All banks: 0 the parameters, 2 numbers of the code, 3 variables of __constant__, 4 addresses of others.
std::array<std::vector<std::byte>, 5> makeConstantBanks(const Launch& launch, const PreparedLaunch& prepared,
                                                        const CubinConstants& known,
                                                        const CodeLayout& layout) {
  std::array<std::vector<std::byte>, 5> banks;
  banks[0] = makeParameters(launch, prepared, layout.parameters);
  if (!known.literals.empty()) place(banks[2], 0, known.literals.data(), known.literals.size());
  const auto& symbols = prepared.code().symbols;
  const std::size_t first = prepared.parameterBits.size() - symbols.size();
  for (const ConstantVariable& one : known.variables) {
    const auto symbol = std::ranges::find(symbols, one.name, &typed::GlobalSymbol::name);
    if (symbol == symbols.end()) continue;
    const std::uint64_t address =
        prepared.parameterBits[first + static_cast<std::size_t>(symbol - symbols.begin())];
    const auto content = prepared.memory.buffer(bufferIndex(address));
    const std::uint64_t value = address + one.addend;
    if (one.bank == 3) place(banks[3], one.offset, content.data(), content.size());
    if (one.bank == 4) place(banks[4], one.offset, &value, sizeof value);
  }
  return banks;
}

}  // namespace

Result<MachineRun> runMachineCode(const Launch& launch, const MachineCode& code, std::uint64_t blocks,
                                  std::uint64_t mostIssued) {
  const CodeLayout* const layout = findLayout(code.architecture);
  if (layout == nullptr)
    return Error{"Machine code of " + code.architecture +
                 " is not executed here: the place of its parameters is not known."};
  if (launch.machine != machinePresets()[0])
    return Error{"Machine code is executed only as on an NVIDIA GPU."};
  auto program = makeProgram(code);
  if (!program) return program.error();
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  MachineRun run;
  run.instructions.resize(program->operations.size());
  MachineMemory memory(*prepared, launch.machine, layout->sharedBegin);
  const BlockConstants constants{
      {}, launch.block, launch.grid, makeConstantBanks(launch, *prepared, code.constants, *layout)};
  MachineBlock block(*program, memory, constants, run, mostIssued);
  for (std::uint64_t b = 0; b < std::min(blocks, launch.grid.count()); ++b) {
    if (auto done = block.runBlock(unlinear(b, launch.grid)); !done) return done.error();
  }
  run.dependsOnTime = memory.depends();
  for (std::size_t b = 0; b < prepared->memory.bufferCount(); ++b) {
    const auto bytes = std::as_const(prepared->memory).buffer(b);
    run.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return run;
}

}  // namespace lanescope
