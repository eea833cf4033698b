// --- underlying_type: the type behind an enumeration gives its size
enum class E : unsigned char { A = 3, B };
__global__ void k(int* out) {
  E e = E::B;
  out[0] = (int)e;
  out[1] = sizeof(e);
}

// --- in_overloads: an enumeration fits its own type best, then what it is promoted to
enum E { E1 = 3 };
enum class S { A = 4 };
enum U : unsigned char { U1 = 9 };
__device__ int f(int) { return 1; }
__device__ int f(E) { return 2; }
__device__ int f(S) { return 3; }
__device__ int g(long) { return 4; }
__device__ int g(int) { return 5; }
__device__ int h(unsigned char) { return 6; }
__device__ int h(int) { return 7; }
__global__ void k(int* out) {
  out[0] = f(E1) * 100 + f(S::A) * 10 + f(E1 + 0);
  out[1] = g(E1) * 10 + f(3);
  out[2] = h(U1) * 10 + h(E1);
  out[3] = f(U1) * 10 + g(U1);
}

// --- constructors_that_take_them: a constructor that takes a scoped enumeration beside one that takes int
enum class K { A, B };
struct S {
  int v;
  __device__ S(int x) : v(x) {}
  __device__ S(K x) : v(100 + (int)x) {}
};
__device__ int f(S s) { return s.v; }
__global__ void k(int* out) {
  out[0] = f(K::B);
  out[1] = f(5);
  S s(K::A);
  out[2] = s.v;
  S t = 3;
  out[3] = t.v;
}

// --- own_integer_by_the_values: the range of the values gives the integer and what an enumeration becomes
#include <type_traits>
enum A { a0, a1 };
enum B { b0 = -1, b1 = 5 };
enum C { c0 = 0xffffffffu };
enum D { d0 = 0x100000000 };
enum F : unsigned char { f0 = 200, f1 };
enum I { i0 = 0xffffffffffffffffull };
template <class T>
struct N {
  static constexpr int v = 0;
};
template <>
struct N<int> {
  static constexpr int v = 1;
};
template <>
struct N<unsigned> {
  static constexpr int v = 2;
};
template <>
struct N<long> {
  static constexpr int v = 3;
};
template <>
struct N<unsigned long> {
  static constexpr int v = 4;
};
template <>
struct N<unsigned char> {
  static constexpr int v = 5;
};
__global__ void k(int* out) {
  out[0] = N<decltype(+a0)>::v;
  out[1] = N<decltype(+b0)>::v;
  out[2] = N<decltype(+c0)>::v;
  out[3] = N<decltype(+d0)>::v;
  out[4] = N<decltype(+f0)>::v;
  out[5] = N<decltype(+i0)>::v;
  out[6] = N<std::underlying_type_t<A>>::v;
  out[7] = N<std::underlying_type_t<B>>::v;
  out[8] = N<std::underlying_type_t<C>>::v;
  out[9] = N<std::underlying_type_t<D>>::v;
  out[10] = N<std::underlying_type<F>::type>::v;
  out[11] = N<std::underlying_type_t<I>>::v;
  out[12] = sizeof(A) * 1000 + sizeof(D) * 100 + sizeof(F) * 10 + sizeof(I);
  out[13] = f1;
  out[14] = a0 - 1 < 0;
  out[15] = c0 - 1 > 0;
  out[16] = d0 > 5;
  out[17] = i0 > 0;
  out[18] = b0 < 0;
}

// --- within_its_braces: until the closing brace an enumerator has the type of what it begins with
enum A { x = 'a', y = sizeof(x), z, w = x + 1 };
enum class S : short { p = 3, q = p << 2, r = q | 1, s };
enum { big = 0x7fffffff, bigger };
__global__ void k(int* out) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  out[4] = (int)S::q;
  out[5] = (int)S::r;
  out[6] = (int)S::s;
  out[7] = bigger > 0;
  out[8] = sizeof(bigger);
  out[9] = sizeof(x);
}

