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

// --- argument_by_argument: functions are compared argument by argument, not by a sum
__device__ int f(int, double) { return 1; }
__device__ int f(double, int) { return 2; }
__device__ int f(int, int) { return 3; }
__global__ void k(int* out) { out[0] = f(1, 2) * 100 + f(1, 2.0) * 10 + f(2.0, 1); }

// --- pointer_to_bool_last: a pointer becomes void* rather than bool
__device__ int f(bool) { return 1; }
__device__ int f(const void*) { return 2; }
__device__ int g(bool) { return 3; }
__device__ int g(...) { return 4; }
__global__ void k(int* out) {
  int x = 0;
  out[0] = f(&x);
  out[1] = f(true);
}

// --- template_or_conversion: an exact template beats a function that needs a conversion
template <class T>
__device__ int f(T) {
  return 1;
}
__device__ int f(double) { return 2; }
__device__ int f(const char*) { return 3; }
__global__ void k(int* out) {
  out[0] = f(1) * 100 + f(1.0) * 10 + f(1.0f);
  char s[2] = "a";
  out[1] = f("x") * 10 + f(&s[0]);
}

// --- qualified_by_category: a method with & is for lvalues, one with && for what can be moved from
struct S {
  __device__ int f() & { return 1; }
  __device__ int f() const& { return 2; }
  __device__ int f() && { return 3; }
};
__device__ S mk() { return S(); }
#include <utility>
__global__ void k(int* out) {
  S s;
  const S c{};
  out[0] = s.f() * 100 + c.f() * 10 + mk().f();
  out[1] = std::move(s).f() * 10 + S().f();
}

// --- order_of_templates: of two templates the one that fits fewer types is taken
template <class T>
__device__ int f(const T&) {
  return 1;
}
template <class T>
__device__ int f(T*) {
  return 2;
}
template <class T>
__device__ int f(T* const&, int) {
  return 3;
}
template <class T>
struct V {
  T x;
};
template <class T>
__device__ int g(T) {
  return 4;
}
template <class T>
__device__ int g(V<T>) {
  return 5;
}
template <class T>
__device__ int g(V<T*>) {
  return 6;
}
__device__ int g(V<char>) { return 7; }
__global__ void k(int* out) {
  int x = 0;
  int* p = &x;
  out[0] = f(x) * 10 + f(p);
  out[1] = g(1) * 1000 + g(V<int>()) * 100 + g(V<int*>()) * 10 + g(V<char>());
}

// --- packs_come_last: a template without a pack is more special than one with it
template <class... T>
__device__ int f(T...) {
  return 1;
}
template <class T>
__device__ int f(T) {
  return 2;
}
template <class T, class... U>
__device__ int f(T, U...) {
  return 3;
}
__device__ int f(int, int) { return 4; }
__global__ void k(int* out) {
  out[0] = f() * 100 + f(1.0) * 10 + f(1, 2.0);
  out[1] = f(1, 2);
}

// --- end_of_a_recursion: the overload for one argument ends a recursion over a pack
template <class T>
__device__ int sum(T t) {
  return t;
}
template <class T, class... R>
__device__ int sum(T t, R... r) {
  return t + sum(r...) * 10;
}
__global__ void k(int* out) {
  out[0] = sum(1, 2, 3);
  out[1] = sum((char)4);
}

// --- references_in_templates: T& before const T&, T&& before const T& for an lvalue that is not const
template <class T>
__device__ int f(T&) {
  return 1;
}
template <class T>
__device__ int f(const T&) {
  return 2;
}
template <class T>
__device__ int g(T&&) {
  return 3;
}
template <class T>
__device__ int g(const T&) {
  return 4;
}
__global__ void k(int* out) {
  int x = 0;
  const int c = 1;
  out[0] = f(x) * 100 + f(c) * 10 + f(5);
  out[1] = g(x) * 100 + g(c) * 10 + g(5);
}

