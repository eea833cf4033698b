#include "app/course/formula.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "sim/base/words.h"
#include "app/course/questions.h"

namespace lanescope {
namespace {

/// So many values are tried: one operand of a minimum has to be the least in some of them.
constexpr std::uint64_t kTries = 256;
/// No typed answer nests brackets deeper than that.
constexpr int kDeepest = 512;
/// The first number for arrays' names, beyond those of letters.
constexpr std::uint32_t kNames = 256;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

/// A value, and the sum of the magnitudes in it: rounding is measured by that.
struct Estimate {
  double value = 0;
  double magnitude = 0;
};

/// Computes a formula with values of its elements that depend on the try alone.
class Evaluation {
 public:
  Evaluation(std::string_view text, std::uint64_t attempt) : rest_(text), attempt_(attempt) {}

  std::optional<Estimate> all() {
    const std::optional<Estimate> result = sum();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  bool receive(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // The brackets of a formula are the recursion's depth, which kDeepest bounds.
  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Estimate> sum() {
    std::optional<Estimate> left = product();
    while (left) {
      const bool isMinus = receive("-");
      if (!isMinus && !receive("+")) break;
      const std::optional<Estimate> right = product();
      if (!right) return std::nullopt;
      left->value += isMinus ? -right->value : right->value;
      left->magnitude += right->magnitude;
    }
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Estimate> product() {
    std::optional<Estimate> left = factor();
    while (left && receive("*")) {
      const std::optional<Estimate> right = factor();
      if (!right) return std::nullopt;
      left->value *= right->value;
      left->magnitude *= right->magnitude;
    }
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Estimate> factor() {
    if (++depth_ > kDeepest) return std::nullopt;
    const std::optional<Estimate> result = deeper();
    --depth_;
    return result;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Estimate> deeper() {
    if (receive("-")) {
      const std::optional<Estimate> negated = factor();
      return negated ? std::optional(Estimate{-negated->value, negated->magnitude}) : std::nullopt;
    }
    if (receive("(")) {
      const std::optional<Estimate> inner = sum();
      return receive(")") ? inner : std::nullopt;
    }
    const auto bigger = [](Estimate a, Estimate b) { return std::max(a.magnitude, b.magnitude); };
    if (receive("min("))
      return call([&](Estimate a, Estimate b) { return Estimate{std::min(a.value, b.value), bigger(a, b)}; });
    if (receive("max("))
      return call([&](Estimate a, Estimate b) { return Estimate{std::max(a.value, b.value), bigger(a, b)}; });
    // Whatever f is, it is one function of its first and its second operand.
    if (receive("f("))
      return call([](Estimate a, Estimate b) { return Estimate{std::cos(3 * a.value + 7 * b.value), 1}; });
    return element();
  }

  template <typename Join>
  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Estimate> call(const Join& join) {
    std::optional<Estimate> result = sum();
    while (result && receive(",")) {
      const std::optional<Estimate> operand = sum();
      if (!operand) return std::nullopt;
      result = join(*result, *operand);
    }
    return receive(")") ? result : std::nullopt;
  }

  /// `partials[0]`: an element that other blocks wrote.
  bool isElementOfArray() const {
    const std::size_t end = rest_.find_first_of("+-*(),");
    const std::size_t bracket = rest_.find('[');
    return bracket != std::string_view::npos && bracket > 0 && bracket < end;
  }

  std::optional<Estimate> elementOfArray() {
    const std::size_t bracket = rest_.find('[');
    std::uint32_t index = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto [last, failure] = std::from_chars(rest_.data() + bracket + 1, end, index);
    if (failure != std::errc{} || last == end || *last != ']') return std::nullopt;
    std::uint32_t name = kNames;
    for (const char c : rest_.substr(0, bracket)) name = name * 31 + static_cast<unsigned char>(c);
    const double value = computeValue(name, index);
    rest_.remove_prefix(static_cast<std::size_t>(last - rest_.data()) + 1);
    return Estimate{value, std::abs(value)};
  }

  std::optional<Estimate> element() {
    if (rest_.empty()) return std::nullopt;
    const bool isNumber = isDigit(rest_.front());
    if (!isNumber && isElementOfArray()) return elementOfArray();
    if (!isNumber && !isLetter(rest_.front())) return std::nullopt;
    const char* const end = rest_.data() + rest_.size();
    const char* stop = nullptr;
    Estimate result;
    if (isNumber) {
      stop = std::from_chars(rest_.data(), end, result.value, std::chars_format::fixed).ptr;
    } else {
      std::uint32_t index = 0;
      const auto [last, failure] = std::from_chars(rest_.data() + 1, end, index);
      if (failure != std::errc{}) return std::nullopt;
      stop = last;
      result.value = computeValue(static_cast<unsigned char>(rest_.front()), index);
    }
    result.magnitude = std::abs(result.value);
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return result;
  }

  /// A value of either sign and about 1: a product of thousands stays within a double's range.
  double computeValue(std::uint32_t array, std::uint32_t index) const {
    const auto name = std::uint64_t{array} << 32U | index;
    const std::uint64_t bits = mixed(attempt_, name);
    const double magnitude = std::exp2(std::ldexp(static_cast<double>(bits >> 11U), -52) - 1);
    return (bits & 1U) != 0 ? -magnitude : magnitude;
  }

  std::string_view rest_;
  std::uint64_t attempt_;
  int depth_ = 0;
};

}  // namespace

std::string plainFormula(std::string_view typed) {
  std::string text;
  for (const char c : typed) {
    if (c != ' ' && c != '\t') text += c;
  }
  replaceAll(text, "\u00d7", "*");
  replaceAll(text, "\u00b7", "*");
  replaceAll(text, "\u2212", "-");
  // After an operand an x is a times sign.
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const bool isAfterOperand = isDigit(text[i - 1]) || text[i - 1] == ')';
    const bool isBeforeOperand = isLetter(text[i + 1]) || isDigit(text[i + 1]) || text[i + 1] == '(';
    if (text[i] == 'x' && isAfterOperand && isBeforeOperand) text[i] = '*';
  }
  return text;
}

std::optional<bool> areSameFormula(std::string_view left, std::string_view right) {
  constexpr double kRounding = 1e-10;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    const std::optional<Estimate> ours = Evaluation(left, attempt).all();
    const std::optional<Estimate> theirs = Evaluation(right, attempt).all();
    if (!ours || !theirs) return std::nullopt;
    const double room = kRounding * std::max(ours->magnitude, theirs->magnitude);
    const bool isSame = std::abs(ours->value - theirs->value) <= room;
    if (!isSame) return false;
  }
  return true;
}

}  // namespace lanescope
