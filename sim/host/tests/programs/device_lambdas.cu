// nvcc --extended-lambda: lambdas of the host that kernels take by value, with what they capture.
#include <cstdio>
#include <vector>

template <typename F>
__global__ void forEach(F f, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename T, typename F>
__global__ void transform(T* y, const T* x, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f(x[i]);
}

template <typename F>
void launch(int n, F f) {
  forEach<<<2, 64>>>(f, n);
}

struct Scale {
  float by;
  __host__ __device__ float operator()(float x) const { return by * x; }
};

namespace filters {
__device__ float clamped(float x) { return x > 40.0f ? 40.0f : x; }
void clamp(float* values, int n) {
  launch(n, [=] __device__(int i) { values[i] = clamped(values[i]); });
}
}  // namespace filters

struct Filter {
  virtual ~Filter() = default;
  virtual void apply(float* values, int n) const = 0;
};
struct Halve final : Filter {
  void apply(float* values, int n) const override {
    launch(n, [=] __device__(int i) { values[i] *= 0.5f; });
  }
};

template <typename T>
T total(const T* values, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

int main() {
  const int n = 100;
  float a = 2.0f;
  float *x, *y;
  int* count;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&count, sizeof(int));
  *count = 0;

  forEach<<<1, 128>>>([=] __device__(int i) { x[i] = i * 0.5f; }, n);
  forEach<<<2, 64>>>(
      [=] __device__(int i) {
        float term = a * x[i];
        if (i % 2 == 0) {
          y[i] = term + 1;
          atomicAdd(count, 1);
        } else {
          y[i] = -term;
        }
      },
      n);
  cudaDeviceSynchronize();
  printf("%d even, y[10] %.1f, y[11] %.1f, total %.1f\n", *count, y[10], y[11], total(y, n));

  // By name and for the host as well; without a capture; with one of its own.
  const short offset = 3;
  auto shifted = [a, offset] __host__ __device__(float v) -> float { return a * v + offset; };
  transform<<<1, 128>>>(y, x, n, shifted);
  cudaDeviceSynchronize();
  printf("y[10] %.1f, on the host %.1f\n", y[10], shifted(x[10]));
  transform<<<1, 128>>>(x, y, n, [] __device__(float v) { return v < 50.0f ? v : 50.0f; });
  cudaDeviceSynchronize();
  printf("x[99] %.1f\n", x[99]);
  forEach<<<1, 128>>>([x, half = n / 2] __device__(int i) { x[i] += i < half ? 0 : 0.25f; }, n);
  cudaDeviceSynchronize();
  printf("x[99] %.2f\n", x[99]);

  // Of different types by one kernel, in a loop, with a functor among the captures.
  for (int k = 1; k <= 2; ++k) {
    Scale scale{0.1f * k};
    launch(n, [=] __device__(int i) { x[i] = scale(x[i]) + k; });
  }
  filters::clamp(y, n);
  cudaDeviceSynchronize();
  printf("x[10] %.2f, y[99] %.1f\n", x[10], y[99]);
  const Halve halve;
  const Filter& filter = halve;
  filter.apply(y, n);
  cudaDeviceSynchronize();
  printf("y[99] %.1f\n", y[99]);
  cudaFree(x);
  cudaFree(y);
  cudaFree(count);
  return 0;
}
