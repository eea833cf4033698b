#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/compile/bytecode.h"
#include "sim/trace/hazard_detector.h"

namespace lanescope {

class SourceText;

/// A part of a kernel's code that some threads may run and others may not, or may run more often.
struct CodeRegion {
  enum class Kind : std::uint8_t {
    If,
    Operand,  ///< an operand of `&&`, `||` or `?:`
    Loop,
    Switch,
    Call,  ///< an inlined function
  };
  Kind kind = Kind::If;
  std::uint32_t first = 0;   ///< the instruction that begins it
  std::uint32_t middle = 0;  ///< If: start of its else
  std::uint32_t last = 0;
  std::uint32_t line = 0;  ///< of its keyword, or of the call
  bool isDivergent = false;

  bool holds(std::uint32_t pc) const { return first < pc && pc <= last; }
};

/// The regions of a kernel, each before its nested ones; none is marked as divergent.
std::vector<CodeRegion> findRegions(const SourceText& source, const Bytecode& code);

/// Marks the regions that the threads of one block may run differently: the deciding value depends on the
/// thread's index, on memory at an address of its own, or on the result of an atomic, shuffle or vote.
void markDivergentInBlock(const Bytecode& code, const SourceText& source, std::vector<CodeRegion>& regions);

/// Marks the regions in which the lanes of a warp diverged. `splits`, by instruction: true if a warp's active
/// lanes went both ways there.
void markDivergentInWarp(const Bytecode& code, const SourceText& source, const std::vector<bool>& splits,
                         std::vector<CodeRegion>& regions);

/// The store, if a finding's load and store are parts of one update (`x = x + 1`, `if (v > x) x = v`).
std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding);

/// Advice against races: the place in the text for the missing barrier, so that all threads that it waits for
/// reach it.
class HazardFixes {
 public:
  /// `splits`: HazardDetector::Findings.
  HazardFixes(const Launch& launch, const PreparedLaunch& prepared, const std::vector<bool>& splits);

  /// Advice for a finding that has an earlier access: one or two sentences. Its scope decides the barrier.
  std::string of(const Finding& finding) const;

 private:
  bool isReadThenWritten(const Finding& finding) const;

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  std::vector<CodeRegion> ofBlock_;
  std::vector<CodeRegion> ofWarp_;
};

/// The reports of findings: names, lines, a sentence and the advice. If other warps race on the same lines,
/// the fix is __syncthreads() throughout.
std::vector<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared,
                             const HazardDetector::Findings& findings);

/// The report of a fault; nullopt if the kernel is not at fault (a stop).
std::optional<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared, const LaunchFault& fault,
                               std::uint32_t phase);

}  // namespace lanescope
