// --- std_array: std::array is copied as a value, knows its size, is bound part by part, and nests
#include <array>
template <class T, std::size_t N>
__device__ T sum(const std::array<T, N>& a) {
  T s{};
  for (const T& x : a) s += x;
  return s;
}
__global__ void k(int* out) {
  std::array<int, 3> a{1, 2, 3};
  std::array<int, 3> b = a;
  b[1] = 20;
  out[0] = sum(a) * 100 + sum(b);
  out[1] = a.size() * 10 + sizeof(std::array<char, 5>);
  auto [x, y, z] = b;
  out[2] = x + y + z;
  std::array<std::array<short, 2>, 2> m{{{1, 2}, {3, 4}}};
  out[3] = m[1][0] * 10 + m.back()[1];
}

// --- bit_cast: std::bit_cast reads the bits of one type as another, arrays and structs too
#include <array>
#include <bit>
struct H {
  unsigned short a, b;
};
__global__ void k(int* out) {
  out[0] = std::bit_cast<int>(2.0f) >> 20;
  H h = std::bit_cast<H>(0x00030002);
  out[1] = h.a * 10 + h.b;
  out[2] = (int)(std::bit_cast<float>(0x41200000) * 10);
  auto a = std::bit_cast<std::array<unsigned char, 4>>(0x04030201);
  out[3] = a[0] * 100 + a[3];
}

// --- logic_of_traits: folds over traits in variable templates, conjunction, disjunction, negation
#include <type_traits>
template <class... T>
constexpr int allint = (std::is_integral_v<T> && ...);
template <class T, class... U>
constexpr int cnt = (0 + ... + std::is_same_v<T, U>);
template <class T, class... U>
constexpr bool in = std::disjunction_v<std::is_same<T, U>...>;
__global__ void k(int* out) {
  out[0] = allint<int, char> * 100 + allint<int, float> * 10 + allint<>;
  out[1] = cnt<int, char, int, int>;
  out[2] = in<float, int, float> * 10 + in<float, int>;
  out[3] = std::conjunction_v<std::is_integral<int>, std::is_signed<int>> * 10 +
           std::negation_v<std::is_void<int>>;
}

// --- limits_of_integers: the types and limits of <cstdint> and <climits>
#include <climits>
#include <cstdint>
__global__ void k(int* out) {
  out[0] = INT8_MAX * 1000 + UINT8_MAX;
  out[1] = (INT64_MAX > UINT32_MAX) * 10 + (INT32_MIN < 0);
  out[2] = CHAR_BIT * 100 + (UINT_MAX == -1) * 10 + (INT_MAX + 1u > INT_MAX);
  int8_t a = 127;
  a++;
  uint16_t b = 0;
  b--;
  out[3] = a * 1000 + (b == UINT16_MAX) + sizeof(int_fast8_t) + sizeof(uintptr_t) * 10 + (SCHAR_MIN == a);
}

// --- integral_constant: integral_constant and bool_constant as aliases, bases and values
#include <type_traits>
template <int N>
using I = std::integral_constant<int, N>;
template <class T>
struct S : std::integral_constant<int, sizeof(T)> {};
template <class T>
struct B : std::bool_constant<(sizeof(T) > 2)> {};
__global__ void k(int* out) {
  out[0] = I<4>::value * 10 + I<5>();
  out[1] = S<double>::value + S<char>{};
  out[2] = B<int>() * 10 + B<char>::value;
  out[3] = std::conditional_t<B<int>::value, I<1>, I<2>>::value * 10 + I<3>{}() + sizeof(I<1>::value_type);
}

// --- array_traits: is_array, extent, rank, is_reference
#include <type_traits>
__global__ void k(int* out) {
  out[0] = std::is_array_v<int[3]> * 10 + std::is_array_v<int*>;
  out[1] = std::extent_v<int[7]>;
  out[2] = std::is_reference_v<int&>;
  out[3] = std::rank_v<int[2][3]>;
}

