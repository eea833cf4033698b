// vector_types.h has what this header has in CUDA.
#pragma once
#pragma GCC system_header
#include "vector_types.h"
