#pragma once

#include <string>
#include <vector>

#include "app/pictures/bank_layout.h"
#include "app/pictures/base/scene_builder.h"

namespace lanescope {

/// The colour of a request's wavefront, from 0; there are four.
ColorRole wavefrontColor(std::uint32_t wavefront);
/// The opacity of past wavefronts: text on the palest colour is still readable.
inline constexpr float kFaintWavefront = 0.3F;

/// The wavefronts of a request that takes several: their number, a box for each to jump to it, and the words
/// that each serves, on as many lines as needed if there is room. Entries without room are behind `+2 more`.
class WavefrontList {
 public:
  WavefrontList() = default;
  /// `wavefront`: the current one, from 1; 0 if they are not shown one by one. `isOpened`: the list takes the
  /// room of the banks, and ends with an entry that closes it.
  WavefrontList(const SceneBuilder& out, const BankRequest& request, std::uint32_t wavefront,
                std::size_t mostLines, bool isOpened = false);

  /// True if some entries have no room.
  bool isCut() const { return !rest_.empty(); }

  std::size_t lines() const { return lines_; }
  /// A click on a box goes to `steps`, as Cursor::steps; 0: no link.
  /// Hits: Wavefront (index: wavefront; step and wavefront: the place at which it is current), More (the
  /// entry for those without room, or the one that closes an opened list).
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
  std::string rest_;  ///< tooltip of the last entry if it stands for others
};

}  // namespace lanescope
