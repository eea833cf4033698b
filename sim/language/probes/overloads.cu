// --- explicit_constructor_is_no_conversion: an explicit constructor is no implicit conversion
struct A {
  int v;
  __device__ explicit A(float) : v(1) {}
  __device__ A(const char*) : v(2) {}
};
__device__ int f(A) { return 1; }
__device__ int f(double) { return 2; }
__global__ void k(int* out) {
  out[0] = f(1.0f);
  out[1] = f(3);
}

// --- derived_hides_base: a derived class's function hides the base's overloads of its name
struct B {
  __device__ int f(int) { return 1; }
};
struct C : B {
  __device__ int f(double) { return 2; }
};
__global__ void k(int* out) {
  C c;
  out[0] = c.f(1);
}

// --- default_arguments: default arguments, also of members, from the scope of their declaration
__device__ int f(int a, int b = 10, int c = 100) { return a + b + c; }
__device__ int g(int a) { return a; }
__device__ int g(int a, double b) { return a + (int)b + 1000; }
namespace n {
const int z = 4;
__device__ int h(int a = z * 2) { return a; }
}  // namespace n
struct S {
  int m = 5;
  __device__ int w(int a, int b = sizeof(S)) const { return a * b + m; }
};
__global__ void k(int* out) {
  out[0] = f(1) * 1000 + f(1, 2);
  out[1] = g(1) + g(1, 2);
  const int z = 9;
  out[2] = n::h() + z;
  out[3] = S().w(3) * 100 + S().w(1, 1);
}

// --- more_special_template: of two templates that fit the more special one is taken
template <class T>
__device__ int f(T) {
  return 1;
}
template <class T>
__device__ int f(T*) {
  return 2;
}
template <class T>
__device__ int f(const T*) {
  return 3;
}
template <class T>
__device__ int f(T**) {
  return 4;
}
template <class T, class U>
__device__ int g(T, U) {
  return 5;
}
template <class T>
__device__ int g(T, T) {
  return 6;
}
template <class T>
__device__ int g(T, int) {
  return 7;
}
__global__ void k(int* out) {
  int x = 0;
  const int c = 0;
  int* p = &x;
  out[0] = f(x) * 1000 + f(&x) * 100 + f(&c) * 10 + f(&p);
  out[1] = g(1.0, 2.0f) * 100 + g(1.0, 2.0) * 10 + g(1.0, 2);
  out[2] = f((const int**)nullptr);
}

// --- conversions_of_classes_and_numbers: conversions by classes against those of numbers
struct A {
  int v;
};
struct B {
  int v;
  __device__ operator A() const { return A{v + 1}; }
};
__device__ int f(const A& a) { return a.v; }
__device__ int f(double) { return -1; }
struct C {
  __device__ C(int x) : v(x) {}
  int v;
};
__device__ int g(C c) { return c.v * 2; }
__device__ int g(double) { return -2; }
__global__ void k(int* out) {
  B b{4};
  out[0] = f(b);
  out[1] = g(3);
  out[2] = g(C(3));
  A a = b;
  out[3] = f(a) + f(1);
}

// --- promotion_before_conversion: short and bool are promoted to int rather than converted to long or double
__device__ int f(int) { return 1; }
__device__ int f(double) { return 2; }
__device__ int f(long) { return 3; }
__global__ void k(int* out) {
  out[0] = f((short)1);
  out[1] = f(1.0f);
  out[2] = f(true);
}

// --- nearest_base: a conversion to the nearest base is better than to void, to bool or to ...
struct A {
  int v = 1;
};
struct B : A {
  int w = 2;
};
struct C : B {
  int z = 3;
};
__device__ int f(A) { return 1; }
__device__ int f(...) { return 9; }
__device__ int g(B*) { return 2; }
__device__ int g(const void*) { return 3; }
__device__ int g(bool) { return 4; }
__global__ void k(int* out) {
  C c;
  out[0] = f(c);
  out[1] = g(&c);
  A a;
  out[2] = g(&a);
  const C* p = &c;
  out[3] = g(p);
}

// --- template_before_conversion_to_base: a template that fits exactly beats a function that takes the base
struct A {
  int v = 1;
};
struct B : A {};
template <class T>
__device__ int f(const T&) {
  return 1;
}
__device__ int f(const A&) { return 2; }
template <class T>
__device__ int g(T) {
  return 3;
}
__device__ int g(A) { return 4; }
__global__ void k(int* out) {
  A a;
  B b;
  out[0] = f(a) * 10 + f(b);
  out[1] = g(a) * 10 + g(b);
}

// --- narrow_types: unsigned char, unsigned short and bool go to int, not to unsigned
__device__ int f(unsigned) { return 1; }
__device__ int f(int) { return 2; }
__device__ int g(float) { return 3; }
__device__ int g(double) { return 4; }
template <class T>
__device__ int h(T, T) {
  return sizeof(T);
}
__global__ void k(int* out) {
  unsigned char c = 1;
  unsigned short s = 1;
  bool b = true;
  out[0] = f(c) * 100 + f(s) * 10 + f(b);
  out[1] = f(c + 1u) * 10 + f(c - s);
  out[2] = g(1.f) * 10 + g(1.f * 2.0);
  out[3] = h(c, c) * 10 + h(c + c, 1);
}
