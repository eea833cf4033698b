#pragma once

#include <cstddef>
#include <string>

namespace lanescope::cli {

/// `[=====     ]`, as full as `done` is of `total`.
std::string barText(std::size_t done, std::size_t total);

/// One line on a terminal's stderr, which is overwritten, and wiped at the end. If stderr is not a terminal,
/// there is no output.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// True if there is a terminal to write to.
  bool isShown() const { return isShown_; }
  void show(const std::string& text);
  void wipe();

 private:
  bool isShown_;
  std::string last_;
};

}  // namespace lanescope::cli
