#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Facts about a strategy's text, edited or not. KernelCache finds them once per text.
struct TextFacts {
  ElementType element = ElementType::Float;  ///< the type that the kernel writes to
  bool isOwn = true;                         ///< the strategy's own, except for the type of its elements
  bool operator==(const TextFacts&) const = default;
};

/// `kernels`: those of the text.
TextFacts collectFacts(const Strategy& strategy, std::string_view text,
                       std::span<const KernelSignature> kernels);

/// The parts of a strategy's run that are not the strategy's own, as headings name them: `edited`, `double`,
/// `launch changed`, or two of them: `double, launch changed`; "" if there are none. `hasForm`: a form
/// launches it.
std::string changeNote(const TextFacts& facts, bool hasForm);

}  // namespace lanescope
