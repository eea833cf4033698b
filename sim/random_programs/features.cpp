#include "sim/random_programs/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace lanescope::random_programs {
namespace {

constexpr Range kSmall{0, 100};  ///< fits into every type
constexpr Range kMedium{-1000, 1000};

/// Takes `a$|b$]` off the text: the alternatives.
std::vector<std::string_view> takeAlternatives(std::string_view& rest) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < rest.size(); ++i) {
    if (rest[i] != '$') continue;
    std::size_t mark = i + 1;
    while (mark + 1 < rest.size() && rest[mark + 1] == '[' && rest[mark] != '|' && rest[mark] != ']') ++mark;
    if (rest[mark] == '[') ++depth;
    if (rest[mark] != '|' && rest[mark] != ']') continue;
    if (depth == 0) {
      found.push_back(rest.substr(begin, i - begin));
      begin = mark + 1;
      if (rest[mark] == ']') break;
    } else if (rest[mark] == ']') {
      --depth;
    }
  }
  rest.remove_prefix(begin);
  return found;
}

}  // namespace

std::vector<Feature> readFeatures(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Feature> features;
  for (const auto& path : files) {
    std::ifstream file(path);
    bool isStatement = false;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("// --- ")) {
        features.push_back({path.stem().string() + "." + line.substr(7, line.find(':') - 7), {}, {}});
        isStatement = false;
      } else if (line == "---") {
        isStatement = true;
      } else if (!features.empty()) {
        (isStatement ? features.back().statements : features.back().declarations) += line + "\n";
      }
    }
  }
  return features;
}

std::string FeatureWriter::expand(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t mark = text.find('$');
    result += text.substr(0, mark);
    if (mark == std::string_view::npos) return result;
    text.remove_prefix(mark + 1);
    if (text[0] == '[') {  // $[a$|b$]: one of them
      text.remove_prefix(1);
      const auto choices = takeAlternatives(text);
      result += expand(choices[random_.below(static_cast<unsigned>(choices.size()))]);
    } else if (text[0] == '~') {  // $~[a$|b$]: some of them, in any order
      text.remove_prefix(2);
      auto choices = takeAlternatives(text);
      for (std::size_t i = choices.size(); i > 1; --i)
        std::swap(choices[i - 1], choices[random_.below(static_cast<unsigned>(i))]);
      choices.resize(1 + random_.below(static_cast<unsigned>(choices.size())));
      for (const std::string_view choice : choices) result += expand(choice);
    } else if (std::isdigit(static_cast<unsigned char>(text[0])) != 0) {  // $1[a$|b$]: the same one each time
      unsigned& pick = picks_[static_cast<std::size_t>(text[0] - '0')];
      text.remove_prefix(2);
      const auto choices = takeAlternatives(text);
      if (pick == 0) pick = 1 + random_.below(static_cast<unsigned>(choices.size()));
      result += expand(choices.at(pick - 1));
    } else {
      std::size_t end = 0;
      while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
      result += hole(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
}

std::string FeatureWriter::number(Range range, bool isConstant) {
  Value value = isConstant ? expressions_.constant(2) : expressions_.any(2);
  value = expressions_.fitted(value, isFloating(value.type) ? Type::Double : Type::Int, range);
  return Expressions::in(value, 16);
}

std::string FeatureWriter::hole(std::string_view name) {
  const bool isMarked = std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  const auto which = isMarked ? static_cast<std::size_t>(name.back() - '0') : 0;
  if (which != 0) name.remove_suffix(1);
  if (name == "T" || name == "I") {
    std::string& type = types_[which];
    if (which == 0 || type.empty())
      type = facts(name == "T" ? expressions_.anyType() : static_cast<Type>(1 + random_.below(11))).name;
    return type;
  }
  if (name == "d") return "__device__";
  if (name == "n") return fmt::format("{}", random_.below(10));
  if (name == "k") return number(kSmall, true);
  if (name == "b") return number(kSmall, false);
  if (name == "e") return number(kMedium, false);
  if (name == "out") return words_.next() + " =";
  if (name == "here") return here_;
  return fmt::format("<no hole {}>", name);
}

std::string FeatureWriter::locals() {
  std::string text;
  for (unsigned i = 0; i < 3; ++i) {
    Variable variable;
    variable.name = fmt::format("v{}", i);
    variable.type = expressions_.anyType();
    variable.range = expressions_.anyRange(variable.type);
    const Value from = expressions_.fitting(variable.type, variable.range, 1);
    text +=
        fmt::format("  {} {} = {};\n", facts(variable.type).name, variable.name, Expressions::in(from, 2));
    expressions_.variables.push_back(variable);
  }
  return text;
}

}  // namespace lanescope::random_programs
