#pragma once

#include <string>

#include "app/views/base/view.h"

namespace lanescope {

/// Opens a kernel file or a session file, and remembers it; the session's error() says what stands in the
/// way.
void openPath(ViewState& state, const std::string& path);

/// Writes the session (to a path that ends with .lanescope) or the text at hand (to any other), and remembers
/// the path. The error is one sentence.
std::optional<Error> savePath(ViewState& state, const std::string& path);

/// The path that saving offers first: the file's own, else the strategy's name beside the working folder.
std::string startingSavePath(const ViewState& state);

}  // namespace lanescope
