#pragma once

#include <string>
#include <vector>

#include "sim/language/parse/parsed_text.h"

namespace lanescope {

/// The arguments that a kernel template can be instantiated with.
struct TemplateInstances {
  std::vector<std::string> arguments;  ///< `256, float, Sum`, likeliest first; never empty
  bool mayTakeHostLambda = false;      ///< the text has lambdas of the host's, and a launch may pass one
  bool onlyTakesHostLambda = false;    ///< every launch of it passes one
};

/// The instances of a kernel that the text's launches name (`k<256, float, Sum><<<…>>>`) or that follow from
/// their arguments (`k<<<…>>>(n, Sum{})`), in their order. For a parameter that does not follow, such as the
/// T of a template that launches it, these are tried: `float` and `int`, then the text's classes with
/// operator(), then the others; the usual extents of tiles named BM or TN, `number` for whole numbers, and
/// true. At most 48 of them.
TemplateInstances templateInstances(const ParsedText& text, const syntax::Function& kernel,
                                    const std::string& number);

}  // namespace lanescope
