#include "app/panels/base/layout.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/base/scene.h"

namespace lanescope {
namespace {

constexpr float kMargin = 8;
constexpr float kPresented = 0.0225F;  ///< of the window's height: a letter of the body while presenting
constexpr float kShrinks = 0.35F;  ///< of a window's change below 1600x1000, for its text: it stays legible
constexpr float kGrows = 0.85F;    ///< the same above
// The layouts' needs, at unit 1.
struct Extent {
  float width = 0;
  float height = 0;
};
constexpr float kThreeColumns = 1320;  ///< width, see Arrangement::unfolded
constexpr Extent kSmallestUnfolded{1260, 780};
constexpr Extent kSmallest{1130, 690};
constexpr Extent kSmallestPresenting{1040, 600};
constexpr float kNarrowestPresenting = 775;  ///< width of a window of 5:4

/// A rectangle that is split into others, or that a panel has. Lengths are in pixels, along its parent's
/// split.
struct Split {
  std::string_view id{};
  float least = 0;
  float fixed = 0;  ///< 0: it shares the rest
  float weight = 1;
  bool isMovable = true;
  PlacedPanel* panel = nullptr;
  bool intoColumns = false;  ///< its parts are beside one another
  std::vector<Split> parts{};
  float room = 0;
};

/// Shares a length by weight, with no part below its need. If the needs exceed the length, it is shared by
/// need; if nothing has a weight, evenly. Fixed parts are first, and shrink if they alone exceed it.
void divide(float length, float gap, std::span<Split> parts) {
  std::vector<Split*> sharing;
  float fixed = 0;
  float least = 0;
  float weights = 0;
  for (Split& part : parts) {
    fixed += part.fixed;
    if (part.fixed > 0) continue;
    sharing.push_back(&part);
    least += part.least;
    weights += part.weight;
  }
  length = std::max(length - gap * static_cast<float>(parts.size() - 1), 0.0F);
  for (Split& part : parts) part.room = fixed > length ? length * part.fixed / fixed : part.fixed;
  length = std::max(length - fixed, 0.0F);
  const float squeeze = least > length ? length / least : 1;
  const auto share = [&](const Split& part) {
    return weights > 0 ? length * part.weight / weights : length / static_cast<float>(sharing.size());
  };
  // A part that would get less than its least gets its least. The others share the rest, until the sum fits.
  const auto isShort = [&](const Split* part) { return share(*part) < part->least * squeeze; };
  for (auto found = std::ranges::find_if(sharing, isShort); found != sharing.end();
       found = std::ranges::find_if(sharing, isShort)) {
    Split& part = **found;
    part.room = part.least * squeeze;
    length -= part.room;
    weights -= part.weight;
    sharing.erase(found);
  }
  for (Split* part : sharing) part->room = share(*part);
}

/// The panel that has the room of all columns, or nullptr.
const PanelInfo* findAlone(const WindowShape& shape, std::span<const PanelInfo> infos) {
  const auto isOnStage = [](const PanelInfo& info) { return info.isShown && info.place == Place::Stage; };
  const auto isMaximised = [&](const PanelInfo& info) { return info.isShown && shape.maximised == info.id; };
  auto found = std::ranges::find_if(infos, isOnStage);
  if (found == infos.end()) found = std::ranges::find_if(infos, isMaximised);
  return found == infos.end() ? nullptr : &*found;
}

/// Lays a shape's columns and their panels out.
class Placer {
 public:
  Placer(float unit, const WindowShape& shape, std::span<const PanelInfo> infos)
      : unit_(unit), shape_(shape), infos_(infos) {
    for (const PanelInfo& info : infos) layout_.panels.push_back({info.id, info.place, {}});
  }

  WindowLayout place(ImVec2 size) {
    const float m = u(kMargin);
    const Area all{m, m, std::max(size.x - 2 * m, 0.0F), std::max(size.y - shape_.stripHeight - 2 * m, 0.0F)};
    Split window;
    addBar(window, Place::TopBar);
    window.parts.push_back({.isMovable = false});
    const std::size_t middle = window.parts.size() - 1;
    if (findZoomed(shape_, infos_) == nullptr) addBar(window, Place::BottomBar);
    divide(all.h, m, window.parts);
    fillMiddle(window.parts[middle], window.parts[middle].room);
    place(window, all);
    return layout_;
  }

