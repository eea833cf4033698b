// --- names_of_types: each name of an integer is one of the distinct types
#include <cstddef>
#include <cstdint>
template <class T>
struct N {
  static constexpr int v = 0;
};
#define IS(T, n)                \
  template <>                   \
  struct N<T> {                 \
    static constexpr int v = n; \
  };
IS(char, 1)
IS(signed char, 2)
IS(unsigned char, 3)
IS(short, 4)
IS(unsigned short, 5) IS(int, 6) IS(unsigned, 7) IS(long, 8) IS(unsigned long, 9) IS(long long, 10)
    IS(unsigned long long, 11) IS(bool, 12) IS(wchar_t, 13) IS(char16_t, 14) IS(char32_t, 15) __global__
    void k(int* out) {
  int i = 0;
  out[i++] = N<int8_t>::v;
  out[i++] = N<uint8_t>::v;
  out[i++] = N<int16_t>::v;
  out[i++] = N<uint16_t>::v;
  out[i++] = N<int32_t>::v;
  out[i++] = N<uint32_t>::v;
  out[i++] = N<int64_t>::v;
  out[i++] = N<uint64_t>::v;
  out[i++] = N<size_t>::v;
  out[i++] = N<ptrdiff_t>::v;
  out[i++] = N<intptr_t>::v;
  out[i++] = N<uintptr_t>::v;
  out[i++] = N<std::size_t>::v;
  out[i++] = N<std::int64_t>::v;
  out[i++] = N<intmax_t>::v;
  out[i++] = N<int_fast16_t>::v;
  out[i++] = N<uint_least8_t>::v;
  out[i++] = N<decltype(sizeof(int))>::v;
  out[i++] = N<decltype(&out[1] - out)>::v;
  out[i++] = N<decltype('a')>::v;
  out[i++] = N<decltype('ab')>::v;
  out[i++] = N<decltype(L'a')>::v;
  out[i++] = N<decltype(u'a')>::v;
  out[i++] = N<decltype(U'a')>::v;
  out[i++] = N<long int>::v;
  out[i++] = N<long unsigned>::v;
  out[i++] = N<unsigned long long int>::v;
  out[i++] = N<signed>::v;
  out[i++] = N<long long unsigned int>::v;
  out[i++] = N<short unsigned>::v;
  out[i++] = N<int long>::v;
  out[i++] = N<decltype(+'a')>::v;
  out[i++] = N<decltype(+U'a')>::v;
  out[i++] = N<decltype(+L'a')>::v;
  out[i++] = N<decltype(+u'a')>::v;
  out[i++] = N<decltype(alignof(int))>::v;
}

// --- types_of_literals: the first type of the list that holds the number
template <class T>
struct N {
  static constexpr int v = 0;
};
#define IS(T, n)                \
  template <>                   \
  struct N<T> {                 \
    static constexpr int v = n; \
  };
IS(int, 6)
IS(unsigned, 7)
IS(long, 8)
IS(unsigned long, 9)
IS(long long, 10) IS(unsigned long long, 11)
#define T(x) out[i++] = N<decltype(x)>::v;
    __global__ void k(int* out) {
  int i = 0;
  T(1)
  T(2147483647)
  T(2147483648)
  T(4294967296)
  T(0x7fffffff) T(0x80000000) T(0xffffffff) T(0x100000000) T(0x7fffffffffffffff) T(0x8000000000000000) T(1u)
      T(4294967296u) T(1l) T(1ul) T(1ll) T(1ull) T(0x8000000000000000l) T(0x8000000000000000ll) T(0xffffffffl)
          T(017777777777) T(037777777777) T(0b1) T(1'000'000'000'000) T(1Lu) T(1LLU) T(0)
              T(9223372036854775807) T(5000000000LL) T(0xfULL)
}

// --- usual_conversions: ranks decide the type of a result
template <class T>
struct N {
  static constexpr int v = 0;
};
#define IS(T, n)                \
  template <>                   \
  struct N<T> {                 \
    static constexpr int v = n; \
  };
IS(int, 6)
IS(unsigned, 7)
IS(long, 8)
IS(unsigned long, 9)
IS(long long, 10) IS(unsigned long long, 11) IS(float, 12) IS(double, 13) IS(char, 1) IS(bool, 2)
    IS(signed char, 3)
#define T(x) out[i++] = N<decltype(x)>::v;
        __global__ void k(int* out) {
  int i = 0;
  char c = 1;
  signed char sc = 1;
  short s = 1;
  int n = 1;
  unsigned u = 1;
  long l = 1;
  unsigned long ul = 1;
  long long ll = 1;
  unsigned long long ull = 1;
  bool b = true;
  float f = 1;
  wchar_t w = 1;
  char32_t c32 = 1;
  T(c + c)
  T(sc + s)
  T(n + u)
  T(l + n)
  T(l + u) T(ul + n) T(l + ul) T(l + ll) T(ul + ll) T(ll + u) T(ull + l) T(ull + ul) T(l << ull) T(s << l)
      T(-l) T(~ul) T(b + b) T(f + ull) T(n ? l : ll) T(n ? ul : ll) T(n ? c : sc) T(w + w) T(c32 + c32)
          T(c32 + n) T(l - l) T(l * f) T(ul / u) T(l % s) T(b ? 1L : 2) T(l == ll) T(sizeof(int) * 2)
              T(sizeof(n) - 10LL) T((l, s + 0))
}

