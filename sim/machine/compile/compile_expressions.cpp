#include <algorithm>
#include <bit>

#include "sim/machine/compile/compiler_impl.h"
#include "sim/memory/address.h"

namespace lanescope::compiler {
namespace {

/// Offsets from a local variable's start that make up its address at compile time.
constexpr std::uint64_t kMaxFoldedIndex = 0xffff;

using typed::BinaryOp;

/// The operation for a type: one of up to six, by int 32, unsigned 32, int 64, unsigned 64, floats.
struct TypedOps {
  Op i32, u32, i64, u64, f32, f64;
  Op of(const Type& type) const {
    switch (type.kind) {
      case Type::Kind::F32: return f32;
      case Type::Kind::F64: return f64;
      case Type::Kind::I64: return i64;
      case Type::Kind::U64:
      case Type::Kind::Pointer: return u64;
      case Type::Kind::U32: return u32;
      default: return i32;
    }
  }
};

TypedOps findOps(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return {Op::Add32, Op::Add32, Op::Add64, Op::Add64, Op::AddF32, Op::AddF64};
    case BinaryOp::Subtract: return {Op::Sub32, Op::Sub32, Op::Sub64, Op::Sub64, Op::SubF32, Op::SubF64};
    case BinaryOp::Multiply: return {Op::Mul32, Op::Mul32, Op::Mul64, Op::Mul64, Op::MulF32, Op::MulF64};
    case BinaryOp::Divide: return {Op::DivI32, Op::DivU32, Op::DivI64, Op::DivU64, Op::DivF32, Op::DivF64};
    case BinaryOp::Remainder: return {Op::RemI32, Op::RemU32, Op::RemI64, Op::RemU64, Op::RemI32, Op::RemI32};
    case BinaryOp::And: return {Op::And32, Op::And32, Op::And64, Op::And64, Op::And32, Op::And64};
    case BinaryOp::Or: return {Op::Or32, Op::Or32, Op::Or64, Op::Or64, Op::Or32, Op::Or64};
    case BinaryOp::Xor: return {Op::Xor32, Op::Xor32, Op::Xor64, Op::Xor64, Op::Xor32, Op::Xor64};
    case BinaryOp::ShiftLeft: return {Op::Shl32, Op::Shl32, Op::Shl64, Op::Shl64, Op::Shl32, Op::Shl64};
    case BinaryOp::ShiftRight:
      return {Op::ShrI32, Op::ShrU32, Op::ShrI64, Op::ShrU64, Op::ShrI32, Op::ShrI64};
    case BinaryOp::Less: return {Op::LtI32, Op::LtU32, Op::LtI64, Op::LtU64, Op::LtF32, Op::LtF64};
    case BinaryOp::LessEqual: return {Op::LeI32, Op::LeU32, Op::LeI64, Op::LeU64, Op::LeF32, Op::LeF64};
    case BinaryOp::Equal: return {Op::Eq32, Op::Eq32, Op::Eq64, Op::Eq64, Op::EqF32, Op::EqF64};
    case BinaryOp::NotEqual: return {Op::Ne32, Op::Ne32, Op::Ne64, Op::Ne64, Op::NeF32, Op::NeF64};
    case BinaryOp::Minimum: return {Op::MinI32, Op::MinU32, Op::MinI64, Op::MinU64, Op::MinF32, Op::MinF64};
    case BinaryOp::Maximum: return {Op::MaxI32, Op::MaxU32, Op::MaxI64, Op::MaxU64, Op::MaxF32, Op::MaxF64};
  }
  return {};
}

}  // namespace

