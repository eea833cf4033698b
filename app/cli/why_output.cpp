#include "app/cli/why_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/strategies/shape.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

constexpr const char* kNoUnits = "the recording has no throughputs";

std::string extentText(const std::array<std::uint32_t, 3>& extent) {
  std::string text = std::to_string(extent[0]);
  if (extent[1] != 1 || extent[2] != 1) text += fmt::format(" x {}", extent[1]);
  if (extent[2] != 1) text += fmt::format(" x {}", extent[2]);
  return text;
}

std::string makeTitle(const Why& why) {
  const ProfileMessage& kernel = why.profile->kernel;
  std::string text = kernel.strategy.empty() ? kernel.kernel : kernel.strategy;
  if (kernel.n != 0) text += ", N = " + sizeText(kernel.n);
  return text + fmt::format(", {} blocks of {} threads ({}; {})", extentText(kernel.grid),
                            extentText(kernel.block), why.origin, kernel.tool);
}

std::string unitsText(const Diagnosis& diagnosis) {
  std::string text;
  for (const UnitLoad& unit : diagnosis.units)
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", unit.name, unit.percent);
  return text.empty() ? kNoUnits : text;
}

/// The limiting unit in a few words, for a table.
std::string limitText(const Diagnosis& diagnosis) {
  const UnitLoad* const unit = diagnosis.nearestUnit();
  if (unit == nullptr) return "not recorded";
  const Limiter limiter = findLimiter(unit->percent);
  return fmt::format("{}{} {:.0f}%{}", limiter == Limiter::Latency ? "latency; nearest: " : "", unit->name,
                     unit->percent, limiter == Limiter::UnitAndLatency ? " and latency" : "");
}

std::string stallText(const LineShare& line) {
  const StallShare* const stall = line.mainStall();
  if (stall == nullptr) return "";
  return fmt::format("{} {:.0f}%", stall->reason.words, 100 * stall->share);
}

Json stallsJson(const std::vector<StallShare>& stalls) {
  Json list = Json::array();
  for (const StallShare& stall : stalls) {
    list.push_back({{"reason", stall.id},
                    {"nsight", stall.reason.nsight},
                    {"words", stall.reason.words},
                    {"samples", stall.samples},
                    {"share", stall.share}});
  }
  return list;
}

Json lineJson(const LineShare& line) {
  Json json{{"line", line.line},
            {"text", line.text},
            {"samples", line.counts.samples},
            {"share", line.share},
            {"inst_executed", line.counts.executed},
            {"thread_inst_executed", line.counts.threadExecuted},
            {"instructions_per_warp", line.instructionsPerWarp},
            {"memory_l1_wavefronts_shared", line.counts.sharedWavefronts},
            {"memory_l2_theoretical_sectors_global", line.counts.globalSectors}};
  json["stalls"] = stallsJson(line.stalls);
  return json;
}

Json limitJson(const Diagnosis& diagnosis) {
  const UnitLoad* const unit = diagnosis.nearestUnit();
  if (unit == nullptr) return nullptr;
  return {{"unit", unit->name},
          {"percent", unit->percent},
          {"limited_by", limiterWords(findLimiter(unit->percent))}};
}

Json headJson(const Why& why) {
  const ProfileMessage& kernel = why.profile->kernel;
  Json json{{"strategy", kernel.strategy.empty() ? Json(nullptr) : Json(kernel.strategy)},
            {"kernel", kernel.kernel},
            {"n", kernel.n == 0 ? Json(nullptr) : Json(kernel.n)},
            {"grid", kernel.grid},
            {"block", kernel.block},
            {"origin", why.origin},
            {"tool", kernel.tool}};
  json["limiting_unit"] = limitJson(why.diagnosis);
  json["diagnosis"] = why.diagnosis.sentence;
  return json;
}

}  // namespace

std::string whyText(const Why& why) {
  const Diagnosis& diagnosis = why.diagnosis;
  std::string text = makeTitle(why) + "\n\n" + diagnosis.sentence + "\n";
  text += "Percent of peak: " + unitsText(diagnosis) + ".\n";
  if (!diagnosis.occupancy.empty()) text += diagnosis.occupancy + "\n";
  if (diagnosis.durationUs > 0)
    text += fmt::format("Time under the profiler: {:.1f} us.\n", diagnosis.durationUs);
  text += fmt::format("\n{:>6}  {}\n", "share", "of the warps' time");
  for (const StallShare& stall : diagnosis.stalls) {
    if (stall.share < kLeastPrintedShare) continue;
    text += fmt::format("{:5.1f}%  {} ({})\n", 100 * stall.share, stall.reason.words,
                        stall.reason.nsight.empty() ? stall.id : std::string(stall.reason.nsight));
  }
  text +=
      fmt::format("\n{:>6} {:>5} {:>10}  {:42} {}\n", "share", "line", "instr/warp", "main stall", "text");
  for (const LineShare& line : diagnosis.lines) {
    if (line.share < kLeastPrintedShare) continue;
    text += fmt::format("{:5.1f}% {:5} {:10.1f}  {:42} {}\n", 100 * line.share, line.line,
                        line.instructionsPerWarp, stallText(line), line.text);
  }
  if (diagnosis.outside > 0)
    text += fmt::format("{:5.1f}%     in code of headers\n", 100 * diagnosis.outside);
  return text;
}

