#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/paint/png_painter.h"
#include "app/paint/theme.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/timeline_scene.h"
#include "app/workbench/walk.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Reads `1280x720`, each side from `least` to `most`; no value if it has another format.
inline std::optional<std::pair<int, int>> readWidthAndHeight(const std::string& text, int least, int most) {
  int width = 0;
  int height = 0;
  int length = 0;
  const bool isRead = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &length) == 2 &&
                      static_cast<std::size_t>(length) == text.size();
  const auto fits = [&](int side) { return side >= least && side <= most; };
  if (!isRead || !fits(width) || !fits(height)) return std::nullopt;
  return std::pair(width, height);
}

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
  PictureSize size{};     ///< 0 x 0: its own
  std::string title;      ///< of a page: `Baseline, N = 64`; empty: the kernel's name
  bool isTitled = false;  ///< a single picture also has its title above it
  std::vector<HazardMark> hazards{};
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

/// The step at which a phase's banks are shown, as Cursor::steps: the first access with the most wavefronts
/// beyond its ideal, else the first shared access, shuffle or global access, else the end.
std::uint32_t tellingStep(const Trace& trace, const Phase& phase);

/// Called before each phase of a page with the number drawn so far.
using PhaseWatcher = std::function<void(std::size_t done)>;

/// The whole walk on one page, one row per phase: its label and counters, the array at the end of the phase,
/// and the banks at its telling step. `width` in logical pixels, at least kLeastSide, is that of a column: a
/// page that would be higher than `mostHeight` is folded into as many columns as it needs, read from left to
/// right, each from its top. The height follows. Lay it on the window's background. `title` is at the head.
/// Before each phase `watch` gets the number drawn, and `stop` is checked. Errors: more than
/// kMostStripPhases; it was stopped.
Result<Scene> stripScene(const std::shared_ptr<const Trace>& trace, const std::string& title, float width,
                         const TextMeasure& measure, const std::stop_token& stop = {},
                         float mostHeight = std::numeric_limits<float>::infinity(),
                         const PhaseWatcher& watch = {});

/// The most phases that one page may have.
inline constexpr std::size_t kMostStripPhases = 256;

/// The width at which its text has its own size.
inline constexpr float kStripWidth = 1600;

enum class ImageKind : std::uint8_t { Svg, Png };

/// The kind that a file's extension selects. Error: an extension other than .svg and .png.
Result<ImageKind> findImageKind(const std::filesystem::path& path);

/// Turns scenes into files of one kind. One object serves one thread.
class ImageWriter {
 public:
  /// `scale`: pixels per logical pixel; for an SVG, the factor of its displayed size. Error: this program
  /// cannot write PNG, with the missing package.
  static Result<ImageWriter> of(ImageKind kind, const Theme& theme, float scale = 1);

  /// Lay scenes out with it, so that their text has its place.
  const TextMeasure& measure() const { return *measure_; }
  /// The largest side of a scene, in logical pixels: cairo's limit, or none.
  float mostSide() const;
  /// The file's bytes, over a background of that role. Errors: those of toPng().
  Result<std::string> write(const Scene& scene, ColorRole background = ColorRole::Panel) const;
  /// Only for a writer of PNGs: the same picture's pixels. Errors: those of toPng().
  Result<Pixels> pixels(const Scene& scene, ColorRole background = ColorRole::Panel) const;

 private:
  ImageWriter(const Theme& theme, float scale) : theme_(&theme), scale_(scale) {}

  const Theme* theme_;
  float scale_;
  std::shared_ptr<const PngFonts> fonts_;  ///< not set: SVG
  std::shared_ptr<const TextMeasure> measure_;
};

/// The scene with every text as wide in `drawn` as in the measure of its layout: for scenes of the screen,
/// whose letters are smaller than their nominal size.
Scene refitted(Scene scene, const TextMeasure& laidOut, const TextMeasure& drawn);

}  // namespace lanescope