bool needsMask(const typed::Expression& node) {
  switch (node.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::Update:
    case Kind::SetVariable:
    case Kind::Shuffle:
    case Kind::BlockBarrier:
    case Kind::GridBarrier:
    case Kind::WarpBarrier:
    case Kind::Fence:
    case Kind::Atomic:
    case Kind::Vote:
    case Kind::Allocate:
    case Kind::Release:
    case Kind::Print:
    case Kind::Assert:
    case Kind::Clock:
    case Kind::Call: return true;
    default: break;
  }
  for (const typed::ExpressionPtr& operand : node.operands) {
    if (operand != nullptr && needsMask(*operand)) return true;
  }
  return false;
}

Compiler::Reg Compiler::expression(const Expression& node) {
  if (OwnStack::isLow()) throw TooLarge{true};
  switch (node.kind) {
    case Kind::Constant: return constantRegister(node.bits, node.type->isWide());
    case Kind::Variable: return variable(node);
    case Kind::LocalAddress:
      return localAddress(homes_[node.index].local, static_cast<std::uint32_t>(node.scale));
    case Kind::Make: return makeStruct(node);
    case Kind::Member: return member(node);
    case Kind::BuiltIn: return builtInRegister(node.builtIn);
    case Kind::SharedAddress: return sharedAddress(node);
    case Kind::Held: return held_.back()[node.index];
    case Kind::Convert: return convert(node);
    case Kind::Negate: return negate(node);
    case Kind::BitNot: return unary(node.type->isWide() ? Op::Not64 : Op::Not32, node, node.type->isWide());
    case Kind::LogicalNot: {
      const Reg a = expression(*node.operands[0]);
      return result(Op::Eq32, node, false, a, constantRegister(0, false));
    }
    case Kind::Binary: return binary(node);
    case Kind::LogicalAnd:
    case Kind::LogicalOr: return logical(node);
    case Kind::Conditional: return conditional(node);
    case Kind::PointerAdd: return pointerAdd(node);
    case Kind::PointerDifference: {
      const Reg a = expression(*node.operands[0]);
      const Reg b = expression(*node.operands[1]);
      return result(Op::PointerDifference, node, true, a, b, 0, node.scale);
    }
    case Kind::Load: return load(node, *node.type, expression(*node.operands[0]));
    case Kind::Store: return store(node);
    case Kind::Update: return update(node);
    case Kind::SetVariable: return setVariable(node);
    case Kind::Sequence: expression(*node.operands[0]); return expression(*node.operands[1]);
    case Kind::Shuffle: return shuffle(node);
    case Kind::BlockBarrier: return barrier(node);
    case Kind::GridBarrier:
      out_.meetsGrid = true;
      emit(Op::GridBarrier, node.span);
      return 0;
    case Kind::WarpBarrier: return warpBarrier(node);
    case Kind::Fence: emit(Op::Fence, node.span, 0, 0, 0, 0, node.index); return 0;
    case Kind::Atomic: return atomic(node, node.isResultUsed);
    case Kind::Vote: return vote(node);
    case Kind::Math: return math(node);
    case Kind::Bits: {
      const bool isWide = node.operands[0]->type->isWide();
      const Reg a = expression(*node.operands[0]);
      return result(isWide ? Op::Bits64 : Op::Bits32, node, node.type->isWide(), a, 0, 0,
                    static_cast<std::int64_t>(node.bitOp));
    }
    case Kind::LaneCall: return laneCall(node);
    case Kind::Print: return print(node);
    case Kind::Clock: out_.readsClock = true; return result(Op::Clock, node, true, 0);
    case Kind::Allocate:
      // The launch's own order decides which thread gets which block, so that every run gives the same
      // result.
      out_.usesHeap = out_.isOrderSensitive = true;
      return result(Op::Allocate, node, true, expression(*node.operands[0]));
    case Kind::Release:
      out_.usesHeap = out_.isOrderSensitive = true;
      emit(Op::Release, node.span, 0, expression(*node.operands[0]));
      return 0;
    case Kind::Assert:
      if (node.index == static_cast<std::uint32_t>(typed::AssertKind::NoCallee)) out_.callsByValue = true;
      emit(Op::Assert, node.span, 0, expression(*node.operands[0]), 0, 0, node.index);
      return 0;
    case Kind::Call: return call(node, node.isResultUsed);
  }
  return 0;
}

