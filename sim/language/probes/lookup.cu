// --- functions_beside_the_argument_s_type: a call also finds the functions of its argument's namespace
namespace n {
struct S {
  int v;
};
__device__ int f(S s) { return s.v; }
}  // namespace n
__device__ int f(int v) { return -v; }
__global__ void k(int* out) {
  n::S s{7};
  out[0] = f(s);
  out[1] = f(3);
}

// --- found_at_the_instantiation: a template's call finds later functions beside its arguments' types
template <class T>
__device__ int call(T t) {
  return f(t);
}
namespace n {
struct S {};
__device__ int f(S) { return 1; }
enum E { EA };
__device__ int f(E) { return 2; }
}  // namespace n
namespace m {
__device__ int f(n::S*) { return 8; }
template <class T>
struct W {};
template <class T>
__device__ int f(W<T>) {
  return sizeof(T);
}
}  // namespace m
__global__ void k(int* out) {
  out[0] = call(n::S());
  out[1] = call(n::EA);
  out[2] = call(m::W<double>());
  out[3] = call(m::W<n::S>()) + 5;
}

// --- members_hide_free_functions: a member hides free functions of its name
__device__ int g(double) { return 1; }
struct A {
  __device__ int g(int a, int b) { return 2; }
  __device__ int f() { return g(1, 2); }
};
struct B {
  __device__ int f() { return g(2); }
};
__global__ void k(int* out) {
  out[0] = A().f();
  out[1] = B().f();
}

// --- templates_seen_so_far: a call sees the templates that are declared before it
template <class T>
__device__ int f(T) {
  return 1;
}
__device__ int a() {
  int x = 0;
  return f(&x);
}
template <class T>
__device__ int f(T*) {
  return 2;
}
__device__ int b() {
  int x = 0;
  return f(&x);
}
__global__ void k(int* out) {
  out[0] = a();
  out[1] = b();
}