std::string whyJson(const Why& why) {
  Json json{{"schema", "lanescope.why/1"}};
  json.update(headJson(why));
  const Diagnosis& diagnosis = why.diagnosis;
  json["duration_us"] = diagnosis.durationUs > 0 ? Json(diagnosis.durationUs) : Json(nullptr);
  json["units"] = Json::array();
  for (const UnitLoad& unit : diagnosis.units)
    json["units"].push_back({{"unit", unit.name}, {"percent", unit.percent}});
  json["occupancy"] = diagnosis.occupancy.empty() ? Json(nullptr) : Json(diagnosis.occupancy);
  json["metrics"] = Json::object();
  for (const MeasuredMetric& metric : why.profile->kernel.metrics)
    json["metrics"][metric.name] = metric.value ? Json(*metric.value) : Json(nullptr);
  json["samples"] = diagnosis.samples;
  json["inst_executed"] = diagnosis.executed;
  json["share_in_headers"] = diagnosis.outside;
  json["stalls"] = stallsJson(diagnosis.stalls);
  json["lines"] = Json::array();
  for (const LineShare& line : diagnosis.lines) json["lines"].push_back(lineJson(line));
  return jsonText(json);
}

namespace {

constexpr std::size_t kMostLines = 3;

/// `text` and as many blanks as fill `width` characters; a character outside ASCII counts as one.
std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
  const auto letters = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  const std::string blanks(width > letters ? width - letters : 0, ' ');
  return toTheRight ? blanks + text : text + blanks;
}

std::string nameFor(const ProfileSide& side) { return side.profile->profile->kernel.strategy; }

}  // namespace

std::string whyDifferenceText(const ProfileSide& left, const ProfileSide& right) {
  std::string text =
      fmt::format("left: {}\nright: {}\n({})\n", nameFor(left), nameFor(right), left.profile->origin);
  for (const DifferenceGroup& group : profileDifferences(left, right)) {
    text +=
        fmt::format("\n{:32}{:>12}{:>12}{:>12}{:>10}\n", group.title, "left", "right", "difference", "ratio");
    for (const CounterDifference& row : group.rows) {
      text += padded(row.name, 32, false) + padded(row.left, 12, true) + padded(row.right, 12, true) +
              padded(row.difference, 12, true) + padded(row.ratio, 10, true) + "\n";
    }
  }
  for (const auto& [title, side] : {std::pair("left", &left), std::pair("right", &right)}) {
    text += fmt::format("\n{}: {}\n", title, side->profile->diagnosis.sentence);
    for (const std::string& line : costliestLines(*side, kMostLines)) text += "  " + line + "\n";
    if (side->floors != nullptr) text += floorSentence(side->floors->floors, 0) + "\n";
  }
  return text;
}

std::string whyDifferenceJson(const ProfileSide& left, const ProfileSide& right) {
  Json json{{"schema", "lanescope.why-difference/1"}, {"left", nameFor(left)}, {"right", nameFor(right)}};
  json["origin"] = left.profile->origin;
  json["differences"] = Json::array();
  for (const DifferenceGroup& group : profileDifferences(left, right)) {
    for (const CounterDifference& row : group.rows) {
      json["differences"].push_back({{"group", group.title},
                                     {"name", row.name},
                                     {"left", row.left},
                                     {"right", row.right},
                                     {"difference", row.difference},
                                     {"ratio", row.ratio}});
    }
  }
  for (const auto& [title, side] : {std::pair("left", &left), std::pair("right", &right)}) {
    json[std::string(title) + "_lines"] = costliestLines(*side, kMostLines);
    json[std::string(title) + "_floor_us"] =
        side->floors == nullptr ? Json(nullptr) : Json(side->floors->floors.us());
  }
  return jsonText(json);
}

std::string whyTableText(const std::vector<Why>& rows) {
  std::string text;
  std::string origin;
  std::string missing;
  for (const Why& why : rows) {
    if (why.profile == nullptr) {
      missing += (missing.empty() ? "" : ", ") + why.origin;
      continue;
    }
    if (why.origin != origin) {
      origin = why.origin;
      text += fmt::format("{}{}\n{:26} {:30} {:>5} {:>6}  {:42} {}\n", text.empty() ? "" : "\n", origin,
                          "strategy", "limiting unit", "line", "share", "main stall", "text");
    }
    text += fmt::format("{:26} {:30}", why.profile->kernel.strategy, limitText(why.diagnosis));
    if (const LineShare* const line = why.diagnosis.costliestLine())
      text += fmt::format(" {:5} {:5.1f}%  {:42} {}", line->line, 100 * line->share, stallText(*line),
                          line->text);
    text += "\n";
  }
  if (missing.empty()) return text;
  return text + "\nNo profile was recorded of " + missing +
         ".\nlanescope-gpu profile all --record FILE records them on a machine with Nsight Compute.\n";
}

std::string whyTableJson(const std::vector<Why>& rows) {
  Json json{{"schema", "lanescope.why-table/1"}};
  json["strategies"] = Json::array();
  json["not_recorded"] = Json::array();
  for (const Why& why : rows) {
    if (why.profile == nullptr) {
      json["not_recorded"].push_back(why.origin);
      continue;
    }
    Json row = headJson(why);
    const LineShare* const line = why.diagnosis.costliestLine();
    row["costliest_line"] = line == nullptr ? Json(nullptr) : lineJson(*line);
    json["strategies"].push_back(row);
  }
  return jsonText(json);
}

}  // namespace lanescope::cli
