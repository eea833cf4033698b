#include <fmt/format.h>

#include <algorithm>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {
namespace {

/// Nesting of expressions and statements.
constexpr int kMaxDepth = 200;

const std::set<std::string_view> kTypeWords = {
    "void",     "bool",     "char",   "short",     "int",     "long",      "float",    "double",  "signed",
    "unsigned", "auto",     "size_t", "int8_t",    "uint8_t", "int16_t",   "uint16_t", "int32_t", "uint32_t",
    "int64_t",  "uint64_t", "uint",   "uintptr_t", "dim3",    "ptrdiff_t", "intptr_t", "clock_t"};

const std::set<std::string_view> kQualifiers = {"const",      "volatile", "__restrict__",
                                                "__restrict", "restrict", "typename"};

/// Words of C++ that begin something outside the subset, and what to do instead.
const std::map<std::string_view, std::string_view> kOutside = {
    {"goto", "write a loop or an if"},
    {"struct", "declare it at file scope"},
    {"class", "write a struct with data alone"},
    {"union", "use reinterpret_cast"},
    {"enum", "declare it at file scope"},
    {"try", "kernels have no exceptions"},
    {"throw", "kernels have no exceptions"},
    {"new", "use shared memory or an argument"},
    {"delete", "use shared memory or an argument"},
    {"asm", "write it in CUDA C++"},
    {"namespace", "put the kernel at file scope"},
    {"using", "declare it at file scope"},
    {"typedef", "declare it at file scope"},
    {"operator", "write a named function"},
};

/// Types and operators of cooperative groups.
const std::set<std::string_view> kGroupTypes = {"thread_block", "thread_block_tile", "thread_group",
                                                "grid_group", "coalesced_group"};
const std::set<std::string_view> kGroupNames = {"thread_block",
                                                "thread_block_tile",
                                                "this_thread_block",
                                                "tiled_partition",
                                                "reduce",
                                                "plus",
                                                "less",
                                                "greater",
                                                "bit_and",
                                                "bit_or",
                                                "bit_xor",
                                                "sync",
                                                "coalesced_threads",
                                                "this_grid",
                                                "thread_group",
                                                "grid_group",
                                                "labeled_partition",
                                                "binary_partition",
                                                "coalesced_group",
                                                "inclusive_scan",
                                                "exclusive_scan",
                                                "memcpy_async"};

/// Types of cuda_fp16.h, cuda_bf16.h and cuComplex.h whose names nobody gives a variable.
const std::set<std::string_view> kHeaderTypes = {"__half",         "__half2",        "__nv_bfloat16",
                                                 "nv_bfloat16",    "__nv_bfloat162", "nv_bfloat162",
                                                 "cuFloatComplex", "cuComplex",      "cuDoubleComplex"};

/// True for float4, uchar2, longlong1 and their kin (CUDA Programming Guide, "Built-in Vector Types").
bool isVectorName(std::string_view word) {
  static constexpr std::string_view kBases[] = {"char", "uchar",    "short",     "ushort", "int",
                                                "uint", "longlong", "ulonglong", "float",  "double"};
  if (word.size() < 2 || word.back() < '1' || word.back() > '4') return false;
  return std::ranges::count(kBases, word.substr(0, word.size() - 1)) > 0;
}

}  // namespace

Parser::DepthGuard::DepthGuard(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > kMaxDepth) {
    --parser_.depth_;
    parser_.fail(parser_.peek().span, "this is nested too deeply to be simulated",
                 "split it into several statements");
  }
}

/// False where the text names a variable half (`int half = n / 2;`), as many did before the type was.
bool Parser::namesHalfType(const std::vector<Token>& tokens) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const bool isHalf = tokens[i].is("half") || tokens[i].is("half2");
    const bool isListed = tokens[i - 1].is(",") && i + 1 < tokens.size() && tokens[i + 1].is("=");
    const bool isVariable = isListed || kTypeWords.contains(tokens[i - 1].text) || tokens[i - 1].is(".");
    if (isHalf && isVariable) return false;
  }
  return true;
}