// --- beside_integers: overloads for enumerations, and for what they are promoted to
enum E { e1 = 1 };
enum class S { s1 = 2 };
enum F : short { f1 = 3 };
__device__ int f(int) { return 1; }
__device__ int f(E) { return 2; }
__device__ int f(S) { return 3; }
__device__ int f(double) { return 4; }
__device__ int f(short) { return 5; }
__device__ int g(int) { return 1; }
__device__ int g(long) { return 2; }
__device__ int h(long) { return 1; }
__device__ int h(E) { return 2; }
__device__ int m(short) { return 1; }
__device__ int m(long) { return 2; }
__global__ void k(int* out) {
  E e = e1;
  S s = S::s1;
  F ff = f1;
  out[0] = f(e);
  out[1] = f(s);
  out[2] = f(e1 + 0);
  out[3] = f(1);
  out[4] = f(ff);
  out[5] = g(e);
  out[6] = h(e);
  out[7] = h(3);
  out[8] = m(ff);
  out[9] = f(e1);
  out[10] = f(S::s1);
}

// --- own_operators: operators of an enumeration that the text defines
enum Flags { none = 0, a = 1, b = 2, c = 4 };
__device__ Flags operator|(Flags x, Flags y) { return Flags(int(x) | int(y) | 64); }
__device__ Flags operator&(Flags x, Flags y) { return static_cast<Flags>(int(x) & int(y)); }
__device__ Flags& operator|=(Flags& x, Flags y) {
  x = x | y;
  return x;
}
__device__ Flags operator~(Flags x) { return Flags(~int(x) & 7); }
__device__ Flags& operator++(Flags& x) {
  x = Flags(int(x) * 2);
  return x;
}
__device__ Flags operator++(Flags& x, int) {
  Flags o = x;
  ++x;
  return o;
}
__device__ bool operator!(Flags x) { return int(x) == 2; }
__device__ int operator+(Flags x, int y) { return int(x) * 100 + y; }
__global__ void k(int* out) {
  Flags x = a;
  Flags y = x | b;
  out[0] = y;
  x |= c;
  out[1] = x;
  out[2] = ~a;
  ++x;
  out[3] = x;
  Flags z = a;
  Flags w = z++;
  out[4] = z * 10 + w;
  out[5] = !b;
  out[6] = !a;
  out[7] = a + 5;
  out[8] = a - 5;
  out[9] = (a | 8);
  out[10] = int(a) | int(b);
  out[11] = x & y;
}

// --- operators_of_a_scoped_one: operators of a scoped enumeration beside those of the language
enum class M : unsigned { r = 1, w = 2, x = 4 };
__device__ constexpr M operator|(M a, M b) { return M(unsigned(a) | unsigned(b)); }
__device__ constexpr bool operator&(M a, M b) { return (unsigned(a) & unsigned(b)) != 0; }
__device__ constexpr M operator^(M a, M b) {
  return static_cast<M>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b));
}
__device__ bool operator<(M a, M b) { return unsigned(a) > unsigned(b); }
__device__ bool operator==(M a, int b) { return unsigned(a) == unsigned(b); }
constexpr M rw = M::r | M::w;
template <M m>
struct T {
  static constexpr int v = static_cast<int>(m);
};
__global__ void k(int* out) {
  M m = M::r | M::x;
  out[0] = (int)m;
  out[1] = m & M::w;
  out[2] = m & M::x;
  out[3] = T<rw>::v;
  out[4] = M::r < M::w;
  out[5] = M::r == M::r;
  out[6] = M::r == 1;
  out[7] = M::r <= M::w;
  out[8] = T<rw ^ M::r>::v;
  out[9] = M::r != M::w;
  switch (m) {
    case M::r | M::x: out[10] = 5; break;
    default: out[10] = 6;
  }
}

