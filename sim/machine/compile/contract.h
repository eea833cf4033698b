#pragma once

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// Fuses each floating multiplication with the addition or subtraction in the same expression that uses it:
/// one rounding, not two. nvcc does so unless it is given --fmad=false. If both operands are products, it
/// fuses the left one, but none that SharedProducts withholds; a product that an earlier statement computed
/// is not fused, though nvcc may do that, too.
void contractMultiplyAdd(typed::Kernel& kernel);

}  // namespace lanescope
