// Kernels as textbooks have them, correct. hazards_test takes their barriers out one by one: each must
// be missed. One buffer of 128 ints, one block of 64 threads.

__global__ void tiled_product(int* m) {  // an 8 x 8 matrix times itself, in tiles of 4 x 4
  __shared__ int a[8][8];
  __shared__ int b[8][8];
  int row = threadIdx.x / 8;
  int column = threadIdx.x % 8;
  int sum = 0;
  for (int t = 0; t < 2; ++t) {
    a[row][column] = m[row * 8 + (column + t * 4) % 8];
    b[row][column] = m[(row + t * 4) % 8 * 8 + column];
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += a[row][k] * b[k][column];
    __syncthreads();
  }
  m[64 + threadIdx.x] = sum;
}

__global__ void running_sums(int* m) {  // Hillis and Steele, one buffer
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = m[t];
  __syncthreads();
  for (int k = 1; k < 64; k *= 2) {
    int x = t >= k ? s[t - k] : 0;
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }
  m[64 + t] = s[t];
}

__global__ void running_sums_of_a_tree(int* m) {  // Blelloch: up and down a tree
  __shared__ int s[128];
  int t = threadIdx.x;
  s[2 * t] = m[2 * t];
  s[2 * t + 1] = m[2 * t + 1];
  int step = 1;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) s[127] = 0;
  for (int d = 1; d < 128; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int x = s[step * (2 * t + 1) - 1];
      s[step * (2 * t + 1) - 1] = s[step * (2 * t + 2) - 1];
      s[step * (2 * t + 2) - 1] += x;
    }
  }
  __syncthreads();
  m[t] = s[t];
  m[64 + t] = s[64 + t];
}

__global__ void sorted(int* m) {  // bitonic
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = m[t];
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int other = t ^ stride;
      if (other > t) {
        bool up = (t & size) == 0;
        if ((s[t] > s[other]) == up) {
          int x = s[t];
          s[t] = s[other];
          s[other] = x;
        }
      }
      __syncthreads();
    }
  }
  m[64 + t] = s[t];
}

__global__ void counted(int* m) {  // a histogram
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[m[threadIdx.x] % 16], 1);
  __syncthreads();
  if (threadIdx.x >= 48) m[64 + threadIdx.x - 48] = bins[threadIdx.x - 48];
}

__global__ void smoothed(int* m) {  // a stencil with its halo
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = m[t];
  if (t == 0) s[0] = m[63];
  if (t == 63) s[65] = m[0];
  __syncthreads();
  m[64 + t] = s[t] + 2 * s[t + 1] + s[t + 2];
}

__global__ void reversed(int* m) {  // in place
  int t = threadIdx.x;
  int x = m[63 - t];
  __syncthreads();
  m[t] = x;
}

__global__ void exchanged(int* m) {  // two buffers in turn
  __shared__ int s[2][64];
  int t = threadIdx.x;
  s[0][t] = m[t];
  for (int k = 0; k < 6; ++k) {
    __syncthreads();
    s[(k + 1) % 2][t] = s[k % 2][(t * 5 + 1) % 64] + k;
  }
  m[64 + t] = s[0][t];
}
