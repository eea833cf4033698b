#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// An item at file scope, as a run of tokens: found by its brackets before it is parsed.
struct ItemRange {
  enum class Kind : std::uint8_t {
    Kernel,
    Function,  ///< of the device, or constexpr; in a class also a defaulted or deleted one
    Type,      ///< struct, class, union, enum, typedef, using
    Variable,
    Space,   ///< using namespace, using x::y, namespace a = b
    Member,  ///< a function of a class, defined outside it
    Host,    ///< unused by kernels: a function of the host, an instantiation
  } kind = Kind::Host;
  std::size_t begin = 0;
  std::size_t end = 0;                     ///< behind its last token
  std::vector<std::string_view> names{};   ///< that it declares
  std::vector<std::string_view> values{};  ///< enumerators and variables of a type, which are also in `names`
  bool isTemplate = false;
  bool isPrivate = false;  ///< of a class
  std::string space{};     ///< the namespaces around it: `a::b`
};

struct FileItems {
  std::vector<ItemRange> items;
  std::set<std::string, std::less<>> spaces;  ///< the file's own namespaces
};

/// True at the `(` of `Vec up(0, 1, 0)`: one of the entries between the brackets cannot begin a parameter.
bool holdsValues(const std::vector<Token>& tokens, std::size_t open);

/// Splits the tokens of a text, the last of kind End, into the items at file scope, without parsing these. An
/// item in a namespace or `extern "C" { … }` is a separate item. A body without its '}' ends before the next
/// __global__. Diagnostic: a '}' that closes nothing.
FileItems splitItems(const std::vector<Token>& tokens, std::vector<Diagnostic>& diagnostics);

struct ClassItems {
  std::vector<ItemRange> items;
  std::size_t end = 0;  ///< of the class's '}', or of the text
};

/// Splits the members of a class, starting behind its '{'. `isPrivate`: those before the first access label.
ClassItems splitMembers(const std::vector<Token>& tokens, std::size_t begin, bool isPrivate);

}  // namespace lanescope::syntax
