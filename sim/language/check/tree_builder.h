#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/language/check/checker_state.h"

namespace lanescope::checker {

/// The values in a vector: an initializer list cannot hold values that cannot be copied.
template <class First, class... Others>
std::vector<First> formatList(First first, Others... others) {
  std::vector<First> list;
  list.push_back(std::move(first));
  (list.push_back(std::move(others)), ...);
  return list;
}

/// Makes the nodes of the typed tree and reports faults. It needs only the checker's state, not the text.
/// Private to the checker.
struct TreeBuilder : CheckerState {
  using CheckerState::CheckerState;
  using ExpressionPtr = typed::ExpressionPtr;
  using Kind = typed::Expression::Kind;

  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint);
  /// For an unknown name.
  [[noreturn]] void failUnknown(SourceSpan span, std::string message, std::string hint);
  /// The place in the text for the span: within a library's function, its call.
  SourceSpan at(SourceSpan span) const { return librarySpan_.value_or(span); }

  const Type* scalar(Type::Kind kind) const { return kernel_.types->scalar(kind); }
  const Type* promoted(const Type* type) const;
  /// The usual arithmetic conversions, C++20 [expr.arith.conv].
  const Type* common(const Type* a, const Type* b) const;
  std::uint32_t addVariable(const std::string& name, const Type* type, SourceSpan span, bool isConst);

  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span);
  template <class... Operands>
  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span, Operands... operands) {
    ExpressionPtr node = make(kind, type, span);
    (node->operands.push_back(std::move(operands)), ...);
    return node;
  }
  ExpressionPtr constant(const Type* type, std::uint64_t bits, SourceSpan span);
  ExpressionPtr builtIn(typed::BuiltIn builtIn, SourceSpan span);
  /// The whole value of a variable.
  ExpressionPtr wholeVariable(std::uint32_t index, SourceSpan span);
  ExpressionPtr setVariable(std::uint32_t variable, std::uint32_t offset, const Type* type,
                            ExpressionPtr value, SourceSpan span);
  typed::StatementPtr makeStatement(typed::Statement::Kind kind, SourceSpan span);
};

}  // namespace lanescope::checker
