// cuRAND's host library is not simulated; a program that only includes it beside curand_kernel.h runs.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
