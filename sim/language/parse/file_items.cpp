#include "sim/language/parse/file_items.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "sim/language/parse/syntax.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope::syntax {
namespace {

/// Words whose brackets are not a function's parameters.
constexpr std::array<std::string_view, 10> kAttributes = {
    "__launch_bounds__", "__align__", "alignas",          "__attribute__", "__declspec",
    "decltype",          "noexcept",  "__cluster_dims__", "throw",         "__maxnreg__"};

bool isTag(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("union") || token.is("enum");
}

class ItemSplitter {
 public:
  ItemSplitter(const std::vector<Token>& tokens, std::vector<Diagnostic>& diagnostics)
      : tokens_(tokens), diagnostics_(diagnostics) {}

  FileItems run() {
    while (!atEnd()) {
      if (peek().is(";")) {
        ++at_;
      } else if (peek().is("}")) {
        close();
      } else if (!opens()) {
        item();
      }
    }
    return std::move(result_);
  }

  ClassItems members(std::size_t begin, bool isPrivate) {
    isClass_ = true;
    at_ = begin;
    while (!atEnd() && !peek().is("}")) {
      const bool isAccess = peek().is("public") || peek().is("private") || peek().is("protected");
      if (peek().is(";")) {
        ++at_;
      } else if (isAccess && peek(1).is(":")) {
        isPrivate = !peek().is("public");
        at_ += 2;
      } else {
        item();
        result_.items.back().isPrivate = isPrivate;
      }
    }
    return {std::move(result_.items), at_};
  }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool atEnd() const { return peek().kind == TokenKind::End; }

  /// The open namespaces.
  std::string space() const {
    std::string path;
    for (const std::string& each : spaces_) {
      if (!each.empty()) path = joinedSpaces(path, each);
    }
    return path;
  }

  void close() {
    if (spaces_.empty() && diagnostics_.size() < kMostFaults)
      diagnostics_.push_back(
          {"this '}' closes no '{'", "remove it, or add the '{' it belongs to", peek().span});
    if (!spaces_.empty()) spaces_.pop_back();
    ++at_;
  }

  /// `extern "C" {` and `namespace a::b {`, whose items are at file scope.
  bool opens() {
    if (peek().is("extern") && peek(1).kind == TokenKind::String && peek(2).is("{")) {
      spaces_.emplace_back();
      at_ += 3;
      return true;
    }
    const std::size_t word = peek().is("inline") ? 1 : 0;
    if (!peek(word).is("namespace")) return false;
    std::size_t ahead = word + 1;
    std::string name;
    while (peek(ahead).kind == TokenKind::Identifier || peek(ahead).is("::")) name += peek(ahead++).text;
    if (!peek(ahead).is("{")) return false;
    const std::string around = space();
    spaces_.push_back(word == 1 ? "" : name);  // names in an inline namespace belong to the namespace around
                                               // it
    if (word == 1 && !name.empty()) result_.inlined.emplace(joinedSpaces(around, name), around);
    for (std::string path = space(); !path.empty(); path = spaceAround(path)) result_.paths.insert(path);
    at_ += ahead + 1;
    return true;
  }

  /// Skips from the bracket here to behind its partner. A __global__ within braces shows that one is missing.
  void skipBrackets() {
    const bool isBrace = peek().is("{");
    const std::string_view open = peek().text;
    const std::string_view shut = isBrace ? "}" : peek().is("(") ? ")" : "]";
    int depth = 0;
    const std::size_t begin = at_;
    for (; !atEnd(); ++at_) {
      if (peek().is(open)) ++depth;
      if (peek().is(shut) && --depth == 0) {
        ++at_;
        return;
      }
      if (isBrace && peek().is("__global__") && at_ > begin) return stepBack();
      if (!isBrace && (peek().is("{") || peek().is(";")) && open == "[") return;
      if (!isBrace && peek().is("__global__")) return;
    }
  }

  /// From a __global__ back to the tokens that belong before it: `template <int N> static`.
  void stepBack() {
    while (at_ > 0) {
      const Token& before = tokens_[at_ - 1];
      if (before.is("static") || before.is("inline") || before.is("void")) {
        --at_;
      } else if (before.is(">")) {
        std::size_t open = at_ - 1;
        while (open > 0 && !tokens_[open].is("template") && !tokens_[open].is(";") && !tokens_[open].is("{"))
          --open;
        if (!tokens_[open].is("template")) return;
        at_ = open;
      } else {
        return;
      }
    }
  }

