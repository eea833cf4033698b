#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/language/parse/file_items.h"
#include "sim/language/parse/syntax.h"

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

namespace {

using Names = std::set<std::string_view>;

/// True if a `::` can follow these tokens: a name, template arguments, decltype(x).
bool isScopeEnd(const std::vector<Token>& before) {
  if (before.empty()) return false;
  const Token& last = before.back();
  if (last.is("return")) return false;
  if (!last.is(")")) return last.kind == TokenKind::Identifier || last.is(">") || last.is(">>");
  constexpr std::size_t kMostTokens = 512;
  int depth = 0;
  for (std::size_t i = before.size(); i-- > 0 && before.size() - i < kMostTokens;) {
    depth += before[i].is(")") ? 1 : before[i].is("(") ? -1 : 0;
    if (depth == 0) return i > 0 && before[i - 1].is("decltype");
  }
  return false;
}

/// Tokens without the qualifiers of the text's own namespaces, and for each token its qualifier: `::` for
/// file scope.
struct Unqualified {
  std::vector<Token> tokens;
  std::vector<std::string> qualifiers;
};

Unqualified dropQualifiers(const std::vector<Token>& tokens, const Namespaces& known) {
  Unqualified result;
  result.tokens.reserve(tokens.size());
  result.qualifiers.reserve(tokens.size());
  std::string qualifier;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool isScope = i + 1 < tokens.size() && tokens[i + 1].is("::");
    const bool isGlobal = tokens[i].is("::") && qualifier.empty() && !isScopeEnd(result.tokens);
    const bool isOpened = i > 0 && tokens[i - 1].is("namespace") && (i < 2 || !tokens[i - 2].is("using"));
    if (isOpened && isScope) {  // namespace a::b {
      for (; i + 1 < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";"); ++i) {
        result.tokens.push_back(tokens[i]);
        result.qualifiers.emplace_back();
      }
      --i;
    } else if (isGlobal) {
      qualifier = "::";
    } else if (isScope && tokens[i].kind == TokenKind::Identifier && known.words.contains(tokens[i].text)) {
      if (!qualifier.empty() && qualifier != "::") qualifier += "::";
      qualifier += tokens[i].text;
      ++i;
    } else {
      result.tokens.push_back(tokens[i]);
      result.tokens.back().isQualified = !qualifier.empty();
      result.qualifiers.push_back(std::exchange(qualifier, {}));
    }
  }
  return result;
}

class Resolver {
 public:
  Resolver(std::vector<Token>& tokens, Namespaces& known) : known_(known) {
    Unqualified dropped = dropQualifiers(tokens, known);
    tokens = std::move(dropped.tokens);
    qualifiers_ = std::move(dropped.qualifiers);
    tokens_ = &tokens;
    plain_ = tokens;
  }

  /// Finds the names that must be kept apart, then names them.
  void run() {
    std::vector<Diagnostic> none;
    const FileItems split = splitItems(plain_, none);
    for (const ItemRange& item : split.items) declare(item);
    std::erase_if(known_.names, [&](const auto& entry) {
      return entry.second.size() < 2 &&
             (entry.second.begin()->first.empty() || !functions_.contains(entry.first));
    });
    if (known_.names.empty()) return;
    for (const ItemRange& item : split.items) {
      if (item.kind == ItemRange::Kind::Type) collectMembers(item.begin, item.end);
    }
    for (const ItemRange& item : split.items) walk(item);  // finds other uses of a name, and ambiguous names
    for (auto& [name, homes] : known_.names) settle(name, homes);
    std::erase_if(known_.names, [&](const auto& entry) {
      return known_.ambiguous.contains(entry.first) || transparent_.contains(entry.first) ||
             (entry.second.size() < 2 && !unresolved_.contains(entry.first));
    });
    if (known_.names.empty()) return;
    isNaming_ = true;
    for (const ItemRange& item : split.items) {  // types first: names within them are found by their tokens
      if (item.kind == ItemRange::Kind::Type) noteType(item);
    }
    for (const ItemRange& item : split.items) walk(item);
  }

