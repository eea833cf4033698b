// --- empty_braces_and_parentheses: {} and () give zeros, or what the constructor and initial values say
struct A {
  int x;
  int y;
};
struct B {
  int x = 3;
  int y;
};
struct C {
  int v;
  __device__ C() : v(8) {}
};
__global__ void k(int* out) {
  A a = A();
  A b{};
  B c{};
  int i{};
  int* p{};
  C d = {};
  int arr[3]{1};
  auto* q = new A();
  auto* r = new int[3]();
  out[0] = a.x + a.y + b.x + b.y + c.x * 10 + c.y + i;
  out[1] = (p == nullptr) * 100 + d.v * 10 + arr[2];
  out[2] = q->x + q->y + r[2];
  bool z = bool();
  out[3] = z + int() + (int)double() + 4;
  delete q;
  delete[] r;
}

// --- auto: auto drops const and lets an array decay, auto& does not
__global__ void k(int* out) {
  const int c = 5;
  auto a = c;
  a = 6;
  const auto& r = a;
  a = 7;
  out[0] = r * 10 + c;
  int arr[4] = {1, 2, 3, 4};
  auto p = arr;
  auto& q = arr;
  out[1] = sizeof(p) * 100 + sizeof(q);
  auto s = "abc";
  out[2] = sizeof(s) * 10 + sizeof("abc");
  auto i{3};
  auto b = true;
  auto n = b + b;
  auto t = b ? 1 : 2.5;
  out[3] = i * 1000 + sizeof(b) * 100 + n * 10 + (int)sizeof(t);
}

// --- constants_in_braces: a constant that fits may be narrowed in braces
struct C {
  unsigned char c;
  float f;
  short s;
  bool b;
};
__global__ void k(int* out) {
  C c{'a', 3, -1, true};
  out[0] = c.c + c.s;
  int n = 300;
  C d = {(unsigned char)n, (float)(n / 7), (short)(n * 300), n > 1};
  out[1] = d.c * 10 + (int)d.f;
  out[2] = d.s;
  unsigned char t[] = {1, 2, (unsigned char)(n + 5)};
  out[3] = t[2];
}

// --- braces_left_out: a list's values without the braces of a struct or an array within it ([dcl.init.aggr] 13)
struct Pair {
  int a;
  int b = 7;
};
struct Both {
  Pair first;
  int more[2][2];
  Pair last;
};
struct Number {
  int v;
  __device__ operator Pair() const { return {v, v + 1}; }
};
__global__ void k(int* out) {
  Pair made{5, 6};
  Pair pairs[4] = {1, 2, made, 3, 4, {8}};
  for (int i = 0; i < 4; ++i) {
    out[2 * i] = pairs[i].a;
    out[2 * i + 1] = pairs[i].b;
  }
  Both both = {1, 2, 3, 4, 5, 6, 9};
  out[8] = both.first.b;
  out[9] = both.more[1][0];
  out[10] = both.last.a;
  out[11] = both.last.b;
  Pair converted[1] = {Number{20}};
  out[12] = converted[0].a + converted[0].b;
}

// --- bindings_of_an_array_found_once: an array that an expression with an effect names is found once
__global__ void k(int* out) {
  int table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  int i = 0;
  auto [x, y] = table[i++];
  auto [z, w] = table[i++];
  x += 10;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  out[4] = i;
  out[5] = table[0][0];
}

// --- bindings_of_const_objects: mutable members stay changeable, others not
template <class T>
struct Is {
  static constexpr int v = 0;
};
template <class T>
struct Is<const T> {
  static constexpr int v = 1;
};
template <class T>
__device__ int g(T&) {
  return Is<T>::v;
}
struct S {
  int a;
  const int b = 1;
  mutable int d = 2;
};
__global__ void k(int* out) {
  S u{4};
  const S c{5};
  const auto& [i, j, l] = u;
  out[0] = g(i) * 100 + g(j) * 10 + g(l);
  const auto [p, q, r] = u;
  out[1] = g(p) * 100 + g(q) * 10 + g(r);
  auto& [x, y, z] = c;
  out[2] = g(x) * 100 + g(y) * 10 + g(z);
  auto [e, f, h] = c;
  out[3] = g(e) * 100 + g(f) * 10 + g(h);
  l = 9;
  out[4] = u.d;
}

// --- bindings_of_references: const does not reach through a reference
struct S {
  int& a;
  int b;
  __device__ S(int& x, int y) : a(x), b(y) {}
};
__global__ void k(int* out) {
  int x = 1;
  const S s(x, 2);
  const auto& [a, b] = s;
  a = 5;
  out[0] = x;
  const auto [c, d] = s;
  c = 6;
  out[1] = x;
  out[2] = b + d;
}

// --- bindings_of_const_arrays: by const auto&, auto, auto&
template <class T>
struct Is {
  static constexpr int v = 0;
};
template <class T>
struct Is<const T> {
  static constexpr int v = 1;
};
template <class T>
__device__ int g(T&) {
  return Is<T>::v;
}
__global__ void k(int* out) {
  int t[2] = {1, 2};
  const int c[2] = {3, 4};
  const auto& [a, b] = t;
  out[0] = g(a);
  auto [d, e] = c;
  out[1] = g(d);
  auto& [f, h] = t;
  f = 7;
  out[2] = g(f);
  out[3] = a;
  auto& [m, n] = c;
  out[4] = g(m);
  const auto [p, q] = t;
  out[5] = g(q);
}
