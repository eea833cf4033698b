#pragma once

#include <string_view>

#include "app/pictures/base/scene.h"

namespace lanescope {

/// How wide text is; the screen's fonts answer exactly, a headless run approximately.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  /// Width in logical pixels of one line of UTF-8 text at a font size in logical pixels.
  virtual float width(FontRole font, float size, std::string_view text) const = 0;
};

/// Widths from a table of Inter's and JetBrains Mono's advances: within a few percent, never less
/// for digits and letters. For SVG and for tests.
class ApproximateMeasure final : public TextMeasure {
 public:
  float width(FontRole font, float size, std::string_view text) const override;
};

/// Size of the note beside a panel's heading, as a factor of its role's own size.
inline constexpr float kNoteScale = 0.86F;

/// The smallest letters drawn anywhere, in logical pixels: text without room for them is omitted.
inline constexpr float kLeastText = 11;

/// Font size of a role at unit 1, in logical pixels.
float fontSize(FontRole font);

}  // namespace lanescope
