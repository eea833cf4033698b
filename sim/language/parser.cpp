#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/language/syntax.h"
#include "sim/language/token.h"

namespace lanescope::syntax {
namespace {

constexpr std::size_t kMaxDiagnostics = 20;
/// Nesting of expressions and statements; bounds the parser's own stack.
constexpr int kMaxDepth = 200;
/// Height of an expression's tree: a chain of operators is as deep as it is long.
constexpr std::uint32_t kMaxHeight = 1000;

/// Thrown to leave a declaration or statement that cannot be read; caught within this file.
struct SyntaxFault {};

const std::set<std::string_view> kTypeWords = {
    "void",    "bool",     "char",    "short",    "int",    "long",    "float",   "double",
    "signed",  "unsigned", "auto",    "size_t",   "int8_t", "uint8_t", "int16_t", "uint16_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t", "float2", "float3",  "float4",  "int2",
    "int3",    "int4",     "uint2",   "uint3",    "uint4",  "double2"};

const std::set<std::string_view> kQualifiers = {"const", "volatile", "__restrict__", "__restrict",
                                                "restrict"};

/// Words of C++ that begin something outside the subset, and what to do instead.
const std::map<std::string_view, std::string_view> kOutside = {
    {"switch", "write a chain of if and else"},
    {"goto", "write a loop or an if"},
    {"struct", "use separate variables"},
    {"class", "use separate variables"},
    {"union", "use separate variables"},
    {"enum", "use constexpr int constants"},
    {"try", "kernels have no exceptions"},
    {"throw", "kernels have no exceptions"},
    {"new", "use shared memory or an argument"},
    {"delete", "use shared memory or an argument"},
    {"asm", "write it in CUDA C++"},
    {"namespace", "put the kernel at file scope"},
    {"using", "write the full name"},
    {"typedef", "write the full type"},
};

/// Binary operators by binding strength, weakest first.
constexpr std::array<std::array<std::string_view, 4>, 10> kLevels = {{
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<", ">", "<=", ">="},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};

constexpr std::array<std::string_view, 11> kAssignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::vector<Diagnostic>& diagnostics)
      : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

  Unit unit() {
    Unit result;
    while (peek().kind != TokenKind::End && diagnostics_.size() < kMaxDiagnostics) {
      try {
        topLevel(result);
      } catch (const SyntaxFault&) {
        skipDeclaration();
      }
    }
    return result;
  }

  ExpressionPtr kernelName() {
    try {
      if (peek().kind != TokenKind::Identifier) return nullptr;
      ExpressionPtr call = make(Expression::Kind::Name, peek().span);
      call->text = take().text;
      if (accept("<")) templateArguments(*call);
      return peek().kind == TokenKind::End ? std::move(call) : nullptr;
    } catch (const SyntaxFault&) {
      return nullptr;
    }
  }

 private:
  // --- tokens ---
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(std::string_view text) {
    if (!peek().is(text)) return false;
    take();
    return true;
  }
  SourceSpan lastSpan() const { return tokens_[at_ > 0 ? at_ - 1 : 0].span; }

  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint) {
    diagnostics_.push_back({std::move(message), std::move(hint), span});
    throw SyntaxFault{};
  }

  std::string found() const {
    return peek().kind == TokenKind::End ? "the text ends" : fmt::format("found '{}'", peek().text);
  }

  void expect(std::string_view text, std::string_view where) {
    if (accept(text)) return;
    // A missing ; or ) is best shown just behind what stands before it.
    const bool behind = text == ";" || text == ")" || text == "]";
    const SourceSpan last = lastSpan();
    const SourceSpan span = behind && at_ > 0 ? SourceSpan{last.end, last.end + 1} : peek().span;
    fail(span, fmt::format("expected '{}' {}, but {}", text, where, found()),
         fmt::format("write {} here", text));
  }

  Token identifier(std::string_view what) {
    if (peek().kind != TokenKind::Identifier || isTypeStart(0)) {
      fail(peek().span, fmt::format("expected {}, but {}", what, found()), "give it a name");
    }
    return take();
  }

  void rejectOutside() {
    const auto outside = kOutside.find(peek().text);
    if (peek().kind == TokenKind::Identifier && outside != kOutside.end()) {
      fail(peek().span, fmt::format("'{}' is not in the subset of CUDA C++ that is simulated", peek().text),
           std::string(outside->second));
    }
  }

