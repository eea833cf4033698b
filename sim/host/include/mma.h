// Tensor cores are not simulated: a program that includes this runs as far as its other kernels go.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {}
}  // namespace nvcuda
