#include "sim/machine/run/prepare.h"

#include <algorithm>
#include <map>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/block_runner.h"

namespace lanescope {
namespace {

// The rewriting relies on this: a temporary is written before it is read, in the order of the code, and lives
// until the next write of its register in that order. The compiler makes no others; Merge, which keeps lanes,
// counts as a read (operations.h).

struct Value {
  bool isWide = false;
  std::uint64_t bits = 0;
};

bool isCompare(Op op) { return findClass(op) == OpClass::Compare; }

/// True for operations whose result follows from their operands alone, lane by lane, without side effects.
bool isPure(Op op) {
  switch (findClass(op)) {
    case OpClass::Move:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Select:
    case OpClass::Unary:
    case OpClass::Offset: return true;
    default: return false;
  }
}

class Fuser {
 public:
  Fuser(const PreparedLaunch& prepared, const Launch& launch)
      : launch_(launch), prepared_(prepared), code_(prepared.code()), isGone_(code_.code.size(), false) {
    for (const VariableRegister& variable : code_.variables) {
      if (variable.local == VariableRegister::kInRegister)
        variableEnd_ = std::max(variableEnd_, variable.reg + (variable.type->isWide() ? 2u : 1u));
    }
    for (const Instruction& i : code_.code) {
      operands_.push_back(readOperands(i, code_));
      if (jumps(i.op)) targets_.push_back(static_cast<std::size_t>(i.imm));
    }
    std::ranges::sort(targets_);
  }

  Bytecode run() {
    findLaunchConstants();
    foldConstants();
    fuseAddresses();
    dropUnread();
    fuseBranches();
    compact();
    return std::move(code_);
  }

 private:
  bool isTemporary(RegisterRange range) const {
    return range.count > 0 && range.first >= variableEnd_ && range.first < temporaryEnd_;
  }

  /// Constants, and built-ins that are the same in every thread; parameters that are never assigned.
  void findLaunchConstants() {
    temporaryEnd_ = code_.registers;
    for (const ConstantRegister& constant : code_.constants) {
      known_[constant.reg] = {constant.isWide, constant.bits};
      temporaryEnd_ = std::min<std::uint32_t>(temporaryEnd_, constant.reg);
    }
    for (const BuiltInRegister& builtIn : code_.builtIns) {
      temporaryEnd_ = std::min<std::uint32_t>(temporaryEnd_, builtIn.reg);
      if (const auto value = computeExtent(launch_, builtIn.builtIn)) known_[builtIn.reg] = {false, *value};
    }
    for (const LocalAddressRegister& address : code_.localAddresses)
      temporaryEnd_ = std::min<std::uint32_t>(temporaryEnd_, address.reg);
    for (const LocalVariable& local : code_.locals)
      temporaryEnd_ = std::min<std::uint32_t>(temporaryEnd_, local.endedRegister);
    const std::vector<const VariableRegister*> parameters = parameterParts(code_);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const VariableRegister& parameter = *parameters[p];
      const RegisterRange range{parameter.reg, parameter.type->isWide() ? 2u : 1u};
      if (std::ranges::none_of(operands_, [&](const Operands& o) { return o.writes.overlaps(range); }))
        known_[parameter.reg] = {parameter.type->isWide(), prepared_.parameterBits[p]};
    }
  }

  bool isKnown(RegisterRange range) const {
    const auto value = known_.find(range.first);
    return range.count == 0 || (value != known_.end() && value->second.isWide == (range.count == 2));
  }

  /// The result of an operation on known values, computed by the machine itself.
  std::uint64_t compute(const Instruction& instruction, const Operands& operands) const {
    Instruction i = instruction;
    i.a = 0;
    i.b = 2;
    i.c = 4;
    i.dst = 6;
    std::array<std::uint64_t, std::size_t{8} * kMaxLanes / 2> registers{};
    MaskFrame frame;
    WarpState warp;
    warp.active = warp.present = 1;
    warp.frames = &frame;
    warp.registers = reinterpret_cast<LaneU32*>(registers.data());
    for (std::uint16_t r = 0; r < 3; ++r) {
      if (operands.reads[r].count == 0) continue;
      const std::uint64_t bits = known_.at(operands.reads[r].first).bits;
      const auto reg = static_cast<std::uint16_t>(2 * r);
      if (operands.reads[r].count == 2) {
        warp.lanes<LaneU64>(reg)[0] = bits;
      } else {
        warp.lanes<LaneU32>(reg)[0] = static_cast<std::uint32_t>(bits);
      }
    }
    Bytecode code;
    code.code = {i, {}};
    RunControl control;
    control.instructionLimit = UINT64_MAX;
    NoHooks hooks;
    WarpRunner<NoHooks> runner(code, launch_.machine, control, hooks);
    runner.run(warp);
    return operands.writes.count == 2 ? warp.lanes<LaneU64>(i.dst)[0] : warp.lanes<LaneU32>(i.dst)[0];
  }

