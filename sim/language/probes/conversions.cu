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