 private:
  static bool isScopedEnum(const Token& first, const Token& second) {
    return first.is("enum") && (second.is("class") || second.is("struct"));
  }
  const Token& token(std::size_t at) const { return plain_[std::min(at, plain_.size() - 1)]; }

  /// True if one of the item's names is found only through the item: an enumerator of an enum class.
  bool isInside(const ItemRange& item, std::string_view name) const {
    if (!item.values.contains(name)) return false;
    for (std::size_t i = item.begin; i < item.end && !plain_[i].is("{"); ++i) {
      if (isScopedEnum(plain_[i], token(i + 1))) return true;
    }
    return false;
  }

  /// The namespace that the item declares the name in: its own, or the one of `float a::f(float x) {…}`.
  std::string findHome(const ItemRange& item, std::string_view name) const {
    if (item.kind != ItemRange::Kind::Function && item.kind != ItemRange::Kind::Member) return item.space;
    for (std::size_t i = item.begin; i < item.end; ++i) {
      if (plain_[i].text != name) continue;
      return qualifiers_[i].empty() ? item.space : known_.resolvePath(qualifiers_[i], item.space);
    }
    return item.space;
  }

  void declare(const ItemRange& item) {
    using Kind = ItemRange::Kind;
    if (item.kind != Kind::Function && item.kind != Kind::Type && item.kind != Kind::Variable) return;
    for (const std::string_view name : item.names) {
      if (isInside(item, name)) continue;
      const std::string home = findHome(item, name);
      if (item.kind == Kind::Function) functions_.emplace(name);
      Namespaces::Homes& homes = known_.names[std::string(name)];
      homes.emplace(home, joinedSpaces(home, name));
    }
  }

  /// A name that `using` brings to file scope keeps its plain form. Two such names cannot be kept apart.
  void settle(const std::string& name, Namespaces::Homes& homes) {
    int plain = 0;
    for (auto& entry : homes) {
      const auto shows = [&](const Namespaces::Using& use) {
        return use.in.empty() && use.of == entry.first && (use.name.empty() || use.name == name);
      };
      if (std::ranges::any_of(known_.usings, shows)) entry.second = name;
      if (entry.second == name) ++plain;
    }
    if (plain > 1) known_.ambiguous.insert(name);
  }

  void noteType(const ItemRange& item) {
    for (const std::string_view name : item.names) {
      if (item.values.contains(name)) continue;
      const auto known = known_.names.find(name);
      const std::string own =
          known == known_.names.end() ? std::string(name) : known->second.find(item.space)->second;
      known_.ofTypes.emplace(own, item.space);
      for (const std::string_view value : item.values) {
        if (!isInside(item, value)) enumerators_[{own, std::string(value)}] = item.space;
      }
    }
  }

  // --- classes ---

  /// The place of a class's '{', and its name. Empty for another type.
  struct ClassHead {
    std::size_t open = 0;
    std::string_view name;
    bool hasBases = false;
  };
  std::optional<ClassHead> classHead(std::size_t begin, std::size_t end) const {
    ClassHead head;
    for (std::size_t i = begin; i < end && !plain_[i].is(";") && !plain_[i].is("="); ++i) {
      const bool isKey = plain_[i].is("struct") || plain_[i].is("class") || plain_[i].is("union");
      const bool isOfEnum = i > begin && plain_[i - 1].is("enum");
      if (plain_[i].is("enum")) return std::nullopt;
      if (isKey && !isOfEnum && head.name.empty() && token(i + 1).kind == TokenKind::Identifier)
        head.name = token(i + 1).text;
      if (plain_[i].is(":")) head.hasBases = true;
      if (!plain_[i].is("{")) continue;
      head.open = i;
      return head.name.empty() ? std::nullopt : std::optional(head);
    }
    return std::nullopt;
  }

