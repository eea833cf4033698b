#pragma once

#include <string_view>
#include <vector>

#include "kernels/worker/profile_messages.h"
#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// What Nsight Compute's source page says of a launch.
struct NcuSourcePage {
  std::vector<ProfileLine> lines;                ///< of the text, in its order
  std::vector<ProfileInstruction> instructions;  ///< in order of their addresses
};

/// Reads `ncu --import REPORT --page source --print-source cuda,sass --csv`: a table for each source file
/// (`"File Path",...`), a row for each line, and under it rows of its machine instructions, which have an
/// address. Lines of the file named `textName` count as the text's (its folder is of no matter); instructions
/// of other files have line 0. Where `--print-source sass` wrote it there are instructions alone. Columns are
/// found by their names, without regard to case, spaces and what is in brackets where it says nothing of its
/// own; missing ones count as 0, unknown ones are ignored, and so are a byte order mark, carriage returns and
/// a last row that is cut off. The error: there is no such table, or nothing in it.
Result<NcuSourcePage> parseNcuSource(std::string_view output, std::string_view textName);

/// Reads the metrics of the first kernel in `ncu --import REPORT --page raw --csv`: a row of names, a row of
/// units, a row for each kernel. Those of profile_metrics.h are kept; times come in nanoseconds and sizes in
/// bytes whatever their units, sorted by name. The error: there is no such table.
Result<std::vector<MeasuredMetric>> parseNcuRaw(std::string_view output);

/// Warp instructions executed by opcode, by name: `@!P0 LDS.U.128 R4, [R2]` is an `LDS`.
std::vector<MeasuredCounter> opcodesOf(const std::vector<ProfileInstruction>& instructions);

}  // namespace lanescope
