// Tensor cores are not simulated: a program that includes this can run its other kernels.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {}
}  // namespace nvcuda
