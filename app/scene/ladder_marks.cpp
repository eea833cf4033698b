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

void addOwnRegisters(Ladder& ladder) {
  const LadderRow* before = nullptr;
  for (LadderRow& row : ladder.rows) {
    if (row.kind != LadderRow::Kind::Registers) continue;
    for (std::uint32_t column = 0; before != nullptr && column < ladder.columns; ++column) {
      const LadderCell& cell = row.cells[column];
      if (!cell.ownIsUsed) continue;
      ladder.arrows.push_back({static_cast<std::uint32_t>(before - ladder.rows.data()), column,
                               static_cast<std::uint32_t>(&row - ladder.rows.data()), column, column,
                               cell.step, cell.result, cell.idle});
    }
    before = &row;
  }
}

void markRegisterReads(Ladder& ladder) {
  const auto mark = [](LadderCell& cell, bool isDone) {
    cell.operand = cell.operand || isDone;
    cell.toRead = !cell.operand;
  };
  for (const LadderArrow& arrow : ladder.arrows) {
    if (arrow.idle || ladder.rows[arrow.toRow].time != LadderRow::Time::Current) continue;
    LadderRow& from = ladder.rows[arrow.fromRow];
    if (from.kind != LadderRow::Kind::Registers) continue;
    mark(from.cells[arrow.fromColumn], arrow.done);
  }
}

}  // namespace lanescope