  void skipAngles() {
    int depth = 0;
    for (; !atEnd() && !peek().is(";") && !peek().is("{"); ++at_) {
      if (peek().is("(")) {
        skipBrackets();
        --at_;
        continue;
      }
      if (peek().is("<")) ++depth;
      if (peek().is(">")) --depth;
      if (peek().is(">>")) depth -= 2;
      if (depth <= 0) {
        ++at_;
        return;
      }
    }
  }

  /// True at the `<` of template arguments within a value.
  bool closesAngles() const {
    if (!peek().is("<")) return false;
    int depth = 0;
    for (std::size_t i = 0; peek(i).kind != TokenKind::End && !peek(i).is(";") && !peek(i).is("&&"); ++i) {
      depth += peek(i).is("<") ? 1 : peek(i).is(">") ? -1 : peek(i).is(">>") ? -2 : 0;
      const Token& next = peek(i + 1);
      if (depth <= 0) return next.is("::") || next.is("(") || next.is("{") || next.is(";") || next.is(",");
    }
    return false;
  }

  void item() {
    ItemRange item;
    item.begin = at_;
    head_ = {};
    item.space = space();
    const std::size_t word = peek().is("extern") ? 1 : 0;
    const bool isInstance = peek(word).is("template") && !peek(word + 1).is("<");
    while (!atEnd() && !peek().is("}") && part(item)) {
    }
    if (at_ == item.begin) ++at_;
    item.end = at_;
    item.kind = isInstance ? ItemRange::Kind::Host : classify(item);
    result_.items.push_back(std::move(item));
  }

  /// Reads one part of the item. False if it was the last.
  bool part(ItemRange& item) {
    const Token& token = peek();
    if (token.is(";")) {
      ++at_;
      return false;
    }
    if (token.is("template") && peek(1).is("<")) {
      item.isTemplate = true;
      ++at_;
      skipAngles();
      return true;
    }
    if (token.is("operator") && !head_.hasParameters) {
      operatorName(item);
      return true;
    }
    if (token.is("(") || token.is("[")) {
      brackets(item);
      return true;
    }
    if (token.is("{")) return braces(item);
    // struct Op<true, T> : Base<T, 4>, typedef Row<T, N> Own; Pair<A, B> f();
    const bool isOfValue = head_.hasValue && closesAngles();  // = Size<A, B>::value
    if (token.is("<") && !head_.hasParameters && (!head_.hasValue || isOfValue)) {
      skipAngles();
      return true;
    }
    const bool isNext = token.is("__global__") && (head_.hasParameters || head_.hasValue || head_.wasBraced);
    if (isNext) return false;
    word(item, token);
    ++at_;
    return true;
  }

  /// `operator()`, `operator+=`, `operator float*`, up to its parameters.
  void operatorName(const ItemRange& item) {
    head_.isOperator = true;
    head_.isMember = at_ > item.begin && tokens_[at_ - 1].is("::");
    ++at_;
    if (peek().is("(")) at_ = std::min(at_ + 2, tokens_.size() - 1);
    while (!atEnd() && !peek().is("(") && !peek().is(";") && !peek().is("{") && !peek().is("}")) ++at_;
  }

