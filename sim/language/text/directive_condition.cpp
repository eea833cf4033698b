#include "sim/language/text/directive_condition.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lanescope {
namespace {

/// Brackets and signs within each other; bounds the stack.
constexpr int kDeepest = 32;

class Condition {
 public:
  explicit Condition(std::span<const Token> tokens) : tokens_(tokens) {}

  std::optional<std::int64_t> value() {
    const std::int64_t result = binary(0);
    return isGood_ && at_ == tokens_.size() ? std::optional(result) : std::nullopt;
  }

 private:
  bool accept(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
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
    } else if (accept("(")) {
      result = binary(0);
      isGood_ = accept(")") && isGood_;
    } else if (tokens_[at_].kind == TokenKind::Integer) {
      result = integer(tokens_[at_++].text);
    } else if (tokens_[at_].kind == TokenKind::Identifier) {
      ++at_;
    } else {
      isGood_ = false;
    }
    --depth_;
    return result;
  }

  std::int64_t integer(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex) text.remove_prefix(2);
    std::int64_t result = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), result, isHex ? 16 : 10);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    isGood_ = isGood_ && error == std::errc{} && rest.find_first_not_of("uUlL") == std::string_view::npos;
    return result;
  }

  std::int64_t binary(int level) {
    static constexpr std::array<std::array<std::string_view, 4>, 5> kLevels = {
        {{"||"}, {"&&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"+", "-"}}};
    if (level == static_cast<int>(kLevels.size())) return unary();
    std::int64_t left = binary(level + 1);
    while (at_ < tokens_.size() && isGood_) {
      const std::string_view op = tokens_[at_].text;
      const auto& ops = kLevels[static_cast<std::size_t>(level)];
      if (op.empty() || std::ranges::count(ops, op) == 0) break;
      ++at_;
      left = apply(op, left, binary(level + 1));
    }
    return left;
  }

  static std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
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
    return static_cast<std::int64_t>(op == "+" ? ua + ub : ua - ub);
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool isGood_ = true;
};

}  // namespace

std::optional<std::int64_t> valueOfCondition(std::span<const Token> tokens) {
  return Condition(tokens).value();
}

}  // namespace lanescope
