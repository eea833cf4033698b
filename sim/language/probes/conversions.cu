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
