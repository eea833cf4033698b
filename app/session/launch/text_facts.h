#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/session/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// What a text at a strategy's place is, edited or not. KernelCache finds it out once for a text.
struct TextFacts {
  ElementType element = ElementType::Float;  ///< what the kernel writes to
  bool isOwn = true;                         ///< the strategy's own, but for the type of its elements
  bool operator==(const TextFacts&) const = default;
};

/// `kernels`: those of the text.
TextFacts factsOf(const Strategy& strategy, std::string_view text, std::span<const KernelSignature> kernels);

/// What of a strategy's run is not the strategy's own, as headings say it: `edited`, `double`, `launch
/// changed`, or two of them: `double, launch changed`; "" for nothing. `hasForm`: a form launches it.
std::string changeNote(const TextFacts& facts, bool hasForm);

}  // namespace lanescope
