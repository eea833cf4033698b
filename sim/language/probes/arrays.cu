// --- by_reference: a reference to const T binds to an array as an array
template <class T>
__device__ int f(const T& t) {
  return sizeof(T);
}
template <class T>
__device__ int g(T& t) {
  return sizeof(T);
}
template <class T>
__device__ int h(T t) {
  return sizeof(T);
}
template <class T>
__device__ int fw(T&& t) {
  return sizeof(t);
}
template <class T>
__device__ int sum(const T& t) {
  int s = 0;
  for (auto x : t) s += x;
  return s;
}
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T, int n>
struct N<T[n]> {
  static constexpr int v = n;
};
template <class T>
__device__ int n(const T&) {
  return N<T>::v;
}
template <class... A>
__device__ int all(const A&... a) {
  return (sizeof(a) + ...);
}
template <class T>
__device__ int o(const T*) {
  return 1;
}
template <class T>
__device__ int o2(const T& x) {
  return x[0];
}
__global__ void k(int* out) {
  int a[5] = {1, 2, 3, 4, 5};
  out[0] = f(a);
  out[1] = g(a);
  out[2] = h(a);
  out[3] = fw(a);
  out[4] = sum(a);
  out[5] = n(a);
  out[6] = all(a, 1, 'c');
  out[7] = o(a);
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  out[8] = f(m);
  out[9] = f(m[1]);
  out[10] = sum(m[1]);
  out[11] = o2(a);
  const char c[4] = {1, 2, 3, 4};
  out[12] = f(c);
  out[13] = sum(c);
  auto lam = [](const auto& x) { return (int)sizeof(x); };
  out[14] = lam(a);
}

// --- by_reference_in_classes: the same in member functions, function objects and lambdas
#include <cstddef>
template <class T, size_t N>
__device__ constexpr size_t size(const T (&)[N]) {
  return N;
}
template <class T>
struct Box {
  __device__ int take(const T& t) { return sizeof(t); }
  template <class U>
  __device__ int any(const U& u) {
    return sizeof(U);
  }
  template <class U>
  __device__ int fwd(U&& u) {
    return sizeof(u);
  }
};
template <class T>
__device__ auto first(const T& t) {
  return t[0];
}
template <class T>
__device__ int dims(const T& t) {
  if constexpr (sizeof(T) > 8) return 1;
  return 0;
}
template <class A, class B>
__device__ int same(const A& a, const B& b) {
  return sizeof(A) == sizeof(B);
}
template <class T>
__device__ int both(const T& a, const T& b) {
  return a[1] + b[1];
}
struct Call {
  template <class T>
  __device__ int operator()(const T& t) const {
    return sizeof(T);
  }
};
template <class T>
__device__ int count(const T& t) {
  int n = 0;
  for (const auto& row : t)
    for (auto x : row) n += x;
  return n;
}
template <class F, class T>
__device__ int apply(F f, const T& t) {
  return f(t);
}
__device__ float sh[16];
__constant__ int ct[3] = {1, 2, 3};
__global__ void k(int* out) {
  int a[5] = {1, 2, 3, 4, 5};
  int b[5] = {9, 8, 7, 6, 5};
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  out[0] = size(a) * 10 + size(m);
  Box<int[5]> x;
  out[1] = x.take(a);
  out[2] = x.any(m) * 100 + x.any(a[0]);
  out[3] = x.fwd(a);
  out[4] = first(a) + first(m)[2];
  out[5] = dims(a) * 10 + dims(a[0]);
  out[6] = same(a, b) * 10 + same(a, m);
  out[7] = both(a, b);
  out[8] = Call()(a) + Call()(1);
  out[9] = count(m);
  out[10] = apply([](const auto& t) { return (int)sizeof(t); }, a);
  out[11] = apply(Call(), m);
  out[12] = size(sh) + size(ct);
  out[13] = first(ct);
  const int c[2] = {7, 8};
  out[14] = first(c) + (int)size(c);
  auto& ra = a;
  out[15] = sizeof(ra);
  const auto& rc = m;
  out[16] = sizeof(rc) + rc[1][1];
  struct H {
    char t[7];
  } h{};
  out[17] = x.any(h.t);
  const int(&r3)[3] = m[1];
  out[18] = r3[0] + size(r3);
  double dd[2];
  out[19] = sizeof(decltype(dd));
  int(*pa)[5] = &a;
  out[20] = (*pa)[2] + x.any(*pa);
}

