#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The cells of a line of comma-separated values, quoted or not; a quote in a quoted cell is written twice.
inline std::vector<std::string> csvCells(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool twice = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (twice) cell += line[i++];
      if (!twice) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.push_back(std::move(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  cells.push_back(std::move(cell));
  return cells;
}

}  // namespace lanescope
