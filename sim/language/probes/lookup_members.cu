// --- using_base_keeps_overloads: `using B::f;` makes the base's functions overloads
struct B {
  __device__ int f(int) { return 1; }
};
struct C : B {
  using B::f;
  __device__ int f(double) { return 2; }
};
__global__ void k(int* out) {
  C c;
  out[0] = c.f(1);
  out[1] = c.f(1.0);
  out[2] = c.f('a');
  out[3] = c.f(1.0f);
}

// --- derived_function_hides_overloads: without using, the base's functions are hidden
struct B {
  __device__ int f(int) { return 1; }
  __device__ int g(int) { return 3; }
};
struct C : B {
  __device__ int f(double) { return 2; }
};
__global__ void k(int* out) {
  C c;
  out[0] = c.f(1) * 10 + c.g(1);
  out[1] = c.B::f(1);
}

// --- using_base_own_function_hides: one with the same parameters hides the base's
struct B {
  __device__ int f(int) { return 1; }
  __device__ int f(float*) { return 5; }
};
struct C : B {
  using B::f;
  __device__ int f(int) { return 2; }
};
__global__ void k(int* out) {
  C c;
  float x;
  out[0] = c.f(1) * 10 + c.f(&x);
}

// --- using_base_of_a_template: of a base that depends on the parameter
template <class T>
struct B {
  __device__ int f(T) { return 1; }
  int v = 6;
};
template <class T>
struct C : B<T> {
  using B<T>::f;
  using B<T>::v;
  __device__ int f(float*) { return 2; }
  __device__ int g() { return f(T()) * 10 + v; }
};
__global__ void k(int* out) { out[0] = C<int>().g(); }

// --- using_base_type: a type of a base that depends on the parameter
template <class T>
struct B {
  using type = T;
};
struct type {
  double d[4];
};
template <class T>
struct C : B<T> {
  using typename B<T>::type;
  __device__ int g() { return sizeof(type); }
};
__global__ void k(int* out) { out[0] = C<short>().g(); }

// --- field_of_a_named_base: `d.B::x` is the base's field
struct B {
  int x = 1;
  __device__ int f() { return 1; }
};
struct D : B {
  int x = 2;
  __device__ int f() { return 2; }
  __device__ int g() { return this->B::x * 10 + this->B::f(); }
};
__global__ void k(int* out) {
  D d;
  D* p = &d;
  out[0] = d.B::x * 10 + d.x;
  out[1] = p->B::x * 10 + p->B::f();
  out[2] = d.g();
  d.B::x = 7;
  out[3] = d.B::x * 10 + d.x;
}

// --- field_of_a_base_within_a_member: `B::x` without an object
struct B {
  int x = 1;
  int y = 2;
};
struct D : B {
  int x = 5;
  __device__ int f(int y) { return x * 100 + B::x * 10 + y; }
  __device__ void set(int x) {
    this->x = x;
    x = 99;
    B::x = this->x + 1;
  }
};
__global__ void k(int* out) {
  D d;
  out[0] = d.f(3);
  d.set(7);
  out[1] = d.f(0);
  B& b = d;
  out[2] = b.x * 10 + d.x;
  out[3] = sizeof(D);
}

// --- derived_field_hides: a field hides the base's field and function
struct B {
  int x = 1;
  static constexpr int n = 3;
};
struct D : B {
  short x = 2;
  int n = 4;
};
__global__ void k(int* out) {
  D d;
  out[0] = d.x * 10 + sizeof(d.x);
  out[1] = d.n * 10 + B::n;
}

// --- dependent_base_is_not_searched: an unqualified name is not found in it
__device__ int x = 1;
__device__ int f() { return 2; }
struct Y {
  char c;
};
template <class T>
struct B {
  int x = 9;
  __device__ int f() { return 8; }
  struct Y {
    double d;
  };
};
template <class T>
struct D : B<T> {
  __device__ int g() { return x * 100 + f() * 10 + sizeof(Y); }
  __device__ int h() { return this->x * 100 + this->f() * 10 + sizeof(typename B<T>::Y); }
};
__global__ void k(int* out) {
  out[0] = D<int>().g();
  out[1] = D<int>().h();
}

