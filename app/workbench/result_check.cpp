#include "app/workbench/result_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "kernels/protocol/expected_results.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"
#include "sim/memory/device_memory.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostNamed = 4;

using Indices = std::vector<std::uint32_t>;

/// `a1, a3 and a5`, `a32 to a63`, `32 elements, a1 the first,`.
std::string formatList(const Indices& indices, char letter) {
  const auto name = [letter](std::uint32_t index) { return letter + std::to_string(index); };
  const bool isRun = indices.back() - indices.front() + 1 == indices.size();
  if (indices.size() > 2 && isRun) return name(indices.front()) + " to " + name(indices.back());
  if (indices.size() > kMostNamed)
    return fmt::format("{}, {} the first,", counted(indices.size(), "element"), name(indices.front()));
  std::string text;
  for (std::size_t i = 0; i < indices.size(); ++i)
    text += (i == 0 ? "" : i + 1 == indices.size() ? " and " : ", ") + name(indices[i]);
  return text;
}

std::string verbFor(const Indices& indices) { return indices.size() == 1 ? " is " : " are "; }

/// The traced array of a buffer argument: behind those in shared memory are the buffers, in their order.
const TracedArray* findArray(const Trace& trace, std::size_t argument) {
  const auto& arguments = trace.launch.arguments;
  const auto isBuffer = [](const Argument& each) { return each.isBuffer; };
  const auto first = std::ranges::find(trace.arrays, MemorySpace::Global, &TracedArray::space);
  const auto before =
      std::count_if(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(argument), isBuffer);
  return trace.arrays.end() - first <= before ? nullptr : &first[before];
}

}  // namespace

std::optional<ResultWrite> findLastWrite(const Trace& trace, std::size_t argument, std::uint64_t element) {
  const TracedArray* const array = findArray(trace, argument);
  if (array == nullptr || element * splitWords(array->type) >= array->cellCount) return std::nullopt;
  const auto cell = static_cast<std::uint32_t>(array->firstCell + element * splitWords(array->type));
  for (auto steps = static_cast<std::uint32_t>(trace.steps.size()); steps > 0; --steps) {
    const Step step = trace.steps[steps - 1];
    if (!isWrite(step.kind)) continue;
    const auto accesses = laneAccesses(trace, step);
    for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) {  // of several the last stays
      if (access->cell <= cell && cell < access->cell + std::max(access->bytes / 4U, 1U))
        return ResultWrite{steps, step.warp * trace.launch.machine.warpSize + access->lane};
    }
  }
  return std::nullopt;
}

std::string missingElementsText(const Trace& trace, std::size_t output, std::size_t input,
                                Provenance::Kind joins, std::uint32_t n) {
  const TracedArray* const out = findArray(trace, output);
  if (out == nullptr) return "";
  const CellChange* last = nullptr;
  for (std::size_t index = trace.steps.size(); index-- > 0 && last == nullptr;) {
    const Step step = trace.steps[index];
    for (const CellChange& change : stepChanges(trace, step)) {
      if (change.cell == out->firstCell) last = &change;
    }
  }
  if (last == nullptr) return fmt::format("no thread writes {}[0]", out->name);
  const ProvenanceId from = last->after.from;
  if (from == kNoProvenance || trace.provenance.hasOthers(from)) return "";
  const Provenance::Kind kind = trace.provenance.joins(from);
  if (kind != joins && kind != Provenance::Kind::None) return "";
  const auto& arguments = trace.launch.arguments;
  const auto before = std::count_if(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(input),
                                    [](const Argument& each) { return each.isBuffer; });
  const char letter = static_cast<char>('a' + before);
  Indices missing;
  Indices repeated;
  Indices present;
  const std::vector<std::uint64_t> counts = trace.provenance.inputCounts(from, letter, n);
  for (std::uint32_t i = 0; i < n; ++i) {
    (counts[i] == 0 ? missing : present).push_back(i);
    if (counts[i] > 1) repeated.push_back(i);
  }
  if (present.empty()) return "";
  std::string text;
  if (present.size() == 1 && n > 2) {
    text = "only " + formatList(present, letter) + " is in it";
  } else if (!missing.empty()) {
    text = formatList(missing, letter) + verbFor(missing) + "not in it";
  }
  if (!repeated.empty())
    text += (text.empty() ? "" : ", and ") + formatList(repeated, letter) + verbFor(repeated) +
            "in it more than once";
  return text;
}