  std::uint16_t constantFor(Value value) {
    for (const ConstantRegister& constant : code_.constants) {
      if (constant.isWide == value.isWide && constant.bits == value.bits) return constant.reg;
    }
    const auto reg = static_cast<std::uint16_t>(code_.registers);
    code_.registers += value.isWide ? 2 : 1;
    code_.constants.push_back({reg, value.isWide, value.bits});
    known_[reg] = value;
    return reg;
  }

  /// Calls f(index) for every instruction that reads the result that instruction `from` wrote to `range`.
  template <class F>
  void forEachReader(std::size_t from, RegisterRange range, F f) const {
    for (std::size_t j = from + 1; j < code_.code.size(); ++j) {
      if (isGone_[j]) continue;
      if (operands_[j].readsAny(range)) f(j);
      if (operands_[j].writes.overlaps(range)) return;
    }
  }

  bool readsExactly(std::size_t j, RegisterRange range) const {
    return std::ranges::all_of(operands_[j].reads, [&](RegisterRange read) {
      return !read.overlaps(range) || (read.first == range.first && read.count == range.count);
    });
  }

  /// Gives every reader of instruction i's result another register; false if one cannot have it.
  bool replaceResult(std::size_t i, std::uint16_t with) {
    const RegisterRange range = operands_[i].writes;
    bool canAll = true;
    std::vector<std::size_t> readers;
    forEachReader(i, range, [&](std::size_t j) {
      readers.push_back(j);
      const Op op = code_.code[j].op;
      const bool takesAny = (isPure(op) || op == Op::IfBegin || op == Op::LoopTest || isAccess(op) ||
                             op == Op::Set32 || op == Op::Set64) &&
                            readsExactly(j, range);
      canAll = canAll && takesAny;
    });
    if (!canAll) return false;
    for (const std::size_t j : readers) {
      Instruction& reader = code_.code[j];
      const Operands before = operands_[j];
      std::uint16_t* const fields[] = {&reader.a, &reader.b, &reader.c};
      for (std::size_t f = 0; f < 3; ++f) {
        if (before.reads[f].count > 0 && before.reads[f].overlaps(range)) *fields[f] = with;
      }
      operands_[j] = readOperands(reader, code_);
    }
    isGone_[i] = true;
    return true;
  }

  void foldConstants() {
    for (std::size_t i = 0; i < code_.code.size(); ++i) {
      const Instruction& instruction = code_.code[i];
      if (!isPure(instruction.op) || !isTemporary(operands_[i].writes)) continue;
      bool allKnown = true;
      for (const RegisterRange& read : operands_[i].reads) allKnown = allKnown && isKnown(read);
      if (allKnown) {
        const Value value{operands_[i].writes.count == 2, compute(instruction, operands_[i])};
        replaceResult(i, constantFor(value));
      } else if (instruction.op == Op::And32) {
        foldAnd(i);
      }
    }
  }

  /// `known && test`, both 0 or 1: the test, or 0.
  void foldAnd(std::size_t i) {
    const Instruction instruction = code_.code[i];
    const bool isLeftKnown = known_.contains(instruction.a);
    if (!isLeftKnown && !known_.contains(instruction.b)) return;
    const std::uint64_t value = known_[isLeftKnown ? instruction.a : instruction.b].bits;
    const std::uint16_t other = isLeftKnown ? instruction.b : instruction.a;
    if (value == 0) {
      replaceResult(i, constantFor({false, 0}));
    } else if (value == 1 && i > 0 && !isGone_[i - 1] && isCompare(code_.code[i - 1].op) &&
               code_.code[i - 1].dst == other && isTemporary(operands_[i - 1].writes) &&
               countReaders(i - 1) == 1) {
      code_.code[i - 1].dst = instruction.dst;
      operands_[i - 1] = readOperands(code_.code[i - 1], code_);
      isGone_[i] = true;
    }
  }

  std::size_t countReaders(std::size_t i) const {
    std::size_t readers = 0;
    forEachReader(i, operands_[i].writes, [&](std::size_t) { ++readers; });
    return readers;
  }

  static Op fusedAccess(Op access, bool isSigned) {
    switch (access) {
      case Op::Load32: return isSigned ? Op::LoadAtI32 : Op::LoadAtU32;
      case Op::Load64: return isSigned ? Op::LoadWideAtI32 : Op::LoadWideAtU32;
      case Op::Store32: return isSigned ? Op::StoreAtI32 : Op::StoreAtU32;
      case Op::Store64: return isSigned ? Op::StoreWideAtI32 : Op::StoreWideAtU32;
      default: return Op::Exit;
    }
  }