  /// After a fault: on to the end of the declaration, over matched braces.
  void skipDeclaration() {
    int depth = 0;
    bool moved = false;
    while (peek().kind != TokenKind::End) {
      if (moved && depth <= 0 && (peek().is("__global__") || peek().is("template"))) return;
      const Token token = take();
      moved = true;
      if (token.is("{")) ++depth;
      if (token.is("}") && --depth <= 0) return;
      if (token.is(";") && depth <= 0 && !peek().is("}")) return;
    }
  }

  class DepthGuard {
   public:
    explicit DepthGuard(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) {
        --parser_.depth_;
        parser_.fail(parser_.peek().span, "this is nested too deeply to be simulated",
                     "split it into several statements");
      }
    }
    ~DepthGuard() { --parser_.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

   private:
    Parser& parser_;
  };

  // --- types ---
  bool isTypeStart(std::size_t ahead) const {
    const Token& token = peek(ahead);
    return token.kind == TokenKind::Identifier &&
           (kTypeWords.contains(token.text) || kQualifiers.contains(token.text) ||
            typeParameters_.contains(token.text));
  }

  void qualifiers(TypeName& type) {
    while (kQualifiers.contains(peek().text) && peek().kind == TokenKind::Identifier) {
      const Token token = take();
      if (token.is("const")) type.isConst = true;
      if (token.is("volatile")) type.isVolatile = true;
    }
  }

  TypeName baseType() {
    TypeName type;
    type.span = peek().span;
    int longs = 0;
    bool isUnsigned = false;
    bool isSigned = false;
    std::string word;
    for (qualifiers(type); isTypeStart(0); qualifiers(type)) {
      const std::string_view text = peek().text;
      if (text == "long") {
        ++longs;
      } else if (text == "unsigned") {
        isUnsigned = true;
      } else if (text == "signed") {
        isSigned = true;
      } else if (word.empty() || (text == "int" && word == "short")) {
        if (word.empty()) word = text;
      } else {
        break;
      }
      take();
    }
    if (word.empty() && longs == 0 && !isUnsigned && !isSigned) {
      rejectOutside();
      fail(peek().span, fmt::format("expected a type, but {}", found()),
           "types are bool, char, short, int, unsigned, long long, size_t, float and double, and pointers");
    }
    if (word == "long") word.clear();
    type.base = normalise(word, isUnsigned, longs);
    type.span.end = lastSpan().end;
    return type;
  }

  static std::string normalise(const std::string& word, bool isUnsigned, int longs) {
    static const std::map<std::string_view, std::string_view> kAliases = {{"int8_t", "char"},
                                                                          {"uint8_t", "unsigned char"},
                                                                          {"int16_t", "short"},
                                                                          {"uint16_t", "unsigned short"},
                                                                          {"int32_t", "int"},
                                                                          {"uint32_t", "unsigned"},
                                                                          {"int64_t", "long long"},
                                                                          {"uint64_t", "unsigned long long"},
                                                                          {"size_t", "unsigned long long"}};
    if (const auto alias = kAliases.find(word); alias != kAliases.end()) return std::string(alias->second);
    std::string base = longs > 0 && word != "double" ? "long long" : word.empty() ? "int" : word;
    if (!isUnsigned) return base;
    return base == "int" ? "unsigned" : "unsigned " + base;
  }

  TypeName typeName() {
    TypeName type = baseType();
    while (accept("*")) {
      ++type.pointers;
      TypeName ofPointer;
      qualifiers(ofPointer);
    }
    if (accept("&")) type.isReference = true;
    type.span.end = lastSpan().end;
    return type;
  }

