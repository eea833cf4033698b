#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/language/check/typed_tree.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// Splits a printf text, including quotes, into its parts and conversions: `d i u x X o c` for integers, `e E
/// f F g G a A` for floating values, `p` for pointers, `s` for texts, `*` for widths. Length modifiers are
/// dropped, since every integer is passed in 64 bits. The caller sets the types. Error: another conversion.
Result<typed::PrintFormat> parsePrintFormat(std::string_view quoted);

/// The conversion with numbers in place of its `*`.
std::string withWidths(std::string conversion, std::span<const std::int64_t> widths);

/// A text printed with a conversion for texts, `%-10s`.
std::string formatPrintedText(const std::string& conversion, const std::string& text);

/// One value printed with its conversion. `bits` is a 64-bit integer, cut to the size of `type`, or a double.
std::string formatPrinted(const std::string& conversion, const Type& type, std::uint64_t bits);

}  // namespace lanescope
