#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/base/words.h"
#include "sim/language/text/macro_expander.h"
#include "sim/language/text/scanner.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope {
namespace {

/// Nesting of brackets and signs. Limits the stack.
constexpr int kDeepest = 32;

/// A number in `#if`: every integer is as wide as the widest one, and unsigned as an expression's would be
/// ([cpp.cond] 12).
struct Number {
  std::uint64_t bits = 0;
  bool isUnsigned = false;

  explicit operator bool() const { return bits != 0; }
  std::int64_t asSigned() const { return static_cast<std::int64_t>(bits); }
};

class Condition {
 public:
  explicit Condition(std::span<const Token> tokens) : tokens_(tokens) {}

  /// Empty if the tokens are no constant expression.
  std::optional<bool> value() {
    const bool result = static_cast<bool>(comma(false));
    return isGood_ && at_ == tokens_.size() ? std::optional(result) : std::nullopt;
  }

 private:
  static Number truth(bool value) { return {value ? 1U : 0U}; }

  bool accept(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }

  /// The operands of `&&`, `||` and `?:` that do not count may divide by zero.
  template <class Read>
  Number ignoredIf(bool isIgnored, Read read) {
    ignored_ += isIgnored ? 1 : 0;
    const Number result = read();
    ignored_ -= isIgnored ? 1 : 0;
    return result;
  }

  Number comma(bool isAllowed) {
    Number result = conditional();
    while (isAllowed && isGood_ && accept(",")) result = conditional();
    return result;
  }

  Number conditional() {
    if (++depth_ > kDeepest) isGood_ = false;
    Number result = isGood_ ? binary(0) : Number();
    if (isGood_ && accept("?")) {
      const bool isTrue = static_cast<bool>(result);
      const Number yes = ignoredIf(!isTrue, [&] { return comma(true); });
      isGood_ = isGood_ && accept(":");
      const Number no = isGood_ ? ignoredIf(isTrue, [&] { return conditional(); }) : Number();
      result = {isTrue ? yes.bits : no.bits, yes.isUnsigned || no.isUnsigned};
    }
    --depth_;
    return result;
  }

  Number unary() {
    if (++depth_ > kDeepest || at_ >= tokens_.size()) {
      isGood_ = false;
      return {};
    }
    Number result;
    if (accept("!")) {
      result = truth(!unary());
    } else if (accept("-")) {
      result = unary();
      result.bits = 0 - result.bits;
    } else if (accept("+")) {
      result = unary();
    } else if (accept("~")) {
      result = unary();
      result.bits = ~result.bits;
    } else if (accept("(")) {
      result = comma(true);
      isGood_ = accept(")") && isGood_;
    } else if (tokens_[at_].kind == TokenKind::Integer) {
      result = integer(tokens_[at_++].text);
    } else if (tokens_[at_].kind == TokenKind::Character) {
      result = character(tokens_[at_++].text);
    } else if (tokens_[at_].kind == TokenKind::Identifier) {
      result = truth(tokens_[at_++].is("true"));
    } else {
      isGood_ = false;
    }
    --depth_;
    return result;
  }

  Number integer(std::string_view literal) {
    std::string text(literal);
    std::erase(text, '\'');
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const bool isBinary = text.starts_with("0b") || text.starts_with("0B");
    const bool isOctal = !isHex && !isBinary && text.starts_with("0") && text.size() > 1;
    if (isHex || isBinary) text.erase(0, 2);
    Number result;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.bits,
                                              isHex      ? 16
                                              : isBinary ? 2
                                              : isOctal  ? 8
                                                         : 10);
    const std::string_view rest = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    isGood_ = isGood_ && error == std::errc{} && rest.find_first_not_of("uUlL") == std::string_view::npos;
    result.isUnsigned = rest.find_first_of("uU") != std::string_view::npos || result.asSigned() < 0;
    return result;
  }