  void word(ItemRange& item, const Token& token) {
    const bool isFirst = head_.words++ == 0;
    if (isFirst) head_.first = token.text;
    if (token.is("__global__")) head_.isKernel = true;
    if (token.is("__device__")) head_.isDevice = true;
    if (token.is("constexpr")) head_.isConstexpr = true;
    if (token.is("=")) head_.hasValue = true;
    if (token.is("=") && (peek(1).is("default") || peek(1).is("delete"))) head_.isDefaulted = true;
    if (token.is("friend")) head_.isFriend = true;
    if (token.is("::") && peek(1).kind == TokenKind::Identifier && (peek(2).is("=") || peek(2).is(";")))
      head_.isMember =
          head_.isMember || (!head_.hasParameters && !head_.hasValue);  // const int Table::kSize;
    if (token.is(":") && head_.hasParameters) head_.hasMembers = true;
    if (isTag(token) && !head_.hasParameters && !head_.hasValue) {
      std::size_t name = 1;
      while (isTag(peek(name))) ++name;  // enum class
      while (std::ranges::count(kAttributes, peek(name).text) > 0 && peek(name + 1).is("(")) {
        name += 2;
        for (int depth = 1; depth > 0 && peek(name).kind != TokenKind::End; ++name)
          depth += peek(name).is("(") ? 1 : peek(name).is(")") ? -1 : 0;
      }
      const bool isNamed = peek(name).kind == TokenKind::Identifier;
      const Token& behind = peek(name + (isNamed ? 1 : 0));
      const Token& after = peek(name + 2);
      const bool isVariable =
          behind.kind == TokenKind::Identifier && !behind.is("final") &&
          (after.is(";") || after.is("=") || after.is("[") || after.is("(") || after.is(","));
      const bool isElaborated = isClass_ ? !behind.is("{") && !behind.is(":") && !behind.is(";") &&
                                               !behind.is("<") && !behind.is("final")  // struct Node* next;
                                         : isNamed && (behind.is("*") || behind.is("&") ||
                                                       isVariable);  // __device__ struct Node* head;
      head_.isType = !isElaborated;
      if (isNamed && !isElaborated) addName(item, peek(name).text);
      head_.isEnum = token.is("enum");  // not for enum class
    }
    const Token& next = peek(1);
    const bool endsName = next.is("=") || next.is(";") || next.is(",") || next.is("[") || next.is("{") ||
                          (isClass_ && next.is(":") && !head_.isType) ||  // a bit-field
                          (item.isTemplate && !head_.hasValue && isSpecialised());
    const bool isAliased = head_.first == "using" && head_.hasValue;
    const bool isInValue = head_.hasValue && at_ > item.begin && !tokens_[at_ - 1].is(",");  // = B::value;
    const bool isName =
        token.kind == TokenKind::Identifier && endsName && !head_.hasParameters && !isAliased && !isInValue;
    if (!isName || (head_.isType && next.is("{"))) return;
    addName(item, token.text);
    // __constant__ struct Options {…} options;
    if (head_.isType && head_.wasBraced && head_.first != "typedef") item.values.insert(token.text);
  }

  /// True at `kBits` of `constexpr int kBits<float> = 32;`.
  bool isSpecialised() const {
    if (!peek(1).is("<")) return false;
    int depth = 0;
    for (std::size_t i = 1; peek(i).kind != TokenKind::End && !peek(i).is(";") && !peek(i).is("("); ++i) {
      depth += peek(i).is("<") ? 1 : peek(i).is(">") ? -1 : peek(i).is(">>") ? -2 : 0;
      if (depth <= 0) return peek(i + 1).is("=") || (peek(i + 1).is("{") && head_.isConstexpr);
    }
    return false;
  }

  void addName(ItemRange& item, std::string_view name) {
    constexpr std::array<std::string_view, 11> kWords = {
        "void", "bool", "char", "short", "int", "long", "float", "double", "unsigned", "auto", "const"};
    const bool isWord = std::ranges::count(kWords, name) > 0;
    if (!isWord && head_.names.insert(name).second) item.names.push_back(name);
  }

  void brackets(ItemRange& item) {
    const Token& before = tokens_[at_ > 0 ? at_ - 1 : 0];
    const bool isAttribute = at_ > item.begin && std::ranges::count(kAttributes, before.text) > 0;
    const bool isPointer = isClass_ && peek(1).is("*") && !head_.isOperator;  // float (*f)(float);
    if (isPointer && !head_.hasParameters) {
      if (peek(2).kind == TokenKind::Identifier) addName(item, peek(2).text);
      skipBrackets();
      if (peek().is("(")) skipBrackets();
      return;
    }
    if (peek().is("(") && !isAttribute && !head_.hasParameters && !head_.hasValue) {
      head_.hasValue = !isClass_ && !head_.isOperator && holdsValues(tokens_, at_);  // Vec up(0, 1, 0);
      head_.hasParameters = !head_.hasValue;
      if (before.kind == TokenKind::Identifier && at_ > item.begin && !head_.isOperator) {
        const std::size_t name = at_ > item.begin + 2 && tokens_[at_ - 2].is("~") ? at_ - 2 : at_ - 1;
        head_.isMember = name > item.begin && tokens_[name - 1].is("::");
        addName(item, before.text);
      } else if (before.is(">") && item.isTemplate && !head_.isOperator) {  // template <> int S::f<3>()
        std::size_t open = at_ - 1;
        for (int depth = 0; open > item.begin + 1; --open) {
          depth += tokens_[open].is(">") ? 1 : tokens_[open].is("<") ? -1 : 0;
          if (depth == 0) break;
        }
        head_.isMember = open > item.begin + 2 && tokens_[open - 1].kind == TokenKind::Identifier &&
                         tokens_[open - 2].is("::");
      }
      for (std::size_t i = 2; peek(1).is("*") && i < 4; ++i) {  // typedef float (*Operation)(float);
        if (peek(i).kind == TokenKind::Identifier) addName(item, peek(i).text);
      }
    }
    skipBrackets();
  }