  // --- file scope ---
  void topLevel(Unit& result) {
    if (accept(";")) return;
    rejectOutside();
    Function function;
    typeParameters_.clear();
    if (accept("template")) templateParameters(function);
    bool isDevice = false;
    bool isConstant = false;
    const std::size_t begin = at_;
    while (true) {
      if (accept("__global__")) {
        function.isKernel = true;
      } else if (accept("__device__") || accept("__host__")) {
        isDevice = true;
      } else if (accept("constexpr") || accept("__constant__")) {
        isConstant = true;
      } else if (accept("__launch_bounds__")) {
        expect("(", "after __launch_bounds__");
        while (peek().kind != TokenKind::End && !peek().is(")")) take();
        expect(")", "after the launch bounds");
      } else if (!accept("static") && !accept("inline") && !accept("__forceinline__") &&
                 !accept("__noinline__") && !accept("extern")) {
        break;
      } else if (peek().kind == TokenKind::String) {
        fail(peek().span, "extern \"C\" is not in the subset that is simulated", "remove it");
      }
    }
    const SourceSpan start = tokens_[begin].span;
    const TypeName type = typeName();
    if (accept("__launch_bounds__")) {
      while (peek().kind != TokenKind::End && !accept(")")) take();
    }
    if (peek(1).is("(")) {
      function.returnType = type;
      functionRest(function, function.isKernel || isDevice);
      if (function.body != nullptr) result.functions.push_back(std::move(function));
      return;
    }
    if (!isConstant && !type.isConst) {
      fail(start, "a variable at file scope is not in the subset that is simulated",
           "pass it as an argument, or make it constexpr");
    }
    auto statement = std::make_unique<Statement>();
    statement->kind = Statement::Kind::Declaration;
    statement->isConstexpr = true;
    declarators(*statement, type);
    result.constants.push_back(std::move(statement));
  }

  void templateParameters(Function& function) {
    expect("<", "after template");
    do {
      TemplateParameter parameter;
      if (accept("typename") || accept("class")) {
        parameter.isType = true;
        const Token name = identifier("the name of a template parameter");
        parameter.name = name.text;
        typeParameters_.insert(name.text);
      } else {
        parameter.valueType = typeName();
        parameter.name = identifier("the name of a template parameter").text;
      }
      function.templateParameters.push_back(std::move(parameter));
    } while (accept(","));
    expect(">", "after the template parameters");
  }

  /// Parameters and body; the body of a function that only the host runs is passed over.
  void functionRest(Function& function, bool runsOnDevice) {
    const Token name = identifier("the name of a function");
    function.name = name.text;
    function.span = name.span;
    if (!function.templateParameters.empty()) templates_.insert(name.text);
    expect("(", "after the function's name");
    if (!accept(")")) {
      if (peek().is("void") && peek(1).is(")")) take();
      while (!peek().is(")")) {
        Parameter parameter;
        parameter.type = typeName();
        parameter.span = peek().span;
        if (peek().kind == TokenKind::Identifier) parameter.name = identifier("a parameter's name").text;
        if (accept("[")) {
          accept("]") || (take(), accept("]"));
          ++parameter.type.pointers;
        }
        function.parameters.push_back(std::move(parameter));
        if (!accept(",")) break;
      }
      expect(")", "after the parameters");
    }
    if (accept(";")) return;
    if (!peek().is("{")) expect("{", "to begin the function's body");
    if (!runsOnDevice) return skipDeclaration();
    function.body = block();
  }

  // --- statements ---
  StatementPtr makeStatement(Statement::Kind kind, SourceSpan span) {
    auto statement = std::make_unique<Statement>();
    statement->kind = kind;
    statement->span = span;
    return statement;
  }

  StatementPtr block() {
    const DepthGuard guard(*this);
    StatementPtr result = makeStatement(Statement::Kind::Block, peek().span);
    const SourceSpan open = peek().span;
    expect("{", "to begin a block");
    while (!peek().is("}")) {
      if (peek().kind == TokenKind::End) {
        fail(open, "this '{' has no '}'", "close the block");
      }
      try {
        result->body.push_back(statement());
      } catch (const SyntaxFault&) {
        if (diagnostics_.size() >= kMaxDiagnostics) throw;
        skipStatement();
      }
    }
    take();
    result->span.end = lastSpan().end;
    return result;
  }

  /// After a fault in a statement: on behind its ';', or to the '}' of its block.
  void skipStatement() {
    int depth = 0;
    while (peek().kind != TokenKind::End) {
      if (peek().is("}") && depth == 0) return;
      const Token token = take();
      if (token.is("{")) ++depth;
      if (token.is("}") && --depth == 0) return;
      if (token.is(";") && depth == 0) return;
    }
    throw SyntaxFault{};
  }

