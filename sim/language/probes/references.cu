// --- bound_to_an_assignment: ++x, x += 1 and (0, x) are x itself, so that a reference binds to them
__device__ void add(int& r) { r += 10; }
__global__ void k(int* out) {
  int x = 1;
  add(++x);
  out[0] = x;
  int& r = (x += 1);
  r = 50;
  out[1] = x;
  add((0, x));
  out[2] = x;
}

// --- bound_to_a_conditional: b ? x : y is one of the two variables itself
__device__ void add(int& r) { r += 10; }
__global__ void k(int* out) {
  int x = 1, y = 2;
  bool b = out[0] == 0;
  add(b ? x : y);
  out[0] = x;
  int& r = b ? y : x;
  r = 7;
  out[1] = y;
  const int& c = b ? x : y;
  x = 99;
  out[2] = c;
}

// --- assigned_results: ?:, an assignment, ++ and the comma on the left of an assignment
__global__ void k(int* out) {
  int x = 1, y = 2;
  bool b = out[0] == 0;
  (b ? x : y) = 5;
  (b ? y : x) += 3;
  out[0] = x * 10 + y;
  int& r = b ? x : y;
  r++;
  out[1] = x;
  (x = 3) = 4;
  ++(x += 2);
  ++ ++x;
  out[2] = x;
  (y, x) = 9;
  int* p = &(b ? y : x);
  *p = 7;
  out[3] = x * 10 + y;
}

// --- extended_lifetime: a const reference keeps the temporary that it is bound to, also a converted one
struct S {
  int v;
  __device__ S(int v) : v(v) {}
  __device__ S(const S& o) : v(o.v + 100) {}
};
__device__ S mk(int v) { return S(v); }
__device__ int rd(const S& s) { return s.v; }
__global__ void k(int* out) {
  const S& r = mk(3);
  out[0] = r.v;
  out[1] = rd(7);
  const double& d = 5;
  out[2] = (int)(d / 2 * 10);
  int i = 3;
  const long long& l = i;
  i = 4;
  out[3] = (int)l;
}

// --- forwarding: std::forward keeps const and the category of value, also in packs
#include <utility>
struct S {
  int v = 1;
};
__device__ int f(S&) { return 1; }
__device__ int f(const S&) { return 2; }
__device__ int f(S&&) { return 3; }
template <class T>
__device__ int g(T&& t) {
  return f(std::forward<T>(t));
}
template <class... T>
__device__ int h(T&&... t) {
  return (f(std::forward<T>(t)) + ...);
}
__global__ void k(int* out) {
  const S c{};
  S s;
  out[0] = g(c);
  out[1] = g(s) * 10 + g(S());
  out[2] = h(c, c);
  out[3] = h(s, S());
}

// --- categories_of_values: overloads on int&, const int& and int&& tell the category of a value
struct S {
  int m;
  int a[2];
};
__device__ int f(int&) { return 1; }
__device__ int f(const int&) { return 2; }
__device__ int f(int&&) { return 3; }
__device__ S mk() { return S{1, {2, 3}}; }
__device__ int& lr(int& x) { return x; }
__device__ const int& cr(const int& x) { return x; }
__global__ void k(int* out) {
  int x = 1;
  out[0] = f(mk().m);
  out[1] = f(lr(x)) * 10 + f(cr(x));
  out[2] = f((int)x) * 10 + f(static_cast<int&&>(x));
  int&& r = 5;
  out[3] = f(r) * 10 + f(-x);
}
