#include "app/views/phase_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "app/session/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

bool shuffles(const Phase& phase) { return phase.counters.shuffles > 0; }

/// Elements that each thread which loads from global memory loads in a phase; nothing where they differ.
std::optional<std::uint64_t> loadsOfEach(const Trace& trace, const Phase& phase) {
  std::vector<std::uint64_t> loads(trace.threads, 0);
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step& step = trace.steps[index];
    if (step.kind != StepKind::GlobalLoad) continue;
    for (const LaneAccess& access : accessesOf(trace, step)) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      const unsigned bytes = array != nullptr && isWide(array->type) ? 8 : 4;
      loads[step.warp * trace.launch.machine.warpSize + access.lane] += std::max(access.bytes / bytes, 1U);
    }
  }
  std::optional<std::uint64_t> each;
  for (const std::uint64_t count : loads) {
    if (count == 0) continue;
    if (each && *each != count) return std::nullopt;
    each = count;
  }
  return each;
}

std::string whatItDoes(const Trace& trace, const Phase& phase) {
  const std::size_t active = phase.activeThreads.size();
  if (active == 0) return "No thread touches memory here.";
  const std::string who = (active == 1 ? "Thread **" : "Threads **") + rangeText(phase.activeThreads) + "**";
  const std::string each = active == 1 ? " " : " each ";
  const auto verb = [active](std::string_view base) { return std::string(base) + (active == 1 ? "s" : ""); };
  const std::string k = std::to_string(phase.stepSize);
  if (phase.stepSize > 0 && shuffles(phase)) {
    return who + each + verb("add") + " the sum of the lane **" + k + "** further on, register to register.";
  }
  if (phase.stepSize > 0)
    return who + each + verb("add") + " the word **" + k + "** to the right of " +
           (active == 1 ? "its own." : "theirs.");
  const Counters& counters = phase.counters;
  const std::size_t written = phase.cellsWritten.size();
  if (counters.globalLoadRequests > 0 && written > 0) {
    const bool adds = phase.label.find("add") != std::string::npos;
    const auto loads = loadsOfEach(trace, phase);
    const std::string what = loads == 1U ? " a word"
                             : loads     ? " " + std::to_string(*loads) + " words"
                                         : " words";
    return who + each + verb("load") + what + " from global memory; " +
           (adds          ? "the sum"
            : loads == 1U ? "it"
                          : "they") +
           (!adds && loads != 1U ? " go" : " goes") + " into shared memory: " + counted(written, "word") +
           " in all.";
  }
  if (counters.globalLoadRequests > 0 && counters.globalStoreRequests > 0) {
    const bool adds = phase.label.starts_with("add");
    return who + each + verb("load") + " from global memory and " + verb("store") +
           (adds ? " a sum there." : " there.");
  }
  if (counters.globalLoadRequests > 0) {
    const bool updates = counters.globalReductionSectors + counters.globalAtomicSectors > 0;
    return who + each + verb("load") + " from global memory" +
           (updates ? " and " + verb("update") + " it by an atomic." : ".");
  }
  if (counters.globalStoreRequests > 0)
    return who + " " + verb("write") + " the block's result to global memory.";
  if (written > 0) return who + " " + verb("write") + " " + counted(written, "word") + " of shared memory.";
  return who + " " + verb("read") + " " + counted(phase.cellsRead.size(), "word") + " of shared memory.";
}

std::string whatItCosts(const Phase& phase) {
  const Counters& counters = phase.counters;
  std::string text;
  if (counters.divergentBranches > 0) {
    const std::string branches = counters.divergentBranches == 1
                                     ? "a branch"
                                     : std::to_string(counters.divergentBranches) + " branches";
    text = "Lanes of one warp go **different ways** at " + branches +
           ": those without work wait for the others.";
  }
  if (counters.sharedWavefronts() > 0) {
    if (!text.empty()) text += ' ';
    text += counters.bankConflicts() == 0
                ? "No bank conflicts."
                : "Words in one bank go one after the other: **" + std::to_string(counters.bankConflicts()) +
                      "** of " + counted(counters.sharedWavefronts(), "wavefront") +
                      (counters.bankConflicts() == 1 ? " is a conflict." : " are conflicts.");
  }
  return text;
}

std::string capitals(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace

std::string rangeText(std::span<const std::uint32_t> numbers) {
  if (numbers.empty()) return "";
  std::string first = std::to_string(numbers.front());
  if (numbers.size() == 1) return first;
  const std::string last = std::to_string(numbers.back());
  const std::uint32_t stride = numbers[1] - numbers[0];
  bool regular = true;
  for (std::size_t i = 1; i < numbers.size(); ++i) regular = regular && numbers[i] - numbers[i - 1] == stride;
  if (numbers.size() == 2) return first + " and " + last;
  if (regular && stride == 1) return first + "–" + last;
  const std::string second = std::to_string(numbers[1]);
  if (numbers.size() == 3) return first + ", " + second + " and " + last;
  return first + ", " + second + " … " + last;
}

std::vector<MarkdownBlock> phaseText(const Moment& moment) {
  if (moment.trace.phases.empty()) return {};
  const Phase& phase = moment.trace.phases[moment.phase()];
  std::vector<MarkdownBlock> blocks =
      parseMarkdown("# " + capitals(phase.label) + "\n\n" + whatItDoes(moment.trace, phase));
  const std::string costs = whatItCosts(phase);
  if (!costs.empty()) {
    for (MarkdownBlock& block : parseMarkdown(costs)) blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace lanescope
