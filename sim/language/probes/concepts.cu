// --- constrained_before_unconstrained: of two templates that fit equally the constrained one is taken
#include <concepts>
template <class T>
__device__ int f(T) {
  return 1;
}
template <std::integral T>
__device__ int f(T) {
  return 2;
}
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = f(1.f);
}

// --- stronger_constraint_wins: a concept that is defined by another one and more is the stronger one
template <class T>
concept A = sizeof(T) >= 1;
template <class T>
concept B = A<T> && sizeof(T) >= 4;
template <A T>
__device__ int f(T) {
  return 1;
}
template <B T>
__device__ int f(T) {
  return 2;
}
__global__ void k(int* out) { out[0] = f(1); }

// --- in_parameter_lists: concepts before auto and class, and behind requires
template <class T>
concept Small = sizeof(T) <= 2;
template <Small T>
__device__ int f(T) {
  return 1;
}
template <class T>
__device__ int f(T) {
  return 2;
}
__device__ int g(auto x) { return sizeof(x); }
__device__ int h(Small auto x) { return x * 2; }
template <class T>
requires(sizeof(T) == 8) __device__ int m(T) { return 8; }
template <class T>
__device__ int m(T) {
  return 0;
}
__global__ void k(int* out) {
  out[0] = f('a') * 100 + f((short)1) * 10 + f(1);
  out[1] = g('a') * 10 + g(1.0);
  out[2] = h((short)5);
  out[3] = m(1.0) * 10 + m(1.f);
}

// --- requires_expression: a requires-expression asks whether an expression is valid
template <class T>
concept Addable = requires(T a, T b) {
  a + b;
};
template <class T>
concept HasGet = requires(const T t) {
  {t.get()};
};
struct S {};
struct G {
  __device__ int get() const { return 4; }
};
struct G2 {
  __device__ int get() { return 5; }
};
template <class T>
__device__ int f(T) {
  if constexpr (Addable<T>)
    return 1;
  else
    return 2;
}
template <class T>
__device__ int g(T t) {
  if constexpr (HasGet<T>)
    return t.get();
  else
    return 3;
}
__global__ void k(int* out) {
  out[0] = f(1) * 10 + f(S());
  out[1] = g(G()) * 10 + g(1);
  out[2] = g(G2());
  out[3] = Addable<S*>;
}

// --- constrained_auto_chooses: a parameter whose constraint fails leaves the call to another function
#include <concepts>
__device__ int f(std::integral auto x) { return 10 + sizeof(x); }
__device__ int f(double) { return 2; }
__device__ int g(std::integral auto a, std::same_as<float> auto b) { return static_cast<int>(a * b); }
__device__ int g(...) { return 3; }
__global__ void k(int* out) {
  out[0] = f('a');
  out[1] = f(1.5f);
  out[2] = g(3, 1.5f);
}

// --- constrained_auto_in_lambdas_and_variables: it chooses nothing there
#include <concepts>
__global__ void k(int* out) {
  auto twice = [](std::integral auto x) { return x * 2; };
  std::integral auto n = twice(4);
  out[0] = n;
}

// --- constrained_auto_beside_a_head: both make template parameters
#include <concepts>
template <class T>
__device__ int f(T a, std::floating_point auto b) {
  return static_cast<int>(a * b);
}
template <class T>
__device__ int f(T a, int b) {
  return a - b;
}
struct S {
  int v;
  __device__ int add(std::integral auto x) const { return v + x; }
  __device__ int add(double) const { return v; }
};
__global__ void k(int* out) {
  out[0] = f(3, 1.5);
  out[1] = f(3, 1);
  S s{5};
  out[2] = s.add(2);
  out[3] = s.add(2.0f);
}

// --- constrained_packs: each element has to meet the constraint
#include <concepts>
template <std::integral... T>
__device__ int f(T... x) {
  return (x + ...);
}
__device__ int f(double, double) { return 9; }
__global__ void k(int* out) {
  out[0] = f(1, 2);
  out[1] = f(1.0f, 2.0f);
}

