#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "app/panels/base/widgets.h"
#include "app/panels/base/zoom.h"
#include "app/panels/gpu_options.h"
#include "app/panels/gpu_pages.h"
#include "app/pictures/chart_scene.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Keeps the current strategy's bar in sight if the chart is higher than the window it scrolls in.
class BarReveal {
 public:
  /// Scrolls ImGui's current window, of which `room` pixels are in sight, if another strategy is current or
  /// its bar has moved: numbers come in one by one, and panels change their size. If the user has scrolled
  /// since the strategy was chosen, nothing scrolls. `scene` is the chart's.
  void syncTo(const Strategy* atHand, const BarChart& bars, const Scene& scene, float room);

 private:
  struct Bar {
    const Strategy* strategy = nullptr;  ///< nullptr: nowhere
    float y = 0;
    float room = 0;
    bool operator==(const Bar&) const = default;
  };
  Bar shown_;
  const Strategy* atHand_ = nullptr;
  float scroll_ = 0;         ///< as it was left
  bool isScrolled_ = false;  ///< by the user
};

/// Timings from a real GPU, live or recorded: bars for one N, or lines over N, and a run's controls. A
/// separate page is about the current text.
class GpuView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void syncData(const GpuSession& gpu);
  void drawSource(const ViewContext& context, float width);
  static void drawSizeChoice(const ViewContext& context, float height);
  void drawSetting(const ViewContext& context) const;
  void drawPages(const ViewContext& context, float width);
  void drawPicture(const ViewContext& context, ImVec2 size);
  void drawWhy(const ViewContext& context, ImVec2 size);
  void syncFloors(const ViewContext& context);
  void syncProfile(ViewState& state);
  WhyText whyText(const ViewContext& context) const;
  static std::string whyNotice(const ViewState& state);
  static void drawText(const ViewContext& context, ImVec2 size);
  static float chartUnit(const ViewContext& context);
  void planChart(const ViewContext& context);
  void drawBars(const ViewContext& context, ImVec2 size);
  void drawRun(const ViewContext& context, float width);
  static void drawSourceChoice(const ViewContext& context, float height);
  void drawSizes(const ViewContext& context, const GpuSession& gpu);
  void drawBlocks(const ViewContext& context);

  /// A list or menu that a key opens in the next frame; forgotten if that frame does not draw it.
  enum class List : std::uint8_t { None, Menu, Sizes, Blocks, Grids };
  bool pollOpening(List list) const { return list == opens_ && ImGui::GetFrameCount() == opensIn_; }
  void open(ViewState& state, List list);
  void turnPage(ViewState& state, int by);
  static bool isRunning(const ViewState& state);
  void runOrCancel(ViewState& state);
  Refusal showOther(ViewState& state);

  List opens_ = List::None;
  int opensIn_ = -1;  ///< ImGui's number of that frame
  BenchChoice choice_;
  GpuLineChart lines_;
  GpuOptions options_;
  GpuBlocks blocks_;
  /// The data of a chart: it is planned again only if these change.
  struct ChartKey {
    std::uint64_t revision = 0;  ///< as GpuSession::revision()
    GpuPage page{};
    bool isReplaying = false;
    BenchChoice choice;
    std::set<std::string> onlyBars;
    bool operator==(const ChartKey&) const = default;
  };
  /// The layout of the scenes: they are built again only if it changes.
  struct SceneKey {
    std::uint64_t plan = 0;  ///< as plans_
    float width = 0, height = 0, unit = 0;
    std::pair<float, float> pointer;
    float seenTop = 0, seenBottom = 0;
    bool operator==(const SceneKey&) const = default;
  };
  std::optional<ChartKey> plannedFor_;
  std::uint64_t plans_ = 0;  ///< counts the planned charts
  BarChart bars_;            ///< of one N
  LineChart overN_;
  std::string leftOutPins_;  ///< see pinsLeftOut()
  SceneKey sceneOf_, seenOf_;
  Scene seen_;   ///< the part of the bars in view
  Scene scene_;  ///< the chart as it was drawn last
  std::size_t seriesSeen_ = 0;
  std::uint64_t replaySeen_ = 0;  ///< as GpuSession::replays()
  bool chosen_ = false;           ///< by the user: the data no longer chooses the block
  BarReveal reveal_;
  std::uint64_t outcomeSeen_ = 0;  ///< as GpuText::revision()
  /// The parameters of the last floors: document, its revision, N, threads, the GPU, profiles.
  std::tuple<const Document*, std::uint64_t, std::uint64_t, std::uint32_t, std::string, std::uint64_t>
      floorsOf_{};
  std::string whyText_;                               ///< the current text, in this frame
  std::shared_ptr<const LaunchProfile> profileKept_;  ///< the last that was stored
  std::string floorProblem_;                          ///< why no floors could be requested
  std::string refusal_;                               ///< why the last run was not started
};

}  // namespace lanescope
