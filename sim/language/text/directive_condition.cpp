#include "sim/language/text/directive_condition.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "sim/language/text/binary_operators.h"

namespace lanescope {
namespace {

/// Nesting of brackets and signs. Limits the stack.
constexpr int kDeepest = 32;

class Condition {
 public:
  explicit Condition(std::span<const Token> tokens) : tokens_(tokens) {}

  std::optional<std::int64_t> value() {
    const std::int64_t result = conditional();
    return isGood_ && at_ == tokens_.size() ? std::optional(result) : std::nullopt;
  }

 private:
  bool accept(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }

  std::int64_t conditional() {
    if (++depth_ > kDeepest) isGood_ = false;
    std::int64_t result = isGood_ ? binary(0) : 0;
    if (isGood_ && accept("?")) {
      const std::int64_t yes = conditional();
      isGood_ = isGood_ && accept(":");
      const std::int64_t no = isGood_ ? conditional() : 0;
      result = result != 0 ? yes : no;
    }
    --depth_;
    return result;
  }

  std::int64_t unary() {
    if (++depth_ > kDeepest || at_ >= tokens_.size()) {
      isGood_ = false;
      return 0;
    }
    std::int64_t result = 0;
    if (accept("!")) {
      result = unary() == 0 ? 1 : 0;
    } else if (accept("-")) {
      result = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(unary()));
    } else if (accept("+")) {
      result = unary();
    } else if (accept("~")) {
      result = ~unary();
    } else if (accept("(")) {
      result = conditional();
      isGood_ = accept(")") && isGood_;
    } else if (tokens_[at_].kind == TokenKind::Integer) {
      result = integer(tokens_[at_++].text);
    } else if (tokens_[at_].kind == TokenKind::Character && tokens_[at_].text.size() == 3) {
      result = tokens_[at_++].text[1];
    } else if (tokens_[at_].is("true")) {
      result = 1;
      ++at_;
    } else if (tokens_[at_].kind == TokenKind::Identifier) {
      ++at_;
    } else {
      isGood_ = false;
    }
    --depth_;
    return result;
  }

  std::int64_t integer(std::string_view literal) {
    std::string text(literal);
    std::erase(text, '\'');
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const bool isBinary = text.starts_with("0b") || text.starts_with("0B");
    const bool isOctal = !isHex && !isBinary && text.starts_with("0") && text.size() > 1;
    if (isHex || isBinary) text.erase(0, 2);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits,
                                              isHex      ? 16
                                              : isBinary ? 2
                                              : isOctal  ? 8
                                                         : 10);
    const auto result = static_cast<std::int64_t>(bits);
    const std::string_view rest = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    isGood_ = isGood_ && error == std::errc{} && rest.find_first_not_of("uUlL") == std::string_view::npos;
    return result;
  }

  std::int64_t binary(int level) {
    if (level == static_cast<int>(kBinaryOperators.size())) return unary();
    std::int64_t left = binary(level + 1);
    while (at_ < tokens_.size() && isGood_) {
      const std::string_view op = tokens_[at_].text;
      const auto& ops = kBinaryOperators[static_cast<std::size_t>(level)];
      if (op.empty() || std::ranges::count(ops, op) == 0) break;
      ++at_;
      const bool isDecided = op == "||" ? left != 0 : op == "&&" && left == 0;
      undecided_ += isDecided ? 1 : 0;
      left = apply(op, left, binary(level + 1));
      undecided_ -= isDecided ? 1 : 0;
    }
    return left;
  }

  std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    if (op == "||") return (a != 0 || b != 0) ? 1 : 0;
    if (op == "&&") return (a != 0 && b != 0) ? 1 : 0;
    if (op == "==") return a == b ? 1 : 0;
    if (op == "!=") return a != b ? 1 : 0;
    if (op == "<") return a < b ? 1 : 0;
    if (op == ">") return a > b ? 1 : 0;
    if (op == "<=") return a <= b ? 1 : 0;
    if (op == ">=") return a >= b ? 1 : 0;
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "<<") return ub < 64 ? static_cast<std::int64_t>(ua << ub) : 0;
    if (op == ">>") return a >> std::min<std::uint64_t>(ub, 63);
    if (op == "*") return static_cast<std::int64_t>(ua * ub);
    if (op == "/" || op == "%") {
      if (b == 0 && undecided_ == 0) isGood_ = false;  // the right side of 0 && is not evaluated
      if (b == 0 || b == -1) return b == 0 || op == "%" ? 0 : static_cast<std::int64_t>(0 - ua);
      return op == "/" ? a / b : a % b;
    }
    return static_cast<std::int64_t>(op == "+" ? ua + ub : ua - ub);
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int undecided_ = 0;  ///< operands around this place whose value does not count
  bool isGood_ = true;
};

}  // namespace

std::optional<std::int64_t> valueOfCondition(std::span<const Token> tokens) {
  return Condition(tokens).value();
}

}  // namespace lanescope
