#include "sim/language/parse/file_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/base/words.h"
#include "sim/language/parse/file_items.h"
#include "sim/language/text/scanner.h"

namespace lanescope::syntax {

std::string joinedSpaces(std::string_view space, std::string_view name) {
  return space.empty() ? std::string(name) : std::string(space) + "::" + std::string(name);
}

std::string_view spaceAround(std::string_view space) {
  const std::size_t colons = space.rfind("::");
  return colons == std::string_view::npos ? std::string_view() : space.substr(0, colons);
}

std::string_view lastName(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

namespace {

bool isWithin(std::string_view space, std::string_view outer) {
  return outer.empty() || space == outer ||
         (space.starts_with(outer) && space.substr(outer.size(), 2) == "::");
}

/// The innermost namespace that both are in. The names of a using directive appear there ([namespace.udir]).
std::string_view commonSpace(std::string_view one, std::string_view other) {
  while (!isWithin(other, one)) one = spaceAround(one);
  return one;
}

/// True if the `::` continues these tokens: a name, template arguments, decltype(x).
bool isScopeEnd(const std::vector<Token>& before, const Token& colons) {
  static const std::set<std::string_view> kBefore = wordsIn(
      "return else case new delete sizeof const volatile typename static constexpr inline extern using "
      "typedef "
      "struct class enum union friend public private protected do __device__ __constant__ __shared__ "
      "__restrict__ __host__ __forceinline__ virtual");
  if (before.empty()) return false;
  const Token& last = before.back();
  if (last.kind == TokenKind::Identifier) return !kBefore.contains(last.text);
  if (!last.is(")")) return (last.is(">") || last.is(">>")) && !colons.isSpaced;
  constexpr std::size_t kMostTokens = 512;
  int depth = 0;
  for (std::size_t i = before.size(); i-- > 0 && before.size() - i < kMostTokens;) {
    depth += before[i].is(")") ? 1 : before[i].is("(") ? -1 : 0;
    if (depth == 0) return i > 0 && before[i - 1].is("decltype");
  }
  return false;
}

bool isOfLibrary(const Token& token) { return token.is("std") || token.is("cooperative_groups"); }

/// The path of a token with its qualifier, without the `::` of file scope.
std::string writtenPath(const Token& token) {
  return token.qualifier.empty() || token.qualifier == "::"
             ? std::string(token.text)
             : std::string(token.qualifier) + "::" + std::string(token.text);
}

}  // namespace

void FileNames::readWords(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is("namespace") || (i > 0 && tokens[i - 1].is("using"))) continue;
    if (tokens[i + 1].kind != TokenKind::Identifier || isOfLibrary(tokens[i + 1])) continue;
    if (tokens[i + 2].is("=")) {  // another name of one
      const std::size_t first = i + (tokens[std::min(i + 3, tokens.size() - 1)].is("::") ? 4 : 3);
      if (first < tokens.size() && words_.contains(tokens[first].text)) words_.emplace(tokens[i + 1].text);
      continue;
    }
    for (++i; tokens[i].kind == TokenKind::Identifier || tokens[i].is("::"); ++i) {
      if (tokens[i].kind == TokenKind::Identifier && !tokens[i].is("inline")) words_.emplace(tokens[i].text);
    }
  }
}

void FileNames::joinQualifiers(std::vector<Token>& tokens, std::set<std::string>& spellings) const {
  std::vector<Token> joined;
  joined.reserve(tokens.size());
  std::string qualifier;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool isScope = i + 1 < tokens.size() && tokens[i + 1].is("::");
    const bool isOpened = i > 0 && tokens[i - 1].is("namespace") && (i < 2 || !tokens[i - 2].is("using"));
    if (isOpened && isScope) {  // namespace a::b {
      for (; i + 1 < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";"); ++i)
        joined.push_back(tokens[i]);
      --i;
    } else if (tokens[i].is("::") && qualifier.empty() && !isScopeEnd(joined, tokens[i])) {
      qualifier = "::";
    } else if (isScope && tokens[i].kind == TokenKind::Identifier && words_.contains(tokens[i].text)) {
      if (!qualifier.empty() && qualifier != "::") qualifier += "::";
      qualifier += tokens[i].text;
      ++i;
    } else {
      joined.push_back(tokens[i]);
      if (qualifier.empty()) continue;
      joined.back().qualifier = *spellings.insert(std::exchange(qualifier, {})).first;
    }
  }
  tokens = std::move(joined);
}