// --- operators_by_a_template: one operator template for the enumerations that a trait names
#include <type_traits>
enum class P : unsigned { none = 0, r = 1, w = 2 };
enum class Q { q1 = 1, q2 = 2 };
template <class T>
struct IsFlags : std::false_type {};
template <>
struct IsFlags<P> : std::true_type {};
template <class E>
__device__ constexpr std::enable_if_t<IsFlags<E>::value, E> operator|(E a, E b) {
  using U = std::underlying_type_t<E>;
  return static_cast<E>(static_cast<U>(a) | static_cast<U>(b));
}
template <class E>
__device__ constexpr auto toInt(E e) noexcept -> typename std::underlying_type<E>::type {
  return static_cast<typename std::underlying_type<E>::type>(e);
}
template <class T>
__device__ int kind(T) {
  if constexpr (std::is_enum_v<T>)
    return 1;
  else if constexpr (std::is_integral_v<T>)
    return 2;
  else
    return 3;
}
__global__ void k(int* out) {
  P p = P::r | P::w;
  out[0] = (int)p;
  out[1] = toInt(p) - 4 > 0;
  out[2] = toInt(Q::q2);
  out[3] = kind(p) * 100 + kind(toInt(p)) * 10 + kind(1.0f);
  out[4] = std::is_same_v<decltype(toInt(p)), unsigned>;
  out[5] = std::is_same_v<decltype(P::r | P::w), P>;
}

// --- as_template_arguments: an enumeration and its enumerators as template arguments
enum E { e };
enum class S : int { s = 7 };
template <class T>
__device__ int f(T) {
  return 0;
}
template <>
__device__ int f<int>(int) {
  return 1;
}
template <>
__device__ int f<E>(E) {
  return 2;
}
template <>
__device__ int f<S>(S) {
  return 3;
}
template <auto V>
struct A {
  static constexpr int v = sizeof(V) + 100;
};
template <>
struct A<1> {
  static constexpr int v = 1;
};
template <>
struct A<S::s> {
  static constexpr int v = 2;
};
template <S x, int n = (int)x>
struct B {
  static constexpr int v = n;
};
template <class T>
struct C {
  static __device__ int v() { return (int)T::s; }
};
__global__ void k(int* out) {
  out[0] = f(e);
  out[1] = f(S::s);
  out[2] = f(+e);
  out[3] = f(1);
  out[4] = A<S::s>::v;
  out[5] = A<1>::v;
  out[6] = B<S::s>::v;
  out[7] = B<S(9)>::v;
  out[8] = C<S>::v();
  auto x = e;
  out[9] = f(x);
  auto y = e + 1;
  out[10] = f(y);
  out[11] = f(true ? e : 1);
  out[12] = f(true ? e : e);
}

// --- traits: the traits of an enumeration are not those of its integer
#include <type_traits>
enum E { e };
enum class S : char { s };
struct X {
  enum In { i };
  enum class Jn { j };
};
template <class T>
__device__ int all() {
  return std::is_enum<T>::value * 1 + std::is_enum_v<T> * 2 + std::is_integral<T>::value * 4 +
         std::is_arithmetic_v<T> * 8 + std::is_signed_v<T> * 16 + std::is_unsigned<T>::value * 32;
}
__global__ void k(int* out) {
  out[0] = all<E>();
  out[1] = all<S>();
  out[2] = all<int>();
  out[3] = all<unsigned>();
  out[4] = all<float>();
  out[5] = all<X::In>();
  out[6] = all<X::Jn>();
  out[7] = all<bool>();
  out[8] = all<X>();
  out[9] = std::is_same<E, int>::value + std::is_same_v<std::underlying_type_t<S>, char> * 2 +
           std::is_same_v<X::In, X::Jn> * 4;
  out[10] = X::i + (int)X::Jn::j + sizeof(S) + (int)S::s + (X::In::i == 0);
}

