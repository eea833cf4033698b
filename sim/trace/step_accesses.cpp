#include "sim/trace/step_accesses.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lanescope {

bool isSerialAtomic(const Step& step) {
  return step.kind == StepKind::SharedAtomic && step.sharedAtomic != SharedAtomic::Increment;
}
bool isSharedLoop(const MachineModel& machine, const Step& step) {
  return step.kind == StepKind::SharedAtomic && isLoop(machine, step.sharedAtomic);
}

std::span<const LaneAccess> laneAccesses(const Trace& trace, const Step& step) {
  return trace.accesses.run(step.accesses);
}

std::span<const CellChange> stepChanges(const Trace& trace, const Step& step) {
  return trace.cellChanges.run(step.cellChanges);
}

bool isOfMemory(const Trace& trace, const Read& read) {
  return !exchangesRegisters(trace.steps[read.step].kind);
}

namespace {

std::vector<BankWavefront> findBankWavefronts(const Trace& trace, const Step& step) {
  std::array<std::uint32_t, kMaxLanes> addresses{};
  SharedRequest request;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    addresses[access.lane] = access.address;
    request.mask |= LaneMask{1} << access.lane;
    request.bytes = access.bytes;
  }
  request.addresses = std::span(addresses).first(trace.launch.machine.warpSize);
  request.kind = toAccessKind(step.kind);
  request.atomic = step.sharedAtomic;
  return bankWavefronts(trace.launch.machine, request);
}

}  // namespace

std::vector<std::uint32_t> wordsTouched(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> words;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    const std::uint32_t last = (access.address + std::max<std::uint32_t>(access.bytes, 1) - 1) / 4;
    for (std::uint32_t word = access.address / 4; word <= last; ++word) words.push_back(word);
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::uint32_t wordsPerBank(const MachineModel& machine) { return std::max(machine.bankBytes / 4, 1U); }

bool diverges(const Step& step) {
  const LaneMask taken = step.taken & step.active;
  return step.kind == StepKind::Branch && taken != 0 && taken != step.active;
}

bool conflicts(const Step& step) { return isShared(step.kind) && step.wavefronts > step.idealWavefronts; }

BankUse computeBankUse(const Trace& trace, const Step& step) {
  BankUse use;
  if (!isShared(step.kind)) return use;
  const MachineModel& machine = trace.launch.machine;
  use.wavefronts = findBankWavefronts(trace, step);
  use.words.resize(machine.banks);
  use.degree.assign(machine.banks, 0);
  for (const std::uint32_t word : wordsTouched(trace, step)) {
    use.words[word / wordsPerBank(machine) % machine.banks].push_back(word);
    ++use.wordCount;
  }
  use.bankCount = static_cast<std::uint32_t>(
      std::ranges::count_if(use.words, [](const auto& words) { return !words.empty(); }));
  std::vector<unsigned> ofGroup;
  for (std::uint32_t number = 0; number < use.wavefronts.size(); ++number) {
    const BankWavefront& wavefront = use.wavefronts[number];
    if (wavefront.group == number) {
      ofGroup.assign(machine.banks, 0);
      ++use.groups;
    }
    for (const std::uint32_t word : wavefront.words) {
      unsigned& degree = use.degree[word % machine.banks];
      degree = std::max(degree, ++ofGroup[word % machine.banks]);
    }
  }
  return use;
}

std::uint32_t countConstantAddresses(const Trace& trace, const Step& step) {
  if (step.kind != StepKind::ConstantLoad) return 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;  // cell and byte: of two variables too
  for (const LaneAccess& access : laneAccesses(trace, step)) places.emplace(access.cell, access.address);
  return static_cast<std::uint32_t>(places.size());
}

std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> sectors;
  if (!isGlobal(step.kind)) return sectors;
  const std::uint32_t bytes = trace.launch.machine.sectorBytes;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    const std::uint32_t last = (access.address + std::max<std::uint32_t>(access.bytes, 1) - 1) / bytes;
    for (std::uint32_t sector = access.address / bytes; sector <= last; ++sector) sectors.push_back(sector);
  }
  std::ranges::sort(sectors);
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  return sectors;
}

