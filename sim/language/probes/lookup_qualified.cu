// --- global_variable_behind_local: `::x` is the variable outside, though a local has the name
__device__ int x = 3;
__global__ void k(int* out) {
  int x = 5;
  out[0] = ::x;
  out[1] = x;
  {
    int x = ::x + 7;
    out[2] = x + ::x * 100;
  }
}

// --- namespace_variable_behind_local: `u::g` is of the namespace, though a local has the name
namespace u {
__device__ int g = 9;
}
__global__ void k(int* out) {
  int g = 1;
  out[0] = u::g * 10 + g;
}

// --- function_behind_member: a member calls the function outside with `::`
__device__ int f() { return 1; }
struct S {
  __device__ int f() { return 2; }
  __device__ int g() { return ::f() * 10 + f(); }
};
__global__ void k(int* out) { out[0] = S().g(); }

// --- namespace_function_behind_member: a member calls the function of a namespace that has its own name
namespace u {
__device__ int f(int x) { return x + 1; }
}  // namespace u
struct S {
  __device__ int f(int x) { return u::f(x) * 10; }
};
__global__ void k(int* out) {
  out[0] = S().f(1);
  out[1] = u::f(1);
}

// --- type_behind_local_type: qualified types, though the function declares types of these names
struct T {
  int a, b;
};
namespace u {
struct T {
  int a, b, c;
};
typedef char C;
}  // namespace u
typedef double D;
__global__ void k(int* out) {
  struct T {
    short s;
  };
  typedef short C;
  typedef short D;
  out[0] = sizeof(::T) * 100 + sizeof(u::T) * 10 + sizeof(T);
  out[1] = sizeof(u::C) * 10 + sizeof(C);
  out[2] = sizeof(::D) * 10 + sizeof(D);
  ::T t = {5, 6};
  u::T v = {1, 2, 3};
  out[3] = t.b * 10 + v.c;
}

// --- parameter_behind_constant: parameters of functions, templates and lambdas hide a constant
constexpr int n = 4;
__device__ int f(int n) { return ::n * 10 + n; }
template <int n>
__device__ int g() {
  return ::n * 10 + n;
}
struct S {
  int n = 6;
  __device__ int h() { return ::n * 10 + n; }
};
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = g<2>();
  out[2] = S().h();
  auto l = [](int n) { return ::n * 10 + n; };
  out[3] = l(3);
}

// --- enumerator_behind_local: an enumerator with its namespace, with its enum, and hidden
enum E { A = 1, B = 2 };
namespace n {
enum F { A = 10, C = 20 };
__device__ int f() { return A + C; }
}  // namespace n
struct S {
  enum { B = 7 };
  __device__ int g() { return A * 100 + B; }
};
__global__ void k(int* out) {
  out[0] = n::f();
  out[1] = S().g();
  int A = 3;
  out[2] = A * 100 + ::A * 10 + n::A;
  out[3] = E::B;
  out[4] = n::F::A + E::A;
}

// --- nested_namespaces_by_parts: a part of a path is looked up from the inside out
namespace a {
constexpr int v = 1;
namespace b {
constexpr int v = 2;
namespace a {
constexpr int v = 3;
}
__device__ int f() { return a::v * 100 + ::a::v * 10 + b::v; }
}  // namespace b
}  // namespace a
__global__ void k(int* out) { out[0] = a::b::f(); }

// --- namespace_opened_twice: names of both parts are in one namespace
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
namespace b {
__device__ int f(int) { return 7; }
}  // namespace b
namespace a {
__device__ int f(double) { return 2; }
__device__ int g() { return f(1) * 10 + f(1.5); }
}  // namespace a
__global__ void k(int* out) { out[0] = a::g() * 10 + b::f(1); }

// --- definition_outside_its_namespace: the body sees the names of the namespace
namespace a {
constexpr int n = 5;
__device__ int f(int x);
struct T {
  int v;
  __device__ int g() const;
};
}  // namespace a
constexpr int n = 1;
__device__ int a::f(int x) { return x * 10 + n; }
__device__ int a::T::g() const { return v * 10 + n; }
__global__ void k(int* out) {
  out[0] = a::f(3);
  out[1] = a::T{4}.g();
  out[2] = n;
}

// --- qualified_call_ignores_arguments: a qualified name is not searched in the argument's namespace
namespace n {
struct S {
  int v;
};
__device__ int f(S) { return 1; }
}  // namespace n
__device__ int f(const n::S&) { return 2; }
__global__ void k(int* out) { out[0] = ::f(n::S{3}) * 10 + n::f(n::S{3}); }

// --- function_pointer_with_qualifier: the address of a function of a namespace
namespace a {
__device__ int f(int x) { return x + 1; }
}  // namespace a
namespace b {
__device__ int f(int x) { return x + 2; }
}  // namespace b
__global__ void k(int* out) {
  int (*p)(int) = a::f;
  int (*q)(int) = &b::f;
  out[0] = p(10) * 100 + q(10);
}

