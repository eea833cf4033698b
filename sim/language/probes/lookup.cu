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

// --- friends_for_member_types: for an enumeration and a class within the class
struct O {
  enum class E { A = 1, B = 2 };
  friend __device__ int operator+(E a, E b) { return 21; }
  friend __device__ int name(E) { return 22; }
  struct I {
    int v;
  };
  friend __device__ int size(I) { return 23; }
};
__global__ void k(int* out) {
  out[0] = O::E::A + O::E::B;
  out[1] = name(O::E::A);
  out[2] = size(O::I{1});
}

// --- namespaces_of_template_arguments: and of a base that is a template
namespace a {
struct X {};
__device__ int f(...) { return 1; }
}  // namespace a
namespace b {
template <class T>
struct V {};
template <class T>
__device__ int g(T) {
  return 5;
}
}  // namespace b
struct D : b::V<a::X> {};
__device__ int g(D&) { return 7; }
__device__ int f(D) { return 2; }
__global__ void k(int* out) {
  D d;
  out[0] = f(d);
  out[1] = g(b::V<int>{});
}

// --- arguments_of_base_templates_do_not_count: those of the class itself do
namespace a {
struct X {};
template <class T>
__device__ int f(T) {
  return 1;
}
}  // namespace a
namespace b {
template <class T>
struct V {};
}  // namespace b
struct D : b::V<a::X> {};
__device__ int f(...) { return 2; }
__global__ void k(int* out) {
  D d;
  out[0] = f(d);
  b::V<a::X> v;
  out[1] = f(v);
}

// --- friends_of_template_arguments: found by an object of the template, and a pointer
struct X {
  friend __device__ int f(...);
  template <class T>
  friend __device__ int g(T) {
    return 4;
  }
};
template <class T>
struct V {};
__global__ void k(int* out) {
  V<X> v;
  out[0] = g(v);
  out[1] = g(&v);
}

// --- namespaces_of_function_types: of a pointer to a function its parameters count
namespace a {
struct X {};
template <class T>
__device__ int f(T) {
  return 3;
}
}  // namespace a
__device__ int h(a::X) { return 1; }
__global__ void k(int* out) {
  int (*p)(a::X) = h;
  out[0] = f(p);
}

// --- enumeration_in_a_class_of_a_namespace: functions of the namespace are found
namespace a {
struct O {
  enum E { A = 1 };
  struct I {
    enum J { K = 3 };
  };
};
__device__ int f(O::E) { return 1; }
__device__ int g(O::I::J) { return 2; }
}  // namespace a
__global__ void k(int* out) {
  out[0] = f(a::O::A);
  out[1] = g(a::O::I::K);
  a::O::E e = a::O::A;
  out[2] = f(e);
}

// --- arguments_of_the_outer_class_do_not_count: of a member class
struct X {
  template <class T>
  friend __device__ int f(T) {
    return 1;
  }
};
template <class T>
struct V {
  struct I {};
};
__device__ int f(...) { return 2; }
__global__ void k(int* out) {
  V<X>::I i;
  out[0] = f(i);
}
