#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {
struct Token;
}

namespace lanescope::syntax {

struct FileItems;

/// A place in the text: the number of a token. Declarations from behind a place are not visible there.
using Place = std::uint32_t;
inline constexpr Place kAnywhere = UINT32_MAX;

/// Declarations that a name means: those of one namespace, up to a place.
struct Home {
  std::string space;  ///< `a::b`; empty: outside of namespaces
  std::string name;   ///< in the tree: the name, or `a::b::name` if several namespaces declare it
  Place before = kAnywhere;
  std::string parameters{};  ///< of the one function that a declaration in a block means; else empty
};

/// `using namespace of;`, `using of::name;`, or `namespace alias = of;`, within the namespace `in`.
struct Using {
  std::string in;
  std::string of;
  std::string name{};
  Place place = 0;
};

/// The names that a text declares in namespaces and outside of them, and their lookup ([basic.lookup]). An
/// inline namespace, or one without a name, is the same as the namespace around it.
class FileNames {
 public:
  struct Found {
    std::vector<Home> homes;
    bool isType = false;      ///< a class, an enum or an alias that no variable or function hides
    bool isTemplate = false;  ///< some of the declarations
    bool isInner = false;     ///< of a namespace, so that CUDA's own functions are hidden
  };

  /// Makes each name with the qualifiers of namespaces before it one token. `spellings` keeps the qualifiers.
  void joinQualifiers(std::vector<Token>& tokens, std::set<std::string>& spellings) const;
  /// Notes the words that name namespaces.
  void readWords(const std::vector<Token>& tokens);
  /// Notes what the items declare; the tokens are joined.
  void readItems(const FileItems& items, const std::vector<Token>& tokens);

  /// Notes a name, unless its namespace has one there.
  void declare(std::string_view space, std::string_view name, Place place, bool isType, bool isTemplate);
  /// The name in the tree.
  std::string spelled(std::string_view space, std::string_view name) const;
  bool isDeclared(std::string_view name) const { return names_.contains(name); }

  /// A name without qualifier, within a namespace ([basic.lookup.unqual]). `local`: using directives of the
  /// blocks around it. `ofTypes`: only types count.
  Found lookUp(std::string_view name, std::string_view from, Place place, std::span<const Using> local,
               bool ofTypes = false) const;
  /// A name with a qualifier ([namespace.qual]): of that namespace, else of those that it uses. `withUsed`:
  /// false for the search by arguments ([basic.lookup.argdep]).
  Found lookUpIn(std::string_view name, std::string_view space, Place place, bool ofTypes = false,
                 bool withUsed = true) const;
  /// The namespace that is written `a::b` or `::a::b` within another. Empty if there is none.
  std::optional<std::string> findSpace(std::string_view written, std::string_view from,
                                       std::span<const Using> local) const;

 private:
  struct Declared {
    std::string space;
    Place place = 0;
    bool isType = false;
    bool isTemplate = false;
  };
  using Seen = std::set<std::string_view>;  ///< the namespaces that one search has looked into
  void add(std::string_view name, std::string_view space, Place place, bool ofTypes, Seen& seen,
           Found& found) const;
  void addUsed(std::string_view name, std::string_view space, Place place, bool ofTypes, Seen& seen,
               Found& found) const;
  std::optional<std::string> spaceIn(std::string_view space, std::string_view name,
                                     std::span<const Using> local) const;

  std::set<std::string, std::less<>> words_;                ///< namespaces and their other names
  std::set<std::string, std::less<>> paths_;                ///< `a::b`
  std::map<std::string, std::string, std::less<>> others_;  ///< other names of a path
  std::vector<Using> usings_;
  std::map<std::string, std::vector<Declared>, std::less<>> names_;
  std::set<std::string, std::less<>> shared_;  ///< names that several namespaces declare
};

/// `a::b` of `a` and `b`; `b` of "" and `b`.
std::string joinedSpaces(std::string_view space, std::string_view name);
/// `a` of `a::b`; "" of `a`.
std::string_view spaceAround(std::string_view space);
/// `b` of `a::b`.
std::string_view lastName(std::string_view name);

}  // namespace lanescope::syntax