  Names findMembers(const ClassHead& head, const ClassItems& items) const {
    Names names;
    for (const ItemRange& member : items.items) names.insert(member.names.begin(), member.names.end());
    names.erase(head.name);
    return names;
  }

  void collectMembers(std::size_t begin, std::size_t end) {
    const auto head = classHead(begin, end);
    if (!head) return;
    const ClassItems items = splitMembers(plain_, head->open + 1, false);
    const Names names = findMembers(*head, items);
    members_[head->name].insert(names.begin(), names.end());
    allMembers_.insert(names.begin(), names.end());
    for (const ItemRange& member : items.items) {
      if (member.kind == ItemRange::Kind::Type) collectMembers(member.begin, member.end);
    }
  }

  // --- the walk ---

  /// A using declaration within a function, and its range of tokens: to the end of its block.
  struct LocalUsing {
    Namespaces::Using use;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  struct Scope {
    std::string_view space;
    Names hidden{};
    bool hasBases = false;
    std::vector<LocalUsing> local{};

    std::vector<Namespaces::Using> localAt(std::size_t at) const {
      std::vector<Namespaces::Using> result;
      for (const LocalUsing& each : local) {
        if (at >= each.begin && at < each.end) result.push_back(each.use);
      }
      return result;
    }
  };

  void walk(const ItemRange& item) {
    using Kind = ItemRange::Kind;
    if (item.kind == Kind::Host || item.kind == Kind::Space) return;
    Scope scope{item.space};
    if (item.kind == Kind::Kernel) scope.hidden.insert(item.names.begin(), item.names.end());
    if (item.kind == Kind::Type) return walkType(item.begin, item.end, scope);
    if (item.kind == Kind::Member || item.kind == Kind::Function) {
      addItemClass(item, scope);
      for (const std::string_view name : item.names) scope.space = parentNamespace(findHome(item, name));
    }
    walkFunction(item.begin, item.end, std::move(scope));
  }

  std::string_view parentNamespace(const std::string& home) const {
    const auto path = known_.paths.find(home);
    return path == known_.paths.end() ? std::string_view() : std::string_view(*path);
  }

  /// For `float Table<T>::at(int i) {…}`: the members of Table are visible.
  void addItemClass(const ItemRange& item, Scope& scope) const {
    for (std::size_t i = item.begin; i < item.end && !plain_[i].is("("); ++i) {
      const auto members = members_.find(plain_[i].text);
      const bool isScope = token(i + 1).is("::") || token(i + 1).is("<");
      if (members == members_.end() || !isScope) continue;
      scope.hidden.insert(members->second.begin(), members->second.end());
    }
  }

  void walkType(std::size_t begin, std::size_t end, const Scope& scope) {
    const auto head = classHead(begin, end);
    if (!head) {
      Scope own = scope;
      for (std::size_t i = begin; i < end; ++i) {
        if (!isScopedEnum(plain_[i], token(i + 1))) continue;
        for (std::size_t v = i + 2; v < end; ++v) {
          if ((plain_[v - 1].is("{") || plain_[v - 1].is(",")) && plain_[v].kind == TokenKind::Identifier)
            own.hidden.insert(plain_[v].text);
        }
      }
      return nameRange(begin, end, own);
    }
    nameRange(begin, head->open, scope);
    const ClassItems items = splitMembers(plain_, head->open + 1, false);
    Scope inner = scope;
    const Names names = findMembers(*head, items);
    inner.hidden.insert(names.begin(), names.end());
    inner.hasBases = inner.hasBases || head->hasBases;
    for (const ItemRange& member : items.items) {
      if (member.kind == ItemRange::Kind::Type)
        walkType(member.begin, member.end, inner);
      else
        walkFunction(member.begin, member.end, inner);
    }
    if (items.end < end) nameRange(items.end, end, scope);
  }

