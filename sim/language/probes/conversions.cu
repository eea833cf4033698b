// --- operators_to_other_types: conversion operators: implicit, explicit in a condition, to a pointer
struct A {
  int v;
  __device__ operator int() const { return v; }
  __device__ operator double() const { return v + 0.5; }
  __device__ explicit operator bool() const { return v > 2; }
};
struct P {
  int a[3];
  __device__ operator int*() { return a; }
};
__device__ int f(double d) { return (int)(d * 10); }
__global__ void k(int* out) {
  A a{3};
  int i = a;
  double d = a;
  out[0] = i * 100 + (int)(d * 10);
  out[1] = (a ? 1 : 2) * 10 + (!a);
  P p{{4, 5, 6}};
  out[2] = p[1] * 10 + *(p + 2);
  out[3] = f(a) + (int)a;
}

// --- chosen_by_use: a conversion operator is taken for what the place needs
struct I {
  __device__ operator int() const { return 10; }
};
struct D {
  __device__ operator double() const { return 2.5; }
};
struct Bo {
  __device__ explicit operator bool() const { return true; }
  __device__ operator int() const { return 7; }
};
__device__ int f(int x) { return x; }
__device__ int f(const char*) { return -1; }
__global__ void k(int* out) {
  I i;
  D d;
  Bo b;
  out[0] = f(i) + i;
  out[1] = d * 2;
  out[2] = (b ? 100 : 0) + b;
  out[3] = i < d ? 1 : (int)(i / d);
}

// --- of_arguments_and_results: arguments and returned values are converted to the declared types
__device__ int f(unsigned char c) { return c; }
__device__ int g(short s, bool b) { return s * 10 + b; }
__device__ unsigned char h(int x) { return x; }
__device__ float q(int i) { return i / 2; }
__device__ int r(float x) { return x * 2; }
__device__ bool t(int x) { return x & 4; }
__global__ void k(int* out) {
  out[0] = f(513) * 1000 + f(-1);
  out[1] = g(65537, 5);
  out[2] = h(258) * 10 + (int)(q(5) * 2);
  out[3] = r(2.9) * 10 + t(6) + t(3);
}

// --- template_of_conversions: template <class T> operator T() gives whatever is needed
struct A {
  template <class T>
  __device__ operator T() const {
    return T(sizeof(T));
  }
};
__global__ void k(int* out) {
  A a;
  int i = a;
  char c = a;
  double d = a;
  out[0] = i;
  out[1] = c;
  out[2] = (int)d;
  short s = (short)a;
  out[3] = s;
}

// --- user_conversion_last: a standard conversion beats one that a class defines
struct N {
  int v;
  __device__ N(int v) : v(v) {}
};
struct M {
  __device__ operator int() const { return 3; }
};
__device__ int f(N) { return 1; }
__device__ int f(double) { return 2; }
__device__ int g(N n) { return n.v; }
__device__ int h(int) { return 5; }
__device__ int h(long long) { return 6; }
__global__ void k(int* out) {
  M m;
  out[0] = f(1) * 10 + g(4);
  out[1] = h(m);
  out[2] = m + 4;
}

// --- explicit_template: an explicit template constructor is for brackets, not for =
struct A {
  int v;
  template <class T>
  __device__ explicit A(T t) : v(t * 10) {}
  __device__ A(double d) : v(d) {}
};
__device__ int f(A a) { return a.v; }
__global__ void k(int* out) {
  out[0] = f(4);
  A a(4);
  out[1] = a.v;
  A b = 4;
  out[2] = b.v;
  A c{5};
  out[3] = c.v;
}

// --- conversion_to_a_reference: operator int&() gives a place that can be stored to
struct W {
  int v;
  __device__ operator int&() { return v; }
};
__device__ void add(int& r) { r += 10; }
__global__ void k(int* out) {
  W w{1};
  add(w);
  out[0] = w.v;
  int& r = w;
  r = 50;
  out[1] = w.v;
  out[2] = w + 1;
}

// --- const_conversion: a const object converts by the const function
struct B {
  __device__ operator int() { return 1; }
  __device__ operator int() const { return 2; }
};
__device__ int f(int x) { return x; }
__global__ void k(int* out) {
  B b;
  const B c{};
  out[0] = f(b) * 10 + f(c);
  int x = b;
  int y = c;
  out[1] = x * 10 + y;
  out[2] = b + 10;
  out[3] = c + 10;
}

// --- conversion_template: operator T() is for any T
struct A {
  int v;
  template <class T>
  __device__ operator T() const {
    return T(v) + T(sizeof(T));
  }
};
__device__ int f(short s) { return s; }
__global__ void k(int* out) {
  A a{10};
  int i = a;
  char c = a;
  double d = a;
  out[0] = i;
  out[1] = c;
  out[2] = (int)d;
  out[3] = f(a);
}

// --- explicit_constructor_left_out: an explicit constructor is no candidate for an argument
struct A {
  int v;
  __device__ explicit A(int) : v(1) {}
  __device__ A(double) : v(2) {}
};
__device__ int f(A a) { return a.v; }
__global__ void k(int* out) { out[0] = f(4); }

