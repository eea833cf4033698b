#pragma once

#include <string>
#include <vector>

#include "app/analysis/floor_report.h"

namespace lanescope::cli {

/// As text: the floor of each unit, its parts, and the sentence.
std::string floorsText(const FloorReport& report);
/// `lanescope.floors/1`.
std::string floorsJson(const FloorReport& report);

/// A row of the table over all strategies: a report, or why there is none.
struct FloorsRow {
  std::string strategy;
  std::optional<FloorReport> report;
  std::string problem;
};
std::string floorsTableText(const std::vector<FloorsRow>& rows);
/// `lanescope.floors-table/1`.
std::string floorsTableJson(const std::vector<FloorsRow>& rows);

}  // namespace lanescope::cli
