#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/words.h"
#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/not_simulated.h"

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
    "ulong clock_t __int128 __int128_t __uint128_t int_least8_t uint_least8_t int_least16_t uint_least16_t "
    "int_least32_t uint_least32_t int_least64_t uint_least64_t int_fast8_t uint_fast8_t int_fast16_t "
    "uint_fast16_t int_fast32_t uint_fast32_t int_fast64_t uint_fast64_t intmax_t uintmax_t wchar_t char8_t "
    "char16_t char32_t");

/// Words that begin a type and cannot be used as names.
const std::set<std::string_view> kKeywords = wordsIn(
    "void bool char short int long float double signed unsigned auto if for while do else switch return "
    "struct");

const std::set<std::string_view> kQualifiers = {"const",    "volatile", "__restrict__",     "__restrict",
                                                "restrict", "typename", "__grid_constant__"};

/// Words of C++ that begin something outside the subset, with an alternative.
const std::map<std::string_view, std::string_view> kOutside = {
    {"struct", "declare it at file scope"},
    {"class", "declare it at file scope"},
    {"union", "declare it at file scope"},
    {"enum", "declare it at file scope"},
    {"try", "kernels have no exceptions"},
    {"throw", "kernels have no exceptions"},
    {"asm", "write it in CUDA C++"},
    {"namespace", "put the kernel at file scope"},
    {"using", "declare it at file scope"},
    {"typedef", "declare it at file scope"},
    // What ConceptLowering leaves of requirements in braces, and of constraints that only a compiler decides.
    {"requires", "choose with traits, as std::enable_if_t<std::is_integral_v<T>, int> = 0"},
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
  const bool isUsed = usesGroups_ && kGroupNames.contains(name.text) && name.qualifier.empty() &&
                      !templates_.contains(name.text);
  return isUsed ? std::string(name.text) : std::string();
}

