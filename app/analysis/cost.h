#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/analysis/floor_report.h"
#include "app/analysis/line_roles.h"
#include "app/analysis/profiles.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// The launches whose times can stand on one scale.
struct CostSetting {
  std::string gpu;            ///< `NVIDIA H200`
  std::uint64_t n = 0;        ///< elements; 0: unknown, of a launch of its own
  std::uint32_t threads = 0;  ///< of a block
  bool operator==(const CostSetting&) const = default;
};

/// `NVIDIA H200, N = 2^26, 256 threads per block`, what is known of it.
std::string settingText(const CostSetting& setting);

/// What each line of a text has of a whole, in any unit; line 0: what belongs to none.
using LineAmounts = std::map<std::uint32_t, double>;

/// The samples of each line, a measure of its time: each machine instruction's once.
LineAmounts timeByLine(const LaunchProfile& profile);
/// The warp instructions of machine code that each line executed, each machine instruction's once.
LineAmounts instructionsByLine(const LaunchProfile& profile);

/// A line's part of a kernel's time.
struct CostPiece {
  std::uint32_t line = 0;  ///< from 1; 0: the rest, of several lines and of code that belongs to none
  LineRole role = LineRole::Other;
  double share = 0;  ///< of the kernel's time, 0 to 1
  std::string code;  ///< the line, without the blanks around it
};

/// Where the numbers of a kernel's time are from: never on one scale without saying so.
enum class CostBasis : std::uint8_t {
  Measured,   ///< time and shares are those of a profile
  Predicted,  ///< the floors': it cannot take less
};

/// A kernel's time, and what each line has of it.
struct KernelCost {
  std::string title;  ///< `Baseline`, `baseline.cu, edited`
  CostBasis basis = CostBasis::Measured;
  double us = 0;
  std::vector<CostPiece> pieces;  ///< by role, then by line, the rest last; together 1
  std::string origin;      ///< measured: the GPU and the day; predicted: the unit that needs the longest
  bool isCurrent = false;  ///< of the current text
};

/// Kernels under each other on one scale.
struct CostChart {
  CostSetting setting;  ///< of all of them
  std::vector<KernelCost> kernels;
  std::string note;  ///< one sentence on what is not in it, or why it is empty; can be empty

  double mostUs() const;
};

/// The text that a chart is about.
struct CostSubject {
  const Strategy* strategy = nullptr;  ///< of the text, edited or not; nullptr: a file
  std::string title;
  std::string_view text;
  const FloorReport* floors = nullptr;  ///< its floors, shown if it was not profiled
};

/// Charts of recorded and new profiles. What a line does is found once for each text. For one thread.
class CostCharts {
 public:
  /// The subject, and the strategies of its chapter that were profiled on that GPU with as many elements and
  /// threads per block, in the order of the course; an edited text after its strategy.
  CostChart ofChapter(TextProfiles& profiles, const CostSubject& subject);
  /// Two sides of a comparison; a side that was not profiled like the other is left out, with a note.
  CostChart ofTwo(TextProfiles& profiles, const CostSubject& left, const CostSubject& right);
  /// Those strategies that were profiled like the first of them.
  CostChart ofStrategies(TextProfiles& profiles, const std::vector<const Strategy*>& strategies);

  /// The lines' shares of a profile, by role. Lines under a hundredth are part of the rest.
  std::vector<CostPiece> pieces(const TextProfile& profile, std::string_view text);

 private:
  using Roles = std::map<std::uint32_t, LineRole>;
  const Roles& roles(std::string_view text, const std::string& kernel);
  KernelCost measured(const TextProfile& profile, const CostSubject& subject);
  KernelCost predicted(const FloorReport& report, const CostSubject& subject);
  void add(CostChart& chart, TextProfiles& profiles, const CostSubject& subject);

  std::map<std::pair<std::uint64_t, std::string>, Roles> roles_;  ///< by the text's hash and the kernel
};

/// The setting of a profile.
CostSetting settingOf(const TextProfile& profile);

}  // namespace lanescope