 private:
  float u(float units) const { return units * unit_; }
  PlacedPanel* panelOf(const PanelInfo& info) { return &layout_.panels[indexOf(info)]; }
  std::size_t indexOf(const PanelInfo& info) const { return static_cast<std::size_t>(&info - infos_.data()); }

  std::vector<const PanelInfo*> panelsIn(Place place) const {
    std::vector<const PanelInfo*> found;
    for (const PanelInfo& info : infos_) {
      if (info.isShown && info.place == place) found.push_back(&info);
    }
    std::ranges::stable_sort(found, {}, &PanelInfo::order);
    return found;
  }

  void addBar(Split& window, Place place) {
    for (const PanelInfo* info : panelsIn(place))
      window.parts.push_back({.fixed = u(info->least), .isMovable = false, .panel = panelOf(*info)});
  }

  void fillMiddle(Split& middle, float height) {
    if (const PanelInfo* alone = findAlone(shape_, infos_)) {
      middle.panel = panelOf(*alone);
      return;
    }
    middle.intoColumns = true;
    for (std::size_t i = 0; i < kColumns; ++i) {
      Split column = makeColumn(panelsIn(static_cast<Place>(i)), height);
      if (column.parts.empty()) continue;
      column.id = kColumnNames[i];
      column.weight = shareOf(column.id, shape_.arrangement->columns[i]);
      middle.parts.push_back(std::move(column));
    }
  }

  float shareOf(std::string_view id, float own) const {
    const auto found = shape_.shares.find(std::string(id));
    return found == shape_.shares.end() ? own : static_cast<float>(found->second);
  }

  Split makeColumn(std::vector<const PanelInfo*> infos, float height) {
    Split column;
    const std::vector<float> open = findRoom(infos, height);
    float left = 0;
    for (std::size_t i = 0; i < infos.size(); ++i)
      left += (1 - open[i]) * shareOf(infos[i]->id, infos[i]->share);
    for (std::size_t i = 0; i < infos.size(); ++i) {
      const PanelInfo& info = *infos[i];
      column.least = std::max(column.least, u(info.leastWidth));
      if (open[i] <= 0 && info.folded <= 0) continue;
      column.parts.push_back({.id = info.id,
                              .least = std::lerp(u(info.folded), leastOf(info, height), open[i]),
                              .fixed = open[i] <= 0 ? u(info.folded) : 0,
                              .weight = shareOf(info.id, info.share) * open[i] + (info.takesRoom ? left : 0),
                              .isMovable = open[i] >= 1,
                              .panel = panelOf(info)});
    }
    return column;
  }

  float leastOf(const PanelInfo& info, float height) const {
    return std::max(u(info.least), info.leastPart * height);
  }

  /// How far each panel of a column is open, after those that yield have made room for the others.
  std::vector<float> findRoom(const std::vector<const PanelInfo*>& infos, float height) const {
    std::vector<float> open;
    open.reserve(infos.size());
    for (const PanelInfo* info : infos) open.push_back(info->yields > 0 ? 0 : info->open);
    const auto isFull = [&] {
      float needed = -u(kMargin);
      for (std::size_t i = 0; i < infos.size(); ++i) {
        if (open[i] <= 0 && infos[i]->folded <= 0) continue;
        needed += u(kMargin) + std::lerp(u(infos[i]->folded), leastOf(*infos[i], height), open[i]);
      }
      return needed > height;
    };
    std::vector<std::size_t> yielding;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i]->yields > 0) yielding.push_back(i);
    }
    std::ranges::stable_sort(yielding, {}, [&](std::size_t i) { return infos[i]->yields; });
    for (const std::size_t i : yielding) {
      open[i] = infos[i]->open;
      if (isFull()) open[i] = 0;
    }
    return open;
  }

  void place(Split& split, const Area& area) {
    if (split.panel != nullptr) split.panel->area = area;
    if (split.parts.empty()) return;
    const float gap = u(kMargin);
    divide(split.intoColumns ? area.w : area.h, gap, split.parts);
    Area rest = area;
    float& at = split.intoColumns ? rest.x : rest.y;
    float& length = split.intoColumns ? rest.w : rest.h;
    for (std::size_t i = 0; i < split.parts.size(); ++i) {
      Split& part = split.parts[i];
      length = part.room;
      place(part, rest);
      at += part.room;
      length = gap;
      if (i + 1 < split.parts.size()) addDivider(part, split.parts[i + 1], split.intoColumns, rest);
      at += gap;
    }
  }

  void addDivider(const Split& before, const Split& after, bool dividesColumns, const Area& gap) {
    if (!before.isMovable || !after.isMovable) return;
    const auto side = [](const Split& part) {
      return Divider::Side{part.id, part.room, std::min(part.least, part.room), part.weight};
    };
    layout_.dividers.push_back({side(before), side(after), dividesColumns, gap});
  }

  float unit_;
  const WindowShape& shape_;
  std::span<const PanelInfo> infos_;
  WindowLayout layout_;
};

}  // namespace

