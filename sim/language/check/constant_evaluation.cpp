#include "sim/language/check/constant_evaluation.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sim/base/own_stack.h"
#include "sim/language/check/lane_functions.h"

namespace lanescope {
namespace {

using typed::BinaryOp;
using Kind = typed::Expression::Kind;

bool isUnsigned64(const Type& type) { return type.kind == Type::Kind::U64; }

/// The result of a comparison. Empty for another operator.
template <class T>
std::optional<std::uint64_t> compared(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Less: return a < b ? 1 : 0;
    case BinaryOp::LessEqual: return a <= b ? 1 : 0;
    case BinaryOp::Equal: return a == b ? 1 : 0;
    case BinaryOp::NotEqual: return a != b ? 1 : 0;
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> combine(const Type& type, BinaryOp op, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const bool wide = isUnsigned64(type);
  const std::uint64_t width = type.size * 8;
  // The count has the type of the left side here. A negative count is a large one.
  const std::uint64_t shift = width == 32 ? static_cast<std::uint32_t>(ub) : ub;
  switch (op) {
    case BinaryOp::Add: return static_cast<std::int64_t>(ua + ub);
    case BinaryOp::Subtract: return static_cast<std::int64_t>(ua - ub);
    case BinaryOp::Multiply: return static_cast<std::int64_t>(ua * ub);
    case BinaryOp::Divide:
    case BinaryOp::Remainder: {
      if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
      if (wide) return static_cast<std::int64_t>(op == BinaryOp::Divide ? ua / ub : ua % ub);
      return op == BinaryOp::Divide ? a / b : a % b;
    }
    case BinaryOp::And: return a & b;
    case BinaryOp::Or: return a | b;
    case BinaryOp::Xor: return a ^ b;
    case BinaryOp::ShiftLeft: return shift < width ? static_cast<std::int64_t>(ua << shift) : 0;
    case BinaryOp::ShiftRight:
      if (wide) return shift < width ? static_cast<std::int64_t>(ua >> shift) : 0;
      return a >> std::min<std::uint64_t>(shift, 63);
    case BinaryOp::Minimum: return wide ? static_cast<std::int64_t>(std::min(ua, ub)) : std::min(a, b);
    case BinaryOp::Maximum: return wide ? static_cast<std::int64_t>(std::max(ua, ub)) : std::max(a, b);
    default: return wide ? compared(op, ua, ub) : compared(op, a, b);
  }
}

/// True if an integer type holds the value cut to a whole number. Beyond its range the machine saturates
/// (narrow types: as int, and then wraps), so the conversion is left to the machine.
bool fits(const Type& type, double value) {
  switch (type.kind) {
    case Type::Kind::I64: return value > -9.0e18 && value < 9.0e18;
    case Type::Kind::U64: return value > -1.0 && value < 9.0e18;
    case Type::Kind::U32: return value > -1.0 && value < 4294967296.0;
    default: return value > -2147483649.0 && value < 2147483648.0;
  }
}

std::optional<std::uint64_t> convert(const Type& from, const Type& to, std::uint64_t bits) {
  if (!from.isArithmetic() || !to.isArithmetic()) return std::nullopt;
  if (from.isFloating()) {
    const double value = floatingValue(from, bits);
    if (to.isFloating()) return floatingBits(to, value);
    if (to.kind == Type::Kind::Bool) return value != 0 ? 1 : 0;
    if (!fits(to, value)) return std::nullopt;
    return constantBits(to, static_cast<std::int64_t>(value));
  }
  const std::int64_t value = constantValue(from, bits);
  if (!to.isFloating()) return constantBits(to, value);
  if (isUnsigned64(from)) return std::nullopt;
  if (to.kind == Type::Kind::F32) {  // one rounding, not two
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return floatingBits(to, static_cast<double>(value));
}

}  // namespace

double floatingValue(const Type& type, std::uint64_t bits) {
  if (type.kind == Type::Kind::F64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::optional<std::uint64_t> foldedBits(const typed::Expression& node, std::uint64_t first,
                                        std::uint64_t second) {
  const Type& from = *node.operands[0]->type;
  switch (node.kind) {
    case Kind::Convert: return convert(from, *node.type, first);
    case Kind::LogicalNot: return constantValue(from, first) == 0 ? 1 : 0;
    case Kind::Negate:
      if (node.type->isFloating()) return floatingBits(*node.type, -floatingValue(from, first));
      return constantBits(
          *node.type, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(constantValue(from, first))));
    case Kind::BitNot: return constantBits(*node.type, ~constantValue(from, first));
    case Kind::LogicalAnd: return (first != 0 && second != 0) ? 1 : 0;
    case Kind::LogicalOr: return (first != 0 || second != 0) ? 1 : 0;
    case Kind::Binary: {
      if (!from.isInteger()) return std::nullopt;
      const auto value =
          combine(from, node.op, constantValue(from, first), constantValue(*node.operands[1]->type, second));
      if (!value) return std::nullopt;
      return constantBits(*node.type, *value);
    }
    default: return std::nullopt;
  }
}

std::uint64_t constantBits(const Type& type, std::int64_t value) {
  switch (type.kind) {
    case Type::Kind::Bool: return value != 0 ? 1 : 0;
    // Narrow integers live in 32-bit registers, extended as their type says.
    case Type::Kind::I8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case Type::Kind::U8: return static_cast<std::uint8_t>(value);
    case Type::Kind::I16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    case Type::Kind::U16: return static_cast<std::uint16_t>(value);
    case Type::Kind::I32:
    case Type::Kind::U32: return static_cast<std::uint32_t>(value);
    case Type::Kind::F32:
    case Type::Kind::F64: return floatingBits(type, static_cast<double>(value));
    default: return static_cast<std::uint64_t>(value);
  }
}

std::int64_t constantValue(const Type& type, std::uint64_t bits) {
  switch (type.kind) {
    case Type::Kind::I8:
    case Type::Kind::I16:
    case Type::Kind::I32: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
  }
}

std::uint64_t floatingBits(const Type& type, double value) {
  if (type.kind == Type::Kind::F64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

typed::ExpressionPtr fold(typed::ExpressionPtr expression) {
  typed::Expression& node = *expression;
  if (node.operands.empty() || node.operands.size() > 2) return expression;
  for (const typed::ExpressionPtr& operand : node.operands) {
    if (operand->kind != Kind::Constant) return expression;
  }
  const std::uint64_t second = node.operands.size() > 1 ? node.operands[1]->bits : 0;
  const std::optional<std::uint64_t> bits = foldedBits(node, node.operands[0]->bits, second);
  if (!bits) return expression;
  auto constant = std::make_unique<typed::Expression>();
  constant->kind = Kind::Constant;
  constant->type = node.type;
  constant->span = node.span;
  constant->bits = *bits;
  return constant;
}

namespace {

using Bytes = std::vector<std::byte>;

constexpr int kMostDepth = 4096;  // of the tree, through all calls
constexpr std::size_t kMostCalls = 256;
constexpr std::size_t kBytesOfStep = 32;

/// Ends an evaluation; caught in ConstantEvaluator.
struct NotConstant {};

/// The parts of a pointer: its kind of target, the call that owns the variable (1 to 2^14), the variable's or
/// symbol's index, and bytes into it.
constexpr std::uint64_t kOfVariable = std::uint64_t{1} << 62;
constexpr std::uint64_t kOfSymbol = std::uint64_t{2} << 62;
constexpr std::uint64_t kOffset = 0xffffffffu;

std::size_t findIndex(std::uint64_t pointer) { return pointer >> 32 & 0xffffu; }
std::size_t makeCall(std::uint64_t pointer) { return pointer >> 48 & 0x3fffu; }
bool isOfSymbol(std::uint64_t pointer) { return (pointer & kOfSymbol) != 0; }

std::uint64_t movedBy(std::uint64_t pointer, std::int64_t bytes) {
  return (pointer & ~kOffset) | ((pointer + static_cast<std::uint64_t>(bytes)) & kOffset);
}

bool isInMemory(const Type& type) { return type.isStruct() || type.isArray(); }

/// A scalar's bits, a struct's bytes.
struct Value {
  std::uint64_t bits = 0;
  Bytes bytes{};
};

std::uint64_t bitsIn(const Type& type, std::span<const std::byte> from) {
  std::uint64_t raw = 0;
  std::memcpy(&raw, from.data(), std::min<std::size_t>(type.size, sizeof raw));
  return type.isInteger() ? constantBits(type, static_cast<std::int64_t>(raw)) : raw;
}

/// Floating operators, each rounded. Empty for another operator.
std::optional<std::uint64_t> floating(const typed::Expression& node, std::uint64_t first,
                                      std::uint64_t second) {
  const Type& type = *node.operands[0]->type;
  const double a = floatingValue(type, first);
  const double b = floatingValue(type, second);
  // A float's sum, product and quotient are correctly rounded if computed in double (Figueroa, 1995).
  switch (node.op) {
    case BinaryOp::Add: return floatingBits(type, a + b);
    case BinaryOp::Subtract: return floatingBits(type, a - b);
    case BinaryOp::Multiply: return floatingBits(type, a * b);
    case BinaryOp::Divide:
      if (b == 0) return std::nullopt;
      return floatingBits(type, a / b);
    default: return compared(node.op, a, b);
  }
}

class Evaluation {
 public:
  Evaluation(const typed::Kernel& kernel, int& steps) : kernel_(kernel), steps_(steps), calls_(1) {}

  Value value(const typed::Expression& node) {
    const Deeper deeper(*this);
    switch (node.kind) {
      case Kind::Constant: return {node.bits};
      case Kind::Variable: return variable(node);
      case Kind::LocalAddress: return {local(node)};
      case Kind::Make: return madeValue(node);
      case Kind::Member: return part(*node.type, inMemory(node, 0), static_cast<std::size_t>(node.scale));
      case Kind::Held: return held(node);
      case Kind::Convert: return converted(node);
      case Kind::Negate:
      case Kind::BitNot:
      case Kind::LogicalNot: return {known(foldedBits(node, bits(node, 0), 0))};
      case Kind::Binary: return {binary(node)};
      case Kind::Bits: return {ofBits(node)};
      case Kind::LogicalAnd: return {bits(node, 0) != 0 && bits(node, 1) != 0 ? 1u : 0u};
      case Kind::LogicalOr: return {bits(node, 0) != 0 || bits(node, 1) != 0 ? 1u : 0u};
      case Kind::Conditional: return value(*node.operands[bits(node, 0) != 0 ? 1 : 2]);
      case Kind::PointerAdd: return {pointerAdd(node)};
      case Kind::PointerDifference: return {pointerDifference(node)};
      case Kind::Load: return load(*node.type, bits(node, 0));
      case Kind::Store: return stored(node);
      case Kind::Update: return updated(node);
      case Kind::SetVariable: return set(node);
      case Kind::Sequence: value(*node.operands[0]); return value(*node.operands[1]);
      case Kind::Call: return called(node);
      case Kind::Assert:
        if (bits(node, 0) == 0) throw NotConstant{};
        return {};
      default: throw NotConstant{};
    }
  }

  Bytes toBytes(const Type& type, Value value) const {
    if (isInMemory(type)) return std::move(value.bytes);
    Bytes result(type.size);
    std::memcpy(result.data(), &value.bits, std::min(result.size(), sizeof value.bits));
    return result;
  }

 private:
  std::uint64_t ofBits(const typed::Expression& node) {
    const std::uint64_t operand = bits(node, 0);
    if (node.operands[0]->type->size == 8) return lane::bits(node.bitOp, operand);
    return lane::bits(node.bitOp, static_cast<std::uint32_t>(operand));
  }

  enum class Flow : std::uint8_t { Next, Break, Continue, Return };

  /// Counts one step, and one more level of the tree.
  struct Deeper {
    explicit Deeper(Evaluation& of) : evaluation(of) {
      if (--of.steps_ < 0 || ++of.depth_ > kMostDepth || OwnStack::isLow()) throw NotConstant{};
    }
    ~Deeper() { --evaluation.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

    Evaluation& evaluation;
  };

  template <typename T>
  static T known(std::optional<T> value) {
    if (!value) throw NotConstant{};
    return *std::move(value);
  }

  std::uint64_t bits(const typed::Expression& node, std::size_t operand) {
    return value(*node.operands[operand]).bits;
  }

  Bytes inMemory(const typed::Expression& node, std::size_t operand) {
    const typed::Expression& of = *node.operands[operand];
    return toBytes(*of.type, value(of));
  }

  /// Copies count as steps, too.
  void copy(std::size_t bytes) {
    steps_ -= static_cast<int>(bytes / kBytesOfStep);
    if (steps_ < 0) throw NotConstant{};
  }

  Value part(const Type& type, std::span<const std::byte> whole, std::size_t at) {
    if (at > whole.size() || type.size > whole.size() - at) throw NotConstant{};
    copy(type.size);
    const auto bytes = whole.subspan(at, type.size);
    if (isInMemory(type)) return {0, Bytes(bytes.begin(), bytes.end())};
    return {bitsIn(type, bytes)};
  }

  // --- memory ---

  /// The value of a variable at the call. The expression itself has no variables except its temporaries,
  /// whose names no text can spell.
  Bytes& variableAt(std::size_t call, std::size_t index) {
    const auto [found, isNew] = calls_[call].try_emplace(static_cast<std::uint32_t>(index));
    if (isNew && call == 0 && !kernel_.variables[index].name.starts_with('(')) throw NotConstant{};
    if (isNew) {
      copy(kernel_.variables[index].type->size);
      found->second.resize(kernel_.variables[index].type->size);
    }
    return found->second;
  }

  Value variable(const typed::Expression& node) {
    const auto symbol = std::ranges::find(kernel_.symbols, node.index, &typed::GlobalSymbol::variable);
    if (symbol != kernel_.symbols.end()) {
      const auto index = static_cast<std::uint64_t>(symbol - kernel_.symbols.begin());
      if (index > 0xffffu) throw NotConstant{};
      return {kOfSymbol | index << 32};
    }
    const auto& variables = calls_.back();
    const auto found = variables.find(node.index);
    if (found == variables.end()) throw NotConstant{};
    return part(*node.type, found->second, static_cast<std::size_t>(node.scale));
  }

  std::uint64_t local(const typed::Expression& node) {
    const std::size_t call = calls_.size() - 1;
    variableAt(call, node.index);
    return movedBy(kOfVariable | std::uint64_t{call} << 48 | std::uint64_t{node.index} << 32, node.scale);
  }

  Value load(const Type& type, std::uint64_t pointer) {
    const std::size_t at = pointer & kOffset;
    if (pointer == 0) throw NotConstant{};
    if (!isOfSymbol(pointer)) return part(type, target(pointer), at);
    const typed::GlobalSymbol& symbol = kernel_.symbols[findIndex(pointer)];
    const bool holdsAddress = std::ranges::any_of(symbol.addresses, [&](const typed::SymbolAddress& address) {
      return address.at + sizeof(std::uint64_t) > at && address.at < at + type.size;
    });
    const bool isConst = symbol.isText || kernel_.variables[symbol.variable].type->elementIsConst;
    if (!isConst || holdsAddress || symbol.bytes.empty()) throw NotConstant{};
    return part(type, symbol.bytes, at);
  }

  Bytes& target(std::uint64_t pointer) {
    if (pointer == 0 || isOfSymbol(pointer) || makeCall(pointer) >= calls_.size()) throw NotConstant{};
    return variableAt(makeCall(pointer), findIndex(pointer));
  }

  void store(const Type& type, std::uint64_t pointer, const Value& value) {
    put(type, target(pointer), pointer & kOffset, value);
  }

  void put(const Type& type, Bytes& into, std::size_t at, const Value& value) {
    copy(type.size);
    const Bytes bytes = toBytes(type, value);
    if (at > into.size() || bytes.size() > into.size() - at) throw NotConstant{};
    std::ranges::copy(bytes, into.begin() + static_cast<std::ptrdiff_t>(at));
  }

  Value stored(const typed::Expression& node) {
    Value right = value(*node.operands[1]);
    store(*node.type, bits(node, 0), right);
    return right;
  }

  Value set(const typed::Expression& node) {
    Value right = value(*node.operands[0]);
    Bytes& variable = variableAt(calls_.size() - 1, node.index);
    const auto at = static_cast<std::size_t>(node.scale);
    Value old = node.yieldsOld ? part(*node.type, variable, at) : Value{};
    put(*node.type, variable, at, right);
    return node.yieldsOld ? old : right;
  }

  Value updated(const typed::Expression& node) {
    const Value right = node.operands[0] != nullptr ? value(*node.operands[0]) : Value{};
    const std::uint64_t pointer = bits(node, 1);
    const Value old = load(*node.type, pointer);
    held_.push_back({old, right});
    Value result = value(*node.operands[2]);
    held_.pop_back();
    store(*node.type, pointer, result);
    return node.yieldsOld ? old : result;
  }

  Value held(const typed::Expression& node) const {
    if (held_.empty()) throw NotConstant{};
    return node.index == 0 ? held_.back().first : held_.back().second;
  }

  // --- operators ---

  Value madeValue(const typed::Expression& node) {
    if (!isInMemory(*node.type)) return {};
    copy(node.type->size);
    Value result{0, Bytes(node.type->size)};
    if (node.operands.empty()) return result;
    const std::vector<Leaf> leaves = findLeaves(*node.type);
    if (leaves.size() != node.operands.size()) throw NotConstant{};
    for (std::size_t i = 0; i < leaves.size(); ++i)
      put(*leaves[i].type, result.bytes, leaves[i].offset, value(*node.operands[i]));
    return result;
  }

  Value converted(const typed::Expression& node) {
    const Type& from = *node.operands[0]->type;
    Value operand = value(*node.operands[0]);
    if (node.type->kind == Type::Kind::Void || (from.isPointer() && node.type->isPointer())) return operand;
    if (from.isPointer() && node.type->kind == Type::Kind::Bool) return {operand.bits != 0 ? 1u : 0u};
    if (from.kind == Type::Kind::U64 && node.type->kind == Type::Kind::F64)
      return {floatingBits(*node.type, static_cast<double>(operand.bits))};
    return {known(foldedBits(node, operand.bits, 0))};
  }

  std::uint64_t binary(const typed::Expression& node) {
    const Type& type = *node.operands[0]->type;
    const auto [first, second] = bothBits(node);
    if (type.isFloating()) return known(floating(node, first, second));
    if (!type.isPointer()) return known(foldedBits(node, first, second));
    const bool isOrder = node.op == BinaryOp::Less || node.op == BinaryOp::LessEqual;
    if (isOrder && (first & ~kOffset) != (second & ~kOffset)) throw NotConstant{};
    return known(compared(node.op, first, second));
  }

  /// The operands of a node, evaluated in the order of C++.
  std::pair<std::uint64_t, std::uint64_t> bothBits(const typed::Expression& node) {
    const std::uint64_t first = bits(node, node.isRightFirst ? 1 : 0);
    const std::uint64_t second = bits(node, node.isRightFirst ? 0 : 1);
    return node.isRightFirst ? std::pair(second, first) : std::pair(first, second);
  }

  std::uint64_t pointerAdd(const typed::Expression& node) {
    const auto [pointer, steps] = bothBits(node);
    if (pointer == 0) throw NotConstant{};
    return movedBy(pointer, constantValue(*node.operands[1]->type, steps) * node.scale);
  }

  std::uint64_t pointerDifference(const typed::Expression& node) {
    const std::uint64_t first = bits(node, 0);
    const std::uint64_t second = bits(node, 1);
    if ((first & ~kOffset) != (second & ~kOffset) || node.scale == 0) throw NotConstant{};
    return constantBits(*node.type, static_cast<std::int64_t>(first - second) / node.scale);
  }

  // --- calls and statements ---

  Value called(const typed::Expression& node) {
    const typed::Function& function = kernel_.functions[node.index];
    if (function.body == nullptr || function.isForRuns || calls_.size() > kMostCalls ||
        function.parameters.size() != node.operands.size())
      throw NotConstant{};
    std::map<std::uint32_t, Bytes> variables;
    for (std::size_t n = 0; n < node.operands.size(); ++n) {
      const std::size_t i = node.isRightFirst ? node.operands.size() - 1 - n : n;
      variables[function.parameters[i]] = inMemory(node, i);
    }
    calls_.push_back(std::move(variables));
    result_ = {};
    if (run(*function.body) != Flow::Return && function.returnsValue) throw NotConstant{};
    calls_.pop_back();
    return std::exchange(result_, {});
  }

  Flow run(const typed::Statement& node) {
    const Deeper deeper(*this);
    using Statement = typed::Statement::Kind;
    switch (node.kind) {
      case Statement::Block: return runFrom(node, 0);
      case Statement::Expression: value(*node.expression); return Flow::Next;
      case Statement::If: {
        const std::size_t chosen = value(*node.expression).bits != 0 ? 0 : 1;
        return chosen < node.body.size() ? run(*node.body[chosen]) : Flow::Next;
      }
      case Statement::Loop: return loop(node);
      case Statement::Switch: return switched(node);
      case Statement::Case: return Flow::Next;
      case Statement::Break: return Flow::Break;
      case Statement::Continue: return Flow::Continue;
      case Statement::Return:
        if (node.expression != nullptr) result_ = value(*node.expression);
        return Flow::Return;
      default: throw NotConstant{};
    }
  }

  Flow runFrom(const typed::Statement& node, std::size_t first) {
    for (std::size_t i = first; i < node.body.size(); ++i) {
      if (const Flow flow = run(*node.body[i]); flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  Flow loop(const typed::Statement& node) {
    const auto goesOn = [&] { return node.expression == nullptr || value(*node.expression).bits != 0; };
    for (bool isFirst = true; (isFirst && node.testsAtEnd) || goesOn(); isFirst = false) {
      const Flow flow = runFrom(node, 0);
      if (flow == Flow::Break) break;
      if (flow == Flow::Return) return flow;
      if (node.step != nullptr) value(*node.step);
    }
    return Flow::Next;
  }

  Flow switched(const typed::Statement& node) {
    const std::uint64_t subject = value(*node.expression).bits;
    const auto isCase = [](const typed::StatementPtr& one) {
      return one->kind == typed::Statement::Kind::Case;
    };
    auto begin = std::ranges::find_if(node.body, [&](const typed::StatementPtr& one) {
      return isCase(one) && !one->isDefault && one->bits == subject;
    });
    if (begin == node.body.end()) {
      begin = std::ranges::find_if(
          node.body, [&](const typed::StatementPtr& one) { return isCase(one) && one->isDefault; });
    }
    const Flow flow = runFrom(node, static_cast<std::size_t>(begin - node.body.begin()));
    return flow == Flow::Break ? Flow::Next : flow;
  }

  const typed::Kernel& kernel_;
  int& steps_;  ///< left
  int depth_ = 0;
  /// Variables of the calls; the first entry: of the expression itself.
  std::vector<std::map<std::uint32_t, Bytes>> calls_;
  std::vector<std::pair<Value, Value>> held_;
  Value result_;  ///< of the call that returned last
};

}  // namespace

std::optional<std::vector<std::byte>> ConstantEvaluator::toBytes(const typed::Expression& expression) {
  try {
    Evaluation evaluation(kernel_, steps_);
    return evaluation.toBytes(*expression.type, evaluation.value(expression));
  } catch (const NotConstant&) {
    return std::nullopt;
  }
}

std::optional<std::uint64_t> ConstantEvaluator::computeBits(const typed::Expression& expression) {
  try {
    return Evaluation(kernel_, steps_).value(expression).bits;
  } catch (const NotConstant&) {
    return std::nullopt;
  }
}

std::optional<typed::SymbolAddress> ConstantEvaluator::makeAddress(std::uint64_t pointer) {
  if (!isOfSymbol(pointer)) return std::nullopt;
  typed::SymbolAddress address;
  address.symbol = static_cast<std::uint32_t>(findIndex(pointer));
  address.offset = static_cast<std::int32_t>(pointer & kOffset);
  return address;
}

}  // namespace lanescope
