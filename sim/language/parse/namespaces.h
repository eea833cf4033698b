#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {
struct Token;
}

namespace lanescope::syntax {

/// The namespaces of a text. Most names are declared in only one of them. For these, namespaces are
/// transparent: `detail::f` is the token `f`. A name that several namespaces declare, or that has another
/// meaning outside its namespace (CUDA's max beside detail::max), has a separate token for each:
/// `detail::max`.
struct Namespaces {
  /// `using namespace of;` and, with a name, `using of::name;`, within the namespace `in`.
  struct Using {
    std::string in;
    std::string of;
    std::string name;
  };
  using Homes = std::map<std::string, std::string, std::less<>>;  ///< by namespace, the token
  using Found =
      std::set<std::string_view>;  ///< the namespaces that declare a name, of the innermost level with any

  std::set<std::string, std::less<>> words;  ///< of the text's own namespaces, and their aliases
  std::set<std::string, std::less<>> paths;  ///< `a::b`, for nested ones
  std::map<std::string, std::string, std::less<>> aliases;
  std::vector<Using> usings;
  std::map<std::string, Homes, std::less<>> names;          ///< the names that have separate tokens
  std::set<std::string, std::less<>> ambiguous;             ///< declared in several, which are not kept apart
  std::map<std::string, std::string, std::less<>> ofTypes;  ///< of a class's or enum's token

  /// The whole path of the namespace written `a::b` within `from`. `local`: the using directives around it.
  std::string resolvePath(std::string_view written, std::string_view from,
                          std::span<const Using> local = {}) const;

  /// Looks up a name without a qualifier, within `from` ([basic.lookup.unqual]). `local`: the using
  /// declarations around it.
  Found lookUp(std::string_view name, std::string_view from, std::span<const Using> local) const;
  /// Looks up a name with a qualifier ([namespace.qual]): in that namespace, else in those that it uses.
  Found lookUpIn(std::string_view name, std::string_view space) const;

  /// The tokens of a name or token, with its namespace or without. Null if the name has no separate tokens.
  const Homes* findHomes(std::string_view token) const;

  /// The token of a name at file scope, with the qualifier `a::b` or "". The name itself if it has no
  /// separate token.
  std::string_view findToken(std::string_view name, std::string_view qualifier) const;

 private:
  void addShown(const Using& use, std::string_view name, const Homes& homes, Found& found) const;
};

/// `a::b` of `a` and `b`; `b` of "" and `b`.
std::string joinedSpaces(std::string_view space, std::string_view name);
/// `a` of `a::b`; "" of `a`.
std::string_view spaceAround(std::string_view space);
bool isWithinSpace(std::string_view space, std::string_view outer);

/// Drops the qualifiers of the text's own namespaces, and `::` before a name at file scope. The last token is
/// of kind End. The tokens are valid as long as the returned value.
Namespaces resolveNamespaces(std::vector<Token>& tokens);

/// The same for a name from outside the text, such as a kernel's with template arguments.
void resolveNamespaces(std::vector<Token>& tokens, const Namespaces& known);

}  // namespace lanescope::syntax