const std::array<Arrangement, 3>& arrangements() {
  static const std::array<Arrangement, 3> kAll{{
      {"standard",
       "Standard",
       "Code, array and banks side by side",
       {0.20F, 0.4575F, 0.3425F},
       kThreeColumns},
      {"code", "Code large", "The source is the widest panel", {0.17F, 0.38F, 0.45F}, 1560},
      {"pictures",
       "Pictures large",
       "Array, warps and banks have most of the window",
       {0.17F, 0.57F, 0.26F},
       kThreeColumns},
  }};
  return kAll;
}

const Arrangement& findArrangement(std::string_view id) {
  const auto* found = std::ranges::find(arrangements(), id, &Arrangement::id);
  return found == arrangements().end() ? arrangements().front() : *found;
}

Area WindowLayout::of(std::string_view id) const {
  const auto found = std::ranges::find(panels, id, &PlacedPanel::id);
  return found == panels.end() ? Area{} : found->area;
}

namespace {

/// The unit nearest to that with which the body's letters have a whole number of pixels, rounded up if in
/// doubt.
float wholeLetters(float unit) {
  const float body = fontSize(FontRole::Body);
  return std::round(std::clamp(unit, 0.7F, 4.0F) * body + 0.3F) / body;
}

float largestUnit(ImVec2 size, const Extent& smallest) {
  return std::min(size.x / smallest.width, size.y / smallest.height);
}

}  // namespace

float unitFor(ImVec2 size, float scale) {
  const float unit = std::min(size.x / 1600.0F, size.y / 1000.0F);
  const float eased = unit < 1 ? unit + (1 - unit) * kShrinks : 1 + (unit - 1) * kGrows;
  return wholeLetters(std::min(eased * scale, std::max(largestUnit(size, kSmallest), eased)));
}

float presentedUnit(ImVec2 size, float scale, float zoom) {
  const float unit = std::min(kPresented * size.y / fontSize(FontRole::Body), size.x / kNarrowestPresenting);
  const float scaled = std::min(unit * scale, std::max(largestUnit(size, kSmallestPresenting), unit));
  return wholeLetters(scaled * zoom);
}

bool hasLargeText(ImVec2 size, float unit) {
  return size.x < kSmallestUnfolded.width * unit || size.y < kSmallestUnfolded.height * unit;
}

bool isNarrow(ImVec2 size, float unit, float unfolded) {
  // The smallest letters are not smaller in a small window.
  return size.x < unfolded * std::max(unit, kLeastText / fontSize(FontRole::Small));
}

bool foldsColumns(ImVec2 size, float unit, const Arrangement& arrangement) {
  return hasLargeText(size, unit) || isNarrow(size, unit, arrangement.unfolded);
}

const PanelInfo* findZoomed(const WindowShape& shape, std::span<const PanelInfo> panels) {
  const PanelInfo* const alone = shape.presents ? findAlone(shape, panels) : nullptr;
  return alone != nullptr && alone->place != Place::Stage ? alone : nullptr;
}

WindowLayout layoutPanels(ImVec2 size, float unit, const WindowShape& shape,
                          std::span<const PanelInfo> panels) {
  return Placer(unit, shape, panels).place(size);
}

NamedShares dragged(NamedShares shares, const Divider& divider, float by) {
  const auto& [before, after, dividesColumns, area] = divider;
  const float both = before.room + after.room;
  if (both <= 0) return shares;
  const float room = std::clamp(before.room + by, before.least, both - after.least);
  // The two divide their common length anew: no other panel moves. Whole thousandths: a share that was
  // written is read back unchanged.
  const float together = (before.share + after.share) / both;
  const auto set = [&](const Divider::Side& side, float length) {
    shares[std::string(side.id)] = std::round(1000.0 * together * length) / 1000.0;
  };
  set(before, room);
  set(after, both - room);
  return shares;
}

}  // namespace lanescope
