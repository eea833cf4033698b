#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/panels/base/layout.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// A letter of a draw list.
struct DrawnLetter {
  ImVec2 low, high;  ///< its ink
  ImVec4 clip;       ///< what of the window its panel may draw in
  ImWchar code = 0;  ///< 0: only a part of it was drawn
  float pen = 0;     ///< where it begins, with its own margin
  float next = 0;    ///< where a letter after it begins
  float top = 0;     ///< of its line
  float space = 0;   ///< width of a space in its font
};

/// Letters are the quads whose texture coordinates span a rectangle; the font atlas of the current
/// context tells which.
std::vector<DrawnLetter> drawnLetters(const ImDrawList& list);

/// Consecutive letters of a line, with spaces between the words.
struct DrawnText {
  std::string text;
  ImVec2 low, high;
  std::vector<float> ends;  ///< x at the right of each byte's letter
  ImVec2 middle() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2}; }
};

/// What can be read there in the last frame, in the order in which it was drawn.
std::vector<DrawnText> textsIn(const Area& area);
/// The same in one text, a space for each new line: a sentence that was wrapped reads as it was written.
std::string textIn(const Area& area);
/// The middle of that in the first text that begins so, else in the first that has it within; (-1, -1) where
/// there is none.
ImVec2 findPlace(std::string_view text, const Area& area);

/// Without spaces: what is compared of a picture, whose texts may touch.
std::string withoutSpaces(std::string_view text);
std::string withoutSpaces(const Scene& scene);

}  // namespace lanescope
