#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/parsed_text.h"
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

}  // namespace lanescope::host
