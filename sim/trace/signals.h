#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope {

/// Tracks the accesses of other warps that each warp of a block can rely on through words that they signal
/// with: a volatile store or an atomic behind a fence publishes its warp's accesses before that fence, and
/// the ones published to it, to the warp whose volatile load or atomic finds the word later. A vector clock
/// per warp, over the numbers of accesses.
class Signals {
 public:
  void blockBegins(std::size_t warps) {
    clocks_.assign(warps, Clock(warps, 0));
    unfenced_.assign(warps, Clock(warps, 0));
    signals_.clear();
  }

  /// `fenced` is the number of the first access behind the thread's last fence, 0 without one; `now` is the
  /// signal's number.
  void release(std::uint64_t word, std::size_t warp, std::uint32_t fenced, std::uint32_t now) {
    const auto [signal, isNew] = signals_.try_emplace(word);
    if (isNew) signal->second = {Clock(clocks_.size(), 0), Clock(clocks_.size(), 0)};
    if (fenced != 0) join(signal->second.fenced, clocks_[warp]);
    std::uint32_t& published = signal->second.fenced[warp];
    published = std::max(published, fenced);
    join(signal->second.unfenced, unfenced_[warp]);
    signal->second.unfenced[warp] = now + 1;  // the signal too
  }
  void acquire(std::uint64_t word, std::size_t warp) {
    const auto signal = signals_.find(word);
    if (signal == signals_.end()) return;
    join(clocks_[warp], signal->second.fenced);
    join(unfenced_[warp], signal->second.unfenced);
  }

  /// True if the access of `earlier` was published to the other warp.
  bool isPublished(std::uint32_t access, std::size_t earlier, std::size_t now) const {
    return access < clocks_[now][earlier];
  }
  /// The same, as if there had been a fence before each signal, or for a signal itself.
  bool isSignalled(std::uint32_t access, std::size_t earlier, std::size_t now) const {
    return access < unfenced_[now][earlier];
  }

 private:
  using Clock = std::vector<std::uint32_t>;  ///< by warp: its accesses with lower numbers were published
  struct Signal {
    Clock fenced;
    Clock unfenced;
  };
  static void join(Clock& into, const Clock& other) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] = std::max(into[w], other[w]);
  }

  std::vector<Clock> clocks_;
  std::vector<Clock> unfenced_;
  std::unordered_map<std::uint64_t, Signal> signals_;
};

}  // namespace lanescope
