typedef int Row[4];
template <int N> __device__ int sum(const int (&t)[N]) {
  int s = 0;
  for (const auto& x : t) s += x;
  return s;
}
constexpr int square(int x) { return x * x; }
__device__ int at(int t[2][3], int (*u)[3]) { return t[1][2] + u[0][1]; }
__global__ void k(int* out) {
  __shared__ Row s[square(2)];
  int (*rows)[4] = s;
  rows[threadIdx.x % 4][threadIdx.x % 3] = 5;
  __syncthreads();
  int m[2][3] = {1, 2, 3, 4, 5, 6};
  int (&r)[3] = m[1];
  for (int& x : r) x += sizeof(Row) / alignof(float4);
  decltype(m[0][0] * 2LL) d = std::numeric_limits<short>::max();
  std::swap(m[0][0], m[1][1]);
  out[threadIdx.x] = sum(s[1]) + at(m, m) + (int)d + std::min<int>(3, square(m[0][0]));
}
