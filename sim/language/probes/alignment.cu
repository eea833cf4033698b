// --- of_members: alignas before a member
#include <cstddef>
struct A {
  char c;
  alignas(8) char d;
};
struct B {
  alignas(16) int x;
  int y;
};
struct C {
  char a;
  alignas(double) char b;
  alignas(4) char c;
};
struct D {
  alignas(0) char c;
  char d;
};
struct E {
  alignas(2) alignas(8) char c;
};
struct F {
  char c;
  alignas(A) char d;
};
struct G : A {
  char e;
};
struct H {
  A a[2];
  alignas(32) char z;
};
struct I {
  char c;
  alignas(4) char d, e;
};
union U {
  alignas(8) char c;
  int i;
};
template <int N>
struct J {
  char q;
  alignas(N) char r;
};
struct K {
  char c;
  char d alignas(8);
  char e;
};
__global__ void k(int* out) {
  out[0] = sizeof(A) * 100 + alignof(A);
  out[1] = offsetof(A, d);
  out[2] = sizeof(B) * 100 + alignof(B);
  out[3] = offsetof(B, y);
  out[4] = sizeof(C) * 10000 + offsetof(C, b) * 100 + offsetof(C, c);
  out[5] = sizeof(D);
  out[6] = sizeof(E) * 100 + alignof(E);
  out[7] = sizeof(F) * 100 + offsetof(F, d);
  out[8] = sizeof(G) * 100 + alignof(G);
  out[9] = sizeof(H) * 100 + alignof(H);
  out[10] = sizeof(I) * 100 + offsetof(I, e);
  out[11] = sizeof(U) * 100 + alignof(U);
  out[12] = sizeof(J<4>) * 100 + sizeof(J<16>);
  out[13] = sizeof(K) * 100 + offsetof(K, e);
  A a{1, 2};
  A arr[2] = {{3, 4}, {5, 6}};
  out[14] = a.c * 10 + a.d + arr[1].d * 100;
  out[15] = (char*)&arr[1] - (char*)&arr[0];
  out[16] = offsetof(G, e);
}

// --- of_nested_members: alignas of arrays, of anonymous structs, by constants and types
#include <cstddef>
struct alignas(16) Q {
  float x;
};
struct R {
  char c;
  Q q;
};
struct S {
  alignas(16) float v[4];
  char c;
};
struct T {
  char a;
  alignas(alignof(double)) char b[3];
  short s;
};
struct V : R {
  alignas(4) char e;
};
struct W {
  char c;
  struct {
    alignas(8) char d;
  } in;
};
struct X {
  alignas(Q) char c;
  char d;
};
template <class U>
struct Y {
  char c;
  alignas(U) char raw[sizeof(U)];
};
struct Z {
  alignas(4) char a, b;
  char c;
};
constexpr int kA = 32;
struct AA {
  alignas(kA) int i;
  alignas(kA / 2) int j;
};
struct BB {
  bool b;
  alignas(2) bool c;
  bool d;
};
struct CC {
  alignas(8) struct { char x; } in;
  char y;
};
class DD {
  char p;

 public:
  alignas(16) double d;
  int e;
};
__global__ void k(int* out) {
  out[0] = sizeof(Q) * 100 + sizeof(R);
  out[1] = offsetof(S, c) * 100 + sizeof(S);
  out[2] = offsetof(T, b) * 1000 + offsetof(T, s) * 100 + sizeof(T);
  out[3] = sizeof(V) * 100 + alignof(V);
  out[4] = offsetof(W, in) * 100 + sizeof(W);
  out[5] = sizeof(X) * 100 + offsetof(X, d);
  out[6] = sizeof(Y<double>) * 100 + sizeof(Y<short>);
  out[7] = offsetof(Z, b) * 100 + offsetof(Z, c) * 10 + sizeof(Z);
  out[8] = sizeof(AA) * 100 + offsetof(AA, j);
  out[9] = sizeof(BB) * 10 + offsetof(BB, d);
  out[10] = sizeof(CC) * 10 + offsetof(CC, y);
  out[11] = sizeof(DD) * 100 + alignof(DD);
  S s{{1, 2, 3, 4}, 5};
  S t = s;
  t.v[3] = 9;
  out[12] = (int)(s.v[3] + t.v[3]) + t.c;
  AA arr[2] = {{1, 2}, {3, 4}};
  out[13] = arr[1].i * 10 + arr[1].j;
  out[14] = (int)((char*)&arr[1].j - (char*)arr);
  R r{'a', {2.5f}};
  out[15] = (int)(r.q.x * 2) + r.c;
  BB b{true, false, true};
  out[16] = b.b * 4 + b.c * 2 + b.d;
}

// --- offsets: offsetof of members, of members of members and of elements
#include <cstddef>
struct Record {
  char tag;
  struct {
    short x;
    float y[4];
  } at;
  double weight;
};
__global__ void k(int* out) {
  static_assert(offsetof(Record, at) == 4, "");
  out[0] = offsetof(Record, at.y[2]) + 100 * __builtin_offsetof(struct Record, weight);
}
