#include "kernels/protocol/profile_record.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "kernels/protocol/message_fields.h"
#include "kernels/protocol/ncu_profile.h"
#include "kernels/protocol/ncu_run.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

constexpr const char* kMetricsType = "profile-metrics";
constexpr const char* kProfileType = "recorded-profile";
constexpr std::size_t kMaxMetricBytes = 200;  // of a metric's name
constexpr std::size_t kMaxReasons = 200;      // of a table's rows together

/// A column of a table: the difference of a count from its usual value.
struct Column {
  const char* name;
  std::uint64_t ProfileCounts::*count;
  std::uint64_t (*usual)(const ProfileCounts&);  ///< of the counts of the columns above it, and the stalls
};

std::uint64_t zero(const ProfileCounts& /*counts*/) { return 0; }

std::uint64_t samplesOfStalls(const ProfileCounts& counts) {
  std::uint64_t sum = 0;
  for (const StallCount& stall : counts.stalls) sum += stall.samples;
  return sum;
}

constexpr Column kColumns[] = {
    {"samples", &ProfileCounts::samples, samplesOfStalls},
    {"notIssued", &ProfileCounts::notIssued, zero},
    {"inst_executed", &ProfileCounts::executed, zero},
    {"thread_inst_executed", &ProfileCounts::threadExecuted,
     [](const ProfileCounts& counts) { return 32 * counts.executed; }},
    {"memory_l1_wavefronts_shared", &ProfileCounts::sharedWavefronts, zero},
    {"memory_l1_wavefronts_shared_ideal", &ProfileCounts::sharedIdealWavefronts,
     [](const ProfileCounts& counts) { return counts.sharedWavefronts; }},
    {"memory_l2_theoretical_sectors_global", &ProfileCounts::globalSectors, zero},
    {"memory_l2_theoretical_sectors_global_ideal", &ProfileCounts::globalIdealSectors,
     [](const ProfileCounts& counts) { return counts.globalSectors; }},
};

using Values = std::vector<std::int64_t>;

/// `7 0*3 5`: a value, or how often it follows itself; zeros at the end are left out.
std::string columnText(Values values) {
  while (!values.empty() && values.back() == 0) values.pop_back();
  std::string text;
  for (auto at = values.begin(); at != values.end();) {
    const auto next = std::find_if(at, values.end(), [&](std::int64_t value) { return value != *at; });
    text += (text.empty() ? "" : " ") + std::to_string(*at);
    if (next - at > 1) text += "*" + std::to_string(next - at);
    at = next;
  }
  return text;
}

/// The inverse, for at most `rows` values; empty if the text has another form.
std::optional<Values> readValues(std::string_view text, std::size_t rows) {
  Values values;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    std::int64_t value = 0;
    std::size_t times = 1;
    const char* const end = word.data() + word.size();
    auto read = std::from_chars(word.data(), end, value);
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '*')
      read = std::from_chars(read.ptr + 1, end, times);
    if (read.ec != std::errc{} || read.ptr != end || times > rows - values.size()) return std::nullopt;
    values.insert(values.end(), times, value);
  }
  return values;
}

/// The rows' lines and counts as columns; columns of zeros are left out.
template <class Row>
Json makeTable(const std::vector<Row>& rows) {
  Json table = Json::object();
  const auto put = [&rows](Json& into, const std::string& name, auto computeValue) {
    Values values;
    for (const Row& row : rows) values.push_back(static_cast<std::int64_t>(computeValue(row)));
    if (std::string text = columnText(std::move(values)); !text.empty()) into[name] = std::move(text);
  };
  put(table, "line", [](const Row& row) { return row.line; });
  for (const Column& column : kColumns) {
    put(table, column.name,
        [&](const Row& row) { return row.counts.*column.count - column.usual(row.counts); });
  }
  std::set<std::string> reasons;
  for (const Row& row : rows) {
    for (const StallCount& stall : row.counts.stalls) reasons.insert(stall.reason);
  }
  Json stalls = Json::object();
  for (const std::string& reason : reasons) {
    put(stalls, reason, [&](const Row& row) {
      const auto& all = row.counts.stalls;
      const auto found = std::ranges::find(all, reason, &StallCount::reason);
      return found == all.end() ? 0 : found->samples;
    });
  }
  if (!stalls.empty()) table["stalls"] = std::move(stalls);
  return table;
}