  StatementPtr statement() {
    const DepthGuard guard(*this);
    rejectOutside();
    if (peek().is("{")) return block();
    const SourceSpan span = peek().span;
    if (accept(";")) return makeStatement(Statement::Kind::Empty, span);
    if (accept("if")) return ifStatement(span);
    if (accept("for")) return forStatement(span);
    if (accept("while")) return whileStatement(span);
    if (accept("do")) return doStatement(span);
    if (accept("break")) return endStatement(makeStatement(Statement::Kind::Break, span));
    if (accept("continue")) return endStatement(makeStatement(Statement::Kind::Continue, span));
    if (accept("return")) {
      StatementPtr result = makeStatement(Statement::Kind::Return, span);
      if (!peek().is(";")) result->expression = expression();
      return endStatement(std::move(result));
    }
    if (isDeclarationStart()) return declaration();
    StatementPtr result = makeStatement(Statement::Kind::Expression, span);
    result->expression = expression();
    result->span.end = lastSpan().end;
    return endStatement(std::move(result));
  }

  StatementPtr endStatement(StatementPtr statement) {
    expect(";", "to end the statement");
    return statement;
  }

  bool isDeclarationStart() const {
    static const std::set<std::string_view> kStorage = {"extern", "__shared__", "constexpr", "static",
                                                        "__align__"};
    if (peek().kind != TokenKind::Identifier) return false;
    return kStorage.contains(peek().text) || (isTypeStart(0) && !peek(1).is("("));
  }

  StatementPtr declaration() {
    StatementPtr result = makeStatement(Statement::Kind::Declaration, peek().span);
    while (true) {
      if (accept("extern")) {
        result->isExtern = true;
      } else if (accept("__shared__")) {
        result->isShared = true;
      } else if (accept("constexpr")) {
        result->isConstexpr = true;
      } else if (accept("__align__")) {
        expect("(", "after __align__");
        expression();
        expect(")", "after the alignment");
      } else if (!accept("static")) {
        break;
      }
    }
    const TypeName type = baseType();
    if (accept("__shared__")) result->isShared = true;
    declarators(*result, type);
    return result;
  }

  void declarators(Statement& statement, const TypeName& type) {
    statement.type = type;
    do {
      Declarator declarator;
      while (accept("*")) {
        ++declarator.pointers;
        TypeName ofPointer;
        qualifiers(ofPointer);
      }
      if (accept("&")) declarator.isReference = true;
      const Token name = identifier("the name of a variable");
      declarator.name = name.text;
      declarator.span = name.span;
      while (accept("[")) {
        declarator.extents.push_back(peek().is("]") ? nullptr : expression());
        expect("]", "after the array's extent");
      }
      if (accept("=")) {
        declarator.initial = assignment();
      } else if (peek().is("{") || peek().is("(")) {
        const bool brace = take().is("{");
        if (brace && peek().is("}")) {  // int x{};
          declarator.initial = make(Expression::Kind::Integer, peek().span);
          declarator.initial->text = "0";
        } else {
          declarator.initial = assignment();
        }
        expect(brace ? "}" : ")", "after the initial value");
      }
      statement.declarators.push_back(std::move(declarator));
    } while (accept(","));
    statement.span.end = lastSpan().end;
    expect(";", "to end the declaration");
  }

  StatementPtr ifStatement(SourceSpan span) {
    StatementPtr result = makeStatement(Statement::Kind::If, span);
    accept("constexpr");
    expect("(", "after if");
    result->condition = expression();
    expect(")", "after the condition");
    result->body.push_back(statement());
    if (accept("else")) result->body.push_back(statement());
    return result;
  }

  StatementPtr forStatement(SourceSpan span) {
    StatementPtr result = makeStatement(Statement::Kind::For, span);
    expect("(", "after for");
    result->body.push_back(statement());
    const Statement::Kind kind = result->body.front()->kind;
    if (kind != Statement::Kind::Declaration && kind != Statement::Kind::Expression &&
        kind != Statement::Kind::Empty) {
      fail(span, "a for loop begins with a declaration, an expression or ';'",
           "write for (int i = 0; i < n; ++i)");
    }
    if (!peek().is(";")) result->condition = expression();
    expect(";", "after the loop's condition");
    if (!peek().is(")")) result->step = expression();
    expect(")", "after the loop's step");
    result->body.push_back(statement());
    return result;
  }

  StatementPtr whileStatement(SourceSpan span) {
    StatementPtr result = makeStatement(Statement::Kind::While, span);
    expect("(", "after while");
    result->condition = expression();
    expect(")", "after the condition");
    result->body.push_back(statement());
    return result;
  }

  StatementPtr doStatement(SourceSpan span) {
    StatementPtr result = makeStatement(Statement::Kind::Do, span);
    result->body.push_back(statement());
    expect("while", "after the body of do");
    expect("(", "after while");
    result->condition = expression();
    expect(")", "after the condition");
    return endStatement(std::move(result));
  }

