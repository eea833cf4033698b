#include "app/views/ladder_zoom.h"

#include <algorithm>
#include <cmath>

#include "app/scene/global_tree.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kFewest = 8;

}  // namespace

void LadderZoom::apply(SceneContext& layout, const Trace& trace, std::uint64_t generation) {
  if (generation_ != generation || columns_ == 0) {
    first_ = count_ = 0;
    // Words, or threads where lanes hand registers on.
    const auto tree = findGlobalTree(trace);
    columns_ = std::max({trace.sharedCells, trace.threads, tree ? tree->count : 0});
  }
  generation_ = generation;
  layout.firstColumn = first();
  layout.columnCount = count_;
}

void LadderZoom::zoom(float share, float wheel) {
  const double now = count_ == 0 ? columns_ : count_;
  const double wanted =
      std::clamp(now * std::pow(0.5, wheel), static_cast<double>(kFewest), static_cast<double>(columns_));
  const auto count = static_cast<std::uint32_t>(std::lround(wanted));
  first_ = std::clamp(first_ + share * (now - count), 0.0, static_cast<double>(columns_ - count));
  count_ = count == columns_ ? 0 : count;
}

void LadderZoom::take(const SceneInput& input, float width) {
  const ImGuiIO& io = ImGui::GetIO();
  if (columns_ <= kFewest) return;
  if (input.hovered && io.MouseWheel != 0) zoom(std::clamp(input.local.x / width, 0.0F, 1.0F), io.MouseWheel);
  if (input.held && count_ > 0)
    first_ = std::clamp(first_ - static_cast<double>(io.MouseDelta.x) * count_ / static_cast<double>(width),
                        0.0, static_cast<double>(columns_ - count_));
  if (input.hovered && ImGui::IsMouseDoubleClicked(0)) first_ = count_ = 0;
}

}  // namespace lanescope