/// Fills rows from the columns of a table, and keeps the first error.
class TableReader {
 public:
  explicit TableReader(const Json& table) : table_(table) {}

  const std::optional<Error>& problem() const { return problem_; }

  /// A column's values: `rows` of them, with zeros after the written ones.
  Values column(const Json& table, const std::string& name, std::size_t rows) {
    const auto found = table.find(name);
    if (found == table.end()) return Values(rows);
    const auto* text = found->get_ptr<const std::string*>();
    auto values = text == nullptr ? std::nullopt : readValues(*text, rows);
    if (!values) fail("The column '" + printable(name, 60) + "' must be the table's whole numbers.");
    Values all = values ? std::move(*values) : Values();
    all.resize(rows);
    return all;
  }

  /// The number of rows that have a line.
  std::size_t lines() {
    Values lines = column(table_, "line", kMaxProfileRows);
    while (!lines.empty() && lines.back() == 0) lines.pop_back();
    return lines.size();
  }

  /// Reads the lines and counts of all rows.
  template <class Row>
  void fill(std::vector<Row>& rows) {
    const Values lines = column(table_, "line", rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (lines[i] < 0 || lines[i] > std::numeric_limits<std::int32_t>::max())
        return fail("A line must be from 0 to 2^31 - 1.");
      rows[i].line = static_cast<std::uint32_t>(lines[i]);
    }
    fillStalls(rows);
    for (const Column& column : kColumns) {
      const Values values = this->column(table_, column.name, rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ProfileCounts& counts = rows[i].counts;
        counts.*column.count = column.usual(counts) + static_cast<std::uint64_t>(values[i]);
        if (counts.*column.count > kMaxCount) return fail("A count must be from 0 to 2^53.");
      }
    }
  }

 private:
  template <class Row>
  void fillStalls(std::vector<Row>& rows) {
    const auto stalls = table_.find("stalls");
    if (stalls == table_.end()) return;
    if (!stalls->is_object() || stalls->size() > kMaxReasons)
      return fail("There are too many stall reasons.");
    for (const auto& [reason, text] : stalls->items()) {
      if (reason.size() > kMaxStallBytes) return fail("A stall reason is too long.");
      const Values values = column(*stalls, reason, rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (values[i] < 0 || static_cast<std::uint64_t>(values[i]) > kMaxCount)
          return fail("Samples must be from 0 to 2^53.");
        if (values[i] > 0) rows[i].counts.stalls.push_back({reason, static_cast<std::uint64_t>(values[i])});
      }
    }
    for (Row& row : rows)
      std::ranges::stable_sort(row.counts.stalls, std::ranges::greater{}, &StallCount::samples);
  }

  void fail(std::string what) {
    if (!problem_) problem_ = Error{std::move(what)};
  }

  const Json& table_;
  std::optional<Error> problem_;
};

/// Takes the field out of the object; an empty object if it is missing or not an object.
Json readTable(Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return Json::object();
  Json table = std::move(*found);
  json.erase(found);
  return table.is_object() ? table : Json::object();
}

std::vector<MeasuredCounter> opcodesInMessage(const std::vector<ProfileInstruction>& instructions) {
  std::vector<MeasuredCounter> opcodes = countOpcodes(instructions);
  if (opcodes.size() > kMaxMetrics) opcodes.resize(kMaxMetrics);
  return opcodes;
}

Result<std::vector<ProfileLine>> readLines(const Json& table) {
  TableReader reader(table);
  std::vector<ProfileLine> lines(reader.lines());
  reader.fill(lines);
  const bool hasNone = std::ranges::any_of(lines, [](const ProfileLine& one) { return one.line == 0; });
  if (reader.problem()) return *reader.problem();
  if (hasNone) return Error{"A line must be 1 or more."};
  return lines;
}

Result<std::vector<ProfileInstruction>> readInstructions(const Json& table) {
  std::vector<ProfileInstruction> instructions;
  if (const auto sass = table.find("sass"); sass != table.end()) {
    const auto isText = [](const Json& one) {
      const auto* text = one.get_ptr<const std::string*>();
      return text != nullptr && text->size() <= 2 * kMaxSassBytes;
    };
    if (!sass->is_array() || sass->size() > kMaxProfileRows || !std::ranges::all_of(*sass, isText))
      return Error{"The column 'sass' must be a list of instructions."};
    for (const Json& one : *sass) instructions.push_back({0, one.get<std::string>(), {}});
  }
  TableReader reader(table);
  reader.fill(instructions);
  if (reader.problem()) return *reader.problem();
  return instructions;
}