// --- plain_base_of_a_template_is_searched: if it does not depend on the parameter
__device__ int x = 1;
struct B {
  int x = 9;
  __device__ int f() { return 8; }
};
__device__ int f() { return 2; }
template <class T>
struct D : B {
  __device__ int g() { return x * 10 + f(); }
};
template <class T>
struct E : D<int> {
  __device__ int h() { return x * 10 + f(); }
};
__global__ void k(int* out) {
  out[0] = D<int>().g();
  out[1] = E<int>().h();
}

// --- template_id_takes_templates_only: `f<>(1)`
__device__ int f(int) { return 2; }
template <class T>
__device__ int f(T) {
  return 1;
}
struct S {
  __device__ int g(int) { return 4; }
  template <class T>
  __device__ int g(T) {
    return 3;
  }
};
__global__ void k(int* out) {
  out[0] = f<>(1) * 100 + f(1) * 10 + f<int>(1);
  S s;
  out[1] = s.g<>(1) * 100 + s.g(1) * 10 + s.template g<int>(1);
}

// --- friend_is_found_by_its_class: a friend that is defined in the class
namespace n {
class S {
  int v;

 public:
  __device__ S(int x) : v(x) {}
  friend __device__ int get(const S& s) { return s.v; }
  friend __device__ S operator*(S a, S b) { return S(a.v * b.v); }
};
}  // namespace n
__device__ int get(int x) { return x + 100; }
__global__ void k(int* out) {
  n::S s(4);
  out[0] = get(s);
  out[1] = get(s * s) + get(1);
}

// --- friend_declared_and_defined_later: a function of the namespace with access
namespace n {
class S {
  int v = 7;
  friend __device__ int get(S);
};
__device__ int get(S s) { return s.v; }
}  // namespace n
__global__ void k(int* out) { out[0] = get(n::S()); }

// --- arguments_bring_namespaces: of classes, their bases and their template arguments
namespace a {
struct A {};
__device__ int f(const A&) { return 1; }
}  // namespace a
namespace b {
struct B : a::A {};
template <class T>
struct W {};
__device__ int g(const B&) { return 2; }
}  // namespace b
namespace a {
template <class T>
__device__ int h(b::W<T>) {
  return 3;
}
}  // namespace a
__global__ void k(int* out) {
  b::B x;
  out[0] = f(x) * 10 + g(x);
  out[1] = h(b::W<a::A>());
  const b::B* p = &x;
  out[2] = f(*p);
}

// --- arguments_do_not_count_for_members: a function of the class ends the search
namespace a {
struct A {};
__device__ int f(A) { return 1; }
}  // namespace a
struct S {
  template <class T>
  __device__ int f(T) {
    return 3;
  }
  __device__ int g() { return f(a::A()); }
};
__global__ void k(int* out) { out[0] = S().g(); }

// --- operator_of_a_namespace: found by its operands, in spite of one that is nearer
namespace v {
struct V {
  int x;
};
__device__ V operator+(V a, V b) { return {a.x + b.x}; }
__device__ bool operator==(V a, V b) { return a.x == b.x; }
}  // namespace v
namespace w {
struct W {
  int y;
};
__device__ W operator+(W a, W b) { return {a.y * b.y}; }
__device__ int f() { return (v::V{3} + v::V{4}).x * 100 + (W{3} + W{4}).y; }
}  // namespace w
__global__ void k(int* out) {
  out[0] = w::f();
  out[1] = v::V{2} == v::V{2};
}