  /// One character without a prefix: a signed char.
  Number character(std::string_view literal) {
    const std::string inside = unquoted(literal);
    isGood_ = isGood_ && literal.front() == '\'' && inside.size() == 1;
    if (!isGood_) return {};
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<signed char>(inside[0])))};
  }

  Number binary(std::size_t level) {
    if (level == kBinaryOperators.size()) return unary();
    Number left = binary(level + 1);
    while (at_ < tokens_.size() && isGood_) {
      const std::string_view op = tokens_[at_].text;
      const auto& ops = kBinaryOperators[level];
      if (op.empty() || std::ranges::count(ops, op) == 0) break;
      ++at_;
      const bool isDecided = op == "||" ? static_cast<bool>(left) : op == "&&" && !left;
      left = apply(op, left, ignoredIf(isDecided, [&] { return binary(level + 1); }));
    }
    return left;
  }

  Number apply(std::string_view op, Number a, Number b) {
    if (op == "||") return truth(a || b);
    if (op == "&&") return truth(a && b);
    if (op == "<<" || op == ">>") return shift(op == "<<", a, b);
    const bool isUnsigned = a.isUnsigned || b.isUnsigned;
    if (op == "==") return truth(a.bits == b.bits);
    if (op == "!=") return truth(a.bits != b.bits);
    const bool isLess = isUnsigned ? a.bits < b.bits : a.asSigned() < b.asSigned();
    if (op == "<") return truth(isLess);
    if (op == ">") return truth(!isLess && a.bits != b.bits);
    if (op == "<=") return truth(isLess || a.bits == b.bits);
    if (op == ">=") return truth(!isLess);
    return {combine(op, a, b, isUnsigned), isUnsigned};
  }

  /// The type is the left operand's alone. As GCC: a negative count shifts the other way.
  static Number shift(bool isLeft, Number a, Number b) {
    std::uint64_t count = b.bits;
    if (!b.isUnsigned && b.asSigned() < 0) {
      isLeft = !isLeft;
      count = 0 - count;
    }
    const auto places = static_cast<unsigned>(std::min<std::uint64_t>(count, 63));
    if (isLeft) return {count > 63 ? 0 : a.bits << places, a.isUnsigned};
    if (!a.isUnsigned) return {static_cast<std::uint64_t>(a.asSigned() >> places), false};
    return {count > 63 ? 0 : a.bits >> places, true};
  }

  std::uint64_t combine(std::string_view op, Number a, Number b, bool isUnsigned) {
    if (op == "&") return a.bits & b.bits;
    if (op == "|") return a.bits | b.bits;
    if (op == "^") return a.bits ^ b.bits;
    if (op == "+") return a.bits + b.bits;
    if (op == "-") return a.bits - b.bits;
    if (op == "*") return a.bits * b.bits;
    if (!b) {
      if (ignored_ == 0) isGood_ = false;
      return 0;
    }
    if (isUnsigned) return op == "/" ? a.bits / b.bits : a.bits % b.bits;
    if (b.asSigned() == -1) return op == "/" ? 0 - a.bits : 0;
    return static_cast<std::uint64_t>(op == "/" ? a.asSigned() / b.asSigned() : a.asSigned() % b.asSigned());
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int ignored_ = 0;  ///< operands around this place that do not count
  bool isGood_ = true;
};

constexpr std::size_t kMaxConditionals = 64;
/// The most bytes that all #include of a text may read: a file counts each time.
constexpr std::size_t kMostIncludedBytes = std::size_t{64} << 20;
constexpr std::size_t kBytesOfInclude = 512;
/// Nesting of #include.
constexpr std::size_t kMaxIncludes = 32;

using Macros = std::map<std::string_view, Macro>;

