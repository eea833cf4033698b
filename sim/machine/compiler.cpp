#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/machine/bytecode.h"
#include "sim/memory/address.h"

namespace lanescope {

std::string_view opName(Op op) {
  static constexpr std::array<std::string_view, kOrigins.size()> kNames = {
#define OP(name, origin) #name,
#include "sim/machine/opcodes.def"
#undef OP
  };
  return kNames[static_cast<std::size_t>(op)];
}

namespace {

using typed::Expression;
using Kind = typed::Expression::Kind;
using typed::BinaryOp;

constexpr std::uint32_t kMaxRegisters = 30000;
/// Constants and built-ins are numbered from here while compiling, and moved behind the others at the
/// end: a register that starts with a value must never serve as a temporary before.
constexpr std::uint32_t kPinnedBase = kMaxRegisters;
constexpr std::size_t kMaxCode = 1u << 22;

struct TooLarge {};

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

TypedOps opsOf(BinaryOp op) {
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

/// True when evaluating it for lanes that are masked off could do harm or be seen.
bool needsMask(const Expression& node) {
  switch (node.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::Update:
    case Kind::SetVariable:
    case Kind::Shuffle:
    case Kind::BlockBarrier:
    case Kind::WarpBarrier:
    case Kind::Call: return true;
    default: break;
  }
  for (const typed::ExpressionPtr& operand : node.operands) {
    if (operand != nullptr && needsMask(*operand)) return true;
  }
  return false;
}

bool changesVariables(const Expression& node) {
  return node.kind == Kind::SetVariable || std::ranges::any_of(node.operands, [](const auto& operand) {
           return operand != nullptr && changesVariables(*operand);
         });
}

class Compiler {
 public:
  explicit Compiler(typed::Kernel kernel) : kernel_(std::move(kernel)) {}

  Bytecode run() {
    out_.kernelName = kernel_.name;
    out_.parameters = kernel_.parameters;
    out_.staticSharedBytes = kernel_.staticSharedBytes;
    for (const typed::Variable& variable : kernel_.variables) {
      out_.variables.push_back(
          {variable.name, variable.type, allocate(variable.type->isWide()), variable.declared});
    }
    variableEnd_ = next_;
    openScope(Op::ScopeBegin, {});
    statement(*kernel_.body);
    emit(Op::Exit, {});
    movePinned();
    out_.sharedArrays = std::move(kernel_.sharedArrays);
    out_.types = std::move(kernel_.types);
    return std::move(out_);
  }

 private:
  using Reg = std::uint16_t;

  // --- emission ---
  std::size_t emit(Op op, SourceSpan span, Reg dst = 0, Reg a = 0, Reg b = 0, Reg c = 0,
                   std::int64_t imm = 0) {
    if (out_.code.size() >= kMaxCode) throw TooLarge{};
    if (out_.sites.empty() || !(out_.sites.back() == span)) out_.sites.push_back(span);
    out_.code.push_back({op, dst, a, b, c, 0, static_cast<std::uint32_t>(out_.sites.size() - 1), imm});
    return out_.code.size() - 1;
  }
  std::int64_t here() const { return static_cast<std::int64_t>(out_.code.size()); }
  void land(std::size_t jump) { out_.code[jump].imm = here(); }

  Reg allocate(bool isWide) {
    const std::uint32_t reg = next_;
    next_ += isWide ? 2 : 1;
    highest_ = std::max(highest_, next_);
    if (next_ > kMaxRegisters) throw TooLarge{};
    return static_cast<Reg>(reg);
  }

  void openScope(Op op, SourceSpan span) {
    emit(op, span);
    deepen();
  }
  void deepen() {
    ++depth_;
    out_.scopeDepth = std::max(out_.scopeDepth, depth_);
  }
  void closeScope(Op op, SourceSpan span) {
    emit(op, span);
    --depth_;
  }

  Reg allocatePinned(bool isWide) {
    const std::uint32_t reg = kPinnedBase + pinned_;
    pinned_ += isWide ? 2 : 1;
    if (pinned_ > kMaxRegisters) throw TooLarge{};
    return static_cast<Reg>(reg);
  }

  void movePinned() {
    const auto move = [this](Reg& reg) {
      if (reg >= kPinnedBase) reg = static_cast<Reg>(reg - kPinnedBase + highest_);
    };
    for (Instruction& instruction : out_.code) {
      move(instruction.dst);
      move(instruction.a);
      move(instruction.b);
      move(instruction.c);
      move(instruction.d);
    }
    for (ConstantRegister& constant : out_.constants) move(constant.reg);
    for (BuiltInRegister& builtIn : out_.builtIns) move(builtIn.reg);
    out_.registers = highest_ + pinned_;
  }

  // --- statements ---
  /// Temporaries are given back when their statement ends.
  void statement(const typed::Statement& node) {
    const std::uint32_t mark = next_;
    lower(node);
    next_ = mark;
  }

  void lower(const typed::Statement& node) {
    switch (node.kind) {
      case typed::Statement::Kind::Block:
        for (const typed::StatementPtr& child : node.body) statement(*child);
        return;
      case typed::Statement::Kind::Expression: expression(*node.expression); return;
      case typed::Statement::Kind::If: ifStatement(node); return;
      case typed::Statement::Kind::Loop: loop(node); return;
      case typed::Statement::Kind::Break: park(loopScopes_.back().first, node.span); return;
      case typed::Statement::Kind::Continue: park(loopScopes_.back().second, node.span); return;
      case typed::Statement::Kind::Return:
        if (node.expression != nullptr) expression(*node.expression);
        park(functionScope_, node.span);
        return;
    }
  }

  void park(std::uint32_t scope, SourceSpan span) { emit(Op::Park, span, 0, 0, 0, 0, scope); }

  void ifStatement(const typed::Statement& node) {
    const Reg condition = expression(*node.expression);
    const std::size_t begin = emit(Op::IfBegin, node.expression->span, 0, condition);
    deepen();
    statement(*node.body[0]);
    land(begin);
    const std::size_t other = emit(Op::IfElse, node.span);
    if (node.body.size() > 1) statement(*node.body[1]);
    land(other);
    closeScope(Op::IfEnd, node.span);
  }

  void loop(const typed::Statement& node) {
    const std::uint32_t loopScope = depth_;
    openScope(Op::ScopeBegin, node.span);
    const std::int64_t top = here();
    std::size_t test = 0;
    const bool testsFirst = node.expression != nullptr && !node.testsAtEnd;
    if (testsFirst) test = loopTest(*node.expression);
    const std::uint32_t bodyScope = depth_;
    openScope(Op::ScopeBegin, node.span);
    loopScopes_.emplace_back(loopScope, bodyScope);
    statement(*node.body[0]);
    loopScopes_.pop_back();
    closeScope(Op::ScopeEnd, node.span);
    const std::size_t none = emit(Op::JumpIfNone, node.span);
    if (node.step != nullptr) expression(*node.step);
    if (node.expression != nullptr && node.testsAtEnd) test = loopTest(*node.expression);
    emit(Op::Jump, node.span, 0, 0, 0, 0, top);
    if (node.expression != nullptr) land(test);
    land(none);
    closeScope(Op::ScopeEnd, node.span);
  }

  std::size_t loopTest(const Expression& condition) {
    const Reg test = expression(condition);
    return emit(Op::LoopTest, condition.span, 0, test);
  }

  // --- expressions: each gives the register its value is in ---
  Reg expression(const Expression& node) {
    switch (node.kind) {
      case Kind::Constant: return constantRegister(node.bits, node.type->isWide());
      case Kind::Variable: return out_.variables[node.index].reg;
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
      case Kind::Load: return load(node, expression(*node.operands[0]));
      case Kind::Store: return store(node);
      case Kind::Update: return update(node);
      case Kind::SetVariable: return setVariable(node);
      case Kind::Sequence: expression(*node.operands[0]); return expression(*node.operands[1]);
      case Kind::Shuffle: return shuffle(node);
      case Kind::BlockBarrier: emit(Op::BlockBarrier, node.span); return 0;
      case Kind::WarpBarrier: {
        const Reg mask = expression(*node.operands[0]);
        emit(Op::WarpBarrier, node.span, 0, mask);
        return 0;
      }
      case Kind::Call: return call(node);
    }
    return 0;
  }

  Reg result(Op op, const Expression& node, bool isWide, Reg a, Reg b = 0, Reg c = 0, std::int64_t imm = 0) {
    const Reg dst = allocate(isWide);
    emit(op, node.span, dst, a, b, c, imm);
    return dst;
  }

  Reg unary(Op op, const Expression& node, bool isWide) {
    const Reg a = expression(*node.operands[0]);
    return result(op, node, isWide, a);
  }

  Reg constantRegister(std::uint64_t bits, bool isWide) {
    const auto known = constants_.find({bits, isWide});
    if (known != constants_.end()) return known->second;
    const Reg reg = allocatePinned(isWide);
    constants_[{bits, isWide}] = reg;
    out_.constants.push_back({reg, isWide, bits});
    return reg;
  }

  Reg builtInRegister(typed::BuiltIn builtIn) {
    for (const BuiltInRegister& known : out_.builtIns) {
      if (known.builtIn == builtIn) return known.reg;
    }
    const Reg reg = allocatePinned(false);
    out_.builtIns.push_back({reg, builtIn});
    return reg;
  }

  Reg sharedAddress(const Expression& node) {
    const typed::SharedArray& array = kernel_.sharedArrays[node.index];
    // Dynamic shared memory lies behind the static arrays, aligned to 16 bytes.
    const std::uint64_t offset =
        array.isDynamic ? dynamicSharedOffset(kernel_.staticSharedBytes) : array.byteOffset;
    return constantRegister(kSharedBase + offset, true);
  }

  Reg negate(const Expression& node) {
    const Reg a = expression(*node.operands[0]);
    const bool isWide = node.type->isWide();
    if (node.type->isFloating()) return result(isWide ? Op::NegF64 : Op::NegF32, node, isWide, a);
    return result(isWide ? Op::Sub64 : Op::Sub32, node, isWide, constantRegister(0, isWide), a);
  }

  Reg binary(const Expression& node) {
    const Type& type = *node.operands[0]->type;
    const Reg a = expression(*node.operands[0]);
    const Reg b = expression(*node.operands[1]);
    return result(opsOf(node.op).of(type), node, node.type->isWide(), a, b);
  }

  Reg convert(const Expression& node) {
    const Type& from = *node.operands[0]->type;
    const Type& to = *node.type;
    const Reg a = expression(*node.operands[0]);
    if (to.kind == Type::Kind::Bool) {
      if (from.kind == Type::Kind::Bool) return a;
      const TypedOps ops = opsOf(BinaryOp::NotEqual);
      return result(ops.of(from), node, false, a, constantRegister(0, from.isWide()));
    }
    if (from.isFloating()) return fromFloating(node, from, to, a);
    if (to.isFloating()) return toFloating(node, from, to, a);
    if (to.isWide()) {
      if (from.isWide()) return a;
      const bool isSigned = from.isSigned() || from.size < 4;  // narrow ones are extended already
      return result(isSigned ? Op::I32ToI64 : Op::U32ToU64, node, true, a);
    }
    Reg narrow = a;
    if (from.isWide()) narrow = result(Op::Truncate64, node, false, a);
    const bool loses = from.size > to.size || (from.size == to.size && from.kind != to.kind) ||
                       (from.isSigned() && !to.isSigned());
    return extend(node, to, narrow, loses);
  }

  /// A narrow integer is kept extended in its 32-bit register.
  Reg extend(const Expression& node, const Type& to, Reg a, bool loses) {
    if (!loses || to.size >= 4) return a;
    const Op op = to.size == 1 ? (to.isSigned() ? Op::SignExtend8 : Op::ZeroExtend8)
                               : (to.isSigned() ? Op::SignExtend16 : Op::ZeroExtend16);
    return result(op, node, false, a);
  }

  Reg fromFloating(const Expression& node, const Type& from, const Type& to, Reg a) {
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

  Reg toFloating(const Expression& node, const Type& from, const Type& to, Reg a) {
    static constexpr std::array<Op, 4> kNarrow = {Op::I32ToF32, Op::U32ToF32, Op::I64ToF32, Op::U64ToF32};
    static constexpr std::array<Op, 4> kWide = {Op::I32ToF64, Op::U32ToF64, Op::I64ToF64, Op::U64ToF64};
    const std::size_t which = (from.isWide() ? 2u : 0u) + (from.isSigned() || from.size < 4 ? 0u : 1u);
    const bool wide = to.kind == Type::Kind::F64;
    return result(wide ? kWide[which] : kNarrow[which], node, wide, a);
  }

  Reg logical(const Expression& node) {
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

  Reg conditional(const Expression& node) {
    const bool isWide = node.type->isWide();
    const Reg test = expression(*node.operands[0]);
    if (!needsMask(*node.operands[1]) && !needsMask(*node.operands[2])) {
      const Reg yes = expression(*node.operands[1]);
      const Reg no = expression(*node.operands[2]);
      return result(isWide ? Op::Select64 : Op::Select32, node, isWide, test, yes, no);
    }
    const Reg dst = allocate(isWide);
    const Op merge = isWide ? Op::Merge64 : Op::Merge32;
    const std::size_t begin = emit(Op::IfBegin, node.operands[0]->span, 0, test);
    deepen();
    emit(merge, node.span, dst, expression(*node.operands[1]));
    land(begin);
    const std::size_t other = emit(Op::IfElse, node.span);
    emit(merge, node.span, dst, expression(*node.operands[2]));
    land(other);
    closeScope(Op::IfEnd, node.span);
    return dst;
  }

  Reg pointerAdd(const Expression& node) {
    const Type& index = *node.operands[1]->type;
    const Reg a = expression(*node.operands[0]);
    const Reg b = expression(*node.operands[1]);
    const Op op = index.isWide() ? Op::Offset64 : index.isSigned() ? Op::OffsetI32 : Op::OffsetU32;
    return result(op, node, true, a, b, 0, node.scale);
  }

  Reg load(const Expression& node, Reg address) {
    static constexpr std::array<Op, 4> kNarrow = {Op::LoadU8, Op::LoadI8, Op::LoadU16, Op::LoadI16};
    const Type& type = *node.type;
    Op op = type.isWide() ? Op::Load64 : Op::Load32;
    if (type.size < 4) op = kNarrow[(type.size == 2 ? 2u : 0u) + (type.isSigned() ? 1u : 0u)];
    return result(op, node, type.isWide(), address);
  }

  void emitStore(const Expression& node, Reg address, Reg value) {
    static constexpr std::array<Op, 4> kStores = {Op::Store8, Op::Store16, Op::Store32, Op::Store64};
    const std::uint32_t size = node.type->size;
    const std::size_t which = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    emit(kStores[which], node.span, 0, address, value);
  }

  /// The right side of an assignment comes first (C++17 [expr.ass]): where it is a variable that the
  /// left side changes (`a[i++] = i`), it is copied.
  Reg settled(Reg right, const Expression& left) {
    if (right >= variableEnd_ || !changesVariables(left)) return right;
    const bool isWide = wideVariable(right);
    const Reg copy = allocate(isWide);
    emit(isWide ? Op::Move64 : Op::Move32, left.span, copy, right);
    return copy;
  }

  bool wideVariable(Reg reg) const {
    return std::ranges::any_of(out_.variables,
                               [reg](const VariableRegister& v) { return v.reg == reg && v.type->isWide(); });
  }

  Reg store(const Expression& node) {
    const Reg value = settled(expression(*node.operands[1]), *node.operands[0]);
    const Reg address = expression(*node.operands[0]);
    emitStore(node, address, value);
    return value;
  }

  Reg update(const Expression& node) {
    const Reg right =
        node.operands[0] == nullptr ? Reg{0} : settled(expression(*node.operands[0]), *node.operands[1]);
    const Reg address = expression(*node.operands[1]);
    const Reg old = load(node, address);
    held_.push_back({old, right});
    const Reg value = expression(*node.operands[2]);
    held_.pop_back();
    emitStore(node, address, value);
    return node.yieldsOld ? old : value;
  }

  Reg setVariable(const Expression& node) {
    const VariableRegister& variable = out_.variables[node.index];
    const bool isWide = variable.type->isWide();
    const Reg value = expression(*node.operands[0]);
    Reg old = variable.reg;
    if (node.yieldsOld) {
      old = allocate(isWide);
      emit(isWide ? Op::Move64 : Op::Move32, node.span, old, variable.reg);
    }
    emit(isWide ? Op::Set64 : Op::Set32, node.span, variable.reg, value, 0, 0, node.index);
    return node.yieldsOld ? old : variable.reg;
  }

  Reg shuffle(const Expression& node) {
    const Reg mask = expression(*node.operands[0]);
    const bool isWide = node.type->isWide();
    const Reg value = expression(*node.operands[1]);
    const Reg lane = expression(*node.operands[2]);
    const Reg width = expression(*node.operands[3]);
    const Reg dst = result(isWide ? Op::Shuffle64 : Op::Shuffle32, node, isWide, value, lane, width,
                           static_cast<std::int64_t>(node.shuffle));
    out_.code.back().d = mask;
    return dst;
  }

  Reg call(const Expression& node) {
    const typed::Function& function = kernel_.functions[node.index];
    std::vector<Reg> arguments;
    for (const typed::ExpressionPtr& argument : node.operands) arguments.push_back(expression(*argument));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const VariableRegister& parameter = out_.variables[function.parameters[i]];
      emit(parameter.type->isWide() ? Op::Set64 : Op::Set32, node.operands[i]->span, parameter.reg,
           arguments[i], 0, 0, function.parameters[i]);
    }
    const std::uint32_t callerScope = std::exchange(functionScope_, depth_);
    auto callerLoops = std::exchange(loopScopes_, {});
    openScope(Op::ScopeBegin, node.span);
    statement(*function.body);
    closeScope(Op::ScopeEnd, node.span);
    functionScope_ = callerScope;
    loopScopes_ = std::move(callerLoops);
    if (!function.returnsValue) return 0;
    const VariableRegister& variable = out_.variables[function.result];
    const bool isWide = variable.type->isWide();
    const Reg copy = allocate(isWide);  // the next call writes the variable again
    emit(isWide ? Op::Move64 : Op::Move32, node.span, copy, variable.reg);
    return copy;
  }

  typed::Kernel kernel_;
  Bytecode out_;
  std::uint32_t next_ = 0;
  std::uint32_t variableEnd_ = 0;  ///< registers below it are variables
  std::uint32_t highest_ = 0;
  std::uint32_t pinned_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t functionScope_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loopScopes_;
  std::vector<std::array<Reg, 2>> held_;
  std::map<std::pair<std::uint64_t, bool>, Reg> constants_;
};

}  // namespace

Result<Bytecode> compile(typed::Kernel kernel) {
  const std::string name = kernel.name;
  try {
    return Compiler(std::move(kernel)).run();
  } catch (const TooLarge&) {
    return Error{fmt::format("{} is too large to be simulated.", name), "Split it into smaller kernels.", {}};
  }
}

}  // namespace lanescope
