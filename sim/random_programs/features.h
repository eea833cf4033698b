#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/random_programs/expressions.h"
#include "sim/random_programs/program.h"

namespace lanescope::random_programs {

/// A part of the language, with alternatives: one text of the folder `features` (README.md).
struct Feature {
  std::string name;
  std::string declarations;
  std::string statements;
};

/// All features of the folder, in the order of their files' names.
std::vector<Feature> readFeatures(const std::string& folder);

/// Expands the alternatives and the holes of one feature.
class FeatureWriter {
 public:
  FeatureWriter(Random& random, Words& words, std::string here)
      : random_(random), expressions_(random), words_(words), here_(std::move(here)) {
    expressions_.isPure = true;
  }

  std::string expand(std::string_view text);
  /// Variables that the statements' expressions name, to be declared before them.
  std::string locals();

 private:
  std::string hole(std::string_view name);
  std::string number(Range range, bool isConstant);

  Random& random_;
  Expressions expressions_;
  Words& words_;
  std::string here_;
  std::array<std::string, 10> types_;
  std::array<unsigned, 10> picks_{};
};

}  // namespace lanescope::random_programs