/// Directives and macros, on top of the scanner's tokens.
class Preprocessor {
 public:
  Preprocessor(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : source_(source), diagnostics_(diagnostics), expander_(macros_, result_.spellings) {
    for (const PredefinedMacro& macro : nvccMacros()) setNumber(macro.name, macro.value);
    for (const PredefinedMacro& macro : hostCompilerMacros()) {
      if (macro.name != macro.value) setNumber(macro.name, macro.value);
    }
    setNumber("__CUDA_ARCH__", "900");
    setNumber("__cplusplus", "201703L");
    for (const std::string_view word : wordsIn(keptWords())) macros_[word].isKept = true;
    for (const std::string_view word : {"__align__", "__LINE__", "__FILE__"}) macros_[word].isKept = true;
    setMacrosOf("cuda_runtime.h");
    macros_["__builtin_align__"].body = {{TokenKind::Identifier, "__align__", {}}};
    // The macros of <cinttypes>, for a `long` of 64 bits.
    constexpr std::pair<std::string_view, std::string_view> kFormats[] = {
        {"PRId8", "\"d\""},   {"PRIi8", "\"i\""},   {"PRIu8", "\"u\""},   {"PRIx8", "\"x\""},
        {"PRId16", "\"d\""},  {"PRIi16", "\"i\""},  {"PRIu16", "\"u\""},  {"PRIx16", "\"x\""},
        {"PRId32", "\"d\""},  {"PRIi32", "\"i\""},  {"PRIu32", "\"u\""},  {"PRIx32", "\"x\""},
        {"PRId64", "\"ld\""}, {"PRIi64", "\"li\""}, {"PRIu64", "\"lu\""}, {"PRIx64", "\"lx\""}};
    for (const auto& [name, value] : kFormats) macros_[name].body = {{TokenKind::String, value, {}}};
  }

  TokenizedText run() {
    const SourceSpan begin{0, 0};
    for (const IncludedText& file : source_.includes()) {
      if (file.path == kCommandLinePath) read(file.text, {}, &begin);
    }
    read(source_.text(), {}, nullptr);
    namePlaces();
    const auto end = static_cast<std::uint32_t>(source_.text().size());
    result_.tokens.push_back({TokenKind::End, {}, {end, end}});
    return std::move(result_);
  }

 private:
  /// An open #if: if its lines count, and if one of its branches already did.
  struct Conditional {
    SourceSpan span;
    bool isActive = false;
    bool wasActive = false;
    bool sawElse = false;
  };

  /// `__LINE__` and `__FILE__`, which give the place of their use.
  void namePlaces() {
    for (Token& token : result_.tokens) {
      if (token.is("__LINE__")) {
        token.kind = TokenKind::Integer;
        token.text = result_.spellings.emplace_back(std::to_string(source_.findLine(token.span)));
      } else if (token.is("__FILE__")) {
        std::string& text = result_.spellings.emplace_back("\"");
        for (const char c : source_.name()) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
        text += '"';
        token.kind = TokenKind::String;
        token.text = text;
      }
    }
  }

  void setNumber(std::string_view name, std::string_view value) {
    macros_[name].body = {{TokenKind::Integer, value, {}}};
  }

  /// Defines the include guards and versions of a header of the toolkit.
  void setMacrosOf(std::string_view header) {
    for (const std::string_view macro : wordsIn(macrosOfHeader(header))) {
      const std::size_t equals = macro.find('=');
      const std::string_view name = macro.substr(0, equals);
      if (equals == std::string_view::npos)
        macros_[name] = {};
      else
        setNumber(name, macro.substr(equals + 1));
    }
  }

  bool isSkipping() const { return !conditionals_.empty() && !conditionals_.back().isActive; }
  bool isFull() const { return diagnostics_.size() >= kMostFaults; }

  /// The place that the reader sees for a place in the current file. For an included file, its #include.
  SourceSpan shown(SourceSpan span) const { return place_ != nullptr ? *place_ : span; }

  void report(SourceSpan span, std::string message, std::string hint) {
    if (!isFull()) diagnostics_.push_back({std::move(message), std::move(hint), shown(span)});
  }

  /// Reads a file's text. `place`: the #include where it is shown, null for the text itself.
  void read(std::string_view text, const std::string& path, const SourceSpan* place) {
    Scanner scanner(text, {diagnostics_, result_.deferred}, result_.spellings);
    Scanner* const outer = std::exchange(scanner_, &scanner);
    const SourceSpan* const outerPlace = std::exchange(place_, place);
    const std::string outerPath = std::exchange(path_, path);
    const std::size_t open = conditionals_.size();
    const std::size_t deferred = result_.deferred.size();
    while (scanner.skipBlank(), !scanner.atEnd() && !isFull()) {
      if (result_.tokens.size() + chunk_.size() > kMaxTokens) {
        const auto at = static_cast<std::uint32_t>(scanner.position());
        refuseLength(shown({at, at + 1}));
      }
      if (isTooLong_) break;
      if (scanner.atDirective()) {
        directive();
      } else if (isSkipping()) {
        scanner.skipLine();
      } else {
        Token token = scanner.next();
        token.span = shown(token.span);
        if (token.kind != TokenKind::End) chunk_.push_back(token);
      }
    }
    flush();
    if (conditionals_.size() > open) {
      report(conditionals_.back().span, "this #if has no #endif", "close it with #endif");
      conditionals_.resize(open);
    }
    if (place != nullptr) {
      for (std::size_t i = deferred; i < result_.deferred.size(); ++i) result_.deferred[i].span = *place;
    }
    scanner_ = outer;
    place_ = outerPlace;
    path_ = outerPath;
  }

  /// A macro's use may continue behind an #if, but not behind a directive that changes macros.
  void flush() {
    const std::size_t before = result_.tokens.size();
    expander_.expand(chunk_, result_.tokens, result_.deferred);
    chunk_.clear();
    for (std::size_t i = before; i < result_.tokens.size(); ++i) result_.tokens[i].pack = pack_;
    if (result_.tokens.size() <= kMaxTokens) return;
    refuseLength(result_.tokens[kMaxTokens].span);
    result_.tokens.resize(kMaxTokens);
  }

  void refuseLength(SourceSpan span) {
    if (std::exchange(isTooLong_, true)) return;
    if (!isFull())
      diagnostics_.push_back(
          {"this text is too long to be simulated", "keep the kernel alone in its file", span});
  }

  /// `#pragma pack(push, 1)`, `pack(4)`, `pack(pop)`, `pack()`; others change nothing.
  void pragma(std::string_view text) {
    const std::size_t name = text.find_first_not_of(" \t");
    if (name == std::string_view::npos || !text.substr(name).starts_with("pack")) return;
    const std::size_t number = text.find_first_of("123456789");
    const bool isPush = text.find("push") != std::string_view::npos;
    if (isPush && packs_.size() < kMaxIncludes) packs_.push_back(pack_);
    if (text.find("pop") != std::string_view::npos) {
      pack_ = packs_.empty() ? std::uint8_t{0} : packs_.back();
      if (!packs_.empty()) packs_.pop_back();
    } else if (number != std::string_view::npos) {
      pack_ = static_cast<std::uint8_t>(
          text[number] == '1' && text.substr(number + 1).starts_with('6') ? 16 : text[number] - '0');
    } else if (!isPush) {
      pack_ = 0;
    }
  }

  void directive() {
    const std::size_t begin = scanner_->position();
    const std::size_t end = scanner_->directiveEnd();
    scanner_->moveTo(begin + 1);
    scanner_->skipInLine(end);
    const std::size_t nameBegin = scanner_->position();
    const Token word = nameBegin < end && scanner_->current() != '\n' ? scanner_->next() : Token{};
    const SourceSpan span = scanner_->spanFrom(begin);
    if (!conditional(word.text, span, end) && !isSkipping()) {
      flush();
      if (word.text == "define") {
        define(end);
      } else if (word.text == "undef") {
        scanner_->skipInLine(end);
        macros_.erase(scanner_->position() < end ? scanner_->next().text : std::string_view());
      } else if (word.text == "error") {
        if (place_ == nullptr) report(span, "the text says #error here", "satisfy its condition");
      } else if (word.text == "include") {
        include({span.begin, static_cast<std::uint32_t>(end)}, end);
        return;
      } else if (word.text == "pragma") {
        pragma(scanner_->text().substr(scanner_->position(), end - scanner_->position()));
      } else if (!word.text.empty() && word.text != "line" && word.text != "warning") {
        report(span, fmt::format("#{} is not a directive of C++", word.text),
               "remove it, or mend its spelling");
      }
    }
    scanner_->moveTo(end);
  }

  /// The file that `#include "name"` means, as a path from the text's folder. `<name>` means only files in
  /// the directories of headers.
  const IncludedText* findFile(std::string_view name, bool isBracketed) const {
    namespace fs = std::filesystem;
    const fs::path beside = (fs::path(path_).parent_path() / fs::path(name)).lexically_normal();
    const fs::path fromText = fs::path(name).lexically_normal();
    for (const fs::path& path : {isBracketed ? fromText : beside, fromText}) {
      const auto found = std::ranges::find(source_.includes(), path.generic_string(), &IncludedText::path);
      if (found != source_.includes().end()) return &*found;
    }
    return nullptr;
  }

  void include(SourceSpan span, std::size_t end) {
    scanner_->skipInLine(end);
    const std::size_t begin = scanner_->position();
    const bool isBracketed = begin < end && scanner_->current() == '<';
    const std::size_t close = isBracketed || scanner_->current() == '"'
                                  ? scanner_->text().find(isBracketed ? '>' : '"', begin + 1)
                                  : std::string_view::npos;
    scanner_->moveTo(end);
    if (close >= end || close < begin + 2) return;
    const std::string_view path = scanner_->text().substr(begin + 1, close - begin - 1);
    const IncludedText* const file = findFile(path, isBracketed);
    if (file == nullptr) {
      setMacrosOf(path);
      if (!isToolkitHeader(path) && !isStandardHeader(path))
        result_.missing.insert(std::string(scanner_->text().substr(begin, close - begin + 1)));
      return;
    }
    // A file is not read within itself, and one with `#pragma once` is not read again.
    const bool isOpen = std::ranges::count(open_, file) > 0;
    const bool wasRead = read_.contains(file);
    const bool isOnce = wasRead && file->text.find("#pragma once") != std::string::npos;
    if (isOpen || open_.size() >= kMaxIncludes || isOnce) return;
    includedBytes_ += file->text.size() + kBytesOfInclude;
    if (includedBytes_ > kMostIncludedBytes) {
      if (!std::exchange(isTooLong_, true))
        report(span, "the files that this text includes are too many or too long to be simulated",
               "include each of them once: begin it with #pragma once");
      return;
    }
    const SourceSpan place = shown(span);
    open_.push_back(file);
    read_.insert(file);
    read(file->text, file->path, &place);
    open_.pop_back();
  }

  /// Directives of the #if family. False for any other.
  bool conditional(std::string_view word, SourceSpan span, std::size_t end) {
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (conditionals_.size() >= kMaxConditionals) {
        report(span, "#if is nested too deeply to be simulated", "write the text without it");
        return true;
      }
      const bool counts = !isSkipping();
      const bool holds =
          counts && (word == "if" ? condition(span, end) : isDefined(span, end) == (word == "ifdef"));
      conditionals_.push_back({span, holds, holds || !counts, false});
      return true;
    }
    const bool isElse = word == "else" || word == "elif";
    if (!isElse && word != "endif") return false;
    if (conditionals_.empty() || (isElse && conditionals_.back().sawElse)) {
      report(span, fmt::format("#{} without an #if", word), "remove it");
    } else if (!isElse) {
      conditionals_.pop_back();
    } else {
      Conditional& open = conditionals_.back();
      open.sawElse = word == "else";
      open.isActive = !open.wasActive && (word == "else" || condition(span, end));
      open.wasActive = open.wasActive || open.isActive;
    }
    return true;
  }

