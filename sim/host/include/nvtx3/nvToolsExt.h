// NVTX 3 has its header here.
#pragma once
#pragma GCC system_header
#include "../nvToolsExt.h"
