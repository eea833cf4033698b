#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/language/diagnostic.h"

/// The syntax tree: what is written, before names and types are known. Every node keeps its span.
namespace lanescope::syntax {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// A type as written: `const volatile float*`.
struct TypeName {
  std::string base;  ///< normalised: `unsigned`, `long long`, `float`, or a name
  bool isConst = false;
  bool isVolatile = false;
  std::uint32_t pointers = 0;  ///< number of `*`
  bool isReference = false;
  SourceSpan span;
};

/// An argument of a template: a type or a constant expression.
struct TemplateArgument {
  std::optional<TypeName> type;
  ExpressionPtr value;
};

struct Expression {
  enum class Kind : std::uint8_t {
    Integer,
    Floating,
    Boolean,
    String,       ///< text
    Name,         ///< text
    Unary,        ///< text is the operator: + - ! ~ * & ++ --
    Postfix,      ///< text: ++ --
    Binary,       ///< text; also && || and the comma
    Assign,       ///< text: = += -= …
    Conditional,  ///< operands: condition, then, else
    Call,         ///< text is the callee; operands the arguments
    Index,        ///< operands: base, index
    Member,       ///< operand; text is the member
    Cast,         ///< type; operand
    SizeOf,       ///< type, or an operand
  } kind = Kind::Integer;
  std::string text;
  SourceSpan span;
  SourceSpan operatorSpan;
  std::vector<ExpressionPtr> operands;
  std::vector<TemplateArgument> templateArguments;
  std::optional<TypeName> type;
  bool arrow = false;        ///< Member written with ->
  std::uint32_t height = 1;  ///< of the tree below it: what walks the tree is bounded by it
};

/// One declared name with its array extents and initial value.
struct Declarator {
  std::string name;
  SourceSpan span;
  std::uint32_t pointers = 0;  ///< `*` of its own, beyond the type's
  bool isReference = false;
  std::vector<ExpressionPtr> extents;  ///< a null extent is `[]`
  ExpressionPtr initial;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    Empty,
    Block,
    Declaration,
    Expression,
    If,
    For,
    While,
    Do,
    Break,
    Continue,
    Return,
  } kind = Kind::Empty;
  SourceSpan span;
  std::vector<StatementPtr> body;  ///< Block: all; If: then, else; loops: the body; For: init first
  ExpressionPtr condition;
  ExpressionPtr step;        ///< For
  ExpressionPtr expression;  ///< Expression, Return
  TypeName type;             ///< Declaration
  std::vector<Declarator> declarators;
  bool isShared = false;
  bool isExtern = false;
  bool isConstexpr = false;
};

struct Parameter {
  TypeName type;
  std::string name;
  SourceSpan span;
};

struct TemplateParameter {
  std::string name;
  bool isType = false;
  TypeName valueType;
};

struct Function {
  std::string name;
  SourceSpan span;  ///< of its name
  bool isKernel = false;
  std::vector<TemplateParameter> templateParameters;
  TypeName returnType;
  std::vector<Parameter> parameters;
  StatementPtr body;  ///< null for a declaration without one
};

/// A constant at file scope: `constexpr int kTile = 32;`.
struct Unit {
  std::vector<Function> functions;
  std::vector<StatementPtr> constants;
};

/// Parses a kernel text. What is outside the subset becomes a diagnostic in plain words; parsing
/// goes on behind it, so that several faults are told at once (at most 20).
Unit parse(const SourceText& source, std::vector<Diagnostic>& diagnostics);

/// Parses a kernel's name with template arguments, as a command line gives it: `name<128, true>`.
/// Null when it is not of that form.
ExpressionPtr parseKernelName(const SourceText& name);

}  // namespace lanescope::syntax
