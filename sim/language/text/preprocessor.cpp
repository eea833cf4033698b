#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "sim/language/text/counted.h"
#include "sim/language/text/directive_condition.h"
#include "sim/language/text/scanner.h"

namespace lanescope {
namespace {

/// A macro may use macros; deeper than this it is taken to be defined by itself.
constexpr int kMaxMacroDepth = 32;
/// Tokens that a text may have, and grow to by its macros.
constexpr std::size_t kMaxTokens = 1u << 20;
/// Uses of macros in all: macros that use macros can ask for any number, also where they are empty.
constexpr std::size_t kMaxExpansions = 1u << 20;
constexpr std::size_t kMaxConditionals = 64;

struct Macro {
  bool takesArguments = false;
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
};

using Macros = std::map<std::string_view, Macro>;

/// Directives and macros over the scanner's tokens.
class Preprocessor {
 public:
  Preprocessor(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : scanner_(source.text(), diagnostics), size_(source.text().size()) {
    // What nvcc defines; the text is simulated as compute capability 9.0.
    macros_["__CUDACC__"] = {false, {}, {{TokenKind::Integer, "1", {}}}};
    macros_["__CUDA_ARCH__"] = {false, {}, {{TokenKind::Integer, "900", {}}}};
  }

  std::vector<Token> run() {
    while (scanner_.skipBlank(), !scanner_.atEnd() && !scanner_.isFull()) {
      if (tokens_.size() + chunk_.size() > kMaxTokens) {
        const auto at = static_cast<std::uint32_t>(scanner_.position());
        scanner_.report({at, at + 1}, "this text is too long to be simulated",
                        "keep the kernel alone in its file");
        break;
      }
      if (scanner_.atDirective()) {
        flush();
        directive();
      } else if (isSkipping()) {
        scanner_.skipLine();
      } else {
        const Token token = scanner_.next();
        if (token.kind != TokenKind::End) chunk_.push_back(token);
      }
    }
    flush();
    if (!conditionals_.empty()) {
      scanner_.report(conditionals_.back().span, "this #if has no #endif", "close it with #endif");
    }
    const auto end = static_cast<std::uint32_t>(size_);
    tokens_.push_back({TokenKind::End, {}, {end, end}});
    return std::move(tokens_);
  }

 private:
  /// An #if that is open: whether its lines count, and whether one of its branches already did.
  struct Conditional {
    SourceSpan span;
    bool isActive = false;
    bool wasActive = false;
    bool sawElse = false;
  };

  bool isSkipping() const { return !conditionals_.empty() && !conditionals_.back().isActive; }

  void flush() {
    stopped_ = false;
    expand(chunk_, nullptr, 0, tokens_);
    chunk_.clear();
  }

  bool mayExpand(const Token& token, SourceSpan place, int depth) {
    if (depth > kMaxMacroDepth) {
      stopped_ = true;
      scanner_.report(place, fmt::format("the macro {} is defined by itself", token.text),
                      "give it a value that does not use it");
    } else if (++expansions_ > kMaxExpansions || tokens_.size() > kMaxTokens) {
      stopped_ = true;
      scanner_.report(place, "macros make this text too long to be simulated", "write the text without them");
    }
    return !stopped_;
  }

  /// Appends the tokens with macros replaced; what a macro brings is seen at the macro's use.
  void expand(std::span<const Token> in, const SourceSpan* place, int depth, std::vector<Token>& out) {
    for (std::size_t i = 0; i < in.size() && !stopped_; ++i) {
      const Token& token = in[i];
      const SourceSpan span = place != nullptr ? *place : token.span;
      const auto macro = token.kind == TokenKind::Identifier ? macros_.find(token.text) : macros_.end();
      const bool isCall = i + 1 < in.size() && in[i + 1].is("(");
      if (macro == macros_.end() || (macro->second.takesArguments && !isCall)) {
        if (out.size() > kMaxTokens && !mayExpand(token, span, depth)) return;
        out.push_back({token.kind, token.text, span});
        continue;
      }
      if (!mayExpand(token, span, depth)) return;
      if (!macro->second.takesArguments) {
        expand(macro->second.body, &span, depth + 1, out);
        continue;
      }
      const std::vector<std::span<const Token>> arguments = argumentsOf(in, i);
      if (stopped_) return;
      substitute(macro->second, token, span, arguments, depth, out);
    }
  }

  /// The arguments of a macro's use at in[at]; moves `at` to the closing bracket.
  std::vector<std::span<const Token>> argumentsOf(std::span<const Token> in, std::size_t& at) {
    std::vector<std::span<const Token>> arguments;
    const Token& name = in[at];
    std::size_t begin = at + 2;
    int depth = 0;
    for (std::size_t i = at + 1; i < in.size(); ++i) {
      if (in[i].is("(") || in[i].is("[") || in[i].is("{")) ++depth;
      const bool closes = in[i].is(")") || in[i].is("]") || in[i].is("}");
      if (closes) --depth;
      if (depth > 1 || (depth == 1 && !in[i].is(","))) continue;
      if (in[i].is("(")) continue;
      arguments.push_back(in.subspan(begin, i - begin));
      begin = i + 1;
      if (depth == 0) {
        at = i;
        return arguments;
      }
    }
    stopped_ = true;
    scanner_.report(name.span, fmt::format("the use of the macro {} has no ')'", name.text),
                    "close the bracket");
    return {};
  }

  void substitute(const Macro& macro, const Token& name, SourceSpan span,
                  const std::vector<std::span<const Token>>& arguments, int depth, std::vector<Token>& out) {
    const std::size_t wanted = macro.parameters.size();
    const bool isEmpty = wanted == 0 && arguments.size() == 1 && arguments[0].empty();
    if (arguments.size() != wanted && !isEmpty) {
      stopped_ = true;
      scanner_.report(
          span,
          takesText("the macro " + std::string(name.text), wanted, wanted, "argument", arguments.size()),
          "see its #define");
      return;
    }
    std::vector<Token> body;
    for (const Token& piece : macro.body) {
      const auto parameter = std::ranges::find(macro.parameters, piece.text);
      if (piece.kind == TokenKind::Identifier && parameter != macro.parameters.end()) {
        const auto which = static_cast<std::size_t>(parameter - macro.parameters.begin());
        expand(arguments[which], nullptr, depth + 1, body);
      } else {
        body.push_back({piece.kind, piece.text, span});
      }
      if (stopped_) return;
    }
    expand(body, nullptr, depth + 1, out);
  }

  void directive() {
    const std::size_t begin = scanner_.position();
    const std::size_t end = scanner_.directiveEnd();
    scanner_.moveTo(begin + 1);
    scanner_.skipInLine(end);
    const std::size_t nameBegin = scanner_.position();
    const Token word = nameBegin < end && scanner_.current() != '\n' ? scanner_.next() : Token{};
    const SourceSpan span = scanner_.spanFrom(begin);
    if (!conditional(word.text, span, end) && !isSkipping()) {
      if (word.text == "define") {
        define(end);
      } else if (word.text == "undef") {
        scanner_.skipInLine(end);
        macros_.erase(scanner_.position() < end ? scanner_.next().text : std::string_view());
      } else if (word.text == "error") {
        scanner_.report(span, "the text says #error here", "meet what it asks for");
      } else if (!word.text.empty() && word.text != "include" && word.text != "pragma" &&
                 word.text != "line" && word.text != "warning") {
        scanner_.report(span, fmt::format("#{} is not a directive of C++", word.text),
                        "remove it, or mend its spelling");
      }
    }
    scanner_.moveTo(end);
  }

  /// Directives of the #if family; false for another one.
  bool conditional(std::string_view word, SourceSpan span, std::size_t end) {
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (conditionals_.size() >= kMaxConditionals) {
        scanner_.report(span, "#if is nested too deeply to be simulated", "write the text without it");
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
      scanner_.report(span, fmt::format("#{} without an #if", word), "remove it");
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
    scanner_.skipInLine(end);
    const Token name = scanner_.position() < end ? scanner_.next() : Token{};
    if (name.kind != TokenKind::Identifier) scanner_.report(span, "#ifdef needs a name", "write #ifdef NAME");
    return macros_.contains(name.text);
  }

  bool condition(SourceSpan span, std::size_t end) {
    std::vector<Token> raw = lineTokens(end);
    std::vector<Token> known;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (!raw[i].is("defined")) {
        known.push_back(raw[i]);
        continue;
      }
      const bool hasBracket = i + 3 < raw.size() && raw[i + 1].is("(") && raw[i + 3].is(")");
      const std::size_t name = i + (hasBracket ? 2 : 1);
      const bool is = name < raw.size() && macros_.contains(raw[name].text);
      known.push_back({TokenKind::Integer, is ? "1" : "0", span});
      i = name + (hasBracket ? 1 : 0);
    }
    std::vector<Token> expanded;
    stopped_ = false;
    expand(known, nullptr, 0, expanded);
    const auto value = valueOfCondition(expanded);
    if (!value) {
      scanner_.report(span, "this condition is not understood",
                      "compare numbers and macros, or write #ifdef NAME");
    }
    return value.value_or(0) != 0;
  }

  std::vector<Token> lineTokens(std::size_t end) {
    std::vector<Token> result;
    for (scanner_.skipInLine(end); scanner_.position() < end; scanner_.skipInLine(end)) {
      if (std::isspace(static_cast<unsigned char>(scanner_.current())) != 0) {
        scanner_.moveTo(scanner_.position() + 1);
        continue;
      }
      const Token token = scanner_.next();
      if (token.kind != TokenKind::End) result.push_back(token);
    }
    return result;
  }

  void define(std::size_t end) {
    scanner_.skipInLine(end);
    const std::size_t begin = scanner_.position();
    const Token name = begin < end ? scanner_.next() : Token{};
    if (name.kind != TokenKind::Identifier) {
      scanner_.report(scanner_.spanFrom(begin), "#define needs a name", "write #define NAME value");
      return;
    }
    Macro macro;
    macro.takesArguments =
        scanner_.position() < end && scanner_.current() == '(';  // at once, without a blank
    std::vector<Token> rest = lineTokens(end);
    std::size_t at = 0;
    if (macro.takesArguments) {
      for (at = 1; at < rest.size() && !rest[at].is(")"); ++at) {
        if (rest[at].kind == TokenKind::Identifier) {
          macro.parameters.push_back(rest[at].text);
        } else if (!rest[at].is(",")) {
          scanner_.report(rest[at].span, "a macro's parameters are names", "write #define NAME(a, b) value");
          return;
        }
      }
      ++at;
    }
    for (; at < rest.size(); ++at) {
      if (macro.takesArguments && (rest[at].is("#") || rest[at].is("##"))) {
        scanner_.report(rest[at].span, "# and ## in macros are not in the subset that is simulated",
                        "write a __device__ function or a template");
        return;
      }
      macro.body.push_back(rest[at]);
    }
    macros_[name.text] = std::move(macro);
  }

  Scanner scanner_;
  std::size_t size_;
  Macros macros_;
  std::vector<Conditional> conditionals_;
  std::vector<Token> chunk_;  ///< tokens since the last directive, macros not yet replaced
  std::vector<Token> tokens_;
  bool stopped_ = false;  ///< a macro could not be replaced: reported, and given up until the next directive
  std::size_t expansions_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Preprocessor(source, diagnostics).run();
}

}  // namespace lanescope
