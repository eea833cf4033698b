#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/strategies/shape.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/observer.h"
#include "sim/sass/issue_slots.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

/// The sectors of global memory that a launch touches, and how: the least traffic, whatever the caches do.
/// Listens to every block of a launch.
class Footprint final : public Observer {
 public:
  static constexpr std::uint64_t kSectorBytes = 32;

  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;

  /// Different sectors with a read as the first access: a load, or an atomic. With cold caches, each of them
  /// has to come from DRAM once.
  std::uint64_t readSectors() const { return counts_[kRead]; }
  /// Different sectors that a store or an atomic changes.
  std::uint64_t writtenSectors() const { return counts_[kWritten]; }

 private:
  enum Mark : std::uint8_t { kRead, kWritten };
  void mark(std::uint64_t address, AccessKind kind);

  std::vector<std::vector<std::uint8_t>> marks_;  ///< by buffer and sector: a bit for each Mark
  std::array<std::uint64_t, 2> counts_{};
};

/// The work of a launch for a GPU's units, exactly, as its text has it. Unknown counts are left out.
struct LaunchCounts {
  std::string kernel{};  ///< `name` or `name<128>`
  std::uint64_t blocks = 0;
  std::uint64_t warps = 0;
  std::optional<std::uint64_t> readSectors{};     ///< different ones that are read before they are written
  std::optional<std::uint64_t> writtenSectors{};  ///< different ones
  std::optional<std::uint64_t> storedSectors{};   ///< of all stores: L1 keeps none of them from L2
  std::optional<std::uint64_t> sharedWavefronts{};
  /// Warp instructions of the source, by line from 1; nullopt if that line's number is unknown.
  std::map<std::uint32_t, std::optional<std::uint64_t>> lines{};
  /// Every operation of the text; nullopt if some operation's executions are unknown.
  std::optional<std::vector<OperationCount>> operations{};
  /// The sizes at which a launch too large to be simulated was counted; empty: it was simulated whole.
  std::vector<std::uint64_t> scaledFrom{};
};

/// The part of a launch to count.
enum class CountWhat : std::uint8_t {
  Everything,
  AllButSectors,  ///< different sectors are left out, which cost the most time: they stay unknown
};

/// Simulates a launch whole and counts. Errors: those of prepare(), a fault of the kernel, a limit.
Result<LaunchCounts> countWhole(const Launch& launch, CountWhat what = CountWhat::Everything);

/// The most elements over which a strategy's launch is simulated whole; a kernel that strides over a full
/// grid takes a few of the grid's strides.
inline constexpr std::uint64_t kMostWholeN = std::uint64_t{1} << 18U;

/// A strategy's launch over `n` elements, with `threads` per block and, for a kernel that strides over its
/// grid, at most `mostBlocks` blocks; `text` replaces the strategy's own if given. If n is large, three
/// smaller launches of the same kind are simulated, as many more blocks (or strides) apart each time. A count
/// that grows evenly between them is scaled to n, exactly; any other stays unknown. Errors: those of
/// shapeOfThreads and countWhole.
Result<LaunchCounts> countStrategy(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                   std::uint64_t mostBlocks,
                                   const std::shared_ptr<const SourceText>& text = nullptr,
                                   CountWhat what = CountWhat::Everything, const std::stop_token& stop = {});

/// The work of a launch's machine code for a GPU's units, exactly.
struct ExecutedCode {
  std::vector<LineSlots> lines;  ///< of the code, with the warp instructions issued
  std::uint64_t sharedWavefronts = 0;
  std::uint64_t storedSectors = 0;  ///< of all stores
};

/// Executes a launch's machine code whole. Nullopt if that is impossible (runMachineCode) or depends on which
/// warps meet.
std::optional<ExecutedCode> executeWhole(const Launch& launch, const MachineCode& code);
/// The work of a strategy's launch, executed at the sizes at which countStrategy() counts, and scaled as
/// there. Nullopt also if one of its counts does not grow evenly.
std::optional<ExecutedCode> executeStrategy(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                            std::uint64_t mostBlocks,
                                            const std::shared_ptr<const SourceText>& text,
                                            const MachineCode& code, const std::stop_token& stop = {});

}  // namespace lanescope
