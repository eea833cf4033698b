#include "app/paint/png_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <utility>

#include <cairo-ft.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "app/base/whole.h"
#include "app/paint/theme.h"

namespace lanescope {

struct FaceDeleter {
  void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
};
struct ScaledDeleter {
  void operator()(cairo_scaled_font_t* font) const { cairo_scaled_font_destroy(font); }
};
struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
struct OptionsDeleter {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};

using FacePointer = std::unique_ptr<cairo_font_face_t, FaceDeleter>;
using ScaledPointer = std::unique_ptr<cairo_scaled_font_t, ScaledDeleter>;
using OptionsPointer = std::unique_ptr<cairo_font_options_t, OptionsDeleter>;

namespace {

constexpr std::size_t kRoles = 4;
constexpr double kMeasuredSize = 1000;  ///< advances are measured at this size and grow with it evenly
constexpr double kHalfCapitals = 0.36;  ///< of the size: the baseline below the middle of capitals, as in SVG

FacePointer openFace(const std::filesystem::path& file, FontRole role) {
  if (!file.empty()) {
    FcPattern* pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.c_str()));
    FcPatternAddInteger(pattern, FC_INDEX, 0);
    FacePointer face(cairo_ft_font_face_create_for_pattern(pattern));
    FcPatternDestroy(pattern);
    if (cairo_font_face_status(face.get()) == CAIRO_STATUS_SUCCESS) return face;
  }
  return FacePointer(
      cairo_toy_font_face_create(role == FontRole::Mono ? "monospace" : "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                 role == FontRole::Bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL));
}

/// Letters stay at their positions in the layout: no hinting, no rounding of advances.
OptionsPointer plainOptions() {
  OptionsPointer options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  return options;
}

ScaledPointer scaledTo(cairo_font_face_t* face, double size) {
  cairo_matrix_t font;
  cairo_matrix_t identity;
  cairo_matrix_init_scale(&font, size, size);
  cairo_matrix_init_identity(&identity);
  return ScaledPointer(cairo_scaled_font_create(face, &font, &identity, plainOptions().get()));
}

/// The text that cairo can draw: control characters and broken UTF-8 are replaced.
std::string drawable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    const std::string_view letter = text.substr(at, std::max<std::size_t>(length, 1));
    const bool isWhole =
        length > 0 && letter.size() == length && std::ranges::all_of(letter.substr(1), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        });
    const bool isControl = lead < 0x20 || lead == 0x7F;
    if (!isWhole) {
      clean += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    if (!isControl) clean += letter;
    at += length;
  }
  return clean;
}

}  // namespace

struct PngFonts::Faces {
  std::array<FacePointer, kRoles> faces;
  std::array<ScaledPointer, kRoles> measured;

  cairo_font_face_t* of(FontRole role) const { return faces[static_cast<std::size_t>(role)].get(); }
  double width(FontRole role, double size, const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_scaled_font_text_extents(measured[static_cast<std::size_t>(role)].get(), text.c_str(), &extents);
    return extents.x_advance * size / kMeasuredSize;
  }
};

PngFonts::PngFonts(std::unique_ptr<Faces> faces) : faces_(std::move(faces)) {}
PngFonts::~PngFonts() = default;

Result<std::shared_ptr<const PngFonts>> PngFonts::load(const std::vector<std::filesystem::path>& folders) {
  auto faces = std::make_unique<Faces>();
  for (const FontRole role : {FontRole::Body, FontRole::Bold, FontRole::Mono, FontRole::Small}) {
    const auto index = static_cast<std::size_t>(role);
    faces->faces[index] = openFace(fontFile(folders, role), role);
    faces->measured[index] = scaledTo(faces->faces[index].get(), kMeasuredSize);
    if (cairo_scaled_font_status(faces->measured[index].get()) != CAIRO_STATUS_SUCCESS) {
      faces->faces[index] = openFace({}, role);
      faces->measured[index] = scaledTo(faces->faces[index].get(), kMeasuredSize);
    }
    if (cairo_scaled_font_status(faces->measured[index].get()) != CAIRO_STATUS_SUCCESS)
      return Error{"No font was found to write PNGs with.", "Install fonts-inter and fonts-jetbrains-mono."};
  }
  return std::shared_ptr<const PngFonts>(new PngFonts(std::move(faces)));
}

