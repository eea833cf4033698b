#pragma once

#include <string_view>

#include "app/launch/launch_form.h"

namespace lanescope {

/// A form to begin with, as formFor(), but with the values of the text's first launch of the kernel: grid,
/// block, dynamic shared memory and whole numbers, as far as they follow from literals and constants of the
/// text, and buffers of an element per thread, or of the largest number if that is more. If nothing follows,
/// or the buffers would be too large to be traced, it is formFor().
LaunchForm formFor(const KernelSignature& signature, std::string_view text);

}  // namespace lanescope
