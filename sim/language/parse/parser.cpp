#include <fmt/format.h>

#include <algorithm>

#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/not_simulated.h"

namespace lanescope::syntax {
namespace {

/// Nesting of expressions and statements.
constexpr int kMaxDepth = 200;

const std::set<std::string_view> kTypeWords = {
    "void",      "bool",     "char",      "short",    "int",     "long",     "float",
    "double",    "signed",   "unsigned",  "auto",     "size_t",  "int8_t",   "uint8_t",
    "int16_t",   "uint16_t", "int32_t",   "uint32_t", "int64_t", "uint64_t", "uint",
    "uintptr_t", "dim3",     "ptrdiff_t", "intptr_t", "ushort",  "ulong",    "clock_t"};

/// Of the words that begin a type, those that name nothing else.
const std::set<std::string_view> kKeywords = {
    "void", "bool", "char", "short", "int", "long", "float",  "double", "signed", "unsigned",
    "auto", "if",   "for",  "while", "do",  "else", "switch", "return", "struct"};

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

/// The file's own namespaces are transparent: `detail::f` is `f`. So is a leading `::`.
void Parser::dropSpaces(const std::set<std::string, std::less<>>& spaces) {
  std::vector<Token> kept;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool isName = tokens_[i].kind == TokenKind::Identifier && i + 1 < tokens_.size();
    if (isName && spaces.contains(tokens_[i].text) && tokens_[i + 1].is("::")) {
      ++i;
    } else if (!tokens_[i].is("::") || (!kept.empty() && (kept.back().kind == TokenKind::Identifier ||
                                                          kept.back().is(">") || kept.back().is(">>")))) {
      kept.push_back(tokens_[i]);
    }
  }
  tokens_ = std::move(kept);
}

Unit Parser::unit() {
  Unit result;
  result.missing = std::move(text_.missing);
  FileItems split = splitItems(tokens_, diagnostics_);
  if (!split.spaces.empty()) {
    dropSpaces(split.spaces);
    std::vector<Diagnostic> known;
    split = splitItems(tokens_, known);
  }
  std::ranges::stable_sort(text_.deferred, {}, [](const Diagnostic& fault) { return fault.span.begin; });
  for (const ItemRange& range : split.items) {
    if (range.kind == ItemRange::Kind::Type) {
      for (const std::string_view name : range.names) {
        if (std::ranges::count(range.values, name) == 0) types_.emplace(name);
      }
    }
  }
  for (const ItemRange& range : split.items) readItem(range, result);
  if (!split.spaces.empty()) refuseClashes(split.items, result);
  return result;
}

/// As namespaces are transparent, a name that two of them have is ambiguous: it is refused where it is used.
void Parser::refuseClashes(const std::vector<ItemRange>& items, Unit& unit) {
  std::map<std::string_view, std::string_view> spaceOf;
  std::set<std::string_view> clashes;
  for (const ItemRange& item : items) {
    if (item.kind == ItemRange::Kind::Host || item.kind == ItemRange::Kind::Space) continue;
    for (const std::string_view name : item.names) {
      if (spaceOf.emplace(name, item.space).first->second != item.space) clashes.insert(name);
    }
  }
  const auto faultOf = [&](std::string_view name, SourceSpan span) {
    return Diagnostic{
        fmt::format("'{}' is declared in two namespaces, which the simulator does not keep apart", name),
        "rename one of them", span};
  };
  for (Function& function : unit.functions) {
    if (clashes.contains(function.name))
      function.diagnostics.push_back(faultOf(function.name, function.span));
  }
  for (FileItem& item : unit.items) {
    for (const std::string& name : item.names) {
      if (clashes.contains(name)) item.diagnostics.push_back(faultOf(name, endToken_.span));
    }
  }
}

/// Reads an item; its faults are kept with what it declares.
void Parser::readItem(const ItemRange& range, Unit& result) {
  using Kind = ItemRange::Kind;
  if (range.kind == Kind::Host) {
    for (const std::string_view name : range.names) result.hostFunctions.emplace(name);
    return;
  }
  at_ = range.begin;
  end_ = range.end;
  const std::uint32_t last = tokens_[range.end > range.begin ? range.end - 1 : range.begin].span.end;
  endToken_.span = {last, last};
  typeParameters_.clear();
  locals_.clear();
  depth_ = 0;
  inTemplateArguments_ = false;
  const auto typesBefore = types_;
  const auto spacesBefore = groupSpaces_;
  const bool usedGroups = usesGroups_;
  const std::size_t functions = result.functions.size();
  const std::size_t items = result.items.size();
  std::vector<Diagnostic> outer = std::exchange(diagnostics_, {});
  // What the scanner and the macros said of its tokens comes first: what follows may come of it.
  const SourceSpan extent{tokens_[range.begin].span.begin, tokens_[range.end].span.begin};
  for (const Diagnostic& fault : text_.deferred) {
    if (fault.span.begin >= extent.begin && fault.span.begin < extent.end &&
        diagnostics_.size() < kMostFaults)
      diagnostics_.push_back(fault);
  }
  try {
    topLevel(range, result);
  } catch (const SyntaxFault&) {
  }
  std::vector<Diagnostic> own = std::exchange(diagnostics_, std::move(outer));
  if (range.kind == Kind::Kernel || range.kind == Kind::Function) {
    types_ = typesBefore;
    groupSpaces_ = spacesBefore;
    usesGroups_ = usedGroups;
  }
  if (own.empty()) return;
  if (range.kind != Kind::Kernel && range.kind != Kind::Function) {
    result.items.resize(items);
    FileItem& item = result.items.emplace_back();
    for (const std::string_view name : range.names) item.names.emplace_back(name);
    item.diagnostics = std::move(own);
    return;
  }
  if (result.functions.size() == functions) {
    Function& function = result.functions.emplace_back();
    function.isKernel = range.kind == Kind::Kernel;
    if (!range.names.empty()) function.name = range.names.back();
    function.span = own.front().span;
  }
  result.functions.back().diagnostics = std::move(own);
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
  if (at_ < end_) ++at_;
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
  const bool isKeyword = kKeywords.contains(peek().text) || kQualifiers.contains(peek().text);
  if (peek().kind != TokenKind::Identifier || isKeyword) {
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
  if (isHidden(token.text)) return false;
  if (kTypeWords.contains(token.text) || kQualifiers.contains(token.text)) return true;
  if (typeParameters_.contains(token.text) || isVectorName(token.text)) return true;
  if (kHeaderTypes.contains(token.text)) return true;
  if ((token.is("half") || token.is("half2")) && namesHalfType_) return true;
  if (types_.contains(token.text)) return !peek(ahead + 1).is("::");  // Mode::kSum is a value
  return kGroupTypes.contains(groupName(ahead));
}

/// True where a variable of the function has the name of a type.
bool Parser::isHidden(std::string_view name) const {
  return std::ranges::any_of(locals_, [&](const auto& block) { return block.contains(name); });
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
                                                                        {"uint", "unsigned"},
                                                                        {"ushort", "unsigned short"},
                                                                        {"ulong", "unsigned long long"}};
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
    if (auto outside = notSimulated(peek().text, peek().span)) {
      diagnostics_.push_back(std::move(*outside));
      throw SyntaxFault{};
    }
    diagnostics_.push_back(
        {fmt::format("expected a type, but {}", found()), std::string(kTypeHint), peek().span, true});
    throw SyntaxFault{};
  }
  if (word == "long") word.clear();
  type.base = normalise(word, isUnsigned, isSigned, longs);
  type.span.end = lastSpan().end;
  return type;
}

TypeName Parser::typeName() {
  TypeName type = baseType();
  while (accept("*")) {
    addPointer(type.pointers);
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
