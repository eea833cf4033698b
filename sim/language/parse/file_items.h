#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/scanner.h"

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
  std::size_t end = 0;                    ///< behind its last token
  std::vector<std::string_view> names{};  ///< that it declares
  std::set<std::string_view> values{};    ///< enumerators and variables of a type, which are also in `names`
  bool isTemplate = false;
  bool isPrivate = false;  ///< of a class
  std::string space{};     ///< the namespaces around it: `a::b`
};

struct FileItems {
  std::vector<ItemRange> items;
  std::set<std::string, std::less<>> paths;                 ///< the file's own namespaces: `a::b`
  std::map<std::string, std::string, std::less<>> inlined;  ///< inline ones, and the namespace around each
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

inline constexpr std::string_view kConstraint = "__constraint";
/// Before the constraint, in brackets, of a requires clause behind a function's parameters.
inline constexpr std::string_view kRequires = "__requires";

/// Writes the concepts of C++20 in C++17: `template <std::integral T> T f(T x)` becomes `template <typename
/// T, std::enable_if_t<std::integral<T>, int> = 0> T f(T x)`, and a concept becomes a template of a constant.
/// The constraints of kernels, classes and variables count as met: they are in a valid text. Those of
/// specialisations of classes, and the requirements in `requires {…}`, become a word that the parser refuses.
/// The parameter's name begins with kConstraint.
void lowerConcepts(std::vector<Token>& tokens);

/// True for `integral` and the other names of <concepts> that can be before a template's parameter or `auto`.
bool isStandardConcept(std::string_view word);

/// Parts of the library that are read only for texts that use them: <type_traits>, <utility>, <functional>,
/// <array> and <span>, <concepts>, which uses the first, and libcu++'s <cuda/atomic>.
enum class LibraryPart : std::uint8_t { Plain, Concepts, Atomics };
inline constexpr std::size_t kLibraryParts = 3;
using LibraryParts = std::array<bool, kLibraryParts>;  ///< the parts that a text uses

/// Templates of the C++ library, written in CUDA C++. Each name is one token with its namespace,
/// `std::enable_if`. The last token is not of kind End.
const std::vector<Token>& standardLibrary(LibraryPart part);

/// The part that has a name of the library. The name is without its namespace.
LibraryPart findPart(std::string_view word);

/// The text of the part for <cuda/atomic>.
std::string atomicLibrary();

/// True for a name of <cuda/atomic>: it is in cuda:: and cuda::std::, and the library has it as
/// `std::atomic`.
bool isOfCuda(std::string_view word);

/// `std::enable_if` for `enable_if`, if the library has it. Empty otherwise.
std::string_view standardName(std::string_view word);

}  // namespace lanescope::syntax
