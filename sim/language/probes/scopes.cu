// --- using_declarations_and_directives: using n::x declares x in its block, using namespace n does not
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

// --- declaration_of_a_function_in_a_block: a function in a block hides its overloads
__device__ int x = 0;
__device__ int f(int) { return 1; }
__device__ int f(double) { return 2; }
__global__ void k(int* out) {
  int f2 = f(1.5);
  {
    int f(int);
    f2 = f2 * 10 + f(1.5);
  }
  int x = 5;
  {
    int x = ::x + 7;
    out[0] = x;
  }
  out[1] = x;
  out[2] = f2;
  out[3] = ::x;
}

// --- constant_of_a_class_and_a_local: A::N beside a local N
struct A {
  static constexpr int N = 4;
  enum { M = 6 };
};
__global__ void k(int* out) {
  int N = 7, M = 8;
  out[0] = A::N * 10 + N;
  out[1] = A::M * 10 + M;
}

// --- alias_in_class_and_block: a type's alias is hidden by that of a class or a block
typedef double R;
struct S {
  typedef short R;
  R v;
  __device__ R f(int x) { return x; }
};
__device__ R g(int x) { return x / 2.; }
__global__ void k(int* out) {
  out[0] = sizeof(S);
  out[1] = S().f(65537);
  out[2] = (int)(g(5) * 2);
  {
    using R = char;
    out[3] = sizeof(R);
  }
  out[3] += sizeof(R) * 10;
}

// --- until_the_inner_one_is_declared: the outer name is meant up to the declaration of the inner one
__global__ void k(int* out) {
  int x = 1;
  {
    int y = x;
    int x = 2;
    out[0] = y * 10 + x;
  }
  constexpr int n = 3;
  {
    int a[n];
    const int n = 5;
    int b[n];
    out[1] = sizeof(a) * 100 + sizeof(b);
  }
  auto f = [&] {
    int y = x;
    int x = 9;
    return y * 10 + x;
  };
  out[2] = f();
  for (int i = x; i < 3;) {
    int x = i;
    out[3] = out[3] * 10 + x;
    i++;
  }
}