// --- function_before_template: a function that fits as well comes before a template
template <class T>
__device__ int f(const T&) {
  return 1;
}
__device__ int f(const int&) { return 2; }
__device__ int g(int) { return 3; }
template <class T>
__device__ int g(T) {
  return 4;
}
template <class T>
__device__ int g(T*) {
  return 5;
}
__global__ void k(int* out) {
  int x = 0;
  out[0] = f(x) * 10 + f(1.0);
  out[1] = g(x) * 100 + g('a') * 10 + g(&x);
  out[2] = g<int>(x);
}

// --- lists_as_arguments: a list in braces chooses by the parameters that it can make
struct P {
  int x, y;
};
struct C {
  int v;
  __device__ C(int a, int b) : v(a * b) {}
};
__device__ int f(P p) { return p.x + p.y; }
__device__ int f(C c, int) { return c.v; }
__device__ int g(const C& c) { return c.v; }
__device__ int h(int x) { return x; }
__device__ int h(P p) { return p.y; }
__global__ void k(int* out) {
  out[0] = f({1, 2});
  out[1] = f({3, 4}, 0);
  out[2] = g({5, 6});
  out[3] = h({7}) * 10 + h({1, 2});
}

// --- enable_if: a template whose head makes no sense with the arguments is no candidate
#include <type_traits>
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__device__ int f(T) {
  return 1;
}
template <class T, std::enable_if_t<!std::is_integral_v<T>, int> = 0>
__device__ int f(T) {
  return 2;
}
template <class T>
__device__ std::enable_if_t<sizeof(T) == 4, int> g(T) {
  return 3;
}
template <class T>
__device__ std::enable_if_t<sizeof(T) != 4, int> g(T) {
  return 4;
}
__global__ void k(int* out) {
  out[0] = f(1) * 10 + f(1.0f);
  out[1] = g(1) * 10 + g('a');
}

// --- more_special_template_later: a more special template counts from its declaration on
template <class T>
__device__ int f(T) {
  return 1;
}
__device__ int a() {
  int x = 0;
  return f(&x);
}
template <class T>
__device__ int f(T*) {
  return 2;
}
__device__ int b() {
  int x = 0;
  return f(&x);
}
__global__ void k(int* out) {
  out[0] = a();
  out[1] = b();
}

// --- decltype_of_an_lvalue: decltype(c[i]) as the result is a reference if c[i] is an lvalue
struct V {
  int a[3];
  __device__ int& operator[](int i) { return a[i]; }
};
template <class C>
__device__ auto at(C& c, int i) -> decltype(c[i]) {
  return c[i];
}
template <class T>
__device__ auto self(T& t) -> decltype(t) {
  return t;
}
__global__ void k(int* out) {
  V v{{1, 2, 3}};
  at(v, 1) = 9;
  out[0] = v.a[1];
  int b[2] = {4, 5};
  at(b, 0) = 6;
  out[1] = b[0];
  int x = 1;
  self(x) += 4;
  out[2] = x;
}

// --- decltype_of_a_member: decltype(t.x, 0) needs a member x
struct P {
  float x;
};
template <class T>
__device__ auto pick(T t, int) -> decltype(t.x, 0) {
  return 1;
}
template <class T>
__device__ int pick(T t, long) {
  return 2;
}
__global__ void k(int* out) {
  out[0] = pick(3.0f, 0);
  P p{1};
  out[1] = pick(p, 0);
}

// --- decltype_of_a_call: decltype(t.go(1)) needs a function that takes an int
#include <utility>
template <class T>
__device__ auto f(T t, int) -> decltype(t.go(1)) {
  return 1;
}
template <class T>
__device__ int f(T, long) {
  return 2;
}
template <class T>
__device__ auto g(T t, int) -> decltype(t + t) {
  return t + t;
}
template <class T>
__device__ int g(T, long) {
  return 5;
}
struct A {
  __device__ int go(int) { return 1; }
};
struct B {
  __device__ int go() { return 1; }
};
__global__ void k(int* out) {
  out[0] = f(A(), 0) * 10 + f(B(), 0);
  out[1] = g(3, 0) * 10 + g(A(), 0);
  out[2] = f(1, 0);
}

