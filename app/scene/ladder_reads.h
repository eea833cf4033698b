#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope {

/// Which places of a ladder each thread read last: those since it stored what it had read before,
/// of one phase.
class LadderReads {
 public:
  void read(std::uint32_t thread, std::uint32_t column, std::uint32_t phase) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    Reads& own = threads_[thread];
    if (own.phase != phase || own.areStored) own.columns.clear();
    own.phase = phase;
    own.areStored = false;
    if (std::ranges::find(own.columns, column) == own.columns.end()) own.columns.push_back(column);
  }
  void stored(std::uint32_t thread) {
    if (thread < threads_.size()) threads_[thread].areStored = true;
  }
  std::span<const std::uint32_t> of(std::uint32_t thread) const {
    return thread < threads_.size() ? std::span<const std::uint32_t>(threads_[thread].columns)
                                    : std::span<const std::uint32_t>();
  }

 private:
  struct Reads {
    std::uint32_t phase = 0;
    bool areStored = false;
    std::vector<std::uint32_t> columns;
  };
  std::vector<Reads> threads_;
};

}  // namespace lanescope
