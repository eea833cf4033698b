// A program's text for a compiler that has the device only.
#pragma once

#include <string>
#include <string_view>

#include "sim/language/text/source_text.h"

namespace lanescope::syntax {

/// The text for NVRTC, which compiles for the device and has neither the host's headers nor files beside the
/// text: what `kernel` (`name` or `name<128>`; empty: any) may reach, with its macros replaced and its own
/// `#include`s read, every token in its line and, where it is as long there, in its column; before it the
/// toolkit's and the standard library's headers. Functions of the host go, those of classes, too. A text that
/// has nothing for the host is given as it is.
std::string deviceText(const SourceText& source, std::string_view kernel);

}  // namespace lanescope::syntax
