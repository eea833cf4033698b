// <cuda/atomic>: atomics and references to them in kernels, in shared memory, and on the host.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/span>
#include <cstdio>
#include <new>

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

constexpr int kBins = 8;
constexpr int kValues = 4096;

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> visits{0};

__global__ void count(Counter* counter) {
  counter->fetch_add(1, cuda::memory_order_relaxed);
  visits += 2;
}

__global__ void histogram(cuda::std::span<const int> values, cuda::std::span<int> bins) {
  __shared__ int own[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < values.size(); i += gridDim.x * blockDim.x) {
    cuda::atomic_ref<int, cuda::thread_scope_block> bin(own[values[i]]);
    bin.fetch_add(1, cuda::std::memory_order_relaxed);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    cuda::std::atomic_ref<int> bin(bins[b]);
    bin += own[b];
  }
}

template <typename T>
__global__ void extremes(const T* values, int n, T* least, T* most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<T, cuda::thread_scope_device>(*least).fetch_min(values[i]);
  cuda::atomic_ref<T, cuda::thread_scope_device>(*most).fetch_max(values[i]);
}

// A product, which takes a loop over compare_exchange.
__global__ void product(cuda::atomic<unsigned long long, cuda::thread_scope_device>* result) {
  unsigned long long old = result->load(cuda::memory_order_relaxed);
  while (!result->compare_exchange_weak(old, old * 3, cuda::memory_order_relaxed)) {
  }
}

struct Lock {
  cuda::atomic<bool, cuda::thread_scope_device> taken{false};
  __device__ void acquire() {
    while (taken.exchange(true, cuda::memory_order_acquire)) {
    }
  }
  __device__ void release() { taken.store(false, cuda::memory_order_release); }
};

__global__ void locked(Lock* lock, int* sum) {
  if (threadIdx.x % 32 == 0) {
    lock->acquire();
    *sum = *sum + 1;
    lock->release();
  }
}

// The last block to finish adds the blocks' sums up.
__global__ void lastBlock(const float* values, float* sums, Counter* finished, float* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) sum += values[blockIdx.x * blockDim.x + i];
    sums[blockIdx.x] = sum;
    isLast = finished->fetch_add(1, cuda::memory_order_acq_rel) + 1 == (int)gridDim.x;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += sums[b];
    *total = sum;
  }
}

__global__ void others(cuda::atomic<float>* x, cuda::std::atomic<unsigned>* bits, unsigned* olds) {
  olds[0] = bits->fetch_or(0xf0u);
  olds[1] = bits->fetch_and(0x3fu);
  olds[2] = bits->fetch_xor(1u);
  olds[3] = ++*bits;
  olds[4] = (*bits)--;
  olds[5] = bits->exchange(77);
  x->fetch_sub(0.5f);
  *x = *x + 1.0f;
}

int main() {
  Counter* counter;
  cudaMallocManaged(&counter, sizeof(Counter));
  new (counter) Counter(5);
  count<<<4, 64>>>(counter);
  cudaDeviceSynchronize();
  unsigned seen = 0;
  cudaMemcpyFromSymbol(&seen, visits, sizeof seen);
  printf("counted %d, visits %u\n", counter->load(), seen);

  int *values, *bins;
  cudaMallocManaged(&values, kValues * sizeof(int));
  cudaMallocManaged(&bins, kBins * sizeof(int));
  for (int i = 0; i < kValues; ++i) values[i] = i * i % kBins;
  for (int b = 0; b < kBins; ++b) bins[b] = 0;
  histogram<<<4, 128>>>({values, kValues}, {bins, kBins});
  cudaDeviceSynchronize();
  for (int b = 0; b < kBins; ++b) printf("%d ", bins[b]);
  printf("\n");

  int* ends;
  cudaMallocManaged(&ends, 2 * sizeof(int));
  ends[0] = 1 << 30, ends[1] = -(1 << 30);
  for (int i = 0; i < kValues; ++i) values[i] = (i * 7919) % 10007 - 5000;
  extremes<<<kValues / 256, 256>>>(values, kValues, ends, ends + 1);
  float *reals, *realEnds;
  cudaMallocManaged(&reals, 256 * sizeof(float));
  cudaMallocManaged(&realEnds, 2 * sizeof(float));
  for (int i = 0; i < 256; ++i) reals[i] = i % 2 == 0 ? i * 0.5f : i * -0.25f;
  realEnds[0] = realEnds[1] = 0;
  extremes<<<2, 128>>>(reals, 256, realEnds, realEnds + 1);
  cudaDeviceSynchronize();
  printf("from %d to %d, from %g to %g\n", ends[0], ends[1], realEnds[0], realEnds[1]);

  cuda::atomic<unsigned long long, cuda::thread_scope_device>* result;
  cudaMallocManaged(&result, sizeof *result);
  *result = 1;
  product<<<1, 20>>>(result);
  cudaDeviceSynchronize();
  printf("3^20 = %llu\n", result->load());

  Lock* lock;
  cudaMallocManaged(&lock, sizeof(Lock));
  new (lock) Lock;
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  locked<<<4, 128>>>(lock, sum);
  cudaDeviceSynchronize();
  printf("locked: %d\n", *sum);

  *counter = 0;
  float* total;
  cudaMallocManaged(&total, 5 * sizeof(float));
  lastBlock<<<4, 64>>>(reals, total + 1, counter, total);
  cudaDeviceSynchronize();
  printf("total %g\n", *total);

  cuda::atomic<float>* x;
  cuda::std::atomic<unsigned>* bits;
  unsigned* olds;
  cudaMallocManaged(&x, sizeof *x);
  cudaMallocManaged(&bits, sizeof *bits);
  cudaMallocManaged(&olds, 6 * sizeof(unsigned));
  new (x) cuda::atomic<float>(2.0f);
  new (bits) cuda::std::atomic<unsigned>(3u);
  others<<<1, 1>>>(x, bits, olds);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) printf("%u ", olds[i]);
  printf("%u %g\n", bits->load(), x->load());

  cuda::atomic<int> host(7);
  int expected = 3;
  const bool isSwapped = host.compare_exchange_strong(expected, 9);
  printf("host: %d %d %d\n", isSwapped, expected, host.fetch_max(12));
  const int before = host++;
  printf("host: %d %d\n", before, int(host));
  cudaFree(counter), cudaFree(values), cudaFree(bins), cudaFree(ends), cudaFree(reals), cudaFree(realEnds);
  cudaFree(result), cudaFree(lock), cudaFree(sum), cudaFree(total), cudaFree(x), cudaFree(bits), cudaFree(olds);
}