Compiler::Reg Compiler::result(Op op, const Expression& node, bool isWide, Reg a, Reg b, Reg c,
                               std::int64_t imm) {
  const Reg dst = allocate(isWide);
  emit(op, node.span, dst, a, b, c, imm);
  return dst;
}

Compiler::Reg Compiler::unary(Op op, const Expression& node, bool isWide) {
  const Reg a = expression(*node.operands[0]);
  return result(op, node, isWide, a);
}

Compiler::Reg Compiler::constantRegister(std::uint64_t bits, bool isWide) {
  const auto known = constants_.find({bits, isWide});
  if (known != constants_.end()) return known->second;
  const Reg reg = allocatePinned(isWide);
  constants_[{bits, isWide}] = reg;
  out_.constants.push_back({reg, isWide, bits});
  return reg;
}

Compiler::Reg Compiler::builtInRegister(typed::BuiltIn builtIn) {
  for (const BuiltInRegister& known : out_.builtIns) {
    if (known.builtIn == builtIn) return known.reg;
  }
  const Reg reg = allocatePinned(false);
  out_.builtIns.push_back({reg, builtIn});
  return reg;
}

Compiler::Reg Compiler::sharedAddress(const Expression& node) {
  const typed::SharedArray& array = kernel_.sharedArrays[node.index];
  if (!array.isDynamic) return constantRegister(sharedBase(node.index) + array.byteOffset, true);
  // Dynamic shared memory lies behind the static arrays, aligned to 16 bytes. All extern arrays are the
  // same memory: they share the name of the first.
  const auto first = std::ranges::find(kernel_.sharedArrays, true, &typed::SharedArray::isDynamic);
  const auto object = static_cast<std::uint64_t>(first - kernel_.sharedArrays.begin());
  return constantRegister(sharedBase(object) + dynamicSharedOffset(kernel_.staticSharedBytes), true);
}

Compiler::Reg Compiler::negate(const Expression& node) {
  const Reg a = expression(*node.operands[0]);
  const bool isWide = node.type->isWide();
  if (node.type->isFloating()) return result(isWide ? Op::NegF64 : Op::NegF32, node, isWide, a);
  return result(isWide ? Op::Sub64 : Op::Sub32, node, isWide, constantRegister(0, isWide), a);
}

Compiler::Reg Compiler::binary(const Expression& node) {
  const Type& type = *node.operands[0]->type;
  if (const auto power = dividingPower(node))
    return divideByPower(node, expression(*node.operands[0]), *power);
  const auto [a, b] = operands(node);
  return result(findOps(node.op).of(type), node, node.type->isWide(), a, b);
}

/// The two operands of a node, in the order of C++.
std::pair<Compiler::Reg, Compiler::Reg> Compiler::operands(const Expression& node) {
  const Expression& before = *node.operands[node.isRightFirst ? 1 : 0];
  const Expression& after = *node.operands[node.isRightFirst ? 0 : 1];
  const Reg first = settled(expression(before), *before.type, after);
  const Reg second = expression(after);
  return node.isRightFirst ? std::pair(second, first) : std::pair(first, second);
}

/// n if the node divides by the constant 2^n, n > 0, or takes the remainder of it.
std::optional<unsigned> Compiler::dividingPower(const Expression& node) {
  const Expression& right = *node.operands[1];
  const bool divides = node.op == BinaryOp::Divide || node.op == BinaryOp::Remainder;
  if (!divides || !node.type->isInteger() || right.kind != Kind::Constant) return std::nullopt;
  const std::uint64_t divisor = node.type->size == 4 ? static_cast<std::uint32_t>(right.bits) : right.bits;
  if (divisor < 2 || !std::has_single_bit(divisor)) return std::nullopt;
  const auto power = static_cast<unsigned>(std::countr_zero(divisor));
  // The highest bit of a signed type is its sign.
  if (node.type->isSigned() && power + 1 >= 8 * node.type->size) return std::nullopt;
  return power;
}