// --- traits_that_change_types: remove_reference, decay, remove_cv, conditional, make_unsigned, common_type
#include <type_traits>
template <class T>
using Dc = std::decay_t<T>;
template <class A, class B>
constexpr int same = std::is_same<A, B>::value;
struct S {};
__global__ void k(int* out) {
  out[0] = same<std::remove_reference_t<int&>, int> * 1000 + same<Dc<const int&>, int> * 100 +
           same<Dc<int[3]>, int*> * 10 + same<std::remove_cv_t<const volatile int>, int>;
  out[1] = same<std::conditional_t<(sizeof(int) > 2), char, double>, char> * 100 +
           same<std::make_unsigned_t<int>, unsigned> * 10 + same<std::common_type_t<char, short>, int>;
  out[2] = std::is_pointer_v<int*> * 1000 + std::is_integral_v<bool> * 100 +
           std::is_floating_point_v<int> * 10 + std::is_unsigned_v<char>;
  out[3] = same<int, unsigned> * 100 + same<const int, int> * 10 + same<S, S>;
}

// --- limits: numeric_limits of integers and floats
#include <limits>
__global__ void k(int* out) {
  out[0] = std::numeric_limits<int>::max();
  out[1] = std::numeric_limits<short>::lowest();
  out[2] = std::numeric_limits<unsigned char>::max();
  out[3] = std::numeric_limits<float>::infinity() > std::numeric_limits<float>::max();
  out[4] = (std::numeric_limits<double>::min() > 0) * 10 + (std::numeric_limits<float>::lowest() < 0);
  out[5] = (int)(std::numeric_limits<long long>::max() >> 40) * 10 + std::numeric_limits<bool>::max();
}

// --- least_greatest_swap: std::min, std::max and std::swap
#include <algorithm>
#include <utility>
__global__ void k(int* out) {
  out[0] = std::min<int>(4, 7u) * 10 + std::max<long long>(1, 2);
  int a = 1, b = 2;
  std::swap(a, b);
  out[1] = 10 * a + b;
  out[2] = std::max('a', 'b') + std::min(a, b) * 1000;
}

// --- pair: std::pair is made, copied, bound and assigned
#include <utility>
__device__ std::pair<int, float> half(int n) { return {n / 2, n / 2.0f}; }
__global__ void k(int* out) {
  auto [whole, exact] = half(7);
  out[0] = whole * 100 + (int)(exact * 10);
  std::pair<char, double> p('a', 0.5);
  auto q = std::make_pair(3, 4u);
  out[1] = p.first + sizeof(p) * 1000;
  q.second = p.second * 10;
  out[2] = q.first * 10 + q.second;
}

// --- sequences: index_sequence and integer_sequence expand indices
#include <utility>
template <std::size_t... I> __device__ int digits(const int* t, std::index_sequence<I...>) {
  int s = 0;
  ((s = s * 10 + t[I]), ...);
  return s;
}
template <int... N> __device__ int sum(std::integer_sequence<int, N...>) { return (N + ... + 0); }
__global__ void k(int* out) {
  int t[4] = {1, 2, 3, 4};
  out[0] = digits(t, std::make_index_sequence<4>{});
  out[1] = digits(t, std::index_sequence<3, 0>{});
  out[2] = sum(std::integer_sequence<int, 4, -1>{});
}

// --- span: std::span of a pointer with a length
#include <span>
__device__ int sum(std::span<const int> s) {
  int n = 0;
  for (int x : s) n += x;
  return n * 10 + (int)s.size();
}
__global__ void k(int* out) {
  int t[4] = {1, 2, 3, 4};
  out[0] = sum(std::span<const int>(t, 4));
  std::span<int> s(t, 3);
  s[1] = 20;
  out[1] = t[1] + (int)s.size();
}

// --- function_objects: std::plus<> and the others as arguments
#include <functional>
template <class Op> __device__ int fold(const int* t, int n, Op op) {
  int s = t[0];
  for (int i = 1; i < n; ++i) s = op(s, t[i]);
  return s;
}
__global__ void k(int* out) {
  int t[4] = {7, 2, 3, 4};
  out[0] = fold(t, 4, std::plus<>());
  out[1] = fold(t, 4, std::multiplies<int>());
  out[2] = fold(t, 4, std::minus<>{});
  out[3] = std::less<>()(2, 3) * 10 + std::greater<int>()(2, 3);
}

