// A program's text for a compiler that only has the device.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/source_text.h"

namespace lanescope::syntax {

/// The text for NVRTC, which compiles for the device and has neither the host's headers nor files beside the
/// text. It has everything that `kernel` (`name` or `name<128>`; empty: any) may reach, with macros replaced
/// and the text's own `#include`s read. Every token is in its line and, if there is room, in its column. The
/// headers of the toolkit and the standard library come first. Functions of the host are left out, also those
/// of classes. A text without code for the host is returned unchanged.
std::string deviceText(const SourceText& source, std::string_view kernel);

}  // namespace lanescope::syntax