// --- operator_of_an_unrelated_namespace: it is not seen, so the conversion counts
struct S {
  int v;
  __device__ operator int() const { return v; }
};
namespace n {
__device__ int operator+(S a, S b) { return 1000; }
__device__ int in() { return S{1} + S{2}; }
}  // namespace n
__global__ void k(int* out) {
  out[0] = S{1} + S{2};
  out[1] = n::in();
  {
    using namespace n;
    out[2] = S{1} + S{2};
  }
}

// --- parentheses_end_the_search_by_arguments: `(f)(x)` means what is visible
namespace n {
struct S {
  __device__ operator int() const { return 3; }
};
__device__ int f(S) { return 1; }
}  // namespace n
__device__ int f(int) { return 2; }
__global__ void k(int* out) { out[0] = f(n::S()) * 10 + (f)(n::S()); }

// --- static_member_behind_a_parameter: the class's name before it
struct S {
  static constexpr int n = 3;
  __device__ static int f(int n) { return S::n * 10 + n; }
};
__global__ void k(int* out) { out[0] = S::f(4); }

// --- nested_classes_of_one_name: each is defined outside with its own path
struct A {
  struct In {
    __device__ int f();
  };
};
struct B {
  struct In {
    __device__ int f();
  };
};
__device__ int A::In::f() { return 1; }
__device__ int B::In::f() { return 2; }
__global__ void k(int* out) { out[0] = A::In().f() * 10 + B::In().f(); }

// --- function_argument_by_enumeration: the namespace of an enumeration counts
namespace n {
enum E { A, B };
enum class C { X = 3 };
__device__ int f(E e) { return 10 + e; }
__device__ int f(C c) { return 20 + (int)c; }
__device__ int operator+(C a, C b) { return (int)a * 10 + (int)b; }
}  // namespace n
__global__ void k(int* out) {
  out[0] = f(n::B);
  out[1] = f(n::C::X);
  out[2] = n::C::X + n::C::X;
}

// --- dependent_base_hides_nothing: types, enumerators and templates outside are meant
enum { kSize = 2 };
template <class T>
struct W {
  static constexpr int v = 1;
};
template <class T>
struct B {
  enum { kSize = 8 };
  static constexpr int count = 9;
};
constexpr int count = 3;
template <class T>
struct D : B<T> {
  __device__ int g() { return kSize * 10 + count; }
  __device__ int h() { return B<T>::kSize * 10 + D::count; }
  __device__ int i() { return this->count; }
};
__global__ void k(int* out) {
  out[0] = D<int>().g();
  out[1] = D<int>().h();
  out[2] = D<int>().i();
}

// --- members_of_the_current_instantiation: own members are found in a template
constexpr int n = 1;
template <class T>
struct S {
  static constexpr int n = 2;
  T v = 3;
  __device__ T f() { return v * 10 + n; }
  __device__ int g() { return (int)f() + twice(n); }
  template <class U>
  __device__ int twice(U u) {
    return 2 * u;
  }
};
__global__ void k(int* out) { out[0] = S<int>().g(); }

// --- generic_lambda_and_functions: its call is looked up by the arguments
namespace n {
struct S {
  int v;
};
__device__ int get(S s) { return s.v; }
}  // namespace n
__device__ int get(int x) { return x * 2; }
__global__ void k(int* out) {
  auto f = [](auto x) { return get(x); };
  out[0] = f(5);
  out[1] = f(n::S{6});
}

// --- functor_field_hides_base_function: the field of the derived class is called
struct F {
  __device__ int operator()(int x) const { return x * 3; }
};
struct B {
  __device__ int f(int x) { return x; }
};
struct D : B {
  F f;
  __device__ int g() { return f(2) * 10 + B::f(2); }
};
__global__ void k(int* out) {
  D d;
  out[0] = d.f(5) * 100 + d.g();
}

