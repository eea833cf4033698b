// --- volatile_and_restrict: they change no value
struct S {
  volatile int v;
  const int c = 3;
};
__device__ void copy(int* __restrict__ to, const int* __restrict__ from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}
__global__ void k(int* out) {
  volatile int x = 4;
  x = x + x;
  S s{5};
  s.v += s.c;
  const int t[3] = {1, 2, 3};
  copy(out, t, 3);
  volatile int* p = out + 3;
  *p = x * 10 + s.v;
  const volatile unsigned char b = 255;
  out[4] = b + 1;
}

// --- extern_c: one function, and a block of them
extern "C" __device__ int one(int x) { return x + 1; }
extern "C" {
__device__ int two(int x) { return one(x) * 2; }
struct Plain {
  int v;
};
}
__global__ void k(int* out) {
  Plain p = {4};
  out[0] = two(p.v);
}

// --- inline_and_static: functions with both, constexpr variables in functions
static inline __device__ int f(int x) { return x * 3; }
inline constexpr int kFour = 4;
static constexpr __host__ __device__ int g(int x) { return x + kFour; }
__global__ void k(int* out) {
  constexpr int n = g(2);
  static const int s = 7;
  const auto c = f(n);
  out[0] = n * 100 + s * 10 + (c == 18);
  int t[n] = {1};
  out[1] = sizeof(t);
}
