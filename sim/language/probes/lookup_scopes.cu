// --- inner_namespace_hides_overloads: a function of the namespace hides those outside, however they fit
__device__ int f(int) { return 1; }
namespace n {
__device__ int f(double) { return 2; }
__device__ int g() { return f(1); }
__device__ int h() { return ::f(1); }
}  // namespace n
__global__ void k(int* out) { out[0] = n::g() * 10 + n::h(); }

// --- member_hides_functions: a function of the class hides those outside
__device__ int f(int) { return 1; }
struct S {
  __device__ int f(double) { return 3; }
  __device__ int g() { return f(1) * 10 + ::f(1); }
};
__global__ void k(int* out) { out[0] = S().g(); }

// --- local_object_hides_function: a local with operator() is called, to the end of its block
__device__ int f(int) { return 1; }
__global__ void k(int* out) {
  auto l = [](int) { return 4; };
  {
    auto f = l;
    out[0] = f(1);
  }
  out[1] = f(1);
}

// --- local_type_ends_with_its_block: a type within a block hides the outer one there only
struct T {
  int a, b;
};
__global__ void k(int* out) {
  out[0] = sizeof(T);
  {
    struct T {
      char c;
    };
    out[1] = sizeof(T);
  }
  out[2] = sizeof(T);
  T t = {1, 2};
  out[3] = t.b;
}

// --- local_type_hides_function: a cast to the local type, not a call
__device__ int f(double x) { return (int)x + 1; }
__global__ void k(int* out) {
  out[0] = f(2.5);
  {
    using f = int;
    out[1] = f(2.5);
  }
  out[2] = f(2.5);
}

// --- local_variable_hides_type: and the type is back behind the block
struct T {
  int a;
};
__global__ void k(int* out) {
  {
    int T = 4;
    out[0] = T * 2;
  }
  T t = {3};
  out[1] = t.a;
}

// --- member_hides_type: a field with the name of a type outside
struct T {
  int a;
};
struct S {
  int T = 5;
  __device__ int f() {
    T = T + 1;
    return T;
  }
};
__global__ void k(int* out) { out[0] = S().f(); }

// --- loop_variable_ends_with_its_loop: behind the loop the constant is meant again
constexpr int i = 40;
__global__ void k(int* out) {
  int s = 0;
  for (int i = 0; i < 3; ++i) s += i;
  out[0] = s + i;
  int a[2] = {1, 2};
  for (int i : a) s += i;
  out[1] = s + i;
  if (int i = s) out[2] = i;
  out[3] = i;
}

// --- range_does_not_see_the_variable: the array has the name of the loop's variable
__device__ int x[3] = {1, 2, 3};
__global__ void k(int* out) {
  int s = 0;
  for (int x : x) s = s * 10 + x;
  out[0] = s;
}

// --- using_directive_in_a_block: its names are there to the end of the block
namespace a {
constexpr int x = 1;
__device__ int f(int) { return 10; }
}  // namespace a
namespace b {
constexpr int y = 2;
__device__ int f(double) { return 20; }
}  // namespace b
constexpr int y = 3;
using namespace a;
__global__ void k(int* out) {
  using b::y;
  out[0] = x * 100 + y * 10 + ::y;
  {
    using namespace b;
    out[1] = f(1) + f(1.5);
  }
  int x = 7;
  out[2] = x + a::x;
  {
    using a::x;
    out[3] = x;
  }
}

// --- directives_of_two_namespaces: their functions are overloads of each other
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
namespace b {
__device__ int f(double) { return 2; }
}  // namespace b
using namespace a;
using namespace b;
__global__ void k(int* out) { out[0] = f(1) * 10 + f(1.5); }

// --- directive_counts_for_the_common_namespace: names of a directive do not hide, and are hidden
namespace a {
constexpr int v = 1;
}
namespace b {
using namespace a;
constexpr int v = 2;
__device__ int f() { return v * 10 + a::v; }
}  // namespace b
__global__ void k(int* out) { out[0] = b::f() * 10 + b::v; }

// --- directive_of_a_directive: it is transitive
namespace a {
__device__ int f() { return 4; }
}  // namespace a
namespace b {
using namespace a;
}
namespace c {
using namespace b;
__device__ int g() { return f(); }
}  // namespace c
__global__ void k(int* out) { out[0] = c::g() * 10 + b::f(); }

// --- using_declaration_in_a_namespace: the name is one of the namespace, too
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
namespace b {
using a::f;
__device__ int f(double) { return 2; }
__device__ int g() { return f(1) * 10 + f(1.5); }
}  // namespace b
__global__ void k(int* out) { out[0] = b::g() * 100 + b::f(1) * 10 + b::f(1.5); }