// --- two_bases_and_using: using says which base's member is meant
struct A {
  int x = 1;
  static constexpr int n = 3;
  __device__ int f() { return 5; }
};
struct B {
  int x = 2;
  static constexpr int n = 4;
  __device__ int f() { return 6; }
};
struct D : A, B {
  using B::f;
  using B::n;
  using B::x;
  __device__ int g() { return x * 100 + n * 10 + f(); }
};
__global__ void k(int* out) {
  D d;
  out[0] = d.g();
  out[1] = d.x * 100 + d.n * 10 + d.f();
  out[2] = d.A::x * 100 + d.A::n * 10 + d.A::f();
}

// --- using_operators_of_a_base: operators are members, too
struct B {
  int v = 1;
  __device__ int operator()(int x) const { return v + x; }
  __device__ int operator[](int x) const { return v * x; }
};
struct D : B {
  using B::operator();
  using B::operator[];
  __device__ int operator()(float x) const { return 100; }
};
__global__ void k(int* out) {
  D d;
  out[0] = d(5) * 1000 + d(1.0f) + d[7];
}

// --- base_function_by_its_class: through two levels
struct A {
  int x = 1;
  __device__ int f() { return 1; }
};
struct B : A {
  int x = 2;
  __device__ int f() { return 2 + A::f() * 10; }
};
struct C : B {
  int x = 3;
  __device__ int f() { return 3 + B::f() * 10 + A::f() * 1000; }
  __device__ int g() { return x + B::x * 10 + A::x * 100 + this->A::x * 1000; }
};
__global__ void k(int* out) {
  C c;
  out[0] = c.f();
  out[1] = c.g();
  out[2] = c.A::x + c.B::x * 10 + c.C::x * 100;
  C* p = &c;
  out[3] = p->A::f() + p->B::f();
}

// --- template_base_by_its_class: `d.B<int>::x`
template <class T>
struct B {
  T x = 4;
  __device__ T f() { return x + 1; }
};
struct D : B<int>, B<char> {
  int x = 9;
};
__global__ void k(int* out) {
  D d;
  out[0] = d.B<int>::x * 10 + d.x;
  d.B<char>::x = 2;
  out[1] = d.B<char>::f() * 10 + d.B<int>::f();
}

// --- friend_functions_of_a_template: each instance has its own
template <class T>
struct N {
  T v;
  friend __device__ int value(const N& n) { return (int)(n.v * 2); }
  friend __device__ bool operator<(const N& a, const N& b) { return a.v < b.v; }
};
__global__ void k(int* out) {
  N<int> a{3}, b{4};
  N<float> c{1.5f};
  out[0] = value(a) * 10 + value(c);
  out[1] = (a < b) * 10 + (b < a);
}

// --- member_template_hides_function_template: by the name alone
template <int N>
__device__ int f(int x) {
  return N * 100 + x;
}
struct S {
  template <int N>
  __device__ int f(int x) {
    return N * 10 + x;
  }
  __device__ int g() { return f<2>(1) * 1000 + ::f<2>(1); }
};
__global__ void k(int* out) { out[0] = S().g(); }

// --- bit_fields_and_outer_names: a bit-field hides the name outside
constexpr int a = 9, b = 8;
struct S {
  unsigned a : 3;
  unsigned b : 5;
  __device__ int f() { return a * 100 + b * 10 + ::a; }
};
__global__ void k(int* out) {
  S s{5, 7};
  out[0] = s.f();
}

// --- anonymous_union_members: they are members of the class around it
constexpr int i = 3;
struct S {
  union {
    int i;
    unsigned u;
  };
  struct {
    int p, q;
  } in;
  __device__ int f() { return i + (int)u + in.p; }
};
__global__ void k(int* out) {
  S s;
  s.i = 20;
  s.in.p = 100;
  out[0] = s.f() + ::i;
}

// --- friend_called_in_its_class: the friend is found by its argument
struct S {
  int v;
  friend __device__ int get(const S& s, int f) { return s.v * f; }
  __device__ int twice() { return get(*this, 2); }
};
__global__ void k(int* out) { out[0] = S{7}.twice(); }