// --- types_of_expressions: decltype, sizeof and alignof of expressions, a result behind ->
template <typename T, typename U> __device__ auto add(T a, U b) -> decltype(a + b) { return a + b; }
__global__ void k(int* out) {
  decltype(out[0] * 2.0) d = 2.5;
  out[0] = (int)(d * 2) * 10 + (int)(add(1, 2.5) * 2);
  out[1] = sizeof(add('a', 1)) * 100 + sizeof(add('a', 1ll)) * 10 + alignof(double);
  int x = 3;
  decltype((x)) r = x;
  r = 4;
  decltype(x) y = 5;
  y += x;
  out[2] = x * 10 + y;
}

// --- constants_of_headers: of <climits>, <cfloat> and <cmath>
#include <cfloat>
#include <climits>
#include <cmath>
__global__ void k(int* out) {
  out[0] = (M_PI > 3.14159) + (DBL_MAX > FLT_MAX) * 10 + (FLT_EPSILON == 0x1p-23f) * 100;
  out[1] = (LLONG_MAX >> 32 == INT_MAX) + sizeof(M_PI) * 10 + sizeof(NAN) * 100;
  out[2] = (NAN != NAN) + (INFINITY > DBL_MAX) * 10;
  out[3] = sizeof(FLT_MIN);
}

// --- exact_mathematics: functions that round as their names say, and those of floats are float
#include <cmath>
#include <cstdlib>
__global__ void k(int* out) {
  float f = -2.5f;
  out[0] = (int)std::floor(f) * 1000 + (int)std::ceil(f) * 100 + (int)std::trunc(f) * 10 + (int)std::round(f);
  out[1] = (int)(std::sqrt(2.0) * 1e8);
  out[2] = (int)(sqrtf(2.0f) * 1e6f);
  out[3] = (int)(std::fabs(f) * 10) + abs(-4) * 100;
  out[4] = (int)(std::fma(3.0, 4.0, 0.5) * 10) + (int)(std::fmod(7.5, 2.0) * 10) * 1000;
  out[5] = sizeof(std::sqrt(1.0f)) * 10 + sizeof(std::sqrt(1));
  out[6] = (int)std::fmax(f, 1.5f) * 10 + std::signbit(-0.0f) + std::isnan(f) + std::isfinite(f) * 2;
  out[7] = (int)(std::ldexp(0.75, 4) * 10) + (int)std::copysign(3.0f, f);
}

// --- assertions: assert and static_assert with a reason
#include <cassert>
__global__ void k(int* out) {
  assert(out[0] == 0 && "zero before");
  static_assert(sizeof(int) == 4, "int");
  static_assert(sizeof(char) == 1);
  out[0] = 3;
}

// --- kinds_of_types: is_integral, is_floating_point, is_arithmetic, is_signed, is_enum
#include <type_traits>
enum E { e };
enum class F { f };
__global__ void k(int* out) {
  out[0] = std::is_integral_v<char> * 1000 + std::is_integral_v<bool> * 100 + std::is_integral_v<E> * 10 +
           std::is_integral_v<const long>;
  out[1] =
      std::is_floating_point_v<float> * 100 + std::is_arithmetic_v<bool> * 10 + std::is_arithmetic_v<int*>;
  out[2] = std::is_signed_v<char> * 1000 + std::is_signed_v<float> * 100 + std::is_unsigned_v<bool> * 10 +
           std::is_unsigned_v<unsigned>;
  out[3] = std::is_enum_v<E> * 100 + std::is_enum_v<F> * 10 + std::is_enum_v<int>;
}

// --- detected_members: void_t and declval ask if an expression is valid
#include <type_traits>
#include <utility>
template <class T, class = void>
struct HasSize : std::false_type {};
template <class T>
struct HasSize<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
struct A {
  __device__ int size() { return 1; }
};
struct B {
  int size;
};
__global__ void k(int* out) {
  out[0] = HasSize<A>::value * 100 + HasSize<B>::value * 10 + HasSize<int>::value;
}