// --- language_operator_is_better: an object that converts to int, and an operator of what it could become
struct S {
  __device__ operator int() const { return 5; }
};
struct T {
  int v;
  __device__ T(int x) : v(x) {}
  __device__ T(S) : v(100) {}
};
__device__ int operator-(T a, T b) { return 77; }
__global__ void k(int* out) {
  S s;
  out[0] = s - 1;
  out[1] = 1 - s;
  out[2] = T(1) - s;
  out[3] = T(1) - 1;
}

// --- unary_operator_by_conversion: - and ~ of a class that constructs from int
struct S {
  __device__ operator int() const { return 5; }
};
struct T {
  int v;
  __device__ T(int x) : v(x) {}
  __device__ T(S) : v(100) {}
};
__device__ int operator-(T) { return 77; }
__device__ int operator~(T) { return 78; }
__global__ void k(int* out) {
  T t(1);
  out[0] = -t;
  out[1] = ~t;
  out[2] = -5;
}

// --- comparison_by_conversion: < and == of the language are better
struct S {
  __device__ operator int() const { return 5; }
};
struct T {
  int v;
  __device__ T(int x) : v(x) {}
  __device__ T(S) : v(100) {}
};
__device__ bool operator<(T a, T b) { return true; }
__device__ bool operator==(T a, T b) { return true; }
__global__ void k(int* out) {
  S s;
  out[0] = s < 1;
  out[1] = s == 1;
  out[2] = s == 5;
  out[3] = s != 5;
  out[4] = T(4) < 1;
}

// --- member_operator_is_exact: an exact member is better than a conversion
struct S {
  int v = 5;
  __device__ operator int() const { return v; }
  __device__ int operator+(int x) const { return 1000 + x; }
  __device__ int operator+(long) const { return 2; }
};
__global__ void k(int* out) {
  S s;
  out[0] = s + 1;
  out[1] = s + 1L;
  out[2] = s * 2;
  out[3] = 2 + s;
}

// --- enumerations_promote_first: a promotion is better than a constructor from the enumeration
enum E { A = 1, B = 2 };
struct T {
  int v;
  __device__ T(E e) : v(e) {}
};
__device__ int operator|(T a, T b) { return 77; }
__device__ int operator&(E a, E b) { return 78; }
__global__ void k(int* out) {
  out[0] = A | B;
  out[1] = A & B;
  out[2] = T(A) | B;
  out[3] = A + B;
}

// --- operators_of_pointers_by_conversion: +, [], *, == of an object that converts to a pointer
struct P {
  int* p;
  __device__ operator int*() const { return p; }
};
__global__ void k(int* out) {
  int t[3] = {1, 2, 3};
  P p{t};
  out[0] = *(p + 1);
  out[1] = p[2];
  out[2] = *p;
  out[3] = p == t;
  out[4] = (p + 2) - p;
}

// --- template_operator_beside_a_conversion: exact by deduction
struct S {
  int v;
  __device__ operator int() const { return v; }
};
template <class T>
__device__ int operator+(T a, S b) {
  return 50;
}
__global__ void k(int* out) {
  S s{3};
  out[0] = s + 1;
  out[1] = 1 + s;
  out[2] = s + s;
  out[3] = 1.5 + s;
}

// --- const_references_are_exact: of operators for objects that convert, too
struct S {
  int v;
  __device__ operator int() const { return v; }
};
__device__ int operator*(const S& a, const S& b) { return 60; }
__device__ int operator*(const S& a, double b) { return 61; }
__global__ void k(int* out) {
  S s{3};
  out[0] = s * s;
  out[1] = s * 1.0;
  out[2] = 2 * s;
}

// --- methods_on_members_of_xvalues: & and && behind parameters
struct Q {
  __device__ int f() & { return 1; }
  __device__ int f() && { return 2; }
  __device__ int f() const& { return 3; }
};
struct S {
  Q q;
  Q t[1];
  const Q c;
};
__device__ S make() { return S{}; }
__global__ void k(int* out) {
  S s{};
  out[0] = s.q.f();
  out[1] = make().q.f();
  out[2] = ((S &&) s).q.f();
  out[3] = ((S &&) s).t[0].f();
  out[4] = s.c.f();
  out[5] = ((S &&) s).c.f();
  out[6] = (*&s).q.f();
  const S& r = s;
  out[7] = r.q.f();
}