namespace {

using Positions = std::map<std::int32_t, std::uint32_t>;  ///< by function: the warp's last position in it

bool isSame(const TracedVariable& a, const TracedVariable& b) {
  return a.function == b.function && a.name == b.name && a.declared == b.declared;
}

/// The functions that the warp has been in since the kernel's own text, and its place in that text.
Positions positionsBefore(const Trace& trace, std::int32_t step) {
  Positions positions;
  while (step >= 0) {
    const Step at = trace.steps[static_cast<std::size_t>(step)];
    const std::int32_t function = functionAt(trace, at.span);
    positions.emplace(function, at.span.begin);
    if (function < 0) break;
    step = at.previousOfWarp;
  }
  positions.emplace(-1, 0);
  return positions;
}

/// True if another variable of that name and function, declared later but before the place, replaces it.
bool isShadowed(const Trace& trace, const TracedVariable& variable, std::uint32_t position) {
  const bool isReached = variable.declared.begin <= position;
  return std::ranges::any_of(trace.variables, [&](const TracedVariable& other) {
    if (other.function != variable.function || other.name != variable.name || isSame(other, variable))
      return false;
    const bool otherIsReached = other.declared.begin <= position;
    if (isReached != otherIsReached) return otherIsReached;
    return other.declared.begin > variable.declared.begin;
  });
}

/// The same variable for each set of template arguments that its function has in the trace.
std::vector<std::uint32_t> findTwins(const Trace& trace, std::uint32_t variable) {
  std::vector<std::uint32_t> twins;
  for (std::uint32_t other = 0; other < trace.variables.size(); ++other) {
    if (isSame(trace.variables[other], trace.variables[variable])) twins.push_back(other);
  }
  return twins;
}

/// The one of some variables that a warp (`thread` -1) or a thread set last; the first if none was set.
std::uint32_t setLast(const Trace& trace, const std::vector<std::uint32_t>& among, std::int32_t step,
                      std::int64_t thread) {
  if (among.size() == 1) return among.front();
  while (step >= 0) {
    const Step at = trace.steps[static_cast<std::size_t>(step)];
    std::optional<std::uint32_t> found;
    forEachChange(trace, at, [&](const VariableChange& change) {
      const bool isIts = thread < 0 || std::int64_t{change.thread} == thread;
      if (isIts && std::ranges::find(among, change.variable) != among.end()) found = change.variable;
    });
    if (found) return *found;
    step = at.previousOfWarp;
  }
  return among.front();
}

}  // namespace

void nameVariables(Trace& trace) {
  std::map<std::string_view, std::set<std::int32_t>> ownersByName;
  for (TracedVariable& variable : trace.variables) {
    variable.function = functionAt(trace, variable.declared);
    ownersByName[variable.name].insert(variable.function);
  }
  using Declaration = std::tuple<std::int32_t, std::string_view, std::uint32_t>;
  const auto findDeclaration = [](const TracedVariable& variable) {
    return Declaration{variable.function, variable.name, variable.declared.begin};
  };
  std::map<Declaration, std::uint32_t> instances;
  for (const TracedVariable& variable : trace.variables) ++instances[findDeclaration(variable)];
  std::map<std::pair<Declaration, std::string_view>, std::uint32_t> seen;
  for (TracedVariable& variable : trace.variables) {
    variable.label = variable.name;
    if (variable.function < 0) continue;
    const Declaration declaration = findDeclaration(variable);
    const bool isOneOfSeveral = instances[declaration] > 1;
    if (ownersByName[variable.name].size() == 1 && !isOneOfSeveral) continue;
    // Groups of other sizes also make instances, without template arguments to distinguish them.
    const std::uint32_t call = ++seen[{declaration, variable.instance}];
    const std::string& function = isOneOfSeveral
                                      ? variable.instance
                                      : trace.functions[static_cast<std::size_t>(variable.function)].name;
    variable.label = call == 1 ? fmt::format("{}: {}", function, variable.name)
                               : fmt::format("{} ({}): {}", function, call, variable.name);
  }
}

std::int32_t functionAt(const Trace& trace, SourceSpan position) {
  const auto found = std::ranges::find_if(trace.functions, [position](const DeviceFunction& function) {
    return function.extent.begin <= position.begin && position.begin < function.extent.end;
  });
  return found == trace.functions.end() ? -1 : static_cast<std::int32_t>(found - trace.functions.begin());
}

std::vector<std::uint32_t> variablesInSight(const Trace& trace, std::uint32_t thread, std::int32_t step) {
  const Positions positions = positionsBefore(trace, step);
  std::vector<std::uint32_t> inSight;
  for (std::uint32_t index = 0; index < trace.variables.size(); ++index) {
    const TracedVariable& variable = trace.variables[index];
    const auto position = positions.find(variable.function);
    if (position == positions.end() || isShadowed(trace, variable, position->second)) continue;
    const std::vector<std::uint32_t> twins =
        variable.function < 0 ? std::vector{index} : findTwins(trace, index);
    if (setLast(trace, twins, step, thread) == index) inSight.push_back(index);
  }
  return inSight;
}

std::optional<std::uint32_t> variableNamed(const Trace& trace, const Step& step, std::string_view name) {
  const std::int32_t function = functionAt(trace, step.span);
  std::optional<std::uint32_t> found;
  for (std::uint32_t index = 0; index < trace.variables.size(); ++index) {
    const TracedVariable& each = trace.variables[index];
    if (each.name != name || each.function != function || each.declared.begin > step.span.begin) continue;
    if (!found || trace.variables[*found].declared.begin <= each.declared.begin) found = index;
  }
  if (!found) return found;
  return setLast(trace, findTwins(trace, *found), step.previousOfWarp, -1);
}

}  // namespace lanescope
