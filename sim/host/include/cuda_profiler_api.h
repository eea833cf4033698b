// Nothing profiles a simulated launch: its counters are in the table at the end.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

static inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
static inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
