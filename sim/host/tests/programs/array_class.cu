// A class of matrices that kernels take by value: the copy is made by its constructor, and owns nothing.
#include <cstdio>
template <typename T>
class Array2D {
 public:
  Array2D(int r, int c) : rows_(r), cols_(c), owner_(true) { cudaMalloc(&data_, r * c * sizeof(T)); }
  __host__ __device__ Array2D(const Array2D& o)
      : data_(o.data_), rows_(o.rows_), cols_(o.cols_), owner_(false) {}
  __host__ __device__ ~Array2D() {
#ifndef __CUDA_ARCH__
    if (owner_) cudaFree(data_);
#endif
  }
  __host__ __device__ int rows() const { return rows_; }
  __host__ __device__ int cols() const { return cols_; }
  __device__ T& operator()(int r, int c) { return data_[r * cols_ + c]; }
  __device__ const T& operator()(int r, int c) const { return data_[r * cols_ + c]; }
  T* data() { return data_; }

 private:
  T* data_;
  int rows_, cols_;
  bool owner_;
};
__global__ void fill(Array2D<float> a) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < a.rows() && c < a.cols()) a(r, c) = r * 100.0f + c;
}
__global__ void transpose(const Array2D<float> in, Array2D<float> out) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < in.rows() && c < in.cols()) out(c, r) = in(r, c);
}
int main() {
  Array2D<float> a(40, 60), b(60, 40);
  dim3 block(16, 16), grid(4, 3);
  fill<<<grid, block>>>(a);
  transpose<<<grid, block>>>(a, b);
  float* h = new float[2400];
  cudaMemcpy(h, b.data(), 2400 * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int c = 0; c < 60; c++)
    for (int r = 0; r < 40; r++) bad += h[c * 40 + r] != r * 100.0f + c;
  printf("%s\n", bad ? "FAIL" : "PASS");
  delete[] h;
}