  bool isDefined(SourceSpan span, std::size_t end) {
    scanner_->skipInLine(end);
    const Token name = scanner_->position() < end ? scanner_->next() : Token{};
    if (name.kind != TokenKind::Identifier) report(span, "#ifdef needs a name", "write #ifdef NAME");
    return macros_.contains(name.text);
  }

  /// The value of `defined X`, `defined(X)`, `__has_include(<x>)` or another `__has_…`, which is always
  /// false. Moves `at` to its end.
  bool decided(const std::vector<Token>& raw, std::size_t& at) const {
    const bool isDefined = raw[at].is("defined");
    const bool isInclude = raw[at].is("__has_include");
    if (isDefined && (at + 1 >= raw.size() || !raw[at + 1].is("("))) {
      ++at;
      return at < raw.size() && macros_.contains(raw[at].text);
    }
    const std::size_t name = at + 2;
    while (at < raw.size() && !raw[at].is(")")) ++at;
    if (name >= raw.size()) return false;
    if (isDefined) return macros_.contains(raw[name].text);
    if (!isInclude) return false;
    const std::string_view path = raw[name].text;  // a file in <> is the system's and counts as present
    return raw[name].kind != TokenKind::String || findFile(path.substr(1, path.size() - 2), false) != nullptr;
  }

