// Templates that choose by type: traits, SFINAE, specialisations without a primary body, members that are
// references, and the small classes of the C++ library. For nvcc: --expt-relaxed-constexpr.
#include <array>
#include <cstdio>
#include <functional>
#include <type_traits>
#include <utility>

template <typename T>
__device__ typename std::enable_if<std::is_floating_point<T>::value, T>::type halfOf(T v) {
  return v * T(0.5);
}
template <typename T>
__device__ typename std::enable_if<std::is_integral<T>::value, T>::type halfOf(T v) {
  return v >> 1;
}
template <typename T, std::enable_if_t<std::is_signed<T>::value, int> = 0>
__device__ T magnitude(T v) {
  return v < 0 ? -v : v;
}
template <typename T, std::enable_if_t<!std::is_signed<T>::value, int> = 0>
__device__ T magnitude(T v) {
  return v;
}

template <typename T, typename = void>
struct HasW : std::false_type {};
template <typename T>
struct HasW<T, std::void_t<decltype(std::declval<T>().w)>> : std::true_type {};

template <typename T, typename Enable = void>
struct Start {
  static __device__ T value() { return T(-1); }
};
template <typename T>
struct Start<T, typename std::enable_if<std::is_integral<T>::value>::type> {
  static __device__ T value() { return T(7); }
};

template <typename T>
__device__ T larger(T a, T b);
template <>
__device__ float larger(float a, float b) {
  return fmaxf(a, b);
}
template <>
__device__ int larger(int a, int b) {
  return a > b ? a : b;
}

typedef struct __builtin_align__(16) {
  int bits[3];
} Words;

template <typename T>
struct Bits {
  using reference = T&;
  using const_reference = const T&;
  using value_type = T;
  T words[4];
  static int* __device__ from(T* value) { return (int*)value; }
  __host__ __device__ auto operator[](size_t i) -> reference { return words[i]; }
  __host__ __device__ auto operator[](size_t i) const -> const_reference { return words[i]; }
  __host__ __device__ reference front() { return words[0]; }
};

__device__ int chosen(int, std::true_type) { return 1; }
__device__ int chosen(float, std::false_type) { return 2; }

template <typename F, size_t... I>
__device__ void forEach(F f, std::index_sequence<I...>) {
  (f(I), ...);
}

template <typename Op>
__device__ int folded(const std::array<int, 4>& values, Op op) {
  int result = values.front();
  for (size_t i = 1; i < values.size(); ++i) result = op(result, values[i]);
  return result;
}

__device__ std::pair<int, float> twoOf(int i) { return {i, i * 0.5f}; }

struct Parameters {
  std::array<float, 3> weights;
  std::pair<int, int> range;
};

template <typename T>
__global__ void scale(const T* in, T* out, int n) {
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Sum sum = magnitude(in[i]);
  if constexpr (std::is_floating_point_v<T>) sum += Sum(0.25);
  out[i] = halfOf(static_cast<T>(sum));
}

template <typename T, size_t N>
__global__ void doubled(std::array<T, N> values, T* out) {
  if (threadIdx.x < N) out[threadIdx.x] = values[threadIdx.x] * 2;
}

__global__ void questions(int* out, Parameters parameters) {
  *out++ = HasW<float4>::value;
  *out++ = HasW<float2>::value;
  *out++ = Start<int>::value();
  *out++ = (int)Start<float>::value();
  *out++ = chosen(3, std::is_integral<int>());
  *out++ = chosen(3.0f, typename std::is_integral<float>::type{});
  *out++ = (int)larger(2.5f, 4.0f) + larger(3, 5);
  *out++ = sizeof(Words) + sizeof(std::conditional_t<(sizeof(Parameters) > 16), double, char>);
  Bits<float> bits{{1.0f, 2.0f, 3.0f, 4.0f}};
  bits[1] += 0.5f;
  bits.front() = 8.0f;
  const Bits<float>& same = bits;
  decltype(bits)::value_type total = same[0] + same[1];
  *out++ = (int)(total * 2);
  *out++ = *Bits<float>::from(&bits.words[0]);
  int squares = 0;
  forEach([&](size_t i) { squares += (int)(i * i); }, std::make_index_sequence<5>{});
  *out++ = squares;
  const std::array<int, 4> four{1, 2, 3, 4};
  *out++ = folded(four, std::plus<int>());
  *out++ = folded(four, std::multiplies<>{});
  auto [whole, half] = twoOf(5);
  *out++ = whole + (int)(half * 2);
  *out++ = (int)(parameters.weights[0] + parameters.weights[2]) + parameters.range.second;
  *out++ = std::is_same<std::make_unsigned_t<int>, unsigned>::value +
           2 * std::is_same_v<std::remove_const_t<const float>, float> + 4 * std::is_same_v<const int, int>;
  *out++ = std::make_pair(3, 4).second;
}

template <typename T>
void showScaled() {
  constexpr int kCount = 6;
  T host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = T(i * 5) - T(std::is_signed<T>::value ? 10 : 0);
  T *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(in, out, kCount);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kCount; ++i) printf("%g%c", (double)host[i], i + 1 < kCount ? ' ' : '\n');
  cudaFree(in);
  cudaFree(out);
}

int main() {
  showScaled<int>();
  showScaled<unsigned>();
  showScaled<float>();
  showScaled<double>();
  int* answers;
  cudaMallocManaged(&answers, 17 * sizeof(int));
  questions<<<1, 1>>>(answers, Parameters{{1.0f, 2.0f, 3.0f}, {4, 5}});
  cudaDeviceSynchronize();
  for (int i = 0; i < 17; ++i) printf("%d ", answers[i]);
  printf("\n");
  doubled<<<1, 32>>>(std::array<int, 3>{5, 6, 7}, answers);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", answers[0], answers[1], answers[2]);
  cudaFree(answers);
  return 0;
}
