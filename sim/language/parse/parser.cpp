#include <fmt/format.h>

#include <algorithm>

#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/not_simulated.h"
#include "sim/base/split.h"

namespace lanescope::syntax {
namespace {

/// Nesting of expressions and statements.
constexpr int kMaxDepth = 200;

/// Tokens of template arguments: every type's name searches them.
constexpr std::size_t kMaxAngleTokens = 512;

/// Words that can be before a value, but not before a type's name.
const std::set<std::string_view> kBeforeValues = {"return", "else",  "do",  "case", "throw",
                                                  "sizeof", "new",   "and", "or",   "not",
                                                  "xor",    "const", "if",  "for",  "while"};

const std::set<std::string_view> kTypeWords = wordsIn(
    "void bool char short int long float double signed unsigned auto decltype size_t int8_t uint8_t "
    "int16_t uint16_t int32_t uint32_t int64_t uint64_t uint uintptr_t dim3 ptrdiff_t intptr_t ushort "
    "ulong clock_t");

/// Words that begin a type and cannot be used as names.
const std::set<std::string_view> kKeywords = wordsIn(
    "void bool char short int long float double signed unsigned auto if for while do else switch return "
    "struct");

const std::set<std::string_view> kQualifiers = {"const",      "volatile", "__restrict__",
                                                "__restrict", "restrict", "typename"};

/// Words of C++ that begin something outside the subset, with an alternative.
const std::map<std::string_view, std::string_view> kOutside = {
    {"struct", "declare it at file scope"}, {"class", "declare it at file scope"},
    {"union", "declare it at file scope"},  {"enum", "declare it at file scope"},
    {"try", "kernels have no exceptions"},  {"throw", "kernels have no exceptions"},
    {"asm", "write it in CUDA C++"},        {"namespace", "put the kernel at file scope"},
    {"using", "declare it at file scope"},  {"typedef", "declare it at file scope"},
};

/// Types and operators of cooperative groups.
const std::set<std::string_view> kGroupTypes = {"thread_block", "thread_block_tile", "thread_group",
                                                "grid_group", "coalesced_group"};
const std::set<std::string_view> kGroupNames = wordsIn(
    "thread_block thread_block_tile this_thread_block tiled_partition reduce plus less greater bit_and "
    "bit_or bit_xor sync coalesced_threads this_grid thread_group grid_group labeled_partition "
    "binary_partition coalesced_group inclusive_scan exclusive_scan memcpy_async");

/// Types of cuda_fp16.h, cuda_bf16.h, cuComplex.h, driver_types.h and curand_kernel.h whose names are unused
/// as names of variables.
const std::set<std::string_view> kHeaderTypes = wordsIn(
    "__half __half2 __nv_bfloat16 nv_bfloat16 __nv_bfloat162 nv_bfloat162 cuFloatComplex cuComplex "
    "cuDoubleComplex cudaPitchedPtr cudaExtent cudaPos curandState curandState_t curandStateXORWOW "
    "curandStateXORWOW_t curandStatePhilox4_32_10 curandStatePhilox4_32_10_t");

/// True for float4, uchar2, longlong1 and similar names (CUDA Programming Guide, "Built-in Vector Types").
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

bool Parser::isStandardType(std::string_view word) {
  return word.ends_with("_t") && kTypeWords.contains(word);
}

/// False if the text has a function or a variable of that name (`int half = n / 2;`), which was common before
/// CUDA had the type.
bool Parser::namesHalfType(const std::vector<Token>& tokens) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const bool isHalf = tokens[i].is("half") || tokens[i].is("half2");
    const bool isListed = tokens[i - 1].is(",") && i + 1 < tokens.size() && tokens[i + 1].is("=");
    const bool isVariable = isListed || kTypeWords.contains(tokens[i - 1].text) || tokens[i - 1].is(".");
    const bool isBehindType =
        tokens[i - 1].kind == TokenKind::Identifier && !kBeforeValues.contains(tokens[i - 1].text);
    const bool isFunction = isBehindType && i + 1 < tokens.size() && tokens[i + 1].is("(");  // T half(T x)
    if (isHalf && (isVariable || isFunction)) return false;
  }
  return true;
}

const Token& Parser::consume() {
  const Token& token = peek();
  if (at_ < end_) ++at_;
  return token;
}

bool Parser::accept(std::string_view text) {
  if (!peek().is(text)) return false;
  consume();
  return true;
}

void Parser::fail(Diagnostic fault) const {
  diagnostics_.push_back(std::move(fault));
  throw SyntaxFault{};
}

