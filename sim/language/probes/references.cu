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

// --- lvalue_results: x = y, ++x, (x, y) and b ? x : y are lvalues
__device__ int f(int&) { return 1; }
__device__ int f(const int&) { return 2; }
__device__ int f(int&&) { return 3; }
__global__ void k(int* out) {
  int x = 1, y = 2;
  const int c = 3;
  bool b = out[0] == 0;
  out[0] = f(x = 2) * 1000 + f(x++) * 100 + f(--x) * 10 + f((0, x));
  out[1] = f(b ? x : y) * 1000 + f(b ? x : c) * 100 + f(b ? x : 1) * 10 + f(b ? x + 0 : y);
  out[2] = f(x -= 1) * 10 + f(+x);
  int a[2] = {1, 2};
  int* p = a;
  out[3] = f(a[0]) * 1000 + f(*p++) * 100 + f(*&x) * 10 + f((x));
}

// --- stores_through_results: (b ? x : y) = 5 and ++(x += 1) store
struct S {
  int v;
};
__global__ void k(int* out) {
  int x = 1, y = 2;
  bool b = out[0] == 0;
  (b ? x : y) = 5;
  (x += 2) *= 3;
  out[0] = x;
  ++(y = 7);
  out[1] = y;
  S s{1}, t{2};
  (b ? s : t).v = 9;
  out[2] = s.v * 10 + t.v;
  int a[2] = {1, 2};
  int i = 0;
  (a[i++] += 5) += 10;
  out[3] = a[0] * 10 + i;
}

// --- reference_to_an_assignment: return v = x gives a reference to v
struct S {
  int v;
  __device__ int& set(int x) { return v = x; }
  __device__ S& inc() {
    ++v;
    return *this;
  }
};
__global__ void k(int* out) {
  S s{1};
  s.set(4) += 3;
  out[0] = s.v;
  s.inc().inc();
  out[1] = s.v;
  int a[3] = {1, 2, 3};
  int* p = a;
  int& r = *(p += 1);
  r = 20;
  out[2] = a[1];
  int& q = *++p;
  q = 30;
  out[3] = a[2];
}

// --- const_in_templates: T of T& is const for a const argument, T of T&& is a reference for an lvalue
#include <utility>
template <class T>
struct Is {
  static constexpr int v = 0;
};
template <class T>
struct Is<const T> {
  static constexpr int v = 1;
};
template <class T>
__device__ int f(T&) {
  return Is<T>::v;
}
template <class T>
__device__ int g(const T&) {
  return Is<T>::v;
}
template <class T>
__device__ void twice(T&& t) {
  T u = t;
  u += 5;
}
__global__ void k(int* out) {
  int x = 1;
  const int c = 2;
  out[0] = f(x) * 10 + f(c);
  out[1] = g(x) * 10 + g(c);
  twice(x);
  out[2] = x;
  twice(7);
  twice(std::move(x));
  out[3] = x;
}

// --- const_objects: a const result and a cast to const call const methods
struct S {
  int v;
  __device__ int f() { return 1; }
  __device__ int f() const { return 2; }
  __device__ int g() const { return v; }
};
__device__ const S mk(int v) { return S{v}; }
__device__ S mm(int v) { return S{v}; }
__device__ int h(S&&) { return 3; }
__device__ int h(const S&) { return 4; }
__global__ void k(int* out) {
  out[0] = mk(1).f() * 10 + mm(1).f();
  out[1] = h(mk(1)) * 10 + h(mm(1));
  S s{1};
  out[2] = ((const S&)s).f() * 10 + static_cast<const S&>(s).f();
  const S& r = s;
  out[3] = r.f() * 10 + const_cast<S&>(r).f();
}

// --- arrays_do_not_decay: T of const T& is the array itself
template <class T>
__device__ int f(const T& a) {
  return sizeof(a) / sizeof(a[0]);
}
template <class T, int N>
__device__ int g(const T (&a)[N]) {
  return N * 10 + sizeof(T);
}
template <class T>
__device__ int h(T* p) {
  return 1;
}
template <class T, int N>
__device__ int h(T (&)[N]) {
  return 2;
}
template <class T>
__device__ int s(T&& t) {
  return sizeof(t);
}
__global__ void k(int* out) {
  int a[5];
  const short b[3] = {1, 2, 3};
  out[0] = f(a) * 10 + f(b);
  out[1] = g(a) + g(b);
  int* p = a;
  out[2] = h(p);
  out[3] = s(a);
}

// --- forwarded_const: std::forward keeps const
#include <utility>
__device__ int f(int&) { return 1; }
__device__ int f(const int&) { return 2; }
__device__ int f(int&&) { return 3; }
template <class T>
__device__ int fw(T&& t) {
  return f(std::forward<T>(t)) * 10 + f(t);
}
template <class T>
__device__ int rr(T&&) {
  return sizeof(T);
}
__global__ void k(int* out) {
  int x = 1;
  const int c = 2;
  short s = 0;
  out[0] = fw(x);
  out[1] = fw(c);
  out[2] = fw(5);
  out[3] = fw(std::move(x)) * 10 + rr(s);
}