// --- chosen_by_traits: functions chosen by is_enum and is_integral
#include <type_traits>
enum class C { red = 3 };
template <class T>
__device__ typename std::enable_if<std::is_integral<T>::value, int>::type f(T x) {
  return x;
}
template <class T>
__device__ typename std::enable_if<std::is_enum<T>::value, int>::type f(T x) {
  return 100 + static_cast<typename std::underlying_type<T>::type>(x);
}
template <class T>
__device__ auto g(T x) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<std::underlying_type_t<T>>(x);
  else
    return x;
}
__global__ void k(int* out) {
  out[0] = f(5);
  out[1] = f(C::red);
  out[2] = g(C::red) + 1;
  out[3] = g(4) + 1;
}

// --- in_bit_fields: bit-fields of enumerations
enum M { m0, m1, m2, m3 };
enum N { n0 = -2, n1 = 1 };
enum class S : unsigned char { s0, s3 = 3 };
struct P {
  M m : 2;
  N n : 3;
  S s : 2;
  unsigned u : 5;
};
__global__ void k(int* out) {
  P p{};
  p.m = m3;
  p.n = n0;
  p.s = S::s3;
  p.u = 17;
  out[0] = p.m;
  out[1] = p.n;
  out[2] = (int)p.s;
  out[3] = sizeof(P);
  out[4] = p.m == m3;
  out[5] = p.n < 0;
  out[6] = p.s == S::s3;
  out[7] = p.m - 4 < 0;
  switch (p.m) {
    case m3: out[8] = 1; break;
    default: out[8] = 2;
  }
}

// --- made_from_a_list: braces make an enumeration with a given integer from a number
enum class B : unsigned char {};
enum F : int { f };
__global__ void k(int* out) {
  B b{7};
  F g{3};
  B c = B{9};
  B z{};
  out[0] = (int)b;
  out[1] = g;
  out[2] = (int)c;
  out[3] = (int)z;
  B arr[2] = {B{1}, B(2)};
  out[4] = (int)arr[1];
  out[5] = sizeof(B);
  out[6] = (unsigned char)b + 1;
}

// --- in_namespaces_and_classes: enumerators of namespaces and classes, typedefs, switches, indices
#include <cstdint>
namespace n {
enum E { a = 1, b };
__device__ int f(E e) { return e * 10; }
enum class C : uint8_t { x = 250, y };
__device__ int f(C c) { return (int)c; }
}  // namespace n
struct S {
  enum Kind { kA, kB = 5 };
  enum class Mode { on = 3 };
  Kind kind = kB;
  Mode mode = Mode::on;
  __device__ int g() const { return kind + (mode == Mode::on); }
  static constexpr Kind def = kB;
};
typedef enum { RED, GREEN = 7 } Color;
enum Op : char { add = '+', sub = '-' };
template <n::C c>
__device__ int t() {
  return (int)c;
}
template <Color c>
struct Col {
  static constexpr int v = c;
};
template <>
struct Col<RED> {
  static constexpr int v = 99;
};
__device__ int apply(Op o, int x, int y) {
  switch (o) {
    case add: return x + y;
    case sub: return x - y;
  }
  return 0;
}
__global__ void k(int* out) {
  out[0] = f(n::b);
  out[1] = f(n::C::y);
  S s;
  out[2] = s.g();
  out[3] = S::kB + S::def;
  s.kind = S::kA;
  out[4] = s.kind;
  out[5] = (int)S::Mode::on;
  out[6] = t<n::C::x>();
  out[7] = Col<GREEN>::v + Col<RED>::v;
  out[8] = apply(add, 7, 3) * 100 + apply(Op('-'), 7, 3);
  Color c = GREEN;
  c = static_cast<Color>(c - 7);
  out[9] = c == RED;
  n::E arr[3] = {n::a, n::b, n::a};
  int h[3] = {10, 20, 30};
  out[10] = h[arr[1]];
  const char* p = "abcdef";
  out[11] = p[n::b];
  out[12] = -n::b;
  out[13] = n::b << 2;
  out[14] = (n::a < n::b) + (n::a | n::b);
  out[15] = n::b ? 1 : 0;
  bool q = n::a;
  out[16] = q;
  float fl = n::b;
  out[17] = (int)(fl * 1.5f);
  out[18] = sizeof(n::C) + sizeof(Op);
  out[19] = n::b / 2.0 == 1.0;
  out[20] = !n::a;
  unsigned u = n::b;
  out[21] = u;
  int m = n::a;
  m += n::b;
  m |= n::b;
  out[22] = m;
  out[23] = c == GREEN ? 1 : 2;
}

