#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "kernels/protocol/protocol.h"

namespace lanescope {

/// Splits a stream of bytes into lines in bounded memory: a line over the limit is dropped.
class LineReader {
 public:
  explicit LineReader(std::size_t limit = kMaxLineBytes) : limit_(limit) {}

  /// Called with each complete line, without its end; `overlong` lines are empty.
  using Handler = std::function<void(std::string_view line, bool overlong)>;

  /// Takes the next bytes of the stream.
  void feed(std::string_view bytes, const Handler& onLine);

  /// The end of the stream: passes on a last line without a newline.
  void finish(const Handler& onLine);

  /// Bytes of the unfinished line that were dropped because it passed the limit.
  std::size_t droppedBytes() const { return dropped_; }

 private:
  void keep(std::string_view part);
  void endLine(const Handler& onLine);

  std::size_t limit_;
  std::string line_;
  std::size_t dropped_ = 0;
};

}  // namespace lanescope
