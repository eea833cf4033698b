#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/host.h"

namespace lanescope::testing {

/// Files in a map, and the folders that they are in; no other programs.
class MemoryHost : public Host {
 public:
  /// Writes a file into the working folder and gives its path.
  std::string put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = resolve(name);
    files_[path] = text;
    return path.string();
  }
  std::string get(const std::filesystem::path& path) const { return read(path, UINT64_MAX).value(); }
  /// From now on nothing can be written; until that is set back.
  void fill(bool isFull = true) { isFull_ = isFull; }
  /// The same for removing.
  void keepFiles(bool keeps = true) { keepsFiles_ = keeps; }

  FileKind kindOf(const std::filesystem::path& path) const override {
    const std::filesystem::path at = resolve(path);
    if (files_.contains(at)) return FileKind::File;
    if (at == resolve(".") || at == home()) return FileKind::Folder;
    for (const auto& [file, text] : files_) {
      if (isIn(file, at)) return FileKind::Folder;
    }
    return FileKind::None;
  }
  Result<std::string> read(const std::filesystem::path& path, std::uint64_t mostBytes) const override {
    const auto found = files_.find(resolve(path));
    if (found == files_.end())
      return Error{"There is no file '" + path.string() + "'.", "Look at the folder and the spelling."};
    if (found->second.size() > mostBytes) return Error{"'" + path.string() + "' is too large.", ""};
    return found->second;
  }
  std::optional<Error> write(const std::filesystem::path& path, const std::string& text) override {
    const std::filesystem::path at = resolve(path);
    if (isFull_) return Error{"'" + path.string() + "' cannot be written: the disk is full.", "Make room."};
    if (kindOf(at) == FileKind::Folder || kindOf(at.parent_path()) != FileKind::Folder)
      return Error{"'" + path.string() + "' cannot be written.", ""};
    files_[at] = text;
    return std::nullopt;
  }
  std::optional<Error> writeLasting(const std::filesystem::path& path, const std::string& text) override {
    return write(path, text);
  }
  bool remove(const std::filesystem::path& path) override {
    if (keepsFiles_ && files_.contains(resolve(path))) return false;
    files_.erase(resolve(path));
    return true;
  }
  std::shared_ptr<void> claim(const std::filesystem::path& path) override {
    std::weak_ptr<void>& held = claims_[resolve(path)];
    if (!held.expired()) return nullptr;
    const auto mine = std::make_shared<int>();
    held = mine;
    return mine;
  }
  bool rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    auto node = files_.extract(resolve(from));
    if (node.empty()) return false;
    files_[resolve(to)] = std::move(node.mapped());
    return true;
  }
  void makeFolder(const std::filesystem::path& /*path*/) override {}
  std::vector<Entry> list(const std::filesystem::path& folder) const override {
    const std::filesystem::path at = resolve(folder);
    std::map<std::string, bool> found;
    for (const auto& [file, text] : files_) {
      if (!isIn(file, at)) continue;
      const std::filesystem::path rest = file.lexically_relative(at);
      found[rest.begin()->string()] |= std::next(rest.begin()) != rest.end();
    }
    std::vector<Entry> entries;
    entries.reserve(found.size());
    for (const auto& [name, isFolder] : found) entries.push_back({name, isFolder});
    return entries;
  }
  std::filesystem::path resolve(const std::filesystem::path& path) const override {
    const std::filesystem::path at = (std::filesystem::path("/home/user") / path).lexically_normal();
    return at.has_filename() ? at : at.parent_path();
  }
  std::filesystem::path home() const override { return "/home"; }
  std::filesystem::path settingsPath() const override { return "/home/settings.json"; }
  bool startsPrograms() const override { return false; }
  std::optional<std::filesystem::path> findProgram(std::string_view /*name*/) const override {
    return std::nullopt;
  }

 private:
  static bool isIn(const std::filesystem::path& file, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  }

  std::map<std::filesystem::path, std::string> files_;
  std::map<std::filesystem::path, std::weak_ptr<void>> claims_;
  bool isFull_ = false;
  bool keepsFiles_ = false;
};

}  // namespace lanescope::testing
