#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// A phase's accesses to one element of an array.
struct TileTouch {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t element = 0;
  std::uint32_t read = kNever;     ///< the step that reads it first
  std::uint32_t written = kNever;  ///< the step that writes it first
  std::uint32_t reader = 0;        ///< the thread of that step, for either
  std::uint32_t writer = 0;
};

/// Rows and columns, from the first on.
struct TileArea {
  std::uint32_t row = 0, column = 0;
  std::uint32_t rows = 0, columns = 0;  ///< 0: empty
  bool operator==(const TileArea&) const = default;
};

/// An array with rows and columns.
struct TileArray {
  std::uint32_t array = 0;  ///< Trace::arrays
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  std::uint32_t padding = 0;     ///< columns at the right that the block never uses
  bool isMatrix = false;         ///< a buffer; its shape is derived from the block's accesses
  bool xIsRow = false;           ///< of a matrix: threads that are adjacent in x access it by columns
  TileArea tile{};               ///< of a buffer: the area that the first phase that uses it accesses
  std::uint32_t knownAfter = 0;  ///< as Cursor::steps: its rows and columns follow from the steps before
  std::vector<std::vector<TileTouch>> touches{};  ///< by phase; by element

  std::uint32_t elements() const { return rows * columns; }
};

/// The arrays of a kernel with two-dimensional data: shared arrays that are declared so, and buffers that its
/// threads walk by rows and columns. Empty for all other kernels.
struct TilePlan {
  std::vector<TileArray> arrays;  ///< in the order in which the block first touches them
};

TilePlan planTiles(const Trace& trace);

/// The order in which a block walks a buffer.
struct TileWalk {
  std::uint32_t width = 0;  ///< elements of a row
  bool xIsRow = false;
  bool operator==(const TileWalk&) const = default;
};

/// Rows and columns of a buffer, if thread (x, y) of the block first accesses element start + x * dx + y *
/// dy, with dx or dy 1: the other is the width. Empty otherwise. `firsts`: by thread of the block; kNever:
/// the thread does not access it.
std::optional<TileWalk> findWalk(const std::vector<std::uint32_t>& firsts, const Dim3& block);

/// The two-dimensional arrays of a trace at a moment (PicturePlan::tiles, which is not empty): shared tiles
/// with one row of cells per row of the array, padding hatched, beside the matrices that they come from, in
/// which the traced block's part is framed. The row and column of the thread under the pointer are lit up.
Scene tileScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
