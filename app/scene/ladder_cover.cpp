#include <algorithm>

#include "app/scene/array_ladder.h"
#include "app/scene/ladder_marks.h"

namespace lanescope {

void coverFuture(Ladder& ladder) {
  for (LadderRow& row : ladder.rows) {
    // Which element a result is comes with it.
    if (row.kind == LadderRow::Kind::Output && std::ranges::none_of(row.cells, &LadderCell::result))
      row.label = row.name;
    for (LadderCell& cell : row.cells) {
      cell.pending = cell.idle = cell.toRead = false;
      // Which registers matter comes later: every one that has been read is marked.
      if (row.kind == LadderRow::Kind::Registers) cell.operand = false;
      if (cell.result) continue;
      cell.thread = -1;
      // Only what is stored has a place in a row of outputs.
      if (row.kind == LadderRow::Kind::Output) cell.there = false;
    }
  }
  std::erase_if(ladder.arrows, [](const LadderArrow& arrow) { return !arrow.done; });
  for (LadderArrow& arrow : ladder.arrows) arrow.idle = false;
  markRegisterReads(ladder);
}

}  // namespace lanescope
