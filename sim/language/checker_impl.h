#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/syntax.h"
#include "sim/language/typed_tree.h"

/// The checker's inside, shared by its source files. Not for other parts.
namespace lanescope::checker {

/// Thrown to leave a statement that cannot be checked; caught in statement() and check().
struct CheckFault {};

/// What a name means in a scope.
struct Symbol {
  enum class Kind : std::uint8_t { Variable, SharedArray, Constant, TypeParameter } kind = Kind::Variable;
  std::uint32_t index = 0;     ///< Variable, SharedArray
  const Type* type = nullptr;  ///< of the variable, array or constant; the type a parameter stands for
  std::uint64_t bits = 0;      ///< Constant
};

/// Something that can be assigned to: a variable, or memory at an address.
struct Place {
  bool isVariable = false;
  std::uint32_t variable = 0;
  typed::ExpressionPtr address;  ///< pointer to `type`
  const Type* type = nullptr;
  bool isConst = false;
  SourceSpan span;
};

class Checker {
 public:
  Checker(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics)
      : unit_(unit), diagnostics_(diagnostics) {}

  /// Checks a kernel with template arguments as written; diagnostics tell what is wrong.
  typed::Kernel check(const syntax::Function& kernel, const syntax::Expression& name);

 private:
  using ExpressionPtr = typed::ExpressionPtr;
  using Kind = typed::Expression::Kind;

  // checker.cpp: functions, scopes, statements
  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint);
  void pushScope() { scopes_.emplace_back(); }
  void popScope() { scopes_.pop_back(); }
  void declare(const std::string& name, SourceSpan span, Symbol symbol);
  const Symbol* find(std::string_view name) const;
  const Type* resolve(const syntax::TypeName& name, std::uint32_t morePointers = 0);
  std::uint32_t addVariable(const std::string& name, const Type* type, SourceSpan span, bool isConst);
  void bindTemplateArguments(const syntax::Function& function,
                             const std::vector<syntax::TemplateArgument>& arguments, SourceSpan span);
  void bindKernelArguments(const syntax::Function& kernel, const syntax::Expression& name);
  void fileConstants();
  typed::StatementPtr statement(const syntax::Statement& node);
  typed::StatementPtr block(const syntax::Statement& node);
  typed::StatementPtr declaration(const syntax::Statement& node);
  void declareShared(const syntax::Statement& node, const syntax::Declarator& declarator);
  typed::StatementPtr declareLocal(const syntax::Statement& node, const syntax::Declarator& declarator);
  typed::StatementPtr ifStatement(const syntax::Statement& node);
  typed::StatementPtr loop(const syntax::Statement& node);
  typed::StatementPtr returnStatement(const syntax::Statement& node);
  typed::StatementPtr makeStatement(typed::Statement::Kind kind, SourceSpan span);
  std::uint64_t constantExtent(const syntax::Expression& node);

  // check_expressions.cpp
  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span);
  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span, ExpressionPtr a);
  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span, ExpressionPtr a, ExpressionPtr b);
  ExpressionPtr constant(const Type* type, std::uint64_t bits, SourceSpan span);
  ExpressionPtr expression(const syntax::Expression& node);
  ExpressionPtr value(const syntax::Expression& node);  ///< of arithmetic or pointer type
  ExpressionPtr condition(const syntax::Expression& node);
  ExpressionPtr integerLiteral(const syntax::Expression& node);
  ExpressionPtr floatingLiteral(const syntax::Expression& node);
  ExpressionPtr name(const syntax::Expression& node);
  ExpressionPtr member(const syntax::Expression& node);
  ExpressionPtr unary(const syntax::Expression& node);
  ExpressionPtr increment(const syntax::Expression& node, bool isPostfix);
  ExpressionPtr binary(const syntax::Expression& node);
  ExpressionPtr assign(const syntax::Expression& node);
  ExpressionPtr conditional(const syntax::Expression& node);
  ExpressionPtr cast(const syntax::Expression& node);
  ExpressionPtr sizeOf(const syntax::Expression& node);
  Place place(const syntax::Expression& node);
  Place indexed(const syntax::Expression& node);
  ExpressionPtr load(Place place);
  ExpressionPtr convert(ExpressionPtr value, const Type* type);
  ExpressionPtr convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span);
  ExpressionPtr toBool(ExpressionPtr value);
  ExpressionPtr arithmetic(typed::BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                           std::string_view sign);
  ExpressionPtr operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b, SourceSpan span);
  ExpressionPtr pointerStep(ExpressionPtr pointer, ExpressionPtr index, bool negative, SourceSpan span);
  const Type* promoted(const Type* type) const;
  const Type* common(const Type* a, const Type* b) const;
  const Type* scalar(Type::Kind kind) const { return kernel_.types->scalar(kind); }

  // check_calls.cpp
  ExpressionPtr call(const syntax::Expression& node);
  ExpressionPtr shuffle(const syntax::Expression& node, typed::ShuffleKind kind);
  ExpressionPtr minimumOrMaximum(const syntax::Expression& node, typed::BinaryOp op, Type::Kind kind);
  ExpressionPtr deviceCall(const syntax::Expression& node, const syntax::Function& function);
  std::uint32_t instantiate(const syntax::Function& function, const syntax::Expression& node);
  typed::Function functionBody(const syntax::Function& function);
  void expectArguments(const syntax::Expression& node, std::size_t least, std::size_t most);

  const syntax::Unit& unit_;
  std::vector<Diagnostic>& diagnostics_;
  typed::Kernel kernel_;
  std::vector<std::map<std::string, Symbol, std::less<>>> scopes_;
  std::vector<const syntax::Function*> underWay_;  ///< functions being checked, to find recursion
  std::map<std::string, std::uint32_t> instances_;
  const Type* returnType_ = nullptr;
  std::uint32_t resultVariable_ = 0;
  int loopDepth_ = 0;
};

}  // namespace lanescope::checker