float PngMeasure::width(FontRole font, float size, std::string_view text) const {
  return static_cast<float>(fonts_->faces().width(font, static_cast<double>(size), drawable(text)));
}

namespace {

class PngPainter {
 public:
  PngPainter(cairo_t* context, const Theme& theme, const PngFonts& fonts)
      : context_(context), theme_(theme), fonts_(fonts) {
    cairo_set_font_options(context_, plainOptions().get());
  }

  void paint(const DrawItem& item) {
    setColor(item);
    cairo_set_line_width(context_, static_cast<double>(item.width));
    switch (item.kind) {
      case DrawItem::Kind::FillRect:
        outline(item);
        cairo_fill(context_);
        break;
      case DrawItem::Kind::StrokeRect:
        outline(item);
        cairo_stroke(context_);
        break;
      case DrawItem::Kind::Line:
        move(item.x, item.y);
        lineTo(item.x + item.w * item.portion, item.y + item.h * item.portion);
        cairo_stroke(context_);
        break;
      case DrawItem::Kind::Curve: paintCurve(item); break;
      case DrawItem::Kind::Triangle: paintTriangle(item); break;
      case DrawItem::Kind::Text: paintText(item); break;
    }
  }

 private:
  void move(float x, float y) { cairo_move_to(context_, static_cast<double>(x), static_cast<double>(y)); }
  void lineTo(float x, float y) { cairo_line_to(context_, static_cast<double>(x), static_cast<double>(y)); }

  void setColor(const DrawItem& item) {
    const Rgba color = theme_.color(item.color);
    cairo_set_source_rgba(context_, color.r / 255.0, color.g / 255.0, color.b / 255.0,
                          color.a / 255.0 * static_cast<double>(item.alpha));
  }

