#pragma once

#include <cstdint>
#include <optional>

#include "app/workbench/document.h"
#include "app/workbench/selection.h"
#include "kernels/protocol/edited_messages.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// The current text and launch as a GPU takes them: with warps of 32 lanes, whatever machine is shown.
/// Errors: a form's wrong entry; a strategy that such a machine cannot run over that N.
Result<Launch> makeGpuLaunch(const Document& document, const Selection& selection, KernelCache& kernels);

/// A launch with a time that can be shown beside the built-in strategies'.
struct TimedLaunch {
  std::uint64_t n = 0;
  std::uint32_t block = 0;
  std::uint64_t bytes = 0;  ///< that it must move: the bandwidth is bytes over time
  TextLaunch launch;
  std::optional<std::uint32_t>
      sumArgument;              ///< the buffer with the elements that make the sum of all n; a reduction's
  std::uint64_t additions = 0;  ///< behind that sum at most, for the tolerance
  ElementType type = ElementType::Float;  ///< of the elements
};

/// The most elements that a text is timed over: larger buffers take seconds to fill and to fetch.
inline constexpr std::uint64_t kMostTextN = std::uint64_t{1} << 26U;

/// A strategy's text, edited or not, launched as the bench launches that strategy over `n` elements of that
/// type with `block` threads on a GPU of `sms` multiprocessors. Errors, one sentence: a document with a
/// launch form, which has a launch of its own; n over kMostTextN; those of shapeOfThreads.
Result<TimedLaunch> makeTimedLaunch(const Document& document, std::uint64_t n, std::uint32_t block,
                                    std::uint32_t sms, ElementType element);

/// A form's launch as the bench would name it: n is the count of its largest buffer, every buffer is moved
/// once. Nullopt if it has no buffer of floats.
std::optional<TimedLaunch> makeTimedForm(const Launch& launch);

}  // namespace lanescope
