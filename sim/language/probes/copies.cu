// --- argument_by_value_is_destroyed: an argument by value is a copy that is destroyed, a reference is none
struct G {
  int* p;
  int v;
  __device__ G(int* p, int v) : p(p), v(v) {}
  __device__ G(const G& o) : p(o.p), v(o.v + 1) {}
  __device__ ~G() { *p = *p * 10 + v; }
};
__device__ int f(G g) {
  g.v += 3;
  return *g.p;
}
__device__ int h(const G& g) { return g.v; }
__global__ void k(int* out) {
  int x = 0;
  {
    G a(&x, 1);
    f(a);
    out[0] = x;
  }
  out[1] = x;
  x = 0;
  {
    G a(&x, 2);
    h(a);
  }
  out[2] = x;
  x = 0;
  {
    G a(&x, 3);
    G b = a;
    G& c = a;
    c.v = 9;
  }
  out[3] = x;
}

// --- elements_of_arrays: an element is copied by its copy constructor, into an array and into a capture
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
__global__ void k(int* out) {
  F a[2] = {F(1), F(2)};
  F b[2] = {a[0], a[1]};
  out[0] = b[0].v * 10 + b[1].v;
  auto l = [a0 = a[0]] { return a0.v; };
  out[1] = l();
  F c = a[1];
  out[2] = c.v;
}

// --- copy_constructor_that_leaves_the_base: a copy constructor that does not name the base makes it anew
struct B {
  int v = 1;
  __device__ B() {}
  __device__ B(const B& o) : v(o.v * 2) {}
};
struct D : B {
  int w = 3;
  __device__ D() {}
  __device__ D(const D& o) : w(o.w + 1) {}
};
struct E : B {
  int w = 3;
  __device__ E() {}
  __device__ E(const E& o) : B(o), w(o.w + 1) {}
};
__global__ void k(int* out) {
  D d;
  d.v = 7;
  D e(d);
  out[0] = e.v * 10 + e.w;
  E f;
  f.v = 7;
  E g(f);
  out[1] = g.v * 10 + g.w;
}

// --- arrays_in_structs: a struct with an array is returned, copied and assigned as a whole
struct A {
  int d[3];
};
__device__ A mk(int b) {
  A a;
  for (int i = 0; i < 3; ++i) a.d[i] = b + i;
  return a;
}
__device__ int s(const A& a) { return a.d[0] * 100 + a.d[1] * 10 + a.d[2]; }
__global__ void k(int* out) {
  out[0] = mk(1).d[2];
  A a = mk(2), b;
  b = a;
  b.d[0] = 9;
  out[1] = s(a);
  out[2] = s(b);
  A t[2] = {mk(3), b};
  t[1] = t[0];
  t[0].d[1] = 0;
  out[3] = s(t[1]);
}

// --- bases_and_members: an implicit copy copies bases and members by their own constructors
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
  __device__ F& operator=(const F& o) {
    v = o.v + 10;
    return *this;
  }
};
struct B {
  F f;
  __device__ B(int x) : f(x) {}
};
struct D : B {
  F g[2];
  int w;
  __device__ D(int x) : B(x), g{F(x + 1), F(x + 2)}, w(x) {}
};
__global__ void k(int* out) {
  D d(1);
  D e = d;
  out[0] = e.f.v * 1000 + e.g[0].v * 100 + e.g[1].v * 10 + e.w;
  D q(5);
  q = d;
  out[1] = q.f.v * 10000 + q.g[0].v * 100 + q.g[1].v;
  out[2] = q.w;
  B b = d;
  out[3] = b.f.v;
}

// --- defaulted: = default copies members by their own constructors and assignments
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
  __device__ F& operator=(const F& o) {
    v = o.v + 10;
    return *this;
  }
};
struct H {
  F f;
  int w;
  __device__ H(int x) : f(x), w(x) {}
  __device__ H(const H&) = default;
  __device__ H& operator=(const H&) = default;
};
__global__ void k(int* out) {
  H h(1);
  H g = h;
  out[0] = g.f.v * 10 + g.w;
  H q(3);
  q = g;
  out[1] = q.f.v * 10 + q.w;
  H r(q);
  out[2] = r.f.v;
}

