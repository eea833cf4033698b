#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/ladder.h"
#include "app/pictures/ladder_layout.h"

namespace lanescope {

/// How far the values in flight have come, of the steps that have just been done: reads to their threads
/// first, then what is written to its word.
struct LadderMotion {
  float reads = 1, writes = 1;  ///< portions of their lines
  std::uint32_t from = 0;       ///< the steps from there on move

  bool isAny() const { return writes < 1; }
};
LadderMotion makeMotion(const Moment& moment, const SceneContext& context);

/// The label of a row of threads if the words below it have the phase's name.
inline constexpr std::string_view kThreads = "threads";

/// A row's label: a phase's name, an array's, or kThreads.
std::string labelOf(const Moment& moment, const Ladder& ladder, const LadderRow& row);

/// What the parts of a ladder's picture are drawn from.
struct LadderPicture {
  const Moment& moment;
  const SceneContext& context;
  const Ladder& ladder;   ///< values in flight have not arrived
  const Ladder& arrived;  ///< they have
  const LadderLayout& layout;
  LadderMotion motion;
  SceneBuilder& out;

  /// The value of a place in letters: `a0+a1` or `57`; empty if it has none.
  std::string valueText(const LadderCell& cell) const;
};

/// Below the rows.
void paintLines(const LadderPicture& picture);
/// The values in flight, above the rows.
void paintTravellers(const LadderPicture& picture);
void paintRows(const LadderPicture& picture);
/// Title, contents and legend.
void paintHeading(const LadderPicture& picture);

/// The meaning of a word's colour.
enum class CellState : std::uint8_t {
  Empty,    ///< empty, or written after the current phase
  Operand,  ///< read by the current phase
  Written,  ///< by the current phase
  Earlier,  ///< written by the phase of its row, which is over; on the current row by any earlier phase; an
            ///< input
  Kept,     ///< left as it was by the phase of its row, which is over
};
CellState findState(const LadderRow& row, const LadderCell& cell);
/// How a cell of any row is drawn. `isRun`: too narrow for a frame.
CellLook lookOf(const LadderRow& row, const LadderCell& cell, bool isRun);

}  // namespace lanescope
