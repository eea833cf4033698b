#pragma once

#include <set>
#include <string>
#include <string_view>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"
#include "app/panels/gpu_charts.h"

namespace lanescope {

/// A sentence for the window: a strategy's id in quotation marks, as on the command line, is replaced by its
/// title.
std::string withTitles(std::string_view sentence);

// The GPU panel's words for the source of its numbers.

/// One sentence for each pinned run that has nothing in the chart, and why; empty if all have something.
/// `shown`: the pinned runs that have something. `overN`: the chart over N, else the bars of one.
std::string pinsLeftOut(const BenchNumbers& numbers, const BenchChoice& choice,
                        const std::set<std::size_t>& shown, bool overN);

/// The text below a chart: the contenders that the last run left out, and `leftOutPins` (see pinsLeftOut), or
/// else the current news.
std::string wordsBelow(const GpuSession& gpu, const BenchChoice& choice, const std::string& leftOutPins,
                       const std::string& news);

/// The ticked ids: the picks, or if there are none those that a run would time.
std::set<std::string> tickedIds(const BenchChoice& choice);
/// `all that can: 27 of 41`, `all 41`, `3 of 41`.
std::string picksText(const BenchChoice& choice);
/// Sets or clears one's tick; the last tick stays.
void setPicked(BenchChoice& choice, const std::string& id, bool isPicked);

/// The GPU panel in one line: the current strategy's speed on a GPU.
struct GpuLine {
  /// `423 GB/s on an H200: 9% of what its memory delivers`, else why there is no number. If an edited text
  /// was not timed, it says so, and that the number is of the text as shipped.
  std::string text;
  std::string brief{};  ///< for less room: `423 GB/s, 9% of an H200's bandwidth`; empty if there is none
  std::string terse{};  ///< for still less: `423 GB/s, 9% of bandwidth`
  float share = -1;     ///< of the read ceiling, 0 to 1; negative: unknown
};
/// From the shown numbers, live or recorded. `document`: has the current text; nullptr if none.
GpuLine gpuLine(const GpuSession& gpu, const BenchChoice& choice, const Document* document);

/// `an H200`, `a GeForce RTX 4090`: a GPU's name without its maker.
std::string withArticle(std::string gpu);

/// Draws it with its bar, in that width; true if it was clicked.
bool drawGpuLine(const ViewContext& context, const GpuLine& line, float width);

/// The open panel's heading, which folds it: a triangle and its name. True if it was clicked.
bool drawGpuHeading(const ViewContext& context);

// The GPU panel's room: its line, its charts, or the whole window.

bool gpuIsMaximised(const ViewState& state);
/// Commands in the panel unfold it, over the others if its column has room only for its line.
void enlargeGpu(ViewState& state);
/// Unfolds the panel, and folds it.
void toggleGpu(ViewState& state);

}  // namespace lanescope
