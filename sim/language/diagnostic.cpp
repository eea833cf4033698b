#include "sim/language/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope {

std::string renderDiagnostic(const SourceText& source, const Diagnostic& diagnostic) {
  const LineColumn place = source.place(diagnostic.span.begin);
  const std::string_view line = source.line(place.line);
  // The caret line copies tabs, so that it lines up however wide a tab is drawn.
  std::string caret;
  for (std::uint32_t i = 0; i + 1 < place.column && i < line.size(); ++i) {
    caret += line[i] == '\t' ? '\t' : ' ';
  }
  const std::size_t room = line.size() >= place.column ? line.size() - place.column + 1 : 1;
  const std::size_t length =
      std::max<std::size_t>(1, std::min<std::size_t>(diagnostic.span.end - diagnostic.span.begin, room));
  caret += '^';
  caret += std::string(length - 1, '~');
  std::string text =
      fmt::format("{}:{}:{}: error: {}\n", source.name(), place.line, place.column, diagnostic.message);
  text += fmt::format("{:5} | {}\n      | {}\n", place.line, line, caret);
  if (!diagnostic.hint.empty()) text += fmt::format("      = hint: {}\n", diagnostic.hint);
  return text;
}

}  // namespace lanescope
