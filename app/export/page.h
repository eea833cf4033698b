#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/export/pictures.h"
#include "app/export/sequence.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// The contents of a page besides the trace.
struct PageOptions {
  PictureOptions pictures{};  ///< its title, and the selection in the pictures; they have their own sizes
  Grain grain = Grain::Instruction;    ///< of its steps
  std::uint32_t opensAt = 0;           ///< as Cursor::steps, unless the address has a step
  const Strategy* strategy = nullptr;  ///< the strategy of the lesson; nullptr: none
  std::uint64_t n = 0;                 ///< elements of that strategy's launch
};

/// One self-contained HTML file to be stepped through in a browser: array, warps, banks and source, each as
/// ImageWriter draws it alone, the phase in words, the counters and the lesson. Before each step `goesOn`
/// gets the number of steps drawn; false ends it. Errors: it was stopped; more than kMostFrames steps.
Result<std::string> pageHtml(const std::shared_ptr<const Trace>& trace, const PageOptions& options,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