// --- moves_of_members: an implicit move moves members
#include <utility>
struct U {
  int v;
  __device__ U(int v) : v(v) {}
  __device__ U(const U& o) : v(o.v + 100) {}
  __device__ U(U&& o) : v(o.v + 1) { o.v = 0; }
  __device__ U& operator=(const U& o) {
    v = o.v + 200;
    return *this;
  }
  __device__ U& operator=(U&& o) {
    v = o.v + 2;
    o.v = 0;
    return *this;
  }
};
struct H {
  U u;
  U a[2];
};
__global__ void k(int* out) {
  H h{U(1), {U(2), U(3)}};
  H c = h;
  out[0] = c.u.v + c.a[1].v;
  H m = std::move(h);
  out[1] = m.u.v * 100 + m.a[1].v * 10 + h.u.v;
  H z{U(0), {U(0), U(0)}};
  z = m;
  out[2] = z.u.v;
  z = std::move(m);
  out[3] = z.u.v * 100 + z.a[0].v * 10 + m.u.v;
}

// --- no_implicit_move: a class with its own copy constructor has no implicit move
#include <utility>
struct U {
  int v;
  __device__ U(int v) : v(v) {}
  __device__ U(const U& o) : v(o.v + 100) {}
  __device__ U(U&& o) : v(o.v + 1) {}
};
struct H {
  U u;
  __device__ H(int x) : u(x) {}
  __device__ H(const H& o) : u(o.u) {}
};
struct G {
  H h;
  int w;
};
__global__ void k(int* out) {
  G g{H(1), 2};
  G m = std::move(g);
  out[0] = m.h.u.v;
}

// --- returned_objects: a parameter is moved out, a reference copied, what is made is neither
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
  __device__ F(F&& o) : v(o.v + 10) {}
};
__device__ F id(F f) { return f; }
__device__ F cp(const F& f) { return f; }
__device__ F el() { return F(5); }
__global__ void k(int* out) {
  F a(1);
  out[0] = id(a).v;
  out[1] = cp(a).v;
  F b = el();
  out[2] = b.v;
  F c = id(F(2));
  out[3] = c.v;
}

// --- copies_of_a_base: the base of an object is copied by its constructor
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
struct D : F {
  int w;
  __device__ D(int x) : F(x), w(x) {}
};
__device__ int f(F f) { return f.v; }
__device__ int g(const F& f) { return f.v; }
__device__ F h(const D& d) { return d; }
__global__ void k(int* out) {
  D d(1);
  out[0] = f(d);
  out[1] = g(d);
  out[2] = h(d).v;
  F x(5);
  x = d;
  out[3] = x.v;
}

// --- template_is_no_copy: a template is never the copy constructor or assignment
struct A {
  int v;
  __device__ A(int v) : v(v) {}
  template <class T>
  __device__ A(const T& o) : v(o.v * 10) {}
  template <class T>
  __device__ A& operator=(const T& o) {
    v = o.v * 100;
    return *this;
  }
};
struct B {
  int v;
};
__global__ void k(int* out) {
  A a(1);
  A b(a);
  const A c = a;
  A d = c;
  out[0] = b.v * 10 + d.v;
  B x{3};
  A e(x);
  out[1] = e.v;
  e = a;
  out[2] = e.v;
  e = x;
  out[3] = e.v;
}

// --- greedy_template: a constructor with T&& fits an object that is not const better than the copy
struct A {
  int v;
  __device__ A(int v) : v(v) {}
  template <class T>
  __device__ A(T&& o, int = 0) : v(o.v + 100) {}
};
__global__ void k(int* out) {
  A a(1);
  A b(a);
  out[0] = b.v;
  const A c(2);
  A d(c);
  out[1] = d.v;
  A e{A(3)};
  out[2] = e.v;
}

