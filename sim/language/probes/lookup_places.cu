// --- later_overload_is_not_seen: a call means the functions that are declared before it
__device__ int f(double) { return 1; }
__device__ int g() { return f(1); }
__device__ int f(int) { return 2; }
__global__ void k(int* out) { out[0] = g() * 10 + f(1); }

// --- later_constant_of_a_namespace: the constant outside is meant until the namespace declares one
constexpr int n = 1;
namespace q {
__device__ int h() { return n; }
constexpr int n = 2;
__device__ int i() { return n; }
}  // namespace q
__global__ void k(int* out) { out[0] = q::h() * 10 + q::i(); }

// --- later_type_of_a_namespace: the type outside is meant until the namespace declares one
struct T {
  int a;
};
namespace q {
__device__ int g() { return sizeof(T); }
struct T {
  char c;
};
__device__ int h() { return sizeof(T); }
}  // namespace q
__global__ void k(int* out) { out[0] = q::g() * 10 + q::h(); }

// --- declared_first_defined_later: a declaration makes a function visible, with its default arguments
__device__ int f(int x, int y = 4);
__device__ int g() { return f(1); }
__device__ int f(double) { return 9; }
__device__ int f(int x, int y) { return x * 10 + y; }
__global__ void k(int* out) { out[0] = g() * 100 + f(2); }

// --- mutual_recursion_by_declaration: two functions call each other
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__global__ void k(int* out) { out[0] = even(6) * 10 + odd(6); }

// --- later_template_is_not_seen: templates too
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
__device__ int b() { return f(3); }
__global__ void k(int* out) { out[0] = a() * 10 + b(); }

// --- later_function_over_template: a later function is not preferred to the template
template <class T>
__device__ int f(T) {
  return 1;
}
__device__ int g() { return f(2); }
__device__ int f(int) { return 2; }
__device__ int h() { return f(2); }
__global__ void k(int* out) { out[0] = g() * 10 + h(); }

// --- two_phases_of_a_template: names are bound at the definition; fundamental types have no namespace
__device__ int f(double) { return 1; }
template <class T>
__device__ int g(T t) {
  return f(t) * 10 + f(1);
}
__device__ int f(int) { return 2; }
struct S {
  int v;
};
template <class T>
__device__ int h(T t) {
  return f(t.v);
}
__global__ void k(int* out) {
  out[0] = g(1);
  out[1] = g(1.5);
  out[2] = h(S{3});
  out[3] = f(1);
}

// --- dependent_call_sees_later_functions: of the namespace of the argument's class
template <class T>
__device__ int call(T t) {
  return f(t);
}
namespace n {
struct S {};
__device__ int f(S) { return 1; }
}  // namespace n
struct G {};
__device__ int f(G) { return 5; }
namespace m {
__device__ int f(n::S*) { return 8; }
template <class T>
struct W {};
template <class T>
__device__ int f(W<T>) {
  return sizeof(T);
}
}  // namespace m
__global__ void k(int* out) {
  out[0] = call(n::S());
  out[1] = call(G());
  out[2] = call(m::W<double>());
}

// --- dependent_call_prefers_a_later_function: found by the argument, it fits better than the earlier one
namespace n {
struct S {};
}  // namespace n
template <class T>
__device__ int f(T) {
  return 1;
}
template <class T>
__device__ int call(T t) {
  return f(t);
}
namespace n {
__device__ int f(S) { return 2; }
}  // namespace n
__global__ void k(int* out) { out[0] = call(n::S()) * 10 + call(3); }

// --- call_without_template_sees_earlier_functions: of the argument's namespace as well
namespace n {
struct S {};
__device__ int f(const S&) { return 1; }
}  // namespace n
__device__ int g() { return f(n::S()); }
namespace n {
__device__ int f(S&&) { return 2; }
}  // namespace n
__global__ void k(int* out) { out[0] = g() * 10 + f(n::S()); }

// --- later_operator_is_not_seen: operators have places like functions
struct S {
  int v;
};
template <class T>
__device__ int operator+(S a, T b) {
  return a.v + b;
}
__device__ int g() { return S{1} + 2; }
__device__ int operator+(S a, int b) { return 100 * a.v + b; }
__global__ void k(int* out) { out[0] = g() * 1000 + (S{1} + 2); }

// --- members_are_visible_in_the_whole_class: a function of a class sees members that follow it
constexpr int n = 1;
__device__ int f() { return 2; }
struct S {
  __device__ int g() { return n * 10 + f(); }
  static constexpr int n = 3;
  __device__ int f() { return 4; }
  struct In {
    int x = n;
  };
};
__global__ void k(int* out) {
  out[0] = S().g();
  out[1] = S::In().x;
}

// --- local_after_its_use: before a local's declaration the name means the one outside
constexpr int n = 2;
__global__ void k(int* out) {
  out[0] = n;
  int n = 5;
  out[1] = n;
  {
    out[2] = n;
    int n = 6;
    out[3] = n;
  }
  out[4] = n;
}

