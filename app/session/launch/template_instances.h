#pragma once

#include <string>
#include <vector>

#include "sim/language/parse/parsed_text.h"

namespace lanescope {

/// What a kernel that is a template can be instantiated with.
struct TemplateInstances {
  std::vector<std::string> arguments;  ///< `256, float, Sum`, likeliest first; never empty
  bool mayTakeHostLambda = false;      ///< the text has lambdas of the host's, and a launch may pass one
  bool onlyTakesHostLambda = false;    ///< every launch of it passes one
};

/// The instances of a kernel that the text's launches name (`k<256, float, Sum><<<…>>>`) or that follow from
/// their arguments (`k<<<…>>>(n, Sum{})`), in their order. What does not follow, as the T of a template that
/// launches it, is tried: `float` and `int`, then the text's classes with operator(), then the others;
/// what extents of tiles named BM or TN usually are, `number` for whole numbers, and true. At most 48 of
/// them.
TemplateInstances templateInstances(const ParsedText& text, const syntax::Function& kernel,
                                    const std::string& number);

}  // namespace lanescope
