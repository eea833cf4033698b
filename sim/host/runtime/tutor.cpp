#include "sim/host/runtime/tutor.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

namespace lanescope::host {
namespace {

constexpr std::size_t kMostSentences = 40;

std::string nameFor(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// The lines of a command's output.
std::vector<std::string> readLines(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  if (pipe == nullptr) return lines;
  std::array<char, 1024> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
    std::string line(buffer.data());
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

void Tutor::explain(std::string_view place, std::string_view sentence) {
  std::string text = place.empty() ? fmt::format("lanescope: {}\n", sentence)
                                   : fmt::format("lanescope: {}: {}\n", place, sentence);
  if (said_.size() > kMostSentences || !said_.insert(text).second) return;
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string Tutor::findPlace(std::string_view path, int line) {
  return fmt::format("{}:{}", nameFor(path), line);
}

/// The innermost of the inlined frames that is in a file of the program's own.
std::string Tutor::placeOfOffset(std::uint64_t offset) const {
  const std::string command = fmt::format("addr2line -i -e '{}' 0x{:x} 2>/dev/null", binary_, offset);
  for (const std::string& line : readLines(command)) {
    const std::string file = line.substr(0, line.find(':'));
    const bool isKnown =
        !line.starts_with("?") && line.find(":?") == std::string::npos && !line.ends_with(":0");
    const bool isOurs = file.find("/usr/") == 0 || file.find("lanescope/include") != std::string::npos;
    if (isKnown && !isOurs) return nameFor(line.substr(0, line.find(' ')));
  }
  return "";
}

const void* Tutor::caller() const {
  std::array<void*, 48> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int f = 0; f < count; ++f) {
    Dl_info info{};
    void* const frame = frames[static_cast<std::size_t>(f)];
    if (::dladdr(frame, &info) != 0 && info.dli_fname != nullptr && binary_ == info.dli_fname) return frame;
  }
  return nullptr;
}

std::string Tutor::placeOfCode(const void* code, bool isReturn) const {
  Dl_info info{};
  if (code == nullptr || ::dladdr(code, &info) == 0 || info.dli_fname == nullptr || binary_ != info.dli_fname)
    return "";
  const auto offset = static_cast<const char*>(code) - static_cast<const char*>(info.dli_fbase);
  return placeOfOffset(static_cast<std::uint64_t>(offset) - (isReturn ? 1 : 0));
}

}  // namespace lanescope::host
