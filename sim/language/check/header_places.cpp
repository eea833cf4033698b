#include "sim/language/check/header_places.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/words.h"
#include "sim/language/text/code_parts.h"

namespace lanescope {
namespace {

constexpr int kMostHeaders = 16;  ///< that are put into the text
constexpr std::size_t kBytesOfParse = 4;

/// A line of the text with headers in it: its file (empty: the text itself), and its number there.
struct LineOrigin {
  std::string path;
  std::uint32_t line = 0;
};

struct IncludeLine {
  std::string_view path;
  bool isBracketed = false;
};

/// `#include "path"`.
std::optional<IncludeLine> includeIn(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view word : {"#", "include"}) {
    if (!line.starts_with(word)) return std::nullopt;
    line = trimmed(line.substr(word.size()));
  }
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return std::nullopt;
  const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return IncludeLine{line.substr(1, end - 1), line[0] == '<'};
}

/// The text with the lines of headers in it.
class Flattened {
 public:
  explicit Flattened(const SourceText& source) : name_(source.name()), includes_(source.includes()) {
    for (const std::string_view line : readLines(source.text())) {
      lines_.emplace_back(line);
      origins_.push_back({"", static_cast<std::uint32_t>(origins_.size() + 1)});
    }
  }

  /// Puts the header of an #include in that line's place. False if it is not one, or the file is not there.
  bool include(std::uint32_t line) {
    if (line == 0 || line > lines_.size()) return false;
    const std::optional<IncludeLine> directive = includeIn(lines_[line - 1]);
    if (!directive) return false;
    const auto file = find(origins_[line - 1].path, *directive);
    if (file == includes_.end()) return false;
    const IncludedText header = *file;
    if (header.text.find("#pragma once") != std::string::npos) includes_.erase(file);
    std::vector<std::string> lines;
    std::vector<LineOrigin> origins;
    for (const std::string_view each : readLines(header.text)) {
      lines.push_back(fromText(header.path, each));
      origins.push_back({header.path, static_cast<std::uint32_t>(origins.size() + 1)});
    }
    const auto at = static_cast<std::ptrdiff_t>(line - 1);
    lines_.erase(lines_.begin() + at);
    origins_.erase(origins_.begin() + at);
    lines_.insert(lines_.begin() + at, lines.begin(), lines.end());
    origins_.insert(origins_.begin() + at, origins.begin(), origins.end());
    return true;
  }

  std::shared_ptr<const SourceText> text() const {
    return std::make_shared<const SourceText>(name_, fmt::format("{}\n", fmt::join(lines_, "\n")), includes_);
  }
  const LineOrigin& origin(std::uint32_t line) const {
    return origins_[std::min<std::size_t>(line, origins_.size()) - 1];
  }

 private:
  std::vector<IncludedText>::iterator find(const std::string& from, const IncludeLine& directive) {
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(from).parent_path() / fs::path(directive.path);
    for (const fs::path& path :
         {directive.isBracketed ? fs::path(directive.path) : beside, fs::path(directive.path)}) {
      const auto found =
          std::ranges::find(includes_, path.lexically_normal().generic_string(), &IncludedText::path);
      if (found != includes_.end()) return found;
    }
    return includes_.end();
  }

  /// A header's line as it is in the text: an #include of it has the path from there.
  std::string fromText(const std::string& header, std::string_view line) {
    const std::optional<IncludeLine> directive = includeIn(line);
    if (!directive || directive->isBracketed) return std::string(line);
    const auto file = find(header, *directive);
    return file == includes_.end() ? std::string(line) : fmt::format("#include \"{}\"", file->path);
  }

  std::string name_;
  std::vector<IncludedText> includes_;
  std::vector<std::string> lines_;
  std::vector<LineOrigin> origins_;
};

bool isAtInclude(const SourceText& source, const Diagnostic& diagnostic) {
  return includeIn(source.line(source.findLine(diagnostic.span))).has_value();
}

}  // namespace

void placeInHeaders(const ParsedText& text, std::vector<Diagnostic>& diagnostics, const Recheck& recheck) {
  const auto isOpen = [](const ParsedText& in) {
    return [&in](const Diagnostic& one) { return isAtInclude(*in.source, one); };
  };
  if (std::ranges::none_of(diagnostics, isOpen(text))) return;
  Flattened flattened(*text.source);
  std::vector<Diagnostic> found = diagnostics;
  std::unique_ptr<ParsedText> current;
  for (int headers = 0; headers < kMostHeaders; ++headers) {
    const ParsedText& in = current ? *current : text;
    const auto open = std::ranges::find_if(found, isOpen(in));
    if (open == found.end()) break;
    if (*text.checked > kMostWorkOfText || !flattened.include(in.source->findLine(open->span))) return;
    auto next = std::make_unique<ParsedText>(flattened.text());
    *text.checked += next->source->text().size() / kBytesOfParse;
    found = recheck(*next);
    *text.checked += *next->checked;
    if (found.size() != diagnostics.size()) return;  // the place of a header in the text matters
    current = std::move(next);
  }
  if (current == nullptr) return;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const LineColumn place = current->source->place(found[i].span.begin);
    const LineOrigin& origin = flattened.origin(place.line);
    if (origin.path.empty() || found[i].message != diagnostics[i].message) continue;
    HeaderPlace header{origin.path,
                       {origin.line, place.column},
                       std::string(current->source->line(place.line)),
                       found[i].span.end - found[i].span.begin};
    diagnostics[i].header = std::make_shared<const HeaderPlace>(std::move(header));
  }
}

std::string placeOfName(const SourceText& source, std::string_view name) {
  const auto lookIn = [&](const std::string& file, std::string_view text) {
    for (const CodePart& part : splitCode(text)) {
      if (part.kind != CodePart::Kind::Word || part.of(text) != name) continue;
      return fmt::format("{}:{}", file, 1 + std::ranges::count(text.substr(0, part.begin), '\n'));
    }
    return std::string();
  };
  for (const IncludedText& each : source.includes()) {
    if (std::string place = lookIn(each.path, each.text); !place.empty()) return place;
  }
  return lookIn(source.name(), source.text());
}

}  // namespace lanescope