  /// A body, an initial value or a type's members. False if the item ends after them.
  bool braces(ItemRange& item) {
    const Token& before = tokens_[at_ > 0 ? at_ - 1 : 0];
    const bool isMember = head_.hasMembers && before.kind == TokenKind::Identifier;  // : a{1}, b{2} { … }
    const bool isBody = head_.hasParameters && !head_.hasValue && !isMember;
    if (head_.isEnum && !isBody) enumerators(item);
    skipBrackets();
    head_.wasBraced = true;
    if (isBody) {
      head_.isFunction = true;
      return false;
    }
    // A type without its ';' ends here all the same.
    return !peek().is("template") && !peek().is("__device__") && !peek().is("struct") &&
           !peek().is("typedef");
  }

  void enumerators(ItemRange& item) {
    int depth = 0;
    for (std::size_t i = 0; peek(i).kind != TokenKind::End; ++i) {
      const Token& token = peek(i);
      if (token.is("{") || token.is("(")) ++depth;
      if ((token.is("}") || token.is(")")) && --depth == 0) return;
      const bool isFirst = i > 0 && (peek(i - 1).is("{") || peek(i - 1).is(","));
      if (depth != 1 || !isFirst || token.kind != TokenKind::Identifier) continue;
      addName(item, token.text);
      item.values.insert(token.text);
    }
  }

  ItemRange::Kind classify(const ItemRange& item) const {
    using Kind = ItemRange::Kind;
    if (head_.isKernel) return Kind::Kernel;
    if (head_.first == "static_assert" || head_.first == "asm") return Kind::Host;
    if (isClass_) return memberKind();
    if (head_.first == "using") {
      std::size_t word = item.begin;  // behind `template <typename T>`
      while (!tokens_[word].is("using")) ++word;
      return tokens_[std::min(word + 2, tokens_.size() - 1)].is("=") ? Kind::Type : Kind::Space;
    }
    if (head_.first == "namespace") return Kind::Space;
    if (head_.isMember)
      return head_.isFunction && (head_.isDevice || head_.isConstexpr) ? Kind::Member : Kind::Host;
    if (head_.first == "typedef") return Kind::Type;
    if (head_.isFunction) return head_.isDevice || head_.isConstexpr ? Kind::Function : Kind::Host;
    if (head_.isType && !head_.hasParameters) return Kind::Type;
    return head_.hasParameters && !head_.isDevice && !head_.isConstexpr ? Kind::Host : Kind::Variable;
  }

  /// For a member of a class.
  ItemRange::Kind memberKind() const {
    using Kind = ItemRange::Kind;
    const bool isOfDevice = head_.isDevice || head_.isConstexpr || head_.isDefaulted;
    if (head_.isType && head_.isFriend && !head_.hasParameters) return Kind::Host;
    if (head_.hasParameters) return isOfDevice ? Kind::Function : Kind::Host;
    if (head_.first == "using" || head_.first == "typedef" || head_.isType) return Kind::Type;
    return Kind::Variable;
  }

  /// The item's words so far, outside of its brackets.
  struct Head {
    std::string_view first;
    std::set<std::string_view> names;  ///< those of the item so far
    std::size_t words = 0;
    bool isKernel = false;
    bool isDevice = false;
    bool isConstexpr = false;
    bool isOperator = false;
    bool isDefaulted = false;
    bool isFriend = false;
    bool isType = false;
    bool isEnum = false;
    bool isMember = false;  ///< of a class, defined outside it
    bool isFunction = false;
    bool hasParameters = false;
    bool hasMembers = false;
    bool hasValue = false;
    bool wasBraced = false;
  };

  const std::vector<Token>& tokens_;
  std::vector<Diagnostic>& diagnostics_;
  FileItems result_;
  std::vector<std::string> spaces_;  ///< open ones; empty: extern "C", inline, or without a name
  std::size_t at_ = 0;
  bool isClass_ = false;  ///< the items are the members of a class
  Head head_;
};

}  // namespace