  /// Walks a function with the names of its parameters hidden and the names visible that `using` brings into
  /// it.
  void walkFunction(std::size_t begin, std::size_t end, Scope scope) {
    int round = 0;
    for (std::size_t i = begin; i < end && !plain_[i].is("{"); ++i) {
      round += plain_[i].is("(") ? 1 : plain_[i].is(")") ? -1 : 0;
      if (round == 0 || i == begin || plain_[i].kind != TokenKind::Identifier) continue;
      const Token& before = plain_[i - 1];
      const Token& behind = token(i + 1);
      const bool isOfType = before.kind == TokenKind::Identifier || before.is("*") || before.is("&") ||
                            before.is("&&") || before.is(">") || before.is("...");
      const bool isLast = behind.is(",") || behind.is(")") || behind.is("[") || behind.is("=");
      if (isOfType && isLast) scope.hidden.insert(plain_[i].text);
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (!plain_[i].is("using") || token(i + 2).is("=")) continue;
      const bool isDirective = token(i + 1).is("namespace");
      const std::size_t last = i + (isDirective ? 2 : 1);
      if (last >= end || (!isDirective && qualifiers_[last].empty())) continue;
      const std::string written =
          isDirective ? joinedSpaces(qualifiers_[last], plain_[last].text) : qualifiers_[last];
      scope.local.push_back({{std::string(scope.space), known_.resolvePath(written, scope.space),
                              isDirective ? "" : std::string(plain_[last].text)},
                             last,
                             blockEnd(last, end)});
    }
    nameRange(begin, end, scope);
  }

  std::size_t blockEnd(std::size_t at, std::size_t end) const {
    int depth = 0;
    for (; at < end && depth >= 0; ++at) depth += plain_[at].is("{") ? 1 : plain_[at].is("}") ? -1 : 0;
    return at;
  }

  void nameRange(std::size_t begin, std::size_t end, const Scope& scope) {
    for (std::size_t i = begin; i < end; ++i) {
      if (plain_[i].kind != TokenKind::Identifier) continue;
      const auto known = known_.names.find(plain_[i].text);
      if (known != known_.names.end()) name(i, begin, known->first, known->second, scope);
    }
  }

  void name(std::size_t at, std::size_t begin, const std::string& name, const Namespaces::Homes& homes,
            const Scope& scope) {
    const auto set = [&](const std::string& home) {
      if (isNaming_) (*tokens_)[at].text = homes.find(home)->second;
    };
    const bool isMember = at > begin && (plain_[at - 1].is(".") || plain_[at - 1].is("->"));
    if (isMember) return;
    if (at > begin + 1 && plain_[at - 1].is("::")) {
      const std::string_view scopeToken = (*tokens_)[at - 2].text;
      const auto value = enumerators_.find({std::string(scopeToken), name});
      if (value != enumerators_.end())
        set(value->second);
      else if (plain_[at - 2].text == name && isNaming_)  // Params::Params(int n) {…}
        (*tokens_)[at].text = scopeToken;
      return;
    }
    Namespaces::Found found;
    if (const std::string& qualifier = qualifiers_[at]; !qualifier.empty()) {
      const bool isGlobal = qualifier.starts_with("::");
      const std::string_view written = std::string_view(qualifier).substr(isGlobal ? 2 : 0);
      const std::string path = isGlobal ? known_.resolvePath(written, "")
                                        : known_.resolvePath(written, scope.space, scope.localAt(at));
      found = known_.lookUpIn(name, path);
    } else if (scope.hidden.contains(name)) {
      return;
    } else {
      if (scope.hasBases && allMembers_.contains(name)) known_.ambiguous.insert(name);
      const std::vector<Namespaces::Using> local = scope.localAt(at);
      found = known_.lookUp(name, scope.space, local);
      // If a function of CUDA has the name too, only the call's arguments tell which is meant.
      const bool isShown = std::ranges::any_of(local, [&](const Namespaces::Using& use) {
        return use.name.empty() && found.contains(use.of) && !isWithinSpace(scope.space, use.of);
      });
      if (isShown && homes.size() == 1) transparent_.insert(name);
    }
    if (found.size() > 1) known_.ambiguous.insert(name);
    if (found.size() == 1) return set(std::string(*found.begin()));
    const bool isCalled = token(at + 1).is("(") || token(at + 1).is("<");
    if (isCalled && functions_.contains(name)) unresolved_.insert(name);
  }