bool Parser::isTypeStart(std::size_t ahead) const {
  const Token& token = peek(ahead);
  if (token.kind != TokenKind::Identifier) return false;
  if (isElaborated(ahead)) return true;
  const Meaning meant = meaning(token);
  if (meant.isValue()) return false;
  if (kTypeWords.contains(token.text) || kQualifiers.contains(token.text)) return true;
  if (meant.isType) return isMemberType(ahead, meant);
  if (!token.qualifier.empty()) return namesTypes_;
  if (isVectorName(token.text)) return true;
  if (kHeaderTypes.contains(token.text)) return true;
  if ((token.is("half") || token.is("half2")) && namesHalfType_) return true;
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
bool Parser::isMemberType(std::size_t ahead, const Meaning& meant) const {
  const bool isSaid = at_ + ahead > 0 && tokens_[at_ + ahead - 1].is("typename");
  std::size_t next = ahead + 1 + angleTokens(ahead + 1);
  ClassNames* members = meant.isDependent ? nullptr : meant.members;
  bool isType = true;
  while (peek(next).is("::")) {
    if (peek(next + 1).is("template")) ++next;
    const std::string_view name = peek(next + 1).text;
    bool isUnknown = false;
    std::set<const ClassNames*> seen;
    const LocalName* const member =
        members != nullptr ? findMember(*members, name, seen, isUnknown) : nullptr;
    const bool isOnlyType = memberTypes_.contains(name) && !memberValues_.contains(name);
    isType = isSaid || namesTypes_ || (member != nullptr ? member->isType : isOnlyType);
    members = member != nullptr ? member->members : nullptr;
    next += 2;
    if (isType) next += angleTokens(next);
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

/// `struct Node*`, the type of a known struct as written in C.
bool Parser::isElaborated(std::size_t ahead) const {
  const bool isKeyword = peek(ahead).is("struct") || peek(ahead).is("enum") || peek(ahead).is("class") ||
                         peek(ahead).is("union");
  return isKeyword && !peek(ahead + 2).is("{") && !peek(ahead + 2).is(";") && !peek(ahead + 2).is(":") &&
         meaning(peek(ahead + 1), true).isType;
}

void Parser::qualifiers(TypeName& type) {
  while (kQualifiers.contains(peek().text) && peek().kind == TokenKind::Identifier) {
    const Token token = consume();
    if (token.is("const")) type.isConst = true;
    if (token.is("volatile")) type.isVolatile = true;
  }
}

namespace {

/// One name per type: `unsigned long int`, `size_t` and `uint64_t` are `unsigned long`.
std::string normalise(const std::string& word, bool isUnsigned, bool isSigned, int longs) {
  static const std::map<std::string_view, std::string_view> kAliases = {{"int8_t", "signed char"},
                                                                        {"uint8_t", "unsigned char"},
                                                                        {"int16_t", "short"},
                                                                        {"uint16_t", "unsigned short"},
                                                                        {"int32_t", "int"},
                                                                        {"uint32_t", "unsigned"},
                                                                        {"int64_t", "long"},
                                                                        {"uint64_t", "unsigned long"},
                                                                        {"int_least8_t", "signed char"},
                                                                        {"uint_least8_t", "unsigned char"},
                                                                        {"int_least16_t", "short"},
                                                                        {"uint_least16_t", "unsigned short"},
                                                                        {"int_least32_t", "int"},
                                                                        {"uint_least32_t", "unsigned"},
                                                                        {"int_least64_t", "long"},
                                                                        {"uint_least64_t", "unsigned long"},
                                                                        {"int_fast8_t", "signed char"},
                                                                        {"uint_fast8_t", "unsigned char"},
                                                                        {"int_fast16_t", "long"},
                                                                        {"uint_fast16_t", "unsigned long"},
                                                                        {"int_fast32_t", "long"},
                                                                        {"uint_fast32_t", "unsigned long"},
                                                                        {"int_fast64_t", "long"},
                                                                        {"uint_fast64_t", "unsigned long"},
                                                                        {"intmax_t", "long"},
                                                                        {"uintmax_t", "unsigned long"},
                                                                        {"intptr_t", "long"},
                                                                        {"uintptr_t", "unsigned long"},
                                                                        {"ptrdiff_t", "long"},
                                                                        {"size_t", "unsigned long"},
                                                                        {"clock_t", "long"},
                                                                        {"ulong", "unsigned long"},
                                                                        {"uint", "unsigned"},
                                                                        {"ushort", "unsigned short"}};
  if (const auto alias = kAliases.find(word); alias != kAliases.end()) return std::string(alias->second);
  std::string base = longs > 0 && word != "double" ? (longs > 1 ? "long long" : "long")
                     : word.empty()                ? "int"
                                                   : word;
  if (base == "char" && isSigned) return "signed char";
  if (!isUnsigned || isSigned) return base;
  return base == "int" ? "unsigned" : "unsigned " + base;
}

}  // namespace

/// The part behind a type's word: template arguments and the path to a type within the class.
void Parser::typeRest(TypeName& type, const std::string& word, bool isTemplate) {
  if ((isTemplate || word.starts_with("cg::") || namesTypes_) && type.arguments == nullptr && accept("<")) {
    type.arguments = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
    for (const TemplateArgument& argument : *type.arguments) {
      type.isDependent = type.isDependent || (argument.type && argument.type->isDependent) ||
                         (argument.value != nullptr && argument.value->isDependent);
    }
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
    const bool isClass = isElaborated(0);
    if (isClass) consume();
    const Meaning meant = meaning(peek(), isClass);
    const std::string_view text = peek().text;
    if (text.starts_with("__int128") || text == "__uint128_t") fail(*notSimulated(text, peek().span));
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
        word = meant.spelled;
        type.binding = bindingOf(meant);
        type.isDependent = meant.isDependent;
      }
    } else {
      break;
    }
    consume();
    if (word == "decltype") {
      decltypeRest(type);
      type.isDependent = type.of->isDependent;
      typeRest(type, word, false);
      break;
    }
    typeRest(type, word, meant.isTemplate);
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
  pointers(type);
  if (isFunctionPointer(0) && peek(2).is(")")) {  // float (*)(float)
    functionPointer(type, nullptr);
  } else if (isArrayDeclarator(0) && peek(2).kind != TokenKind::Identifier) {  // float (*)[8]
    arrayDeclarator(type);
  } else if (peek().is("[") && !peek(1).is("]")) {  // using Row = float[8];
    type.extents = fixedExtents();
  } else if (const auto known = referenceTypes_.find(type.base);
             !type.isReference && known != referenceTypes_.end() && type.pointers == 0 && type.path.empty()) {
    type.isReference = true;
    type.isRvalue = known->second.isRvalue;
    type.isConst = known->second.isConst && known->second.pointers == 0;
  }
  type.span.end = lastSpan().end;
  return type;
}

// Types with arrays and functions in them: pointers and references to arrays, parameters that are arrays,
// pointers to functions; and loops over a range.

namespace {

constexpr std::size_t kMostParameters = 17;  ///< of a function behind a pointer, with its return type

}  // namespace

TypeName findType(TypeName type, const Declarator& declarator) {
  type.constPointers |= declarator.constPointers << type.pointers;
  type.volatilePointers |= declarator.volatilePointers << type.pointers;
  type.isReference = type.isReference || declarator.isReference;
  type.isRvalue = type.isRvalue || declarator.isRvalue;
  type.pointers += declarator.pointers;
  if (declarator.function) {
    TypeName function = *declarator.function;
    function.signature = std::make_shared<std::vector<TypeName>>(*function.signature);
    function.signature->front() = std::move(type);
    return function;
  }
  if (declarator.array) {
    type.extents = declarator.array->extents;
    type.arrayPointers = declarator.array->arrayPointers;
  }
  return type;
}

/// `[4][8]`: adds each extent.
std::shared_ptr<std::vector<ExpressionPtr>> Parser::fixedExtents() {
  auto result = std::make_shared<std::vector<ExpressionPtr>>();
  while (accept("[")) {
    if (result->size() >= kMaxExtents)
      fail(lastSpan(), "arrays of more than 16 dimensions are not simulated", "use fewer");
    if (peek().is("]")) fail(peek().span, "an array that is pointed to needs its extent", "write a number");
    result->push_back(inParentheses());
    expect("]", "after the array's extent");
  }
  return result;
}

/// True at `(*name)[`, `(&name)[`, `(*)[`: a pointer or reference to an array.
bool Parser::isArrayDeclarator(std::size_t ahead) const {
  if (!peek(ahead).is("(") || !(peek(ahead + 1).is("*") || peek(ahead + 1).is("&"))) return false;
  std::size_t next = ahead + 2;
  while (peek(next).is("*") || peek(next).is("const") || peek(next).is("__restrict__")) ++next;
  if (peek(next).kind == TokenKind::Identifier) ++next;
  return peek(next).is(")") && peek(next + 1).is("[");
}

/// `(*name)[8]`: adds the extents and pointers to the type and returns the name, which a type alone does not
/// have.
Token Parser::arrayDeclarator(TypeName& type) {
  expect("(", "before a pointer to an array");
  Declarator own;
  pointers(own);
  type.arrayPointers = own.pointers;
  type.isReference = type.isReference || own.isReference;
  type.isRvalue = type.isRvalue || own.isRvalue;
  Token name;
  if (!peek().is(")")) name = identifier("a name");
  expect(")", "after the name");
  type.extents = fixedExtents();
  return name;
}

/// True at `(*name)(`, `(*name[3])(`, `(*)(`: a pointer to a function.
bool Parser::isFunctionPointer(std::size_t ahead) const {
  if (!peek(ahead).is("(") || !peek(ahead + 1).is("*")) return false;
  std::size_t next = ahead + 2;
  while (peek(next).is("*") || peek(next).is("const")) ++next;
  if (peek(next).kind == TokenKind::Identifier) ++next;
  while (peek(next).is("[")) {
    while (peek(next).kind != TokenKind::End && !peek(next).is("]")) ++next;
    ++next;
  }
  return peek(next).is(")") && peek(next + 1).is("(");
}

/// `(*name[3])(float, int)` behind the function's return type, which becomes a pointer to the function.
/// Returns the name, which a type alone does not have. Without `extents` an array of such pointers is not
/// allowed.
Token Parser::functionPointer(TypeName& type, std::vector<ExpressionPtr>* extents) {
  const DepthGuard guard(*this);
  TypeName pointer;
  pointer.span = type.span;
  pointer.base = "(function)";
  expect("(", "before a pointer to a function");
  pointers(pointer);
  Token name;
  if (peek().kind == TokenKind::Identifier) name = consume();
  while (extents != nullptr && extents->size() < kMaxExtents && accept("[")) {
    extents->push_back(peek().is("]") ? nullptr : expression());
    expect("]", "after the array's extent");
  }
  expect(")", "after the name");
  pointer.signature = std::make_shared<std::vector<TypeName>>();
  pointer.signature->push_back(std::move(type));
  pushBlock();  // the parameters' names have no meaning
  Function function;
  functionParameters(function);
  scopes_.pop_back();
  for (Parameter& parameter : function.parameters) pointer.signature->push_back(std::move(parameter.type));
  if (pointer.signature->size() > kMostParameters)
    fail(lastSpan(), "pointers to functions of more than 16 parameters are not simulated", "pass a struct");
  pointer.span.end = lastSpan().end;
  type = std::move(pointer);
  return name;
}

/// `[8]` behind the name of a parameter, which becomes a pointer, or behind a type's new name, which becomes
/// an array.
void Parser::parameterExtents(TypeName& type) {
  if (!accept("[")) return;
  if (!accept("]")) {
    expression();
    expect("]", "after the array's extent");
  }
  if (!peek().is("[")) {
    ++type.pointers;
    return;
  }
  type.extents = fixedExtents();
  type.arrayPointers = 1;
}

/// `decltype(x + y)`, behind its word.
void Parser::decltypeRest(TypeName& type) {
  expect("(", "after decltype");
  type.isOfValue = peek().is("(") && peek(roundTokens(0)).is(")");
  type.of = inParentheses();
  expect(")", "after the expression");
}

/// Template arguments of a name in std::, and the member behind them: `std::numeric_limits<T>::max`.
void Parser::standardArguments(Expression& name) {
  static const std::set<std::string_view> kTemplates = {
      "std::numeric_limits",  "std::min",           "std::max",
      "std::forward",         "std::is_integral_v", "std::is_floating_point_v",
      "std::is_arithmetic_v", "std::is_signed_v",   "std::is_unsigned_v",
      "std::is_enum_v",       "std::__underlying",  "std::__atomic_load",
      "std::__atomic_swap",   "std::__atomic_cas"};
  if (!kTemplates.contains(name.text) || !accept("<")) return;
  name.templateArguments = templateArguments();
  if (accept("::")) name.text += fmt::format("::{}", consume().text);
}

/// True if a for loop continues as `T name : array`.
bool Parser::isRangeFor() const {
  int depth = 0;
  int questions = 0;
  for (std::size_t i = 0; peek(i).kind != TokenKind::End && !peek(i).is(";") && !peek(i).is("{"); ++i) {
    if (peek(i).is("(") || peek(i).is("[")) ++depth;
    if ((peek(i).is(")") || peek(i).is("]")) && --depth < 0) return false;
    if (peek(i).is("?")) ++questions;
    if (peek(i).is(":") && depth == 0 && questions-- == 0) return true;
  }
  return false;
}

/// `for (auto& x : array) …`, behind the opening bracket. The initial value of `x` is written out: the
/// element `(range)[(index)]`, with names that no text can write.
StatementPtr Parser::rangeFor(SourceSpan span) {
  StatementPtr result = makeStatement(Statement::Kind::RangeFor, span);
  StatementPtr declared = makeStatement(Statement::Kind::Declaration, peek().span);
  declared->type = baseType();
  Declarator variable;
  pointers(variable);
  variable.isCopied = true;
  if (peek().is("[")) {
    if (declared->type.base != "auto" || variable.pointers > 0)
      fail(peek().span, "names are bound by auto", "write auto before them");
    boundNames(variable);
  } else {
    const Token name = identifier("the name of the loop's variable");
    variable.name = name.text;
    variable.span = name.span;
    declareLocal(variable.name);
  }
  expect(":", "after the loop's variable");
  // The range does not see the variable.
  std::map<std::string, LocalName, std::less<>> declaredNames = std::exchange(scopes_.back().names, {});
  result->expression = peek().is("{") ? list() : expression();
  scopes_.back().names = std::move(declaredNames);
  expect(")", "after the array");
  ExpressionPtr range = makeExpression(Expression::Kind::Name, result->expression->span, "(range)");
  ExpressionPtr index = makeExpression(Expression::Kind::Name, variable.span, "(index)");
  const Token bracket{TokenKind::Punctuator, "[", variable.span};
  variable.initial = over(Expression::Kind::Index, bracket, std::move(range), std::move(index));
  declared->declarators.push_back(std::move(variable));
  result->body.push_back(std::move(declared));
  result->body.push_back(statement());
  return result;
}

}  // namespace lanescope::syntax
