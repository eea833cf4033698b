#include "app/views/array_view.h"

#include <algorithm>
#include <cmath>

#include "app/scene/array_scene.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kFewest = 8;

/// Columns of the ladder: words, or threads where lanes hand registers on.
std::uint32_t columnsOf(const Trace& trace) { return std::max(trace.sharedCells, trace.threads); }

}  // namespace

void ArrayView::zoom(std::uint32_t columns, float share, float wheel) {
  const double now = count_ == 0 ? columns : count_;
  const double wanted =
      std::clamp(now * std::pow(0.5, wheel), static_cast<double>(kFewest), static_cast<double>(columns));
  const auto count = static_cast<std::uint32_t>(std::lround(wanted));
  first_ = std::clamp(first_ + share * (now - count), 0.0, static_cast<double>(columns - count));
  count_ = count == columns ? 0 : count;
}

void ArrayView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) return drawWaiting(context);
  const std::uint32_t columns = columnsOf(context.replay()->trace());
  if (generation_ != context.session().generation()) {
    generation_ = context.session().generation();
    first_ = count_ = 0;
  }
  SceneContext layout = context.scene(size);
  layout.firstColumn = first();
  layout.columnCount = count_;
  const Scene scene = arrayScene(momentOf(*context.replay()), layout, context.measure);
  const SceneInput input = showScene(context, scene, "array scene");
  const ImGuiIO& io = ImGui::GetIO();
  if (columns <= kFewest) return;
  if (input.hovered && io.MouseWheel != 0)
    zoom(columns, std::clamp(input.local.x / size.x, 0.0F, 1.0F), io.MouseWheel);
  if (input.held && count_ > 0)
    first_ = std::clamp(first_ - static_cast<double>(io.MouseDelta.x) * count_ / static_cast<double>(size.x),
                        0.0, static_cast<double>(columns - count_));
  if (input.hovered && ImGui::IsMouseDoubleClicked(0)) first_ = count_ = 0;
}

}  // namespace lanescope
