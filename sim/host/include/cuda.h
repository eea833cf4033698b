// The driver interface's names for parts of the runtime; its functions are missing here.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
#define CUDA_VERSION 13000
