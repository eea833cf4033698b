// Wavefronts of atomics on shared memory and of wide loads from it, pattern by pattern, for
// h200-shared-patterns.txt: a launch of one warp or two for each operation and pattern, each with one such access.
//   nvcc -std=c++17 -O3 -arch=native shared_patterns.cu -o shared_patterns
//   ncu --clock-control none --csv --page raw --metrics memory_l1_wavefronts_shared,
//     memory_l1_wavefronts_shared_ideal,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
//     ./shared_patterns > shared_patterns.csv
// Of each atomic's counters the one wavefront of the load at its end is to be taken off. The patterns are written to
// patterns.txt: by lane the index of its element, -1 where it takes no part.
#include <cuda_fp16.h>

#include <cstdio>
#include <random>
#include <vector>

using Pattern = std::vector<int>;
using u64 = unsigned long long;

// `p` is the lane's element, `v` and `w` are values that the compiler does not know.
#define ATOMIC(name, T, expression)                                     \
  __global__ void name(const int* index, T* out, T v, T w, int first) { \
    __shared__ __align__(16) T s[4096];                                 \
    const int i = index[threadIdx.x];                                   \
    if (i >= 0) {                                                       \
      T* p = &s[i];                                                     \
      expression;                                                       \
    }                                                                   \
    __syncthreads();                                                    \
    if (threadIdx.x == 0) out[0] = s[first];                            \
  }
ATOMIC(add_float, float, atomicAdd(p, v))
ATOMIC(add_float_used, float, out[threadIdx.x + 1] = atomicAdd(p, v))
ATOMIC(add_double, double, atomicAdd(p, v))
ATOMIC(add_u64, u64, atomicAdd(p, v))
ATOMIC(xor_u64, u64, atomicXor(p, v))
ATOMIC(exch_u64, u64, atomicExch(p, v))
ATOMIC(cas_u64, u64, atomicCAS(p, v, w))
ATOMIC(add_u32, unsigned, atomicAdd(p, v))
ATOMIC(add_u32_used, unsigned, out[threadIdx.x + 1] = atomicAdd(p, v))
ATOMIC(add_one, unsigned, atomicAdd(p, 1u))
ATOMIC(add_one_used, unsigned, out[threadIdx.x + 1] = atomicAdd(p, 1u))
ATOMIC(increment, unsigned, atomicInc(p, 0xffffffffu))
ATOMIC(max_u32_used, unsigned, out[threadIdx.x + 1] = atomicMax(p, v))
ATOMIC(and_u32, unsigned, atomicAnd(p, v))
ATOMIC(exch_float, float, atomicExch(p, v))
ATOMIC(cas_u32, unsigned, atomicCAS(p, v, w))
ATOMIC(add_half, __half, atomicAdd(p, v))

__global__ void load_double(const int* index, double* out, double, double, int) {
  __shared__ double s[2048];
  const int i = index[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = static_cast<volatile double*>(s)[i];
}
__global__ void load_float4(const int* index, float4* out, float4, float4, int) {
  __shared__ float4 s[2048];
  const int i = index[threadIdx.x];
  if (i < 0) return;
  float4 v;
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&s[i]));
  asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(address));
  out[threadIdx.x] = v;
}

template <class F>
Pattern lanes(int count, F f) {
  Pattern pattern;
  for (int t = 0; t < count; ++t) pattern.push_back(f(t));
  return pattern;
}

std::vector<Pattern> atomicPatterns() {
  std::vector<Pattern> all;
  for (int d : {1, 2, 4, 16, 32}) all.push_back(lanes(32, [&](int t) { return t / d; }));
  for (int m : {16, 2}) all.push_back(lanes(32, [&](int t) { return t % m; }));
  for (int s : {2, 4, 16, 32}) all.push_back(lanes(32, [&](int t) { return t * s; }));
  all.push_back(lanes(32, [](int t) { return t < 3 ? 0 : t; }));
  all.push_back(lanes(32, [](int t) { return t < 31 ? 0 : 31; }));
  all.push_back(lanes(32, [](int t) { return t < 20 ? t / 4 * 32 : -1; }));
  all.push_back(lanes(32, [](int t) { return t % 3 == 1 ? t % 5 : -1; }));
  all.push_back(lanes(64, [](int t) { return t / 32 * 64 + t % 32 / 2; }));
  std::mt19937 r(5);
  for (int k = 0; k < 6; ++k) all.push_back(lanes(32, [&](int) { return int(r() % (4u << k)); }));
  for (int k = 0; k < 6; ++k)
    all.push_back(lanes(32, [&](int) { return r() % 3 == 0 ? -1 : int(r() % (8u << k)); }));
  for (int k = 0; k < 4; ++k)
    all.push_back(lanes(32, [&](int) { const int row = int(r() % (3u + k)); return row * 32 + int(r() % 2); }));
  return all;
}

