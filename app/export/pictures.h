#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/text_measure.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {

/// The pictures that can be exported. All: array, warps and banks beside the source, with a caption.
enum class Picture : std::uint8_t { Array, Warps, Banks, Timeline, Source, All };

/// Their names on a command line: `array`, `warps`, `banks`, `timeline`, `source`, `all`.
std::string_view pictureName(Picture picture);
std::vector<std::string> pictureNames();
/// The picture of that name, or empty.
std::optional<Picture> findPicture(std::string_view name);

struct PictureSize {
  float width = 0;  ///< logical pixels
  float height = 0;
};

/// The smallest and the largest side that can be requested.
inline constexpr int kLeastSide = 160;
inline constexpr int kMostSide = 8192;

/// The size at which a picture's text has its own size: unit 1.
PictureSize ownSize(Picture picture, const Moment& moment);

/// The options of a picture, besides its moment.
struct PictureOptions {
  PictureSize size{};          ///< 0 x 0: its own
  std::string title;           ///< of a page: `Baseline, N = 64`; empty: the kernel's name
  bool isTitled = false;       ///< a single picture also has its title above it
  TimelineNotes notes{};       ///< hazards, for the timeline
  std::int64_t thread = -1;    ///< lit up in every picture; -1: none
  std::int32_t variable = -1;  ///< shown in every lane instead of the thread's number; -1: none
  std::int32_t warp = -1;      ///< shown large; -1: the running one
  bool hidesFuture = false;    ///< limited to the steps done, as while the user predicts
};

/// A picture of a trace at a moment. It fills its size; the background is the panel's, or for All the
/// window's: see pictureBackground().
Scene pictureScene(Picture picture, const Moment& moment, const PictureOptions& options,
                   const TextMeasure& measure);
ColorRole pictureBackground(Picture picture);

/// The place of a moment, in words: `phase 2 of 5, step size 1 · step 9 of 61 · wavefront 1 of 2`.
std::string placeText(const Moment& moment);
/// The title if no better one is known: `baseline, 32 threads per block, on nvidia`.
std::string launchText(const Trace& trace);

/// A panel as the window draws one, framed, with a picture in it.
void addPanel(Scene& page, const Scene& part, float left, float top, float radius);

}  // namespace lanescope
