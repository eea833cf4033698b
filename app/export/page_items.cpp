#include "app/export/page_items.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/paint/svg_painter.h"
#include "app/pictures/base/text_measure.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;

/// To a tenth of a pixel, without superfluous zeros.
std::string tenths(float value) {
  const auto rounded = std::lround(value * 10);
  if (rounded % 10 == 0) return std::to_string(rounded / 10);
  return fmt::format("{:g}", static_cast<double>(rounded) / 10);
}

std::string formatList(std::span<const float> numbers) {
  std::string text;
  for (const float number : numbers) text += "," + tenths(number);
  return text;
}

std::string formatOpacity(const DrawItem& item, std::string_view name) {
  if (item.alpha >= 0.999F) return {};
  return fmt::format(" {}-opacity=\\\"{:.3g}\\\"", name, item.alpha);
}

std::string formatPaint(const DrawItem& item, bool isStroke) {
  const auto role = static_cast<unsigned>(item.color);
  if (!isStroke) return fmt::format("class=\\\"f{}\\\"{}", role, formatOpacity(item, "fill"));
  return fmt::format("class=\\\"s{}\\\" stroke-width=\\\"{:.3g}\\\"{}", role, item.width,
                     formatOpacity(item, "stroke"));
}

/// An element's name and attributes as two JSON strings.
std::string styleText(const DrawItem& item) {
  switch (item.kind) {
    case Kind::FillRect:
    case Kind::StrokeRect:
      return fmt::format("\"rect\",\"{}{}\"", formatPaint(item, item.kind == Kind::StrokeRect),
                         item.radius > 0 ? fmt::format(" rx=\\\"{:.3g}\\\"", item.radius) : "");
    case Kind::Line:
    case Kind::Curve: return fmt::format("\"path\",\"{}\"", formatPaint(item, true));
    case Kind::Triangle: return fmt::format("\"path\",\"{}\"", formatPaint(item, false));
    case Kind::Text: break;
  }
  const std::string_view anchor = item.align == Align::Center  ? " text-anchor=\\\"middle\\\""
                                  : item.align == Align::Right ? " text-anchor=\\\"end\\\""
                                                               : "";
  const std::string_view font = item.font == FontRole::Mono   ? " font-family=\\\"var(--mono)\\\""
                                : item.font == FontRole::Bold ? " font-weight=\\\"700\\\""
                                                              : "";
  return fmt::format("\"text\",\"{} font-size=\\\"{:.4g}\\\"{}{}\"", formatPaint(item, false),
                     svgFontSize(item), anchor, font);
}

std::string formatGeometry(const DrawItem& item) {
  const float endX = item.x + item.w;
  const float endY = item.y + item.h;
  switch (item.kind) {
    case Kind::FillRect:
    case Kind::StrokeRect: return formatList(std::array{item.x, item.y, item.w, item.h});
    case Kind::Line:
      return formatList(
          std::array{item.x, item.y, item.x + item.w * item.portion, item.y + item.h * item.portion});
    case Kind::Curve: {
      std::vector<float> numbers;
      for (const Point& point : controlPoints(item)) numbers.insert(numbers.end(), {point.x, point.y});
      return formatList(numbers);
    }
    case Kind::Triangle:
      if (item.verticalCurve)
        return formatList(std::array{item.x, item.y, endX, item.y, item.x + item.w / 2, endY});
      return formatList(std::array{item.x, item.y, endX, item.y + item.h / 2, item.x, endY});
    case Kind::Text: break;
  }
  return formatList(std::array{item.x, svgBaseline(item), svgTextLength(item)}) + "," +
         quotedForPage(item.text);
}

/// All fields that affect the item's look, for a fast comparison.
std::string toBytes(const DrawItem& item) {
  struct Numbers {
    std::array<float, 9> floats;
    std::array<std::uint8_t, 8> others;
  };
  const auto bytes = std::bit_cast<std::array<char, sizeof(Numbers)>>(
      Numbers{{item.x, item.y, item.w, item.h, item.radius, item.width, item.size, item.alpha, item.portion},
              {static_cast<std::uint8_t>(item.kind), static_cast<std::uint8_t>(item.color),
               static_cast<std::uint8_t>(item.font), static_cast<std::uint8_t>(item.align),
               static_cast<std::uint8_t>(item.verticalCurve)}});
  return std::string(bytes.data(), bytes.size()) + item.text;
}

}  // namespace

std::string quotedForPage(const std::string& text) {
  const std::string json = jsonLine(Json(text));
  std::string out;
  out.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

std::uint32_t PageItems::findStyle(const DrawItem& item) {
  const auto [at, isNew] =
      styleNumbers_.try_emplace(styleText(item), static_cast<std::uint32_t>(styleNumbers_.size()));
  if (isNew) styles_ += (at->second == 0 ? "[" : ",[") + at->first + "]";
  return at->second;
}

std::uint32_t PageItems::toNumber(const DrawItem& item) {
  const auto [known, isUnknown] = known_.try_emplace(toBytes(item));
  if (!isUnknown) return known->second;
  const auto [at, isNew] = numbers_.try_emplace(std::to_string(findStyle(item)) + formatGeometry(item),
                                                static_cast<std::uint32_t>(numbers_.size()));
  if (isNew) items_ += (at->second == 0 ? "[" : ",\n[") + at->first + "]";
  return known->second = at->second;
}

void PageReel::add(std::vector<std::uint32_t> numbers) {
  if (!frames_.empty()) frames_ += ",\n";
  if (numbers == last_) {
    frames_ += "0";
    return;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> runs;
  for (const std::uint32_t number : numbers) {
    if (!runs.empty()) {
      auto& [from, count] = runs.back();
      const bool isCopy = from >= 0;
      const auto next = static_cast<std::uint64_t>(isCopy ? from : -1 - from) + count;
      if (isCopy ? next < last_.size() && last_[next] == number : next == number) {
        ++count;
        continue;
      }
    }
    const auto place = places_.find(number);
    runs.emplace_back(
        place == places_.end() ? -1 - std::int64_t{number} : static_cast<std::int64_t>(place->second), 1);
  }
  std::string text;
  for (const auto& [from, count] : runs) text += fmt::format("{}{},{}", text.empty() ? "" : ",", from, count);
  frames_ += "[" + text + "]";
  last_ = std::move(numbers);
  places_.clear();
  for (std::uint32_t place = 0; place < last_.size(); ++place) places_.try_emplace(last_[place], place);
}

}  // namespace lanescope