/// A division by 2^n, as every compiler lowers it: a shift, which for signed numbers rounds toward zero after
/// 2^n - 1 is added to negative ones.
Compiler::Reg Compiler::divideByPower(const Expression& node, Reg a, unsigned power) {
  const Type& type = *node.type;
  const bool isWide = type.isWide();
  const unsigned bits = 8 * type.size;
  const auto constant = [&](std::uint64_t value) { return constantRegister(value, isWide); };
  const auto op = [&](BinaryOp which, Reg x, std::uint64_t y, bool isSigned) {
    const TypedOps ops = findOps(which);
    const Op chosen = isWide ? (isSigned ? ops.i64 : ops.u64) : (isSigned ? ops.i32 : ops.u32);
    return result(chosen, node, isWide, x, constant(y));
  };
  const std::uint64_t rest = (std::uint64_t{1} << power) - 1;
  if (!type.isSigned()) {
    return node.op == BinaryOp::Divide ? op(BinaryOp::ShiftRight, a, power, false)
                                       : op(BinaryOp::And, a, rest, false);
  }
  const Reg sign = op(BinaryOp::ShiftRight, a, bits - 1, true);
  const Reg bias = op(BinaryOp::And, sign, rest, false);
  const Reg biased = result(isWide ? Op::Add64 : Op::Add32, node, isWide, a, bias);
  if (node.op == BinaryOp::Divide) return op(BinaryOp::ShiftRight, biased, power, true);
  const Reg cut = op(BinaryOp::And, biased, ~rest, false);
  return result(isWide ? Op::Sub64 : Op::Sub32, node, isWide, a, cut);
}

Compiler::Reg Compiler::convert(const Expression& node) {
  const Type& from = *node.operands[0]->type;
  const Type& to = *node.type;
  const Reg a = expression(*node.operands[0]);
  if (to.kind == Type::Kind::Void) return 0;
  if (to.kind == Type::Kind::Bool) {
    if (from.kind == Type::Kind::Bool) return a;
    const TypedOps ops = findOps(BinaryOp::NotEqual);
    return result(ops.of(from), node, false, a, constantRegister(0, from.isWide()));
  }
  if (from.isFloating()) return fromFloating(node, from, to, a);
  if (to.isFloating()) return toFloating(node, from, to, a);
  if (to.isWide()) {
    if (from.isWide()) return a;
    const bool isSigned = from.isSigned() || from.size < 4;  // narrow ones are already extended
    return result(isSigned ? Op::I32ToI64 : Op::U32ToU64, node, true, a);
  }
  Reg narrow = a;
  if (from.isWide()) narrow = result(Op::Truncate64, node, false, a);
  const bool loses = from.size > to.size || (from.size == to.size && from.kind != to.kind) ||
                     (from.isSigned() && !to.isSigned());
  return extend(node, to, narrow, loses);
}

/// A narrow integer is kept extended in its 32-bit register.
Compiler::Reg Compiler::extend(const Expression& node, const Type& to, Reg a, bool loses) {
  if (!loses || to.size >= 4) return a;
  const Op op = to.size == 1 ? (to.isSigned() ? Op::SignExtend8 : Op::ZeroExtend8)
                             : (to.isSigned() ? Op::SignExtend16 : Op::ZeroExtend16);
  return result(op, node, false, a);
}

