#include "app/paint/svg_painter.h"

#include <iterator>

#include <fmt/format.h>

#include "app/scene/text_measure.h"

namespace lanescope {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        // Control characters are not allowed in XML 1.0.
        if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\t') out.push_back(letter);
    }
  }
  return out;
}

class SvgWriter {
 public:
  SvgWriter(const Scene& scene, const Theme& theme) : scene_(scene), theme_(theme) {}

  /// Without ligatures: JetBrains Mono draws `/=` as one sign that reads as "is not equal".
  std::string write(ColorRole background, float scale) {
    emit(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{2:g}\" height=\"{3:g}\" viewBox=\"0 0 {0:g} "
        "{1:g}\" style=\"font-variant-ligatures:none\">\n",
        scene_.width, scene_.height, scene_.width * scale, scene_.height * scale);
    emit("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", hex(background));
    for (const DrawItem& item : scene_.items) writeItem(item);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void emit(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  std::string hex(ColorRole role) const {
    const Rgba color = theme_.color(role);
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
  }
  std::string opacity(const DrawItem& item, std::string_view name) const {
    const double alpha = static_cast<double>(item.alpha) * theme_.color(item.color).a / 255.0;
    return alpha >= 0.999 ? std::string() : fmt::format(" {}-opacity=\"{:.3g}\"", name, alpha);
  }
  void writeItem(const DrawItem& item);
  void writeText(const DrawItem& item);

  const Scene& scene_;
  const Theme& theme_;
  std::string out_;
};

void SvgWriter::writeText(const DrawItem& item) {
  const bool mono = item.font == FontRole::Mono;
  const std::string_view family = mono ? "JetBrains Mono, monospace" : "Inter, Helvetica, Arial, sans-serif";
  const std::string_view anchor = item.align == Align::Left     ? "start"
                                  : item.align == Align::Center ? "middle"
                                                                : "end";
  const float size = item.size > 0 ? item.size : fontSize(item.font);
  // The anchor is the vertical centre; the baseline of capitals lies 0.36 of the size below it.
  emit(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-family=\"{}\" font-size=\"{:.4g}\"{} text-anchor=\"{}\" "
      "fill=\"{}\"{}>{}</text>\n",
      item.x, item.y + size * 0.36F, family, size, item.font == FontRole::Bold ? " font-weight=\"700\"" : "",
      anchor, hex(item.color), opacity(item, "fill"), escaped(item.text));
}

void SvgWriter::writeItem(const DrawItem& item) {
  const std::string color = hex(item.color);
  const float endX = item.x + item.w;
  const float endY = item.y + item.h;
  switch (item.kind) {
    case DrawItem::Kind::FillRect:
      emit(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{:.3g}\" "
          "fill=\"{}\"{}/>\n",
          item.x, item.y, item.w, item.h, item.radius, color, opacity(item, "fill"));
      break;
    case DrawItem::Kind::StrokeRect:
      emit(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{:.3g}\" fill=\"none\" "
          "stroke=\"{}\" stroke-width=\"{:.3g}\"{}/>\n",
          item.x, item.y, item.w, item.h, item.radius, color, item.width, opacity(item, "stroke"));
      break;
    case DrawItem::Kind::Line:
      emit("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" stroke-width=\"{:.3g}\"{}/>\n", item.x,
           item.y, item.x + item.w * item.portion, item.y + item.h * item.portion, color, item.width,
           opacity(item, "stroke"));
      break;
    case DrawItem::Kind::Curve: {
      const std::array<Point, 4> points = controlPoints(item);
      emit(
          "<path d=\"M{:.2f} {:.2f}C{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f}\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"{:.3g}\"{}/>\n",
          points[0].x, points[0].y, points[1].x, points[1].y, points[2].x, points[2].y, points[3].x,
          points[3].y, color, item.width, opacity(item, "stroke"));
      break;
    }
    case DrawItem::Kind::Triangle:
      if (item.verticalCurve) {
        emit("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\" fill=\"{}\"{}/>\n", item.x, item.y,
             endX, item.y, item.x + item.w / 2, endY, color, opacity(item, "fill"));
      } else {
        emit("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\" fill=\"{}\"{}/>\n", item.x, item.y,
             endX, item.y + item.h / 2, item.x, endY, color, opacity(item, "fill"));
      }
      break;
    case DrawItem::Kind::Text: writeText(item); break;
  }
}

}  // namespace

std::string toSvg(const Scene& scene, const Theme& theme, ColorRole background, float scale) {
  return SvgWriter(scene, theme).write(background, scale);
}

}  // namespace lanescope
