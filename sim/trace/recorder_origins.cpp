#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <optional>

#include "sim/machine/compile/bytecode.h"
#include "sim/machine/compile/operations.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/recorder.h"

namespace lanescope {

/// True if a sum, product, minimum or maximum with that operand equals the other one: 0, 1, or a bound of the
/// type; for a difference, the operand on the right. -2^31 + 1 counts as the lower bound of an int too, since
/// kernels write it as the negative of the upper one.
inline bool isNeutral(Op op, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  const auto narrow = std::bit_cast<float>(word);
  const auto wide = std::bit_cast<double>(bits);
  switch (op) {
    case Op::Add32:
    case Op::Sub32: return word == 0;
    case Op::Add64:
    case Op::Sub64: return bits == 0;
    case Op::AddF32:
    case Op::SubF32: return narrow == 0;
    case Op::AddF64:
    case Op::SubF64: return wide == 0;
    case Op::Mul32: return word == 1;
    case Op::Mul64: return bits == 1;
    case Op::MulF32: return narrow == 1;
    case Op::MulF64: return wide == 1;
    case Op::MinI32: return static_cast<std::int32_t>(word) == std::numeric_limits<std::int32_t>::max();
    case Op::MinU32: return word == std::numeric_limits<std::uint32_t>::max();
    case Op::MinI64: return static_cast<std::int64_t>(bits) == std::numeric_limits<std::int64_t>::max();
    case Op::MinU64: return bits == std::numeric_limits<std::uint64_t>::max();
    case Op::MinF32: return narrow >= FLT_MAX;
    case Op::MinF64: return wide >= DBL_MAX;
    case Op::MaxI32: return static_cast<std::int32_t>(word) <= -std::numeric_limits<std::int32_t>::max();
    case Op::MaxU32: return word == 0;
    case Op::MaxI64: return static_cast<std::int64_t>(bits) <= -std::numeric_limits<std::int64_t>::max();
    case Op::MaxU64: return bits == 0;
    case Op::MaxF32: return narrow <= -FLT_MAX;
    case Op::MaxF64: return wide <= -DBL_MAX;
    default: return false;
  }
}

// The parts that values are made of: this file follows origins through registers and memory.

namespace {

/// The register of each element that an access moves, and the element's size.
VectorShape findShape(const Instruction& i, const Event& event) {
  if (i.op == Op::LoadVector || i.op == Op::StoreVector) return VectorShape::of(i.imm);
  return {event.bytes, 1, false};
}

std::uint16_t elementRegister(const Event& event, VectorShape shape, unsigned element) {
  return static_cast<std::uint16_t>(event.valueRegister + element * (shape.elementBytes == 8 ? 2 : 1));
}

Provenance::Kind provenanceKind(typed::AtomicOp op) {
  switch (op) {
// clang-format off
#define ATOMIC(name, op, origin, rule) case typed::AtomicOp::op: return Provenance::Kind::origin;
// clang-format on
#include "sim/language/check/functions.def"
  }
  return Provenance::Kind::Other;
}

/// None for the votes, whose result does not consist of the lanes' own numbers.
Provenance::Kind provenanceKind(typed::VoteOp op) {
  switch (op) {
// clang-format off
#define REDUCTION(name, op, origin, rule) case typed::VoteOp::op: return Provenance::Kind::origin;
// clang-format on
#include "sim/language/check/functions.def"
    default: return Provenance::Kind::None;
  }
}

/// The operation by which a reduction joins two lanes, if it has an identity element.
std::optional<Op> joiningOp(typed::VoteOp op, bool isSigned) {
  switch (op) {
    case typed::VoteOp::ReduceAdd: return Op::Add32;
    case typed::VoteOp::ReduceMinimum: return isSigned ? Op::MinI32 : Op::MinU32;
    case typed::VoteOp::ReduceMaximum: return isSigned ? Op::MaxI32 : Op::MaxU32;
    default: return std::nullopt;
  }
}

/// The operation by which an atomic joins two values, if it has an identity element.
std::optional<Op> joiningOp(typed::AtomicOp op, Type::Kind type) {
  struct Joining {
    Type::Kind type;
    Op add, minimum, maximum;
  };
  static constexpr std::array kJoining = {Joining{Type::Kind::I32, Op::Add32, Op::MinI32, Op::MaxI32},
                                          Joining{Type::Kind::U32, Op::Add32, Op::MinU32, Op::MaxU32},
                                          Joining{Type::Kind::I64, Op::Add64, Op::MinI64, Op::MaxI64},
                                          Joining{Type::Kind::U64, Op::Add64, Op::MinU64, Op::MaxU64},
                                          Joining{Type::Kind::F32, Op::AddF32, Op::MinF32, Op::MaxF32},
                                          Joining{Type::Kind::F64, Op::AddF64, Op::MinF64, Op::MaxF64}};
  const auto* const found = std::ranges::find(kJoining, type, &Joining::type);
  if (found == kJoining.end()) return std::nullopt;
  switch (op) {
    case typed::AtomicOp::Add: return found->add;
    case typed::AtomicOp::Minimum: return found->minimum;
    case typed::AtomicOp::Maximum: return found->maximum;
    default: return std::nullopt;
  }
}

}  // namespace

ReadsId Recorder::readNow(std::uint32_t cellOrThread, ProvenanceId from) {
  return trace_.reads.read({static_cast<std::uint32_t>(trace_.steps.size()), cellOrThread, from});
}

Recorder::ValueOrigin Recorder::joined(Provenance::Kind kind, ValueOrigin left, ValueOrigin right) {
  return {trace_.provenance.combine(kind, left.from, right.from), trace_.reads.join(left.reads, right.reads)};
}

void Recorder::readElements(const WarpState& warp, const Instruction& i, const Event& event, unsigned lane) {
  const VectorShape shape = findShape(i, event);
  for (unsigned e = 0; e < shape.elements; ++e) {
    const std::uint32_t cell = map_.findCell(event.addresses[lane] + std::uint64_t{e} * shape.elementBytes);
    origin(warp, elementRegister(event, shape, e), lane) = {cells_[cell].from,
                                                            readNow(cell, cells_[cell].from)};
  }
}

void Recorder::writeElements(const WarpState& warp, const Instruction& i, const Event& event, unsigned lane) {
  const VectorShape shape = findShape(i, event);
  for (unsigned e = 0; e < shape.elements; ++e) {
    const std::uint64_t address = event.addresses[lane] + std::uint64_t{e} * shape.elementBytes;
    const ValueOrigin value = origin(warp, elementRegister(event, shape, e), lane);
    for (std::uint32_t word = map_.findCell(address); word <= map_.findCell(address + shape.elementBytes - 1);
         ++word)
      storeWord(word, {value.from, word == map_.findCell(address) ? value.reads : kNoReads},
                findThread(warp, lane));
  }
}

/// An atomic: the lane gets the old value, and its operand joins the word. As elsewhere, a constant leaves
/// its trace unless it is neutral; a word that held a neutral element becomes the operand that joins it.
void Recorder::updateWord(const WarpState& warp, const Instruction& i, std::uint32_t cell, unsigned lane) {
  const AtomicShape shape = AtomicShape::of(i.imm);
  const Type::Kind type = shape.type;
  const bool isWide = type == Type::Kind::I64 || type == Type::Kind::U64 || type == Type::Kind::F64;
  const auto computeBits = [&](std::uint16_t of) {
    return isWide ? warp.lanes<LaneU64>(of)[lane] : std::uint64_t{warp.lanes<LaneU32>(of)[lane]};
  };
  const ProvenanceId before = cells_[cell].from;
  const ProvenanceId operand = origin(warp, i.b, lane).from;
  // An operand that is a constant counts something: the value that chose the word.
  const ReadsId operandReads = origin(warp, i.b, lane).reads;
  const ReadsId reads = operandReads != kNoReads ? operandReads : origin(warp, i.a, lane).reads;
  const std::uint64_t held =
      cells_[cell].bits | (isWide ? std::uint64_t{cells_[cell + 1].bits} << 32U : std::uint64_t{0});
  const std::optional<Op> joining = joiningOp(shape.op, type);
  ProvenanceId after = operand;
  if (joining && before == kNoProvenance && isNeutral(*joining, held)) {
    after = operand;
  } else if (joining && operand == kNoProvenance && isNeutral(*joining, computeBits(i.b))) {
    after = before;
  } else if (shape.op != typed::AtomicOp::Exchange) {
    after = trace_.provenance.combine(provenanceKind(shape.op), before, operand);
  }
  origin(warp, i.dst, lane) = {before, readNow(cell, before)};
  storeWord(cell, {after, reads}, findThread(warp, lane));
  if (isWide) storeWord(cell + 1, {after, kNoReads}, findThread(warp, lane));
}

void Recorder::localLoaded(const WarpState& warp, const Instruction& i, const Event& access) {
  if (!failure_) recordLocal(warp, i, access, true);
}

void Recorder::recordLocal(const WarpState& warp, const Instruction& i, const Event& event, bool isLoad) {
  WarpRecord& record = records_[warp.index];
  const VectorShape shape = findShape(i, event);
  forEachLane(event.active, [&](unsigned lane) {
    const FoundLocal found = findLocal(*code_, localIndex(event.addresses[lane]));
    const LocalVariable& local = code_->locals[found.local];
    for (unsigned e = 0; e < shape.elements; ++e) {
      const std::size_t offset =
          static_cast<std::size_t>(event.addresses[lane] & kOffsetMask) + std::size_t{e} * shape.elementBytes;
      const std::size_t words = (found.byteOffset + local.type->size + 3) / 4 * kMaxLanes;
      if (record.localOrigins.size() < words) record.localOrigins.resize(words);
      ValueOrigin& held = record.localOrigins[(found.byteOffset + offset) / 4 * kMaxLanes + lane];
      ValueOrigin& reg = origin(warp, elementRegister(event, shape, e), lane);
      (isLoad ? reg : held) = isLoad ? held : reg;
      if (isLoad) continue;
      for (std::size_t v = 0; v < code_->variables.size(); ++v) {
        const VariableRegister& variable = code_->variables[v];
        const bool isHere = variable.local == found.local && variable.localOffset <= offset &&
                            offset < variable.localOffset + variable.type->size;
        if (!isHere) continue;
        std::uint64_t bits = 0;
        for (unsigned byte = 0; byte < variable.type->size; ++byte) {
          const std::size_t at = found.byteOffset + variable.localOffset + byte;
          const auto value =
              std::to_integer<std::uint64_t>(warp.local[(at / 4 * kMaxLanes + lane) * 4 + at % 4]);
          bits |= value << (8 * byte);
        }
        setVariable(static_cast<std::uint32_t>(v), lane, bits, held);
      }
    }
  });
}

ReadsId Recorder::recordReads(const WarpState& warp, const Instruction& i, unsigned lane) {
  switch (findClass(i.op)) {
    case OpClass::Bits: return origin(warp, i.a, lane).reads;
    case OpClass::Offset:
    case OpClass::Compare:
      return trace_.reads.join(origin(warp, i.a, lane).reads, origin(warp, i.b, lane).reads);
    default: return kNoReads;
  }
}

void Recorder::recordVote(const WarpState& warp, const Instruction& i) {
  const ExchangeShape shape = ExchangeShape::of(i.imm);
  const auto op = static_cast<typed::VoteOp>(shape.kind);
  std::array<ValueOrigin, kMaxLanes> results;
  std::uint32_t known = 0;  // the lanes that `last` is the result of
  ValueOrigin last;
  forEachLane(op == typed::VoteOp::ActiveMask ? 0 : warp.active, [&](unsigned lane) {
    const std::uint32_t mask = warp.lanes<LaneU32>(i.d)[lane] & warp.active;
    if (mask != known) last = reducedOver(warp, i, mask);
    known = mask;
    results[lane] = last;
  });
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) origin(warp, i.dst, lane) = results[lane];
}

