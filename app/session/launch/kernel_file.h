#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/run/launch.h"

namespace lanescope {

/// The bytes of a file of at most `mostBytes`. Errors, one sentence each: no such file, no regular
/// file, larger than that, not readable, no text. Without a byte-order mark.
Result<std::string> readKernelFile(const std::string& path, std::uint64_t mostBytes);

/// Reads `X`, `X,Y` or `X,Y,Z` (`8x8` too), each as readSize() does; `what` begins the error's sentence:
/// "--grid" or "The grid".
Result<Dim3> parseExtent(const std::string& text, const std::string& what);

/// Ways to go on from a half-typed path: folders (with '/'), kernel files (.cu, .cuh, .cpp, .h) and session
/// files (.lanescope), sorted, folders first, at most `most`. "~/" means the home folder. Hidden ones only
/// where asked for.
std::vector<std::string> completePath(const std::string& typed, std::size_t most);
/// What all of them begin with.
std::string commonStart(const std::vector<std::string>& paths);
/// The path with "~/" resolved.
std::string withHome(const std::string& path);

}  // namespace lanescope
