#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// The metrics of a profile for a whole kernel.
enum class ProfileMetric : std::uint8_t {
  Duration,  ///< nanoseconds
  Dram,      ///< percent of the peak throughput, as are the next ones
  L2,
  L1,      ///< L1 and shared memory's unit as a whole
  Shared,  ///< its data pipe, of shared memory's wavefronts
  IssueSlots,
  Registers,      ///< per thread
  SharedDynamic,  ///< bytes per block
  SharedStatic,
  TheoreticalOccupancy,  ///< percent of the warps that an SM holds
  AchievedOccupancy,
  LimitBlocks,  ///< resident blocks per SM that each would allow
  LimitRegisters,
  LimitShared,
  LimitWarps,
  Waves,  ///< of blocks per SM
};

/// True if a metric of that name is kept: one of ProfileMetric, or a pipe's share of its peak
/// (`sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active`).
bool isProfileMetric(std::string_view name);

/// A metric under any of its names; empty if it was not measured.
std::optional<double> findMetric(const ProfileMessage& profile, ProfileMetric metric);

/// The source page of Nsight Compute for a launch.
struct NcuSourcePage {
  std::vector<ProfileLine> lines;                ///< of the text, in its order
  std::vector<ProfileInstruction> instructions;  ///< in order of their addresses
};

/// Reads `ncu --import REPORT --page source --print-source cuda,sass --csv`: a table for each source file
/// (`"File Path",...`), a row for each line, and under it rows of its machine instructions, which have an
/// address. Lines of the file named `textName` count as the text's (its folder is ignored); instructions of
/// other files have line 0. The output of `--print-source sass` has only instructions. Columns are found by
/// their names, ignoring case, spaces and redundant text in brackets; missing ones count as 0, unknown ones
/// are ignored, and so are a byte order mark, carriage returns and a last row that is cut off. Error: there
/// is no such table, or it is empty.
Result<NcuSourcePage> parseNcuSource(std::string_view output, std::string_view textName);

/// Reads the metrics of the first kernel in `ncu --import REPORT --page raw --csv`: a row of names, a row of
/// units, a row for each kernel. The result has the metrics that isProfileMetric() accepts, sorted by name,
/// with times in nanoseconds and sizes in bytes whatever their units. Error: there is no such table.
Result<std::vector<MeasuredMetric>> parseNcuRaw(std::string_view output);

/// Warp instructions executed by opcode, by name: `@!P0 LDS.U.128 R4, [R2]` is an `LDS`.
std::vector<MeasuredCounter> countOpcodes(const std::vector<ProfileInstruction>& instructions);

}  // namespace lanescope
