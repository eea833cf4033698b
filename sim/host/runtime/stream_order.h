#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/runtime/source_units.h"

namespace lanescope::host {

/// Bytes by their addresses: [begin, end).
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A launch, a copy or another operation of a stream, and the memory that it touches.
struct StreamWork {
  std::string what;  ///< `the kernel make`, `the copy`
  ProgramPlace place{};
  std::vector<Interval> reads{};   ///< rising
  std::vector<Interval> writes{};  ///< rising
  /// Whole pages of these that the host reaches, too.
  std::vector<Interval> readPages{};
  std::vector<Interval> writtenPages{};
  /// It may touch less: the host should wait for it, but it conflicts with no other work.
  bool isGuess = false;
};

/// What comes before what in a program's streams, by vector clocks of the streams and of the host (CUDA
/// Programming Guide, "Streams", "Events", "Default Stream"): a stream does its work in order; the legacy
/// default stream, number 0, waits for all work of blocking streams, and they for its; an event orders the
/// work before its record before what waits for it.
class StreamOrder {
 public:
  /// By stream: work up to that number is done.
  using Clock = std::vector<std::uint64_t>;

  /// A new stream's number: one of a removed stream again, if its work is done.
  std::size_t addStream(bool isBlocking);
  void removeStream(std::size_t stream) { streams_[stream].isRemoved = true; }
  /// True if there is a stream besides the default one.
  bool isUsed() const { return streams_.size() > 1; }

  /// What the next work in a stream comes after.
  Clock clockOf(std::size_t stream) const;
  void waitFor(std::size_t stream, const Clock& event);
  void hostWaitsFor(const Clock& clock);
  void hostWaitsForAll();

  struct Conflict {
    StreamWork earlier;
    bool earlierWrites = false;
    bool laterWrites = false;
    std::uint64_t address = 0;
  };
  /// Adds work to a stream; a conflict if it touches what other work touches that has no order with it, and
  /// one of them writes.
  std::optional<Conflict> add(std::size_t stream, StreamWork work);

  /// The work that the host has not waited for and that would conflict with an access of the host; null:
  /// none.
  const StreamWork* findPending(Interval bytes, bool isWrite) const;
  /// Calls f(pages, isWrite) for the pages of all work that the host has not waited for.
  template <class F>
  void forEachPage(const F& f) const {
    for (const Pending& each : pending_) {
      for (const Interval& pages : each.work.readPages) f(pages, false);
      for (const Interval& pages : each.work.writtenPages) f(pages, true);
    }
  }
  /// The operations dropped, as too many were in flight: no conflict with them is found.
  std::uint64_t dropped() const { return dropped_; }
  /// The memory is not the program's any more.
  void forget(Interval bytes);

 private:
  struct Stream {
    bool isBlocking = true;
    std::uint64_t count = 0;
    Clock clock;
    bool isRemoved = false;
  };
  struct Pending {
    std::size_t stream = 0;
    std::uint64_t number = 0;
    StreamWork work;
  };
  static void join(Clock& into, const Clock& other);
  static bool has(const Clock& clock, std::size_t stream, std::uint64_t number) {
    return stream < clock.size() && clock[stream] >= number;
  }

  std::vector<Stream> streams_{1};
  Clock host_;
  std::vector<Pending> pending_;  ///< the host has not waited for these
  std::uint64_t dropped_ = 0;
};

}  // namespace lanescope::host