// --- captures_are_copied: captures are copied by their constructors, with the lambda
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
template <class L>
__device__ int call(L l) {
  return l();
}
__global__ void k(int* out) {
  F a(1);
  auto l = [=] { return a.v; };
  out[0] = l();
  auto m = l;
  out[1] = call(m);
  auto n = [q = a, &a] { return q.v * 10 + a.v; };
  out[2] = n();
  bool b = out[0] == 2;
  auto p = [c = b ? a : a] { return c.v; };
  out[3] = p();
}

// --- copies_by_new_and_lists: new, lists and arrays copy by constructors
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
struct H {
  F f;
  int w;
};
__global__ void k(int* out) {
  H h{F(1), 2};
  H* p = new H(h);
  out[0] = p->f.v;
  H* q = new H{*p};
  out[1] = q->f.v;
  H r{q->f, 3};
  out[2] = r.f.v;
  H s[2] = {h, *q};
  out[3] = s[0].f.v * 10 + s[1].f.v;
  delete p;
  delete q;
}

// --- assignment_of_derived: an implicit assignment assigns bases and members by their own
struct F {
  int v = 1;
  __device__ F& operator=(const F& o) {
    v = o.v + 1;
    return *this;
  }
  __device__ F& operator=(int x) {
    v = x;
    return *this;
  }
};
struct D : F {
  int w = 5;
};
struct E {
  D d;
  int z = 0;
};
__global__ void k(int* out) {
  D a, b;
  a.w = 7;
  a.v = 3;
  b = a;
  out[0] = b.v * 10 + b.w;
  E e, f;
  e.d.w = 4;
  e.z = 6;
  f = e;
  out[1] = f.d.v * 100 + f.d.w * 10 + f.z;
  static_cast<F&>(b) = 9;
  out[2] = b.v;
  b = D();
  out[3] = b.v * 10 + b.w;
}

// --- chained_assignments: an assignment gives its left side, a list makes its right side
struct P {
  int x, y;
  __device__ P& operator=(const P& o) {
    x = o.x + 1;
    y = o.y;
    return *this;
  }
};
__global__ void k(int* out) {
  P a{1, 2}, b{3, 4}, c{5, 6};
  a = b = c;
  out[0] = a.x * 10 + b.x;
  a = {7, 8};
  out[1] = a.x * 10 + a.y;
  (a = b).x = 50;
  out[2] = a.x;
}

// --- swap: a swap by moves
#include <utility>
struct U {
  int* p;
  __device__ U(int* p) : p(p) {}
  __device__ U(U&& o) : p(o.p) { o.p = nullptr; }
  __device__ U& operator=(U&& o) {
    p = o.p;
    o.p = nullptr;
    return *this;
  }
};
template <class T>
__device__ void sw(T& a, T& b) {
  T t = std::move(a);
  a = std::move(b);
  b = std::move(t);
}
__global__ void k(int* out) {
  int x = 1, y = 2;
  U a(&x), b(&y);
  sw(a, b);
  out[0] = *a.p * 10 + *b.p;
  int i = 3, j = 4;
  sw(i, j);
  out[1] = i * 10 + j;
}

// --- copies_with_virtual_functions: a copy of an object with virtual functions has its own class
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
struct A {
  F f;
  __device__ A(int x) : f(x) {}
  __device__ virtual int id() const { return 1; }
};
struct B : A {
  __device__ B(int x) : A(x) {}
  __device__ int id() const override { return 2; }
};
__device__ int byv(A a) { return a.id() * 10 + a.f.v; }
__device__ int byr(const A& a) { return a.id() * 10 + a.f.v; }
__global__ void k(int* out) {
  B b(1);
  out[0] = byv(b);
  out[1] = byr(b);
  B c = b;
  out[2] = byr(c);
}

