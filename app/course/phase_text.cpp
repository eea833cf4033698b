#include "app/course/phase_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/base/value_words.h"
#include "app/course/glossary.h"
#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

bool shuffles(const Phase& phase) { return phase.counters.shuffles > 0; }

/// Elements that each thread which loads from global memory loads in a phase; nullopt if they differ.
std::optional<std::uint64_t> loadsOfEach(const Trace& trace, const Phase& phase) {
  std::vector<std::uint64_t> loads(trace.threads, 0);
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (step.kind != StepKind::GlobalLoad) continue;
    for (const LaneAccess& access : laneAccesses(trace, step)) {
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

/// The noun for the memory that a phase touches: `word`, `double`, or `element` if that differs.
std::string_view findNoun(const Trace& trace, const Phase& phase) {
  std::string_view noun;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      const std::string_view own = array == nullptr ? "word" : elementNoun(array->type);
      if (!noun.empty() && noun != own) return "element";
      noun = own;
    }
  }
  return noun.empty() ? "word" : noun;
}

/// `(thread 1: words 4 and 6)`: the first thread that writes to a word that has another number than it; "" if
/// each writes to its own. In a phase that writes to shared memory, a store to global memory is only of a
/// result.
std::string exampleOfMoved(const Trace& trace, const Phase& phase) {
  const StepKind stores = phase.cellsWritten.empty() ? StepKind::GlobalStore : StepKind::SharedStore;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (step.kind != stores) continue;
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      if (array == nullptr) continue;
      const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
      const std::uint32_t place = (access.cell - array->firstCell) / splitWords(array->type);
      if (place == thread) continue;
      return "(thread " + std::to_string(thread) + ": " + std::string(elementNoun(array->type)) + "s " +
             std::to_string(place) + " and " + std::to_string(place + phase.stepSize) + ")";
    }
  }
  return {};
}

/// `each add the double **4** places to the right of theirs`: the operation of threads on their value and one
/// k further on. `moved`: an example if they write to other words than their own, else "".
std::string howItJoins(const Phase& phase, bool isOne, std::string_view noun, const std::string& moved) {
  using Joining = Provenance::Kind;
  const bool isShuffle = shuffles(phase);
  const bool isMoved = !moved.empty();
  const std::string count = "**" + std::to_string(phase.stepSize) + "**";
  const std::string places = count + (phase.stepSize == 1 ? " place" : " places");
  const std::string lane = "the lane " + count + " further on, register to register.";
  const std::string atPlaces = "the " + std::string(noun) + " " + places + " to the right";
  const std::string result(operatorWords(phase.joins).result);
  const std::string each = isOne ? " " : " each ";
  const auto verb = [isOne](const char* one, const char* many) { return std::string(isOne ? one : many); };
  std::string own = isOne ? "its own" : "theirs";
  std::string other = atPlaces + ".";
  if (isShuffle) {
    other = "that of " + lane;
  } else if (isMoved) {
    own = "a " + std::string(noun);
    other = "the one " + places + " to its right " + moved + ".";
  }
  switch (phase.joins) {
    case Joining::Add:
    case Joining::Multiply: {
      const bool adds = phase.joins == Joining::Add;
      const std::string does = adds ? verb("adds", "add") : verb("multiplies by", "multiply by");
      if (isShuffle) return each + does + " the " + result + " of " + lane;
      if (!isMoved) return each + does + " " + atPlaces + " of " + own + ".";
      if (adds) return each + does + " to " + own + " " + other;
      return each + verb("multiplies ", "multiply ") + own + " by " + other;
    }
    case Joining::Minimum:
    case Joining::Maximum:
      return each + verb("takes", "take") + " the " + result + " of " + own + " and " + other;
    case Joining::None: {
      const std::string takes = each + verb("takes", "take") + " ";
      if (isShuffle) return takes + "the value of " + lane;
      if (!isMoved) return takes + other;
      return takes + atPlaces + " of " + verb("its", "their") + " own " + moved + ".";
    }
    default: return each + verb("combines ", "combine ") + own + " with " + other;
  }
}

/// The buffers that atomics of a phase change, as `out` and `bins`; empty if there are none.
std::string updatedIn(const Trace& trace, const Phase& phase) {
  std::vector<std::string> names;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (step.kind != StepKind::GlobalAtomic) continue;
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      if (array != nullptr && std::ranges::find(names, array->name) == names.end())
        names.push_back(array->name);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return text;
}

