#include "app/launch/kernel_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "sim/base/counted.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

bool isKernelFile(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kEndings{".cu", ".cuh", ".cpp", ".h", ".lanescope"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

constexpr std::size_t kMostIncludes = 64;
constexpr std::uint64_t kMostIncludedBytes = std::uint64_t{4} << 20;

struct IncludedName {
  std::string name;
  bool isBracketed = false;  ///< `<name>`
};

/// The names behind `#include`, in order; also those in a comment, which only costs a search for a file.
std::vector<IncludedName> includedNames(std::string_view text) {
  std::vector<IncludedName> names;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    std::string_view rest = text.substr(at + 1, 512);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with("include")) continue;
    rest.remove_prefix(7);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const bool isBracketed = rest.starts_with('<');
    if (!isBracketed && !rest.starts_with('"')) continue;
    const std::size_t end = rest.find_first_of(isBracketed ? ">\n" : "\"\n", 1);
    if (end != std::string_view::npos && rest[end] != '\n')
      names.push_back({std::string(rest.substr(1, end - 1)), isBracketed});
  }
  return names;
}

}  // namespace

std::vector<std::string> headerFolders(const Host& host, const std::string& path) {
  constexpr int kMostAround = 4;
  constexpr std::array<const char*, 13> kUsual{"include",        "inc",     "common", "Common", "common/inc",
                                               "common/include", "src",     "util",   "utils",  "lib",
                                               "tools",          "helpers", "headers"};
  std::vector<std::string> folders;
  const fs::path folder = fs::path(path).parent_path();
  fs::path at = host.resolve(folder.empty() ? fs::path(".") : folder);
  for (int i = 0; i < kMostAround && at.has_relative_path(); ++i, at = at.parent_path()) {
    folders.push_back(at.string());
    for (const char* const usual : kUsual) {
      if (host.kindOf(at / usual) == Host::FileKind::Folder) folders.push_back((at / usual).string());
    }
    if (host.kindOf(at / ".git") != Host::FileKind::None) break;
  }
  return folders;
}

Result<std::string> readKernelFile(const Host& host, const std::string& path, std::uint64_t mostBytes) {
  Result<std::string> read = host.read(path, mostBytes);
  if (!read) return read;
  std::string text = std::move(read).value();
  if (text.find('\0') != std::string::npos)
    return Error{fmt::format("'{}' is not text.", path), "Name a .cu file, as UTF-8."};
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // the byte-order mark of some editors
  return text;
}

std::vector<IncludedText> readIncludes(const Host& host, const std::string& path, std::string_view text,
                                       const std::vector<std::string>& directories) {
  const fs::path folder = fs::path(path).parent_path();
  std::vector<fs::path> searched(directories.begin(), directories.end());
  std::ranges::copy(headerFolders(host, path), std::back_inserter(searched));
  std::vector<IncludedText> found;
  std::vector<fs::path> folders;  // of the files found
  std::uint64_t bytes = 0;
  // True if the file is known by the name, or was read now.
  const auto read = [&](const fs::path& relative, const fs::path& file) {
    const std::string name = relative.lexically_normal().generic_string();
    const auto isIt = [&](const IncludedText& known) { return known.path == name; };
    if (relative.is_absolute() || std::ranges::any_of(found, isIt)) return true;
    if (found.size() >= kMostIncludes) return false;
    auto content = readKernelFile(host, file.string(), kMostIncludedBytes);
    if (!content || bytes + content->size() > kMostIncludedBytes) return false;
    bytes += content->size();
    found.push_back({name, std::move(*content)});
    folders.push_back(file.parent_path());
    return true;
  };
  const auto readAll = [&](const std::vector<IncludedName>& names, const fs::path& beside,
                           const fs::path& folderOfIt) {
    for (const auto& [name, isBracketed] : names) {
      if (!isBracketed && read(beside / name, folderOfIt / name)) continue;
      if (!isBracketed && !beside.empty() && read(name, folder / name)) continue;
      if (isToolkitHeader(name)) continue;
      for (const fs::path& one : searched) {
        if (read(name, one / name)) break;
      }
    }
  };
  readAll(includedNames(text), {}, folder);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<IncludedName> names = includedNames(found[i].text);
    const fs::path folderOfIt = folders[i];
    readAll(names, fs::path(found[i].path).parent_path(), folderOfIt);
  }
  return found;
}

std::vector<std::string> completePath(const Host& host, const std::string& typed, std::size_t most) {
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string start = slash == std::string::npos ? typed : typed.substr(slash + 1);
  std::vector<std::tuple<bool, std::string>> found;
  for (const auto& [name, isFolder] : host.list(folder.empty() ? "." : host.withHome(folder))) {
    if (!name.starts_with(start) || (name.starts_with('.') && !start.starts_with('.'))) continue;
    if (isFolder || isKernelFile(name)) found.emplace_back(!isFolder, folder + name + (isFolder ? "/" : ""));
  }
  std::ranges::sort(found);
  std::vector<std::string> paths;
  for (auto& [isFile, path] : found) {
    if (paths.size() < most) paths.push_back(std::move(path));
  }
  return paths;
}

std::string commonStart(const std::vector<std::string>& paths) {
  if (paths.empty()) return "";
  std::string start = paths.front();
  for (const std::string& path : paths) {
    const auto [mine, theirs] = std::ranges::mismatch(start, path);
    start.erase(mine, start.end());
  }
  return start;
}

}  // namespace lanescope