namespace {

constexpr std::array kReductions{Reduction::Sum, Reduction::Product, Reduction::Minimum, Reduction::Maximum};
constexpr const char* kWhereToLook = "Look for the first phase after which a word holds the wrong elements.";

std::string_view kernelStem(std::string_view kernel) { return kernel.substr(0, kernel.find('<')); }

std::optional<ElementType> argumentElementType(const Argument& buffer) {
  switch (buffer.type) {
    case ArgumentType::F32: return ElementType::Float;
    case ArgumentType::F64: return ElementType::Double;
    case ArgumentType::I32: return ElementType::Int;
    default: return std::nullopt;
  }
}

/// The operator in the name of the launch's kernel; the sum for a strategy without a choice.
std::optional<Reduction> findReduction(const Strategy& strategy, const Launch& launch) {
  const auto lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter; };
  if (strategy.operators.empty()) return Reduction::Sum;
  for (const std::string& op : strategy.operators) {
    if (kernelName(strategy, launch.block.x, 0, op) != launch.kernel) continue;
    for (const Reduction reduction : kReductions) {
      if (std::ranges::equal(op, findNoun(reduction), {}, lower)) return reduction;
    }
  }
  return std::nullopt;
}

/// One launch, its arguments by the names that the strategy's head gives them.
class Checker {
 public:
  Checker(const Strategy& strategy, const Run& run) : strategy_(strategy), run_(run), launch_(run.launch) {}

  std::optional<ResultCheck> run() {
    if (!areArgumentsItsOwn() || kernelStem(launch_.kernel) != kernelStem(strategy_.kernel))
      return std::nullopt;
    in_ = find(Parameter::In);
    out_ = find(Parameter::Out);
    const auto type = out_ == nullptr ? std::nullopt : argumentElementType(*out_);
    if (!type || (in_ != nullptr && in_->type != out_->type)) return std::nullopt;
    type_ = *type;
    check_.output = *findIndex(Parameter::Out);
    std::size_t buffer = 0;
    for (std::size_t i = 0; i < check_.output; ++i) buffer += launch_.arguments[i].isBuffer ? 1 : 0;
    left_ = run_.simulation.buffers[buffer];
    switch (strategy_.result) {
      case ResultKind::Transpose: return checkTranspose();
      case ResultKind::VectorSum: return checkVectorSum();
      case ResultKind::Julia: return checkJulia();
      case ResultKind::BlockSums:
      case ResultKind::PartialSums:
      case ResultKind::Sum:
      case ResultKind::Total: break;
    }
    return in_ == nullptr ? std::nullopt : checkReduction();
  }

 private:
  std::optional<std::size_t> findIndex(Parameter parameter) const {
    const auto found = std::ranges::find(strategy_.parameters, parameter);
    if (found == strategy_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - strategy_.parameters.begin());
  }

  const Argument* find(Parameter parameter) const {
    const auto index = findIndex(parameter);
    return index ? &launch_.arguments[*index] : nullptr;
  }

  bool areArgumentsItsOwn() const {
    if (launch_.arguments.size() != strategy_.parameters.size()) return false;
    for (std::size_t i = 0; i < strategy_.parameters.size(); ++i) {
      const Parameter parameter = strategy_.parameters[i];
      const bool isScalar =
          parameter == Parameter::N || parameter == Parameter::Width || parameter == Parameter::Height;
      const Argument& argument = launch_.arguments[i];
      if (argument.isBuffer == isScalar || argument.isStruct || argument.offset != 0) return false;
    }
    return true;
  }

  double started(const Argument& buffer, std::uint64_t i) const {
    return findElement(buffer.type, buffer.fill, i);
  }

  double left(std::uint64_t i) const {
    const auto computeValue = [&](auto value) {
      std::memcpy(&value, left_.data() + i * sizeof(value), sizeof(value));
      return static_cast<double>(value);
    };
    switch (type_) {
      case ElementType::Float: return computeValue(float{});
      case ElementType::Double: return computeValue(double{});
      case ElementType::Int: break;
    }
    return computeValue(std::int32_t{});
  }

