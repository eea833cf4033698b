#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/runtime/source_units.h"
#include "sim/memory/byte_set.h"

namespace lanescope::host {

/// The bytes of a program's buffer that were written, and by which operations; until all are.
class BufferHistory {
 public:
  struct Writer {
    std::string what;  ///< `the copy`, `fill`
    ProgramPlace place{};
    std::uint64_t bytes = 0;    ///< that a copy wrote
    std::uint64_t blocks = 0;   ///< of a launch; 0: it is none
    std::uint64_t threads = 0;  ///< in a block
    std::uint64_t element = 1;  ///< bytes of an element, as the kernel has it
  };

  explicit BufferHistory(std::uint64_t bytes) : written_(bytes) {}

  bool isThere() const { return written_.isThere(); }
  /// True once all bytes are written, or it is no longer worth following.
  bool isOver() const { return isOver_; }
  void giveUp() { isOver_ = true; }
  const ByteSet& written() const { return written_; }
  /// For a launch, which adds what it writes; launched() comes then.
  WatchedBytes forLaunch() { return {.written = &written_, .isAccessed = &isAccessed_}; }
  /// True if it gives up now, since launches that accessed it took too long.
  bool launched(const Writer& launch, double seconds);

  /// These bytes are written; note() comes when it is all.
  void add(std::uint64_t begin, std::uint64_t count);
  /// `count` bytes, each of which is as written as the one in the other buffer.
  void addCopy(std::uint64_t begin, const BufferHistory& from, std::uint64_t fromBegin, std::uint64_t count);
  /// What did it; unknown if `what` is empty.
  void note(const Writer& writer);

  /// As of the last note(): the reason the byte at an offset is not written, a sentence; `element`: the bytes
  /// of an element there, `allocated`: the line of the allocation, `p.cu:7`.
  std::string whyText(const Tutor& tutor, std::uint64_t offset, std::uint64_t element,
                      const std::string& allocated) const;
  /// As of then: the reason, if a mistake is known: bytes that were elements, the size of a pointer, a grid
  /// rounded down.
  std::optional<std::string> findMistake(const Tutor& tutor, std::uint64_t offset,
                                         std::uint64_t element) const;

 private:
  ByteSet written_;
  std::vector<Writer> writers_;  ///< the last ones
  std::uint64_t count_ = 0;      ///< written bytes
  std::uint64_t prefix_ = 0;     ///< and those from the first one on, at the last note()
  double seconds_ = 0;           ///< of launches that accessed it
  bool isAccessed_ = false;      ///< by the launch
  bool isOver_ = false;
};

}  // namespace lanescope::host