// --- constrained_specialisation: of a class
#include <concepts>
template <class T>
struct S {
  static constexpr int v = 1;
};
template <std::integral T>
struct S<T> {
  static constexpr int v = 2;
};
__global__ void k(int* out) {
  out[0] = S<int>::v;
  out[1] = S<float>::v;
}

// --- type_requirements: typename T::x
struct Q {
  typedef int value_type;
};
template <class T>
concept HasV = requires {
  typename T::value_type;
};
template <class T>
__device__ int pick(T) {
  return HasV<T> ? 1 : 2;
}
__global__ void k(int* out) { out[0] = pick(3.0f); }

// --- type_of_a_requirement: behind an arrow
#include <concepts>
template <class T>
concept R = requires(T t) {
  { t.f() } -> std::same_as<int>;
};
struct B {
  __device__ double f() { return 1; }
};
__global__ void k(int* out) { out[0] = R<B>; }

// --- convertible_to: of the library
#include <concepts>
struct S {};
__global__ void k(int* out) { out[0] = std::convertible_to<S, int>; }

// --- derived_from: of the library
#include <concepts>
struct S {};
struct D : S {};
__global__ void k(int* out) { out[0] = std::derived_from<int, S> * 10 + std::derived_from<D, S>; }

// --- concepts_as_values: in if constexpr, in ?:, negated, of own and of the library
#include <concepts>
template <class T>
concept Wide = sizeof(T) == 8;
template <class T>
concept WideInteger = Wide<T> && std::integral<T>;
template <class T>
__device__ int f() {
  if constexpr (WideInteger<T>)
    return 1;
  else if constexpr (!Wide<T>)
    return 2;
  return 3;
}
__global__ void k(int* out) {
  out[0] = f<long long>() * 100 + f<int>() * 10 + f<double>();
  out[1] = std::same_as<int, int> * 100 + std::same_as<int, float> * 10 + std::unsigned_integral<unsigned>;
  out[2] = std::signed_integral<char> * 100 + std::signed_integral<unsigned char> * 10 +
           std::floating_point<float>;
}

// --- methods_that_require: a member of a class template that its arguments rule out
#include <concepts>
template <class T>
concept Small = sizeof(T) <= 4;
template <class T>
struct S {
  __device__ int f(int) requires Small<T> { return 1; }
  __device__ int f(long) { return 2; }
  __device__ int g(int) requires(!Small<T>) { return 3; }
  __device__ int g(int) { return 4; }
};
__global__ void k(int* out) {
  S<int> a;
  S<double> b;
  out[0] = a.f(1);
  out[1] = b.f(1);
  out[2] = a.g(1);
  out[3] = b.g(1);
}

// --- constructors_that_require: and conversions
template <class T>
struct S {
  int v;
  __device__ S(int) requires(sizeof(T) == 4) : v(1) {}
  __device__ S(long) : v(2) {}
  __device__ operator int() const requires(sizeof(T) == 4) { return 10; }
  __device__ operator long() const { return 20; }
};
__global__ void k(int* out) {
  S<int> a(1);
  S<char> b(1);
  out[0] = a.v;
  out[1] = b.v;
  int i = a;
  int j = b;
  out[2] = i;
  out[3] = j;
}

// --- operators_that_require: and static members
template <class T>
struct S {
  __device__ int operator+(int) const requires(sizeof(T) == 4) { return 1; }
  __device__ int operator+(long) const { return 2; }
  __device__ static int f(int) noexcept requires(sizeof(T) == 4) { return 3; }
  __device__ static int f(long) { return 4; }
  __device__ int operator()(int) const requires(sizeof(T) == 4) { return 5; }
  __device__ int operator()(long) const { return 6; }
};
__global__ void k(int* out) {
  S<char> a;
  S<int> b;
  out[0] = a + 1;
  out[1] = b + 1;
  out[2] = S<char>::f(1);
  out[3] = S<int>::f(1);
  out[4] = a(1);
  out[5] = b(1);
}

