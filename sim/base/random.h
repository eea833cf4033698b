#pragma once

#include <cstdint>

namespace lanescope {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {
    // Neighbouring seeds must not give one sequence, shifted.
    state_ = next() ^ 0x5851f42d4c957f2du;
    state_ = next();
  }
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(next() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace lanescope