// --- in_overloads: long, long long, char and signed char in overloads
#include <cstdint>
__device__ int f(int) { return 1; }
__device__ int f(long) { return 2; }
__device__ int f(long long) { return 3; }
__device__ int f(unsigned long) { return 4; }
__device__ int f(char) { return 5; }
__device__ int f(signed char) { return 6; }
__device__ int f(unsigned char) { return 7; }
__device__ int f(unsigned) { return 8; }
__device__ int g(long long) { return 1; }
__device__ int g(int) { return 2; }
__device__ int p(long*) { return 1; }
__device__ int p(long long*) { return 2; }
__device__ int p(char*) { return 3; }
__device__ int p(signed char*) { return 4; }
__device__ int p(void*) { return 5; }
__global__ void k(int* out) {
  long l = 1;
  long long ll = 2;
  int8_t i8 = 1;
  uint64_t u64 = 1;
  int64_t i64 = 1;
  char c = 'x';
  short s = 1;
  out[0] = f(l);
  out[1] = f(ll);
  out[2] = f(i8);
  out[3] = f(u64);
  out[4] = f(i64);
  out[5] = f(c);
  out[6] = f(s);
  out[7] = f(1L);
  out[8] = f(1LL);
  out[9] = f(sizeof 1);
  out[10] = f('\n');
  out[11] = f(1u);
  out[12] = p(&l);
  out[13] = p(&ll);
  out[14] = p(&i8);
  out[15] = p(&c);
  out[16] = p(&s);
  out[17] = p(&i64);
  out[18] = g(c);
}

// --- in_templates: long and long long in specialisations and traits
#include <cstddef>
#include <limits>
#include <type_traits>
template <class T>
__device__ int f(T) {
  return sizeof(T);
}
template <>
__device__ int f<long long>(long long) {
  return 100;
}
template <class A, class B>
__device__ auto add(A a, B b) {
  return a + b;
}
template <class T>
__device__ T mx() {
  return std::numeric_limits<T>::max();
}
__global__ void k(int* out) {
  size_t n = 3;
  long l = 4;
  long long ll = 5;
  out[0] = f(n);
  out[1] = f(l);
  out[2] = f(ll);
  out[3] = std::is_same_v<decltype(add(l, ll)), long long>;
  out[4] = std::is_same_v<decltype(add(l, n)), unsigned long>;
  out[5] = mx<long>() == mx<long long>();
  out[6] = std::is_same_v<std::make_unsigned_t<long>, unsigned long> +
           2 * std::is_same_v<std::make_unsigned_t<char>, unsigned char> +
           4 * std::is_same_v<std::make_signed_t<char>, signed char> +
           8 * std::is_same_v<std::make_signed_t<unsigned long>, long> +
           16 * std::is_same_v<std::make_unsigned_t<signed char>, unsigned char>;
  out[7] = std::is_integral_v<long> + std::is_signed_v<signed char> * 2 +
           std::is_unsigned_v<unsigned long> * 4 + std::is_integral_v<wchar_t> * 8;
  out[8] = std::is_same_v<std::common_type_t<long, int>, long>;
  long* p = &l;
  *p += ll;
  out[9] = l;
  ll = l << 2;
  out[10] = (int)ll;
  unsigned long u = -1;
  out[11] = u == ~0ull;
  out[12] = l < u;
}

// --- values_of_long: arithmetic on long and size_t, narrow types that wrap
#include <cstddef>
#include <cstdint>
__device__ long a(long x) { return x * 3; }
__device__ int64_t b(int64_t x) { return x - 1; }
__device__ unsigned long c(size_t x) { return x / 2; }
struct S {
  long l;
  long long ll;
  size_t s;
  signed char sc;
  wchar_t w;
};
__global__ void k(int* out) {
  S s{1, 2, 3, -4, L'x'};
  out[0] = a(s.l) + b(s.ll) + c(s.s) + s.sc;
  out[1] = sizeof(S);
  out[2] = (s.l + s.ll) * 2;
  size_t n = 10;
  for (size_t i = n; i-- > 0;) out[3] += i;
  long d = -7;
  out[4] = d / 2;
  out[5] = d % 3;
  out[6] = d >> 1;
  unsigned long u = d;
  out[7] = u > 5;
  out[8] = (int)(u >> 60);
  long long q = d;
  q *= u;
  out[9] = (int)q;
  out[10] = d < 0u;
  out[11] = d < 0ul;
  out[12] = s.w;
  s.sc += 130;
  out[13] = s.sc;
  uint8_t x = 250;
  x += 10;
  out[14] = x;
  int8_t y = 127;
  ++y;
  out[15] = y;
  long arr[3] = {1, 2, 3};
  long* p = arr;
  out[16] = p[1] + *(p + 2) + (&arr[2] - p);
  out[17] = (int)(char)300;
  out[18] = (signed char)200;
  out[19] = 5 - sizeof(int) > 0;
  out[20] = (int)-1L;
}

