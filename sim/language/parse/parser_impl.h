#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"
#include "sim/language/text/token.h"

/// The parser's inside, shared by its source files. Not for other parts.
namespace lanescope::syntax {

inline constexpr std::string_view kTypeHint =
    "types are bool, char, short, int, unsigned, long long, size_t, float, double, their vectors such as "
    "float4, the structs and enums of this file, and pointers";

/// Thrown to leave a declaration or statement that cannot be read; caught within the parser.
struct SyntaxFault {};

/// Recursive descent over the tokens of one text.
class Parser {
 public:
  Parser(std::vector<Token> tokens, std::vector<Diagnostic>& diagnostics)
      : tokens_(std::move(tokens)), diagnostics_(diagnostics), namesHalfType_(namesHalfType(tokens_)) {}

  Unit unit();
  ExpressionPtr kernelName();

 private:
  /// Bounds the parser's own stack.
  class DepthGuard {
   public:
    explicit DepthGuard(Parser& parser);
    ~DepthGuard() { --parser_.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

   private:
    Parser& parser_;
  };

  // parser.cpp: tokens and types
  static bool namesHalfType(const std::vector<Token>& tokens);
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  const Token& take();
  bool accept(std::string_view text);
  SourceSpan lastSpan() const { return tokens_[at_ > 0 ? at_ - 1 : 0].span; }
  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint);
  std::string found() const;
  void expect(std::string_view text, std::string_view where);
  void expectTemplateEnd(std::string_view where);
  Token identifier(std::string_view what);
  void rejectOutside();
  void skipDeclaration();
  void skipStatement();
  std::size_t namespaceTokens(std::size_t ahead) const;
  std::string groupName(std::size_t ahead) const;
  bool isTypeStart(std::size_t ahead) const;
  bool isElaborated(std::size_t ahead) const;
  void qualifiers(TypeName& type);
  TypeName baseType();
  TypeName typeName();

  // parse_declarations.cpp
  void topLevel(Unit& result);
  bool declareType(Unit& result);
  void namespaceOrUsing(Unit& result);
  void structure(Unit& result, bool isTypedef);
  void enumeration(Unit& result, bool isTypedef);
  void alias(Unit& result, const std::string& name, TypeName type, SourceSpan span);
  void attributes(Function& function, bool& isDevice, bool& isConstant, bool& isHostOnly);
  void templateParameters(Function& function);
  void functionRest(Function& function, bool runsOnDevice);
  Parameter parameter();
  ExpressionPtr alignment();
  StatementPtr declaration();
  void declarators(Statement& statement, const TypeName& type);
  Declarator declarator();

  // parse_statements.cpp
  StatementPtr makeStatement(Statement::Kind kind, SourceSpan span);
  StatementPtr block();
  StatementPtr statement();
  StatementPtr endStatement(StatementPtr statement);
  bool isDeclarationStart() const;
  void rejectUnknownType() const;
  StatementPtr ifStatement(SourceSpan span);
  StatementPtr forStatement(SourceSpan span);
  StatementPtr whileStatement(SourceSpan span);
  StatementPtr doStatement(SourceSpan span);
  StatementPtr switchStatement(SourceSpan span);
  StatementPtr caseLabel(SourceSpan span, bool isDefault);

  // parse_expressions.cpp
  ExpressionPtr make(Expression::Kind kind, SourceSpan span);
  ExpressionPtr finish(ExpressionPtr node);
  ExpressionPtr over(Expression::Kind kind, const Token& op, ExpressionPtr left, ExpressionPtr right);
  ExpressionPtr expression();
  ExpressionPtr assignment();
  ExpressionPtr initializer();
  ExpressionPtr list();
  ExpressionPtr conditional();
  ExpressionPtr binary(std::size_t level);
  ExpressionPtr unary();
  ExpressionPtr sizeOf();
  ExpressionPtr postfix();
  ExpressionPtr memberAccess(ExpressionPtr object);
  void arguments(Expression& call, std::string_view end);
  ExpressionPtr inParentheses();
  std::vector<TemplateArgument> templateArguments();
  ExpressionPtr primary();
  ExpressionPtr literal(Expression::Kind kind);
  ExpressionPtr namedCast();
  ExpressionPtr typedValue();
  ExpressionPtr nameOrCall();

  std::vector<Token> tokens_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool inTemplateArguments_ = false;
  std::set<std::string, std::less<>> typeParameters_;  ///< of the template being read
  std::set<std::string, std::less<>> types_;           ///< structures, enumerations, aliases of the file
  std::set<std::string, std::less<>> templates_;       ///< function templates
  std::set<std::string, std::less<>> groupSpaces_ = {"cooperative_groups"};
  bool namesHalfType_ = true;  ///< half is a type, and no variable of the text
  bool usesGroups_ = false;    ///< using namespace cooperative_groups
};

}  // namespace lanescope::syntax