  // --- expressions ---
  ExpressionPtr make(Expression::Kind kind, SourceSpan span) {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    expression->span = span;
    expression->operatorSpan = span;
    return expression;
  }

  /// The node with its height known; a fault where the tree grows too high.
  ExpressionPtr finish(ExpressionPtr node) {
    for (const ExpressionPtr& operand : node->operands)
      node->height = std::max(node->height, operand->height + 1);
    if (node->height > kMaxHeight) {
      fail(node->operatorSpan, "this expression is too long to be simulated",
           "split it into several statements");
    }
    return node;
  }

  ExpressionPtr over(Expression::Kind kind, const Token& op, ExpressionPtr left, ExpressionPtr right) {
    ExpressionPtr result = make(kind, {left->span.begin, right->span.end});
    result->text = op.text;
    result->operatorSpan = op.span;
    result->operands.push_back(std::move(left));
    result->operands.push_back(std::move(right));
    return finish(std::move(result));
  }

  ExpressionPtr expression() {
    ExpressionPtr left = assignment();
    while (peek().is(",")) {
      const Token op = take();
      left = over(Expression::Kind::Binary, op, std::move(left), assignment());
    }
    return left;
  }

  ExpressionPtr assignment() {
    const DepthGuard guard(*this);
    ExpressionPtr left = conditional();
    if (peek().kind == TokenKind::Punctuator && std::ranges::count(kAssignments, peek().text) > 0) {
      const Token op = take();
      return over(Expression::Kind::Assign, op, std::move(left), assignment());
    }
    return left;
  }

  ExpressionPtr conditional() {
    ExpressionPtr condition = binary(0);
    if (!peek().is("?")) return condition;
    const Token op = take();
    ExpressionPtr result = make(Expression::Kind::Conditional, condition->span);
    result->operatorSpan = op.span;
    result->operands.push_back(std::move(condition));
    result->operands.push_back(assignment());
    expect(":", "between the two values of ?:");
    result->operands.push_back(assignment());
    result->span.end = lastSpan().end;
    return finish(std::move(result));
  }

  ExpressionPtr binary(std::size_t level) {
    if (level == kLevels.size()) return unary();
    ExpressionPtr left = binary(level + 1);
    while (peek().kind == TokenKind::Punctuator && !peek().text.empty() &&
           std::ranges::count(kLevels[level], peek().text) > 0 && !(inTemplateArguments_ && peek().is(">"))) {
      const Token op = take();
      left = over(Expression::Kind::Binary, op, std::move(left), binary(level + 1));
    }
    return left;
  }

  ExpressionPtr unary() {
    const DepthGuard guard(*this);
    static constexpr std::array<std::string_view, 8> kUnary = {"+", "-", "!", "~", "*", "&", "++", "--"};
    const Token op = peek();
    if (op.kind == TokenKind::Punctuator && std::ranges::count(kUnary, op.text) > 0) {
      take();
      ExpressionPtr result = make(Expression::Kind::Unary, op.span);
      result->text = op.text;
      result->operands.push_back(unary());
      result->span.end = lastSpan().end;
      return finish(std::move(result));
    }
    if (op.is("(") && isTypeStart(1)) {
      take();
      ExpressionPtr result = make(Expression::Kind::Cast, op.span);
      result->type = typeName();
      expect(")", "after the type of a cast");
      result->operands.push_back(unary());
      result->span.end = lastSpan().end;
      return finish(std::move(result));
    }
    if (op.is("sizeof")) {
      take();
      ExpressionPtr result = make(Expression::Kind::SizeOf, op.span);
      expect("(", "after sizeof");
      if (isTypeStart(0)) {
        result->type = typeName();
      } else {
        result->operands.push_back(expression());
      }
      expect(")", "after sizeof");
      result->span.end = lastSpan().end;
      return finish(std::move(result));
    }
    return postfix();
  }

  ExpressionPtr postfix() {
    ExpressionPtr left = primary();
    while (true) {
      const Token op = peek();
      ExpressionPtr result;
      if (accept("[")) {
        ExpressionPtr index = inParentheses();
        expect("]", "after the index");
        result = over(Expression::Kind::Index, op, std::move(left), std::move(index));
      } else if (op.is(".") || op.is("->")) {
        take();
        result = make(Expression::Kind::Member, left->span);
        result->arrow = op.is("->");
        result->text = identifier("the name of a member").text;
        result->operands.push_back(std::move(left));
      } else if (op.is("++") || op.is("--")) {
        take();
        result = make(Expression::Kind::Postfix, left->span);
        result->text = op.text;
        result->operatorSpan = op.span;
        result->operands.push_back(std::move(left));
      } else {
        return left;
      }
      result->span.end = lastSpan().end;
      left = finish(std::move(result));
    }
  }