// --- using_declaration_of_a_type: a type of another namespace
namespace a {
struct T {
  int x = 6;
};
}  // namespace a
struct T {
  char c;
};
namespace b {
using a::T;
__device__ int f() { return sizeof(T) * 10 + T().x; }
}  // namespace b
__global__ void k(int* out) { out[0] = b::f() * 10 + sizeof(T); }

// --- alias_of_a_namespace: outside, and within a function
namespace a {
namespace b {
constexpr int v = 3;
__device__ int f() { return 4; }
}  // namespace b
}  // namespace a
namespace ab = a::b;
__global__ void k(int* out) {
  namespace x = a;
  out[0] = ab::v * 10 + ab::f();
  out[1] = x::b::v;
}

// --- inline_namespace: its names are those of the namespace around it
namespace lib {
namespace v1 {
__device__ int f() { return 1; }
}  // namespace v1
inline namespace v2 {
__device__ int f() { return 2; }
struct T {
  int x = 5;
};
}  // namespace v2
__device__ int g() { return f(); }
}  // namespace lib
__global__ void k(int* out) {
  out[0] = lib::f() * 100 + lib::v1::f() * 10 + lib::v2::f();
  out[1] = lib::g() * 10 + lib::T().x;
}

// --- unnamed_namespace: its names are found outside of it
namespace {
constexpr int v = 3;
__device__ int f() { return v; }
}  // namespace
namespace a {
namespace {
__device__ int f() { return 8; }
}  // namespace
__device__ int g() { return f(); }
}  // namespace a
__global__ void k(int* out) { out[0] = f() * 100 + a::g() * 10 + ::v; }

// --- class_within_a_class: the inner one sees the outer one's names, and hides them
constexpr int n = 1;
struct S {
  static constexpr int n = 2;
  static constexpr int m = 3;
  struct In {
    static constexpr int m = 4;
    __device__ int f() { return n * 10 + m; }
  };
};
__global__ void k(int* out) { out[0] = S::In().f() * 10 + n; }

// --- local_class_sees_constants: of the function around it
constexpr int n = 1;
__global__ void k(int* out) {
  constexpr int n = 4;
  enum { kTwo = 2 };
  struct S {
    __device__ int f() { return n * 10 + kTwo; }
  };
  out[0] = S().f() * 10 + ::n;
}

// --- lambda_init_capture_hides: a capture's own name
constexpr int v = 2;
__global__ void k(int* out) {
  int a = 5;
  auto l = [v = a + 1]() { return v * 10 + ::v; };
  out[0] = l();
}

// --- lambda_calls_a_member: a lambda that captures this finds the functions of the class
__device__ int f(int) { return 1; }
struct S {
  int v;
  __device__ int f(int x) { return v * 10 + x; }
  __device__ int g() {
    auto l = [this](int x) { return f(x); };
    return l(3);
  }
};
__global__ void k(int* out) { out[0] = S{4}.g(); }

// --- two_values_of_one_name_by_block: each block has its own
__global__ void k(int* out) {
  int a = 1;
  {
    float a = 2.5f;
    out[0] = a * 2;
    {
      struct a {
        int v = 8;
      };
      out[1] = a().v;
    }
    out[2] = a * 4;
  }
  out[3] = a;
}

// --- if_initializer_scope: a name of a condition ends with the statement
constexpr int v = 9;
__global__ void k(int* out) {
  if (int v = 2; v > 1) {
    out[0] = v;
  } else {
    out[0] = v * 10;
  }
  out[1] = v;
  switch (int v = 3) {
    case 3: out[2] = v;
  }
  out[3] = v;
  while (int v = out[0] - 2) out[4] = v;
  out[5] = v;
}

// --- parameters_and_the_body: a block in the body hides a parameter
__device__ int f(int a, int b = 5) {
  int r = a * 100;
  {
    int a = b;
    r += a * 10;
  }
  return r + a;
}
__global__ void k(int* out) { out[0] = f(2); }

// --- nested_lambdas_and_names: each has its own names
constexpr int a = 1;
__global__ void k(int* out) {
  int b = 2;
  auto f = [=](int a) {
    auto g = [=](int b) { return a * 100 + b * 10 + ::a; };
    return g(a + 1) + b * 1000;
  };
  out[0] = f(3);
  out[1] = a;
}

// --- block_function_declaration: only that function is meant to the end of the block
__device__ int x = 0;
__device__ int f(int) { return 1; }
__device__ int f(double) { return 2; }
__global__ void k(int* out) {
  int a = f(1.5);
  {
    int f(int);
    a = a * 10 + f(1.5);
  }
  out[0] = a * 10 + f(1.5);
}