// --- base_that_knows_its_class: copies of a class whose base is a template of it
template <class D>
struct Base {
  __device__ int twice() const { return static_cast<const D&>(*this).get() * 2; }
};
struct X : Base<X> {
  int v;
  __device__ X(int v) : v(v) {}
  __device__ X(const X& o) : v(o.v + 1) {}
  __device__ int get() const { return v; }
};
__device__ int by(X x) { return x.twice(); }
__global__ void k(int* out) {
  X x(3);
  out[0] = x.twice();
  out[1] = by(x);
  const X& r = x;
  out[2] = by(r);
  out[3] = by(X(5));
}

// --- returned_choice: return b ? x : y copies
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
__device__ F c(bool b, const F& x, const F& y) { return b ? x : y; }
__global__ void k(int* out) {
  F a(1), b(9);
  out[0] = c(true, a, b).v;
}

// --- copied_choice: T c = b ? x : y copies
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
__global__ void k(int* out) {
  F a(1), b(9);
  F c = out[0] == 0 ? a : b;
  out[0] = c.v;
}

// --- template_is_no_assignment: a template assignment is not the one from the same class
template <class T>
struct N {
  T v;
  __device__ N(T v) : v(v) {}
  template <class U>
  __device__ N& operator=(const N<U>& o) {
    v = (T)o.v + 100;
    return *this;
  }
  template <class U>
  __device__ N& operator+=(const N<U>& o) {
    v += o.v;
    return *this;
  }
};
__global__ void k(int* out) {
  N<int> a(1), b(2);
  a = b;
  out[0] = a.v;
  N<short> s(3);
  a = s;
  out[1] = a.v;
  a += b;
  out[2] = a.v;
}

// --- moved_members: a move leaves the member of the other object empty
#include <utility>
struct U {
  int* p;
  __device__ U(int* p) : p(p) {}
  __device__ U(U&& o) : p(o.p) { o.p = nullptr; }
  __device__ U& operator=(U&& o) {
    int* t = p;
    p = o.p;
    o.p = t;
    return *this;
  }
};
struct H {
  U u;
  int w;
};
__global__ void k(int* out) {
  int x = 5, y = 6;
  H h{U(&x), 1};
  H g = std::move(h);
  out[0] = (h.u.p == nullptr) * 10 + *g.u.p;
  H q{U(&y), 2};
  q = std::move(g);
  out[1] = *q.u.p * 10 + *g.u.p;
}

// --- members_of_what_may_be_moved: a member of what may be moved from is moved
#include <utility>
struct B {
  int v = 0;
  B() = default;
  __device__ B(const B&) : v(1) {}
  __device__ B(B&&) : v(2) {}
  __device__ B& operator=(const B&) {
    v = 3;
    return *this;
  }
  __device__ B& operator=(B&&) {
    v = 4;
    return *this;
  }
};
struct S {
  B b;
  B t[2];
};
__device__ S make() { return S{}; }
__global__ void k(int* out) {
  S s;
  B x;
  x = std::move(s).b;
  out[0] = x.v;
  x = s.b;
  out[1] = x.v;
  B y = make().b;
  out[2] = y.v;
  B z = std::move(s).t[1];
  out[3] = z.v;
  B w = std::move(s.b);
  out[4] = w.v;
  x = make().t[0];
  out[5] = x.v;
}

// --- copy_by_an_alias: const Self& is a copy
struct S {
  using Self = S;
  int v = 1;
  S() = default;
  __device__ S(const Self& o) : v(o.v + 1) {}
  __device__ Self& operator=(const Self& o) {
    v = o.v + 10;
    return *this;
  }
};
struct W {
  S s;
  S t[2];
};
__global__ void k(int* out) {
  S a;
  S b = a;
  out[0] = b.v;
  b = a;
  out[1] = b.v;
  W w;
  W u = w;
  out[2] = u.s.v;
  out[3] = u.t[1].v;
  u = w;
  out[4] = u.t[0].v;
}