// --- template_argument_with_qualifier: types and constants of namespaces as arguments
namespace a {
struct T {
  char c;
};
constexpr int n = 3;
}  // namespace a
struct T {
  double d;
};
constexpr int n = 5;
template <class X, int N>
struct V {
  static constexpr int v = sizeof(X) * 10 + N;
};
__global__ void k(int* out) {
  struct T {
    short s;
  };
  int n = 0;
  out[0] = V<a::T, a::n>::v;
  out[1] = V<::T, ::n>::v;
  out[2] = V<T, 1>::v + n;
}

// --- same_class_name_in_two_namespaces: members, constructors and static members of each
namespace a {
struct T {
  int x;
  static constexpr int k = 4;
  __device__ T(int v) : x(v) {}
  __device__ T twice() const { return T(2 * x); }
};
}  // namespace a
namespace b {
struct T {
  float x;
  static constexpr int k = 5;
  __device__ T twice() const { return T{3 * x}; }
};
}  // namespace b
__global__ void k(int* out) {
  out[0] = a::T(7).twice().x;
  out[1] = b::T{2.0f}.twice().x;
  out[2] = a::T::k * 10 + b::T::k;
}

// --- base_with_qualifier: a class derives from the class of its name in another namespace
namespace a {
struct T {
  int x = 3;
  __device__ int f() const { return x; }
};
}  // namespace a
namespace b {
struct T : a::T {
  int y = 4;
  __device__ int f() const { return a::T::f() * 10 + y; }
};
}  // namespace b
__global__ void k(int* out) {
  out[0] = b::T().f();
  out[1] = b::T().a::T::f();
}

// --- qualified_casts_and_sizes: types with qualifiers in casts, sizeof, new-like initialisers and arrays
namespace u {
struct T {
  int a = 7;
};
using I = short;
}  // namespace u
struct T {
  int a = 3, b = 4;
};
__global__ void k(int* out) {
  struct T {
    char c;
  };
  out[0] = sizeof(u::T) * 100 + sizeof(::T) * 10 + sizeof(T);
  out[1] = (u::I)70000;
  out[2] = u::T().a * 10 + ::T().b;
  u::T a[2];
  ::T b[2];
  out[3] = a[1].a + b[1].b;
  out[4] = static_cast<u::I>(65537);
  const ::T* p = &b[0];
  out[5] = p->a;
}

// --- qualified_static_members: of classes of one name
struct S {
  static constexpr int n = 1;
  __device__ static int f() { return 10; }
  enum { A = 5 };
};
namespace u {
struct S {
  static constexpr int n = 2;
  __device__ static int f() { return 20; }
  enum { A = 6 };
};
__device__ int g() { return S::n + S::f() + ::S::n * 100 + ::S::f() * 100 + S::A * 10000 + ::S::A * 100000; }
}  // namespace u
__global__ void k(int* out) {
  struct S {
    enum { A = 9 };
  };
  out[0] = u::g();
  out[1] = S::A + ::S::A * 10 + u::S::A * 100;
  out[2] = ::S::f() + u::S::f() * 10;
}

// --- qualified_templates: class and function templates of one name
template <class T>
struct V {
  T x;
  static constexpr int n = 1;
};
template <class T>
__device__ T f(T x) {
  return x + 1;
}
namespace u {
template <class T>
struct V {
  T x, y;
  static constexpr int n = 2;
};
template <class T>
__device__ T f(T x) {
  return x + 2;
}
__device__ int g() { return f(10) * 100 + ::f(10) + V<int>::n * 10000 + ::V<int>::n * 100000; }
}  // namespace u
__global__ void k(int* out) {
  out[0] = u::g();
  out[1] = sizeof(V<int>) * 10 + sizeof(u::V<int>);
  out[2] = f<short>(3) * 10 + u::f<short>(3);
  u::V<float> v = {1.5f, 2.5f};
  out[3] = (int)(v.x + v.y);
}

// --- operators_called_by_name: with and without a namespace
namespace u {
struct S {
  int v;
};
__device__ int operator+(S a, S b) { return a.v + b.v; }
__device__ int operator-(S a) { return -a.v; }
}  // namespace u
__global__ void k(int* out) {
  u::S a{3}, b{4};
  out[0] = u::operator+(a, b);
  out[1] = operator+(a, b);
  out[2] = -a;
}

// --- enumerators_in_template_arguments: with their namespaces and enums
enum Mode { kSum, kMax = 4 };
namespace u {
enum class Mode { kSum = 7, kMin };
enum Other { kMax = 9 };
}  // namespace u
template <int N>
struct I {
  static constexpr int v = N;
};
template <u::Mode M>
__device__ int f() {
  return (int)M;
}
template <Mode M>
__device__ int g() {
  return (int)M;
}
__global__ void k(int* out) {
  int kMax = 1;
  out[0] = I<::kMax>::v * 100 + I<u::kMax>::v * 10 + kMax;
  out[1] = f<u::Mode::kMin>() * 10 + g<Mode::kMax>();
  out[2] = g<::kMax>();
}