// --- aliases: aliases of the distinct integers
#include <cstdint>
#include <type_traits>
typedef unsigned long ulong_t;
using i64 = long long;
typedef long const clong;
template <class T, class U>
struct Same {
  static constexpr int v = 0;
};
template <class T>
struct Same<T, T> {
  static constexpr int v = 1;
};
template <class T>
struct Size {
  using type = int;
};
template <>
struct Size<long> {
  using type = char;
};
template <>
struct Size<i64> {
  using type = short;
};
template <class T>
__device__ int pick(const T*) {
  return sizeof(typename Size<T>::type);
}
__global__ void k(int* out) {
  out[0] = Same<ulong_t, uint64_t>::v;
  out[1] = Same<i64, int64_t>::v;
  out[2] = sizeof(Size<int64_t>::type) * 10 + sizeof(Size<i64>::type);
  long a = 1;
  i64 b = 2;
  clong c = 3;
  out[3] = pick(&a) * 100 + pick(&b) * 10 + pick(&c);
  out[4] = Same<clong, const long>::v;
  out[5] = Same<decltype(a + b), i64>::v;
  out[6] = Same<char, signed char>::v + Same<char, int8_t>::v * 10 + Same<signed char, int8_t>::v * 100;
  out[7] = std::is_same<long unsigned int, ulong_t>::value;
  out[8] = Same<long*, i64*>::v + Same<const long, long>::v;
  out[9] = Same<int[3], int[3]>::v + Same<int[3], int[4]>::v;
}

// --- limits_and_arguments: limits, template arguments and loops of long types
#include <cstddef>
#include <cstdint>
#include <limits>
template <class T>
struct W {
  T v;
  __device__ T get() const { return v; }
};
template <>
struct W<long> {
  long v;
  __device__ long get() const { return v + 1000; }
};
template <class T, class = void>
struct Is64 {
  static constexpr bool v = sizeof(T) == 8;
};
template <long N>
struct L {
  static constexpr long v = N;
};
template <auto V>
struct Au {
  static constexpr int v = sizeof(V);
};
__device__ long long widen(long x) { return x; }
__device__ unsigned long sum(const unsigned long* p, size_t n) {
  unsigned long s = 0;
  for (size_t i = 0; i < n; ++i) s += p[i];
  return s;
}
__device__ int ov(unsigned long long) { return 1; }
__device__ int ov(double) { return 2; }
__device__ int ow(long) { return 1; }
__device__ int ow(unsigned long) { return 2; }
__device__ int oz(unsigned long) { return 1; }
__device__ int oz(unsigned) { return 2; }
__device__ int oz(int) { return 3; }
__global__ void k(int* out) {
  W<int64_t> a{5};
  W<long long> b{6};
  out[0] = a.get() + b.get();
  out[1] = L<5>::v + L<'a'>::v;
  out[2] = Au<1>::v * 100 + Au<1L>::v * 10 + Au<'a'>::v;
  out[3] = (int)(widen(-1) >> 63);
  uint64_t t[3] = {1, 2, 3};
  out[4] = sum(t, sizeof(t) / sizeof(t[0]));
  out[5] = ow(5L) * 10 + ow(sizeof 1);
  out[6] = oz(sizeof 1) * 100 + oz(1u) * 10 + oz('a');
  out[7] = std::numeric_limits<long>::max() == INT64_MAX;
  out[8] = std::numeric_limits<signed char>::min();
  out[9] = std::numeric_limits<uint8_t>::max();
  long s = 3;
  switch (s) {
    case 3L: out[10] = 1; break;
    case 4: out[10] = 2; break;
  }
  out[11] = 1L << 33 > 0;
  out[12] = (int)(sizeof(int) - 5 > 0);
  out[13] = (ptrdiff_t)-1 < 0;
  int n = -1;
  out[14] = n < sizeof(int);
  out[15] = (long)n < (long)sizeof(int);
  out[16] = -1L < 1u;
  out[17] = -1 < 1ul;
  long long q = 1;
  q <<= 40;
  long z = q;
  out[18] = (int)(z >> 40);
  auto d = &t[2] - &t[0];
  out[19] = d * 2 - 5;
  auto sz = sizeof(char);
  sz -= 2;
  out[21] = sz > 100;
  out[22] = std::numeric_limits<wchar_t>::max() > 0;
}
