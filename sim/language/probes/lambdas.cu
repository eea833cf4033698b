// --- captured_bindings: structured bindings, captured by value and with names of their own
struct P {
  int a, b;
};
__global__ void k(int* out) {
  P p{1, 2};
  auto [x, y] = p;
  auto f = [x = x, y = y] { return x * 10 + y; };
  out[0] = f();
  auto& [u, v] = p;
  u = 7;
  out[1] = p.a * 10 + x;
  auto g = [&q = p] { return q.a++; };
  g();
  out[2] = u;
}

// --- called_at_once: a lambda that is called where it is written, in constants, with a default argument
__global__ void k(int* out) {
  const int v = [&] {
    if (out[0] == 0) return 3;
    return 4;
  }();
  out[0] = v;
  constexpr auto sq = [](int x) { return x * x; };
  static_assert(sq(3) == 9);
  int a[sq(2)];
  out[1] = sizeof(a);
  out[2] = [](int a, int b = 7) { return a * b; }(3);
  out[3] = [x = 1]() mutable {
    x++;
    return x;
  }() + [] { return 5; }();
}

// --- nested_captures: a lambda in a lambda, one that returns a reference, one that takes itself
__global__ void k(int* out) {
  int n = 0;
  auto o = [&] {
    int m = 1;
    auto i = [&, m]() mutable {
      m += 10;
      n += m;
      return m;
    };
    i();
    return i() + m;
  };
  out[0] = o();
  out[1] = n;
  int arr[3] = {1, 2, 3};
  auto s = [&arr](int i) -> int& { return arr[i]; };
  s(1) = 20;
  s(2)++;
  out[2] = arr[1] + arr[2];
  auto rec = [](auto self, int x) -> int { return x <= 1 ? 1 : x * self(self, x - 1); };
  out[3] = rec(rec, 5);
}

// --- passed_to_templates: a lambda, an object and a function go to the same template
template <class F>
__device__ int twice(F f, int x) {
  return f(f(x));
}
template <class F>
__device__ int each(const int* a, int n, F&& f) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += f(a[i], i);
  return s;
}
struct Mul {
  int m;
  __device__ int operator()(int x) const { return x * m; }
};
__device__ int inc(int x) { return x + 1; }
__global__ void k(int* out) {
  out[0] = twice([](int x) { return x * 3; }, 2);
  out[1] = twice(Mul{5}, 2);
  out[2] = twice(inc, 2);
  int a[] = {4, 5, 6}, t = 0;
  int e = each(a, 3, [&t](int v, int i) {
    t++;
    return v * i;
  });
  out[3] = e * 10 + t;
}

// --- return_types: what a lambda returns is converted to the type behind ->, or deduced
__global__ void k(int* out) {
  auto f = [](int x) -> double { return x / 2; };
  out[0] = f(5) * 2;
  auto g = [](double x) -> int { return x * 2; };
  out[1] = g(2.9);
  auto h = [](bool b) -> unsigned char { return b ? 300 : 5; };
  out[2] = h(true) * 10 + sizeof(h(false));
  auto i = [](int a) {
    if (a > 2) return 1.5f;
    return 2.5f;
  };
  out[3] = (int)(i(3) * 10) + (int)(i(1) * 10);
}

// --- this_is_captured: members within a lambda of a member function, by [this], [=] and [&]
struct S {
  int v;
  __device__ int f() {
    auto l = [this](int x) {
      v += x;
      return v;
    };
    l(1);
    return l(2);
  }
  __device__ int g() const {
    return [=] { return v * 2; }();
  }
  __device__ int h() {
    auto l = [&] {
      ++v;
      return k2();
    };
    return l() + l();
  }
  __device__ int k2() const { return v * 10; }
};
__global__ void k(int* out) {
  S s{5};
  out[0] = s.f();
  out[1] = s.g();
  out[2] = s.h();
  out[3] = s.v;
}

// --- mutable_copy: a mutable lambda keeps its copy from call to call
__global__ void k(int* out) {
  int n = 0;
  auto f = [n]() mutable { return ++n; };
  f();
  f();
  out[0] = f();
  out[1] = n;
}

// --- kept_in_a_class: a lambda as member of a class template, its type deduced also by the class's name
template <class F>
struct W {
  F f;
  __device__ int go(int x) const { return f(x) + f(x + 1); }
};
template <class F>
__device__ W<F> mk(F f) {
  return {f};
}
template <class F, class... A>
__device__ auto inv(F f, A... a) {
  return f(a...);
}
__global__ void k(int* out) {
  int b = 3;
  auto w = mk([b](int x) { return x * b; });
  out[0] = w.go(2);
  out[1] = inv([](int a, double c) { return a + c; }, 1, 2.5) * 2;
  out[2] = inv([] { return 9; });
  W v{[](int x) { return -x; }};
  out[3] = v.go(1);
}

// --- autos_within_autos: a lambda of auto within another one has its own types
#include <type_traits>
template <int N, class F> __device__ void times(F&& f) {
  if constexpr (N > 0) {
    times<N - 1>(f);
    f(std::integral_constant<int, N - 1>{});
  }
}
__global__ void k(int* out) {
  int a[2][3] = {};
  times<2>([&](auto i) { times<3>([&](auto j) { a[i][j] = 4 + i * 3 + j; }); });
  out[0] = a[1][2] * 10 + a[0][1];
}
