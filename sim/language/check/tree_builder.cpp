#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"

// The nodes of the typed tree, and the faults that end a check.
namespace lanescope::checker {

namespace {

constexpr std::size_t kMaxVariables = 4096;

}  // namespace

void TreeBuilder::fail(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span)});
  throw CheckFault{};
}

void TreeBuilder::failTyping(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span)});
  diagnostics_.back().isOfTyping = true;
  throw CheckFault{};
}

void TreeBuilder::failUnknown(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span), true});
  throw CheckFault{};
}

void TreeBuilder::refuseSecret(bool isPrivate, std::string_view name, SourceSpan span) {
  if (!isPrivate || substitutions_ == 0) return;
  fail(span, fmt::format("whether a template may use the private member '{}' is not simulated", name),
       "make it public");
}

void TreeBuilder::failElsewhere(SourceSpan span, std::string message) {
  diagnostics_.push_back(
      {std::move(message),
       "give all source files of the program: lanescope-cli run main.cu other.cu, or check", at(span)});
  diagnostics_.back().isElsewhere = true;
  throw CheckFault{};
}

void TreeBuilder::giveUp(SourceSpan span) const {
  if (OwnStack::isLow())
    throw Exhausted{{"this is nested too deeply to be simulated", "use fewer levels", at(span)}};
  throw Exhausted{{"this kernel is too large to be simulated", "split it into smaller ones", at(span)}};
}

ExpressionPtr TreeBuilder::make(Kind kind, const Type* type, SourceSpan span) {
  if (++nodes_ > kMostNodes) giveUp(span);
  if (type->isStruct()) {  // each of its leaves is a register, and takes an instruction
    if (type->leaves > kMostLeavesOfValue)
      fail(span,
           fmt::format("{} has {}, more than the value of an expression has here", type->name(),
                       counted(type->leaves, "number")),
           "copy its members one by one, those of an array in a loop");
    spend(static_cast<std::size_t>(type->leaves / kLeavesOfWork), span);
  }
  auto node = std::make_unique<typed::Expression>();
  node->kind = kind;
  node->type = type;
  node->span = at(span);
  return node;
}

ExpressionPtr TreeBuilder::constant(const Type* type, std::uint64_t bits, SourceSpan span) {
  ExpressionPtr node = make(Kind::Constant, type, span);
  node->bits = bits;
  return node;
}

ExpressionPtr TreeBuilder::builtIn(typed::BuiltIn builtIn, SourceSpan span) {
  const bool isSigned = builtIn == typed::BuiltIn::WarpSize;
  ExpressionPtr node = make(Kind::BuiltIn, scalar(isSigned ? Type::Kind::I32 : Type::Kind::U32), span);
  node->builtIn = builtIn;
  return node;
}

ExpressionPtr TreeBuilder::setVariable(std::uint32_t variable, std::uint32_t offset, const Type* type,
                                       ExpressionPtr value, SourceSpan span) {
  ExpressionPtr result = make(Kind::SetVariable, type, span, std::move(value));
  result->index = variable;
  result->scale = offset;
  return result;
}

ExpressionPtr TreeBuilder::setVariable(std::uint32_t variable, ExpressionPtr value, SourceSpan span) {
  return setVariable(variable, 0, kernel_.variables[variable].type, std::move(value), span);
}

ExpressionPtr TreeBuilder::hold(std::string_view name, ExpressionPtr value, SourceSpan span,
                                std::uint32_t& variable) {
  variable = addVariable(std::string(name), value->type, span, false);
  return setVariable(variable, std::move(value), span);
}

ExpressionPtr TreeBuilder::wholeVariable(std::uint32_t index, SourceSpan span) {
  ExpressionPtr result = make(Kind::Variable, kernel_.variables[index].type, span);
  result->index = index;
  return result;
}

ExpressionPtr TreeBuilder::variableAddress(std::uint32_t index, SourceSpan span) {
  kernel_.variables[index].isAddressed = true;
  ExpressionPtr address = make(Kind::LocalAddress, pointerTo(kernel_.variables[index].type), span);
  address->index = index;
  return address;
}

ExpressionPtr TreeBuilder::makeBinary(typed::BinaryOp op, const Type* type, ExpressionPtr a, ExpressionPtr b,
                                      SourceSpan span) {
  ExpressionPtr result = make(Kind::Binary, type, span, std::move(a), std::move(b));
  result->op = op;
  return result;
}

ExpressionPtr TreeBuilder::makeTrap(typed::AssertKind kind, SourceSpan span) {
  ExpressionPtr result = make(Kind::Assert, voidType(), span, constant(boolType(), 0, span));
  result->index = static_cast<std::uint32_t>(kind);
  return result;
}

StatementPtr TreeBuilder::makeStatement(StatementKind kind, SourceSpan span) {
  auto statement = std::make_unique<typed::Statement>();
  statement->kind = kind;
  statement->span = at(span);
  return statement;
}

std::uint32_t TreeBuilder::addVariable(const std::string& name, const Type* type, SourceSpan span,
                                       bool isConst) {
  if (kernel_.variables.size() >= kMaxVariables) {
    fail(span, fmt::format("more than {} variables", kMaxVariables), "split the kernel");
  }
  if (type->size > kMaxSharedBytes)
    fail(span,
         fmt::format("{} has {} bytes, more local memory than a simulated thread has", name,
                     withCommas(type->size)),
         "keep it in global memory, and pass a pointer to it");
  // A variable of a library's function is, like a result, not a variable of the text.
  const std::string shown = librarySpan_ && !name.ends_with(")") ? functionName_ + "()" : name;
  kernel_.variables.push_back(
      {shown, type, at(span), isConst, type->isArray() || type->hasUnion, functionName_});
  return static_cast<std::uint32_t>(kernel_.variables.size() - 1);
}

const Type* TreeBuilder::promoted(const Type* type) const {
  if (type->isEnum()) return type->promotion;
  if (type->isInteger() && type->size < 4) return scalar(Type::Kind::I32);
  return type->size == 4 && type->underlying != nullptr ? type->underlying : type;  // wchar_t, char32_t
}

const Type* TreeBuilder::common(const Type* a, const Type* b) const {
  if (a->kind == Type::Kind::F64 || b->kind == Type::Kind::F64) return scalar(Type::Kind::F64);
  if (a->kind == Type::Kind::F32 || b->kind == Type::Kind::F32) return scalar(Type::Kind::F32);
  a = promoted(a);
  b = promoted(b);
  const auto rank = [](const Type* type) { return type->size < 8 ? 0 : type->underlying != nullptr ? 1 : 2; };
  if (rank(a) < rank(b)) std::swap(a, b);
  if (!a->isSigned() || b->isSigned() || a->size > b->size) return a;
  return rank(a) == rank(b) ? b : scalar(Type::Kind::U64);  // long long and unsigned long
}

}  // namespace lanescope::checker