// --- switch_labels_and_names: enumerators of an enum beside locals
enum Color { red, green, blue };
__device__ int f(Color c) {
  switch (c) {
    case red: return 1;
    case Color::green: return 2;
    case ::blue: return 3;
  }
  return 0;
}
__global__ void k(int* out) { out[0] = f(red) * 100 + f(green) * 10 + f(blue); }

// --- default_argument_of_a_namespace: it is looked up where it is written
constexpr int n = 1;
namespace u {
constexpr int n = 2;
__device__ int f(int x = n) { return x; }
}  // namespace u
__device__ int g(int x = n) { return x; }
__global__ void k(int* out) {
  int n = 7;
  out[0] = u::f() * 100 + g() * 10 + n;
}

// --- default_template_argument_of_a_namespace: the same for templates
struct T {
  int a[5];
};
namespace u {
struct T {
  char c;
};
template <class X = T>
struct S {
  static constexpr int n = sizeof(X);
};
}  // namespace u
template <class X = T>
struct S {
  static constexpr int n = sizeof(X);
};
__global__ void k(int* out) {
  struct T {
    short s;
  };
  out[0] = u::S<>::n * 100 + S<>::n;
  out[1] = S<T>::n;
}

// --- class_names_and_functions: constructors of a class of a namespace, by its injected name
namespace n {
template <class T>
struct P {
  T v;
  __device__ P(T x) : v(x) {}
  __device__ P next() const { return P(v + 1); }
  __device__ P<float> half() const { return P<float>(v / 2.0f); }
};
}  // namespace n
template <class T>
struct P {
  char c;
};
__global__ void k(int* out) {
  n::P<int> p(6);
  out[0] = p.next().v * 10 + (int)(p.half().v * 2);
  out[1] = sizeof(P<int>) * 10 + sizeof(n::P<int>);
}

// --- names_of_the_library_hidden: own functions with names of the library
__device__ int min(int a, int b) { return a * 10 + b; }
namespace u {
__device__ float max(float a, float b) { return a * 100 + b; }
__device__ float g() { return max(1.0f, 2.0f); }
}  // namespace u
__global__ void k(int* out) {
  out[0] = min(3, 4);
  out[1] = (int)u::max(3.0f, 4.0f) + (int)u::g();
}

// --- constants_that_need_each_other: of two namespaces, in their order
namespace a {
constexpr int n = 2;
}
namespace b {
constexpr int n = a::n * 10;
constexpr int m = n + 1;
}  // namespace b
constexpr int n = b::m + a::n;
constexpr int m = n * 2;
__global__ void k(int* out) {
  int t[n];
  out[0] = n * 1000 + m;
  out[1] = sizeof(t);
}

// --- alias_hides_alias: of a class, a namespace and a block
using R = double;
namespace u {
using R = float;
struct S {
  using R = short;
  R v;
  __device__ int f() { return sizeof(R) * 100 + sizeof(u::R) * 10 + sizeof(::R); }
};
__device__ int g() { return sizeof(R); }
}  // namespace u
__global__ void k(int* out) {
  using R = char;
  out[0] = u::S().f();
  out[1] = u::g() * 10 + sizeof(R);
  out[2] = sizeof(u::S::R) * 10 + sizeof(::R);
}

// --- recursion_in_a_namespace: a function calls itself among namesakes
__device__ int f(int n) { return 1000; }
namespace u {
__device__ int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }
}  // namespace u
struct S {
  __device__ int f(int n) { return n <= 0 ? 0 : 2 * n + f(n - 1); }
};
__global__ void k(int* out) {
  out[0] = u::f(4);
  out[1] = S().f(3);
  out[2] = f(4);
}

// --- device_variables_of_namespaces: each has its own memory
namespace a {
__device__ int v = 1;
__constant__ int t[2] = {5, 6};
}  // namespace a
namespace b {
__device__ int v = 2;
__constant__ int t[2] = {7, 8};
__device__ int* p() { return &v; }
}  // namespace b
__device__ int v = 3;
__global__ void k(int* out) {
  out[0] = a::v * 100 + b::v * 10 + v;
  out[1] = a::t[1] * 10 + b::t[0];
  *b::p() = 2;
  out[2] = b::v;
}

// --- conversion_and_qualifier: an overload set of a namespace, converted
namespace m {
__device__ int f(long long) { return 1; }
__device__ int f(float) { return 2; }
}  // namespace m
__device__ int f(int) { return 3; }
__global__ void k(int* out) {
  out[0] = m::f(1.5f) * 10 + f(1);
  out[1] = m::f(5ll);
}