  /// Fuses OffsetI32 or OffsetU32 if only loads and stores use its result, and no instruction in between
  /// changes its operands.
  void fuseAddresses() {
    for (std::size_t i = 0; i < code_.code.size(); ++i) {
      const Instruction offset = code_.code[i];
      if (isGone_[i] || (offset.op != Op::OffsetI32 && offset.op != Op::OffsetU32)) continue;
      const RegisterRange result = operands_[i].writes;
      if (!isTemporary(result)) continue;
      std::vector<std::size_t> readers;
      bool canAll = true;
      forEachReader(i, result, [&](std::size_t j) {
        const Instruction& reader = code_.code[j];
        readers.push_back(j);
        canAll = canAll && fusedAccess(reader.op, true) != Op::Exit && reader.a == offset.dst &&
                 !(isStoring(reader.op) && operands_[j].reads[1].overlaps(result));
      });
      if (!canAll || readers.empty()) continue;
      for (std::size_t j = i + 1; j < readers.back(); ++j) {
        canAll = canAll && !isControl(code_.code[j].op) &&
                 !operands_[j].writes.overlaps(operands_[i].reads[0]) &&
                 !operands_[j].writes.overlaps(operands_[i].reads[1]);
      }
      if (!canAll) continue;
      for (const std::size_t j : readers) fuseAccess(code_.code[j], operands_[j], offset);
      isGone_[i] = true;
    }
  }

  void fuseAccess(Instruction& access, Operands& operands, const Instruction& offset) const {
    const bool isStore = isStoring(access.op);
    access.op = fusedAccess(access.op, offset.op == Op::OffsetI32);
    if (isStore) access.c = access.b;
    access.a = offset.a;
    access.b = offset.b;
    access.imm = offset.imm;
    operands = readOperands(access, code_);
  }

  /// Drops operations whose result is unused.
  void dropUnread() {
    for (std::size_t i = code_.code.size(); i-- > 0;) {
      if (isGone_[i] || !isPure(code_.code[i].op) || !isTemporary(operands_[i].writes)) continue;
      if (countReaders(i) == 0) isGone_[i] = true;
    }
  }

  static Op fusedBranch(Op compare, bool isLoop) {
    switch (compare) {
#define PAIR(op) \
  case Op::op: return isLoop ? Op::Loop##op : Op::If##op;
      PAIR(LtI32)
      PAIR(LtU32)
      PAIR(LeI32)
      PAIR(LeU32)
      PAIR(Eq32)
      PAIR(Ne32)
#undef PAIR
      default: return Op::Exit;
    }
  }

  /// A comparison that only the branch behind it uses.
  void fuseBranches() {
    for (std::size_t j = 1; j < code_.code.size(); ++j) {
      Instruction& branch = code_.code[j];
      if (isGone_[j] || (branch.op != Op::IfBegin && branch.op != Op::LoopTest)) continue;
      std::size_t i = j - 1;
      while (i > 0 && isGone_[i]) --i;
      const Instruction& compare = code_.code[i];
      const Op fused = isCompare(compare.op) ? fusedBranch(compare.op, branch.op == Op::LoopTest) : Op::Exit;
      if (fused == Op::Exit || isGone_[i] || compare.dst != branch.a || !isTemporary(operands_[i].writes) ||
          countReaders(i) != 1 ||
          std::ranges::any_of(targets_, [&](std::size_t t) { return t > i && t <= j; }))
        continue;
      branch.op = fused;
      branch.a = compare.a;
      branch.b = compare.b;
      operands_[j] = operands_[i];
      operands_[j].writes = {};
      isGone_[i] = true;
    }
  }

  void compact() {
    std::vector<std::int64_t> newPlaces;
    std::int64_t place = 0;
    for (const bool isGone : isGone_) {
      newPlaces.push_back(place);
      if (!isGone) ++place;
    }
    std::vector<Instruction> kept;
    for (std::size_t i = 0; i < code_.code.size(); ++i) {
      if (isGone_[i]) continue;
      Instruction instruction = code_.code[i];
      if (jumps(instruction.op)) instruction.imm = newPlaces[static_cast<std::size_t>(instruction.imm)];
      kept.push_back(instruction);
    }
    code_.code = std::move(kept);
  }

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  Bytecode code_;
  std::vector<Operands> operands_;
  std::vector<bool> isGone_;
  std::vector<std::size_t> targets_;
  std::map<std::uint16_t, Value> known_;  ///< by register
  std::uint32_t variableEnd_ = 0;
  std::uint32_t temporaryEnd_ = 0;
};

}  // namespace

Bytecode fused(const PreparedLaunch& prepared, const Launch& launch) {
  // The rewriting walks the code for each instruction: code that would take too long is left as it is. So is
  // code with calls: it does not run in its order.
  constexpr std::size_t kMostCode = 20'000;
  constexpr std::uint32_t kMostRegisters = 40'000;
  const Bytecode& code = prepared.code();
  if (code.code.size() > kMostCode || code.registers > kMostRegisters || code.makesCalls) return code;
  return Fuser(prepared, launch).run();
}

}  // namespace lanescope