/// The messages of a recorded profile with metrics of these names.
Result<std::vector<WorkerMessage>> findProfile(Json json, const std::vector<std::string>& metrics) {
  const auto lines = readLines(readTable(json, "lines"));
  if (!lines) return lines.error();
  const auto instructions = readInstructions(readTable(json, "instructions"));
  if (!instructions) return instructions.error();
  const Json values = json["metrics"];
  if (!values.is_array() || values.size() != metrics.size())
    return Error{"The field 'metrics' must be a list of as many numbers as names came before."};
  Json named = Json::object();
  for (std::size_t i = 0; i < metrics.size(); ++i) named[metrics[i]] = values[i];
  json["metrics"] = std::move(named);
  const bool hasOpcodes = json.contains("opcodes");
  if (!hasOpcodes) json["opcodes"] = Json::object();
  json["type"] = ProfileMessage::kType;
  auto message = readMessage(json);
  if (!message) return message.error();
  auto& kernel = std::get<ProfileMessage>(message.value());
  if (!hasOpcodes) kernel.opcodes = opcodesInMessage(*instructions);
  const std::uint64_t run = kernel.run;
  std::vector<WorkerMessage> messages{std::move(kernel)};
  if (!lines->empty()) messages.emplace_back(ProfileLinesMessage{run, *lines});
  if (!instructions->empty()) messages.emplace_back(ProfileInstructionsMessage{run, *instructions});
  return messages;
}

}  // namespace

std::string RecordWriter::receive(const WorkerMessage& message) {
  if (std::holds_alternative<ProgressMessage>(message)) return {};
  if (const auto* kernel = std::get_if<ProfileMessage>(&message)) {
    std::string before = finish();
    profile_ = LaunchProfile{*kernel, {}, {}};
    return before;
  }
  if (std::holds_alternative<ProfileLinesMessage>(message) ||
      std::holds_alternative<ProfileInstructionsMessage>(message)) {
    if (profile_) addMessage(*profile_, message);
    return {};
  }
  return finish() + toLine(message) + "\n";
}

std::string RecordWriter::finish() {
  if (!profile_) return {};
  const LaunchProfile profile = std::exchange(profile_, std::nullopt).value();
  std::vector<std::string> names;
  Json values = Json::array();
  for (const MeasuredMetric& metric : profile.kernel.metrics) {
    names.push_back(metric.name);
    values.push_back(metric.value ? Json(*metric.value) : Json(nullptr));
  }
  std::string text;
  if (names != metrics_) text = jsonLine(Json{{"type", kMetricsType}, {"names", names}}) + "\n";
  metrics_ = std::move(names);
  Json json = parseJson(toLine(profile.kernel));
  json["type"] = kProfileType;
  json["metrics"] = std::move(values);
  if (profile.kernel.opcodes == opcodesInMessage(profile.instructions)) json.erase("opcodes");
  json["lines"] = makeTable(profile.lines);
  if (!profile.instructions.empty()) {
    json["instructions"] = makeTable(profile.instructions);
    for (const ProfileInstruction& one : profile.instructions)
      json["instructions"]["sass"].push_back(one.sass);
  }
  return text + jsonLine(json) + "\n";
}

Result<std::vector<WorkerMessage>> RecordReader::receive(std::string_view line) {
  const auto matchesName = [line](const char* type) {
    return line.starts_with("{\"type\":\"" + std::string(type) + "\"");
  };
  if (!matchesName(kMetricsType) && !matchesName(kProfileType)) {
    auto message = parseMessage(line);
    if (!message) return message.error();
    return std::vector<WorkerMessage>{std::move(message).value()};
  }
  Json json = parseJson(line);
  if (!json.is_object()) return Error{"Not a message: '" + printable(line, 80) + "'."};
  if (matchesName(kProfileType)) return findProfile(std::move(json), metrics_);
  FieldReader reader(json);
  reader.texts("names", metrics_, kMaxMetrics, kMaxMetricBytes);
  if (reader.problem()) return *reader.problem();
  return std::vector<WorkerMessage>{};
}

}  // namespace lanescope
