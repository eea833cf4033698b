// Rvalue references in device code: overloads, forwarding, moving.
#include <cstdio>
#include <type_traits>
#include <utility>
struct V {
  int a;
  __device__ V(int x) : a(x) {}
  __device__ V(const V& o) : a(o.a + 1000) {}
  __device__ V(V&& o) : a(o.a + 1) { o.a = 0; }
  __device__ V& operator=(const V& o) {
    a = o.a + 2000;
    return *this;
  }
  __device__ V& operator=(V&& o) {
    a = o.a + 2;
    o.a = -1;
    return *this;
  }
};
__device__ int kind(const V& v) { return 1; }
__device__ int kind(V&& v) { return 2; }
template <typename T>
__device__ int relay(T&& v) {
  return kind(std::forward<T>(v));
}
template <typename F, typename... A>
__device__ auto call(F&& f, A&&... a) -> decltype(f(a...)) {
  return std::forward<F>(f)(std::forward<A>(a)...);
}
template <typename... A>
__device__ int sum(A&&... a) {
  return (0 + ... + a);
}
template <typename T>
__device__ void bump(T&& x) {
  x += 1;
}
__device__ void take(int&& x, int* o) {
  x += 5;
  *o = x;
}
template <class T>
__device__ __forceinline__ T&& mine(T& t) {
  return static_cast<T&&>(t);
}
struct Plus {
  template <class A, class B>
  __device__ auto operator()(A&& a, B&& b) const {
    return a + b;
  }
};
template <typename T, typename... Args>
__device__ T* emplace(void* p, Args&&... args) {
  return new (p) T(std::forward<Args>(args)...);
}
__device__ V byval(V v) {
  v.a += 7;
  return v;
}
__global__ void k(int* o) {
  int n = 0;
  V a(5), b(6);
  const V c(8);
  o[n++] = kind(a);
  o[n++] = kind(V(3));
  o[n++] = kind(std::move(a));
  o[n++] = kind(c);
  o[n++] = relay(a);
  o[n++] = relay(V(1));
  o[n++] = relay(std::move(b));
  o[n++] = relay(c);
  V d = a;
  o[n++] = d.a;
  V e = std::move(a);
  o[n++] = e.a;
  o[n++] = a.a;
  V f(std::move(e));
  o[n++] = f.a;
  d = b;
  o[n++] = d.a;
  d = std::move(b);
  o[n++] = d.a;
  o[n++] = b.a;
  d = V(4);
  o[n++] = d.a;
  int x = 3;
  bump(x);
  bump(4);
  o[n++] = x;
  take(7, &o[n++]);
  take(std::move(x), &o[n++]);
  o[n++] = x;
  o[n++] = call([](int p, int q) { return p * q; }, 6, x);
  o[n++] = sum(1, x, 2.5f);
  o[n++] = Plus()(x, 4);
  auto&& r = x;
  r = 99;
  o[n++] = x;
  auto&& t = 5 + 6;
  t++;
  o[n++] = t;
  int&& rr = 12;
  rr++;
  o[n++] = rr;
  alignas(8) char raw[16];
  V* pv = emplace<V>(raw, 44);
  o[n++] = pv->a;
  V g = byval(d);
  o[n++] = g.a;
  o[n++] = d.a;
  V h = byval(std::move(d));
  o[n++] = h.a;
  int arr[3] = {1, 2, 3};
  for (auto&& q : arr) q *= 2;
  o[n++] = arr[2];
  int held = x;
  x = arr[0];
  arr[0] = held;
  o[n++] = x;
  o[63] = n;
}
int main() {
  int* o;
  cudaMallocManaged(&o, 256);
  k<<<1, 1>>>(o);
  auto e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  for (int i = 0; i < o[63]; i++) printf("%d ", o[i]);
  puts("");
  cudaFree(o);
}
