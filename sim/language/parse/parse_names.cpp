#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/parser_impl.h"

// What names mean where they are written: scopes of blocks, classes and templates, then those of the file.
namespace lanescope::syntax {

/// A name of the class, else of its bases. `isUnknown` becomes true if a base with unknown names may have it.
const LocalName* Parser::findMember(const ClassNames& members, std::string_view name,
                                    std::set<const ClassNames*>& seen, bool& isUnknown) {
  if (!seen.insert(&members).second) return nullptr;
  if (const auto own = members.names.find(name); own != members.names.end()) return &own->second;
  isUnknown = isUnknown || members.hasUnknownBase;
  for (const ClassNames* const base : members.bases) {
    if (const LocalName* const found = findMember(*base, name, seen, isUnknown)) return found;
  }
  return nullptr;
}

std::vector<Using> Parser::localUsings() const {
  std::vector<Using> usings;
  for (const NameScope& scope : scopes_)
    usings.insert(usings.end(), scope.usings.begin(), scope.usings.end());
  return usings;
}

/// What a name means here ([basic.lookup]). `ofTypes`: for `struct Node`, variables and functions do not
/// count, and the type may be declared later.
Meaning Parser::meaning(const Token& token, bool ofTypes) const {
  Meaning result;
  result.spelled = token.text;
  const Place place = isKernelName_ || ofTypes ? kAnywhere : static_cast<Place>(at_);
  std::optional<std::string> space;
  if (!token.qualifier.empty()) {
    space = names_->findSpace(token.qualifier, space_, localUsings());
    if (!space) return result;
    result.file = names_->lookUpIn(token.text, *space, place, ofTypes);
  } else {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const LocalName* found = nullptr;
      if (scope->members != nullptr) {
        std::set<const ClassNames*> seen;
        found = findMember(*scope->members, token.text, seen, result.mayBeOfBase);
      } else if (const auto own = scope->names.find(token.text); own != scope->names.end()) {
        found = &own->second;
      }
      if (found == nullptr || (ofTypes && !found->isType)) continue;
      result.isType = found->isType;
      result.isTemplate = found->isTemplate;
      result.isDependent = found->isDependent || scope->isDependent;
      result.members = found->members;
      if (!found->spelled.empty()) result.spelled = found->spelled;
      result.of = Meaning::Of::Scope;
      if (!found->file) return result;
      result.file = *found->file;
      result.endsSearch = found->endsSearch;
      break;
    }
    if (result.of == Meaning::Of::Nothing && names_->isDeclared(token.text))
      result.file = names_->lookUp(token.text, space_, place, localUsings(), ofTypes);
  }
  if (result.file.homes.empty()) return result;
  result.of = Meaning::Of::File;
  result.isType = result.file.isType;
  result.isTemplate = result.file.isTemplate;
  result.spelled = result.file.homes.front().name;
  const auto names = classes_.find(result.spelled);
  result.members = names == classes_.end() ? nullptr : names->second;
  return result;
}

Binding Parser::bindingOf(const Meaning& meant) const {
  if (meant.of == Meaning::Of::Scope) return Binding::Scope;
  if (meant.of == Meaning::Of::File) return meant.mayBeOfBase ? Binding::Open : Binding::File;
  return isKernelName_ || meant.mayBeOfBase ? Binding::Open : Binding::Nothing;
}

/// Notes in the tree what a name means.
void Parser::bind(Expression& name, const Meaning& meant, const Token& token) const {
  name.text = meant.spelled;
  name.place = static_cast<Place>(at_);
  name.isQualified = !token.qualifier.empty() || meant.endsSearch;
  name.isDependent = meant.isDependent;
  name.binding = bindingOf(meant);
  name.isInner = meant.file.isInner;
  name.homes = meant.file.homes;
}

/// True within a template with parameters.
bool Parser::inTemplate() const {
  return std::ranges::any_of(scopes_, [](const NameScope& scope) {
    return scope.isDependent || (scope.kind == NameScope::Kind::Template && !scope.names.empty());
  });
}

/// True outside of functions and classes.
bool Parser::isFileScope() const {
  return std::ranges::all_of(scopes_,
                             [](const NameScope& scope) { return scope.kind == NameScope::Kind::Template; });
}

/// Declares a name in the innermost scope. A variable depends on a template's parameters unless its type is
/// known not to.
LocalName& Parser::declareLocal(std::string_view name, bool isType) {
  LocalName& declared = scopes_.back().names[std::string(name)];
  if (!isType || !declared.isType) declared = {.isType = isType, .isDependent = inTemplate()};
  return declared;
}