bool holdsValues(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  int angles = 0;  // of std::array<int, 4>
  for (std::size_t t = open; t < tokens.size() && tokens[t].kind != TokenKind::End; ++t) {
    const Token& token = tokens[t];
    if (token.is("<") && tokens[t - 1].kind == TokenKind::Identifier) ++angles;
    if (token.is(">") || token.is(">>")) angles = std::max(angles - (token.is(">") ? 1 : 2), 0);
    const bool isFirst = depth == 1 && angles == 0 && (t == open + 1 || tokens[t - 1].is(","));
    const bool isLiteral = token.kind == TokenKind::Integer || token.kind == TokenKind::Floating ||
                           token.kind == TokenKind::String || token.is("-") || token.is("true") ||
                           token.is("false") || token.is("nullptr");
    if (isFirst && isLiteral) return true;
    if (token.is("(") || token.is("{") || token.is("[")) ++depth;
    if ((token.is(")") || token.is("}") || token.is("]")) && --depth == 0) return false;
  }
  return false;
}

FileItems splitItems(const std::vector<Token>& tokens, std::vector<Diagnostic>& diagnostics) {
  return ItemSplitter(tokens, diagnostics).run();
}

ClassItems splitMembers(const std::vector<Token>& tokens, std::size_t begin, bool isPrivate) {
  std::vector<Diagnostic> none;
  return ItemSplitter(tokens, none).members(begin, isPrivate);
}