void FileNames::readItems(const FileItems& items, const std::vector<Token>& tokens) {
  using Kind = ItemRange::Kind;
  paths_ = items.paths;
  others_ = items.inlined;
  for (const ItemRange& item : items.items) {
    if (item.kind == Kind::Space && tokens[item.begin].is("namespace") && item.begin + 3 < item.end) {
      const auto of = findSpace(writtenPath(tokens[item.begin + 3]), item.space, {});
      if (of) others_.emplace(joinedSpaces(item.space, tokens[item.begin + 1].text), *of);
    }
  }
  for (const ItemRange& item : items.items) {
    const auto place = static_cast<Place>(item.begin);
    if (item.kind == Kind::Space && tokens[item.begin].is("using")) {
      const bool isDirective = tokens[item.begin + 1].is("namespace");
      const Token& named = tokens[item.begin + (isDirective ? 2 : 1)];
      const std::string_view qualifier = named.qualifier;
      const auto of = findSpace(isDirective ? writtenPath(named) : std::string(qualifier), item.space, {});
      std::string name(isDirective ? std::string_view() : named.text);
      for (std::size_t t = item.begin + 2; name.starts_with("operator") && t < item.end && !tokens[t].is(";");
           ++t)
        name += tokens[t].text;
      if (of && (isDirective || !qualifier.empty()))
        usings_.push_back({item.space, *of, std::move(name), place});
    }
    if (item.kind != Kind::Function && item.kind != Kind::Type && item.kind != Kind::Variable) continue;
    for (const std::string_view name : item.names) {
      if (item.kind == Kind::Function && name != item.names.back()) continue;
      std::string space = item.space;
      for (std::size_t t = item.begin; t < item.end && item.kind != Kind::Type;
           ++t) {  // float a::f(float) {…}
        if (tokens[t].text != name) continue;
        if (!tokens[t].qualifier.empty()) space = findSpace(tokens[t].qualifier, space, {}).value_or(space);
        break;
      }
      declare(space, name, place, item.kind == Kind::Type && !item.values.contains(name), item.isTemplate);
    }
  }
  for (const auto& [name, declared] : names_) {
    const auto isOther = [&, first = &declared.front()](const Declared& one) {
      return one.space != first->space;
    };
    if (std::ranges::any_of(declared, isOther)) shared_.insert(name);
  }
}

void FileNames::declare(std::string_view space, std::string_view name, Place place, bool isType,
                        bool isTemplate) {
  std::vector<Declared>& declared = names_[std::string(name)];
  const bool isKnown = std::ranges::any_of(declared, [&](const Declared& one) {
    return one.space == space && one.place <= place && one.isType == isType &&
           (one.isTemplate || !isTemplate);
  });
  if (!isKnown) declared.push_back({std::string(space), place, isType, isTemplate});
}

std::string FileNames::spelled(std::string_view space, std::string_view name) const {
  return shared_.contains(name) ? joinedSpaces(space, name) : std::string(name);
}

// --- lookup ---

/// Adds what a namespace itself declares, and what its using declarations bring there.
void FileNames::add(std::string_view name, std::string_view space, Place place, bool ofTypes, Seen& seen,
                    Found& found) const {
  if (!seen.insert(space).second) return;
  bool hasType = false;
  bool hasOther = false;
  for (const Declared& one : names_.find(name)->second) {
    if (one.space != space || one.place > place || (ofTypes && !one.isType)) continue;
    (one.isType ? hasType : hasOther) = true;
    found.isTemplate = found.isTemplate || one.isTemplate;
  }
  if (hasType || hasOther) found.homes.push_back({std::string(space), spelled(space, name), place});
  found.isType = found.isType || (hasType && !hasOther);
  for (const Using& use : usings_) {
    if (use.name != name || use.in != space || use.place > place) continue;
    const std::size_t before = found.homes.size();
    add(name, use.of, std::min(place, use.place), ofTypes, seen, found);
    if (found.homes.size() == before) addUsed(name, use.of, std::min(place, use.place), ofTypes, seen, found);
  }
}