std::string whatItDoes(const Trace& trace, const Phase& phase) {
  const std::size_t active = phase.activeThreads.size();
  if (active == 0) return "No thread touches memory here.";
  const std::string who = (active == 1 ? "Thread **" : "Threads **") + rangeText(phase.activeThreads) + "**";
  const std::string each = active == 1 ? " " : " each ";
  const auto verb = [active](std::string_view base) { return std::string(base) + (active == 1 ? "s" : ""); };
  const std::string noun(findNoun(trace, phase));
  const std::string result(operatorWords(phase.joins).result);
  const std::string updated = updatedIn(trace, phase);
  if (phase.stepSize > 0)
    return who + howItJoins(phase, active == 1, noun, shuffles(phase) ? "" : exampleOfMoved(trace, phase)) +
           (updated.empty() ? "" : " Then an atomic updates " + updated + ".");
  const Counters& counters = phase.counters;
  if (phase.kind == PhaseKind::Shuffle)
    return who + each +
           (shuffles(phase)
                ? verb("read") + " registers of other lanes."
                : verb("get") + " the " + result + " over all lanes that join in, by one instruction.");
  const std::size_t written = updated.empty() ? phase.cellsWritten.size() : 0;  // by stores
  if (counters.globalLoadRequests > 0 && written > 0) {
    const bool joins = phase.joins != Provenance::Kind::None;
    const auto loads = loadsOfEach(trace, phase);
    const std::string what = loads == 1U ? " a " + noun
                             : loads     ? " " + counted(*loads, noun)
                                         : " " + noun + "s";
    return who + each + verb("load") + what + " from global memory; " +
           (joins         ? "the " + result
            : loads == 1U ? "it"
                          : "they") +
           (!joins && loads != 1U ? " go" : " goes") + " into shared memory: " + counted(written, noun) +
           " in all.";
  }
  if (counters.globalLoadRequests > 0 && counters.globalStoreRequests > 0) {
    const bool joins = phase.joins != Provenance::Kind::None;
    return who + each + verb("load") + " from global memory and " + verb("store") +
           (joins ? " a " + result + " there." : " there.");
  }
  const std::string updates = " " + verb("update") + " " + updated + " by an atomic.";
  const bool isUpdate = !updated.empty();
  if (counters.globalLoadRequests > 0)
    return who + each + verb("load") + " from global memory" + (isUpdate ? " and" + updates : ".");
  if (counters.globalStoreRequests > 0)
    return who + " " + verb("write") +
           (isUpdate ? " to global memory and" + updates : " the block's result to global memory.");
  if (isUpdate) return who + (active == 1 ? "" : " each") + updates;
  if (written > 0) return who + " " + verb("write") + " " + counted(written, noun) + " of shared memory.";
  return who + " " + verb("read") + " " + counted(phase.cellsRead.size(), noun) + " of shared memory.";
}

/// The reason why shared accesses without a conflict take more wavefronts than one each; empty if there are
/// none.
std::string whyMoreWavefronts(const Trace& trace, const Phase& phase) {
  const MachineModel& machine = trace.launch.machine;
  unsigned bytes = 0;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (!isShared(step.kind) || step.wavefronts < 2 || conflicts(step)) continue;
    for (const LaneAccess& access : laneAccesses(trace, step))
      bytes = std::max<unsigned>(bytes, access.bytes);
  }
  if (bytes == 0) return "";
  const std::string counts = counted(phase.counters.sharedWavefronts(), "wavefront");
  if (bytes <= machine.bankBytes)
    return " " + std::to_string(machine.requestLanes) + " lanes go to the banks together: " + counts +
           ", and no fewer would do.";
  return " " + std::to_string(machine.banks * machine.bankBytes / bytes) + " lanes of " +
         std::to_string(bytes) + " bytes fill the banks, the others follow: " + counts +
         ", and no fewer would do.";
}

/// True if lanes that are served together request more of some bank than it can give at once.
bool asksBanksTwice(const Trace& trace, const Phase& phase) {
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    if (!conflicts(trace.steps[index])) continue;
    if (std::ranges::any_of(computeBankUse(trace, trace.steps[index]).degree,
                            [](unsigned d) { return d > 1; }))
      return true;
  }
  return false;
}

std::string serializedWords(const Trace& trace) {
  return wordsPerBank(trace.launch.machine) == 1 ? "Words in one bank"
                                                 : "Words of one bank that are not adjacent";
}

std::string whatItCosts(const Trace& trace, const Phase& phase) {
  const Counters& counters = phase.counters;
  std::string text;
  if (counters.divergentBranches > 0) {
    const std::string times =
        counters.divergentBranches == 1 ? "" : " " + withCommas(counters.divergentBranches) + " times";
    text = "Lanes of one warp go **different ways** at a branch" + times +
           ": those without work are masked off.";
  }
  if (counters.sharedWavefronts() > 0) {
    if (!text.empty()) text += ' ';
    text += counters.bankConflicts() == 0
                ? "No bank conflicts." + whyMoreWavefronts(trace, phase)
                : (asksBanksTwice(trace, phase) ? serializedWords(trace) + " are serialized: **"
                                                : "Groups of lanes are serialized: **") +
                      withCommas(counters.bankConflicts()) + "** of " +
                      counted(counters.sharedWavefronts(), "wavefront") +
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

std::vector<MarkdownBlock> phaseText(const Trace& trace, std::uint32_t number) {
  if (trace.phases.empty()) return {};
  const Phase& phase = trace.phases[number];
  std::vector<MarkdownBlock> blocks =
      parseMarkdown("# " + capitals(phase.label) + "\n\n" + whatItDoes(trace, phase));
  const std::string costs = whatItCosts(trace, phase);
  if (!costs.empty()) {
    for (MarkdownBlock& block : parseMarkdown(costs)) blocks.push_back(std::move(block));
  }
  markTerms(blocks);
  return blocks;
}

}  // namespace lanescope