Unit Parser::unit() {
  Unit result;
  while (peek().kind != TokenKind::End && diagnostics_.size() < kMostFaults) {
    try {
      topLevel(result);
    } catch (const SyntaxFault&) {
      skipDeclaration();
    }
  }
  return result;
}

ExpressionPtr Parser::kernelName() {
  try {
    if (peek().kind != TokenKind::Identifier) return nullptr;
    ExpressionPtr call = make(Expression::Kind::Name, peek().span);
    call->text = take().text;
    if (accept("<")) call->templateArguments = templateArguments();
    return peek().kind == TokenKind::End ? std::move(call) : nullptr;
  } catch (const SyntaxFault&) {
    return nullptr;
  }
}

const Token& Parser::take() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::accept(std::string_view text) {
  if (!peek().is(text)) return false;
  take();
  return true;
}

void Parser::fail(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), span});
  throw SyntaxFault{};
}

std::string Parser::found() const {
  return peek().kind == TokenKind::End ? "the text ends" : fmt::format("found '{}'", peek().text);
}

void Parser::expect(std::string_view text, std::string_view where) {
  if (accept(text)) return;
  // A missing ; or ) is best shown just behind what is before it.
  const bool behind = text == ";" || text == ")" || text == "]";
  const SourceSpan last = lastSpan();
  const SourceSpan span = behind && at_ > 0 ? SourceSpan{last.end, last.end + 1} : peek().span;
  fail(span, fmt::format("expected '{}' {}, but {}", text, where, found()),
       fmt::format("write {} here", text));
}

/// A '>' that closes template arguments; '>>' closes two.
void Parser::expectTemplateEnd(std::string_view where) {
  if (peek().is(">>")) {
    Token& token = tokens_[at_];
    token.text = token.text.substr(1);
    return;
  }
  expect(">", where);
}

Token Parser::identifier(std::string_view what) {
  if (peek().kind != TokenKind::Identifier || isTypeStart(0)) {
    fail(peek().span, fmt::format("expected {}, but {}", what, found()), "give it a name");
  }
  return take();
}

void Parser::rejectOutside() {
  const auto outside = kOutside.find(peek().text);
  if (peek().kind == TokenKind::Identifier && outside != kOutside.end()) {
    fail(peek().span, fmt::format("'{}' is not in the subset of CUDA C++ that is simulated", peek().text),
         std::string(outside->second));
  }
}