// The lanes of one mask are one group, as the CUDA Programming Guide asks of the lanes that it names.
void Recorder::recordReduction(const WarpState& warp, const Instruction& i, Step& step) {
  recordVote(warp, i);
  std::array<std::int8_t, kMaxLanes> firsts;
  firsts.fill(-1);
  forEachLane(warp.active, [&](unsigned lane) {
    const std::uint32_t mask = warp.lanes<LaneU32>(i.d)[lane] & warp.active;
    if (mask != 0) firsts[lane] = static_cast<std::int8_t>(std::countr_zero(mask));
  });
  step.shuffleSources = trace_.shuffleSources.append(std::span(firsts).first(trace_.launch.machine.warpSize));
  bounds_.exchanged(warp);
}

// The result of a reduction comes from each of its lanes, for a sum as for a test of all lanes.
Recorder::ValueOrigin Recorder::reducedOver(const WarpState& warp, const Instruction& i, std::uint32_t mask) {
  const ExchangeShape shape = ExchangeShape::of(i.imm);
  const auto op = static_cast<typed::VoteOp>(shape.kind);
  const auto kind = provenanceKind(op);
  const std::optional<Op> joining = joiningOp(op, shape.isSigned);
  ValueOrigin all;
  bool isFirst = true;
  forEachLane(mask, [&](unsigned lane) {
    const ValueOrigin own = origin(warp, i.a, lane);
    const bool isNothing =
        own.from == kNoProvenance && joining && isNeutral(*joining, warp.lanes<LaneU32>(i.a)[lane]);
    const ReadsId reads =
        trace_.reads.join(all.reads, isReduction(op) ? readNow(findThread(warp, lane), own.from) : own.reads);
    if (kind != Provenance::Kind::None && !isNothing) {
      all = isFirst ? own : joined(kind, all, own);
      isFirst = false;
    }
    all.reads = reads;
  });
  return all;
}

