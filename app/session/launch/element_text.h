#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"
#include "sim/language/text/diagnostic.h"

/// The type of element of a strategy's text. The text says it: `float` stands for the element, and another
/// type is another text, as the worker compiles one for each.
namespace lanescope {

/// Those that a strategy's text can be written for: what it is written for, then what its head says.
std::vector<ElementType> elementTypesOf(const Strategy& strategy);

/// The type of that name, or nothing.
std::optional<ElementType> findElementType(std::string_view name);

/// The text with the word `from` as `to` wherever it is code. Comments stay, and so do words that only begin
/// alike: `float4`.
std::string withElements(std::string_view text, ElementType from, ElementType to);

/// What the strategy's kernel writes to in a text of those kernels: float where that is not known.
ElementType elementOf(const Strategy& strategy, std::span<const KernelSignature> kernels);

/// The text, of elements of type `from`, with another type. Errors, one sentence: a type that the strategy is
/// not for; an edited text of ints, of which nobody knows which are elements.
Result<std::string> changeElements(const Strategy& strategy, std::string_view text, ElementType from,
                                   ElementType to);

}  // namespace lanescope
