#include "app/paint/frame_changes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "app/base/whole.h"
#include "app/paint/imgui_compat.h"

namespace lanescope {
namespace {

constexpr int kSide = 32;  ///< side of a square, in pixels: half of a tile of llvmpipe's

PixelRect common(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

bool isEmpty(const PixelRect& rect) { return rect.left >= rect.right || rect.top >= rect.bottom; }

PixelRect readWhole(const ImDrawData& frame) {
  return {0, 0, toWhole<int>(frame.DisplaySize.x), toWhole<int>(frame.DisplaySize.y)};
}

/// The pixels that a command may touch, rounded as ImGui's renderer does.
PixelRect clipRect(const ImDrawCmd& command, const PixelRect& whole) {
  static constexpr float kFar = 1e6F;  // beyond every screen, and sums of such places are still whole numbers
  const auto near = [](float place) { return std::clamp(place, -kFar, kFar); };
  const ImVec4& clip = command.ClipRect;
  const float x = near(clip.x);
  const float y = near(clip.y);
  const float z = near(clip.z);
  const float w = near(clip.w);
  const int left = toWhole<int>(x);
  const int bottom = whole.bottom - toWhole<int>(static_cast<float>(whole.bottom) - w);
  return common({left, bottom - toWhole<int>(w - y), left + toWhole<int>(z - x), bottom}, whole);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  return std::rotl((hash ^ value) * kOdd, 29);
}

std::uint64_t computeHash(const ImDrawVert& vertex) {
  std::array<std::uint64_t, 2> places{};  // on the screen, in the texture
  static_assert(sizeof places == sizeof vertex.pos + sizeof vertex.uv);
  std::memcpy(&places[0], &vertex.pos, sizeof vertex.pos);
  std::memcpy(&places[1], &vertex.uv, sizeof vertex.uv);
  return mixed(mixed(vertex.col, places[0]), places[1]);
}

std::uint64_t computeHash(const ImDrawCmd& command, const PixelRect& clip) {
  std::array<std::uint64_t, 2> sides{};
  static_assert(sizeof sides == sizeof clip);
  std::memcpy(sides.data(), &clip, sizeof clip);
  return mixed(mixed(findTexture(command), sides[0]), sides[1]);
}

/// A frame's squares, row by row.
struct Grid {
  int columns = 0, rows = 0;

  explicit Grid(const PixelRect& whole)
      : columns((whole.right + kSide - 1) / kSide), rows((whole.bottom + kSide - 1) / kSide) {}
  std::size_t count() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
  std::size_t at(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  /// Calls `visit` with the index of each square that the rectangle touches.
  template <class Visit>
  void each(const PixelRect& rect, Visit visit) const {
    for (int row = rect.top / kSide; row * kSide < rect.bottom; ++row) {
      for (int column = rect.left / kSide; column * kSide < rect.right; ++column) visit(at(column, row));
    }
  }
};

using Corners = std::array<unsigned, 3>;  ///< a triangle, as places in its list's vertices

/// The pixels of a triangle, and some around it.
PixelRect computeBounds(const ImDrawList& list, const Corners& corners) {
  const auto at = [&](unsigned corner) { return list.VtxBuffer[static_cast<int>(corner)].pos; };
  const ImVec2 a = at(corners[0]), b = at(corners[1]), c = at(corners[2]);
  return {toWhole<int>(std::floor(std::min({a.x, b.x, c.x}))),
          toWhole<int>(std::floor(std::min({a.y, b.y, c.y}))),
          toWhole<int>(std::ceil(std::max({a.x, b.x, c.x}))),
          toWhole<int>(std::ceil(std::max({a.y, b.y, c.y})))};
}

/// Calls `visit(first, corners, bounds)` for each triangle of a command that its clip does not hide, with the
/// position of its first index.
template <class Visit>
void eachTriangle(const ImDrawList& list, const ImDrawCmd& command, const PixelRect& clip, Visit visit) {
  for (unsigned first = command.IdxOffset; first < command.IdxOffset + command.ElemCount; first += 3) {
    Corners corners{};
    for (unsigned i = 0; i < corners.size(); ++i)
      corners[i] = command.VtxOffset + list.IdxBuffer[static_cast<int>(first + i)];
    const PixelRect bounds = common(computeBounds(list, corners), clip);
    if (!isEmpty(bounds)) visit(first, corners, bounds);
  }
}

/// Rectangles over the squares that have changed: runs of each row, joined with equal ones below.
std::vector<PixelRect> joined(const Grid& grid, const std::vector<bool>& changed, const PixelRect& whole) {
  std::vector<PixelRect> areas;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      if (!changed[grid.at(column, row)]) continue;
      const int left = column;
      while (column < grid.columns && changed[grid.at(column, row)]) ++column;
      const PixelRect run = common({left * kSide, row * kSide, column * kSide, (row + 1) * kSide}, whole);
      const auto above = std::ranges::find_if(areas, [&](const PixelRect& area) {
        return area.bottom == run.top && area.left == run.left && area.right == run.right;
      });
      if (above != areas.end())
        above->bottom = run.bottom;
      else
        areas.push_back(run);
    }
  }
  return areas;
}

}  // namespace

std::vector<PixelRect> FrameChanges::in(const ImDrawData& frame) {
  const PixelRect whole = readWhole(frame);
  const Grid grid(whole);
  std::vector<std::uint64_t> squares(grid.count());
  std::vector<std::uint64_t> vertices;
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    vertices.clear();
    for (const ImDrawVert& vertex : list.VtxBuffer) vertices.push_back(computeHash(vertex));
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) {  // its effect is unknown
        forget();
        return {whole};
      }
      const PixelRect clip = clipRect(command, whole);
      const std::uint64_t start = computeHash(command, clip);
      eachTriangle(list, command, clip, [&](unsigned, const Corners& corners, const PixelRect& bounds) {
        std::uint64_t triangle = start;
        for (const unsigned corner : corners) triangle = mixed(triangle, vertices[corner]);
        grid.each(bounds, [&](std::size_t square) { squares[square] = mixed(squares[square], triangle); });
      });
    }
  }
  const bool isNew = std::exchange(size_, {whole.right, whole.bottom}) != size_ || squares_.empty();
  std::vector<bool> changed(grid.count(), isNew);
  for (std::size_t square = 0; square < squares.size() && !isNew; ++square)
    changed[square] = squares[square] != squares_[square];
  squares_ = std::move(squares);
  return joined(grid, changed, whole);
}