  void outline(const DrawItem& item) {
    const double x = static_cast<double>(item.x);
    const double y = static_cast<double>(item.y);
    const double w = static_cast<double>(item.w);
    const double h = static_cast<double>(item.h);
    const double r = std::min({static_cast<double>(item.radius), w / 2, h / 2});
    if (r <= 0) return cairo_rectangle(context_, x, y, w, h);
    constexpr double kQuarter = std::numbers::pi / 2;
    cairo_new_sub_path(context_);
    cairo_arc(context_, x + w - r, y + r, r, -kQuarter, 0);
    cairo_arc(context_, x + w - r, y + h - r, r, 0, kQuarter);
    cairo_arc(context_, x + r, y + h - r, r, kQuarter, 2 * kQuarter);
    cairo_arc(context_, x + r, y + r, r, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(context_);
  }

  void paintCurve(const DrawItem& item) {
    const std::array<Point, 4> points = controlPoints(item);
    move(points[0].x, points[0].y);
    cairo_curve_to(context_, static_cast<double>(points[1].x), static_cast<double>(points[1].y),
                   static_cast<double>(points[2].x), static_cast<double>(points[2].y),
                   static_cast<double>(points[3].x), static_cast<double>(points[3].y));
    cairo_stroke(context_);
  }

  void paintTriangle(const DrawItem& item) {
    move(item.x, item.y);
    if (item.verticalCurve) {
      lineTo(item.x + item.w, item.y);
      lineTo(item.x + item.w / 2, item.y + item.h);
    } else {
      lineTo(item.x + item.w, item.y + item.h / 2);
      lineTo(item.x, item.y + item.h);
    }
    cairo_close_path(context_);
    cairo_fill(context_);
  }

  void paintText(const DrawItem& item) {
    const std::string text = drawable(item.text);
    const auto size = static_cast<double>(item.size > 0 ? item.size : fontSize(item.font));
    const double width = fonts_.faces().width(item.font, size, text);
    const double shift = item.align == Align::Left ? 0.0 : item.align == Align::Center ? width / 2 : width;
    cairo_set_font_face(context_, fonts_.faces().of(item.font));
    cairo_set_font_size(context_, size);
    cairo_move_to(context_, static_cast<double>(item.x) - shift,
                  static_cast<double>(item.y) + size * kHalfCapitals);
    cairo_show_text(context_, text.c_str());
    cairo_new_path(context_);
  }

  cairo_t* context_;
  const Theme& theme_;
  const PngFonts& fonts_;
};

/// A scale with two decimals, rounded down: `1.25`, `2`.
std::string scaleText(double scale) {
  std::string text = std::to_string(std::floor(scale * 100) / 100);
  text.resize(text.find('.') + 3);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// The reason why a picture of that size cannot be made; empty if it can.
std::optional<Error> sizeProblem(const Scene& scene, double width, double height) {
  const std::string size = std::to_string(roundToWhole<long>(width)) + " x " +
                           std::to_string(roundToWhole<long>(height)) + " pixels";
  if (width < 1 || height < 1)
    return Error{"A PNG has at least 1 pixel a side, and this one would have " + size + ".",
                 "Take a larger scale."};
  if (width <= kMostPngPixels && height <= kMostPngPixels && width * height <= kMostPngArea)
    return std::nullopt;
  const double w = static_cast<double>(scene.width);
  const double h = static_cast<double>(scene.height);
  const double fits = std::min(kMostPngPixels / std::max(w, h), std::sqrt(kMostPngArea / (w * h)));
  return Error{"A PNG has at most " + std::to_string(kMostPngPixels) + " pixels a side and " +
                   std::to_string(roundToWhole<long>(kMostPngArea / 1e6)) +
                   " million in all, and this one would have " + size + ".",
               (fits < 0.01 ? "Write" : "Take scale " + scaleText(fits) + " or less, or write") +
                   std::string(" SVG, which has no bound.")};
}

cairo_status_t appendTo(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

using SurfacePointer = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;

Error noMemoryFor(double width, double height) {
  return {"There is not enough memory for a picture of " + std::to_string(roundToWhole<long>(width)) + " x " +
              std::to_string(roundToWhole<long>(height)) + " pixels.",
          "Take a smaller size or scale.",
          {}};
}

/// An image in main memory with the scene on it.
Result<SurfacePointer> painted(const Scene& scene, const Theme& theme, const PngFonts& fonts, float scale,
                               ColorRole background) {
  const double width = std::round(static_cast<double>(scene.width) * static_cast<double>(scale));
  const double height = std::round(static_cast<double>(scene.height) * static_cast<double>(scale));
  if (auto problem = sizeProblem(scene, width, height)) return *std::move(problem);
  SurfacePointer surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, toWhole<int>(width), toWhole<int>(height)));
  const std::unique_ptr<cairo_t, ContextDeleter> context(cairo_create(surface.get()));
  const Rgba ground = theme.color(background);
  cairo_set_source_rgb(context.get(), ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
  cairo_paint(context.get());
  cairo_scale(context.get(), static_cast<double>(scale), static_cast<double>(scale));
  PngPainter painter(context.get(), theme, fonts);
  for (const DrawItem& item : scene.items) painter.paint(item);
  if (cairo_status(context.get()) != CAIRO_STATUS_SUCCESS) return noMemoryFor(width, height);
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

Result<std::string> toPng(const Scene& scene, const Theme& theme, const PngFonts& fonts, float scale,
                          ColorRole background) {
  const Result<SurfacePointer> surface = painted(scene, theme, fonts, scale, background);
  if (!surface) return surface.error();
  std::string bytes;
  if (cairo_surface_write_to_png_stream(surface->get(), appendTo, &bytes) != CAIRO_STATUS_SUCCESS) {
    return noMemoryFor(cairo_image_surface_get_width(surface->get()),
                       cairo_image_surface_get_height(surface->get()));
  }
  return bytes;
}

Result<Pixels> toPixels(const Scene& scene, const Theme& theme, const PngFonts& fonts, float scale,
                        ColorRole background) {
  const Result<SurfacePointer> surface = painted(scene, theme, fonts, scale, background);
  if (!surface) return surface.error();
  Pixels pixels;
  pixels.width = static_cast<std::size_t>(cairo_image_surface_get_width(surface->get()));
  pixels.height = static_cast<std::size_t>(cairo_image_surface_get_height(surface->get()));
  pixels.rgb.resize(pixels.width * pixels.height);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface->get()));
  const unsigned char* const rows = cairo_image_surface_get_data(surface->get());
  const std::size_t rowBytes = pixels.width * sizeof(std::uint32_t);
  for (std::size_t y = 0; y < pixels.height; ++y)
    std::memcpy(pixels.rgb.data() + y * pixels.width, rows + y * stride, rowBytes);
  return pixels;
}

}  // namespace lanescope