  bool condition(SourceSpan span, std::size_t end) {
    const std::vector<Token> raw = lineTokens(end);
    std::vector<Token> known;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const bool asks = raw[i].text.starts_with("__has_") && i + 1 < raw.size() && raw[i + 1].is("(");
      if (!raw[i].is("defined") && !asks) {
        known.push_back(raw[i]);
        continue;
      }
      const bool is = decided(raw, i);
      known.push_back({TokenKind::Integer, is ? "1" : "0", span});
    }
    std::vector<Token> expanded;
    expander_.expand(known, expanded, diagnostics_);
    const std::optional<bool> value = Condition(expanded).value();
    if (!value && place_ == nullptr) {
      report(span, "this condition is not understood", "compare numbers and macros, or write #ifdef NAME");
    }
    return value.value_or(false);
  }

  std::vector<Token> lineTokens(std::size_t end) {
    std::vector<Token> result;
    for (scanner_->skipInLine(end); scanner_->position() < end; scanner_->skipInLine(end)) {
      if (std::isspace(static_cast<unsigned char>(scanner_->current())) != 0) {
        scanner_->moveTo(scanner_->position() + 1);
        continue;
      }
      const Token token = scanner_->next();
      if (token.kind != TokenKind::End) result.push_back(token);
    }
    return result;
  }

  void define(std::size_t end) {
    scanner_->skipInLine(end);
    const std::size_t begin = scanner_->position();
    const Token name = begin < end ? scanner_->next() : Token{};
    if (name.kind != TokenKind::Identifier) {
      report(scanner_->spanFrom(begin), "#define needs a name", "write #define NAME value");
      return;
    }
    Macro macro;
    macro.takesArguments =
        scanner_->position() < end && scanner_->current() == '(';  // at once, without a blank
    std::vector<Token> rest = lineTokens(end);
    std::size_t at = 0;
    if (macro.takesArguments) {
      for (at = 1; at < rest.size() && !rest[at].is(")"); ++at) {
        if (rest[at].is("...")) {
          const bool isNamed = at > 1 && !rest[at - 1].is(",");  // GNU: #define M(rest...)
          if (!isNamed) macro.parameters.emplace_back("__VA_ARGS__");
          macro.isVariadic = true;
        } else if (rest[at].kind == TokenKind::Identifier) {
          macro.parameters.push_back(rest[at].text);
        } else if (!rest[at].is(",")) {
          report(rest[at].span, "a macro's parameters are names", "write #define NAME(a, b) value");
          return;
        }
      }
      ++at;
    }
    for (; at < rest.size(); ++at) macro.body.push_back(rest[at]);
    if (!macro.body.empty()) macro.body.front().isSpaced = false;
    macros_[name.text] = std::move(macro);
  }

  const SourceText& source_;
  std::vector<Diagnostic>& diagnostics_;
  TokenizedText result_;
  Macros macros_;
  MacroExpander expander_;
  Scanner* scanner_ = nullptr;
  const SourceSpan* place_ = nullptr;  ///< of the current #include; null: the text itself
  std::string path_;                   ///< of the current file, relative to the text's folder
  std::vector<const IncludedText*> open_;
  std::set<const IncludedText*> read_;
  std::size_t includedBytes_ = 0;  ///< read so far, and kBytesOfInclude for each #include
  bool isTooLong_ = false;         ///< the rest is not read
  std::vector<Conditional> conditionals_;
  std::vector<Token> chunk_;         ///< tokens since macros last changed, with macros still in them
  std::uint8_t pack_ = 0;            ///< of `#pragma pack`
  std::vector<std::uint8_t> packs_;  ///< that were pushed
};

}  // namespace

TokenizedText tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Preprocessor(source, diagnostics).run();
}

}  // namespace lanescope
