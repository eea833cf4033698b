#include "sim/host/runtime/source_units.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/language/check/checker.h"

namespace lanescope::host {
namespace {

Result<CompiledKernelPtr> compileIn(const ParsedText& text, const std::string& name,
                                    ProductRounding rounding) {
  auto compiled = compileKernel(text, name, rounding);
  // A name that the text has in a namespace, or without one.
  if (const std::size_t scope = name.substr(0, name.find('<')).rfind("::");
      !compiled && scope != std::string::npos) {
    if (auto plain = compileKernel(text, name.substr(scope + 2), rounding)) compiled = std::move(plain);
  }
  return compiled;
}

}  // namespace

UnitName unitName(std::string_view spelled) {
  UnitName result;
  const std::size_t mark = spelled.find('#');
  if (mark != std::string_view::npos) std::from_chars(spelled.data(), spelled.data() + mark, result.unit);
  result.name = mark == std::string_view::npos ? spelled : spelled.substr(mark + 1);
  return result;
}

SourceUnits::SourceUnits(std::vector<std::shared_ptr<const SourceText>> sources) {
  for (std::shared_ptr<const SourceText>& source : sources) units_.push_back({std::move(source)});
}

/// The unit's text, and behind it an #include of each other one.
std::shared_ptr<const SourceText> SourceUnits::linkedText(std::size_t unit) const {
  const SourceText& own = at(unit);
  std::string text(own.text());
  std::vector<IncludedText> includes = own.includes();
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (u == unit) continue;
    const SourceText& other = at(u);
    text += "\n#include \"" + other.name() + "\"";
    includes.push_back({other.name(), std::string(other.text())});
    for (const IncludedText& included : other.includes()) {
      if (std::ranges::find(includes, included.path, &IncludedText::path) == includes.end())
        includes.push_back(included);
    }
  }
  return std::make_shared<const SourceText>(own.name(), text + "\n", std::move(includes));
}

Result<CompiledKernelPtr> SourceUnits::compile(const UnitName& name, ProductRounding rounding) {
  Unit& unit = units_[std::min(name.unit, units_.size() - 1)];
  if (!unit.parsed) unit.parsed.emplace(unit.source);
  auto compiled = compileIn(*unit.parsed, name.name, rounding);
  if (compiled || units_.size() == 1) return compiled;
  if (!unit.linked) unit.linked.emplace(linkedText(name.unit));
  auto linked = compileIn(*unit.linked, name.name, rounding);
  return linked ? linked : compiled;
}

std::vector<typed::GlobalSymbol> SourceUnits::tables(std::size_t unit) {
  Unit& own = units_[unit];
  if (!own.parsed) own.parsed.emplace(own.source);
  return addressTables(*own.parsed);
}

}  // namespace lanescope::host
