// cuRAND in kernels: pi by random points, and states, integers and uniform numbers of two generators in full.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

__global__ void setup(curandState* states, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &states[id]);
}

__global__ void countInside(curandState* states, unsigned* inside, int points) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curandState local = states[id];
  unsigned count = 0;
  for (int i = 0; i < points; ++i) {
    float x = curand_uniform(&local);
    float y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f) ++count;
  }
  states[id] = local;
  atomicAdd(inside, count);
}

template <typename State>
__device__ void numbers(State* state) {
  for (int i = 0; i < 3; ++i) printf(" %08x", curand(state));
  printf(" %a", curand_uniform(state));
  printf(" %a", curand_uniform_double(state));
  // The functions that normal numbers are made by are a GPU's own: to a hundredth.
  float a = curand_normal(state), b = curand_normal(state);
  printf(" %.2f %.2f", a, b);
  double c = curand_normal_double(state), d = curand_normal_double(state);
  printf(" %.9f %.9f", c, d);
  float2 pair = curand_normal2(state);
  printf(" %.2f %.2f", pair.x, pair.y);
  printf(" %.2f", curand_log_normal(state, 0.5f, 0.25f));
  printf(" %.6f\n", curand_log_normal_double(state, 0.5, 0.25));
}

__global__ void xorwow(unsigned long long seed, unsigned long long sequence, unsigned long long offset) {
  curandState state;
  curand_init(seed, sequence, offset, &state);
  printf("xorwow %llx %llx %llx: %08x %08x %08x %08x %08x %08x", seed, sequence, offset, state.v[0],
         state.v[1], state.v[2], state.v[3], state.v[4], state.d);
  numbers(&state);
  skipahead(1003, &state);
  printf("  %08x", curand(&state));
  skipahead((1ull << 41) + 5, &state);
  skipahead_sequence(sequence + 2, &state);
  printf(" %08x\n", curand(&state));
}

__global__ void philox(unsigned long long seed, unsigned long long sequence, unsigned long long offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, sequence, offset, &state);
  uint4 four = curand4(&state);
  float4 uniform = curand_uniform4(&state);
  printf("philox %llx %llx %llx: %08x %08x %08x %08x %a %a %a %a", seed, sequence, offset, four.x, four.y,
         four.z, four.w, uniform.x, uniform.y, uniform.z, uniform.w);
  numbers(&state);
  skipahead(1000003, &state);
  printf("  %08x", curand(&state));
  skipahead_sequence(5, &state);
  double2 two = curand_uniform2_double(&state);
  float4 normal = curand_normal4(&state);
  double4 uniforms = curand_uniform4_double(&state);
  double4 normals = curand_normal4_double(&state);
  double4 logs = curand_log_normal4_double(&state, 0.5, 0.25);
  printf(" %a %a %a %a %.9f %.9f %.9f %.9f %.6f %.6f", uniforms.x, uniforms.y, uniforms.z, uniforms.w, normals.x,
         normals.y, normals.z, normals.w, logs.x, logs.w);
  printf(" %a %a %.2f %.2f %.2f %.2f %08x\n", two.x, two.y, normal.x, normal.y, normal.z, normal.w,
         curand(&state));
}

int main() {
  const int threads = 256, blocks = 8, points = 200;
  curandState* states;
  unsigned* inside;
  CHECK(cudaMalloc(&states, threads * blocks * sizeof(curandState)));
  CHECK(cudaMallocManaged(&inside, sizeof(unsigned)));
  *inside = 0;
  setup<<<blocks, threads>>>(states, 1234);
  CHECK(cudaGetLastError());
  for (int round = 0; round < 2; ++round) {
    countInside<<<blocks, threads>>>(states, inside, points);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  const double total = 2.0 * threads * blocks * points;
  printf("%u of %.0f points inside: pi is about %.6f\n", *inside, total, 4 * *inside / total);
  printf("a state has %zu and %zu bytes\n", sizeof(curandState), sizeof(curandStatePhilox4_32_10_t));

  const unsigned long long seeds[] = {0, 1234, 0xdeadbeefcafeull};
  const unsigned long long sequences[] = {0, 1, 77, 1ull << 31, (1ull << 40) + 3};
  const unsigned long long offsets[] = {0, 1, 6, 1000, (1ull << 35) + 7};
  for (auto seed : seeds) {
    for (auto sequence : sequences) {
      for (auto offset : offsets) {
        xorwow<<<1, 1>>>(seed, sequence, offset);
        philox<<<1, 1>>>(seed, sequence, offset);
      }
    }
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(states));
  CHECK(cudaFree(inside));
  return 0;
}
