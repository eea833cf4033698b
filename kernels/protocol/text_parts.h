#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// `a, b and c`.
inline std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " and ";
    text += words[i];
  }
  return text;
}

/// The first `named` items and the number of the others: `a, b and 4 more`. If only one is left, it is named
/// too.
inline std::string listedBriefly(std::vector<std::string> words, std::size_t named) {
  if (words.size() > named + 1) {
    const std::string rest = std::to_string(words.size() - named) + " more";
    words.resize(named);
    words.push_back(rest);
  }
  return listed(words);
}

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