/// After a fault: on to the end of the declaration, over matched braces.
void Parser::skipDeclaration() {
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

/// After a fault in a statement: on behind its ';', or to the '}' of its block.
void Parser::skipStatement() {
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

/// Tokens of `cg::` or `cooperative_groups::` there, 0 without.
std::size_t Parser::namespaceTokens(std::size_t ahead) const {
  if (peek(ahead).kind != TokenKind::Identifier || !peek(ahead + 1).is("::")) return 0;
  return groupSpaces_.contains(peek(ahead).text) ? 2 : 0;
}

/// The name of cooperative groups that is there, without its namespace; empty when none does.
std::string Parser::groupName(std::size_t ahead) const {
  const std::size_t tokens = namespaceTokens(ahead);
  const Token& name = peek(ahead + tokens);
  if (name.kind != TokenKind::Identifier) return {};
  if (tokens > 0) return std::string(name.text);
  const bool isUsed = usesGroups_ && kGroupNames.contains(name.text) && !templates_.contains(name.text);
  return isUsed ? std::string(name.text) : std::string();
}

bool Parser::isTypeStart(std::size_t ahead) const {
  const Token& token = peek(ahead);
  if (token.kind != TokenKind::Identifier) return false;
  if (isElaborated(ahead)) return true;
  if (kTypeWords.contains(token.text) || kQualifiers.contains(token.text)) return true;
  if (typeParameters_.contains(token.text) || isVectorName(token.text)) return true;
  if (kHeaderTypes.contains(token.text)) return true;
  if ((token.is("half") || token.is("half2")) && namesHalfType_) return true;
  if (types_.contains(token.text)) return !peek(ahead + 1).is("::");  // Mode::kSum is a value
  return kGroupTypes.contains(groupName(ahead));
}

/// `struct Node*`, as C writes the type of a struct that is known.
bool Parser::isElaborated(std::size_t ahead) const {
  const bool isKeyword = peek(ahead).is("struct") || peek(ahead).is("enum");
  return isKeyword && types_.contains(peek(ahead + 1).text) && !peek(ahead + 2).is("{") &&
         !peek(ahead + 2).is(";");
}

void Parser::qualifiers(TypeName& type) {
  if (isElaborated(0)) take();
  while (kQualifiers.contains(peek().text) && peek().kind == TokenKind::Identifier) {
    const Token token = take();
    if (token.is("const")) type.isConst = true;
    if (token.is("volatile")) type.isVolatile = true;
  }
}

namespace {

/// One name for each type: `unsigned long int` and `size_t` are `unsigned long long`.
std::string normalise(const std::string& word, bool isUnsigned, bool isSigned, int longs) {
  static const std::map<std::string_view, std::string_view> kAliases = {{"int8_t", "char"},
                                                                        {"uint8_t", "unsigned char"},
                                                                        {"int16_t", "short"},
                                                                        {"uint16_t", "unsigned short"},
                                                                        {"int32_t", "int"},
                                                                        {"uint32_t", "unsigned"},
                                                                        {"int64_t", "long long"},
                                                                        {"uint64_t", "unsigned long long"},
                                                                        {"size_t", "unsigned long long"},
                                                                        {"uintptr_t", "unsigned long long"},
                                                                        {"intptr_t", "long long"},
                                                                        {"ptrdiff_t", "long long"},
                                                                        {"clock_t", "long long"},
                                                                        {"uint", "unsigned"}};
  if (const auto alias = kAliases.find(word); alias != kAliases.end()) return std::string(alias->second);
  std::string base = longs > 0 && word != "double" ? "long long" : word.empty() ? "int" : word;
  if (!isUnsigned || isSigned) return base;
  return base == "int" ? "unsigned" : "unsigned " + base;
}

}  // namespace

TypeName Parser::baseType() {
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
    } else if (text == "int" && (word == "short" || longs > 0)) {
      // says nothing more
    } else if (word.empty() && (longs == 0 || text == "double")) {
      if (isUnsigned && text != "int" && text != "char" && text != "short") break;
      const std::string group = groupName(0);
      if (!group.empty() && kGroupTypes.contains(group)) {
        at_ += namespaceTokens(0);
        word = "cg::" + group;
      } else {
        word = text;
      }
    } else {
      break;
    }
    take();
    if (word.starts_with("cg::") && accept("<")) {
      type.arguments = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
    }
  }
  if (word.empty() && longs == 0 && !isUnsigned && !isSigned) {
    rejectOutside();
    fail(peek().span, fmt::format("expected a type, but {}", found()), std::string(kTypeHint));
  }
  if (word == "long") word.clear();
  type.base = normalise(word, isUnsigned, isSigned, longs);
  type.span.end = lastSpan().end;
  return type;
}

TypeName Parser::typeName() {
  TypeName type = baseType();
  while (accept("*")) {
    ++type.pointers;
    TypeName ofPointer;
    qualifiers(ofPointer);
  }
  if (accept("&")) {
    type.isReference = true;
  } else if (peek().is("&&")) {
    fail(peek().span, "rvalue references are not in the subset that is simulated",
         "write & or the type alone");
  }
  type.span.end = lastSpan().end;
  return type;
}

Unit parse(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Parser(tokenize(source, diagnostics), diagnostics).unit();
}

ExpressionPtr parseKernelName(const SourceText& name) {
  std::vector<Diagnostic> diagnostics;
  ExpressionPtr result = Parser(tokenize(name, diagnostics), diagnostics).kernelName();
  return diagnostics.empty() ? std::move(result) : nullptr;
}

}  // namespace lanescope::syntax