void Parser::fail(SourceSpan span, std::string message, std::string hint) const {
  fail({std::move(message), std::move(hint), span});
}

std::string Parser::found() const {
  return peek().kind == TokenKind::End ? "the text ends" : fmt::format("found '{}'", peek().text);
}

/// Skips the rest of a pair of round brackets, and the closing one.
void Parser::skipToClosing() {
  for (int depth = 1; depth > 0 && peek().kind != TokenKind::End;) {
    const Token token = consume();
    depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
  }
}

void Parser::expect(std::string_view text, std::string_view where) {
  if (accept(text)) return;
  // A missing ; or ) is best shown just behind the previous token.
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
  const bool isKeyword = kKeywords.contains(peek().text) || kQualifiers.contains(peek().text);
  if (peek().kind != TokenKind::Identifier || isKeyword) {
    fail(peek().span, fmt::format("expected {}, but {}", what, found()), "give it a name");
  }
  return consume();
}

void Parser::rejectOutside() {
  const auto outside = kOutside.find(peek().text);
  if (peek().kind == TokenKind::Identifier && outside != kOutside.end()) {
    fail(peek().span, fmt::format("'{}' is not in the subset of CUDA C++ that is simulated", peek().text),
         std::string(outside->second));
  }
}

/// After a fault in a statement: continues behind its ';', or at the '}' of its block.
void Parser::skipStatement() {
  int depth = 0;
  while (peek().kind != TokenKind::End) {
    if (peek().is("}") && depth == 0) return;
    const Token token = consume();
    if (token.is("{")) ++depth;
    if (token.is("}") && --depth == 0) return;
    if (token.is(";") && depth == 0) return;
  }
  throw SyntaxFault{};
}

/// Tokens of `cg::` or `cooperative_groups::` there. 0 if there are none.
std::size_t Parser::namespaceTokens(std::size_t ahead) const {
  if (peek(ahead).kind != TokenKind::Identifier || !peek(ahead + 1).is("::")) return 0;
  return groupSpaces_.contains(peek(ahead).text) ? 2 : 0;
}

/// The name of cooperative groups that is there, without its namespace. Empty if there is none.
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
  if (isHidden(token.text)) return false;
  if (kTypeWords.contains(token.text) || kQualifiers.contains(token.text)) return true;
  if (typeParameters_.contains(token.text)) return isMemberType(ahead);
  if (isVectorName(token.text)) return true;
  if (kHeaderTypes.contains(token.text)) return true;
  if ((token.is("half") || token.is("half2")) && namesHalfType_) return true;
  if (types_.contains(token.text)) return isMemberType(ahead);
  if (namesTypes_ && !token.is("true") && !token.is("false")) return true;
  return kGroupTypes.contains(groupName(ahead));
}

/// Tokens of `<…>` there. 0 if there are none.
std::size_t Parser::angleTokens(std::size_t ahead) const {
  if (!peek(ahead).is("<")) return 0;
  int depth = 0;
  const std::size_t most = ahead + kMaxAngleTokens;
  for (std::size_t i = ahead; i < most && !peek(i).is(";") && !peek(i).is("{"); ++i) {
    if (peek(i).is("(")) {
      for (int round = 0; i < most; ++i) {
        round += peek(i).is("(") ? 1 : peek(i).is(")") ? -1 : 0;
        if (round == 0) break;
      }
      continue;
    }
    depth += peek(i).is("<") ? 1 : peek(i).is(">") ? -1 : peek(i).is(">>") ? -2 : 0;
    if (depth <= 0) return i + (depth == 0 ? 1 : 0) - ahead;
  }
  return 0;
}

/// For a class's name: true if it is a type by itself, or continues to a type of a class
/// (`Vec<float>::value_type`). `Mode::kSum` and `Vec<float>::size()` are values.
bool Parser::isMemberType(std::size_t ahead) const {
  std::size_t next = ahead + 1 + angleTokens(ahead + 1);
  bool isType = true;
  while (peek(next).is("::")) {
    isType = memberTypes_.contains(peek(next + 1).text) || namesTypes_;
    next += 2;
    if (isType) next += structTemplates_.contains(peek(next - 1).text) ? angleTokens(next) : 0;
  }
  return isType;
}

/// Tokens of `(…)` there. 0 if there are none.
std::size_t Parser::roundTokens(std::size_t ahead) const {
  int depth = 0;
  for (std::size_t i = ahead; peek(i).kind != TokenKind::End; ++i) {
    depth += peek(i).is("(") ? 1 : peek(i).is(")") ? -1 : 0;
    if (depth == 0) return i == ahead ? 0 : i + 1 - ahead;
  }
  return 0;
}

