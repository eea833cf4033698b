// Parameter packs: kernels that take any number of arrays, sums over packs, a tuple, folds.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

template <typename T>
__host__ __device__ T sum(T value) {
  return value;
}

template <typename T, typename... Rest>
__host__ __device__ T sum(T first, Rest... rest) {
  return first + sum(rest...);
}

template <typename... Arrays>
__global__ void addAll(int n, float* out, const Arrays*... arrays) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (0.0f + ... + arrays[i]);
}

template <typename... Arrays>
__global__ void fill(int n, float value, Arrays... arrays) {
  float* list[] = {arrays...};
  for (int k = 0; k < sizeof...(Arrays); ++k) {
    if (threadIdx.x < n) list[k][threadIdx.x] = value * (k + 1);
  }
}

template <typename... Types>
struct Tuple {};

template <typename Head, typename... Tail>
struct Tuple<Head, Tail...> {
  Head head;
  Tuple<Tail...> tail;
};

template <int I, typename Head, typename... Tail>
__host__ __device__ auto get(const Tuple<Head, Tail...>& tuple) {
  if constexpr (I == 0) {
    return tuple.head;
  } else {
    return get<I - 1>(tuple.tail);
  }
}

__global__ void read(Tuple<int, float, double> tuple, double* out) {
  out[0] = get<0>(tuple);
  out[1] = get<1>(tuple);
  out[2] = get<2>(tuple) + sum(1, 2, 3, 4);
}

template <int... Powers>
__global__ void powers(int* out) {
  int values[] = {Powers...};
  if (threadIdx.x < sizeof...(Powers)) out[threadIdx.x] = 1 << values[threadIdx.x];
  if (threadIdx.x == 0) ((out[sizeof...(Powers)] += Powers), ...);
}

int main() {
  const int n = 32;
  float *a, *b, *c, *out;
  CHECK(cudaMallocManaged(&a, n * sizeof(float)));
  CHECK(cudaMallocManaged(&b, n * sizeof(float)));
  CHECK(cudaMallocManaged(&c, n * sizeof(float)));
  CHECK(cudaMallocManaged(&out, n * sizeof(float)));
  fill<<<1, n>>>(n, 1.5f, a, b, c);
  addAll<<<1, n>>>(n, out, a, b, c);
  CHECK(cudaDeviceSynchronize());
  printf("%g %g %g %g\n", a[0], b[1], c[31], out[7]);
  addAll<<<1, n>>>(n, out, a);
  CHECK(cudaDeviceSynchronize());
  printf("%g\n", out[7]);

  double* values;
  CHECK(cudaMallocManaged(&values, 3 * sizeof(double)));
  read<<<1, 1>>>({1, {2.5f, {3.25, {}}}}, values);
  CHECK(cudaDeviceSynchronize());
  printf("%g %g %g %d\n", values[0], values[1], values[2], sum(1, 2, 3));

  int* bits;
  CHECK(cudaMallocManaged(&bits, 8 * sizeof(int)));
  bits[4] = 0;
  powers<0, 3, 5, 7><<<1, n>>>(bits);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 5; ++i) printf("%d ", bits[i]);
  printf("\n");
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(out));
  CHECK(cudaFree(values));
  CHECK(cudaFree(bits));
  return 0;
}
