#include "sim/trace/traced_variables.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/trace/step_accesses.h"

namespace lanescope {
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
