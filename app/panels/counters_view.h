#pragma once

#include <array>

#include "app/panels/base/view.h"

namespace lanescope {

/// The columns' headings: the first counts the whole phase or, if the future is hidden, its finished part.
std::array<const char*, 3> counterColumns(bool hidesFuture);

/// The run's costs, as Nsight Compute counts them.
class CountersView final : public View {
 public:
  std::string_view name() const override { return "counters"; }
  Place place() const override { return Place::Counters; }
  void draw(const ViewContext& context, ImVec2 size) override;
};

}  // namespace lanescope