namespace {

struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class DeviceText {
 public:
  DeviceText(const SourceText& source, std::string_view kernel)
      : source_(source), isAnyKernel_(kernel.empty()) {
    std::vector<Diagnostic> ignored;
    text_ = tokenize(source, ignored);
    split_ = splitItems(text_.tokens, ignored);
    const SourceText name("kernel", std::string(kernel));
    const TokenizedText named = tokenize(name, ignored);
    for (const Token& token : named.tokens) {
      if (token.kind == TokenKind::Identifier) named_.emplace(token.text);
    }
    reached_.insert(named_.begin(), named_.end());
  }

  bool hasHostPart() const {
    return !source_.includes().empty() ||
           std::ranges::count(split_.items, ItemRange::Kind::Host, &ItemRange::kind) > 0;
  }

  std::string reachedText() {
    std::vector<const ItemRange*> open;
    for (const ItemRange& item : split_.items) {
      if (item.kind != ItemRange::Kind::Host) open.push_back(&item);
    }
    std::set<const ItemRange*> kept;
    for (bool isNew = true; isNew;) {
      isNew = false;
      for (const ItemRange*& item : open) {
        if (item == nullptr || !isReached(*item)) continue;
        kept.insert(item);
        reach(*item);
        item = nullptr;
        isNew = true;
      }
    }
    putHeaders();
    for (const ItemRange& item : split_.items) {
      if (kept.contains(&item)) put(item);
    }
    for (const ItemRange* const item : kept) use(*item);
    result_ += '\n';
    return std::move(result_);
  }

 private:
  const Token& at(std::size_t t) const { return text_.tokens[std::min(t, text_.tokens.size() - 1)]; }

  /// An operator or a specialisation is always kept, since it has no name to be found by, and so is the other
  /// name of a namespace, which any item may use.
  bool isReached(const ItemRange& item) const {
    if (item.kind == ItemRange::Kind::Kernel && isAnyKernel_) return true;
    if (item.kind == ItemRange::Kind::Space)
      return !at(item.begin + 2).is("std") && !at(item.begin + 1).is("std");
    if (item.kind == ItemRange::Kind::Member) return isOfReachedClass(item);
    if (item.kind == ItemRange::Kind::Function && item.names.empty()) return true;
    if (item.kind == ItemRange::Kind::Kernel && item.names.empty()) return isSpecialisation(item);
    return std::ranges::any_of(item.names, [&](std::string_view name) { return reached_.contains(name); });
  }

  /// `template <> __global__ void k<8>(…)` of the kernel.
  bool isSpecialisation(const ItemRange& item) const {
    for (std::size_t t = item.begin; t < item.end && !at(t).is("("); ++t) {
      if (named_.contains(std::string(at(t).text)) && at(t + 1).is("<")) return true;
    }
    return false;
  }

  bool isOfReachedClass(const ItemRange& item) const {
    for (std::size_t t = item.begin; t + 1 < item.end && !at(t).is("{"); ++t) {
      if (at(t + 1).is("::") && reached_.contains(at(t).text)) return true;
    }
    return false;
  }

  void reach(const ItemRange& item) {
    for (const TokenRange& part : splitParts(item)) {
      for (std::size_t t = part.begin; t < part.end; ++t) {
        if (at(t).kind == TokenKind::Identifier) reached_.emplace(at(t).text);
      }
    }
  }

  /// The item without the host's functions in its classes.
  std::vector<TokenRange> splitParts(const ItemRange& item) const {
    std::vector<TokenRange> parts;
    std::size_t begin = item.begin;
    if (item.kind == ItemRange::Kind::Type) leaveOutHost(item, begin, parts);
    parts.push_back({begin, item.end});
    return parts;
  }

  void leaveOutHost(const ItemRange& type, std::size_t& begin, std::vector<TokenRange>& parts) const {
    std::size_t brace = type.begin;
    bool isClass = false;
    for (; brace < type.end && !at(brace).is("{"); ++brace) {
      if (at(brace).is("enum")) return;
      isClass = isClass || at(brace).is("class") || at(brace).is("struct") || at(brace).is("union");
    }
    if (brace >= type.end || !isClass) return;
    for (const ItemRange& member : splitMembers(text_.tokens, brace + 1, false).items) {
      if (member.kind == ItemRange::Kind::Type) leaveOutHost(member, begin, parts);
      if (member.kind != ItemRange::Kind::Host || at(member.begin).is("static_assert")) continue;
      parts.push_back({begin, member.begin});
      begin = member.end;
    }
  }

  void putHeaders() {
    std::set<std::string> names = bracketedIncludes(source_.text());
    for (const IncludedText& included : source_.includes()) names.merge(bracketedIncludes(included.text));
    std::erase_if(names,
                  [](const std::string& name) { return !isDeviceHeader(name) && !isStandardHeader(name); });
    // Headers that any of the host's headers may have included.
    names.insert({"climits", "cstdint"});
    for (const std::string& name : names) result_ += "#include <" + name + ">\n";
    result_ += "#line 1\n";
  }

  void put(const ItemRange& item) {
    moveToLine(at(item.begin));
    if (!item.space.empty()) add("namespace " + item.space + " {");
    for (const TokenRange& part : splitParts(item)) {
      for (std::size_t t = part.begin; t < part.end; ++t) put(at(t));
    }
    if (!item.space.empty()) add(" }");
  }

  /// Declares the names that the kernel's name has without their namespace with `using`.
  void use(const ItemRange& item) {
    if (item.space.empty()) return;
    for (const std::string_view name : item.names) {
      if (named_.erase(std::string(name)) > 0) add(" using " + item.space + "::" + std::string(name) + ";");
    }
  }

  /// Puts the token in its line, and in its column or behind the previous token. Tokens that are apart in the
  /// text stay apart.
  void put(const Token& token) {
    moveToLine(token);
    const std::uint32_t column = source_.place(token.span.begin).column;
    const bool isJoined = token.text.data() == lastEnd_;
    const std::uint32_t apart = isJoined || column_ == 1 ? 0 : 1;
    if (!isJoined) add(std::string(std::max(column, column_ + apart) - column_, ' '));
    add(token.text);
    lastEnd_ = token.text.data() + token.text.size();
  }

  void moveToLine(const Token& token) {
    const std::uint32_t line = source_.place(token.span.begin).line;
    if (line <= line_) return;
    result_.append(line - line_, '\n');
    line_ = line;
    column_ = 1;
  }

  void add(std::string_view text) {
    result_ += text;
    column_ += static_cast<std::uint32_t>(text.size());
  }

  const SourceText& source_;
  bool isAnyKernel_;
  TokenizedText text_;
  FileItems split_;
  std::set<std::string> named_;  ///< in the kernel's name
  std::set<std::string, std::less<>> reached_;
  std::string result_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  const char* lastEnd_ = nullptr;  ///< end of the last token, if it is in the text
};

}  // namespace

std::string deviceText(const SourceText& source, std::string_view kernel) {
  DeviceText text(source, kernel);
  return text.hasHostPart() ? text.reachedText() : std::string(source.text());
}

}  // namespace lanescope::syntax
