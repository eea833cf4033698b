// Members whose enum is declared with them, beside a kernel of tensor cores that is never launched.
#include <mma.h>

#include <cstdio>
#include <utility>

enum Kind { kPlain, kBold } hostKind = kBold;

struct Solver {
  struct Grid {
    int nx, ny;
    __host__ __device__ int at(int x, int y) const { return y * nx + x; }
  } grid;
  enum Scheme { kEuler, kMidpoint } scheme;
  enum { kFew = 3, kMany } rounds;
};

__global__ void tensorCores(half* a) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> tile;
  nvcuda::wmma::load_matrix_sync(tile, a, 16);
}

template <typename F, int... I>
__device__ void each(F f, std::integer_sequence<int, I...>) {
  (f(I), ...);
}

template <typename T, int R, int C>
struct Matrix {
  T at[R][C];
  template <int K>
  __device__ Matrix<T, R, K> operator*(const Matrix<T, C, K>& other) const {
    Matrix<T, R, K> result{};
    for (int i = 0; i < R * C * K; ++i)
      result.at[i / (C * K)][i % K] += at[i / (C * K)][i / K % C] * other.at[i / K % C][i % K];
    return result;
  }
};

__global__ void step(int* out, Solver s) {
  const int i = s.grid.at(threadIdx.x, threadIdx.y);
  int sum = s.scheme == Solver::kMidpoint ? s.rounds : 0;
  each([&](auto n) { sum += n; }, std::make_integer_sequence<int, 4>{});
  Matrix<int, 1, 2> row{{{i, 1}}};
  Matrix<int, 2, 3> columns{{{1, 2, 3}, {4, 5, 6}}};
  out[i] = sum * 1000 + (row * columns).at[0][2];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  Solver solver{};
  solver.grid = {4, 2};
  solver.scheme = Solver::kMidpoint;
  solver.rounds = Solver::kMany;
  step<<<1, dim3(4, 2)>>>(out, solver);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
  printf("%d\n", hostKind);
  cudaFree(out);
}
