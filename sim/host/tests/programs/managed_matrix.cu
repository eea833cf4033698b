// A matrix class that allocates itself in managed memory, passed to a kernel by reference.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#define CUDA_CALL(x)                                                                                \
  do {                                                                                              \
    cudaError_t e_ = (x);                                                                           \
    if (e_ != cudaSuccess) {                                                                        \
      fprintf(stderr, "CUDA error %s (%d) at %s:%d: %s\n", cudaGetErrorName(e_), (int)e_, __FILE__, \
              __LINE__, cudaGetErrorString(e_));                                                    \
      exit(EXIT_FAILURE);                                                                           \
    }                                                                                               \
  } while (0)
class Managed {
 public:
  void* operator new(size_t len) {
    void* p;
    CUDA_CALL(cudaMallocManaged(&p, len));
    cudaDeviceSynchronize();
    return p;
  }
  void* operator new[](size_t len) {
    void* p;
    CUDA_CALL(cudaMallocManaged(&p, len));
    cudaDeviceSynchronize();
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
  void operator delete[](void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};
template <typename T>
class Matrix : public Managed {
  int rows_, cols_;
  T* data_;

 public:
  Matrix(int r, int c, T v = T()) : rows_(r), cols_(c), data_(nullptr) {
    CUDA_CALL(cudaMallocManaged(&data_, sizeof(T) * r * c));
    for (int i = 0; i < r * c; ++i) data_[i] = v;
  }
  Matrix(const Matrix& o) : rows_(o.rows_), cols_(o.cols_) {
    CUDA_CALL(cudaMallocManaged(&data_, sizeof(T) * rows_ * cols_));
    for (int i = 0; i < rows_ * cols_; ++i) data_[i] = o.data_[i];
  }
  ~Matrix() {
    cudaDeviceSynchronize();
    cudaFree(data_);
  }
  __host__ __device__ int rows() const { return rows_; }
  __host__ __device__ int cols() const { return cols_; }
  __host__ __device__ T& operator()(int i, int j) { return data_[i * cols_ + j]; }
  __host__ __device__ const T& operator()(int i, int j) const { return data_[i * cols_ + j]; }
  bool operator==(const Matrix& o) const {
    if (rows_ != o.rows_ || cols_ != o.cols_) return false;
    for (int i = 0; i < rows_ * cols_; ++i)
      if (data_[i] != o.data_[i]) return false;
    return true;
  }
};
template <typename T, int TILE>
__global__ void multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& c) {
  __shared__ T as[TILE][TILE + 1];
  __shared__ T bs[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  T acc = 0;
  for (int t = 0; t < (a.cols() + TILE - 1) / TILE; ++t) {
    as[threadIdx.y][threadIdx.x] =
        (row < a.rows() && t * TILE + threadIdx.x < a.cols()) ? a(row, t * TILE + threadIdx.x) : T(0);
    bs[threadIdx.y][threadIdx.x] =
        (col < b.cols() && t * TILE + threadIdx.y < b.rows()) ? b(t * TILE + threadIdx.y, col) : T(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < c.rows() && col < c.cols()) c(row, col) = acc;
}
template <typename T>
__global__ void scaleByValue(Matrix<T>* m, T s) {
  for (int i = threadIdx.x; i < m->rows() * m->cols(); i += blockDim.x)
    (*m)(i / m->cols(), i % m->cols()) *= s;
}
int main() {
  const int M = 37, K = 29, N = 41;
  Matrix<float>* a = new Matrix<float>(M, K);
  Matrix<float>* b = new Matrix<float>(K, N);
  Matrix<float>* c = new Matrix<float>(M, N);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < K; j++) (*a)(i, j) = (i + j) % 7 - 3;
  for (int i = 0; i < K; i++)
    for (int j = 0; j < N; j++) (*b)(i, j) = (i * 3 + j) % 5 - 2;
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  multiply<float, 16><<<grid, block>>>(*a, *b, *c);
  CUDA_CALL(cudaGetLastError());
  CUDA_CALL(cudaDeviceSynchronize());
  Matrix<float> ref(M, N);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0;
      for (int k = 0; k < K; k++) s += (*a)(i, k) * (*b)(k, j);
      ref(i, j) = s;
    }
  std::cout << "product " << (ref == *c ? "PASS" : "FAIL") << std::endl;
  scaleByValue<<<1, 64>>>(c, 2.0f);
  CUDA_CALL(cudaDeviceSynchronize());
  std::cout << (*c)(3, 4) / ref(3, 4) << " " << (*c)(36, 40) << "\n";
  Matrix<double> d(4, 4, 1.5);
  Matrix<double> e = d;
  std::cout << "copy " << (d == e) << "\n";
  delete a;
  delete b;
  delete c;
  return 0;
}
