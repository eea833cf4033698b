#include "sim/language/parse/file_items.h"

#include <algorithm>
#include <set>

#include "sim/base/words.h"

namespace lanescope::syntax {
namespace {

class ConceptLowering {
 public:
  explicit ConceptLowering(std::vector<Token>& tokens) : in_(tokens) {
    for (std::size_t i = 0; i + 1 < in_.size(); ++i)
      if (in_[i].is("concept")) own_.insert(in_[i + 1].text);
  }

  /// False if the text has no concepts.
  bool isNeeded() const {
    const auto isOne = [&](const Token& token) {
      return token.is("concept") || token.is("requires") ||
             (token.kind == TokenKind::Identifier && isStandardConcept(token.text));
    };
    return std::ranges::any_of(in_, isOne);
  }

  std::vector<Token> run() {
    while (at_ < in_.size()) part();
    return std::move(out_);
  }

 private:
  const Token& peek(std::size_t ahead = 0) const { return in_[std::min(at_ + ahead, in_.size() - 1)]; }
  bool atEnd() const { return at_ >= in_.size() || in_[at_].kind == TokenKind::End; }
  void keep() { out_.push_back(in_[at_++]); }
  void add(std::vector<Token>& to, std::string_view text, TokenKind kind) const {
    Token token = peek();
    token.text = text;
    token.kind = kind;
    to.push_back(token);
  }
  void word(std::vector<Token>& to, std::string_view text) const { add(to, text, TokenKind::Identifier); }
  void mark(std::vector<Token>& to, std::string_view text) const { add(to, text, TokenKind::Punctuator); }

  void part() {
    if (peek().is("template") && peek(1).is("<")) return templateHead();
    if (peek().is("concept")) {
      word(out_, "constexpr");
      word(out_, "bool");
      ++at_;
      return;
    }
    if (peek().is("requires")) return requirement();
    if (const std::size_t length = conceptTokens(); length > 0 && peek(length).is("auto")) {
      at_ += length;
      return;
    }
    if (peek().is(";") || peek().is("{")) headEnd_ = 0;
    keep();
  }

  /// `requires {…}` is a value. `requires C<T>` behind a function's parameters is a constraint.
  void requirement() {
    const bool isClause =
        !out_.empty() && (out_.back().is(")") || out_.back().is("const") || out_.back().is("noexcept"));
    if (isClause) {
      ++at_;
      const std::vector<Token> clause = constraint();
      if (headEnd_ > 0) enableIf(clause, headEnd_);
      return;
    }
    const Token& first = peek();
    ++at_;
    if (peek().is("(")) skipBrackets();
    if (peek().is("{")) skipBrackets();
    Token given = first;
    given.text = "true";
    out_.push_back(given);
  }

  void skipBrackets() {
    int depth = 0;
    do {
      if (peek().is("(") || peek().is("{") || peek().is("[")) ++depth;
      if (peek().is(")") || peek().is("}") || peek().is("]")) --depth;
      ++at_;
    } while (depth > 0 && !atEnd());
  }

  /// The number of tokens from `ahead` on that are in angle brackets. 0 if there are none.
  std::size_t angles(std::size_t ahead) const {
    if (!peek(ahead).is("<")) return 0;
    int depth = 0;
    for (std::size_t i = ahead; at_ + i < in_.size(); ++i) {
      const Token& token = peek(i);
      if (token.is(";") || token.is("{")) return 0;
      depth += token.is("<") ? 1 : token.is(">") ? -1 : token.is(">>") ? -2 : 0;
      if (depth <= 0) return depth == 0 ? i - ahead + 1 : 0;
    }
    return 0;
  }

  /// Tokens of a concept's name with its arguments, as in `std::same_as<float>`. 0 if there is none.
  std::size_t conceptTokens() const {
    std::size_t length = 0;
    while (peek(length).kind == TokenKind::Identifier && peek(length + 1).is("::")) length += 2;
    const Token& name = peek(length);
    const bool isConcept = name.kind == TokenKind::Identifier &&
                           (own_.contains(name.text) ||
                            (length > 0 && peek(length - 2).is("std") && isStandardConcept(name.text)));
    return isConcept ? length + 1 + angles(length + 1) : 0;
  }

  /// The clause behind `requires`, token by token: primary expressions with && and || between them.
  std::vector<Token> constraint() {
    std::vector<Token> clause;
    do {
      if (peek().is("&&") || peek().is("||")) clause.push_back(in_[at_++]);
      if (peek().is("requires")) {
        word(clause, "true");
        ++at_;
        if (peek().is("(")) skipBrackets();
        if (peek().is("{")) skipBrackets();
      } else if (peek().is("(")) {
        const std::size_t begin = at_;
        skipBrackets();
        clause.insert(clause.end(), in_.begin() + static_cast<std::ptrdiff_t>(begin),
                      in_.begin() + static_cast<std::ptrdiff_t>(at_));
      } else {
        primary(clause);
      }
    } while ((peek().is("&&") || peek().is("||")) && !atEnd());
    return clause;
  }