// --- member_templates_that_require: by the arguments of the class and their own
template <class T>
struct S {
  template <class U>
  __device__ int f(U) requires(sizeof(T) == sizeof(U)) {
    return 1;
  }
  template <class U>
  __device__ int f(U) {
    return 2;
  }
  template <class U>
  requires(sizeof(U) == 8) __device__ int g(U) const { return 3; }
  __device__ int g(...) const { return 4; }
};
__global__ void k(int* out) {
  S<char> a;
  out[0] = a.f('a');
  out[1] = a.f(1);
  out[2] = a.g(1.0);
  out[3] = a.g(1);
}

// --- friends_that_require: of a class template
template <class T>
struct S {
  friend __device__ int f(S, int) requires(sizeof(T) == 4) { return 1; }
  friend __device__ int f(S, long) { return 2; }
  friend __device__ int operator*(S, int) requires(sizeof(T) == 4) { return 3; }
  friend __device__ int operator*(S, long) { return 4; }
};
__global__ void k(int* out) {
  out[0] = f(S<char>(), 1);
  out[1] = f(S<int>(), 1);
  out[2] = S<char>() * 1;
  out[3] = S<int>() * 1;
}

// --- requirements_outside_the_class: repeated at the definition
template <class T>
struct S {
  __device__ int f(int) requires(sizeof(T) == 4);
  __device__ int f(long);
  template <class U>
  __device__ int g(U) requires(sizeof(U) == 4);
  template <class U>
  __device__ int g(U) requires(sizeof(U) == 8);
};
template <class T>
__device__ int S<T>::f(int) requires(sizeof(T) == 4) {
  return 1;
}
template <class T>
__device__ int S<T>::f(long) {
  return 2;
}
template <class T>
template <class U>
__device__ int S<T>::g(U) requires(sizeof(U) == 4) {
  return 3;
}
template <class T>
template <class U>
__device__ int S<T>::g(U) requires(sizeof(U) == 8) {
  return 4;
}
__global__ void k(int* out) {
  S<char> a;
  S<int> b;
  out[0] = a.f(1);
  out[1] = b.f(1);
  out[2] = a.g(1);
  out[3] = a.g(1.0);
}

// --- requirement_behind_parameters: also of a parameter's size
template <class T>
__device__ int f(T) requires(sizeof(T) == 4) {
  return 1;
}
template <class T>
__device__ int f(T) requires(sizeof(T) == 8) {
  return 2;
}
template <class T>
__device__ int f(T) {
  return 3;
}
template <class T>
__device__ auto g(T x) -> int requires(sizeof(x) == 4) {
  return 4;
}
template <class T>
__device__ auto g(T x) -> int {
  return 5;
}
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = f(1.0);
  out[2] = f('a');
  out[3] = g(1);
  out[4] = g('a');
}

// --- either_requirement_is_enough: one that makes no sense is not met
template <class T>
concept HasX = T::x;
template <class T>
concept Small = sizeof(T) <= 4;
template <class T>
__device__ int f(T) requires(HasX<T> || Small<T>) {
  return 1;
}
template <class T>
__device__ int f(T) {
  return 2;
}
struct X {
  static constexpr bool x = true;
  double d;
};
struct Y {
  double d;
};
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = f(X{});
  out[2] = f(Y{});
}

// --- auto_that_requires: beside constrained auto
#include <concepts>
__device__ int f(auto x) requires(sizeof(x) == 4) { return 1; }
__device__ int f(auto x) { return 2; }
__device__ int g(std::integral auto x) requires(sizeof(x) == 4) { return 3; }
__device__ int g(auto x) { return 4; }
__global__ void k(int* out) {
  out[0] = f(1);
  out[1] = f('a');
  out[2] = g(1);
  out[3] = g(1.0f);
  out[4] = g('a');
}

// --- lambda_that_requires: behind its parameters
__global__ void k(int* out) {
  auto f = [](auto x) requires(sizeof(x) == 4) { return 1; };
  out[0] = f(1);
}

// --- copy_that_requires: and the defaulted one
template <class T>
struct S {
  int v = 1;
  S() = default;
  __device__ S(const S& o) requires(sizeof(T) == 4) : v(o.v + 1) {}
  S(const S&) = default;
};
__global__ void k(int* out) {
  S<int> a;
  S<int> b = a;
  S<char> c;
  S<char> d = c;
  out[0] = b.v;
  out[1] = d.v;
}
