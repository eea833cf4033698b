#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/diagnostic.h"

/// The type of element of a strategy's text. `float` in the text is the element; each other type has a text
/// of its own, as the worker compiles one for each.
namespace lanescope {

/// The types that a strategy's text can be written for: its own first, then those that its head names.
std::vector<ElementType> findElementTypes(const Strategy& strategy);

/// The type of that name, or nullopt.
std::optional<ElementType> findElementType(std::string_view name);

/// The text with the word `from` as `to` wherever it is code. Comments stay, and so do words that only begin
/// alike: `float4`.
std::string withElements(std::string_view text, ElementType from, ElementType to);

/// The type that the strategy's kernel writes to in a text of those kernels: float if unknown.
ElementType findElement(const Strategy& strategy, std::span<const KernelSignature> kernels);

/// The text, of elements of type `from`, with another type. Errors, one sentence: a type that the strategy is
/// not for; an edited text of ints, since it is unknown which of them are elements.
Result<std::string> changeElements(const Strategy& strategy, std::string_view text, ElementType from,
                                   ElementType to);

}  // namespace lanescope
