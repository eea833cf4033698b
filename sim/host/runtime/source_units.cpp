#include "sim/host/runtime/source_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>

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

/// A function's name with the types of its parameters, as the text has them.
std::string makeSignature(const syntax::Function& function) {
  std::string result = function.name + "(";
  for (const syntax::Parameter& parameter : function.parameters)
    result += fmt::format("{}{},", parameter.type.base, std::string(parameter.type.pointers, '*'));
  return result;
}

/// Behind `ownBytes` of the text are other source files. Static names may be the same in several files: such
/// a name is refused if the kernel reaches it, unless it is a constant, a type or a function of the same
/// text. Returns the messages of these faults.
std::set<std::string> refuseClashes(syntax::Unit& unit, std::size_t ownBytes) {
  struct Known {
    std::size_t file;
    std::uint64_t digest;
    SourceSpan span;
    bool isClash = false;
  };
  std::map<std::string, Known> known;
  const auto note = [&](const std::string& name, SourceSpan span, std::uint64_t digest, bool isObject) {
    const std::size_t file = span.begin < ownBytes ? 0 : span.begin;
    Known& first = known.emplace(name, Known{file, digest, span}).first->second;
    if (first.file != file && (isObject || first.digest != digest)) first.isClash = true;
  };
  for (const syntax::FileItem& item : unit.items) {
    const bool isDeclared = (item.structure && !item.structure->isDefined) ||
                            (item.constant != nullptr && item.constant->isExtern);
    if (isDeclared || item.specialised || (item.structure && item.structure->specialised)) continue;
    const bool isObject = item.constant != nullptr && (item.constant->isDevice || item.constant->isConstant);
    for (const std::string& name : item.names) note(name, item.span, item.digest, isObject);
  }
  for (const syntax::Function& function : unit.functions) {
    if (function.body != nullptr && !function.isKernel)
      note(makeSignature(function), function.span, function.digest, false);
  }
  std::set<std::string> messages;
  const auto refuse = [&](const std::string& key, const std::string& name, std::vector<Diagnostic>& faults) {
    const auto found = known.find(key);
    if (found == known.end() || !found->second.isClash) return;
    faults.push_back({fmt::format("'{}' is in two source files of the program, which the simulator does not "
                                  "keep apart for a kernel that calls functions of another file",
                                  name),
                      "rename one of them", found->second.span});
    messages.insert(faults.back().message);
  };
  for (syntax::FileItem& item : unit.items) {
    for (const std::string& name : item.names) refuse(name, name, item.diagnostics);
  }
  for (syntax::Function& function : unit.functions)
    refuse(makeSignature(function), function.name, function.diagnostics);
  return messages;
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

/// The unit's text, followed by an #include of each other one.
std::shared_ptr<const SourceText> SourceUnits::linkedText(std::size_t unit) const {
  const SourceText& own = at(unit);
  std::string text(own.text());
  std::vector<IncludedText> includes = own.includes();
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (u == unit) continue;
    const SourceText& other = at(u);
    std::string path =
        std::filesystem::path(other.name()).filename().string();  // "./a.cu" would not be found
    while (std::ranges::find(includes, path, &IncludedText::path) != includes.end()) path.insert(0, "other ");
    text += "\n#include \"" + path + "\"";
    includes.push_back({path, std::string(other.text())});
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
  if (units_.size() == 1 || (compiled && !(*compiled)->code.callsByValue)) return compiled;
  if (!unit.linked) {
    unit.linked.emplace(linkedText(name.unit));
    unit.clashes = refuseClashes(unit.linked->unit, unit.source->text().size());
  }
  auto linked = compileIn(*unit.linked, name.name, rounding);
  if (linked) return linked;
  const bool isClash = std::ranges::any_of(linked.error().diagnostics, [&](const Diagnostic& fault) {
    return unit.clashes.contains(fault.message);
  });
  return !compiled && isClash ? linked : compiled;
}

std::vector<typed::GlobalSymbol> SourceUnits::tables(std::size_t unit) {
  Unit& own = units_[unit];
  if (!own.parsed) own.parsed.emplace(own.source);
  return addressTables(*own.parsed);
}

namespace {

constexpr std::size_t kMostSentences = 40;

std::string lastPart(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// The lines of a command's output.
std::vector<std::string> readLines(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  if (pipe == nullptr) return lines;
  std::array<char, 1024> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
    std::string line(buffer.data());
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

void Tutor::explain(std::string_view place, std::string_view sentence) {
  std::string text = place.empty() ? fmt::format("lanescope: {}\n", sentence)
                                   : fmt::format("lanescope: {}: {}\n", place, sentence);
  if (said_.size() > kMostSentences || !said_.insert(text).second) return;
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string Tutor::findPlace(std::string_view path, int line) {
  return fmt::format("{}:{}", lastPart(path), line);
}

/// The innermost of the inlined frames that is in a file of the program's own.
std::string Tutor::placeOfOffset(std::uint64_t offset) const {
  const std::string command = fmt::format("addr2line -i -e '{}' 0x{:x} 2>/dev/null", binary_, offset);
  for (const std::string& line : readLines(command)) {
    const std::string file = line.substr(0, line.find(':'));
    const bool isKnown =
        !line.starts_with("?") && line.find(":?") == std::string::npos && !line.ends_with(":0");
    const bool isOurs = file.find("/usr/") == 0 || file.find("lanescope/include") != std::string::npos;
    if (isKnown && !isOurs) return lastPart(line.substr(0, line.find(' ')));
  }
  return "";
}

const void* Tutor::caller() const {
  std::array<void*, 48> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int f = 0; f < count; ++f) {
    Dl_info info{};
    void* const frame = frames[static_cast<std::size_t>(f)];
    if (::dladdr(frame, &info) != 0 && info.dli_fname != nullptr && binary_ == info.dli_fname) return frame;
  }
  return nullptr;
}

std::string Tutor::placeOfCode(const void* code, bool isReturn) const {
  Dl_info info{};
  if (code == nullptr || ::dladdr(code, &info) == 0 || info.dli_fname == nullptr || binary_ != info.dli_fname)
    return "";
  const auto offset = static_cast<const char*>(code) - static_cast<const char*>(info.dli_fbase);
  return placeOfOffset(static_cast<std::uint64_t>(offset) - (isReturn ? 1 : 0));
}

}  // namespace lanescope::host
