#pragma once

#include <set>
#include <string>

#include "app/gpu/gpu_session.h"
#include "app/panels/gpu_charts.h"

/// The GPU panel's words for the source of its numbers.
namespace lanescope {

/// One sentence for each pinned run that has nothing in the chart, and why; empty if all have something.
/// `overN`: the chart over N, else the bars of one.
std::string pinsLeftOut(const BenchNumbers& numbers, const BenchChoice& choice, bool overN);

/// The text below a chart: the contenders that the last run left out, and the pinned runs that are not in it,
/// or else the current news.
std::string wordsBelow(const GpuSession& gpu, const BenchChoice& choice, bool overN, const std::string& news);

/// The ticked ids: the picks, or if there are none those that a run would time.
std::set<std::string> tickedIds(const BenchChoice& choice);
/// `all that can: 27 of 41`, `all 41`, `3 of 41`.
std::string picksText(const BenchChoice& choice);
/// Sets or clears one's tick; the last tick stays.
void setPicked(BenchChoice& choice, const std::string& id, bool isPicked);

}  // namespace lanescope
