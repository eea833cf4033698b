#pragma once

#include <array>

#include "app/views/base/view.h"

namespace lanescope {

/// What the columns are called: of the phase the first counts all, or, where the future is hidden, what is
/// done.
std::array<const char*, 3> counterColumns(bool hidesFuture);

/// What the run has cost, as Nsight Compute counts it.
class CountersView final : public View {
 public:
  std::string_view name() const override { return "counters"; }
  Place place() const override { return Place::Counters; }
  void draw(const ViewContext& context, ImVec2 size) override;
};

}  // namespace lanescope
