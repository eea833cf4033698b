#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope {

/// A place of a ladder that is read.
struct LadderPlace {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  bool operator==(const LadderPlace&) const = default;
};

/// Which places of a ladder each thread read last: those since it stored what it had read before,
/// of one phase.
class LadderReads {
 public:
  void read(std::uint32_t thread, LadderPlace place, std::uint32_t phase) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    Reads& own = threads_[thread];
    if (own.phase != phase || own.areStored) own.places.clear();
    own.phase = phase;
    own.areStored = false;
    if (std::ranges::find(own.places, place) == own.places.end()) own.places.push_back(place);
  }
  void stored(std::uint32_t thread) {
    if (thread < threads_.size()) threads_[thread].areStored = true;
  }
  std::span<const LadderPlace> of(std::uint32_t thread) const {
    return thread < threads_.size() ? std::span<const LadderPlace>(threads_[thread].places)
                                    : std::span<const LadderPlace>();
  }

 private:
  struct Reads {
    std::uint32_t phase = 0;
    bool areStored = false;
    std::vector<LadderPlace> places;
  };
  std::vector<Reads> threads_;
};

}  // namespace lanescope
