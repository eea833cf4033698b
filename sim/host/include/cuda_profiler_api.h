// cuda_runtime.h has what this header has in CUDA: nothing profiles a simulated launch, whose counters are in
// the table at the end.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
