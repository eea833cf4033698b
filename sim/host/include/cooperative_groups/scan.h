// cooperative_groups.h has what this header has in CUDA.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"