// --- specialisations: specialisations for arrays, and their traits
#include <type_traits>
template <class T>
struct A {
  static constexpr int v = 1;
};
template <class T, int n>
struct A<T[n]> {
  static constexpr int v = 100 * n + A<T>::v;
};
template <class T>
struct A<T*> {
  static constexpr int v = 5;
};
__global__ void k(int* out) {
  out[0] = A<int>::v;
  out[1] = A<int[3]>::v;
  out[2] = A<int[2][3]>::v;
  out[3] = A<int* [4]>::v;
  out[4] = A<int(*)[4]>::v;
  out[5] = std::is_array_v<int[3]> * 10 + std::is_array<int*>::value;
  out[6] = std::extent_v<int[7]> + std::rank_v<int[2][3]> * 100;
  out[7] = std::is_same_v<std::decay_t<int[3]>, int*>;
  out[8] = std::is_same_v<std::remove_extent_t<int[3]>, int>;
  int a[4];
  out[9] = A<decltype(a)>::v;
  out[10] = std::extent<int[2][5], 1>::value;
}

// --- conditional_of_arrays: of equal type it is an array, as is the comma's
__global__ void k(int* out) {
  bool b = out != nullptr;
  int a[3] = {1, 2, 3}, c[3] = {4, 5, 6}, d[2] = {};
  out[0] = sizeof(b ? a : c);
  out[1] = sizeof(b ? a : d);
  out[2] = (b ? a : c)[1];
  out[3] = sizeof(b, d);
  out[4] = (b, c)[2];
  out[5] = *(b ? a : d);
}

// --- reference_to_a_conditional_array: it refers to the chosen one
template <int N>
__device__ int count(int (&)[N]) {
  return N;
}
__device__ int count(int*) { return -1; }
__global__ void k(int* out) {
  bool b = out == nullptr;
  int a[3] = {1, 2, 3}, c[3] = {4, 5, 6};
  int(&r)[3] = b ? a : c;
  r[0] = 9;
  out[0] = c[0];
  out[1] = sizeof(r);
  auto& q = b ? a : c;
  out[2] = q[0];
}

// --- conditional_arrays_decay: in auto, and if their types differ
__global__ void k(int* out) {
  bool b = out == nullptr;
  int a[3] = {1, 2, 3}, c[3] = {4, 5, 6};
  auto p = b ? a : c;
  out[0] = sizeof(p);
  out[1] = p[1];
  auto q = (b, a);
  out[2] = sizeof(q);
  const char* s = b ? "ab" : "cd";
  out[3] = s[1];
  const char* t = b ? "ab" : "cde";
  out[4] = t[2];
}

// --- loop_over_a_conditional_array: and over the comma's
__global__ void k(int* out) {
  bool b = out == nullptr;
  int a[3] = {1, 2, 3}, c[3] = {4, 5, 6};
  int sum = 0;
  for (int x : b ? a : c) sum += x;
  out[0] = sum;
  for (int& x : (b, a)) x *= 2;
  out[1] = a[2];
}

// --- conditional_of_const_arrays: of a const array and another, of texts
__global__ void k(int* out) {
  bool b = out == nullptr;
  int a[2] = {1, 2};
  const int c[2] = {3, 4};
  out[0] = (b ? a : c)[1];
  const char s[] = "xyz";
  out[1] = sizeof(b ? s : "abc");
  out[2] = (b ? "abc" : s)[2];
}