Compiler::Reg Compiler::fromFloating(const Expression& node, const Type& from, const Type& to, Reg a) {
  const bool wide = from.kind == Type::Kind::F64;
  if (to.isFloating()) {
    if (from.kind == to.kind) return a;
    return result(wide ? Op::F64ToF32 : Op::F32ToF64, node, !wide, a);
  }
  static constexpr std::array<Op, 4> kNarrow = {Op::F32ToI32, Op::F32ToU32, Op::F32ToI64, Op::F32ToU64};
  static constexpr std::array<Op, 4> kWide = {Op::F64ToI32, Op::F64ToU32, Op::F64ToI64, Op::F64ToU64};
  const std::size_t which = (to.isWide() ? 2u : 0u) + (to.isSigned() || to.size < 4 ? 0u : 1u);
  const Reg whole = result(wide ? kWide[which] : kNarrow[which], node, to.isWide(), a);
  return extend(node, to, whole, true);
}

Compiler::Reg Compiler::toFloating(const Expression& node, const Type& from, const Type& to, Reg a) {
  static constexpr std::array<Op, 4> kNarrow = {Op::I32ToF32, Op::U32ToF32, Op::I64ToF32, Op::U64ToF32};
  static constexpr std::array<Op, 4> kWide = {Op::I32ToF64, Op::U32ToF64, Op::I64ToF64, Op::U64ToF64};
  const std::size_t which = (from.isWide() ? 2u : 0u) + (from.isSigned() || from.size < 4 ? 0u : 1u);
  const bool wide = to.kind == Type::Kind::F64;
  return result(wide ? kWide[which] : kNarrow[which], node, wide, a);
}

Compiler::Reg Compiler::logical(const Expression& node) {
  const bool isAnd = node.kind == Kind::LogicalAnd;
  const Reg left = expression(*node.operands[0]);
  if (!needsMask(*node.operands[1])) {
    const Reg right = expression(*node.operands[1]);
    return result(isAnd ? Op::And32 : Op::Or32, node, false, left, right);
  }
  // The right side runs only in the lanes that still need it.
  const Reg dst = allocate(false);
  emit(Op::Move32, node.span, dst, left);
  Reg test = left;
  if (!isAnd) test = result(Op::Eq32, node, false, left, constantRegister(0, false));
  const std::size_t begin = emit(Op::IfBegin, node.operands[0]->span, 0, test);
  deepen();
  const Reg right = expression(*node.operands[1]);
  emit(Op::Merge32, node.span, dst, right);
  land(begin);
  const std::size_t other = emit(Op::IfElse, node.span);
  land(other);
  closeScope(Op::IfEnd, node.span);
  return dst;
}

Compiler::Reg Compiler::conditional(const Expression& node) {
  const bool isWide = node.type->isWide();
  const Reg test = expression(*node.operands[0]);
  if (!node.type->isStruct() && !needsMask(*node.operands[1]) && !needsMask(*node.operands[2])) {
    const Reg yes = expression(*node.operands[1]);
    const Reg no = expression(*node.operands[2]);
    return result(isWide ? Op::Select64 : Op::Select32, node, isWide, test, yes, no);
  }
  const Reg dst = allocateRegisters(std::max(1u, width(*node.type)));
  const std::size_t begin = emit(Op::IfBegin, node.operands[0]->span, 0, test);
  deepen();
  copy(Op::Merge32, Op::Merge64, node.span, *node.type, dst, expression(*node.operands[1]));
  land(begin);
  const std::size_t other = emit(Op::IfElse, node.span);
  copy(Op::Merge32, Op::Merge64, node.span, *node.type, dst, expression(*node.operands[2]));
  land(other);
  closeScope(Op::IfEnd, node.span);
  return dst;
}

Compiler::Reg Compiler::pointerAdd(const Expression& node) {
  const Type& index = *node.operands[1]->type;
  const Expression& base = *node.operands[0];
  const std::uint64_t steps = node.operands[1]->bits;
  // acc[2]: an address of its own. A negative constant has high bits set and takes the general path.
  if (base.kind == Kind::LocalAddress && node.operands[1]->kind == Kind::Constant &&
      steps <= kMaxFoldedIndex) {
    const std::uint64_t offset =
        static_cast<std::uint64_t>(base.scale) + steps * static_cast<std::uint64_t>(node.scale);
    return localAddress(homes_[base.index].local, offset);
  }
  const auto [a, b] = operands(node);
  const Op op = index.isWide() ? Op::Offset64 : index.isSigned() ? Op::OffsetI32 : Op::OffsetU32;
  return result(op, node, true, a, b, 0, node.scale);
}

