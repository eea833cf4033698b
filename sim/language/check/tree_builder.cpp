#include "sim/language/check/tree_builder.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::checker {
namespace {

constexpr std::size_t kMaxVariables = 4096;

}  // namespace

void TreeBuilder::fail(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span)});
  throw CheckFault{};
}

void TreeBuilder::failUnknown(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span), true});
  throw CheckFault{};
}

typed::ExpressionPtr TreeBuilder::make(Kind kind, const Type* type, SourceSpan span) {
  auto node = std::make_unique<typed::Expression>();
  node->kind = kind;
  node->type = type;
  node->span = at(span);
  return node;
}

typed::ExpressionPtr TreeBuilder::constant(const Type* type, std::uint64_t bits, SourceSpan span) {
  ExpressionPtr node = make(Kind::Constant, type, span);
  node->bits = bits;
  return node;
}

typed::ExpressionPtr TreeBuilder::builtIn(typed::BuiltIn builtIn, SourceSpan span) {
  const bool isSigned = builtIn == typed::BuiltIn::WarpSize;
  ExpressionPtr node = make(Kind::BuiltIn, scalar(isSigned ? Type::Kind::I32 : Type::Kind::U32), span);
  node->builtIn = builtIn;
  return node;
}

typed::ExpressionPtr TreeBuilder::setVariable(std::uint32_t variable, std::uint32_t offset, const Type* type,
                                              ExpressionPtr value, SourceSpan span) {
  ExpressionPtr result = make(Kind::SetVariable, type, span, std::move(value));
  result->index = variable;
  result->scale = offset;
  return result;
}

typed::ExpressionPtr TreeBuilder::wholeVariable(std::uint32_t index, SourceSpan span) {
  ExpressionPtr result = make(Kind::Variable, kernel_.variables[index].type, span);
  result->index = index;
  return result;
}

typed::StatementPtr TreeBuilder::makeStatement(typed::Statement::Kind kind, SourceSpan span) {
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
  // A variable of a library's function is, like a result, not a variable of the text.
  const std::string shown = librarySpan_ && !name.ends_with(")") ? functionName_ + "()" : name;
  kernel_.variables.push_back(
      {shown, type, at(span), isConst, type->isArray() || type->hasUnion, functionName_});
  return static_cast<std::uint32_t>(kernel_.variables.size() - 1);
}

const Type* TreeBuilder::promoted(const Type* type) const {
  return type->isInteger() && type->size < 4 ? scalar(Type::Kind::I32) : type;
}

const Type* TreeBuilder::common(const Type* a, const Type* b) const {
  if (a->kind == Type::Kind::F64 || b->kind == Type::Kind::F64) return scalar(Type::Kind::F64);
  if (a->kind == Type::Kind::F32 || b->kind == Type::Kind::F32) return scalar(Type::Kind::F32);
  a = promoted(a);
  b = promoted(b);
  if (a->size != b->size) return a->size > b->size ? a : b;
  return a->isSigned() ? b : a;
}

}  // namespace lanescope::checker