// --- specialisation_behind_a_use_in_a_template: found when the template is instantiated
template <class T>
struct Size {
  static constexpr int v = 1;
};
template <class T>
__device__ int f(T) {
  return Size<T>::v;
}
template <>
struct Size<short> {
  static constexpr int v = 2;
};
__global__ void k(int* out) { out[0] = f(3) * 10 + f((short)3); }

// --- later_using_declaration: a using declaration counts from its place on
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
__device__ int f(double) { return 2; }
__device__ int g() { return f(1); }
using a::f;
__device__ int h() { return f(1); }
__global__ void k(int* out) { out[0] = g() * 10 + h(); }

// --- using_declaration_takes_what_is_there: overloads that follow it are not brought along
namespace a {
__device__ int f(double) { return 1; }
}  // namespace a
using a::f;
namespace a {
__device__ int f(int) { return 2; }
}  // namespace a
__global__ void k(int* out) { out[0] = f(1) * 10 + a::f(1); }

// --- class_of_a_template_argument_later: a template's member function calls a later function of the class
template <class T>
struct Box {
  T v;
  __device__ int get() { return value(v) + 1; }
};
struct P {
  int x;
};
__device__ int value(P p) { return p.x * 10; }
__global__ void k(int* out) { out[0] = Box<P>{{4}}.get(); }

// --- values_and_template_arguments_of_constants: names in initial values declare nothing
template <class A, class B>
struct Size {
  static constexpr int v = sizeof(A) * 10 + sizeof(B);
};
struct P {
  int x, y;
};
struct Q {
  char c;
};
constexpr int n = Size<P, Q>::v, m = Size<Q, P>::v;
constexpr auto p = P{1, 2};
__global__ void k(int* out) {
  P a = {3, 4};
  Q b = {'a'};
  out[0] = n * 100 + m;
  out[1] = a.x + b.c + p.y;
}

// --- struct_tags: a type by its tag beside a variable and before its definition
typedef struct Node_s Node;
struct Node_s {
  int v;
  Node* next;
};
struct stat {
  int x;
};
__device__ int stat(struct stat* s) { return s->x + 1; }
__global__ void k(int* out) {
  Node a = {1, nullptr}, b = {2, &a};
  struct stat s = {5};
  out[0] = b.next->v * 100 + b.v * 10 + stat(&s);
}

// --- operators_in_templates: found by the operands when the template is instantiated
template <class T>
__device__ T add(T a, T b) {
  return a + b * b;
}
namespace v {
struct V {
  int x;
};
__device__ V operator+(V a, V b) { return {a.x + b.x}; }
__device__ V operator*(V a, V b) { return {a.x * b.x}; }
}  // namespace v
__global__ void k(int* out) {
  out[0] = add(v::V{2}, v::V{3}).x;
  out[1] = add(2, 4);
}

// --- later_overload_in_a_derived_class: of a specialised base
template <class T>
struct B {
  int v = 1;
};
template <>
struct B<char> {
  int v = 2;
};
__device__ int f(long) { return 1; }
struct C : B<int> {
  __device__ int g() { return f(1); }
  __device__ int h();
};
__device__ int f(int) { return 2; }
__device__ int C::h() { return f(1); }
__global__ void k(int* out) {
  C c;
  out[0] = c.g();
  out[1] = c.h();
}

// --- later_function_of_the_arguments: in a template of a derived class
namespace n {
struct X {};
}  // namespace n
template <class T>
struct B {
  int v = 1;
};
template <>
struct B<char> {
  int f;
};
__device__ int f(...) { return 1; }
struct C : B<n::X> {
  n::X x;
  template <class T>
  __device__ int g(T t) {
    return f(t);
  }
};
namespace n {
__device__ int f(X) { return 2; }
}  // namespace n
__global__ void k(int* out) {
  C c;
  out[0] = c.g(n::X());
  out[1] = c.g(1);
}

// --- base_before_file_scope: of a specialised base
template <class T>
struct B {
  __device__ int f(long) { return 3; }
};
template <>
struct B<char> {
  int v = 2;
};
__device__ int f(int) { return 1; }
struct C : B<int> {
  __device__ int g() { return f(1); }
};
struct D : B<char> {
  __device__ int g() { return f(1); }
};
__global__ void k(int* out) {
  C c;
  D d;
  out[0] = c.g();
  out[1] = d.g();
}

// --- other_namespace_in_a_derived_class: of a specialised base
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
__device__ int f(long) { return 2; }
template <class T>
struct B {
  int v = 1;
};
template <>
struct B<char> {
  int v = 2;
};
struct C : B<int> {
  __device__ int g() { return f(1); }
  __device__ int h() { return a::f(1); }
};
__global__ void k(int* out) {
  C c;
  out[0] = c.g();
  out[1] = c.h();
}