void keepWithin(ImDrawData& frame, std::span<const PixelRect> areas) {
  const PixelRect whole = readWhole(frame);
  const Grid grid(whole);
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> areaBySquare(grid.count(), kNone);
  for (std::size_t area = 0; area < areas.size(); ++area)
    grid.each(areas[area], [&](std::size_t square) { areaBySquare[square] = area; });
  std::vector<std::vector<ImDrawIdx>> kept(areas.size());  // of one command
  std::vector<unsigned> last(areas.size());                // last triangle of each area
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    ImDrawList& list = *frame.CmdLists[i];
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const PixelRect clip = clipRect(command, whole);
      std::ranges::fill(last, ~0U);
      eachTriangle(list, command, clip, [&](unsigned first, const Corners&, const PixelRect& bounds) {
        grid.each(bounds, [&](std::size_t square) {
          const std::size_t area = areaBySquare[square];
          if (area == kNone || std::exchange(last[area], first) == first) return;
          for (unsigned at = first; at < first + 3; ++at)
            kept[area].push_back(list.IdxBuffer[static_cast<int>(at)]);
        });
      });
      for (std::size_t area = 0; area < areas.size(); ++area) {
        if (kept[area].empty()) continue;
        const PixelRect both = common(clip, areas[area]);
        ImDrawCmd part = command;
        part.ClipRect = ImVec4(static_cast<float>(both.left), static_cast<float>(both.top),
                               static_cast<float>(both.right), static_cast<float>(both.bottom));
        part.IdxOffset = static_cast<unsigned>(indices.Size);
        part.ElemCount = static_cast<unsigned>(kept[area].size());
        for (const ImDrawIdx index : std::exchange(kept[area], {})) indices.push_back(index);
        commands.push_back(part);
      }
    }
    list.CmdBuffer.swap(commands);
    list.IdxBuffer.swap(indices);
  }
}

void splitFrame(ImDrawData& frame, unsigned mostIndices, ImDrawCallback between) {
  ImDrawCmd pause;
  pause.UserCallback = between;
  unsigned held = 0;  // indices since the last pause
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    ImVector<ImDrawCmd> commands;
    for (ImDrawCmd command : frame.CmdLists[i]->CmdBuffer) {
      while (command.UserCallback == nullptr && held + command.ElemCount > mostIndices) {
        ImDrawCmd part = command;
        part.ElemCount = (mostIndices - held) / 3 * 3;  // whole triangles
        if (part.ElemCount > 0) commands.push_back(part);
        commands.push_back(pause);
        held = 0;
        command.IdxOffset += part.ElemCount;
        command.ElemCount -= part.ElemCount;
      }
      held += command.ElemCount;
      commands.push_back(command);
    }
    frame.CmdLists[i]->CmdBuffer.swap(commands);
  }
}

}  // namespace lanescope
