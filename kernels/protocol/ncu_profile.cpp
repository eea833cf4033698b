#include "kernels/protocol/ncu_profile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "kernels/protocol/message_fields.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/text_parts.h"
#include "sim/base/words.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

/// A metric and the names that Nsight Compute's versions have for it, the usual one first.
struct ProfileMetricInfo {
  ProfileMetric metric;
  std::array<std::string_view, 4> names;  ///< empty past the last
};

constexpr ProfileMetricInfo kMetrics[] = {
    {ProfileMetric::Duration, {"gpu__time_duration.sum", "gpu__time_duration.avg"}},
    {ProfileMetric::Dram,
     {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
      "dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::L2,
     {"lts__throughput.avg.pct_of_peak_sustained_elapsed",
      "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::L1,
     {"l1tex__throughput.avg.pct_of_peak_sustained_active",
      "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::Shared,
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::IssueSlots,
     {"sm__inst_issued.avg.pct_of_peak_sustained_active",
      "smsp__issue_active.avg.pct_of_peak_sustained_active",
      "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
      "smsp__inst_issued.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::Registers, {"launch__registers_per_thread"}},
    {ProfileMetric::SharedDynamic, {"launch__shared_mem_per_block_dynamic"}},
    {ProfileMetric::SharedStatic, {"launch__shared_mem_per_block_static"}},
    {ProfileMetric::TheoreticalOccupancy, {"sm__maximum_warps_per_active_cycle_pct"}},
    {ProfileMetric::AchievedOccupancy, {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::LimitBlocks, {"launch__occupancy_limit_blocks"}},
    {ProfileMetric::LimitRegisters, {"launch__occupancy_limit_registers"}},
    {ProfileMetric::LimitShared, {"launch__occupancy_limit_shared_mem"}},
    {ProfileMetric::LimitWarps, {"launch__occupancy_limit_warps"}},
    {ProfileMetric::Waves, {"launch__waves_per_multiprocessor"}},
};

}  // namespace

std::uint64_t hashText(std::string_view text) {
  return fnv1a(std::as_bytes(std::span(text.data(), text.size())));
}

bool isProfileMetric(std::string_view name) {
  if (name.empty()) return false;
  const auto isNamed = [name](const ProfileMetricInfo& info) {
    return std::ranges::find(info.names, name) != info.names.end();
  };
  return std::ranges::any_of(kMetrics, isNamed) ||
         (name.starts_with("sm__inst_executed_pipe_") && name.ends_with(".avg.pct_of_peak_sustained_active"));
}

std::optional<double> findMetric(const ProfileMessage& profile, ProfileMetric metric) {
  const auto* const info = std::ranges::find(kMetrics, metric, &ProfileMetricInfo::metric);
  for (const std::string_view name : info->names) {
    for (const MeasuredMetric& measured : profile.metrics) {
      if (!name.empty() && measured.name == name && measured.value) return measured.value;
    }
  }
  return std::nullopt;
}

namespace {

using Cells = std::vector<std::string>;

/// A column's name with only its letters, digits and underscores, in lower case: `Warp Stall Sampling (All
/// Samples)` is `warpstallsamplingallsamples`.
std::string makeKey(std::string_view name) {
  std::string key;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 || c == '_') key += static_cast<char>(std::tolower(letter));
  }
  return key;
}

/// A number with or without thousands separators; empty for `-`, `n/a` and an empty cell.
std::optional<double> toNumber(std::string_view cell) {
  std::string digits;
  for (const char c : cell) {
    if (c != ',' && c != ' ' && c != '\'' && c != '"') digits += c;
  }
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [read, failure] = std::from_chars(digits.data(), end, value);
  if (failure != std::errc{} || read == digits.data() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::uint64_t parseCount(std::string_view cell) {
  const double value = toNumber(cell).value_or(0);
  return value <= 0 ? 0 : static_cast<std::uint64_t>(std::min(value, static_cast<double>(kMaxCount)));
}

/// The positions of a table's columns: npos if it does not have one.
class Columns {
 public:
  static constexpr std::size_t kNone = std::string_view::npos;

  explicit Columns(const Cells& header) : count_(header.size()) {
    for (std::size_t i = 0; i < header.size(); ++i) receive(makeKey(header[i]), i);
  }

  std::size_t count() const { return count_; }

  /// True if the row is the head of a table of source.
  static bool isHeader(const Cells& cells) {
    const std::string first = makeKey(cells.front());
    const bool hasSource = std::any_of(cells.begin(), cells.end(),
                                       [](const std::string& one) { return makeKey(one) == "source"; });
    return hasSource && cells.size() > 2 && (isLineKey(first) || first == "address" || first.empty());
  }

  std::uint32_t findLine(const Cells& cells) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(countAt(cells, line_), 10'000'000));
  }
  /// The instruction's address; not set in the row of a line.
  std::optional<std::uint64_t> makeAddress(const Cells& cells) const {
    if (address_ >= cells.size()) return std::nullopt;
    std::string_view text = cells[address_];
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [read, failure] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (failure != std::errc{} || read == text.data()) return std::nullopt;
    return value;
  }
  std::string readSass(const Cells& cells) const {
    if (sass_ >= cells.size()) return {};
    const std::string text = printable(cells[sass_], kMaxSassBytes);
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  }
  ProfileCounts readCounts(const Cells& cells) const;
  bool hasSamples() const { return samples_ != kNone || plainSamples_ != kNone; }

 private:
  static bool isLineKey(const std::string& key) {
    return key == "lineno" || key == "line" || key == "linenumber" || key == "sourceline";
  }
  static std::uint64_t countAt(const Cells& cells, std::size_t column) {
    return column < cells.size() ? parseCount(cells[column]) : 0;
  }
  void receive(const std::string& key, std::size_t at);

  std::size_t count_;
  std::size_t line_ = kNone;
  std::size_t address_ = kNone;
  std::size_t sass_ = kNone;
  std::size_t samples_ = kNone;
  std::size_t plainSamples_ = kNone;
  std::map<std::string, std::size_t> counts_;
  std::vector<std::pair<std::string, std::size_t>> stalls_;
};

void Columns::receive(const std::string& key, std::size_t at) {
  if (isLineKey(key)) {
    line_ = at;
  } else if (key == "address") {
    address_ = at;
  } else if (key == "source" || key == "sass") {
    sass_ = at;  // the last of two: the first is the text's
  } else if (key == "samples") {
    plainSamples_ = at;
  } else if (key.starts_with("warpstallsamplingall")) {
    samples_ = at;
  } else if (key.starts_with("stall_") && !key.ends_with("notissued")) {
    stalls_.emplace_back(key.substr(6, kMaxStallBytes), at);
  } else {
    counts_.emplace(key, at);
  }
}

ProfileCounts Columns::readCounts(const Cells& cells) const {
  const auto named = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      if (const auto found = counts_.find(key); found != counts_.end()) return countAt(cells, found->second);
    }
    return std::uint64_t{0};
  };
  ProfileCounts counts;
  counts.samples = countAt(cells, samples_ != kNone ? samples_ : plainSamples_);
  counts.notIssued = named({"warpstallsamplingnotissuedsamples", "warpstallsamplingnotissuedcycles",
                            "warpstallsamplingnotissued"});
  counts.executed = named({"instructionsexecuted", "inst_executed"});
  counts.threadExecuted = named({"threadinstructionsexecuted", "thread_inst_executed"});
  counts.sharedWavefronts = named({"l1wavefrontsshared", "memory_l1_wavefronts_shared"});
  counts.sharedIdealWavefronts = named({"l1wavefrontssharedideal", "memory_l1_wavefronts_shared_ideal"});
  counts.globalSectors = named({"l2theoreticalsectorsglobal", "memory_l2_theoretical_sectors_global"});
  counts.globalIdealSectors =
      named({"l2theoreticalsectorsglobalideal", "memory_l2_theoretical_sectors_global_ideal"});
  for (const auto& [reason, column] : stalls_) {
    if (const std::uint64_t samples = countAt(cells, column); samples > 0)
      counts.stalls.push_back({reason, samples});
  }
  std::ranges::stable_sort(counts.stalls, std::ranges::greater{}, &StallCount::samples);
  if (counts.stalls.size() > kMaxStalls) counts.stalls.resize(kMaxStalls);
  return counts;
}

void add(ProfileCounts& sum, const ProfileCounts& part) {
  sum.samples += part.samples;
  sum.notIssued += part.notIssued;
  sum.executed += part.executed;
  sum.threadExecuted += part.threadExecuted;
  sum.sharedWavefronts += part.sharedWavefronts;
  sum.sharedIdealWavefronts += part.sharedIdealWavefronts;
  sum.globalSectors += part.globalSectors;
  sum.globalIdealSectors += part.globalIdealSectors;
  for (const StallCount& stall : part.stalls) {
    const auto same = std::ranges::find(sum.stalls, stall.reason, &StallCount::reason);
    if (same == sum.stalls.end()) {
      sum.stalls.push_back(stall);
    } else {
      same->samples += stall.samples;
    }
  }
  std::ranges::stable_sort(sum.stalls, std::ranges::greater{}, &StallCount::samples);
}

/// Reads the source page, row by row.
class SourceReader {
 public:
  explicit SourceReader(std::string_view textName) : textName_(textName) {}

  /// The last row may be cut off: it counts only with as many cells as its table has.
  void receive(const Cells& cells, bool isLast) {
    const std::string first = makeKey(cells.front());
    if (first == "filepath" || first == "file" || first == "filename") {
      const std::string path = cells.size() > 1 ? cells[1] : std::string();
      isText_ = std::string_view(path).substr(path.find_last_of("/\\") + 1) == textName_;
      columns_.reset();
    } else if (first == "functionname" || first == "kernelname") {
      columns_.reset();
    } else if (Columns::isHeader(cells)) {
      columns_.emplace(cells);
      line_ = 0;
      found_ = found_ || columns_->hasSamples();
    } else if (columns_ && (!isLast || cells.size() >= columns_->count())) {
      readRow(cells);
    }
  }

  bool found() const { return found_; }
  NcuSourcePage page();

 private:
  void readRow(const Cells& cells) {
    if (const std::uint32_t line = columns_->findLine(cells); line != 0) line_ = line;
    if (const auto address = columns_->makeAddress(cells)) {
      if (instructions_.size() >= kMaxProfileRows) return;
      ProfileInstruction one{isText_ ? line_ : 0, columns_->readSass(cells), columns_->readCounts(cells)};
      // An instruction may be listed under two files: the text's own line is more useful.
      const auto [at, isNew] = instructions_.try_emplace(*address, one);
      if (!isNew && at->second.line == 0) at->second = std::move(one);
    } else if (isText_ && line_ != 0 && lines_.size() < kMaxProfileRows) {
      lines_.try_emplace(line_, columns_->readCounts(cells));
    }
  }

  std::string_view textName_;
  bool isText_ = false;
  bool found_ = false;
  std::uint32_t line_ = 0;
  std::optional<Columns> columns_;
  std::map<std::uint32_t, ProfileCounts> lines_;
  std::map<std::uint64_t, ProfileInstruction> instructions_;
};

NcuSourcePage SourceReader::page() {
  std::map<std::uint32_t, ProfileCounts> sums;
  NcuSourcePage page;
  for (auto& [address, instruction] : instructions_) {
    if (instruction.line != 0) add(sums[instruction.line], instruction.counts);
    page.instructions.push_back(std::move(instruction));
  }
  // The filling of the last cache line does not belong to the kernel.
  const auto isFilling = [](const ProfileInstruction& one) {
    return one.sass == "NOP" && one.counts == ProfileCounts{};
  };
  while (!page.instructions.empty() && isFilling(page.instructions.back())) page.instructions.pop_back();
  // A line's own row may have no numbers: it then gets those of its instructions.
  for (auto& [line, sum] : sums) {
    ProfileCounts& counts = lines_[line];
    if (counts.samples == 0 && counts.executed == 0) counts = sum;
  }
  for (auto& [line, counts] : lines_) {
    if (counts.samples != 0 || counts.executed != 0) page.lines.push_back({line, std::move(counts)});
  }
  return page;
}

/// Without a byte order mark of UTF-8.
std::string_view withoutMark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

/// The factor from a unit to nanoseconds, bytes or shares; 1 for any other.
double computeFactor(const std::string& unit) {
  constexpr std::array<std::pair<const char*, double>, 12> kFactors{{{"usecond", 1e3},
                                                                     {"us", 1e3},
                                                                     {"msecond", 1e6},
                                                                     {"ms", 1e6},
                                                                     {"second", 1e9},
                                                                     {"s", 1e9},
                                                                     {"kbyte", 1e3},
                                                                     {"kbyteblock", 1e3},
                                                                     {"mbyte", 1e6},
                                                                     {"mbyteblock", 1e6},
                                                                     {"gbyte", 1e9},
                                                                     {"kib", 1024}}};
  for (const auto& [name, factor] : kFactors) {
    if (makeKey(unit) == name) return factor;
  }
  return 1;
}

}  // namespace

Result<NcuSourcePage> parseNcuSource(std::string_view output, std::string_view textName) {
  SourceReader reader(textName);
  output = withoutMark(output);
  while (!output.empty()) {
    const bool isLast = output.find('\n') == std::string_view::npos;
    const std::string_view line = splitLine(output);
    if (line.empty() || line.starts_with("==")) continue;
    const bool isOpen = std::count(line.begin(), line.end(), '"') % 2 != 0;
    if (!isLast || !isOpen) reader.receive(csvCells(line), isLast);
  }
  NcuSourcePage page = reader.page();
  if (!page.lines.empty() || !page.instructions.empty()) return page;
  return Error{reader.found() ? "Nsight Compute's report has no line and no instruction that was executed."
                              : "Nsight Compute's source page has no table that is known here.",
               "Another version of it may be needed: 2022.1 or newer."};
}

Result<std::vector<MeasuredMetric>> parseNcuRaw(std::string_view output) {
  output = withoutMark(output);
  Cells names;
  Cells units;
  std::vector<MeasuredMetric> metrics;
  while (!output.empty()) {
    const std::string_view line = splitLine(output);
    if (line.empty() || line.starts_with("==")) continue;
    Cells cells = csvCells(line);
    if (names.empty()) {
      if (makeKey(cells.front()) == "id" && cells.size() > 2) names = std::move(cells);
      continue;
    }
    if (cells.front().empty() && units.empty()) {
      units = std::move(cells);
      continue;
    }
    for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) {
      if (!isProfileMetric(names[i]) || metrics.size() >= kMaxMetrics) continue;
      auto value = toNumber(cells[i]);
      if (value && i < units.size()) *value *= computeFactor(units[i]);
      metrics.push_back({names[i], value});
    }
    std::ranges::sort(metrics, {}, &MeasuredMetric::name);
    return metrics;
  }
  return Error{"Nsight Compute's raw page has no kernel in it.",
               "Its output may be of a version that is not known here."};
}

std::vector<MeasuredCounter> countOpcodes(const std::vector<ProfileInstruction>& instructions) {
  std::map<std::string, std::uint64_t> sums;
  for (const ProfileInstruction& instruction : instructions) {
    std::string_view text = instruction.sass;
    if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string opcode(text.substr(0, text.find_first_of(" .;,")));
    if (!opcode.empty() && instruction.counts.executed > 0) sums[opcode] += instruction.counts.executed;
  }
  std::vector<MeasuredCounter> opcodes;
  opcodes.reserve(sums.size());
  for (const auto& [opcode, executed] : sums) opcodes.push_back({opcode, executed});
  return opcodes;
}

}  // namespace lanescope
