#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"
#include "sim/machine/compile/compiled_kernel.h"

namespace lanescope::host {

/// A name on the device, and its source file, as the host's text spells it: `2#reduce`; without a number, the
/// program's first.
struct UnitName {
  std::size_t unit = 0;
  std::string name;
};
UnitName unitName(std::string_view spelled);

/// The texts of a program's source files that have kernels, each read and parsed once.
class SourceUnits {
 public:
  explicit SourceUnits(std::vector<std::shared_ptr<const SourceText>> sources);

  std::size_t size() const { return units_.size(); }
  const SourceText& at(std::size_t unit) const { return *units_[unit].source; }
  /// The kernel, compiled from its own file; if that is not enough, or if it calls functions that only a run
  /// reveals, from its file with the others behind it, as after device linking; there a name is refused that
  /// means different things in two files. Errors: the errors of compileKernel() for its own file, or such a
  /// name.
  Result<CompiledKernelPtr> compile(const UnitName& name, ProductRounding rounding);
  /// As of addressTables().
  std::vector<typed::GlobalSymbol> tables(std::size_t unit);

 private:
  struct Unit {
    std::shared_ptr<const SourceText> source;
    std::optional<ParsedText> parsed{};
    std::optional<ParsedText> linked{};  ///< with the other files
    std::set<std::string> clashes{};     ///< messages of the names refused there
  };
  std::shared_ptr<const SourceText> linkedText(std::size_t unit) const;

  std::vector<Unit> units_;
};

/// A place in the program: the line, if it is known, or the code that was called from there.
struct ProgramPlace {
  const void* code = nullptr;
  std::string line{};
  bool operator==(const ProgramPlace&) const = default;
};

/// A tutor's remarks beside a program's output: sentences on stderr, each with its place, and each once.
class Tutor {
 public:
  /// `binary`: the compiled program, whose line tables give the source lines of its code.
  explicit Tutor(std::string binary) : binary_(std::move(binary)) {}

  /// Prints `lanescope: place: sentence`; each sentence once, and none past a limit.
  void explain(std::string_view place, std::string_view sentence);
  /// The program's innermost code on the stack, at the return address of a call; nullptr if there is none.
  const void* caller() const;
  /// `file.cu:23` of such code, or of an instruction if `isReturn` is false; empty if unknown (no line table,
  /// no addr2line).
  std::string placeOfCode(const void* code, bool isReturn = true) const;
  std::string placeOfCaller() const { return placeOfCode(caller()); }
  /// `p.cu:23`; empty if unknown.
  std::string lineOf(const ProgramPlace& place) const {
    return place.line.empty() && place.code != nullptr ? placeOfCode(place.code) : place.line;
  }
  /// The same for a known line of the file at a path.
  static std::string findPlace(std::string_view path, int line);

 private:
  std::string placeOfOffset(std::uint64_t offset) const;

  std::string binary_;
  std::set<std::string, std::less<>> said_;
};

}  // namespace lanescope::host
