#pragma once

#include <string>
#include <vector>

#include "app/scene/banks/bank_layout.h"
#include "app/scene/base/scene_builder.h"

namespace lanescope {

/// The colour of a request's wavefront, from 0; there are four.
ColorRole wavefrontColor(std::uint32_t wavefront);
/// How opaque those are that are over: text on the palest colour is readable, too.
inline constexpr float kFaintWavefront = 0.3F;

/// The wavefronts of a request that takes several: how many, a box for each to go to it, and the words that
/// each serves, on as many lines as they need and there is room for. What has no room is behind `+2 more`.
class WavefrontList {
 public:
  WavefrontList() = default;
  /// `wavefront`: the one under way, from 1; 0: they are not shown one by one. `isOpened`: it has the room of
  /// the banks, and ends with an entry that gives it back.
  WavefrontList(const SceneBuilder& out, const BankRequest& request, std::uint32_t wavefront,
                std::size_t mostLines, bool isOpened = false);

  /// Whether some have no room.
  bool isCut() const { return !rest_.empty(); }

  std::size_t lines() const { return lines_; }
  /// A click on a box goes to `steps`, as Cursor::steps; 0: nowhere.
  /// Hits: Wavefront (index: wavefront; step and wavefront: the place where it is under way), More (the entry
  /// for those without room, or the one that closes an opened list).
  void paint(SceneBuilder& out, const BankRequest& request, float left, float top, std::uint32_t steps) const;

 private:
  struct Entry {
    std::string text;
    float x = 0;  ///< from the list's left
    float width = 0;
    std::size_t line = 0;
    bool isSwitch = false;  ///< opens or closes the list
  };
  void addRest(const SceneBuilder& out, const BankRequest& request, std::uint32_t first, std::uint32_t listed,
               Entry entry);
  void addClose(const SceneBuilder& out, float x, float room, std::size_t mostLines);
  void paintBoxes(SceneBuilder& out, const BankRequest& request, float left, float top,
                  std::uint32_t steps) const;

  std::uint32_t wavefront_ = 0;
  std::string title_;
  float boxesX_ = 0, boxPitch_ = 0;
  std::size_t lines_ = 0;
  std::vector<Entry> entries_;
  std::string rest_;  ///< tooltip of the last entry, where it stands for others
};

}  // namespace lanescope
