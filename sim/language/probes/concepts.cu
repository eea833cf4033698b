// --- constrained_before_unconstrained: of two templates that fit equally the constrained one is taken
#include <concepts>
template <class T>
__device__ int f(T) {
  return 1;
}
template <std::integral T>
__device__ int f(T) {
  return 2;
}
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = f(1.f);
}

// --- stronger_constraint_wins: a concept that is defined by another one and more is the stronger one
template <class T>
concept A = sizeof(T) >= 1;
template <class T>
concept B = A<T> && sizeof(T) >= 4;
template <A T>
__device__ int f(T) {
  return 1;
}
template <B T>
__device__ int f(T) {
  return 2;
}
__global__ void k(int* out) { out[0] = f(1); }

// --- in_parameter_lists: concepts before auto and class, and behind requires
template <class T>
concept Small = sizeof(T) <= 2;
template <Small T>
__device__ int f(T) {
  return 1;
}
template <class T>
__device__ int f(T) {
  return 2;
}
__device__ int g(auto x) { return sizeof(x); }
__device__ int h(Small auto x) { return x * 2; }
template <class T>
requires(sizeof(T) == 8) __device__ int m(T) { return 8; }
template <class T>
__device__ int m(T) {
  return 0;
}
__global__ void k(int* out) {
  out[0] = f('a') * 100 + f((short)1) * 10 + f(1);
  out[1] = g('a') * 10 + g(1.0);
  out[2] = h((short)5);
  out[3] = m(1.0) * 10 + m(1.f);
}

// --- requires_expression: a requires-expression asks whether an expression is valid
template <class T>
concept Addable = requires(T a, T b) {
  a + b;
};
template <class T>
concept HasGet = requires(const T t) {
  {t.get()};
};
struct S {};
struct G {
  __device__ int get() const { return 4; }
};
struct G2 {
  __device__ int get() { return 5; }
};
template <class T>
__device__ int f(T) {
  if constexpr (Addable<T>)
    return 1;
  else
    return 2;
}
template <class T>
__device__ int g(T t) {
  if constexpr (HasGet<T>)
    return t.get();
  else
    return 3;
}
__global__ void k(int* out) {
  out[0] = f(1) * 10 + f(S());
  out[1] = g(G()) * 10 + g(1);
  out[2] = g(G2());
  out[3] = Addable<S*>;
}
