#include "app/launch/launch_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/words.h"
#include "sim/memory/machine_model.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostGuessed = std::uint64_t{1} << 18;  // of all buffers, which a trace has room for
constexpr int kMostDepth = 8;                                   // of constants made of constants

using Number = std::optional<std::int64_t>;

/// The text within the brackets that open there.
std::optional<std::string_view> bracketed(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '{') ++depth;
    if ((text[at] == ')' || text[at] == '}') && --depth == 0) return text.substr(open + 1, at - open - 1);
  }
  return std::nullopt;
}

/// Values of a text's constants and of expressions of them.
class Constants {
 public:
  explicit Constants(std::string_view text) : text_(text) {}

  Number computeValue(std::string_view expression, int depth = 0) const {
    if (depth > kMostDepth) return std::nullopt;
    expression = trimmed(expression);
    // The operators by rising rank; of several the last one.
    constexpr std::array<std::string_view, 3> kRanks{"<>", "+-", "*/%"};
    for (const std::string_view rank : kRanks) {
      if (const auto at = lastOperator(expression, rank)) {
        const std::size_t width = rank == "<>" ? 2 : 1;
        return joined(expression[*at], computeValue(expression.substr(0, *at), depth + 1),
                      computeValue(expression.substr(*at + width), depth + 1));
      }
    }
    if (expression.starts_with('(') && expression.ends_with(')'))
      return computeValue(expression.substr(1, expression.size() - 2), depth + 1);
    if (const Number literal = parseLiteral(expression)) return literal;
    const bool isName = !expression.empty() && std::ranges::all_of(expression, isOfName);
    return isName ? constant(expression, depth + 1) : std::nullopt;
  }

  /// `128`, `(n + 127) / 128`, `dim3(16, 16)`, or the name of a dim3.
  std::optional<Dim3> computeExtent(std::string_view expression) const {
    expression = trimmed(expression);
    if (const Number number = computeValue(expression)) return computeExtent(std::vector<Number>{number});
    const bool isName = !expression.empty() && std::ranges::all_of(expression, isOfName);
    std::size_t open = std::string_view::npos;
    if (findWord(expression, "dim3", 0) == 0) {
      open = static_cast<std::size_t>(expression.data() - text_.data()) + 4;
    } else if (isName) {
      const std::size_t declared = text_.find("dim3 " + std::string(expression));
      if (declared != std::string_view::npos) open = declared + 5 + expression.size();
    }
    while (open < text_.size() && isSpace(text_[open])) ++open;
    if (open >= text_.size() || (text_[open] != '(' && text_[open] != '{')) return std::nullopt;
    const auto within = bracketed(text_, open);
    if (!within) return std::nullopt;
    std::vector<Number> numbers;
    for (const std::string_view part : splitList(*within)) numbers.push_back(computeValue(part));
    return computeExtent(numbers);
  }

 private:
  static std::optional<Dim3> computeExtent(const std::vector<Number>& numbers) {
    Dim3 extent;
    const std::array<std::uint32_t*, 3> parts{&extent.x, &extent.y, &extent.z};
    if (numbers.empty() || numbers.size() > parts.size()) return std::nullopt;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!numbers[i] || *numbers[i] < 1 || *numbers[i] > std::int64_t{kMaxGridX}) return std::nullopt;
      *parts[i] = static_cast<std::uint32_t>(*numbers[i]);
    }
    return extent;
  }

  static Number parseLiteral(std::string_view text) {
    std::int64_t value = 0;
    const bool isHex = text.starts_with("0x");
    const std::string_view digits = isHex ? text.substr(2) : text;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
    const std::string_view suffix = digits.substr(static_cast<std::size_t>(end - digits.data()));
    const bool isWhole = suffix.find_first_not_of("uUlL") == std::string_view::npos;
    return error == std::errc() && isWhole ? Number(value) : std::nullopt;
  }

  static std::optional<std::size_t> lastOperator(std::string_view expression, std::string_view rank) {
    int depth = 0;
    for (std::size_t at = expression.size(); at-- > 1;) {
      const char c = expression[at];
      if (c == ')') ++depth;
      if (c == '(') --depth;
      if (depth != 0 || rank.find(c) == std::string_view::npos) continue;
      if (rank != "<>") return at;
      if (expression[at - 1] == c && at > 1) return at - 1;
    }
    return std::nullopt;
  }

  static Number joined(char op, Number left, Number right) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const auto isSmall = [](const Number& number) { return number && *number >= -kMost && *number <= kMost; };
    if (!isSmall(left) || !isSmall(right)) return std::nullopt;
    switch (op) {
      case '+': return *left + *right;
      case '-': return *left - *right;
      case '*':
        return std::abs(*left) > (1 << 20) && std::abs(*right) > (1 << 20) ? Number() : *left * *right;
      case '/': return *right == 0 ? Number() : *left / *right;
      case '%': return *right == 0 ? Number() : *left % *right;
      case '<': return *left < 0 || *right < 0 || *right > 20 ? Number() : *left << *right;
      case '>': return *left < 0 || *right < 0 || *right > 20 ? Number() : *left >> *right;
      default: return std::nullopt;
    }
  }

  /// `#define NAME …` or `… NAME = …;`.
  Number constant(std::string_view name, int depth) const {
    for (std::size_t at = findWord(text_, name, 0); at != std::string_view::npos;
         at = findWord(text_, name, at + 1)) {
      const std::size_t lineBegin = text_.rfind('\n', at) + 1;
      const std::string_view before = trimmed(text_.substr(lineBegin, at - lineBegin));
      std::string_view after = text_.substr(at + name.size());
      if (before == "#define")
        return computeValue(after.substr(0, std::min(after.find('\n'), after.find("//"))), depth);
      after = trimmed(after.substr(0, after.find_first_of(";,\n")));
      const bool isDeclared = !before.empty() && (isOfName(before.back()) || before.back() == ',');
      if (isDeclared && after.starts_with('=') && !after.starts_with("=="))
        return computeValue(after.substr(1), depth);
    }
    return std::nullopt;
  }

  std::string_view text_;
};

