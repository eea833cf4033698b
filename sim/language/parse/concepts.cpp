#include "sim/language/parse/file_items.h"

#include <algorithm>
#include <array>
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
    if (const std::size_t length = conceptTokens(); length > 0 && peek(length).is("auto"))
      return constrainedAuto(length);
    const bool endsDeclaration = peek().is(";") || peek().is("{") || peek().is("}") || peek().is(":");
    keep();
    if (!endsDeclaration) return;
    headEnd_ = 0;
    declaration_ = out_.size();
    autos_ = 0;
    constraints_ = 0;
  }

  /// `int f(C auto x)` is `template <C T> int f(T x)`. The type of a variable or of a lambda's parameter,
  /// which no other function competes with, meets its constraint in a valid text.
  void constrainedAuto(std::size_t length) {
    const std::size_t before = at_;
    at_ += length;
    if (!isParameter()) return;
    static constexpr std::array<std::string_view, 8> kNames{"__auto0", "__auto1", "__auto2", "__auto3",
                                                            "__auto4", "__auto5", "__auto6", "__auto7"};
    if (autos_ == kNames.size() || peek(1).is("...")) return refuse(out_);
    if (headEnd_ == 0) {
      std::vector<Token> head;
      word(head, "template");
      mark(head, "<");
      mark(head, ">");
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(declaration_), head.begin(), head.end());
      headEnd_ = declaration_ + 2;
    }
    const std::string_view name = kNames[autos_++];
    std::vector<Token> parameter;
    if (!out_[headEnd_ - 1].is("<")) mark(parameter, ",");
    word(parameter, "typename");
    word(parameter, name);
    out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(headEnd_), parameter.begin(), parameter.end());
    headEnd_ += parameter.size();
    std::vector<Token> type;
    word(type, name);
    enableIf(conditionOn(type[0], before, length), headEnd_);
    out_.push_back(type[0]);
    ++at_;
  }

  /// True at the type of a function's parameter: its innermost bracket in the declaration is a round one, and
  /// no lambda's.
  bool isParameter() const {
    int depth = 0;
    for (std::size_t i = out_.size(); i-- > declaration_;) {
      depth += out_[i].is(")") ? 1 : out_[i].is("(") ? -1 : 0;
      if (depth < 0) return i > 0 && !out_[i - 1].is("]") && !out_[i - 1].is("for") && !out_[i - 1].is("if");
    }
    return false;
  }

  /// Adds a word that the parser refuses, with a sentence about constraints.
  void refuse(std::vector<Token>& to) const { word(to, "requires"); }

  /// `requires {…}` is a value. `requires C<T>` behind a function's parameters is a constraint.
  void requirement() {
    const bool isName =
        !out_.empty() && out_.back().kind == TokenKind::Identifier && !out_.back().is("return");
    const bool isClause = isName || (!out_.empty() && (out_.back().is(")") || out_.back().is(">")));
    if (isClause) {
      ++at_;
      const std::vector<Token> clause = constraint();
      word(out_, kRequires);
      mark(out_, "(");
      out_.insert(out_.end(), clause.begin(), clause.end());
      mark(out_, ")");
      return;
    }
    refuse(out_);
    skipRequirements();
  }

  void skipRequirements() {
    ++at_;
    if (peek().is("(")) skipBrackets();
    if (peek().is("{")) skipBrackets();
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
        refuse(clause);
        skipRequirements();
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
    while (!atEnd() && !peek().is(">")) {
      parameter(constraints);
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
    const bool isFunction = declaresFunction();
    const bool isUndecided = declaresSpecialisation();
    if (isUndecided && !constraints.empty()) {
      constraints.clear();
      refuse(constraints);
    }
    if (!constraints.empty() && (isFunction || isUndecided)) enableIf(constraints, out_.size());
    headEnd_ = isFunction ? out_.size() : 0;
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
    static constexpr std::array<std::string_view, 3> kNames{kConstraint, "__constraint1", "__constraint2"};
    if (constraints_ < kNames.size()) word(parameter, kNames[constraints_]);
    ++constraints_;
    mark(parameter, "=");
    add(parameter, "0", TokenKind::Integer);
    out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(place), parameter.begin(), parameter.end());
    if (headEnd_ >= place) headEnd_ += parameter.size();
  }

  /// `C<T, int>` for a parameter T that is declared as `C<int> T`, by the tokens from `begin` on.
  std::vector<Token> conditionOn(const Token& type, std::size_t begin, std::size_t length) const {
    std::vector<Token> condition;
    std::size_t name = begin;
    while (name < begin + length && !in_[name].is("<")) condition.push_back(in_[name++]);
    mark(condition, "<");
    condition.push_back(type);
    mark(condition, name < begin + length ? "," : ">");
    for (std::size_t i = name + 1; i < begin + length; ++i) condition.push_back(in_[i]);
    return condition;
  }

  void join(std::vector<Token>& constraints, const std::vector<Token>& more) const {
    if (!constraints.empty()) mark(constraints, "&&");
    constraints.insert(constraints.end(), more.begin(), more.end());
  }

  /// One parameter, up to its ',' or the final '>'.
  void parameter(std::vector<Token>& constraints) {
    const std::size_t length = conceptTokens();
    if (length > 0 && (peek(length).kind == TokenKind::Identifier || peek(length).is("..."))) {
      const bool isPack = peek(length).is("...");
      std::vector<Token> condition = conditionOn(peek(length + (isPack ? 1 : 0)), at_, length);
      if (isPack) {  // (C<T> && ...)
        Token open = peek();
        open.text = "(";
        open.kind = TokenKind::Punctuator;
        condition.insert(condition.begin(), open);
        for (const std::string_view text : {"&&", "...", ")"}) mark(condition, text);
      }
      join(constraints, condition);
      word(out_, "typename");
      at_ += length;
    }
    int depth = 0;
    while (!atEnd() && !peek().is(";") && !peek().is("{")) {
      if (depth == 0 && (peek().is(",") || peek().is(">"))) return;
      if (peek().is("<") || peek().is("(")) ++depth;
      if (peek().is(">") || peek().is(")")) --depth;
      if (peek().is(">>")) depth -= 2;
      if (depth < 0) return;
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

  /// True if `struct Name<…>` follows: which one is chosen can depend on its constraints.
  bool declaresSpecialisation() const {
    return (peek().is("struct") || peek().is("class") || peek().is("union")) && peek(2).is("<");
  }

  const std::vector<Token>& in_;
  std::vector<Token> out_;
  std::set<std::string_view> own_;  ///< the text's concepts
  std::size_t at_ = 0;
  std::size_t headEnd_ = 0;      ///< of the current function template: the output index of its '>'; 0: none
  std::size_t declaration_ = 0;  ///< the output index behind the end of the last declaration
  std::size_t constraints_ = 0;  ///< of the current function template
  std::size_t autos_ = 0;        ///< constrained `auto` in the current function's parameters
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
