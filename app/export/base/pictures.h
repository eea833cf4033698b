#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/base/moment.h"
#include "app/scene/base/text_measure.h"
#include "app/scene/timeline/timeline_scene.h"

namespace lanescope {

/// The pictures that can be taken away. All: array, warps and banks beside the source, with a caption.
enum class Picture : std::uint8_t { Array, Warps, Banks, Timeline, Source, All };

/// Their names on a command line: `array`, `warps`, `banks`, `timeline`, `source`, `all`.
std::string_view pictureName(Picture picture);
std::vector<std::string> pictureNames();
/// The picture of that name, or nothing.
std::optional<Picture> findPicture(std::string_view name);

struct PictureSize {
  float width = 0;  ///< logical pixels
  float height = 0;
};

/// The smallest and the largest that a side may be asked to have.
inline constexpr int kLeastSide = 160;
inline constexpr int kMostSide = 8192;

/// The size at which a picture's text has its own size: unit 1.
PictureSize ownSize(Picture picture, const Moment& moment);

/// How a picture is drawn besides what its moment says.
struct PictureOptions {
  PictureSize size{};          ///< 0 x 0: its own
  std::string title;           ///< of a page: `Baseline, N = 64`; empty: the kernel's name
  bool isTitled = false;       ///< a single picture has its title above it, too
  TimelineNotes notes{};       ///< hazards, for the timeline
  std::int64_t thread = -1;    ///< lit up in every picture; -1: none
  std::int32_t variable = -1;  ///< in every lane instead of the thread's number; -1: none
  std::int32_t warp = -1;      ///< shown large; -1: the one that runs
  bool hidesFuture = false;    ///< only what the steps done show, as where it is to be predicted
};

/// A picture of a trace at a moment. It fills its size; the background is the panel's, that of All the
/// window's: see pictureBackground().
Scene pictureScene(Picture picture, const Moment& moment, const PictureOptions& options,
                   const TextMeasure& measure);
ColorRole pictureBackground(Picture picture);

/// Where a moment is, in words: `phase 2 of 5, step size 1 · step 9 of 61 · wavefront 1 of 2`.
std::string placeText(const Moment& moment);
/// What is shown where nothing better is known: `baseline, 32 threads per block, on nvidia`.
std::string launchText(const Trace& trace);

/// A panel as the window draws one, framed, with a picture in it.
void addPanel(Scene& page, const Scene& part, float left, float top, float radius);

}  // namespace lanescope
