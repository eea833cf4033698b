#include "app/pictures/step_widths.h"

#include <array>
#include <map>

namespace lanescope {
namespace {

constexpr std::array<std::string_view, kStepWidths> kNames{"equal steps", "by instructions", "by time"};

}  // namespace

std::string_view stepWidthName(StepWidth width) { return kNames[static_cast<std::size_t>(width)]; }

StepWidth findStepWidth(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<StepWidth>(i);
  }
  return StepWidth::Equal;
}

std::vector<double> computeReach(const Trace& trace, const LineAmounts& amounts) {
  std::map<std::uint32_t, double> steps;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) ++steps[trace.steps[index].line];
  double all = 0;
  for (auto& [line, count] : steps) {  // becomes the width of one of its steps
    const auto amount = amounts.find(line);
    const double own = line == 0 || amount == amounts.end() ? 0 : amount->second;
    all += own;
    count = own / count;
  }
  if (all <= 0) return {};
  std::vector<double> reach{0};
  reach.reserve(trace.steps.size() + 1);
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index)
    reach.push_back(reach.back() + steps.at(trace.steps[index].line) / all);
  return reach;
}

}  // namespace lanescope
