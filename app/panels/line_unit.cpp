#include "app/panels/line_unit.h"

#include <algorithm>

namespace lanescope {
namespace {

/// The machine code that this machine's toolkit made of the text, if it says what each line issues.
const CodeOutcome* findSlots(const ViewState& state, std::string_view text) {
  const CodeOutcome* const code = state.machineCode.of(text);
  return code != nullptr && code->comparison && !code->comparison->slots.empty() ? code : nullptr;
}

}  // namespace

LineAmounts findAmounts(ViewState& state, std::string_view text, StepWidth width) {
  if (width == StepWidth::Equal) return {};
  if (const TextProfile* const profile = state.profiles.of(text))
    return width == StepWidth::Time ? timeByLine(*profile->profile) : instructionsByLine(*profile->profile);
  const CodeOutcome* const code = findSlots(state, text);
  LineAmounts amounts;
  if (width == StepWidth::Time || code == nullptr) return amounts;
  for (const LineSlots& one : code->comparison->slots) amounts[one.line] += one.slots;
  return amounts;
}

std::string whyEqual(StepWidth width) {
  return width == StepWidth::Time
             ? "This text was not profiled: Profile, on the GPU panel's page why, measures its lines."
             : "The machine code of this text is not known: a profile has it, or the CUDA Toolkit (Ctrl+B).";
}

bool LineUnit::syncTo(ViewState& state, std::string_view text, const void* owner, std::uint64_t version) {
  const StepWidth width = state.hidesFuture() ? StepWidth::Equal : findStepWidth(state.settings.stepWidth);
  const void* const code = width == StepWidth::Equal ? nullptr : findSlots(state, text);
  const std::tuple of{owner, version, width, state.profiles.revision(), code};
  if (of_ == of) return false;
  of_ = of;
  width_ = width;
  amounts_ = findAmounts(state, text, width);
  all_ = most_ = 0;
  for (const auto& [line, amount] : amounts_) {
    all_ += amount;
    if (line > 0) most_ = std::max(most_, amount);
  }
  return true;
}

}  // namespace lanescope
