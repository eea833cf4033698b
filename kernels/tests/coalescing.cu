// What costs the time in the lesson "Coalescing": strides of 8 to 32 words, and a shift by words or whole
// sectors. h200-coalescing.txt has what an H200 measured of it.
//   nvcc -O3 -arch=native coalescing.cu -o coalescing && ./coalescing        median times, L2 flushed
//   ncu --cache-control all --metrics ... ./coalescing once                  one launch of each, in that
//   order
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t e = (call);                                      \
    if (e != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

constexpr size_t kN = size_t{1} << 26;   // floats of each array of parts B and C (ncu and times alike)
constexpr unsigned kSectors = 1u << 24;  // sectors that each kernel of part A reads, each once

// A. Each lane reads one word of a sector of its own; every kernel reads 2^24 sectors once. Only where they
// lie differs.
//  dense: 0,1,2,3...  pairs: 0,1,4,5,8,9...  gap2: 0,2,4... (one of each 64 bytes)  gap4: one of each 128
//  bytes gap8: one of each 256  shuffled: dense, but the warps' 1 KiB pieces in another order apart: dense
//  over the whole array, but a warp's lanes are 16 MiB apart (each warp touches 32 pages)
enum Layout { dense, pairs, gap2, gap4, gap8, shuffled, apart };
template <Layout L>
__global__ void sectors(const float* in, float* out) {
  const unsigned stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < kSectors; t += stride) {
    size_t s = t;
    if (L == pairs) s = size_t(t / 2) * 4 + t % 2;
    if (L == gap2) s = size_t(t) * 2;
    if (L == gap4) s = size_t(t) * 4;
    if (L == gap8) s = size_t(t) * 8;
    if (L == shuffled) s = size_t((t / 32 * 2654435761u) % (kSectors / 32)) * 32 + t % 32;
    if (L == apart) s = size_t(t % 32) * (kSectors / 32) + t / 32;
    sum += in[s * 8];
  }
  if (sum == 1.2345f) out[0] = sum;
}

// A2. The same, but stores of one word, or of the whole sector, in each of 2^24 sectors.
template <bool kWhole>
__global__ void store_sectors(float* out) {
  const unsigned stride = gridDim.x * blockDim.x;
  if (kWhole) {
    for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < kSectors * 8; t += stride) out[t] = 1.0f;
  } else {
    for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < kSectors; t += stride)
      out[size_t(t) * 8] = 1.0f;
  }
}

// B. The lesson's kernel; loads only; stores only.
enum Which { both, loads, stores };
template <unsigned S, Which W>
__global__ void strided(const float* in, const float* b, float* out, unsigned n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned first = 0; first < S; ++first)
    for (unsigned i = first + S * thread; i < n; i += S * threads) {
      if (W == both) out[i] = in[i] + b[i];
      if (W == loads) sum += in[i] + b[i];
      if (W == stores) out[i] = first;
    }
  if (W == loads && sum == 1.2345f) out[0] = sum;
}

// C. Vector addition with the loads and the stores shifted by words, each by its own.
template <unsigned L, unsigned S>
__global__ void shifted(const float* in, const float* b, float* out, unsigned n) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i + S] = in[i + L] + b[i + L];
}
template <unsigned L>
__global__ void shifted_load(const float* in, const float* b, float* out, unsigned n) {
  const unsigned stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += in[i + L] + b[i + L];
  if (sum == 1.2345f) out[0] = sum;
}
template <unsigned S>
__global__ void shifted_store(float* out, unsigned n) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i + S] = 1.0f;
}

