#include "app/pictures/code_rows.h"

#include "app/workbench/text_buffer.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kHangingIndent = 4;
constexpr std::uint32_t kFewestColumns = 8;

/// The offset at which to break text[begin, end) so that at most `room` columns stay: after the last space
/// within them.
std::uint32_t breakAt(std::string_view text, std::uint32_t begin, std::uint32_t end, std::uint32_t room) {
  const std::uint32_t most = offsetAfter(text, begin, end, room);
  if (most == end) return end;
  for (std::uint32_t at = most; at > begin + (most - begin) / 2; --at) {
    if (text[at] == ' ') return at + 1;
  }
  return most;
}

}  // namespace

void CodeRows::layout(std::string_view text, std::uint32_t columns) {
  columns = std::max(columns, kFewestColumns);
  rows_.clear();
  std::uint32_t line = 0;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t newline = std::min(text.find('\n', start), text.size());
    const auto end = static_cast<std::uint32_t>(newline);
    auto begin = static_cast<std::uint32_t>(start);
    const auto spaces = static_cast<std::uint32_t>(
        std::min(text.substr(start, newline - start).find_first_not_of(' '), newline - start));
    CodeRow row{++line, begin, breakAt(text, begin, end, columns), 0, true};
    rows_.push_back(row);
    const std::uint32_t hang = std::min(spaces + kHangingIndent, columns / 2);
    for (begin = row.end; begin < end; begin = row.end) {
      row = {line, begin, breakAt(text, begin, end, columns - hang), hang, false};
      rows_.push_back(row);
    }
    start = newline + 1;
  }
}

std::size_t CodeRows::findRow(std::uint32_t offset) const {
  const auto after =
      std::ranges::partition_point(rows_, [&](const CodeRow& row) { return row.begin <= offset; });
  return after == rows_.begin() ? 0 : static_cast<std::size_t>(after - rows_.begin()) - 1;
}

std::size_t CodeRows::rowOfLine(std::uint32_t line) const {
  const auto found = std::ranges::partition_point(rows_, [&](const CodeRow& row) { return row.line < line; });
  return std::min(static_cast<std::size_t>(found - rows_.begin()), rows_.empty() ? 0 : rows_.size() - 1);
}

std::uint32_t CodeRows::findColumn(std::string_view text, std::size_t row, std::uint32_t offset) const {
  const CodeRow& at = rows_[row];
  return at.indent + columnsIn(text, at.begin, std::clamp(offset, at.begin, at.end));
}

std::uint32_t CodeRows::offsetAt(std::string_view text, std::size_t row, std::uint32_t column) const {
  const CodeRow& at = rows_[row];
  const std::uint32_t offset =
      offsetAfter(text, at.begin, at.end, column < at.indent ? 0 : column - at.indent);
  // The end of a broken row is the start of the next: stay on this one.
  const bool isBroken = row + 1 < rows_.size() && rows_[row + 1].line == at.line;
  if (!isBroken || offset < at.end || at.end == at.begin) return offset;
  return offsetAfter(text, at.begin, at.end, columnsIn(text, at.begin, at.end) - 1);
}

std::vector<LineWarp> warpsByLine(const Trace& trace, const ReplayState& state) {
  std::vector<LineWarp> warps;
  const WaitingWarps waiting(trace, state);
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    const std::int32_t last = state.lastStep[warp];
    if (last < 0) continue;
    const Step step = trace.steps[static_cast<std::size_t>(last)];
    warps.push_back({step.line, warp, waiting.contains(warp)});
  }
  std::ranges::stable_sort(warps, {}, &LineWarp::line);
  return warps;
}

std::span<const LineWarp> warpsOn(const std::vector<LineWarp>& warps, std::uint32_t line) {
  // Not equal_range(): Clang 14 cannot read the subrange of GCC 12's library.
  return {std::ranges::lower_bound(warps, line, {}, &LineWarp::line),
          std::ranges::upper_bound(warps, line, {}, &LineWarp::line)};
}

}  // namespace lanescope