// --- out_of_class_templates: members of a template that are defined outside
constexpr int n = 1;
template <class T, int N>
struct V {
  T a[N];
  static constexpr int n = N;
  using R = T;
  struct In {
    T v;
    __device__ T f() const;
  };
  __device__ T sum() const;
  __device__ R first() const;
  template <class U>
  __device__ U as(int i) const;
};
template <class T, int N>
__device__ T V<T, N>::sum() const {
  T s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  return s;
}
template <class T, int N>
__device__ typename V<T, N>::R V<T, N>::first() const {
  R r = a[0];
  return r;
}
template <class T, int N>
template <class U>
__device__ U V<T, N>::as(int i) const {
  return (U)a[i] / 2;
}
template <class T, int N>
__device__ T V<T, N>::In::f() const {
  return v * n;
}
__global__ void k(int* out) {
  V<int, 3> v = {1, 2, 7};
  out[0] = v.sum() * 10 + v.first();
  out[1] = (int)(v.as<float>(2) * 10);
  V<int, 3>::In in = {4};
  out[2] = in.f();
}

// --- static_function_in_a_lambda: without this
struct S {
  __device__ static int f(int x) { return x * 2; }
  __device__ int g() {
    auto l = [](int x) { return S::f(x) + 1; };
    return l(5);
  }
};
__global__ void k(int* out) { out[0] = S().g(); }

// --- nested_class_calls_the_outer: by its name
struct O {
  __device__ static int f(int x) { return x * 3; }
  struct I {
    __device__ int g() { return O::f(4); }
  };
};
__global__ void k(int* out) { out[0] = O::I().g(); }

// --- packs_and_names: elements of packs are arguments of looked-up calls
namespace n {
struct S {
  int v;
};
__device__ int get(S s) { return s.v; }
}  // namespace n
__device__ int get(int x) { return x * 10; }
template <class... Ts>
__device__ int sum(Ts... ts) {
  return (get(ts) + ...);
}
template <class T, class... Ts>
__device__ int first(T t, Ts... ts) {
  return get(t) + (int)sizeof...(ts);
}
__global__ void k(int* out) {
  out[0] = sum(1, n::S{5}, 2);
  out[1] = first(n::S{3}, 1, 2);
}

// --- enumerators_of_a_class: in extents, defaults and functions
constexpr int kSize = 2;
struct S {
  enum { kSize = 4 };
  int a[kSize];
  __device__ int f(int n = kSize) { return n * 10 + sizeof(a) / sizeof(a[0]); }
};
__global__ void k(int* out) { out[0] = S().f() * 10 + kSize; }

// --- types_of_members_by_dependent_names: typename says that a name is a type
template <class T>
struct A {
  using type = T;
  static constexpr int value = 3;
};
struct B {
  static constexpr int type = 5;
};
template <class X>
__device__ int f() {
  typename X::type t = 2.7;
  return (int)(t * 10) + X::value;
}
template <class X>
__device__ int g() {
  return X::type * 2;
}
__global__ void k(int* out) {
  out[0] = f<A<int>>();
  out[1] = f<A<float>>();
  out[2] = g<B>();
}

// --- used_functions_of_other_arguments: V<int> and V<char> are other parameters
template <class T>
struct V {
  __device__ V() {}
  template <class U>
  __device__ V(V<U>) {}
};
struct B {
  __device__ int f(V<int>) { return 1; }
  __device__ int g(V<int>*) { return 3; }
  __device__ int h(V<int>, V<char>) { return 5; }
};
struct C : B {
  using B::f;
  using B::g;
  using B::h;
  __device__ int f(V<char>) { return 2; }
  __device__ int g(V<char>*) { return 4; }
  __device__ int h(V<int>, V<int>) { return 6; }
};
__global__ void k(int* out) {
  C c;
  V<int> i;
  V<char> q;
  out[0] = c.f(i);
  out[1] = c.f(q);
  out[2] = c.g(&i);
  out[3] = c.g(&q);
  out[4] = c.h(i, q);
  out[5] = c.h(i, i);
}

