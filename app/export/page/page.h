#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/export/base/pictures.h"
#include "app/export/base/sequence.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// What a page shows besides the trace.
struct PageOptions {
  PictureOptions pictures{};  ///< its title, and what is chosen in the pictures; they have their own sizes
  Grain grain = Grain::Instruction;    ///< of its steps
  std::uint32_t opensAt = 0;           ///< as Cursor::steps, where the address says nothing
  const Strategy* strategy = nullptr;  ///< whose lesson it is; nullptr: none
  std::uint64_t n = 0;                 ///< elements of that strategy's launch
};

/// One HTML file that needs nothing else: array, warps, banks and source as ImageWriter draws each for
/// itself, the phase in words, the counters and the lesson, to be stepped through in a browser. Before each
/// step `goesOn` gets the number of steps drawn; false ends it. Errors: it was stopped; more than kMostFrames
/// steps.
Result<std::string> pageHtml(const std::shared_ptr<const Trace>& trace, const PageOptions& options,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
