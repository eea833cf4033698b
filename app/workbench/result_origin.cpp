#include "app/workbench/result_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/counted.h"
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
  const Provenance::Kind made = trace.provenance.joins(from);
  if (made != joins && made != Provenance::Kind::None) return "";
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

}  // namespace lanescope
