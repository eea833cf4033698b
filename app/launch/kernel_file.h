#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/host.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// The text of a file of at most `mostBytes`, without a byte-order mark. Errors: those of Host::read(), or
/// that it is not text.
Result<std::string> readKernelFile(const Host& host, const std::string& path, std::uint64_t mostBytes);

/// Folders for a project's headers that are not beside a file, as its build gives them with -I: the folders
/// around the file up to its repository's, and the usual ones in each. Only existing ones.
std::vector<std::string> headerFolders(const Host& host, const std::string& path);

/// The existing files that a text's `#include` lines name, and those that these include: looked for beside
/// the text's file and the one that names them (not those in <>), then in `directories` (of -I) and in
/// headerFolders(). At most 64 of 4 MiB in all; more are treated as missing, as are those that cannot be
/// read. The CUDA Toolkit's own are read only if they are beside the file and named in quotes.
std::vector<IncludedText> readIncludes(const Host& host, const std::string& path, std::string_view text,
                                       const std::vector<std::string>& directories = {});

/// Completions of a half-typed path: folders (with '/'), kernel files (.cu, .cuh, .cpp, .h) and session files
/// (.lanescope), sorted, folders first, at most `most`. "~/" means the home folder. Hidden ones only if
/// requested.
std::vector<std::string> completePath(const Host& host, const std::string& typed, std::size_t most);
/// The longest common beginning of all of them.
std::string commonStart(const std::vector<std::string>& paths);

}  // namespace lanescope