  /// An expression in brackets: '>' is an operator in it again.
  ExpressionPtr inParentheses() {
    const bool before = inTemplateArguments_;
    inTemplateArguments_ = false;
    ExpressionPtr result = expression();
    inTemplateArguments_ = before;
    return result;
  }

  void templateArguments(Expression& name) {
    const bool before = inTemplateArguments_;
    inTemplateArguments_ = true;
    while (!peek().is(">")) {
      TemplateArgument argument;
      if (isTypeStart(0)) {
        argument.type = typeName();
      } else {
        argument.value = conditional();
      }
      name.templateArguments.push_back(std::move(argument));
      if (!accept(",")) break;
    }
    inTemplateArguments_ = before;
    expect(">", "after the template arguments");
  }

  ExpressionPtr primary() {
    const Token token = peek();
    rejectOutside();
    if (accept("(")) {
      ExpressionPtr result = inParentheses();
      expect(")", "to close the bracket");
      result->span = {token.span.begin, lastSpan().end};
      return result;
    }
    switch (token.kind) {
      case TokenKind::Integer: return literal(Expression::Kind::Integer);
      case TokenKind::Floating: return literal(Expression::Kind::Floating);
      case TokenKind::String: return literal(Expression::Kind::String);
      case TokenKind::Identifier: return nameOrCall();
      default: fail(token.span, fmt::format("expected an expression, but {}", found()), "write a value here");
    }
  }

  ExpressionPtr literal(Expression::Kind kind) {
    ExpressionPtr result = make(kind, peek().span);
    result->text = take().text;
    return result;
  }

  ExpressionPtr nameOrCall() {
    const Token token = peek();
    if (token.is("true") || token.is("false")) return literal(Expression::Kind::Boolean);
    if (token.is("static_cast") || token.is("reinterpret_cast")) {
      take();
      ExpressionPtr result = make(Expression::Kind::Cast, token.span);
      result->text = token.text;
      expect("<", fmt::format("after {}", token.text));
      result->type = typeName();
      expect(">", "after the type of a cast");
      expect("(", "after the type of a cast");
      result->operands.push_back(inParentheses());
      expect(")", "after the value of a cast");
      result->span.end = lastSpan().end;
      return finish(std::move(result));
    }
    if (isTypeStart(0) && peek(1).is("(")) {  // functional cast: float(x)
      ExpressionPtr result = make(Expression::Kind::Cast, token.span);
      result->type = baseType();
      expect("(", "after the type of a cast");
      result->operands.push_back(inParentheses());
      expect(")", "after the value of a cast");
      result->span.end = lastSpan().end;
      return finish(std::move(result));
    }
    if (isTypeStart(0)) {
      fail(token.span, fmt::format("expected an expression, but found the type '{}'", token.text),
           "a declaration stands on its own, not inside an expression");
    }
    ExpressionPtr result = make(Expression::Kind::Name, token.span);
    result->text = take().text;
    if (templates_.contains(token.text) && accept("<")) templateArguments(*result);
    if (!accept("(")) return result;
    result->kind = Expression::Kind::Call;
    const bool before = inTemplateArguments_;
    inTemplateArguments_ = false;
    while (!peek().is(")")) {
      result->operands.push_back(assignment());
      if (!accept(",")) break;
    }
    inTemplateArguments_ = before;
    expect(")", "after the arguments");
    result->span.end = lastSpan().end;
    return finish(std::move(result));
  }

  std::vector<Token> tokens_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool inTemplateArguments_ = false;
  std::set<std::string_view> typeParameters_;
  std::set<std::string_view> templates_;
};

}  // namespace

Unit parse(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Parser(tokenize(source, diagnostics), diagnostics).unit();
}

ExpressionPtr parseKernelName(const SourceText& name) {
  std::vector<Diagnostic> diagnostics;
  ExpressionPtr result = Parser(tokenize(name, diagnostics), diagnostics).kernelName();
  return diagnostics.empty() ? std::move(result) : nullptr;
}

}  // namespace lanescope::syntax
