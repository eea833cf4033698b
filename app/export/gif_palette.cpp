#include "app/export/gif_palette.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace lanescope {
namespace {

unsigned colorChannel(std::uint32_t color, unsigned channel) { return color >> (8 * channel) & 0xFFU; }

/// A group of colors, from `begin` to `end` in the list.
struct ColorGroup {
  std::size_t begin = 0, end = 0;
  unsigned channel = 0;     ///< the channel in which they differ most
  std::uint64_t worth = 0;  ///< the gain of halving it
};

using Counted = GifPalette::Counted;

ColorGroup makeGroup(std::span<const Counted> counted, std::size_t begin, std::size_t end) {
  ColorGroup group{begin, end};
  unsigned widest = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    const auto [least, most] =
        std::ranges::minmax(counted.subspan(begin, end - begin), {},
                            [&](const Counted& one) { return colorChannel(one.color, channel); });
    const unsigned width = colorChannel(most.color, channel) - colorChannel(least.color, channel);
    if (width > widest) {
      widest = width;
      group.channel = channel;
    }
  }
  std::uint64_t pixels = 0;
  for (const Counted& one : counted.subspan(begin, end - begin)) pixels += one.count;
  group.worth = std::uint64_t{widest} * widest * static_cast<std::uint64_t>(std::bit_width(pixels));
  return group;
}

}  // namespace

GifPalette::GifPalette(std::vector<Counted> counted, std::size_t most) {
  if (counted.empty()) return;
  std::vector<ColorGroup> groups{makeGroup(counted, 0, counted.size())};
  while (groups.size() < most) {
    const auto widest = std::ranges::max_element(groups, {}, &ColorGroup::worth);
    if (widest->worth == 0) break;  // each has only one color
    const ColorGroup whole = *widest;
    const auto colors = std::span(counted).subspan(whole.begin, whole.end - whole.begin);
    const auto value = [&](const Counted& one) { return colorChannel(one.color, whole.channel); };
    std::ranges::sort(colors, {}, [&](const Counted& one) { return std::pair(value(one), one.color); });
    const unsigned middle = (value(colors.front()) + value(colors.back()) + 1) / 2;
    const auto half =
        std::ranges::partition_point(colors, [&](const Counted& one) { return value(one) < middle; });
    const std::size_t cut = whole.begin + static_cast<std::size_t>(half - colors.begin());
    *widest = makeGroup(counted, whole.begin, cut);
    groups.push_back(makeGroup(counted, cut, whole.end));
  }
  for (const ColorGroup& group : groups) {
    const auto colors = std::span(counted).subspan(group.begin, group.end - group.begin);
    for (const Counted& one : colors)
      entries_.push_back({one.color, static_cast<std::uint32_t>(colors_.size())});
    colors_.push_back(std::ranges::max_element(colors, {}, &Counted::count)->color);
  }
  std::ranges::sort(entries_, {}, &Entry::color);
}

std::size_t GifPalette::findIndex(std::uint32_t color) const {
  return std::ranges::lower_bound(entries_, color, {}, &Entry::color)->index;
}

}  // namespace lanescope
