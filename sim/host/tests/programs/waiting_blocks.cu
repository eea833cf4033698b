// Threads that wait for what others write: warps of a block, blocks of a grid in both orders, a barrier of the grid
// made of an atomic, in ordinary launches.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                           \
      printf("%s at line %d\n", cudaGetErrorString(status), __LINE__);     \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

__global__ void pingPong(int* out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    for (int round = 0; round < 5; ++round) {
      while (turn != 2 * round + warp) {
      }
      out[2 * round + warp] = 10 * round + warp;
      __threadfence_block();
      turn = 2 * round + warp + 1;
    }
  }
}

__global__ void chain(volatile int* flags, volatile int* values) {
  if (threadIdx.x > 0) return;
  int next = blockIdx.x + 1;
  int behind = 0;
  if (next < gridDim.x) {
    while (flags[next] == 0) {
    }
    __threadfence();
    behind = values[next];
  }
  values[blockIdx.x] = behind + blockIdx.x;
  __threadfence();
  flags[blockIdx.x] = 1;
}

__device__ unsigned arrived;

__device__ void meet(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < goal) {
    }
  }
  __syncthreads();
}

__global__ void shiftTwice(const int* in, int* half, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  half[i] = in[(i + blockDim.x) % n] * 2;
  if (threadIdx.x == 0) printf("before the barrier\n");
  meet(gridDim.x);
  out[i] = ((volatile int*)half)[(i + blockDim.x) % n] + 1;
  meet(2 * gridDim.x);
  if (i == 0) printf("behind it\n");
}

int main() {
  int* out;
  CHECK(cudaMalloc(&out, 10 * sizeof(int)));
  pingPong<<<1, 64>>>(out);
  int rounds[10];
  CHECK(cudaMemcpy(rounds, out, sizeof rounds, cudaMemcpyDeviceToHost));
  for (int value : rounds) printf("%d ", value);
  printf("\n");

  const int kBlocks = 100;
  int *flags, *values;
  CHECK(cudaMalloc(&flags, kBlocks * sizeof(int)));
  CHECK(cudaMalloc(&values, kBlocks * sizeof(int)));
  CHECK(cudaMemset(flags, 0, kBlocks * sizeof(int)));
  chain<<<kBlocks, 32>>>(flags, values);
  int sum;
  CHECK(cudaMemcpy(&sum, values, sizeof sum, cudaMemcpyDeviceToHost));
  printf("%d\n", sum);

  const int kThreads = 128, n = 6 * kThreads;
  int host[n], *in, *half, *shifted;
  for (int i = 0; i < n; ++i) host[i] = i;
  CHECK(cudaMalloc(&in, sizeof host));
  CHECK(cudaMalloc(&half, sizeof host));
  CHECK(cudaMalloc(&shifted, sizeof host));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  shiftTwice<<<6, kThreads>>>(in, half, shifted, n);
  CHECK(cudaMemcpy(host, shifted, sizeof host, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != (i + 2 * kThreads) % n * 2 + 1;
  printf("%d wrong\n", wrong);
  for (int* each : {out, flags, values, in, half, shifted}) CHECK(cudaFree(each));
  return 0;
}