/// The name in the tree of what is declared here under the name of the token.
std::string Parser::declaredName(const Token& name) const {
  if (!isFileScope()) return std::string(name.text);
  const auto space =
      name.qualifier.empty() ? std::nullopt : names_->findSpace(name.qualifier, space_, localUsings());
  return names_->spelled(space.value_or(space_), name.text);
}

/// The names of the class that the type is, if they are known.
ClassNames* Parser::classNamed(const TypeName& type) const {
  ClassNames* members = nullptr;
  if (const auto ofFile = classes_.find(type.base); ofFile != classes_.end() && type.binding == Binding::File)
    members = ofFile->second;
  for (auto scope = scopes_.rbegin();
       scope != scopes_.rend() && type.binding != Binding::File && members == nullptr; ++scope) {
    std::set<const ClassNames*> seen;
    bool isUnknown = false;
    const auto own = scope->names.find(type.base);
    const LocalName* const found = scope->members != nullptr
                                       ? findMember(*scope->members, type.base, seen, isUnknown)
                                   : own != scope->names.end() ? &own->second
                                                               : nullptr;
    if (found != nullptr) members = found->members;
  }
  for (const std::string& part : type.path) {
    if (members == nullptr) return nullptr;
    std::set<const ClassNames*> seen;
    bool isUnknown = false;
    const LocalName* const found = findMember(*members, part, seen, isUnknown);
    members = found != nullptr ? found->members : nullptr;
  }
  return members;
}

// Names of classes.

/// Notes the names that a member declares.
void Parser::declareMember(const ItemRange& item, ClassNames& names) {
  const auto at = [&](std::size_t ahead) -> const Token& {
    return tokens_[std::min(item.begin + ahead, tokens_.size() - 1)];
  };
  if (at(0).is("using") && !at(1).is("enum") && !at(2).is("=")) {
    for (const std::string_view name : item.names) {
      const LocalName* known = nullptr;
      std::set<const ClassNames*> seen = {&names};
      bool isUnknown = false;
      for (ClassNames* const base : names.bases) {
        if (known == nullptr) known = findMember(*base, name, seen, isUnknown);
      }
      const LocalName ofDependent{.isType = at(1).is("typename"), .isDependent = true};
      names.names[std::string(name)] = known != nullptr ? *known : ofDependent;
    }
    return;
  }
  if (isClassKey(at(0)) && at(1).is("{") && item.names.empty()) {  // an anonymous union
    for (const ItemRange& inner : splitMembers(tokens_, item.begin + 2, false).items)
      declareMember(inner, names);
  }
  for (std::size_t i = 0; item.begin + i < item.end && !at(i).is("(") && !at(i).is("{"); ++i) {
    if (at(i).is("friend")) return;
  }
  const bool isFunction = item.kind == ItemRange::Kind::Function;
  for (const std::string_view name : item.names) {
    const bool isType = item.kind == ItemRange::Kind::Type && !item.values.contains(name);
    if (isFunction && name != item.names.back()) continue;
    LocalName& member = names.names[std::string(name)];
    if (member.members == &names) continue;  // the class's own name
    (isType ? memberTypes_ : memberValues_).emplace(name);
    member.isType = isType;
    member.isTemplate = member.isTemplate || item.isTemplate;
  }
}

/// The names of a class, known where its members are read: all are visible in all its functions
/// ([class.member.lookup]).
ClassNames& Parser::declareMembers(const Structure& type, std::string_view plainName,
                                   const ClassItems& items) {
  ClassNames& names = allClasses_.emplace_back();
  for (const TypeName& base : type.bases) {
    if (base.isDependent) continue;
    ClassNames* const known = classNamed(base);
    if (known != nullptr) names.bases.push_back(known);
    if (known == nullptr) names.hasUnknownBase = true;
  }
  if (!plainName.empty()) {
    const bool isTemplate = !type.templateParameters.empty() || type.specialised != nullptr;
    names.names[std::string(plainName)] = {true, isTemplate, false, &names, type.name, {}};
  }
  for (const ItemRange& item : items.items) declareMember(item, names);
  if (isFileScope()) {
    const auto [known, isNew] = classes_.emplace(type.name, &names);
    if (!isNew) {  // a specialisation, or the template of one
      for (const auto& [name, member] : names.names) known->second->names.emplace(name, member);
      known->second->hasUnknownBase = true;
    }
  } else if (NameScope& outer = scopes_.back(); !plainName.empty()) {
    (outer.members != nullptr ? outer.members->names : outer.names)[std::string(plainName)].members = &names;
  }
  return names;
}

}  // namespace lanescope::syntax