// --- categories: S&, const S& and S&& by category and const
struct S {};
__device__ int f(S&) { return 1; }
__device__ int f(const S&) { return 2; }
__device__ int f(S&&) { return 3; }
__device__ S mk() { return S(); }
__global__ void k(int* out) {
  S s;
  const S c{};
  S&& r = S();
  out[0] = f(s) * 100 + f(c) * 10 + f(mk());
  out[1] = f(static_cast<S&&>(s)) * 10 + f(r);
  out[2] = f(S{});
  const S& cr = s;
  out[3] = f(cr) * 10 + f((const S)s);
}

// --- reference_to_a_choice: int& r = b ? x : y
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

// --- stores_to_a_choice: (b ? x : y) = 5
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

// --- functions_that_return_rvalue_references: their results are moved from, and take what is for rvalues
struct S {
  int v = 3;
  __device__ int f() & { return 1; }
  __device__ int f() && { return 2; }
};
struct M {
  int v;
  __device__ M(int a) : v(a) {}
  __device__ M(const M& o) : v(o.v + 1) {}
  __device__ M(M&& o) : v(o.v + 100) { o.v = 0; }
};
struct H {
  M m;
};
__device__ S&& moved(S& s) { return static_cast<S&&>(s); }
template <class T>
__device__ T&& passed(T&& t) {
  return static_cast<T&&>(t);
}
template <class T>
__device__ T&& movedAny(T& t) {
  return static_cast<T&&>(t);
}
__device__ int g(S&) { return 1; }
__device__ int g(S&&) { return 2; }
__device__ int g(const S&) { return 3; }
__global__ void k(int* out) {
  S s;
  const S c;
  out[0] = g(moved(s)) * 10 + g(s);
  out[1] = moved(s).f() * 10 + s.f();
  S&& r = moved(s);
  out[2] = g(r) * 100 + g(passed(s)) * 10 + g(passed(S()));
  out[3] = g(passed(c));
  H h{M(3)};
  H i = movedAny(h);
  out[4] = h.m.v * 1000 + i.m.v;
}

// --- members_of_xvalues: of bases, nested, const, mutable; a reference stays an lvalue
__device__ int f(int&) { return 1; }
__device__ int f(int&&) { return 2; }
__device__ int f(const int&) { return 3; }
struct In {
  int x;
  int t[2];
};
struct B {
  int b;
};
struct S : B {
  In in;
  int& r;
  const int c = 3;
  mutable int m = 1;
  __device__ S(int& z) : B{1}, in{2, {3, 4}}, r(z) {}
};
__global__ void k(int* out) {
  int z = 0;
  S s(z);
  out[0] = f(((S &&) s).in.x);
  out[1] = f(((S &&) s).b);
  out[2] = f(((S &&) s).r);
  out[3] = f(((S &&) s).c);
  out[4] = f(((S &&) s).in.t[1]);
  out[5] = f(((S &&) s).m);
  out[6] = f((&s)->b);
  out[7] = f(((S &&) s).B::b);
}

// --- members_of_forwarded_objects: the member has the category of the object
#include <utility>
__device__ int f(int&) { return 1; }
__device__ int f(int&&) { return 2; }
struct S {
  int a;
  int t[2];
};
template <class T>
__device__ int g(T&& x) {
  return f(std::forward<T>(x).a) * 10 + f(std::forward<T>(x).t[0]);
}
__global__ void k(int* out) {
  S s{1, {2, 3}};
  out[0] = g(s);
  out[1] = g(S{1, {2, 3}});
  out[2] = g(std::move(s));
}

// --- static_members_are_lvalues: of an xvalue, too
#include <utility>
__device__ int f(const int&) { return 1; }
__device__ int f(int&&) { return 2; }
struct S {
  static constexpr int c = 3;
  int a;
};
__global__ void k(int* out) {
  S s{1};
  out[0] = f(std::move(s).c);
  out[1] = f(std::move(s).a);
  auto&& r = std::move(s).a;
  r = 5;
  out[2] = s.a;
}

// --- conditional_of_xvalues: and the comma's, and members of them
#include <utility>
__device__ int f(int&) { return 1; }
__device__ int f(int&&) { return 2; }
struct S {
  int a;
};
__global__ void k(int* out) {
  bool b = out == nullptr;
  S s{1}, t{2};
  out[0] = f(b ? std::move(s).a : std::move(t).a);
  out[1] = f(b ? s.a : t.a);
  out[2] = f((b ? std::move(s) : std::move(t)).a);
  out[3] = f((b, std::move(s).a));
  out[4] = f((b ? s : t).a);
}

// --- to_the_base_of_a_temporary: the object keeps its class and its destructor
__device__ int ended = 0;
struct A {
  int x = 1;
  __device__ virtual int f() const { return 1; }
};
struct B : A {
  int y = 5;
  __device__ int f() const override { return y; }
  __device__ ~B() { ended = ended * 10 + y; }
};
__device__ int by(const A& a) { return a.f() * 10 + a.x; }
__device__ int moved(A&& a) { return a.f(); }
__global__ void k(int* out) {
  out[0] = by(B());
  out[1] = moved(B());
  out[2] = ended;
  {
    const A& a = B();
    out[3] = a.f();
  }
  out[4] = ended;
}
