#include "app/paint/svg_painter.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "app/pictures/base/scene.h"

namespace lanescope {
namespace {

void addEscaped(std::string& out, char letter) {
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

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

bool isSign(char letter) {
  const bool isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return letter > ' ' && letter < 0x7F && !isLetter && !isDigit(letter);
}

/// True if a font may draw two neighbours as one sign: JetBrains Mono makes `/=` a crossed-out `=` and joins
/// `www`, Inter makes `->` an arrow and the x of `2x4` a times sign.
bool mayJoin(char left, char right) {
  const auto isTimes = [](char a, char b) { return isDigit(a) && b == 'x'; };
  return (isSign(left) && isSign(right)) || isTimes(left, right) || isTimes(right, left) ||
         (left == 'w' && right == 'w');
}

/// The text for XML, with the edge of a tspan at each place that a font may join: nothing is joined over it.
std::string unjoined(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool isInside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool joins = at > 0 && mayJoin(text[at - 1], text[at]);
    if (isInside || joins) {
      out += isInside ? "</tspan>" : "<tspan>";
      isInside = !isInside;
    }
    addEscaped(out, text[at]);
  }
  return isInside ? out + "</tspan>" : out;
}

/// ` textLength="…"` if the width is known.
std::string formatLength(const DrawItem& item) {
  const float length = svgTextLength(item);
  if (length <= 0) return {};
  return fmt::format(" textLength=\"{:.2f}\" lengthAdjust=\"spacingAndGlyphs\"", length);
}

/// Set if blanks would be lost. It is set with each text: Chromium does not inherit it from the page.
std::string_view keptBlanks(std::string_view text) {
  const bool isAtEdge = text.starts_with(' ') || text.ends_with(' ');
  const bool isKept = isAtEdge || text.find("  ") != text.npos || text.find('\t') != text.npos;
  return isKept ? " xml:space=\"preserve\"" : "";
}

/// The attributes of a text's font that differ from the page's own.
std::string chooseFont(FontRole role) {
  if (role == FontRole::Mono) return fmt::format(" font-family=\"{}\"", kSvgMono);
  return role == FontRole::Bold ? " font-weight=\"700\"" : "";
}

class SvgWriter {
 public:
  SvgWriter(const Scene& scene, const Theme* theme) : scene_(scene), theme_(theme) {}

  /// Ligatures are off by style for browsers and Inkscape; librsvg ignores styles and needs unjoined().
  std::string write(ColorRole background, float scale) {
    emit(
        "<svg{5} width=\"{2:g}\" height=\"{3:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
        "style=\"font-variant-ligatures:none\" font-family=\"{4}\">\n",
        scene_.width, scene_.height, scene_.width * scale, scene_.height * scale, kSvgSans,
        theme_ == nullptr ? "" : " xmlns=\"http://www.w3.org/2000/svg\"");  // in a page it is known
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
    if (theme_ == nullptr) return fmt::format("var(--c{})", static_cast<unsigned>(role));
    const Rgba color = theme_->color(role);
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
  }
  std::string opacity(const DrawItem& item, std::string_view name) const {
    const double own = theme_ == nullptr ? 1 : theme_->color(item.color).a / 255.0;
    const double alpha = static_cast<double>(item.alpha) * own;
    return alpha >= 0.999 ? std::string() : fmt::format(" {}-opacity=\"{:.3g}\"", name, alpha);
  }
  void writeItem(const DrawItem& item);
  void writeText(const DrawItem& item);

  const Scene& scene_;
  const Theme* theme_;  ///< nullptr: the page's own
  std::string out_;
};

void SvgWriter::writeText(const DrawItem& item) {
  const std::string_view anchor = item.align == Align::Left     ? "start"
                                  : item.align == Align::Center ? "middle"
                                                                : "end";
  emit(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.4g}\"{} text-anchor=\"{}\"{}{} "
      "fill=\"{}\"{}>{}</text>\n",
      item.x, svgBaseline(item), svgFontSize(item), chooseFont(item.font), anchor, formatLength(item),
      keptBlanks(item.text), hex(item.color), opacity(item, "fill"), unjoined(item.text));
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

float svgFontSize(const DrawItem& text) { return text.size > 0 ? text.size : fontSize(text.font); }

// The anchor is the vertical centre; the baseline of capitals is 0.36 of the size below it.
float svgBaseline(const DrawItem& text) { return text.y + svgFontSize(text) * 0.36F; }

float svgTextLength(const DrawItem& text) {
  const auto count = [&](auto what) {
    return std::ranges::count_if(text.text,
                                 [&](char letter) { return what(static_cast<unsigned char>(letter)); });
  };
  const auto letters = count([](unsigned char byte) { return (byte & 0xC0U) != 0x80U; });
  const bool isControlled = count([](unsigned char byte) { return byte < ' ' || byte == 0x7F; }) > 0;
  const bool isAscii = count([](unsigned char byte) { return byte > 0x7F; }) == 0;
  if (letters < 2 || isControlled || !(isAscii || text.font == FontRole::Mono)) return 0;
  return ApproximateMeasure().width(text.font, svgFontSize(text), text.text);
}

std::string toSvg(const Scene& scene, const Theme& theme, ColorRole background, float scale) {
  return SvgWriter(scene, &theme).write(background, scale);
}

std::string toPageSvg(const Scene& scene, ColorRole background) {
  return SvgWriter(scene, nullptr).write(background, 1);
}

}  // namespace lanescope
