// Template parameters are deduced through templates of aliases: of pointers, references, classes and aliases.
#include <cstdio>
template <typename T, int N> struct Vec { T v[N]; };
template <typename T> using Vec4 = Vec<T, 4>;
template <typename T> using Out = T* __restrict__;
template <typename T> using In = const T* __restrict__;
template <typename T> using Ptr = T*;
template <typename T, typename U = int> using Pair = Vec<T, 2>;
template <typename T> using Ref = T&;
template <typename T> __device__ T sum(const Vec4<T>& a) { return a.v[0] + a.v[1] + a.v[2] + a.v[3]; }
template <typename T> __device__ T first(Ptr<Ptr<T>> p) { return **p; }
template <typename T> __device__ T both(Pair<T> p) { return p.v[0] * p.v[1]; }
template <typename T> __device__ void bump(Ref<T> x) { x += 1; }
template <typename T, int N> __device__ int extent(Ptr<Vec<T, N>>) { return N; }
template <typename T> __device__ T twice(In<T> a, int i) { return a[i] + a[i]; }
template <typename T> __global__ void compute(Out<T> b, In<T> a) {
  Vec4<T> v{{a[0], a[1], a[2], a[3]}};
  T* p = &v.v[1];
  Pair<T> q{{a[1], a[2]}};
  T x = sum(v) + first(&p) + both(q);
  bump(x);
  b[threadIdx.x] = x + extent(&v) + twice(a, threadIdx.x);
}
int main() {
  int *d, h[4] = {1, 2, 3, 4};
  cudaMalloc(&d, 2 * sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  compute<int><<<1, 4>>>(d + 4, d);
  cudaMemcpy(h, d + 4, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[3]);
  cudaFree(d);
  return cudaGetLastError();
}