  /// As an element of the type is written: whole numbers without a point.
  std::string text(double value) const {
    if (std::abs(value) < 0x1p53 && value == std::floor(value)) return fmt::format("{:.0f}", value);
    const auto narrow = static_cast<float>(value);
    return type_ == ElementType::Float && static_cast<double>(narrow) == value ? fmt::format("{}", narrow)
                                                                               : fmt::format("{}", value);
  }

  std::optional<ResultCheck> checkReduction() {
    const auto reduction = findReduction(strategy_, launch_);
    const Argument* const bound = find(Parameter::N);
    const std::uint64_t n = bound == nullptr ? in_->count : bound->integer;
    const bool isOfBlocks =
        strategy_.result == ResultKind::BlockSums || strategy_.result == ResultKind::PartialSums;
    const std::uint64_t results = isOfBlocks ? launch_.grid.count() : 1;
    if (!reduction || n == 0 || n > in_->count || results > out_->count) return std::nullopt;
    const Reduced expected =
        reduceElements(*reduction, type_, n, [&](std::uint64_t i) { return started(*in_, i); });
    const auto tolerance = computeTolerance(*reduction, type_, n, expected);
    if (!tolerance) return std::nullopt;
    const double got =
        reduceElements(*reduction, type_, results, [&](std::uint64_t i) { return left(i); }).value;
    check_.isRight = std::abs(got - expected.value) <= *tolerance;  // NaN is wrong
    const std::string what =
        results == 1 ? "The result is"
                     : fmt::format("The results of the {} together make", counted(results, "block"));
    const std::string of = fmt::format("{} of the {}", findNoun(*reduction), counted(n, "element"));
    if (check_.isRight) {
      check_.sentence = got == expected.value ? fmt::format("{} {}, the {}.", what, text(got), of)
                                              : fmt::format("{} {}, within the rounding error of the {}, {}.",
                                                            what, text(got), of, text(expected.value));
      return check_;
    }
    check_.sentence = fmt::format("{} {}, but the {} is {}", what, text(got), of, text(expected.value));
    check_.sentence += explainCheck(*reduction, n) + "." + wrongBlock(*reduction, n);
    check_.fix = notTaken(n);
    if (check_.fix.empty()) check_.fix = kWhereToLook;
    return check_;
  }