/// Values that a caller puts on the stack keep their origins.
void Recorder::saveOrigins(const WarpState& warp, const Instruction& i) {
  WarpRecord& record = records_[warp.index];
  const std::size_t count = static_cast<std::size_t>(i.imm) * kMaxLanes;
  const std::size_t first = std::size_t{i.op == Op::Push ? i.a : i.dst} * kMaxLanes;
  const auto registers = record.origins.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<ValueOrigin>& saved = record.savedOrigins;
  if (i.op == Op::Push) {
    saved.insert(saved.end(), registers, registers + static_cast<std::ptrdiff_t>(count));
    return;
  }
  std::copy(saved.end() - static_cast<std::ptrdiff_t>(count), saved.end(), registers);
  saved.resize(saved.size() - count);
}

void Recorder::instructionDone(const WarpState& warp, const Instruction& i) {
  if (failure_) return;
  if (i.op == Op::ScopeBegin) branchLine(warp) = 0;
  if (i.op == Op::Push || i.op == Op::Pop) saveOrigins(warp, i);
  if (i.op == Op::Set32 || i.op == Op::Set64) return;  // recordVariable() has done it
  const Origin rule = opOrigin(i.op);
  if (isControl(i.op) || isStoring(i.op) || rule == Origin::Memory || rule == Origin::Exchange) return;
  if (findClass(i.op) == OpClass::Vote) return;  // recordVote() has
  static constexpr std::array kKinds = {
      Provenance::Kind::None,     Provenance::Kind::None,     Provenance::Kind::Add,
      Provenance::Kind::Subtract, Provenance::Kind::Multiply, Provenance::Kind::Minimum,
      Provenance::Kind::Maximum,  Provenance::Kind::None,     Provenance::Kind::None,
      Provenance::Kind::None,     Provenance::Kind::Other};
  const bool isMerge = i.op == Op::Merge32 || i.op == Op::Merge64;
  forEachLane(isMerge ? warp.active : warp.present, [&](unsigned lane) {
    ValueOrigin& dst = origin(warp, i.dst, lane);
    switch (rule) {
      case Origin::None: dst = {kNoProvenance, recordReads(warp, i, lane)}; break;
      case Origin::Copy: dst = origin(warp, i.a, lane); break;
      case Origin::Select: dst = origin(warp, warp.lanes<LaneU32>(i.a)[lane] != 0 ? i.b : i.c, lane); break;
      default: {
        const ValueOrigin left = origin(warp, i.a, lane);
        const ValueOrigin right = origin(warp, i.b, lane);
        const bool isOne = (left.from == kNoProvenance) != (right.from == kNoProvenance);
        const std::uint16_t constant = left.from == kNoProvenance ? i.a : i.b;
        const auto computeBits = [&](std::uint16_t of) {
          return findInfo(i.op).b == 2 ? warp.lanes<LaneU64>(of)[lane] : warp.lanes<LaneU32>(of)[lane];
        };
        // A value that an identity element joins stays as it is. The result may replace the element: then a
        // sum shows by its result if it was one.
        bool isSame = isOne && constant != i.dst && isNeutral(i.op, computeBits(constant));
        if (isOne && constant == i.dst && rule == Origin::Add)
          isSame = computeBits(i.dst) == computeBits(left.from == kNoProvenance ? i.b : i.a);
        // A constant minus a value is a new value.
        if (rule == Origin::Subtract && left.from == kNoProvenance) isSame = false;
        dst = joined(kKinds[static_cast<std::size_t>(rule)], left, right);
        if (isSame) dst.from = left.from | right.from;
      }
    }
  });
}

}  // namespace lanescope