  /// `std::is_same_v<T, int>`, `Traits<T>::value`, `true`.
  void primary(std::vector<Token>& clause) {
    while (!atEnd()) {
      clause.push_back(in_[at_++]);
      for (std::size_t rest = angles(0); rest > 0; --rest) clause.push_back(in_[at_++]);
      if (!peek().is("::")) return;
      clause.push_back(in_[at_++]);
    }
  }

  /// `template <C T, int N> requires D<T>`.
  void templateHead() {
    keep();
    keep();
    std::vector<Token> constraints;
    bool hasPack = false;
    while (!atEnd() && !peek().is(">")) {
      parameter(constraints, hasPack);
      if (peek().is(","))
        keep();
      else if (!peek().is(">"))
        break;
    }
    if (!peek().is(">")) return;  // `>>` ends it, or no head was here
    const Token close = peek();
    ++at_;
    if (peek().is("requires")) {
      ++at_;
      join(constraints, constraint());
    }
    const bool isChoosing = !hasPack && declaresFunction();
    if (isChoosing && !constraints.empty()) enableIf(constraints, out_.size());
    headEnd_ = isChoosing ? out_.size() : 0;
    out_.push_back(close);
  }

  /// Adds a template parameter before `place` in the output.
  void enableIf(const std::vector<Token>& constraints, std::size_t place) {
    std::vector<Token> parameter;
    mark(parameter, ",");
    word(parameter, "std");
    mark(parameter, "::");
    word(parameter, "enable_if_t");
    mark(parameter, "<");
    mark(parameter, "(");
    parameter.insert(parameter.end(), constraints.begin(), constraints.end());
    mark(parameter, ")");
    mark(parameter, ",");
    word(parameter, "int");
    mark(parameter, ">");
    mark(parameter, "=");
    add(parameter, "0", TokenKind::Integer);
    out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(place), parameter.begin(), parameter.end());
  }

  void join(std::vector<Token>& constraints, const std::vector<Token>& more) const {
    if (!constraints.empty()) mark(constraints, "&&");
    constraints.insert(constraints.end(), more.begin(), more.end());
  }

  /// One parameter, up to its ',' or the final '>'.
  void parameter(std::vector<Token>& constraints, bool& hasPack) {
    const std::size_t length = conceptTokens();
    if (length > 0 && (peek(length).kind == TokenKind::Identifier || peek(length).is("..."))) {
      std::vector<Token> constraint;
      const bool hasArguments = in_[at_ + length - 1].is(">");
      std::size_t name = 0;
      while (name < length && !in_[at_ + name].is("<")) constraint.push_back(in_[at_ + name++]);
      mark(constraint, "<");
      constraint.push_back(peek(length));
      if (hasArguments) {
        mark(constraint, ",");
        for (std::size_t i = name + 1; i < length; ++i) constraint.push_back(in_[at_ + i]);
      } else {
        mark(constraint, ">");
      }
      word(out_, "typename");
      at_ += length;
      if (!peek().is("...")) join(constraints, constraint);
    }
    int depth = 0;
    while (!atEnd() && !peek().is(";") && !peek().is("{")) {
      if (depth == 0 && (peek().is(",") || peek().is(">"))) return;
      if (peek().is("<") || peek().is("(")) ++depth;
      if (peek().is(">") || peek().is(")")) --depth;
      if (peek().is(">>")) depth -= 2;
      if (depth < 0) return;
      hasPack |= peek().is("...");
      keep();
    }
  }

  /// True if a function follows, rather than a class, a concept, an alias or a variable. False for a kernel:
  /// its template arguments are those of the text.
  bool declaresFunction() const {
    for (std::size_t i = 0; at_ + i < in_.size(); ++i) {
      const Token& token = peek(i);
      if (token.is("struct") || token.is("class") || token.is("union") || token.is("using") ||
          token.is("concept") || token.is("template") || token.is("__global__") || token.is(";") ||
          token.is("{") || token.is("="))
        return false;
      const bool isAttribute = i > 0 && (peek(i - 1).is("__launch_bounds__") || peek(i - 1).is("alignas") ||
                                         peek(i - 1).is("__align__") || peek(i - 1).is("decltype"));
      if (token.is("(") && !isAttribute) return true;
    }
    return false;
  }

  const std::vector<Token>& in_;
  std::vector<Token> out_;
  std::set<std::string_view> own_;  ///< the text's concepts
  std::size_t at_ = 0;
  std::size_t headEnd_ = 0;  ///< of the current function template: the output index of its '>'; 0: none
};

}  // namespace

bool isStandardConcept(std::string_view word) {
  static const std::set<std::string_view> kNames = wordsIn(
      "integral floating_point signed_integral unsigned_integral same_as convertible_to derived_from "
      "invocable regular_invocable predicate copyable movable regular semiregular equality_comparable "
      "totally_ordered default_initializable constructible_from common_with assignable_from destructible");
  return kNames.contains(word);
}

void lowerConcepts(std::vector<Token>& tokens) {
  ConceptLowering lowering(tokens);
  if (lowering.isNeeded()) tokens = lowering.run();
}

}  // namespace lanescope::syntax