// --- overloads_by_directive_and_own: a function outside and one that a directive shows
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
__device__ int f(double) { return 2; }
using namespace a;
__global__ void k(int* out) { out[0] = f(1) * 10 + f(1.5); }

// --- directive_in_a_function_hides_nothing: names of the own namespace hide those of a directive
namespace a {
__device__ int f(int) { return 1; }
constexpr int v = 5;
}  // namespace a
namespace b {
__device__ int f(double) { return 2; }
__device__ int g() {
  using namespace a;
  return f(1) * 10 + v;
}
}  // namespace b
__global__ void k(int* out) { out[0] = b::g(); }

// --- declared_in_a_block_by_using: a using declaration in a block hides the outer function
namespace a {
__device__ int f(double) { return 1; }
}  // namespace a
__device__ int f(int) { return 2; }
__global__ void k(int* out) {
  out[0] = f(1);
  {
    using a::f;
    out[1] = f(1);
  }
  out[2] = f(1);
}

// --- comparisons_that_are_no_templates: a variable with the name of a template
template <int N>
__device__ int f() {
  return N;
}
__global__ void k(int* out) {
  out[0] = f<3>();
  int f = 1, n = 4;
  out[1] = f < n;
  out[2] = (f < 3) + (n > 2);
  out[3] = ::f<5>();
}

// --- locals_in_templates: names of a template's body
constexpr int x = 1;
template <class T>
__device__ int f(T t) {
  T x = t + 1;
  struct L {
    T v;
    __device__ T twice() { return v * 2; }
  };
  L l{x};
  for (T i = 0; i < 2; ++i) {
    T x = i;
    l.v += x;
  }
  return (int)(l.twice() * 10) + (int)x + ::x * 1000;
}
__global__ void k(int* out) {
  out[0] = f(3);
  out[1] = f(1.5f);
}

// --- using_a_class_of_a_namespace_in_a_block: a using declaration of a type
namespace a {
struct T {
  int v = 4;
};
template <class X>
struct W {
  X x;
};
}  // namespace a
struct T {
  char c;
};
__global__ void k(int* out) {
  {
    using a::T;
    using a::W;
    T t;
    W<short> w{3};
    out[0] = t.v * 10 + sizeof(w) + w.x * 100;
  }
  out[1] = sizeof(T);
}

// --- shadowing_in_a_template_parameter: a parameter hides the type outside
struct T {
  int a, b;
};
template <class T>
struct S {
  T v;
  __device__ int f() { return sizeof(T) * 10 + sizeof(::T); }
};
template <class T>
__device__ int g(T t) {
  return sizeof(T);
}
__global__ void k(int* out) {
  out[0] = S<char>().f();
  out[1] = g('a') * 10 + g(T());
}

// --- goto_and_names: a label is no variable
constexpr int done = 4;
__global__ void k(int* out) {
  int i = 0;
again:
  ++i;
  if (i < done) goto again;
  out[0] = i;
}

// --- two_using_declarations: functions of two namespaces in one block
namespace a {
__device__ int f(int) { return 1; }
}  // namespace a
namespace b {
__device__ int f(double) { return 2; }
}  // namespace b
__global__ void k(int* out) {
  using a::f;
  using b::f;
  out[0] = f(2) * 10 + f(2.);
}

// --- declared_in_one_block: its end shows the default argument again
__device__ int f(int a, int b = 3) { return a * 10 + b; }
__global__ void k(int* out) {
  {
    int f(int, int);
    out[0] = f(1, 2);
  }
  out[1] = f(1);
}

// --- declared_in_a_block_hides_overloads: the other overloads are hidden
__device__ int f(int) { return 1; }
__device__ int f(long) { return 2; }
__global__ void k(int* out) {
  int f(long);
  out[0] = f(1);
}

// --- default_argument_in_a_block: of a function that is declared there
__device__ int f(int a, int b) { return a * 10 + b; }
__global__ void k(int* out) {
  int f(int, int = 7);
  { out[0] = f(1); }
  out[1] = f(2, 3);
}

// --- default_argument_hidden_by_a_block: a declaration in a block has none of those outside
__device__ int f(int a, int b = 3) { return a * 10 + b; }
__global__ void k(int* out) {
  int f(int, int);
  out[0] = f(1, 2);
}

// --- void_function_in_a_block: declared there without parameters
__device__ int n = 0;
__device__ void f() { n = 4; }
__global__ void k(int* out) {
  void f();
  f();
  out[0] = n;
}

// --- default_argument_added_later: by another declaration at file scope
__device__ int f(int a, int b);
__device__ int f(int a, int b = 6);
__device__ int f(int a, int b) { return a * 10 + b; }
__global__ void k(int* out) { out[0] = f(1); }