  Namespaces& known_;
  std::vector<Token>* tokens_ = nullptr;  ///< that are named
  std::vector<Token> plain_;              ///< the original tokens
  std::vector<std::string> qualifiers_;
  std::set<std::string, std::less<>> functions_;
  std::set<std::string, std::less<>> unresolved_;
  std::set<std::string, std::less<>> transparent_;  ///< single ones that stay unchanged
  std::map<std::string_view, Names> members_;       ///< by class
  Names allMembers_;
  std::map<std::pair<std::string, std::string>, std::string>
      enumerators_;  ///< their namespace, by enum's token
  bool isNaming_ = false;
};

}  // namespace

Namespaces resolveNamespaces(std::vector<Token>& tokens) {
  Namespaces known;
  std::vector<Diagnostic> none;
  const FileItems split = splitItems(tokens, none);
  known.words = split.spaces;
  if (known.words.empty()) {
    tokens = dropQualifiers(tokens, known).tokens;
    return known;
  }
  for (const ItemRange& item : split.items) {
    for (std::string_view space = item.space; !space.empty(); space = spaceAround(space))
      known.paths.emplace(space);
  }
  // Aliases first: a using may name one.
  const auto written = [&](std::size_t at) {  // `a::b` from there on
    std::string text;
    while (tokens[at].kind == TokenKind::Identifier || tokens[at].is("::")) text += tokens[at++].text;
    return text.starts_with("::") ? text.substr(2) : text;
  };
  const auto isKnown = [&](std::string_view text) {
    return known.words.contains(text.substr(0, text.find("::")));
  };
  for (const ItemRange& item : split.items) {
    const bool isAlias = tokens[item.begin].is("namespace") && item.begin + 3 < item.end;
    if (item.kind != ItemRange::Kind::Space || !isAlias || !tokens[item.begin + 2].is("=")) continue;
    const std::string of = written(item.begin + 3);
    if (!isKnown(of)) continue;
    known.aliases.emplace(tokens[item.begin + 1].text, known.resolvePath(of, item.space));
    known.words.emplace(tokens[item.begin + 1].text);
  }
  for (const ItemRange& item : split.items) {
    if (item.kind != ItemRange::Kind::Space || !tokens[item.begin].is("using")) continue;
    const bool isDirective = tokens[item.begin + 1].is("namespace");
    const std::string of = written(item.begin + (isDirective ? 2 : 1));
    if (!isKnown(of)) continue;
    const std::string_view space = isDirective ? std::string_view(of) : spaceAround(of);
    const std::string name = isDirective ? "" : of.substr(of.rfind(':') + 1);
    known.usings.push_back({item.space, known.resolvePath(space, item.space), name});
  }
  Resolver(tokens, known).run();
  return known;
}

void resolveNamespaces(std::vector<Token>& tokens, const Namespaces& known) {
  Unqualified dropped = dropQualifiers(tokens, known);
  tokens = std::move(dropped.tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool isGlobal = dropped.qualifiers[i].starts_with("::");
    const std::string_view qualifier = std::string_view(dropped.qualifiers[i]).substr(isGlobal ? 2 : 0);
    if (tokens[i].kind == TokenKind::Identifier) tokens[i].text = known.findToken(tokens[i].text, qualifier);
  }
}

}  // namespace lanescope::syntax
