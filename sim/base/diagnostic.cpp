#include "sim/base/diagnostic.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/printable.h"

namespace lanescope {

IncludedText commandLineDefinitions(const std::vector<std::string>& definitions) {
  IncludedText lines{std::string(kCommandLinePath), ""};
  for (const std::string& definition : definitions) {
    const std::size_t equals = definition.find('=');
    const bool hasValue = equals != std::string::npos;
    lines.text += "#define " + definition.substr(0, equals) + " ";
    lines.text += (hasValue ? definition.substr(equals + 1) : "1") + "\n";
  }
  return lines;
}

SourceText::SourceText(std::string name, std::string text, std::vector<IncludedText> includes)
    : name_(std::move(name)), text_(std::move(text)), includes_(std::move(includes)), lineStarts_{0} {
  for (std::size_t i = 0; i + 1 < text_.size(); ++i) {
    if (text_[i] == '\n') lineStarts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::string_view SourceText::slice(SourceSpan span) const {
  const std::size_t begin = std::min<std::size_t>(span.begin, text_.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > lineCount()) return {};
  const std::size_t begin = lineStarts_[number - 1];
  std::size_t end = number < lineCount() ? lineStarts_[number] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

LineColumn SourceText::place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - lineStarts_.begin());
  return {line, offset - lineStarts_[line - 1] + 1};
}

namespace {

/// The most bytes shown of a line. If it is longer, those around the place.
constexpr std::size_t kMaxLine = 200;

/// `file:line:column: error: message`, the line, and a caret under `length` bytes.
std::string renderPlace(std::string_view file, LineColumn place, std::string_view whole, std::uint32_t length,
                        const std::string& message) {
  std::size_t begin =
      whole.size() > kMaxLine && place.column > kMaxLine / 2 ? place.column - kMaxLine / 2 : 0;
  while (isInsideCharacter(whole, begin)) ++begin;
  std::size_t end = std::min(whole.size(), begin + kMaxLine);
  while (isInsideCharacter(whole, end)) --end;
  const std::string_view line = whole.substr(begin, end - begin);
  const std::size_t column = place.column - begin;
  // The caret line copies tabs, so that it lines up at any width of a tab.
  std::string caret;
  for (std::uint32_t i = 0; i + 1 < column && i < line.size(); ++i) {
    caret += line[i] == '\t' ? '\t' : ' ';
  }
  const std::size_t room = line.size() >= column ? line.size() - column + 1 : 1;
  caret += '^';
  caret += std::string(std::max<std::size_t>(1, std::min<std::size_t>(length, room)) - 1, '~');
  return fmt::format("{}:{}:{}: error: {}\n{:5} | {}\n      | {}\n", file, place.line, place.column, message,
                     place.line, line, caret);
}

}  // namespace

std::string renderDiagnostic(const SourceText& source, const Diagnostic& diagnostic) {
  const LineColumn place = source.place(diagnostic.span.begin);
  std::string text;
  if (diagnostic.header != nullptr) {
    const HeaderPlace& header = *diagnostic.header;
    text = renderPlace(header.path, header.place, header.line, header.length, diagnostic.message);
    text += fmt::format("      = included at {}:{}\n", source.name(), place.line);
  } else {
    text = renderPlace(source.name(), place, source.line(place.line),
                       diagnostic.span.end - diagnostic.span.begin, diagnostic.message);
  }
  if (!diagnostic.hint.empty()) text += fmt::format("      = hint: {}\n", diagnostic.hint);
  return withoutControls(text);
}

std::string asSentence(std::string text) {
  const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
  const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
  if (end > 0 && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), isLower))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!text.empty() && !text.ends_with('.')) text += '.';
  return text;
}

std::string makeSentences(const Diagnostic& diagnostic) {
  const std::string message = asSentence(diagnostic.message);
  return diagnostic.hint.empty() ? message : message + " " + asSentence(diagnostic.hint);
}

}  // namespace lanescope