/// The first launch of a kernel: the text within `<<<` and `>>>`, and within the brackets after it.
struct WrittenLaunch {
  std::vector<std::string_view> configuration;
  std::vector<std::string_view> arguments;
};

std::optional<WrittenLaunch> findLaunch(std::string_view text, std::string_view kernel) {
  for (std::size_t at = findWord(text, kernel, 0); at != std::string_view::npos;
       at = findWord(text, kernel, at + 1)) {
    std::size_t open = at + kernel.size();
    while (open < text.size() && isSpace(text[open])) ++open;
    if (open < text.size() && text[open] == '<' && text.substr(open, 3) != "<<<")
      open = text.find("<<<", open);
    if (open >= text.size() || text.substr(open, 3) != "<<<") continue;
    const std::size_t close = text.find(">>>", open);
    const std::size_t statement = text.find(';', open);
    if (close == std::string_view::npos || close > statement) continue;
    WrittenLaunch launch{splitList(text.substr(open + 3, close - open - 3)), {}};
    const std::size_t bracket = text.find('(', close);
    if (const auto within = bracket < statement ? bracketed(text, bracket) : std::nullopt)
      launch.arguments = splitList(*within);
    return launch;
  }
  return std::nullopt;
}

}  // namespace

LaunchForm formFor(const KernelSignature& signature, std::string_view text) {
  LaunchForm plain = formFor(signature);
  const auto launch = findLaunch(text, signature.name);
  if (!launch || launch->configuration.size() < 2) return plain;
  const Constants constants(text);
  const auto grid = constants.computeExtent(launch->configuration[0]);
  const auto block = constants.computeExtent(launch->configuration[1]);
  if (!grid || !block || block->count() > kMaxBlockThreads || grid->count() > kMostGuessed) return plain;
  LaunchForm form = plain;
  form.grid = formatExtent(*grid);
  form.block = formatExtent(*block);
  if (launch->configuration.size() > 2) {
    const Number bytes = constants.computeValue(launch->configuration[2]);
    if (bytes && *bytes >= 0) form.dynamicShared = std::to_string(*bytes);
  }
  std::uint64_t count = grid->count() * block->count();
  const std::uint64_t side = std::max(std::uint64_t{grid->x} * block->x, std::uint64_t{grid->y} * block->y);
  std::vector<Number> numbers(signature.parameters.size());
  for (std::size_t i = 0; i < numbers.size() && i < launch->arguments.size(); ++i) {
    const KernelParameter& parameter = signature.parameters[i];
    if (parameter.isPointer || parameter.isStruct) continue;
    numbers[i] = constants.computeValue(launch->arguments[i]);
    if (numbers[i] && *numbers[i] > 0) count = std::max(count, static_cast<std::uint64_t>(*numbers[i]));
  }
  const auto buffers =
      static_cast<std::uint64_t>(std::ranges::count(signature.parameters, true, &KernelParameter::isPointer));
  if (count * std::max<std::uint64_t>(buffers, 1) > kMostGuessed) return plain;
  for (std::size_t i = 0; i < form.arguments.size() && i < numbers.size(); ++i) {
    const KernelParameter& parameter = signature.parameters[i];
    const bool isWhole =
        !parameter.element.empty() && (parameter.element[0] == 'i' || parameter.element[0] == 'u');
    if (parameter.isPointer)
      form.arguments[i] = parameter.suggestion(count, parameter.rowElements > 1 ? side : count);
    else if (numbers[i] && isWhole && !parameter.isStruct)
      form.arguments[i] = fmt::format("{}={}", parameter.element, *numbers[i]);
  }
  return form;
}

}  // namespace lanescope