// --- used_functions_by_alias: an alias is the same parameter
struct B {
  __device__ int f(int) { return 1; }
  __device__ int g(const int&) { return 3; }
  __device__ int h(int) const { return 5; }
};
struct C : B {
  using B::f;
  using B::g;
  using B::h;
  typedef int I;
  using R = const int&;
  __device__ int f(I) { return 2; }
  __device__ int g(R) { return 4; }
  __device__ int h(int) { return 6; }
};
__global__ void k(int* out) {
  C c;
  const C d{};
  out[0] = c.f(1);
  out[1] = c.g(1);
  out[2] = c.h(1);
  out[3] = d.h(1);
}

// --- used_functions_of_arrays: extents, types of functions
struct B {
  __device__ int f(int (*)[3]) { return 1; }
  __device__ int g(int (*)(int)) { return 3; }
  __device__ int h(int*, int = 1) { return 5; }
};
struct C : B {
  using B::f;
  using B::g;
  using B::h;
  __device__ int f(int (*)[2]) { return 2; }
  __device__ int g(int (*)(long)) { return 4; }
  __device__ int h(int t[4], int) { return 6; }
};
__device__ int a(int) { return 0; }
__global__ void k(int* out) {
  C c;
  int t[3];
  int u[2];
  out[0] = c.f(&t);
  out[1] = c.f(&u);
  int (*p)(int) = a;
  out[2] = c.g(p);
  out[3] = c.h(t, 1);
}

// --- used_functions_for_rvalues: & and && behind the parameters
struct B {
  __device__ int f() & { return 1; }
  __device__ int g(int&&) { return 3; }
};
struct C : B {
  using B::f;
  using B::g;
  __device__ int f() && { return 2; }
  __device__ int g(int&) { return 4; }
};
__global__ void k(int* out) {
  C c;
  int x = 1;
  out[0] = c.f();
  out[1] = C{}.f();
  out[2] = c.g(1);
  out[3] = c.g(x);
}

// --- used_templates: hidden if their parameters are the same
struct B {
  template <class T>
  __device__ int f(T) {
    return 1;
  }
  template <class T>
  __device__ int g(T*) {
    return 3;
  }
};
struct C : B {
  using B::f;
  using B::g;
  template <class U>
  __device__ int f(U) {
    return 2;
  }
  template <class U>
  __device__ int g(U) {
    return 4;
  }
};
__global__ void k(int* out) {
  C c;
  int x = 1;
  out[0] = c.f(1);
  out[1] = c.g(&x);
  out[2] = c.g(x);
}

// --- used_functions_of_a_base_template: by the arguments of the base
template <class T>
struct B {
  __device__ int f(T) { return 1; }
  __device__ int f(T*) { return 3; }
};
template <class T>
struct C : B<T> {
  using B<T>::f;
  __device__ int f(int) { return 2; }
};
__global__ void k(int* out) {
  C<int> c;
  C<char> d;
  int x = 1;
  out[0] = c.f(1);
  out[1] = c.f(&x);
  out[2] = d.f('a');
  out[3] = d.f(1);
}

// --- used_functions_with_const_values: const of a value does not count
struct B {
  __device__ int f(const int) { return 1; }
  __device__ int g(int* const) { return 3; }
};
struct C : B {
  using B::f;
  using B::g;
  __device__ int f(int) { return 2; }
  __device__ int g(int*) { return 4; }
};
__global__ void k(int* out) {
  C c;
  int x = 1;
  out[0] = c.f(1);
  out[1] = c.g(&x);
}

// --- used_operators: of other arguments
template <class T>
struct V {
  T v;
};
struct B {
  __device__ int operator+(V<int>) { return 1; }
};
struct C : B {
  using B::operator+;
  __device__ int operator+(V<char>) { return 2; }
};
__global__ void k(int* out) {
  C c;
  out[0] = c + V<int>{1};
  out[1] = c + V<char>{1};
}
