#include "app/session/counter_comparison.h"

#include <algorithm>

namespace lanescope {
namespace {

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

/// Why hardware counts less than the text says: the compiler did without.
std::string reasonForFewer(std::string_view name) {
  if (has(name, "op_red") || has(name, "op_atom")) {
    return "The compiler turned atomics on one address into one for each warp.";
  }
  if (has(name, "shared")) {
    return has(name, "op_st") ? "The compiler kept a stored value in a register, where no barrier and no "
                                "volatile asked for it in memory."
                              : "The compiler kept a value in a register, or merged loads into wider ones.";
  }
  if (has(name, "global_op_ld")) {
    return "The compiler merged loads into wider ones, kept a value in a register, or dropped one whose "
           "value "
           "nobody uses.";
  }
  if (has(name, "global_op_st")) {
    return "The compiler merged stores into wider ones, or dropped one that a later store overwrites.";
  }
  return "The compiler dropped or merged some of them.";
}

std::string reasonForMore(std::string_view name) {
  if (has(name, "op_red"))
    return "The compiler found a use for an atomic's result, or atomics were not merged.";
  if (has(name, "op_atom")) {
    return "An atomic without a simple instruction for its type loops over compare-and-swap.";
  }
  if (has(name, "wavefronts_shared") || has(name, "wavefronts_mem_shared")) {
    return "Arbitration: another warp's access, or a fill from memory, was in the way and the pass was "
           "repeated.";
  }
  if (has(name, "global_op_ld"))
    return "Loads were split, or registers spilled to memory and were read back.";
  if (has(name, "global_op_st")) return "Stores were split, or registers spilled to memory.";
  if (has(name, "SHFL") || has(name, "BAR")) {
    return "The compiler unrolled or duplicated code that holds it, or a library function uses it.";
  }
  return "The compiler issues more of them than the text shows.";
}

}  // namespace

std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured) {
  std::vector<CounterRow> rows;
  for (const NamedCounter& counter : nsightCounters(predicted)) {
    CounterRow row{std::string(counter.name), counter.value, std::nullopt, false, {}};
    const auto found = std::find_if(measured.counters.begin(), measured.counters.end(),
                                    [&](const MeasuredCounter& one) { return one.name == counter.name; });
    if (found != measured.counters.end()) row.measured = found->value;
    row.equal = row.measured == counter.value;
    if (!row.measured) {
      row.reason = "This GPU, or this version of Nsight Compute, does not have the counter.";
    } else if (!row.equal) {
      row.reason = *row.measured < counter.value ? reasonForFewer(counter.name) : reasonForMore(counter.name);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lanescope
