#include "app/views/counters_view.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "app/views/widgets.h"
#include "sim/machine/global_traffic.h"

namespace lanescope {
namespace {

/// One row: what is counted, how it is read off, and what it means.
struct CounterRow {
  const char* name;
  std::uint64_t (*value)(const Counters&);  ///< nullptr: the share of lanes that are active
  bool costs;                               ///< worth a colour where it is over 0
  const char* meaning;
};

constexpr std::array<CounterRow, 6> kRows{{
    {"wavefronts", [](const Counters& c) { return c.sharedWavefronts(); }, false,
     "Passes over the shared-memory banks: loads, stores and atomics"},
    {"conflicts", [](const Counters& c) { return c.bankConflicts(); }, true,
     "Wavefronts beyond what the accesses would need without bank conflicts"},
    {"sectors", [](const Counters& c) { return globalSectors(c); }, false,
     "32-byte pieces of global memory that loads, stores and atomics touch"},
    {"barriers", [](const Counters& c) { return c.barriers; }, false,
     "__syncthreads, once for every warp that executes one"},
    {"diverging", [](const Counters& c) { return c.divergentBranches; }, true,
     "Branches at which the active lanes of a warp went both ways"},
    {"lanes active", nullptr, false, "Share of lanes that take part, over all warp instructions"},
}};

std::string cellText(const CounterRow& row, const Counters& counters) {
  return row.value != nullptr ? std::to_string(row.value(counters)) : lanesActiveText(counters);
}

void cell(const ViewContext& context, const std::string& text, float right, ImVec2 row, ColorRole color,
          FontRole role = FontRole::Body) {
  ImGui::PushFont(context.fonts.of(role));
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(ImVec2(row.x + right - width, row.y), context.color(color),
                                      text.c_str());
  ImGui::PopFont();
}

/// Of the phase that the cursor is in: of all of it, or of what is done.
Counters phaseCounters(const Replay& replay, bool done) {
  const Trace& trace = replay.trace();
  if (trace.phases.empty()) return {};
  const Phase& phase = trace.phases[replay.currentPhase()];
  if (!done || replay.cursor().steps >= phase.endStep) return phase.counters;
  Counters counters;
  for (std::uint32_t step = phase.firstStep; step < replay.cursor().steps; ++step)
    counters += countersOf(trace, trace.steps[step]);
  return counters;
}

}  // namespace

std::string lanesActiveText(const Counters& counters) {
  if (counters.lanes == 0) return "none yet";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.0f%%", 100 * counters.laneEfficiency());
  return text.data();
}

std::array<const char*, 3> counterColumns(bool hidesFuture) {
  if (hidesFuture) return {"phase so far", "run so far", "whole run"};
  return {"this phase", "so far", "whole run"};
}

void CountersView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaiting(context, "COUNTERS");
  const Trace& trace = context.replay()->trace();
  const std::array<float, 3> rights{size.x * 0.56F, size.x * 0.77F, size.x - 2 * context.unit};
  const bool covers = context.state.hidesFuture();
  const std::array<const char*, 3> names = counterColumns(covers);
  const Counters phase = phaseCounters(*context.replay(), covers);
  const std::array<const Counters*, 3> columns{&phase, &context.replay()->state().counters, &trace.total};
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 top = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < columns.size(); ++i)
    cell(context, names[i], rights[i], top, ColorRole::TextDim);
  heading(context, "COUNTERS");
  const float header = ImGui::GetTextLineHeight() * 1.25F;
  const float pitch = (size.y - header) / static_cast<float>(kRows.size());
  for (std::size_t r = 0; r < kRows.size(); ++r) {
    const float y = header + pitch * static_cast<float>(r) + (pitch - ImGui::GetTextLineHeight()) / 2;
    const ImVec2 at(top.x, top.y + y);
    ImGui::GetWindowDrawList()->AddText(at, context.color(ColorRole::Text), kRows[r].name);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (covers && i == 2) {
        cell(context, "?", rights[i], at, ColorRole::TextDim);
        continue;
      }
      const bool costs = kRows[r].costs && kRows[r].value(*columns[i]) > 0;
      cell(context, cellText(kRows[r], *columns[i]), rights[i], at,
           costs ? ColorRole::Conflict : ColorRole::Text, costs ? FontRole::Bold : FontRole::Body);
    }
    ImGui::SetCursorPos(ImVec2(start.x, start.y + header + pitch * static_cast<float>(r)));
    ImGui::Dummy(ImVec2(size.x, std::max(1.0F, pitch - 1)));
    hint(context, kRows[r].meaning);
  }
}

}  // namespace lanescope
