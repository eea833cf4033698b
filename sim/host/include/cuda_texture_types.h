// cuda_runtime.h has what this header has in CUDA.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
