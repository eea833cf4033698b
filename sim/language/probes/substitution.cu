// --- assignment_in_the_return_type: what makes no sense leaves the template out
template <class T, class U>
__device__ auto f(T t, U u, int) -> decltype(t = u, 1) {
  return 1;
}
template <class T, class U>
__device__ int f(T, U, long) {
  return 2;
}
struct A {};
__global__ void k(int* out) {
  int x = 1;
  A a;
  out[0] = f(1, 2, 0);
  out[1] = f(a, 1, 0);
  out[2] = f(&x, 1, 0);
}

// --- assignment_of_a_class: not if a part of it cannot be assigned to
template <class T>
__device__ auto g(T& t, int) -> decltype(t = t, 1) {
  return 1;
}
template <class T>
__device__ int g(T&, long) {
  return 2;
}
struct A {
  int x;
};
struct B {
  __device__ B& operator=(const B&) = delete;
};
struct C {
  const int x = 1;
};
struct R {
  int& r;
};
struct D {
  C c;
};
__global__ void k(int* out) {
  int x = 1;
  A a;
  B b;
  C c;
  R r{x};
  D d;
  out[0] = g(x, 0);
  out[1] = g(a, 0);
  out[2] = g(b, 0);
  out[3] = g(c, 0);
  out[4] = g(r, 0);
  out[5] = g(d, 0);
}

// --- declval_asks_for_an_operator: of a reference to T
#include <type_traits>
#include <utility>
struct A {
  __device__ A& operator++() { return *this; }
};
struct B {};
template <class T, class = void>
struct Has {
  static constexpr int v = 0;
};
template <class T>
struct Has<T, std::void_t<decltype(++std::declval<T&>())>> {
  static constexpr int v = 1;
};
__global__ void k(int* out) {
  out[0] = Has<A>::v;
  out[1] = Has<B>::v;
  out[2] = Has<int>::v;
  out[3] = Has<int*>::v;
}

// --- declval_asks_for_a_method: also of a const object
#include <type_traits>
#include <utility>
struct A {
  __device__ int m() const { return 1; }
};
struct B {
  __device__ int m() { return 1; }
};
template <class T, class = void>
struct Has {
  static constexpr int v = 0;
};
template <class T>
struct Has<T, std::void_t<decltype(std::declval<const T&>().m())>> {
  static constexpr int v = 1;
};
__global__ void k(int* out) {
  out[0] = Has<A>::v;
  out[1] = Has<B>::v;
  out[2] = Has<int>::v;
}

// --- reference_to_the_type: there is none to void
#include <type_traits>
template <class T, class = void>
struct Has {
  static constexpr int v = 0;
};
template <class T>
struct Has<T, std::void_t<T&>> {
  static constexpr int v = 1;
};
__global__ void k(int* out) {
  out[0] = Has<int>::v;
  out[1] = Has<void>::v;
}

// --- deleted_function: chosen, it leaves the template out
struct M {
  __device__ int q(int) { return 1; }
  __device__ int q(double) = delete;
};
template <class T>
__device__ auto h(T t, int) -> decltype(M().q(t), 1) {
  return 1;
}
template <class T>
__device__ int h(T, long) {
  return 2;
}
__global__ void k(int* out) {
  out[0] = h(1, 0);
  out[1] = h(1.0, 0);
}

// --- deleted_copy: also of a class with such a member
template <class T>
__device__ auto g(T& t, int) -> decltype(T(t), 1) {
  return 1;
}
template <class T>
__device__ int g(T&, long) {
  return 2;
}
struct B {
  __device__ B() {}
  __device__ B(const B&) = delete;
};
struct C {
  B b;
};
struct D {
  __device__ D() {}
  __device__ D(D&) {}
};
__global__ void k(int* out) {
  B b;
  C c;
  D d;
  const D cd;
  int x = 1;
  out[0] = g(b, 0);
  out[1] = g(c, 0);
  out[2] = g(d, 0);
  out[3] = g(cd, 0);
  out[4] = g(x, 0);
}

// --- object_of_an_abstract_class: there is none
struct A {
  __device__ virtual int f() = 0;
};
struct B : A {
  __device__ int f() override { return 1; }
};
template <class T>
__device__ auto g(T*, int) -> decltype(T(), 1) {
  return 1;
}
template <class T>
__device__ int g(T*, long) {
  return 2;
}
__global__ void k(int* out) {
  B b;
  A* a = &b;
  out[0] = g(a, 0);
  out[1] = g(&b, 0);
}