// Lanes agree with their neighbours at distance 1 or 2, all of them or those that take part, or as it comes.
std::vector<Pattern> loadPatterns() {
  std::mt19937 r(11);
  const auto word = [&](int style) {
    const int a = int(r()), b = style == 1 ? int(r() % 2) : 0;
    const auto u = unsigned(a);
    return style == 0 ? int(u % 64) : style == 1 ? int(u % 6) * 16 + b : style == 2 ? int(u % 16) : int(u % 512);
  };
  std::vector<Pattern> all;
  for (int family = 0; family < 5; ++family) {
    for (int style = 0; style < 4; ++style) {
      for (int k = 0; k < 5; ++k) {
        const unsigned keep = 2 + r() % 7;  // of 8
        const auto kept = [&](int w, unsigned of) { return r() % 8 < of ? w : -1; };
        Pattern p(32, -1);
        if (family == 4) p = lanes(32, [&](int) { return kept(0, keep - 1) < 0 ? -1 : word(style); });
        for (int i = 0; i < 32 && family < 4; ++i) {
          const int distance = family % 2 + 1;
          if ((i & distance) != 0) continue;
          const int w = word(style);
          p[i] = kept(w, family < 2 ? 8 : keep);
          p[i + distance] = kept(w, family < 2 ? 8 : keep);
        }
        all.push_back(p);
      }
    }
  }
  return all;
}

std::vector<int*> copied(const std::vector<Pattern>& patterns, std::FILE* file) {
  std::vector<int*> device;
  for (const Pattern& pattern : patterns) {
    for (int index : pattern) std::fprintf(file, "%d ", index);
    std::fprintf(file, "\n");
    cudaMalloc(&device.emplace_back(), pattern.size() * sizeof(int));
    cudaMemcpy(device.back(), pattern.data(), pattern.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  return device;
}

int main() {
  std::FILE* file = std::fopen("patterns.txt", "w");
  const auto atomics = atomicPatterns(), loads = loadPatterns();
  const auto ofAtomics = copied(atomics, file), ofLoads = copied(loads, file);
  std::fclose(file);
  float4* out;
  cudaMalloc(&out, 65 * sizeof(float4));
#define EACH(kernel, T, v, w, patterns, device) \
  for (std::size_t k = 0; k < patterns.size(); ++k) \
    kernel<<<1, unsigned(patterns[k].size())>>>(device[k], reinterpret_cast<T*>(out), v, w, 0);
#define ATOMICS(kernel, T, v, w) EACH(kernel, T, v, w, atomics, ofAtomics)
  ATOMICS(add_float, float, 1.0f, 0.0f) ATOMICS(add_float_used, float, 1.0f, 0.0f)
  ATOMICS(add_double, double, 1.0, 0.0) ATOMICS(add_u64, u64, 3, 0) ATOMICS(xor_u64, u64, 3, 0)
  ATOMICS(exch_u64, u64, 3, 0) ATOMICS(cas_u64, u64, 3, 0) ATOMICS(add_u32, unsigned, 3, 0)
  ATOMICS(add_u32_used, unsigned, 3, 0) ATOMICS(add_one, unsigned, 3, 0) ATOMICS(add_one_used, unsigned, 3, 0)
  ATOMICS(increment, unsigned, 3, 0) ATOMICS(max_u32_used, unsigned, 3, 0) ATOMICS(and_u32, unsigned, 3, 0)
  ATOMICS(exch_float, float, 1.0f, 0.0f) ATOMICS(cas_u32, unsigned, 3, 0)
  ATOMICS(add_half, __half, __float2half(1.0f), __float2half(0.0f))
  EACH(load_double, double, 0.0, 0.0, loads, ofLoads)
  EACH(load_float4, float4, float4{}, float4{}, loads, ofLoads)
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
