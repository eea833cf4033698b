#include "app/panels/bar_reveal.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui.h>

namespace lanescope {
namespace {

constexpr float kSlack = 2;  ///< in pixels: ImGui scrolls by whole ones

}  // namespace

void BarReveal::syncTo(const Strategy* atHand, const BarChart& bars, const Scene& scene, float room) {
  const float now = ImGui::GetScrollY();
  if (std::abs(now - scroll_) > kSlack) isScrolled_ = true;
  if (std::exchange(atHand_, atHand) != atHand) isScrolled_ = false;
  scroll_ = now;
  const auto bar = std::ranges::find(bars.bars, true, &BarEntry::highlight);
  const auto index = static_cast<std::uint32_t>(bar - bars.bars.begin());
  const auto hit = std::ranges::find(scene.hits, index, &HitArea::index);
  const bool isPresent = bar != bars.bars.end() && hit != scene.hits.end();
  const Bar wanted = isPresent ? Bar{atHand, hit->y, room} : Bar{};
  if (std::exchange(shown_, wanted) == wanted || !isPresent || isScrolled_) return;
  const float most = std::max(scene.height - room, 0.0F);
  scroll_ = std::clamp(hit->y - (room - hit->h) / 2, 0.0F, most);
  ImGui::SetScrollY(scroll_);
}

}  // namespace lanescope
