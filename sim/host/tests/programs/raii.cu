// Device memory owned by a class, an exception for errors, and lambdas on the host.
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

inline void check(cudaError_t e, const std::string& what) {
  if (e != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(e));
}

template <typename T>
class DeviceVector {
 public:
  explicit DeviceVector(size_t n) : n_(n) { check(cudaMalloc(&p_, n * sizeof(T)), "cudaMalloc"); }
  explicit DeviceVector(const std::vector<T>& v) : DeviceVector(v.size()) {
    check(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~DeviceVector() { cudaFree(p_); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  T* data() { return p_; }
  std::vector<T> get() const {
    std::vector<T> v(n_);
    check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return v;
  }

 private:
  T* p_ = nullptr;
  size_t n_;
};

__global__ void running(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  int first = max(i - 2, 0);
  for (int k = first; k <= i; ++k) sum += in[k];
  out[i] = sum / (i - first + 1);
}

int main() {
  try {
    std::vector<double> h(100);
    std::generate(h.begin(), h.end(), [k = 0]() mutable { return double((k++ * 37) % 50); });
    DeviceVector<double> in(h), out(h.size());
    running<<<(h.size() + 31) / 32, 32>>>(in.data(), out.data(), static_cast<int>(h.size()));
    check(cudaGetLastError(), "launch");
    auto r = out.get();
    std::cout << r[0] << ' ' << r[1] << ' ' << r[50] << ' ' << r[99] << '\n';
    running<<<1, 4096>>>(in.data(), out.data(), 1);
    check(cudaGetLastError(), "launch");
  } catch (const std::exception& e) {
    std::cout << "caught: " << e.what() << std::endl;
  }
  return 0;
}