// --- local_ones_and_aliases: enumerations of functions and of templates of classes
template <class T>
struct Tr {
  enum { value = sizeof(T), twice = value * 2 };
};
template <int n>
struct Fact {
  enum : int { v = n * Fact<n - 1>::v };
};
template <>
struct Fact<0> {
  enum { v = 1 };
};
template <class E>
__device__ int lastOf() {
  return static_cast<int>(E::last);
}
enum class A { x, last };
enum B { y = 4, last };
using AA = A;
__global__ void k(int* out) {
  enum Local { p = 2, q = p * 3 };
  enum class L2 : short { z = -1 };
  Local l = q;
  out[0] = l;
  out[1] = (int)L2::z;
  out[2] = Tr<double>::twice;
  out[3] = Fact<5>::v;
  out[4] = lastOf<A>();
  out[5] = lastOf<B>();
  out[6] = (int)AA::last;
  using enum A;
  out[7] = (int)x;
  constexpr A c = A::last;
  out[8] = c == AA::last;
  int arr[Tr<int>::value] = {1, 2, 3, 4};
  out[9] = arr[p + 1];
  auto lam = [](Local v) { return v + 1; };
  out[10] = lam(p);
  for (int i = p; i < q; ++i) out[11] += i;
  Local z{};
  out[12] = z;
  switch (l) {
    case p: out[13] = 1; break;
    case q: out[13] = 2; break;
  }
}

// --- declared_before_defined: one that is declared before its definition, in structs, unions and arrays
enum class F : int;
enum G : short;
__device__ int early(F f) { return (int)f; }
enum class F : int { a = 4, b };
enum G : short { g1 = -3, g2 };
enum class Big : long long { x = 1LL << 40 };
enum Bool : bool { no, yes };
enum Mixed { neg = -5, pos = 5 };
enum Other { o1 = 5 };
struct Pair {
  F f;
  G g;
  Mixed m;
};
union Un {
  F f;
  int i;
};
__device__ F next(F f) { return f == F::a ? F::b : F::a; }
__device__ int def(F f = F::b, Mixed m = neg) { return (int)f * 10 + m; }
template <class E, E v>
struct Val {
  static constexpr E value = v;
};
template <class E>
struct Traits;
template <>
struct Traits<F> {
  static constexpr int n = 1;
};
template <>
struct Traits<Mixed> {
  static constexpr int n = 2;
};
constexpr F table[3] = {F::a, F::b, F::a};
__global__ void k(int* out) {
  out[0] = early(F::b);
  out[1] = g1 + g2;
  out[2] = (int)((long long)Big::x >> 38);
  out[3] = yes + yes;
  out[4] = pos == o1;
  out[5] = neg < o1;
  out[6] = (int)next(F::a);
  out[7] = def() * 100 + def(F::a, pos);
  out[8] = (int)Val<F, F::b>::value;
  out[9] = Traits<F>::n * 10 + Traits<decltype(neg)>::n;
  out[10] = (int)table[1];
  Pair p{F::b, g1, pos};
  Pair q = p;
  q.f = F::a;
  out[11] = (int)p.f * 10 + (int)q.f + p.g;
  Un u;
  u.f = F::b;
  out[12] = u.i;
  F* fp = &p.f;
  *fp = F::a;
  out[13] = (int)p.f;
  F both[] = {F::a, F::b};
  for (F x : both) out[14] = out[14] * 10 + (int)x;
  auto l = [p](Mixed m) { return m + (int)p.f; };
  out[15] = l(neg);
  out[16] = (F::a < F::b) + (F::a <= F::a) * 2 + (F::b > F::a) * 4 + (F::a != F::b) * 8;
  out[17] = sizeof(Pair);
  int idx[6] = {0, 1, 2, 3, 4, 5};
  out[18] = idx[pos] + *(idx + o1);
  Mixed mm = static_cast<Mixed>(F::a);
  out[19] = mm;
  out[20] = (int)static_cast<F>(7.9);
  out[21] = true ? neg : 3;
  out[22] = Bool(5);
  out[23] = (int)F{4};
  double d = pos;
  out[24] = (int)(d / 2 * 10);
  out[25] = pos % 3 + (pos ^ o1) + ~pos;
  Mixed arr[pos] = {pos, neg};
  out[26] = arr[1] + sizeof(arr) + arr[4];
  out[27] = int(neg) - int{pos};
}

