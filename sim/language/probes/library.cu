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
