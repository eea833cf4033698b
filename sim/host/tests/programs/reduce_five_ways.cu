// A sum of 2^20 floats in five ways, as Harris's slides go through them.
#include <cstdio>
#include <vector>

#define CHECK(call)                                                      \
  {                                                                      \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      printf("Error: %s:%d, ", __FILE__, __LINE__);                      \
      printf("code:%d, reason: %s\n", error, cudaGetErrorString(error)); \
      exit(1);                                                           \
    }                                                                    \
  }

__global__ void interleaved(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (tid % (2 * d) == 0) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void strided(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int k = 2 * d * tid;
    if (k < blockDim.x) s[k] += s[k + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void sequential(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (tid < d) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

template <int blockSize>
__global__ void gridStride(const float* in, float* out, int n) {
  __shared__ float s[blockSize];
  int tid = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) sum += in[i];
  s[tid] = sum;
  __syncthreads();
  for (int d = blockSize / 2; d > 0; d >>= 1) {
    if (tid < d) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void shuffled(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

static double total(float* d_out, int count) {
  std::vector<float> h(count);
  CHECK(cudaMemcpy(h.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (float x : h) sum += x;
  return sum;
}

int main() {
  const int n = 1 << 20, block = 256, grid = n / block;
  std::vector<float> h(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    h[i] = float(i % 7);
    expected += h[i];
  }
  float *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(float)));
  CHECK(cudaMalloc(&out, grid * sizeof(float)));
  CHECK(cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const size_t shared = block * sizeof(float);
  double sums[5];
  interleaved<<<grid, block, shared>>>(in, out, n);
  sums[0] = total(out, grid);
  strided<<<grid, block, shared>>>(in, out, n);
  sums[1] = total(out, grid);
  sequential<<<grid, block, shared>>>(in, out, n);
  sums[2] = total(out, grid);
  gridStride<block><<<128, block>>>(in, out, n);
  sums[3] = total(out, 128);
  CHECK(cudaMemset(out, 0, sizeof(float)));
  shuffled<<<128, block>>>(in, out, n);
  sums[4] = total(out, 1);
  bool ok = true;
  for (int k = 0; k < 5; ++k) {
    printf("way %d: %.1f\n", k + 1, sums[k]);
    ok = ok && sums[k] == expected;
  }
  printf("%s\n", ok ? "PASS" : "FAIL");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return ok ? 0 : 1;
}