// --- conversions_by_classes: constructors that take them and conversions to them
enum E { e1 = 1, e2 = 2 };
enum class S { s1 = 10 };
struct A {
  int v;
  __device__ A(E e) : v(100 + e) {}
};
struct B {
  int v;
  __device__ B(int i) : v(i) {}
};
struct C {
  __device__ operator E() const { return e2; }
};
struct D {
  __device__ operator int() const { return 7; }
};
__device__ int f(A a) { return a.v; }
__device__ int g(B b) { return b.v; }
__device__ int h(E e) { return e; }
__device__ int o(A) { return 1; }
__device__ int o(double) { return 2; }
__device__ int r(const E& e) { return e * 3; }
__device__ void set(E& e) { e = e2; }
__device__ int v(S, int) { return 1; }
__device__ int v(E, int) { return 2; }
__device__ int v(int, int) { return 3; }
__global__ void k(int* out) {
  out[0] = f(e1);
  out[1] = g(e2);
  out[2] = h(C());
  out[3] = o(e1);
  out[4] = r(e2);
  E e = e1;
  set(e);
  out[5] = e;
  C c;
  switch (c) {
    case e1: out[6] = 1; break;
    case e2: out[6] = 2; break;
  }
  out[7] = c + 1;
  out[8] = v(S::s1, 1) * 100 + v(e1, 'a') * 10 + v(D(), 1);
  out[9] = e == e2;
  out[10] = C() == e2;
  int i = C();
  out[11] = i;
  bool b = c;
  out[12] = b;
}

// --- names_by_using_enum: using enum at file scope, in a function and in a switch
enum class Mode : int { kSum = 3, kMax = 8 };
namespace n {
enum class In { kA = 4, kB };
}
enum Plain { kLow = 1, kHigh = 2 };
using enum Plain;
template <Mode M> __device__ int numberOf() { return M == Mode::kSum ? 3 : 8; }
__device__ int numberOf(Mode mode) {
  switch (mode) {
    using enum Mode;
    case kSum: return 30;
    case kMax: return 80;
  }
  return 0;
}
__global__ void k(int* out) {
  using enum Mode;
  using enum n::In;
  constexpr Mode mode = kMax;
  out[0] = static_cast<int>(kSum) * 10 + (mode == kMax);
  out[1] = (int)kA * 10 + (int)kB;
  out[2] = numberOf<kMax>() * 1000 + numberOf(kSum);
  out[3] = kLow * 10 + kHigh;
}

// --- using_enum_of_a_class: refused
struct S {
  enum class In { kA = 2 };
};
__global__ void k(int* out) {
  using enum S::In;
  out[0] = (int)kA;
}