/// Adds what the using directives of a namespace show, and those of the namespaces that these name.
void FileNames::addUsed(std::string_view name, std::string_view space, Place place, bool ofTypes, Seen& seen,
                        Found& found) const {
  for (const Using& use : usings_) {
    if (!use.name.empty() || use.in != space || use.place > place || seen.contains(use.of)) continue;
    const std::size_t before = found.homes.size();
    add(name, use.of, place, ofTypes, seen, found);
    if (found.homes.size() == before) addUsed(name, use.of, place, ofTypes, seen, found);
  }
}

FileNames::Found FileNames::lookUpIn(std::string_view name, std::string_view space, Place place, bool ofTypes,
                                     bool withUsed) const {
  Found found;
  if (!names_.contains(name)) return found;
  Seen seen;
  add(name, space, place, ofTypes, seen, found);
  if (found.homes.empty() && withUsed) addUsed(name, space, place, ofTypes, seen, found);
  found.isInner = !space.empty();
  return found;
}

FileNames::Found FileNames::lookUp(std::string_view name, std::string_view from, Place place,
                                   std::span<const Using> local, bool ofTypes) const {
  Found found;
  if (!names_.contains(name)) return found;
  // The namespaces that using directives show, and where their names appear.
  std::vector<std::pair<std::string_view, std::string_view>> shown;
  const auto show = [&](const Using& use, std::string_view in) {
    const std::pair<std::string_view, std::string_view> one{use.of, commonSpace(in, use.of)};
    const bool isShown = use.name.empty() && use.place <= place && std::ranges::count(shown, one) == 0;
    if (isShown) shown.push_back(one);
  };
  for (const std::span<const Using> list : {std::span<const Using>(usings_), local}) {
    for (const Using& use : list) {
      if (isWithin(from, use.in)) show(use, use.in);
    }
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto [of, at] = shown[i];
    for (const Using& use : usings_) {
      if (use.in == of) show(use, at);
    }
  }
  Seen seen;
  for (std::string_view level = from;; level = spaceAround(level)) {
    add(name, level, place, ofTypes, seen, found);
    for (const auto& [of, at] : shown) {
      if (at == level) add(name, of, place, ofTypes, seen, found);
    }
    found.isInner = !level.empty();
    if (!found.homes.empty() || level.empty()) return found;
  }
}

/// The namespace of that name directly in another, or in those that it uses.
std::optional<std::string> FileNames::spaceIn(std::string_view space, std::string_view name,
                                              std::span<const Using> local) const {
  std::string path = joinedSpaces(space, name);
  if (const auto other = others_.find(path); other != others_.end()) return other->second;
  if (paths_.contains(path)) return path;
  for (const std::span<const Using> list : {std::span<const Using>(usings_), local}) {
    for (const Using& use : list) {
      if (!use.name.empty() || use.in != space) continue;
      path = joinedSpaces(use.of, name);
      if (const auto other = others_.find(path); other != others_.end()) return other->second;
      if (paths_.contains(path)) return path;
    }
  }
  return std::nullopt;
}

std::optional<std::string> FileNames::findSpace(std::string_view written, std::string_view from,
                                                std::span<const Using> local) const {
  std::string space;
  bool isFirst = true;
  if (written.starts_with("::")) {
    written = written.substr(2);
    isFirst = false;
  }
  while (!written.empty()) {
    const std::size_t colons = std::min(written.find("::"), written.size());
    const std::string_view word = written.substr(0, colons);
    written = written.substr(std::min(colons + 2, written.size()));
    std::optional<std::string> found;
    if (isFirst) {
      const auto other =
          std::find_if(local.rbegin(), local.rend(), [&](const Using& use) { return use.name == word; });
      if (other != local.rend()) found = other->of;
      for (std::string_view level = from; !found; level = spaceAround(level)) {
        found = spaceIn(level, word, local);
        if (level.empty()) break;
      }
    } else {
      found = spaceIn(space, word, local);
    }
    if (!found) return std::nullopt;
    space = std::move(*found);
    isFirst = false;
  }
  return space;
}

}  // namespace lanescope::syntax
