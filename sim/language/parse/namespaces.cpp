#include "sim/language/parse/namespaces.h"

#include <algorithm>
#include <cstddef>

namespace lanescope::syntax {

std::string joinedSpaces(std::string_view space, std::string_view name) {
  return space.empty() ? std::string(name) : std::string(space) + "::" + std::string(name);
}

std::string_view spaceAround(std::string_view space) {
  const std::size_t colons = space.rfind("::");
  return colons == std::string_view::npos ? std::string_view() : space.substr(0, colons);
}

bool isWithinSpace(std::string_view space, std::string_view outer) {
  return outer.empty() || space == outer ||
         (space.starts_with(outer) && space.substr(outer.size(), 2) == "::");
}

namespace {

/// The innermost namespace that both are in. The names of a using directive appear there ([namespace.udir]).
std::string_view commonSpace(std::string_view one, std::string_view other) {
  while (!isWithinSpace(other, one)) one = spaceAround(one);
  return one;
}

}  // namespace

std::string Namespaces::resolvePath(std::string_view written, std::string_view from,
                                    std::span<const Using> local) const {
  const std::size_t colons = std::min(written.find("::"), written.size());
  std::string chain(written);
  if (const auto alias = aliases.find(written.substr(0, colons)); alias != aliases.end())
    chain = alias->second + chain.substr(colons);
  // Paths leave out inline namespaces.
  for (std::string_view inner = chain; !inner.empty(); inner = spaceAround(inner)) {
    for (std::string_view level = from;; level = spaceAround(level)) {
      if (std::string path = joinedSpaces(level, inner); paths.contains(path)) return path;
      if (level.empty()) break;
    }
    for (const std::span<const Using> list : {std::span<const Using>(usings), local}) {
      for (const Using& use : list) {
        if (!use.name.empty() || !isWithinSpace(from, use.in)) continue;
        if (std::string path = joinedSpaces(use.of, inner); paths.contains(path)) return path;
      }
    }
  }
  return chain;
}

/// The namespaces that declare the name and that the using declaration shows.
void Namespaces::addShown(const Using& use, std::string_view name, const Homes& homes, Found& found) const {
  if (!use.name.empty() && use.name != name) return;
  if (const auto home = homes.find(use.of); home != homes.end()) found.insert(home->first);
  for (const Using& next : usings) {  // the namespaces that this one uses in turn
    if (next.in != use.of || next.of == use.in || (!next.name.empty() && next.name != name)) continue;
    if (const auto home = homes.find(next.of); home != homes.end()) found.insert(home->first);
  }
}

Namespaces::Found Namespaces::lookUp(std::string_view name, std::string_view from,
                                     std::span<const Using> local) const {
  Found found;
  const auto known = names.find(name);
  if (known == names.end()) return found;
  for (std::string_view level = from;; level = spaceAround(level)) {
    if (const auto home = known->second.find(level); home != known->second.end()) found.insert(home->first);
    const auto add = [&](const Using& use) {
      if (!isWithinSpace(from, use.in)) return;
      const std::string_view seen = use.name.empty() ? commonSpace(use.in, use.of) : std::string_view(use.in);
      if (seen == level) addShown(use, name, known->second, found);
    };
    std::ranges::for_each(usings, add);
    std::ranges::for_each(local, add);
    if (!found.empty() || level.empty()) return found;
  }
}

Namespaces::Found Namespaces::lookUpIn(std::string_view name, std::string_view space) const {
  const auto known = names.find(name);
  if (known == names.end()) return {};
  if (const auto home = known->second.find(space); home != known->second.end()) return {home->first};
  Found found;
  for (const Using& use : usings) {
    if (use.in == space) addShown(use, name, known->second, found);
  }
  return found;
}

const Namespaces::Homes* Namespaces::findHomes(std::string_view token) const {
  if (names.empty()) return nullptr;
  const std::size_t colons = token.rfind("::");
  const auto known = names.find(colons == std::string_view::npos ? token : token.substr(colons + 2));
  return known == names.end() ? nullptr : &known->second;
}

std::string_view Namespaces::findToken(std::string_view name, std::string_view qualifier) const {
  const Found found = qualifier.empty() ? lookUp(name, "", {}) : lookUpIn(name, resolvePath(qualifier, ""));
  return found.size() == 1 ? std::string_view(names.find(name)->second.find(*found.begin())->second) : name;
}

}  // namespace lanescope::syntax