// --- copy_by_an_alias_template: const Own<T>& is a copy, Own<T>&& a move
template <class T>
struct V;
template <class T>
using Own = V<T>;
template <class T>
struct V {
  int v = 1;
  V() = default;
  __device__ V(const Own<T>& o) : v(o.v + 1) {}
  __device__ V(Own<T>&& o) : v(o.v + 20) {}
};
__device__ V<int> make() {
  V<int> a;
  a.v = 5;
  return a;
}
__global__ void k(int* out) {
  V<int> a;
  V<int> b = a;
  out[0] = b.v;
  V<int> c = (V<int> &&) a;
  out[1] = c.v;
  V<int> d = make();
  out[2] = d.v;
}

// --- copy_of_one_specialisation: const V<int>& is the copy of V<int> alone
template <class T>
struct V {
  int v = 1;
  V() = default;
  __device__ V(const V<int>& o) : v(o.v + 5) {}
};
__global__ void k(int* out) {
  V<int> a;
  V<int> b = a;
  out[0] = b.v;
  V<char> c(a);
  out[1] = c.v;
  V<char> d = c;
  out[2] = d.v;
}

// --- qualified_copy_with_a_default: const n::S& and a default argument
namespace n {
struct S {
  int v = 1;
  S() = default;
  __device__ S(const n::S& o, int by = 3) : v(o.v + by) {}
};
}  // namespace n
struct W {
  n::S s;
};
__global__ void k(int* out) {
  n::S a;
  n::S b = a;
  out[0] = b.v;
  W w;
  W u(w);
  out[1] = u.s.v;
  auto l = [w] { return w.s.v; };
  out[2] = l();
  n::S t[2] = {a, b};
  out[3] = t[1].v;
}

// --- qualified_moves: n::S&& of a constructor and an assignment
namespace n {
struct S {
  int v = 1;
  S() = default;
  __device__ S(n::S&& o) : v(o.v + 3) { o.v = 0; }
  __device__ n::S& operator=(n::S&& o) {
    v = o.v + 30;
    o.v = 0;
    return *this;
  }
};
}  // namespace n
struct W {
  n::S s;
};
__global__ void k(int* out) {
  n::S a;
  n::S b = (n::S &&) a;
  out[0] = b.v;
  out[1] = a.v;
  W w;
  W u = (W &&) w;
  out[2] = u.s.v;
  out[3] = w.s.v;
  u = W{};
  out[4] = u.s.v;
}

// --- copy_defined_outside: with another name of the parameter
template <class T>
struct V {
  int v = 1;
  V() = default;
  __device__ V(const V<T>& o);
  __device__ V<T>& operator=(const V<T>& o);
};
template <class U>
__device__ V<U>::V(const V<U>& o) : v(o.v + 1) {}
template <class U>
__device__ V<U>& V<U>::operator=(const V<U>& o) {
  v = o.v + 10;
  return *this;
}
struct W {
  V<int> s;
};
__global__ void k(int* out) {
  W w;
  W u = w;
  out[0] = u.s.v;
  u = w;
  out[1] = u.s.v;
}

// --- copy_of_the_outer_name: const ::S& is a copy, const S* none
struct S;
struct S {
  int v = 1;
  S() = default;
  __device__ S(const S* o) : v(o->v + 100) {}
  __device__ S(const ::S& o) : v(o.v + 1) {}
};
struct D : S {
  D() = default;
};
__global__ void k(int* out) {
  S a;
  S b(&a);
  out[0] = b.v;
  S c = b;
  out[1] = c.v;
  D d;
  D e = d;
  out[2] = e.v;
  S f = d;
  out[3] = f.v;
}

// --- copy_from_what_is_not_const: S(S&) of a part makes that of the whole one
struct S {
  int v = 1;
  S() = default;
  __device__ S(S& o) : v(o.v + 1) { o.v = 100; }
};
struct W {
  S s;
  int t = 4;
};
struct D : S {
  S q[2];
};
__global__ void k(int* out) {
  W w;
  W u = w;
  out[0] = u.s.v * 1000 + w.s.v;
  out[1] = u.t;
  D d;
  D e = d;
  out[2] = e.q[1].v * 1000 + d.q[1].v;
  out[3] = e.v;
}
