// cuda_runtime.h has the contents of CUDA's header of this name: nothing profiles a simulated launch, whose
// counters are in the table at the end.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
