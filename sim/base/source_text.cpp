#include "sim/base/source_text.h"

#include <algorithm>

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

}  // namespace lanescope