  /// The first wrong one of the block sums; empty if their order differs from the strategy's.
  std::string wrongBlock(Reduction reduction, std::uint64_t n) {
    const std::uint64_t blocks = launch_.grid.count();
    if (strategy_.result != ResultKind::BlockSums || blocks == 1 || n % blocks != 0) return "";
    const std::uint64_t share = n / blocks;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const std::uint64_t first = block * share;
      const Reduced own =
          reduceElements(reduction, type_, share, [&](std::uint64_t i) { return started(*in_, first + i); });
      if (std::abs(left(block) - own.value) <= computeTolerance(reduction, type_, share, own).value_or(0))
        continue;
      check_.element = block;
      return fmt::format(" Block {} wrote {}; the {} of its elements, a{} to a{}, is {}.", block,
                         text(left(block)), findNoun(reduction), first, first + share - 1, text(own.value));
    }
    return "";
  }

  /// `: a63 is not in it`, if a record of the one block that did it shows that.
  std::string explainCheck(Reduction reduction, std::uint64_t n) const {
    const bool isExplained = reduction == Reduction::Sum || reduction == Reduction::Product;
    if (!isExplained || launch_.grid.count() != 1 || n > UINT32_MAX) return "";
    const auto trace = run_.trace != nullptr ? Result(run_.trace) : makeTrace(launch_);
    if (!trace) return "";
    const auto kind = reduction == Reduction::Sum ? Provenance::Kind::Add : Provenance::Kind::Multiply;
    const std::string why = missingElementsText(**trace, check_.output, *findIndex(Parameter::In), kind,
                                                static_cast<std::uint32_t>(n));
    return why.empty() ? "" : ": " + why;
  }

  /// `1 block of 32 threads takes 32 of the 64 elements`, if the launch was made too small.
  std::string notTaken(std::uint64_t n) const {
    const std::uint64_t threads = launch_.block.count();
    const std::uint64_t perBlock = threads * strategy_.elementsPerThread;
    const std::uint64_t blocks = launch_.grid.count();
    if (strategy_.stridesGrid || blocks * perBlock >= n) return "";
    return fmt::format("The launch's {} of {} take{} {} of the {}: {}.", counted(blocks, "block"),
                       counted(threads, "thread"), blocks == 1 ? "s" : "", blocks * perBlock,
                       counted(n, "element"),
                       n % perBlock == 0 ? fmt::format("launch {}", counted(n / perBlock, "block"))
                                         : "choose a grid and a block that take all of them");
  }

  template <class Expected>
  /// `expected(i)` is the right value of out[i], and `because(i)` its origin.
  std::optional<ResultCheck> checkElements(std::uint64_t count, std::string_view right, Expected expected,
                                           std::string_view because) {
    if (count == 0 || count > out_->count) return std::nullopt;
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (left(i) == expected(i)) continue;  // a NaN is wrong
      if (wrong++ == 0) check_.element = i;
    }
    check_.isRight = wrong == 0;
    check_.sentence = right;
    if (wrong == 0) return check_;
    check_.sentence = fmt::format("{} of the {} of the result {} wrong: out[{}] is {}, but {} {}.", wrong,
                                  counted(count, "element"), isOrAre(wrong), check_.element,
                                  text(left(check_.element)), because, text(expected(check_.element)));
    check_.fix =
        fmt::format("Look for the thread that is to write out[{}], and at what it reads.", check_.element);
    return check_;
  }

  std::optional<ResultCheck> checkTranspose() {
    const Argument* const width = find(Parameter::Width);
    const Argument* const height = find(Parameter::Height);
    if (in_ == nullptr || width == nullptr || height == nullptr) return std::nullopt;
    const std::uint64_t columns = width->integer;
    const std::uint64_t rows = height->integer;
    if (rows == 0 || columns > in_->count / rows) return std::nullopt;
    return checkElements(
        columns * rows, "The result is the transposed matrix.",
        [&](std::uint64_t i) { return started(*in_, i % rows * columns + i / rows); },
        "in the transposed matrix it is");
  }

  std::optional<ResultCheck> checkVectorSum() {
    const Argument* const b = find(Parameter::B);
    const Argument* const n = find(Parameter::N);
    if (in_ == nullptr || b == nullptr || n == nullptr || b->type != out_->type) return std::nullopt;
    if (n->integer > std::min(in_->count, b->count)) return std::nullopt;
    return checkElements(
        n->integer, "Every out[i] is in[i] + b[i].",
        [&](std::uint64_t i) {
          const auto operand = [&](std::uint64_t which) { return started(which == 0 ? *in_ : *b, i); };
          const double sum = reduceElements(Reduction::Sum, type_, 2, operand).value;
          return type_ == ElementType::Float ? static_cast<double>(static_cast<float>(sum)) : sum;
        },
        "in[i] + b[i] is");
  }

  std::optional<ResultCheck> checkJulia() {
    const Argument* const width = find(Parameter::Width);
    const Argument* const height = find(Parameter::Height);
    if (width == nullptr || height == nullptr || type_ != ElementType::Float) return std::nullopt;
    const std::uint64_t columns = width->integer;
    const std::uint64_t rows = height->integer;
    if (rows == 0 || columns > out_->count / rows) return std::nullopt;
    return checkElements(
        columns * rows, "Every point has its number of iterations.",
        [&](std::uint64_t i) { return static_cast<double>(expectedIterations(i, columns, rows)); },
        "the iterations of that point are");
  }

  const Strategy& strategy_;
  const Run& run_;
  const Launch& launch_;
  ElementType type_ = ElementType::Float;
  const Argument* in_ = nullptr;
  const Argument* out_ = nullptr;
  std::span<const std::byte> left_;
  ResultCheck check_;
};

}  // namespace

std::optional<ResultCheck> checkResult(const Strategy& strategy, const Run& run) {
  return Checker(strategy, run).run();
}

}  // namespace lanescope
