// --- underlying_type: the type behind an enumeration gives its size
enum class E : unsigned char { A = 3, B };
__global__ void k(int* out) {
  E e = E::B;
  out[0] = (int)e;
  out[1] = sizeof(e);
}

// --- in_overloads: an enumeration fits its own type best, then what it is promoted to
enum E { E1 = 3 };
enum class S { A = 4 };
enum U : unsigned char { U1 = 9 };
__device__ int f(int) { return 1; }
__device__ int f(E) { return 2; }
__device__ int f(S) { return 3; }
__device__ int g(long) { return 4; }
__device__ int g(int) { return 5; }
__device__ int h(unsigned char) { return 6; }
__device__ int h(int) { return 7; }
__global__ void k(int* out) {
  out[0] = f(E1) * 100 + f(S::A) * 10 + f(E1 + 0);
  out[1] = g(E1) * 10 + f(3);
  out[2] = h(U1) * 10 + h(E1);
  out[3] = f(U1) * 10 + g(U1);
}

// --- constructors_that_take_them: a constructor that takes a scoped enumeration beside one that takes int
enum class K { A, B };
struct S {
  int v;
  __device__ S(int x) : v(x) {}
  __device__ S(K x) : v(100 + (int)x) {}
};
__device__ int f(S s) { return s.v; }
__global__ void k(int* out) {
  out[0] = f(K::B);
  out[1] = f(5);
  S s(K::A);
  out[2] = s.v;
  S t = 3;
  out[3] = t.v;
}