Compiler::Reg Compiler::shuffle(const Expression& node) {
  const Reg mask = expression(*node.operands[0]);
  const bool isWide = node.type->isWide();
  const Reg value = expression(*node.operands[1]);
  const Reg lane = expression(*node.operands[2]);
  const Reg span = expression(*node.operands[3]);
  const ExchangeShape shape{static_cast<int>(node.shuffle), node.isOfGroup, false, node.tileThreads};
  const Reg dst =
      result(isWide ? Op::Shuffle64 : Op::Shuffle32, node, isWide, value, lane, span, shape.packed());
  out_.code.back().d = mask;
  return dst;
}

Compiler::Reg Compiler::vote(const Expression& node) {
  ExchangeShape shape{static_cast<int>(node.vote), node.isOfGroup, false, node.tileThreads};
  if (node.vote == typed::VoteOp::ActiveMask) return result(Op::Vote32, node, false, 0, 0, 0, shape.packed());
  const Reg mask = expression(*node.operands[0]);
  const Reg value = expression(*node.operands[1]);
  const Type& type = *node.operands[1]->type;
  shape.isSigned = type.isSigned();
  const Op op = type.isWide() ? Op::Vote64 : Op::Vote32;
  const Reg dst = result(op, node, false, value, 0, 0, shape.packed());
  out_.code.back().d = mask;
  return dst;
}

Compiler::Reg Compiler::barrier(const Expression& node) {
  if (node.barrierVote == typed::BarrierVote::None) {
    emit(Op::BlockBarrier, node.span);
    return 0;
  }
  const Reg condition = expression(*node.operands[0]);
  return result(Op::BlockBarrier, node, false, condition, 0, 0, static_cast<std::int64_t>(node.barrierVote));
}

Compiler::Reg Compiler::warpBarrier(const Expression& node) {
  const Reg mask = expression(*node.operands[0]);
  const ExchangeShape shape{0, node.isOfGroup, false, node.tileThreads};
  emit(Op::WarpBarrier, node.span, 0, mask, 0, 0, shape.packed());
  return 0;
}

Compiler::Reg Compiler::math(const Expression& node) {
  std::array<Reg, 3> operands{};
  for (std::size_t i = 0; i < node.operands.size(); ++i) operands[i] = expression(*node.operands[i]);
  const bool isDouble = node.operands[0]->type->isWide();
  return result(isDouble ? Op::MathF64 : Op::MathF32, node, node.type->isWide(), operands[0], operands[1],
                operands[2], static_cast<std::int64_t>(node.math));
}

Compiler::Reg Compiler::laneCall(const Expression& node) {
  std::array<Reg, 3> operands{};
  for (std::size_t i = 0; i < node.operands.size(); ++i) operands[i] = expression(*node.operands[i]);
  const bool isWide = node.type->isWide();
  return result(isWide ? Op::LaneCall64 : Op::LaneCall32, node, isWide, operands[0], operands[1], operands[2],
                node.index);
}

Compiler::Reg Compiler::print(const Expression& node) {
  std::vector<Reg> values;
  for (const typed::ExpressionPtr& operand : node.operands) values.push_back(expression(*operand));
  const Reg first = allocateRegisters(static_cast<std::uint32_t>(2 * values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    emit(Op::Move64, node.operands[i]->span, static_cast<Reg>(first + 2 * i), values[i]);
  }
  emit(Op::Print, node.span, 0, first, 0, 0, node.index);
  return constantRegister(node.operands.size(), false);  // printf returns the number of its values
}

}  // namespace lanescope::compiler
