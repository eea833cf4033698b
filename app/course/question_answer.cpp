#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "app/base/value_words.h"
#include "app/course/questions.h"
#include "sim/base/words.h"

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

namespace {

constexpr std::uint32_t kLargest = 65535;

std::string lowered(std::string_view text) {
  std::string lower(trimmed(text));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

/// A list of numbers being read, item by item.
class NumberList {
 public:
  explicit NumberList(std::string_view text) : rest_(text) {}

  /// The fault of the list, or "".
  std::string read() {
    while (true) {
      skipBlanks();
      if (rest_.empty()) return "";
      std::string wrong = readItem();
      if (!wrong.empty()) return wrong;
      skipBlanks();
      if (rest_.starts_with(',') || rest_.starts_with(';')) rest_.remove_prefix(1);
    }
  }
  std::vector<std::uint32_t> consume() {
    std::ranges::sort(numbers_);
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    return std::move(numbers_);
  }

 private:
  void skipBlanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool skipWord(std::string_view word) {
    skipBlanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::uint32_t> parseLeadingNumber() {
    skipBlanks();
    std::uint32_t number = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (failure != std::errc{} || number > kLargest) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }
  static std::string unreadable() { return "Not a list: type numbers and ranges such as 0-7, 16, or none."; }

  std::string readItem() {
    if (skipWord("and")) return "";
    if (skipWord("...") || skipWord("..")) return readOn();
    const std::optional<std::uint32_t> first = parseLeadingNumber();
    if (!first) return unreadable();
    if (!skipWord("-") && !skipWord("to")) {
      // `0 ... 7` with no second number before the dots counts by ones.
      numbers_.push_back(*first);
      return "";
    }
    const std::optional<std::uint32_t> last = parseLeadingNumber();
    if (!last) return unreadable();
    std::uint32_t stride = 1;
    if (skipWord("by") || skipWord("step") || skipWord(":") || skipWord("/")) {
      const std::optional<std::uint32_t> typed = parseLeadingNumber();
      if (!typed || *typed == 0) return "A range counts on by 1 or more: type 0-30 by 2.";
      stride = *typed;
    }
    return add(*first, *last, stride);
  }

  /// After `0, 2 ...`: on by the difference of the last two, to the number that follows.
  std::string readOn() {
    (void)skipWord(",");
    const std::optional<std::uint32_t> last = parseLeadingNumber();
    if (!last || numbers_.empty()) return unreadable();
    const std::uint32_t from = numbers_.back();
    const std::uint32_t before = numbers_.size() > 1 ? numbers_[numbers_.size() - 2] : from;
    return add(from, *last, before < from ? from - before : 1);
  }

  std::string add(std::uint32_t first, std::uint32_t last, std::uint32_t stride) {
    if (last < first)
      return fmt::format("The range {}-{} goes backwards: type {}-{}.", first, last, last, first);
    for (std::uint32_t number = first; number <= last; number += stride) numbers_.push_back(number);
    return "";
  }

  std::string_view rest_;
  std::vector<std::uint32_t> numbers_;
};

/// The numbers of one list that the other lacks.
std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& all,
                                   const std::vector<std::uint32_t>& others) {
  std::vector<std::uint32_t> rest;
  std::ranges::set_difference(all, others, std::back_inserter(rest));
  return rest;
}

std::string_view noun(const Question& question, std::size_t count) {
  if (question.ofWarp) return count == 1 ? "lane" : "lanes";
  return count == 1 ? "thread" : "threads";
}

/// Lanes by their own number, or by their thread's.
Result<std::vector<std::uint32_t>> readLanes(const Question& question, std::string_view answer) {
  if (trimmed(answer).empty()) {
    return Error{fmt::format("Type the {}, or click them in the picture of the warps; none if there is none.",
                             noun(question, 2)),
                 ""};
  }
  Result<std::vector<std::uint32_t>> numbers = parseNumbers(answer, question.choices);
  if (!numbers) return numbers;
  std::vector<std::uint32_t> lanes;
  for (const std::uint32_t number : *numbers) {
    const std::uint32_t first = question.firstThread();
    const bool isThread = question.ofWarp && number >= first && number - first < question.choices;
    if (number < question.choices) {
      lanes.push_back(number);
    } else if (isThread) {
      lanes.push_back(number - first);
    } else {
      const std::string whose = question.ofWarp ? fmt::format("Warp {}", question.warp) : "The block";
      return Error{fmt::format("{} has {} 0 to {}: there is no {} {}.", whose, noun(question, 2),
                               question.choices - 1, noun(question, 1), number),
                   ""};
    }
  }
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  return lanes;
}

Result<Verdict> judgeLanes(const Question& question, std::string_view answer) {
  const Result<std::vector<std::uint32_t>> lanes = readLanes(question, answer);
  if (!lanes) return lanes.error();
  Verdict verdict{*lanes == question.right.lanes, numbersText(*lanes), ""};
  const std::vector<std::uint32_t> extra = without(*lanes, question.right.lanes);
  const std::vector<std::uint32_t> missing = without(question.right.lanes, *lanes);
  const auto name = [&](const std::vector<std::uint32_t>& some) {
    return fmt::format("{} {}", noun(question, some.size()), numbersText(some));
  };
  if (!extra.empty()) verdict.note = "Not among them: " + name(extra) + ".";
  if (!missing.empty()) {
    if (!verdict.note.empty()) verdict.note += ' ';
    verdict.note += "Left out: " + name(missing) + ".";
  }
  return verdict;
}

Result<Verdict> judgeNumber(const Question& question, std::string_view answer) {
  const std::string typed(trimmed(answer));
  std::uint64_t number = 0;
  const char* const end = typed.data() + typed.size();
  const auto [rest, failure] = std::from_chars(typed.data(), end, number);
  if (failure != std::errc{} || rest != end) return Error{"Type a whole number, in digits.", ""};
  Verdict verdict{number == question.right.number, std::to_string(number), ""};
  if (!verdict.right) {
    verdict.note = number < question.right.number ? "That is too few." : "That is too many.";
  }
  return verdict;
}

/// Elements joined by one operator.
struct Joined {
  Provenance::Kind kind = Provenance::Kind::None;  ///< None: of a single element
  std::vector<std::string> terms;                  ///< sorted
};

bool isTerm(std::string_view text) {
  return text.size() > 1 && text.front() >= 'a' && text.front() <= 'z' &&
         std::ranges::all_of(text.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

/// The operands that `a4+a12`, `a4*a12` or `min(a4, min(a12, a3))` joins; nullopt if the text is not such a
/// formula.
std::optional<Joined> joinedIn(std::string_view typed) {
  using Joining = Provenance::Kind;
  std::string text = plainFormula(typed);
  Joined joined;
  char separator = text.find('*') != std::string::npos ? '*' : '+';
  if (text.starts_with("min(") || text.starts_with("max(")) {
    const std::string name = text.substr(0, 4);
    joined.kind = name == "min(" ? Joining::Minimum : Joining::Maximum;
    const auto closed = std::ranges::count(text, ')');
    if (closed != std::ranges::count(text, '(') || !text.ends_with(')')) return std::nullopt;
    replaceAll(text, name, "");
    replaceAll(text, ")", "");
    separator = ',';
  }
  std::string_view rest = text;
  while (true) {
    const std::string_view term = rest.substr(0, rest.find(separator));
    if (!isTerm(term)) return std::nullopt;
    joined.terms.emplace_back(term);
    if (term.size() == rest.size()) break;
    rest.remove_prefix(term.size() + 1);
  }
  if (joined.terms.size() == 1)
    joined.kind = Joining::None;
  else if (joined.kind == Joining::None)
    joined.kind = separator == '*' ? Joining::Multiply : Joining::Add;
  std::ranges::sort(joined.terms);
  return joined;
}

std::string joined(const std::vector<std::string>& terms) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(terms.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + terms[i];
  return terms.size() > kMost ? text + fmt::format(" and {} more", terms.size() - kMost) : text;
}

Verdict judgeJoined(const Question& question, const std::string& typed) {
  const auto answer = joinedIn(typed);
  const auto right = joinedIn(question.right.symbols);
  Verdict verdict{false, typed, ""};
  if (!answer || !right) {
    const std::string packed = plainFormula(typed);
    const std::string wanted = plainFormula(question.right.symbols);
    verdict.right = areSameFormula(packed, wanted).value_or(packed == wanted);
    if (!verdict.right) verdict.note = "It is made of something else.";
    return verdict;
  }
  std::vector<std::string> extra;
  std::vector<std::string> missing;
  const bool isOtherKind = answer->kind != right->kind && answer->kind != Provenance::Kind::None &&
                           right->kind != Provenance::Kind::None;
  if (isOtherKind) {
    verdict.note = fmt::format("It is a {}, not a {}.", operatorWords(right->kind).result,
                               operatorWords(answer->kind).result);
    return verdict;
  }
  std::ranges::set_difference(answer->terms, right->terms, std::back_inserter(extra));
  std::ranges::set_difference(right->terms, answer->terms, std::back_inserter(missing));
  verdict.right = extra.empty() && missing.empty();
  if (!extra.empty()) verdict.note = "Not in it: " + joined(extra) + ".";
  if (!missing.empty()) verdict.note += (extra.empty() ? "" : " ") + ("Missing: " + joined(missing) + ".");
  return verdict;
}

Result<Verdict> judgeValue(const Question& question, std::string_view answer) {
  const std::string typed = lowered(answer);
  char* end = nullptr;
  const double number = std::strtod(typed.c_str(), &end);
  const bool isNumber = !typed.empty() && *end == 0 && std::isfinite(number) &&
                        typed.find_first_not_of("0123456789+-.e") == std::string::npos;
  if (isNumber) {
    const double room = 1e-6 * std::abs(question.right.value);
    Verdict verdict{std::abs(number - question.right.value) <= room, typed, ""};
    if (!verdict.right)
      verdict.note = number < question.right.value ? "That is too little." : "That is too much.";
    return verdict;
  }
  if (!takesSymbols(question)) return Error{"Type a number, in digits.", ""};
  // A formula that is not a sum, and so on, is only meant if the value is not a sum either.
  const bool isFormula = joinedIn(typed) || typed.find('(') != std::string::npos ||
                         (!joinedIn(question.right.symbols) &&
                          areSameFormula(plainFormula(typed), plainFormula(question.right.symbols)));
  const bool mayBeSymbols = !typed.empty() && isFormula;
  if (!mayBeSymbols) {
    const OperatorWords words = operatorWords(findJoiner(question));
    return Error{fmt::format("Type a number, or a {} such as {}.", words.result, words.example), ""};
  }
  return judgeJoined(question, typed);
}

Result<Verdict> judgeYesNo(const Question& question, std::string_view answer) {
  const std::string typed = lowered(answer);
  const bool yes = typed == "yes" || typed == "y";
  if (!yes && typed != "no" && typed != "n") return Error{"Answer yes or no.", ""};
  return Verdict{yes == question.right.yes, yes ? "yes" : "no", ""};
}

}  // namespace

Provenance::Kind findJoiner(const Question& question) {
  return question.right.joins == Provenance::Kind::None ? Provenance::Kind::Add : question.right.joins;
}

bool takesSymbols(const Question& question) {
  return question.form == AnswerForm::Value && question.right.symbols.find("\u2026") == std::string::npos;
}

std::string_view questionKindName(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::ActiveLanes: return "active lanes";
    case QuestionKind::Wavefronts: return "wavefronts";
    case QuestionKind::Sectors: return "sectors";
    case QuestionKind::CellValue: return "value";
    case QuestionKind::Race: return "race";
    case QuestionKind::Divergence: return "divergence";
  }
  return "";
}

std::string numbersText(std::span<const std::uint32_t> numbers) {
  if (numbers.empty()) return "none";
  std::string text;
  const auto append = [&text](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
  for (std::size_t i = 0; i < numbers.size();) {
    // A run of equal distances: three neighbours, or four numbers further apart.
    std::size_t end = i + 1;
    const std::uint32_t stride = end < numbers.size() ? numbers[end] - numbers[i] : 0;
    while (end < numbers.size() && numbers[end] - numbers[end - 1] == stride) ++end;
    const std::size_t length = end - i;
    if (stride == 1 && length >= 3) {
      append(fmt::format("{}-{}", numbers[i], numbers[end - 1]));
      i = end;
    } else if (stride > 1 && length > 4) {
      append(fmt::format("{}, {} ... {}", numbers[i], numbers[i + 1], numbers[end - 1]));
      i = end;
    } else {
      append(std::to_string(numbers[i]));
      ++i;
    }
  }
  return text;
}

Result<std::vector<std::uint32_t>> parseNumbers(std::string_view text, std::uint32_t count) {
  std::string plain = lowered(text);
  replaceAll(plain, "\u2013", "-");
  replaceAll(plain, "\u2026", "..");
  if (plain.empty()) return Error{"Type numbers and ranges such as 0-7, 16, or none.", ""};
  if (plain == "none") return std::vector<std::uint32_t>{};
  if (plain == "all") plain = count == 0 ? "" : fmt::format("0-{}", count - 1);
  NumberList list(plain);
  if (const std::string wrong = list.read(); !wrong.empty()) return Error{wrong, ""};
  return list.consume();
}

Result<Verdict> judge(const Question& question, std::string_view answer) {
  switch (question.form) {
    case AnswerForm::Lanes: return judgeLanes(question, answer);
    case AnswerForm::Number: return judgeNumber(question, answer);
    case AnswerForm::Value: return judgeValue(question, answer);
    case AnswerForm::YesNo: break;
  }
  return judgeYesNo(question, answer);
}

std::vector<std::uint32_t> lanesNamed(const Question& question, std::string_view answer) {
  if (question.form != AnswerForm::Lanes) return {};
  const Result<std::vector<std::uint32_t>> lanes = readLanes(question, answer);
  return lanes ? *lanes : std::vector<std::uint32_t>{};
}

}  // namespace lanescope
