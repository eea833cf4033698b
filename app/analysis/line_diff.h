#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// A part of a line that the other side lacks: bytes [begin, end).
struct ChangedPart {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const ChangedPart&) const = default;
};

/// A line of a text, with the parts that only it has.
struct DiffLine {
  std::uint32_t number = 0;  ///< from 1; 0: this side has no such line
  std::string text;
  std::vector<ChangedPart> changed;  ///< words; if both sides have the line
};

/// A row of two texts side by side.
struct DiffRow {
  enum class Kind : std::uint8_t { Same, Changed, LeftOnly, RightOnly } kind = Kind::Same;
  DiffLine left, right;
};

/// Two texts aligned line by line: equal lines beside each other, and between them lines that share half of
/// their words. White space does not count. Takes time proportional to the number of pairs of lines.
std::vector<DiffRow> diffLines(std::string_view left, std::string_view right);

}  // namespace lanescope