/// Tokens of the type there, without its `*` and `&`. 0 if none begins.
std::size_t Parser::typeTokens(std::size_t ahead) const {
  std::size_t next = ahead;
  while (isTypeStart(next)) {
    const bool isQualifier = kQualifiers.contains(peek(next).text) || isElaborated(next);
    const bool isDecltype = peek(next).is("decltype");
    next += 1 + (isQualifier ? 0 : namespaceTokens(next));
    if (isQualifier) continue;
    if (isDecltype) return next + roundTokens(next) - ahead;
    next += angleTokens(next);
    while (peek(next).is("::")) {
      next += 2;
      next += angleTokens(next);
    }
  }
  return next - ahead;
}

/// True if a variable of the function has the name of a type.
bool Parser::isHidden(std::string_view name) const {
  return std::ranges::any_of(locals_, [&](const auto& block) { return block.contains(name); });
}

/// `struct Node*`, the type of a known struct as written in C.
bool Parser::isElaborated(std::size_t ahead) const {
  const bool isKeyword = peek(ahead).is("struct") || peek(ahead).is("enum") || peek(ahead).is("class") ||
                         peek(ahead).is("union");
  return isKeyword && types_.contains(peek(ahead + 1).text) && !peek(ahead + 2).is("{") &&
         !peek(ahead + 2).is(";") && !peek(ahead + 2).is(":");
}

void Parser::qualifiers(TypeName& type) {
  if (isElaborated(0)) consume();
  while (kQualifiers.contains(peek().text) && peek().kind == TokenKind::Identifier) {
    const Token token = consume();
    if (token.is("const")) type.isConst = true;
    if (token.is("volatile")) type.isVolatile = true;
  }
}

namespace {

/// One name per type: `unsigned long int` and `size_t` are `unsigned long long`.
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
                                                                        {"uint", "unsigned"},
                                                                        {"ushort", "unsigned short"},
                                                                        {"ulong", "unsigned long long"}};
  if (const auto alias = kAliases.find(word); alias != kAliases.end()) return std::string(alias->second);
  std::string base = longs > 0 && word != "double" ? "long long" : word.empty() ? "int" : word;
  if (!isUnsigned || isSigned) return base;
  return base == "int" ? "unsigned" : "unsigned " + base;
}

}  // namespace

/// The part behind a type's word: template arguments and the path to a type within the class.
void Parser::typeRest(TypeName& type, const std::string& word) {
  const bool isTemplate = word.starts_with("cg::") || isClassTemplate(word) || namesTypes_;
  if (isTemplate && type.arguments == nullptr && accept("<")) {
    type.arguments = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
  }
  while (!word.empty() && peek().is("::") && peek(1).kind == TokenKind::Identifier) {
    consume();
    type.path.emplace_back(consume().text);
  }
}

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
    consume();
    if (word == "decltype") {
      decltypeRest(type);
      typeRest(type, word);
      break;
    }
    typeRest(type, word);
  }
  if (word.empty() && longs == 0 && !isUnsigned && !isSigned) {
    rejectOutside();
    std::size_t next = 0;
    if (auto outside = notSimulated(scopedName(next), peek().span)) fail(std::move(*outside));
    fail({fmt::format("expected a type, but {}", found()), std::string(kTypeHint), peek().span, true});
  }
  if (word == "long") word.clear();
  type.base = normalise(word, isUnsigned, isSigned, longs);
  type.span.end = lastSpan().end;
  return type;
}

TypeName Parser::typeName() {
  TypeName type = baseType();
  pointers(type.pointers);
  if (isFunctionPointer(0) && peek(2).is(")")) {  // float (*)(float)
    functionPointer(type, nullptr);
  } else if (isArrayDeclarator(0) && peek(2).kind != TokenKind::Identifier) {  // float (*)[8]
    arrayDeclarator(type);
  } else if (peek().is("[") && !peek(1).is("]")) {  // using Row = float[8];
    type.extents = fixedExtents();
  } else if (accept("&")) {
    type.isReference = true;
  } else if (accept("&&")) {
    type.isReference = type.isRvalue = true;
  } else if (const auto known = referenceTypes_.find(type.base);
             known != referenceTypes_.end() && type.pointers == 0 && type.path.empty()) {
    type.isReference = true;
    type.isConst = type.isConst || known->second;
  }
  type.span.end = lastSpan().end;
  return type;
}

}  // namespace lanescope::syntax
