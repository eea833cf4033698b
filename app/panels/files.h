#pragma once

#include <string>

#include "app/panels/base/view.h"

namespace lanescope {

/// Opens a kernel file or a session file, and remembers it. If it fails, the session's error() says why.
void openPath(ViewState& state, const std::string& path);

/// Writes the session (to a path that ends with .lanescope) or the current text (to any other), and remembers
/// the path. The error is one sentence.
std::optional<Error> savePath(ViewState& state, const std::string& path);

/// The path that saving suggests first: the file's, or else the strategy's name in the working folder.
std::string startingSavePath(const ViewState& state);

}  // namespace lanescope
