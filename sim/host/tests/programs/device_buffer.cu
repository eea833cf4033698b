// A buffer that frees itself and can be moved, errors as exceptions, functors as kernel arguments.
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
inline void check(cudaError_t e, const char* what, const char* file, int line) {
  if (e != cudaSuccess) {
    std::stringstream s;
    s << file << ":" << line << " " << what << ": " << cudaGetErrorName(e);
    throw std::runtime_error(s.str());
  }
}
#define CUDA_CHECK(x) check((x), #x, __FILE__, __LINE__)
template <typename T>
class DeviceBuffer {
  T* p_ = nullptr;
  size_t n_ = 0;

 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&p_, n * sizeof(T))); }
  explicit DeviceBuffer(const std::vector<T>& v) : DeviceBuffer(v.size()) { upload(v); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(std::exchange(o.n_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& o) noexcept {
    std::swap(p_, o.p_);
    std::swap(n_, o.n_);
    return *this;
  }
  ~DeviceBuffer() {
    if (p_) cudaFree(p_);
  }
  void upload(const std::vector<T>& v) {
    CUDA_CHECK(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> v(n_);
    CUDA_CHECK(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  T* get() { return p_; }
  const T* get() const { return p_; }
  size_t size() const { return n_; }
};
template <typename T>
struct Square {
  __host__ __device__ T operator()(T x) const { return x * x; }
};
template <typename T>
struct Axpb {
  T a, b;
  __host__ __device__ T operator()(T x) const { return a * x + b; }
};
template <typename T, typename F>
__global__ void transform(const T* __restrict__ in, T* __restrict__ out, size_t n, F f) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}
template <typename T, int kBlock>
__global__ void __launch_bounds__(kBlock) blockSum(const T* in, T* out, size_t n) {
  __shared__ T s[kBlock];
  T v{};
  for (size_t i = blockIdx.x * (size_t)kBlock + threadIdx.x; i < n; i += (size_t)kBlock * gridDim.x)
    v += in[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int h = kBlock / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
int main(int argc, char** argv) try {
  size_t n = argc > 1 ? std::stoul(argv[1]) : 5000;
  std::mt19937 gen(42);
  std::uniform_int_distribution<int> dist(0, 9);
  std::vector<double> h(n);
  std::generate(h.begin(), h.end(), [&] { return dist(gen); });
  DeviceBuffer<double> in(h), out(n);
  transform<<<(n + 255) / 256, 256>>>(in.get(), out.get(), n, Square<double>{});
  CUDA_CHECK(cudaGetLastError());
  transform<<<(n + 255) / 256, 256>>>(out.get(), out.get(), n, Axpb<double>{2.0, 1.0});
  DeviceBuffer<double> partial(32);
  blockSum<double, 128><<<32, 128>>>(out.get(), partial.get(), n);
  auto p = partial.download();
  double gpu = std::accumulate(p.begin(), p.end(), 0.0);
  double cpu = std::accumulate(h.begin(), h.end(), 0.0, [](double s, double x) { return s + 2 * x * x + 1; });
  std::cout << std::fixed << std::setprecision(1) << gpu - cpu << (gpu == cpu ? " PASS" : " FAIL")
            << std::endl;
  DeviceBuffer<double> moved = std::move(out);
  cudaGetLastError();
  return gpu != cpu;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
