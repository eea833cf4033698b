#include "kernels/worker/worker_kernels.h"

namespace lanescope {
namespace {

/// A 16-byte load through L2 that the compiler may neither merge nor move.
__device__ float4 loadThroughL2(const float4* at) {
  float4 v;
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(at));
  return v;
}

__device__ float computeSum(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void l2Read(const float4* data, unsigned int count, unsigned int repeats, float* sink) {
  const unsigned int stride = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (unsigned int repeat = 0; repeat < repeats; ++repeat) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < count; i += 4 * stride) {
      const float4 a = loadThroughL2(data + i);
      const float4 b = loadThroughL2(data + i + stride);
      const float4 c = loadThroughL2(data + i + 2 * stride);
      const float4 d = loadThroughL2(data + i + 3 * stride);
      sum += (computeSum(a) + computeSum(b)) + (computeSum(c) + computeSum(d));
    }
    for (; i < count; i += stride) sum += computeSum(loadThroughL2(data + i));
  }
  // The input is positive, so this never holds; the compiler cannot know and must keep the loads.
  if (sum < 0.0f) *sink = sum;
}

constexpr unsigned int kSharedWords = 4 * kRateThreads;

__device__ unsigned int loadWord(unsigned int address) {
  unsigned int v;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}

__device__ unsigned int loadFourWords(unsigned int address) {
  unsigned int x;
  unsigned int y;
  unsigned int z;
  unsigned int w;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(address));
  return x ^ y ^ z ^ w;
}

template <bool wide>
__global__ void sharedRead(unsigned int repeats, float* sink) {
  __shared__ __align__(16) unsigned int words[kSharedWords];
  for (unsigned int i = threadIdx.x; i < kSharedWords; i += blockDim.x) words[i] = i;
  __syncthreads();
  const auto address =
      static_cast<unsigned int>(__cvta_generic_to_shared(words + (wide ? 4 : 1) * threadIdx.x));
  constexpr unsigned int kLoads = kSharedWavefronts / (wide ? 4 : 1);
  unsigned int all = 0;
  for (unsigned int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll
    for (unsigned int k = 0; k < kLoads; ++k) all ^= wide ? loadFourWords(address) : loadWord(address);
  }
  // Each word was taken an even number of times, so this never holds; the compiler cannot know.
  if (all != 0) *sink = 1.0f;
}

template <unsigned int unroll>
__global__ void issue(unsigned int repeats, float step, float* sink) {
  constexpr unsigned int kChains = 8;
  float chains[kChains];
  for (unsigned int c = 0; c < kChains; ++c) chains[c] = static_cast<float>(threadIdx.x + c);
#pragma unroll 1
  for (unsigned int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll
    for (unsigned int k = 0; k < unroll; ++k)
      asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(chains[k % kChains]) : "f"(step));
  }
  float sum = 0.0f;
  for (unsigned int c = 0; c < kChains; ++c) sum += chains[c];
  if (sum < 0.0f) *sink = sum;  // never: as above
}

}  // namespace

cudaError_t launchL2Read(const float* data, std::size_t bytes, unsigned int repeats, unsigned int blocks,
                         float* sink, cudaStream_t stream) {
  l2Read<<<blocks, kRateThreads, 0, stream>>>(reinterpret_cast<const float4*>(data),
                                              static_cast<unsigned int>(bytes / sizeof(float4)), repeats,
                                              sink);
  return cudaGetLastError();
}

cudaError_t launchSharedRead(bool wide, unsigned int repeats, unsigned int blocks, float* sink,
                             cudaStream_t stream) {
  if (wide) {
    sharedRead<true><<<blocks, kRateThreads, 0, stream>>>(repeats, sink);
  } else {
    sharedRead<false><<<blocks, kRateThreads, 0, stream>>>(repeats, sink);
  }
  return cudaGetLastError();
}

cudaError_t launchIssue(unsigned int unroll, unsigned int repeats, unsigned int blocks, float* sink,
                        cudaStream_t stream) {
  constexpr float kStep = 1.0f;
  switch (unroll) {
    case 64: issue<64><<<blocks, kRateThreads, 0, stream>>>(repeats, kStep, sink); break;
    case 128: issue<128><<<blocks, kRateThreads, 0, stream>>>(repeats, kStep, sink); break;
    case 256: issue<256><<<blocks, kRateThreads, 0, stream>>>(repeats, kStep, sink); break;
    case 512: issue<512><<<blocks, kRateThreads, 0, stream>>>(repeats, kStep, sink); break;
    default: return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}

}  // namespace lanescope
