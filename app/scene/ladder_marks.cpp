#include "app/scene/ladder_marks.h"

#include <vector>

namespace lanescope {

void markIdle(Ladder& ladder) {
  if (!ladder.registers) return;
  std::vector<std::vector<bool>> used(ladder.rows.size(), std::vector<bool>(ladder.columns, false));
  for (std::size_t index = ladder.rows.size(); index-- > 0;) {
    LadderRow& row = ladder.rows[index];
    const bool registers = row.kind == LadderRow::Kind::Registers;
    for (std::uint32_t column = 0; column < ladder.columns; ++column) {
      if (row.kind == LadderRow::Kind::Output || row.kind == LadderRow::Kind::Words)
        used[index][column] = true;
      row.cells[column].idle = registers && !used[index][column];
    }
    bool fromShared = false;
    for (LadderArrow& arrow : ladder.arrows) {
      if (arrow.toRow != index) continue;
      fromShared = fromShared || ladder.rows[arrow.fromRow].kind != LadderRow::Kind::Registers;
      arrow.idle = registers && !used[index][arrow.toColumn];
      if (!arrow.idle) used[arrow.fromRow][arrow.fromColumn] = true;
    }
    if (!registers || fromShared) continue;
    // What a lane adds to is its own value of the register row before.
    for (std::size_t above = index; above-- > 0;) {
      if (ladder.rows[above].kind != LadderRow::Kind::Registers) continue;
      for (std::uint32_t column = 0; column < ladder.columns; ++column) {
        if (used[index][column]) used[above][column] = true;
      }
      break;
    }
  }
}

void markOperands(Ladder& ladder) {
  for (const LadderArrow& arrow : ladder.arrows) {
    if (arrow.idle || ladder.rows[arrow.toRow].time != LadderRow::Time::Current) continue;
    // Of an input, which a loop may walk through, what it has come to.
    const bool isInput = ladder.rows[arrow.fromRow].kind == LadderRow::Kind::Input &&
                         ladder.rows[arrow.toRow].kind == LadderRow::Kind::Registers;
    if (isInput && !arrow.done) continue;
    ladder.rows[arrow.fromRow].cells[arrow.fromColumn].operand = true;
  }
}

}  // namespace lanescope
