#pragma once

#include <set>
#include <string>

#include "app/session/gpu/gpu_session.h"
#include "app/views/gpu/gpu_charts.h"

/// What the GPU panel says in words of whose numbers it shows.
namespace lanescope {

/// One sentence for each pinned run that has nothing in the chart, and why; empty where all have something.
/// `overN`: the chart over N, else the bars of one.
std::string pinsLeftOut(const BenchNumbers& numbers, const BenchChoice& choice, bool overN);

/// What is said below a chart: whom the last run left out, and the pinned runs that are not in it or else the
/// news at hand.
std::string wordsBelow(const GpuSession& gpu, const BenchChoice& choice, bool overN, const std::string& news);

/// Who is ticked: the picks, or without any those that a run would time.
std::set<std::string> tickedIds(const BenchChoice& choice);
/// `all that can: 27 of 41`, `all 41`, `3 of 41`.
std::string picksText(const BenchChoice& choice);
/// Ticks one or takes its tick away; the last tick stays.
void setPicked(BenchChoice& choice, const std::string& id, bool isPicked);

}  // namespace lanescope