int main(int argc, char** argv) {
  const bool once = argc > 1 && !strcmp(argv[1], "once");
  int sms;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const unsigned grid = 16 * sms, block = 256;
  float *big, *a, *b, *out, *flush;
  const size_t flushBytes = 512u << 20;
  CHECK(cudaMalloc(&big, size_t(kSectors) * 256));
  CHECK(cudaMalloc(&a, (kN + 64) * 4));
  CHECK(cudaMalloc(&b, (kN + 64) * 4));
  CHECK(cudaMalloc(&out, (kN + 64) * 4));
  CHECK(cudaMalloc(&flush, flushBytes));
  CHECK(cudaMemset(big, 0, size_t(kSectors) * 256));
  CHECK(cudaMemset(a, 0, kN * 4));
  CHECK(cudaMemset(b, 0, kN * 4));
  cudaEvent_t t0, t1;
  cudaEventCreate(&t0);
  cudaEventCreate(&t1);
  struct K {
    std::string name;
    void (*run)(float*, float*, float*, float*, unsigned, unsigned);
  };
  std::vector<K> ks;
#define ADD(NAME, CALL)                                                                               \
  ks.push_back({NAME, [](float* big, float* a, float* b, float* out, unsigned grid, unsigned block) { \
                  (void)big;                                                                          \
                  (void)a;                                                                            \
                  (void)b;                                                                            \
                  CALL;                                                                               \
                }})
  ADD("A dense", (sectors<dense><<<grid, block>>>(big, out)));
  ADD("A pairs", (sectors<pairs><<<grid, block>>>(big, out)));
  ADD("A gap2", (sectors<gap2><<<grid, block>>>(big, out)));
  ADD("A gap4", (sectors<gap4><<<grid, block>>>(big, out)));
  ADD("A gap8", (sectors<gap8><<<grid, block>>>(big, out)));
  ADD("A shuffled", (sectors<shuffled><<<grid, block>>>(big, out)));
  ADD("A apart", (sectors<apart><<<grid, block>>>(big, out)));
  ADD("A2 store whole", (store_sectors<true><<<grid, block>>>(big)));
  ADD("A2 store word", (store_sectors<false><<<grid, block>>>(big)));
#define STRIDE(S)                                                                    \
  ADD("B stride " #S " both", (strided<S, both><<<grid, block>>>(a, b, out, kN)));   \
  ADD("B stride " #S " loads", (strided<S, loads><<<grid, block>>>(a, b, out, kN))); \
  ADD("B stride " #S " stores", (strided<S, stores><<<grid, block>>>(a, b, out, kN)))
  STRIDE(1);
  STRIDE(4);
  STRIDE(8);
  STRIDE(16);
  STRIDE(32);
#define SHIFT(L, S) ADD("C load+" #L " store+" #S, (shifted<L, S><<<grid, block>>>(a, b, out, kN)))
  SHIFT(0, 0);
  SHIFT(8, 0);
  SHIFT(0, 8);
  SHIFT(8, 8);
  SHIFT(1, 0);
  SHIFT(0, 1);
  SHIFT(1, 1);
  SHIFT(16, 16);
  SHIFT(32, 32);
#define ALONE(X)                                                               \
  ADD("C loads alone+" #X, (shifted_load<X><<<grid, block>>>(a, b, out, kN))); \
  ADD("C stores alone+" #X, (shifted_store<X><<<grid, block>>>(out, kN)))
  ALONE(0);
  ALONE(8);
  ALONE(1);
  ALONE(32);
  if (once) {
    for (auto& k : ks) k.run(big, a, b, out, grid, block);
    CHECK(cudaDeviceSynchronize());
    FILE* f = fopen("order.txt", "w");
    for (auto& k : ks) fprintf(f, "%s\n", k.name.c_str());
    fclose(f);
    return 0;
  }
  std::vector<std::vector<float>> us(ks.size());
  for (int r = 0; r < 12; ++r)
    for (size_t i = 0; i < ks.size(); ++i) {
      CHECK(cudaMemsetAsync(flush, r, flushBytes));
      cudaEventRecord(t0);
      ks[i].run(big, a, b, out, grid, block);
      cudaEventRecord(t1);
      CHECK(cudaEventSynchronize(t1));
      float ms;
      cudaEventElapsedTime(&ms, t0, t1);
      if (r > 0) us[i].push_back(ms * 1000);
    }
  printf("kernel,median_us,min_us\n");
  for (size_t i = 0; i < ks.size(); ++i) {
    std::sort(us[i].begin(), us[i].end());
    printf("%s,%.2f,%.2f\n", ks[i].name.c_str(), us[i][us[i].size() / 2], us[i][0]);
  }
}
