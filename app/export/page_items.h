#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/pictures/base/scene.h"

namespace lanescope {

/// The draw items of many pictures, each kept once, as JSON that page.js draws as toSvg() would.
class PageItems {
 public:
  /// The number of that item: equal for items that look the same to a tenth of a pixel.
  std::uint32_t toNumber(const DrawItem& item);

  /// `[["rect","rx=…"],…]`: an element's name and the attributes that many items share. A colour is the class
  /// `f` (fill) or `s` (stroke) with the role's number.
  std::string styles() const { return "[" + styles_ + "]"; }
  /// `[[style,x,y,w,h],…]`. A text: style, x, y, its length or 0, the text. Else a path: a line's two points,
  /// a triangle's three, a curve's four.
  std::string items() const { return "[" + items_ + "]"; }

 private:
  std::uint32_t findStyle(const DrawItem& item);

  std::unordered_map<std::string, std::uint32_t> known_;  ///< by all fields: most items come at many steps
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t> styleNumbers_;
  std::string styles_;
  std::string items_;
};

/// One picture at every step; each frame refers to items of the previous one and lists the new ones.
class PageReel {
 public:
  void add(std::vector<std::uint32_t> numbers);
  /// `[frame,…]`. A frame is 0 if nothing changed, else pairs: `from, count` items of the previous frame; a
  /// negative `from` stands for the items numbered -1 - from and up.
  std::string frames() const { return "[" + frames_ + "]"; }

 private:
  std::vector<std::uint32_t> last_;
  std::unordered_map<std::uint32_t, std::uint32_t> places_;  ///< in `last_`
  std::string frames_;
};

/// As a JSON string, safe within a script element.
std::string quotedForPage(const std::string& text);

}  // namespace lanescope
