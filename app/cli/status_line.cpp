#include "app/cli/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lanescope::cli {
namespace {

constexpr std::size_t kBar = 30;  ///< letters

}  // namespace

std::string barText(std::size_t done, std::size_t total) {
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
  const auto full = std::min(kBar, static_cast<std::size_t>(share * kBar));
  return fmt::format("[{}{}]", std::string(full, '='), std::string(kBar - full, ' '));
}

StatusLine::StatusLine() : isShown_(::isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(const std::string& text) {
  if (!isShown_ || text == last_) return;
  wipe();
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
  last_ = text;
}

void StatusLine::wipe() {
  if (!last_.empty()) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
  last_.clear();
}

}  // namespace lanescope::cli
