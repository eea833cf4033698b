#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/warp_place.h"

namespace lanescope {

/// `masked off`, `at barrier` …
std::string_view nameFor(LaneState state);

/// How many lanes of a warp are in each state.
struct WarpCount {
  std::array<unsigned, 6> lanes{};
  unsigned of(LaneState state) const { return lanes[static_cast<std::size_t>(state)]; }
};

/// The texts of the picture of the warps.
class WarpText {
 public:
  WarpText(const Moment& moment, const SceneContext& context)
      : moment_(moment), trace_(moment.trace), context_(context), places_(findWarpPlaces(moment)) {}

  /// True if it has not reached the current line, and that may be said.
  bool isBehind(std::uint32_t warp) const { return places_[warp].isBehind && !context_.hidesFuture; }
  /// How many warps have not reached the current line.
  std::size_t countBehind() const {
    return context_.hidesFuture
               ? 0
               : static_cast<std::size_t>(std::ranges::count(places_, true, &WarpPlace::isBehind));
  }
  /// The line of its last step; 0 if it has done none, or has ended.
  std::uint32_t findLine(std::uint32_t warp) const { return places_[warp].hasEnded ? 0 : places_[warp].line; }
  std::uint32_t currentLine() const { return moment_.step() ? moment_.step()->line : 0; }
  /// A warp's place in the text, for its tooltip; empty if it has none.
  std::string describePlace(std::uint32_t warp) const;

  static WarpCount parseCount(std::span<const LaneState> lanes);
  /// `16 of 32 active, 50%`
  std::string share(const WarpCount& count) const;
  /// True if the lane is at fault for the end of the block, at that moment.
  bool isAtFault(std::uint32_t warp, unsigned lane) const;
  /// `thread 7 faults`; "" if the warp's step is not a fault.
  std::string describeFault(std::uint32_t warp) const;
  /// The most common reason why the inactive lanes are inactive.
  std::string reason(std::uint32_t warp, const WarpCount& count) const;
  /// True if a variable was chosen, to be shown for every lane.
  bool showsVariable() const {
    return context_.variable >= 0 && static_cast<std::size_t>(context_.variable) < trace_.variables.size();
  }
  /// The value of the chosen variable in a thread; "" if it has none.
  std::string computeValue(std::uint32_t thread) const;
  /// The chosen variable over a warp: `k = 4 in all lanes`, `i: 0, 2 … 30`.
  std::string readValues(std::uint32_t warp) const;
  /// The tooltip of a lane.
  std::string makeTip(std::uint32_t warp, unsigned lane, LaneState state) const;

 private:
  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
  std::vector<WarpPlace> places_;
};

}  // namespace lanescope