// --- explicit_conversion_left_out: an explicit conversion is no candidate for =
struct B {
  __device__ explicit operator int() const { return 1; }
  __device__ operator float() const { return 2; }
};
__global__ void k(int* out) {
  B b;
  int i = b;
  out[0] = i;
}

// --- explicit_by_context: T a(x) may call an explicit constructor, T a = x may not
struct A {
  int v;
  __device__ explicit A(int v) : v(v) {}
  __device__ A(double d) : v((int)d * 100) {}
};
__device__ int f(A a) { return a.v; }
struct B {
  int w;
  __device__ B(int a, int b = 3) : w(a * b) {}
};
__device__ int g(const B& b) { return b.w; }
__global__ void k(int* out) {
  A a(3);
  A b = 3;
  out[0] = a.v;
  out[1] = b.v;
  out[2] = f(4) + f(A(4));
  out[3] = g(5) * 10 + g({2, 4});
}

// --- sides_of_a_choice: of b ? x : y one side becomes the class of the other
struct N {
  int v;
  __device__ N(int v) : v(v) {}
};
struct A {
  int a = 1;
};
struct B : A {
  int b = 2;
};
__global__ void k(int* out) {
  bool t = out[0] == 0;
  N n(4);
  N m = t ? n : 7;
  out[0] = m.v;
  N o = t ? 8 : n;
  out[1] = o.v;
  B b;
  A a;
  b.a = 6;
  const A& r = t ? b : a;
  b.a = 9;
  out[2] = r.a;
  A s = t ? A() : b;
  out[3] = s.a;
}

// --- conditional_of_small_types: two of one type stay it, others become int
template <class T>
struct Is {
  static constexpr int v = 0;
};
template <>
struct Is<short> {
  static constexpr int v = 1;
};
template <>
struct Is<int> {
  static constexpr int v = 2;
};
template <>
struct Is<char> {
  static constexpr int v = 3;
};
template <class T>
__device__ int of(T) {
  return Is<T>::v;
}
__global__ void k(int* out) {
  bool b = out == nullptr;
  short s = 1;
  char c = 2;
  out[0] = of(b ? s : s);
  out[1] = of(b ? s : c);
  out[2] = of(b ? (short)1 : (short)2);
  out[3] = of(b ? 'a' : 'b');
  out[4] = of((0, s));
  out[5] = of(b ? s : 1);
}

// --- conversion_binds_a_base: a reference binds to the base of what operator B& gives
struct A {
  int a = 1;
};
struct B : A {
  int b = 2;
};
struct S {
  B x;
  __device__ operator B&() { return x; }
};
__device__ int f(A& a) {
  a.a = 7;
  return 1;
}
__global__ void k(int* out) {
  S s;
  out[0] = f(s);
  out[1] = s.x.a;
  const A& r = s;
  s.x.a = 9;
  out[2] = r.a;
  B& q = s;
  q.b = 4;
  out[3] = s.x.b;
}

// --- conversions_to_const_and_other_references: by the constness of the object
struct S {
  int v = 1;
  int w = 2;
  __device__ operator int&() { return v; }
  __device__ operator const int&() const { return w; }
};
__device__ int f(const int& x) { return x; }
__global__ void k(int* out) {
  S s;
  const S c{};
  int& r = s;
  r = 5;
  out[0] = s.v;
  out[1] = f(c);
  out[2] = f(s);
  const int& q = c;
  out[3] = q;
}

// --- value_or_reference_by_conversion: a value is copied to a temporary object, a reference is bound
struct S {
  int v = 1;
  __device__ operator int() const { return 40; }
};
struct T {
  int v = 1;
  __device__ operator int&() { return v; }
  __device__ operator long() const { return 40; }
};
__global__ void k(int* out) {
  S s;
  const int& r = s;
  s.v = 2;
  out[0] = r;
  T t;
  const int& q = t;
  t.v = 3;
  out[1] = q;
  const long& l = t;
  out[2] = (int)l;
}

// --- conversion_to_an_rvalue_reference: T&& binds to what operator T&& gives
#include <utility>
struct M {
  int v = 1;
};
struct S {
  M m;
  __device__ operator M&&() { return std::move(m); }
};
__device__ int f(M&& m) {
  m.v = 8;
  return m.v;
}
__global__ void k(int* out) {
  S s;
  out[0] = f(s);
  out[1] = s.m.v;
  M&& r = s;
  r.v = 9;
  out[2] = s.m.v;
  M c = s;
  out[3] = c.v;
}

// --- template_conversion_to_a_reference: template <class U> operator U&
struct S {
  int v = 1;
  double d = 2;
  template <class U>
  __device__ operator U&() {
    return *(U*)(void*)&v;
  }
};
__global__ void k(int* out) {
  S s;
  int& r = s;
  r = 6;
  out[0] = s.v;
}

// --- cast_by_a_conversion_to_a_reference: and compound assignments through it
struct S {
  int v = 1;
  __device__ operator int&() { return v; }
};
__global__ void k(int* out) {
  S s;
  static_cast<int&>(s) = 4;
  out[0] = s.v;
  int&& x = 3;
  out[1] = x;
  s += 2;
  out[2] = s.v;
  ++s;
  out[3] = s.v;
}
