#include "shared.h"

void fillHost(float* data, int n) {
#ifdef __CUDACC__
#error a .cpp is the host compiler's alone
#endif
  for (int i = 0; i < n; ++i) data[i] = static_cast<float>(i);
}