// --- store_to_const: leaves the template out, unless the member is mutable
struct S {
  int x;
  mutable int y;
};
template <class T>
__device__ auto g(T& t, int) -> decltype(t.x = 1, 1) {
  return 1;
}
template <class T>
__device__ int g(T&, long) {
  return 2;
}
template <class T>
__device__ auto h(T& t, int) -> decltype(t.y = 1, 1) {
  return 1;
}
template <class T>
__device__ int h(T&, long) {
  return 2;
}
__global__ void k(int* out) {
  S s{};
  const S c{};
  out[0] = g(s, 0);
  out[1] = g(c, 0);
  out[2] = h(c, 0);
}

// --- narrowing_in_braces: leaves the template out, unless the value is a constant that fits
struct P {
  short a;
};
template <class T>
__device__ auto h(T t, int) -> decltype(short{t}, 1) {
  return 1;
}
template <class T>
__device__ int h(T, long) {
  return 2;
}
template <class T>
__device__ auto i(T t, int) -> decltype(P{t}, 1) {
  return 1;
}
template <class T>
__device__ int i(T, long) {
  return 2;
}
template <int N>
__device__ auto j(int) -> decltype(short{N}, 1) {
  return 1;
}
template <int N>
__device__ int j(long) {
  return 2;
}
__global__ void k(int* out) {
  int x = 1;
  short s = 1;
  out[0] = h(x, 0) * 10 + h(s, 0);
  out[1] = i(x, 0) * 10 + i(s, 0);
  out[2] = h(true, 0) * 10 + h(1.5f, 0);
  out[3] = j<7>(0) * 10 + j<70000>(0);
}

// --- pointers_that_do_not_compare: of types that have nothing to do with each other
template <class T, class U>
__device__ auto h(T t, U u, int) -> decltype(t == u, 1) {
  return 1;
}
template <class T, class U>
__device__ int h(T, U, long) {
  return 2;
}
struct A {};
struct B : A {};
__global__ void k(int* out) {
  int x;
  int* p = &x;
  char* q = nullptr;
  void* v = p;
  A* a = nullptr;
  B* b = nullptr;
  out[0] = h(p, q, 0);
  out[1] = h(p, v, 0);
  out[2] = h(a, b, 0);
  out[3] = h(p, nullptr, 0);
  out[4] = h(p, 1, 0);
}

// --- static_cast_of_pointers: only between related types
template <class T, class U>
__device__ auto i(T t, U, int) -> decltype(static_cast<U>(t), 1) {
  return 1;
}
template <class T, class U>
__device__ int i(T, U, long) {
  return 2;
}
struct A {};
struct B : A {};
__global__ void k(int* out) {
  int x;
  int* p = &x;
  void* v = p;
  char* q = nullptr;
  A* a = nullptr;
  B* b = nullptr;
  out[0] = i(v, p, 0) * 10 + i(q, p, 0);
  out[1] = i(1L, p, 0) * 10 + i(p, 1L, 0);
  out[2] = i(a, b, 0) * 10 + i(b, a, 0);
}

// --- reference_to_lvalues: does not take what was moved from
__device__ int w(int&) { return 0; }
template <class T>
__device__ auto j(T&& t, int) -> decltype(w(static_cast<T&&>(t)), 1) {
  return 1;
}
template <class T>
__device__ int j(T&&, long) {
  return 2;
}
__global__ void k(int* out) {
  int x = 1;
  out[0] = j(x, 0);
  out[1] = j(1, 0);
}

// --- private_member: whether it may be used is not decided
class A {
  int x = 1;

 public:
  int y = 2;
};
template <class T>
__device__ auto f(T t, int) -> decltype(t.x, 1) {
  return 1;
}
template <class T>
__device__ int f(T, long) {
  return 2;
}
__global__ void k(int* out) { out[0] = f(A{}, 0); }

// --- pointer_to_a_member: its type is not simulated
struct S {
  __device__ int m() { return 1; }
};
template <class T>
__device__ auto f(T, int) -> decltype(&T::m, 1) {
  return 1;
}
template <class T>
__device__ int f(T, long) {
  return 2;
}
__global__ void k(int* out) { out[0] = f(S{}, 0); }
