// Locks that every thread takes, also those of one warp: each thread makes progress since Volta.
#include <cstdio>

__device__ unsigned mutex = 0;

__global__ void count(int* counter, int* odd) {
  while (atomicCAS(&mutex, 0u, 1u) != 0u);
  (*counter)++;
  __threadfence();
  atomicExch(&mutex, 0u);
  __syncthreads();
  const int inBlock = __syncthreads_count(threadIdx.x % 2);
  if (threadIdx.x == 0) atomicAdd(odd, inBlock);
}

struct SpinLock {
  unsigned flag;
  __device__ void lock() {
    while (atomicExch(&flag, 1u) == 1u);
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&flag, 0u);
  }
};

struct List {
  SpinLock lock;
  int head;
};

__global__ void push(List* lists, int n, int* next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  List& list = lists[i % n];
  list.lock.lock();
  next[i] = list.head;
  list.head = i;
  list.lock.unlock();
}

int main() {
  int *counter, *odd, *next;
  List* lists;
  cudaMallocManaged(&counter, sizeof(int));
  cudaMallocManaged(&odd, sizeof(int));
  cudaMallocManaged(&next, 1024 * sizeof(int));
  cudaMallocManaged(&lists, 8 * sizeof(List));
  *counter = *odd = 0;
  for (int i = 0; i < 8; ++i) lists[i] = {{0}, -1};
  count<<<8, 256>>>(counter, odd);
  push<<<4, 256>>>(lists, 8, next);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int elements = 0;
  for (int i = 0; i < 8; ++i)
    for (int at = lists[i].head; at >= 0; at = next[at]) elements += at % 8 == i ? 1 : 1000000;
  printf("%d threads, %d of them odd, %d elements\n", *counter, *odd, elements);
  cudaFree(counter);
  cudaFree(odd);
  cudaFree(next);
  cudaFree(lists);
}