// --- removed_qualifiers: remove_const, remove_cv, remove_pointer, decay, remove_extent
#include <type_traits>
template <class T, class U>
constexpr int same = std::is_same_v<T, U>;
__global__ void k(int* out) {
  out[0] = same<std::remove_const_t<const int>, int> * 100 +
           same<std::remove_cv_t<const volatile int>, int> * 10 +
           same<std::remove_const_t<const int*>, const int*>;
  out[1] = same<std::remove_pointer_t<int**>, int*> * 100 + same<std::decay_t<int[3]>, int*> * 10 +
           same<std::decay_t<const int>, int>;
  out[2] = same<std::remove_extent_t<int[3][4]>, int[4]> * 100 + same<std::add_const_t<int>, const int> * 10 +
           same<std::add_pointer_t<int>, int*>;
}

// --- signs_and_common_types: make_unsigned, make_signed, common_type, underlying_type
#include <type_traits>
template <class T, class U>
constexpr int same = std::is_same_v<T, U>;
enum class E : short { a };
__global__ void k(int* out) {
  out[0] = same<std::make_unsigned_t<char>, unsigned char> * 100 +
           same<std::make_signed_t<unsigned long>, long> * 10 +
           same<std::make_unsigned_t<unsigned>, unsigned>;
  out[1] =
      same<std::common_type_t<short, char>, int> * 1000 + same<std::common_type_t<float, int>, float> * 100 +
      same<std::common_type_t<int, unsigned, long>, long> * 10 + same<std::common_type_t<char, char>, char>;
  out[2] = same<std::underlying_type_t<E>, short>;
}

// --- comparisons_of_pairs: == and < of pairs, conversions of their parts
#include <utility>
__global__ void k(int* out) {
  std::pair<int, float> a(1, 2.5f), b(1, 3.0f), c;
  out[0] = (a < b) * 1000 + (b < a) * 100 + (a == b) * 10 + (a == std::make_pair(1, 2.5f));
  c = b;
  out[1] = c.first * 10 + (int)c.second + (c != a) * 100;
  std::swap(a, b);
  out[2] = (int)(a.second * 10);
}

// --- sub_spans: first, last, subspan, front, back
#include <span>
__global__ void k(int* out) {
  int t[6] = {1, 2, 3, 4, 5, 6};
  std::span<int> s(t, 6);
  out[0] = s.first(2).back() * 100 + s.last(2).front() * 10 + s.subspan(3)[0];
  out[1] = (int)s.subspan(1, 3).size() * 100 + (int)s.size_bytes() + s.empty();
  int n = 0;
  for (int& x : s.subspan(2, 2)) n += x *= 2;
  out[2] = n * 10 + t[2];
}

// --- array_functions: fill, data, front, begin, compared and nested in a struct
#include <array>
struct S {
  std::array<int, 3> a;
  int n;
};
__global__ void k(int* out) {
  S s = {{1, 2, 3}, 4};
  s.a.fill(7);
  s.a.front() = 1;
  *(s.a.begin() + 1) = 2;
  S t = s;
  t.a.data()[2] = 9;
  out[0] = s.a[0] * 100 + s.a[1] * 10 + s.a[2];
  out[1] = t.a.back() * 10 + t.n + (int)(t.a.end() - t.a.begin()) * 100;
}

// --- epsilon_and_signs: more of numeric_limits
#include <limits>
__global__ void k(int* out) {
  out[0] = (std::numeric_limits<float>::epsilon() == 0x1p-23f) * 10 +
           (std::numeric_limits<double>::epsilon() == 0x1p-52);
  out[1] = std::numeric_limits<char>::min();
  out[2] = std::numeric_limits<unsigned long>::max() == ~0ul;
  out[3] =
      (std::numeric_limits<float>::min() == 0x1p-126f) * 10 + (std::numeric_limits<float>::quiet_NaN() != 0);
}
