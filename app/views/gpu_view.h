#pragma once

#include <cstdint>
#include <string>

#include "app/views/gpu_options.h"

namespace lanescope {

/// Timings from a real GPU, live or recorded: bars for one N, or lines over N, and a run's controls.
class GpuView final : public View {
 public:
  enum class Chart : std::uint8_t { Bandwidth, Time, OverN };

  std::string_view name() const override { return "gpu"; }
  Place place() const override { return Place::Gpu; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void followData(const GpuSession& gpu);
  void drawSource(const ViewContext& context, float width);
  void drawChartChoice(const ViewContext& context, float width);
  void drawChart(const ViewContext& context, ImVec2 size);
  void drawRun(const ViewContext& context, float width);
  void drawSourceChoice(const ViewContext& context, float height);
  void drawSizes(const ViewContext& context, const GpuSession& gpu);
  void drawBlocks(const ViewContext& context);

  Chart chart_ = Chart::Bandwidth;
  BenchChoice choice_;
  GpuOptions options_;
  Scene scene_;  ///< the chart as it was drawn last
  std::size_t seriesSeen_ = 0;
  bool chosen_ = false;  ///< by a person: the data no longer chooses N and block
  std::string refusal_;  ///< why the last run was not started
};

}  // namespace lanescope
