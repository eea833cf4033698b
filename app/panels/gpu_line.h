#pragma once

#include <string>

#include "app/panels/base/view.h"
#include "app/panels/gpu_charts.h"

namespace lanescope {

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

}  // namespace lanescope
