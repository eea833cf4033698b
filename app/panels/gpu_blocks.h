#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"
#include "app/panels/gpu_charts.h"

namespace lanescope {

/// The GPU panel's choice of a grid for the next run: the strategies' own, or a number of blocks for those
/// that accept one, entered as blocks or as elements per thread.
class GpuBlocks {
 public:
  /// Draws the choice at the cursor, with its menu.
  void draw(const ViewContext& context, BenchChoice& choice, bool opens);
  /// The average load that the chosen number gives a thread, `62.06 elements per thread`; empty if none was
  /// chosen.
  static std::string conversion(const BenchChoice& choice);
  /// One sentence if numbers are shown but none of them has the chosen blocks; else empty.
  static std::string missing(const BenchChoice& choice, const GpuSession& gpu);

 private:
  void drawMenu(const ViewContext& context, BenchChoice& choice);
  void drawPresets(const ViewContext& context, BenchChoice& choice);
  void drawFields(const ViewContext& context, BenchChoice& choice);
  static void drawConsequence(const ViewContext& context, const BenchChoice& choice);
  /// Sets the number that was typed, as blocks or as elements per thread.
  void receive(BenchChoice& choice, const std::string& blocks, const std::string& perThread);

  std::string blocks_;                      ///< as typed
  std::string perThread_;                   ///< as typed
  std::string fault_;                       ///< of the typed number, one sentence
  std::optional<std::uint64_t> filledFor_;  ///< the number that the fields show
};

/// Width a combo of the panel's row needs to show its text beside its arrow.
float comboWidth(const ViewContext& context, std::string_view text);

/// The plan that the GPU panel's Run starts: `sizes`, one run each.
BenchPlan makePlan(const BenchChoice& choice, std::vector<std::uint64_t> sizes);

}  // namespace lanescope
