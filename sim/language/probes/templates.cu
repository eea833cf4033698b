// --- default_arguments_of_a_class: template arguments that are left out have their defaults
template <class T = float, int N = 4>
struct V {
  T d[N];
};
__global__ void k(int* out) {
  out[0] = sizeof(V<>);
  out[1] = sizeof(V<double, 3>);
}

// --- auto_parameter: template <auto N>
template <auto N>
__device__ int f() {
  return N * 2;
}
__global__ void k(int* out) { out[0] = f<21>(); }

// --- partial_specialisations: the more special of the partial specialisations that fit
template <class T, class U>
struct A {
  static const int v = 0;
};
template <class T>
struct A<T, T> {
  static const int v = 1;
};
template <class T>
struct A<T*, T> {
  static const int v = 2;
};
__global__ void k(int* out) {
  out[0] = A<int, float>::v;
  out[1] = A<int, int>::v;
  out[2] = A<int*, int>::v;
}

// --- const_in_deduced_types: T& deduces const, T* what it points to, T neither
template <class T>
struct C {
  static constexpr int v = 1;
};
template <class T>
struct C<const T> {
  static constexpr int v = 2;
};
template <class T>
__device__ int f(T*) {
  return C<T>::v;
}
template <class T>
__device__ int g(T&) {
  return C<T>::v;
}
template <class T>
__device__ int h(T) {
  return C<T>::v;
}
__global__ void k(int* out) {
  int x = 0;
  const int c = 1;
  out[0] = f(&x) * 10 + f((const int*)&x);
  out[1] = g(x) * 10 + g(c);
  out[2] = h(x) * 10 + h(c);
  const int* const p = nullptr;
  out[3] = h(p) * 10 + g(p);
}

// --- chosen_by_a_condition: a bool with a default chooses a specialisation
template <int N, bool E = (N % 2 == 0)>
struct P {
  static constexpr int v = N * P<N - 1>::v;
};
template <int N>
struct P<N, true> {
  static constexpr int v = P<N - 1>::v;
};
template <>
struct P<0, true> {
  static constexpr int v = 1;
};
template <bool C, class A, class B>
struct If {
  using t = A;
};
template <class A, class B>
struct If<false, A, B> {
  using t = B;
};
__global__ void k(int* out) {
  out[0] = P<7>::v;
  out[1] = sizeof(If<(sizeof(int) > 8), int, char>::t);
  out[2] = P<4>::v;
  out[3] = sizeof(typename If<true, double, char>::t);
}

// --- enable_if_in_the_result: enable_if takes a template out of the choice
#include <type_traits>
template <class T>
__device__ std::enable_if_t<(sizeof(T) < 4), int> f(T) {
  return 1;
}
template <class T>
__device__ std::enable_if_t<(sizeof(T) >= 4), int> f(T) {
  return 2;
}
template <class T, class = std::enable_if_t<std::is_floating_point<T>::value>>
__device__ int g(T) {
  return 3;
}
__device__ int g(...) { return 4; }
__global__ void k(int* out) {
  out[0] = f('a') * 10 + f(1);
  out[1] = f((short)1) * 10 + f(1.0);
}

// --- policy_with_default: a function object as policy with default, an array's extent deduced
struct Add {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
  static constexpr int id = 0;
};
struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
  static constexpr int id = -100;
};
template <class Op, class T, int N>
__device__ T red(const T (&a)[N], Op op = Op()) {
  T r = Op::id;
  for (int i = 0; i < N; ++i) r = op(r, a[i]);
  return r;
}
__global__ void k(int* out) {
  int a[] = {3, 9, -2};
  unsigned char c[] = {200, 100};
  out[0] = red<Add>(a);
  out[1] = red<Max>(a);
  out[2] = red<Add>(c);
  out[3] = red<Max>(c);
}

// --- member_templates_of_types: aliases and templates of types within class templates
template <class T>
struct A {
  using v = T;
  template <class U>
  struct R {
    using o = A<U>;
  };
};
template <class T>
struct B {
  using v = typename A<T>::v;
  using o = typename A<T>::template R<short>::o;
  typename o::v m = 70000 % 32768;
};
template <class T>
using V = typename T::v;
__global__ void k(int* out) {
  B<char> b;
  out[0] = sizeof(B<char>::v) * 10 + sizeof(b.m);
  out[1] = b.m;
  out[2] = sizeof(V<A<double>>);
  V<B<int>> x = 5;
  out[3] = x / 2;
}

// --- specialised_by_an_instance: specialisations for instances of another template
template <class A, class B>
struct P {};
template <class T>
struct Q {
  static constexpr int v = 0;
};
template <class A, class B>
struct Q<P<A, B>> {
  static constexpr int v = 1;
};
template <class A>
struct Q<P<A, A>> {
  static constexpr int v = 2;
};
template <class A>
struct Q<P<A*, int>> {
  static constexpr int v = 3;
};
template <>
struct Q<P<char, char>> {
  static constexpr int v = 4;
};
__global__ void k(int* out) {
  out[0] = Q<P<int, char>>::v * 10 + Q<P<int, int>>::v;
  out[1] = Q<P<char*, int>>::v * 10 + Q<P<char, char>>::v;
  out[2] = Q<int>::v;
  out[3] = Q<P<P<int, int>, P<int, int>>>::v;
}

// --- pack_of_bases: a pack as list of bases, and a fold over their members
template <class... B>
struct D : B... {
  __device__ int sum() { return (0 + ... + B::val()); }
};
struct X {
  __device__ int val() { return 3; }
};
struct Y {
  int q = 4;
  __device__ int val() { return q; }
};
__global__ void k(int* out) {
  D<X, Y> d;
  out[0] = d.sum();
  out[1] = sizeof(d);
  D<> e;
  out[2] = e.sum();
}

// --- member_type_is_there_or_not: a specialisation drops out if a type has no such member type
template <class T>
struct Void {
  using t = void;
};
template <class T, class = void>
struct Val {
  static constexpr int v = 1;
};
template <class T>
struct Val<T, typename Void<typename T::value_type>::t> {
  static constexpr int v = sizeof(typename T::value_type);
};
struct A {
  using value_type = double;
};
struct B {
  int value_type;
};
__global__ void k(int* out) {
  out[0] = Val<A>::v;
  out[1] = Val<B>::v;
  out[2] = Val<int>::v;
}

// --- tuple: a recursive tuple, and a function that takes its parts by number
template <class... T>
struct Tup;
template <>
struct Tup<> {
  static constexpr int n = 0;
};
template <class H, class... R>
struct Tup<H, R...> : Tup<R...> {
  H h;
  static constexpr int n = 1 + Tup<R...>::n;
  __device__ Tup(H h, R... r) : Tup<R...>(r...), h(h) {}
};
template <int I, class H, class... R>
__device__ auto get(const Tup<H, R...>& t) {
  if constexpr (I == 0)
    return t.h;
  else
    return get<I - 1, R...>(t);
}
__global__ void k(int* out) {
  Tup<int, double, char> t(1, 2.5, 'c');
  out[0] = t.n;
  out[1] = get<0>(t) * 100 + (int)(get<1>(t) * 2);
  out[2] = get<2>(t);
  out[3] = sizeof(get<2>(t));
}

// --- base_that_knows_the_derived_class: a base takes the derived class as its argument
template <class D>
struct Base {
  __device__ int run(int x) { return static_cast<D*>(this)->step(x) + 1; }
  __device__ int step(int x) { return x; }
};
struct A : Base<A> {
  int m = 3;
  __device__ int step(int x) { return x * m; }
};
struct B : Base<B> {};
template <class D>
__device__ int go(Base<D>& b) {
  return b.run(10);
}
__global__ void k(int* out) {
  A a;
  B b;
  out[0] = a.run(5);
  out[1] = b.run(5);
  out[2] = go(a);
  out[3] = go(b);
}

// --- given_and_deduced_arguments: some arguments given, the others deduced; given types convert
template <class T>
__device__ T mx(T a, T b) {
  return a < b ? b : a;
}
template <class T, class U>
__device__ auto ad(T a, U b) {
  return a + b;
}
template <class R, class T>
__device__ R cv(T t) {
  return (R)t;
}
template <class T>
__device__ int sz(const T&, T*) {
  return sizeof(T);
}
__global__ void k(int* out) {
  out[0] = mx<double>(1, 2.5) * 10;
  out[1] = sizeof(ad((char)1, (char)2)) * 10 + sizeof(ad(1u, 1LL));
  out[2] = cv<unsigned char>(300) * 10 + cv<int>(2.9f);
  short s = 1;
  out[3] = sz(s, &s) * 10 + (mx(-1, 0) == 0) + (mx<unsigned>(-1, 0) == 0);
}

// --- typename_and_template: typename X::type, X::template In<2>, x.template get<3>()
template <class T>
struct V {
  using type = T;
  template <int N>
  struct In {
    static constexpr int v = N * sizeof(T);
  };
  static constexpr int type2 = 3;
  template <int I>
  __device__ int get() const {
    return I * 10;
  }
};
template <class X>
__device__ int f(const X& x) {
  typename X::type t = 5;
  return t / 2 + X::template In<2>::v * 100 + x.template get<3>() * 1000;
}
template <class X>
__device__ int g() {
  return X::type2 * 2;
}
__global__ void k(int* out) {
  out[0] = f(V<int>());
  out[1] = g<V<char>>();
  out[2] = V<float>::In<3>::v;
  out[3] = f(V<double>());
}

// --- enable_if: enable_if as parameter, in the result and in a specialisation
#include <type_traits>
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
__device__ int f(T) {
  return 1;
}
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0>
__device__ int f(T) {
  return 2;
}
template <class T>
__device__ typename std::enable_if<(sizeof(T) > 4), int>::type g(T) {
  return 3;
}
template <class T>
__device__ typename std::enable_if<(sizeof(T) <= 4), int>::type g(T) {
  return 4;
}
template <class T, class = void>
struct H {
  static constexpr int v = 5;
};
template <class T>
struct H<T, std::enable_if_t<std::is_signed<T>::value>> {
  static constexpr int v = 6;
};
__global__ void k(int* out) {
  out[0] = f('a') * 10 + f(1.f);
  out[1] = g(1.0) * 10 + g('a');
  out[2] = H<unsigned>::v * 10 + H<char>::v;
  out[3] = H<bool>::v * 10 + H<float>::v;
}

// --- defaults_after_given_arguments: given template arguments, then deduced ones, then defaults
template <int N, class T>
__device__ T mul(T t) {
  return t * N;
}
template <class A, class B = A, int N = sizeof(B)>
__device__ int f(A a) {
  return (int)(B)a * 10 + N;
}
template <class T = short>
__device__ int g(T t = T(5.9)) {
  return t * 10 + sizeof(T);
}
__global__ void k(int* out) {
  out[0] = mul<3>(4) * 10 + sizeof(mul<2>(1.0));
  out[1] = f(3.9f);
  out[2] = f<double, char>(3.9);
  out[3] = g() * 100 + g<>() + g(1.0);
}

// --- folds: the four folds, over an empty pack too, and one with a comma
template <class... T>
__device__ int l(T... t) {
  return (... - t);
}
template <class... T>
__device__ int r(T... t) {
  return (t - ...);
}
template <class... T>
__device__ int il(T... t) {
  return (100 - ... - t);
}
template <class... T>
__device__ int ir(T... t) {
  return (t - ... - 100);
}
template <class... T>
__device__ bool all(T... t) {
  return (t && ...);
}
template <class... T>
__device__ bool any(T... t) {
  return (... || t);
}
template <class... T>
__device__ void put(int* o, T... t) {
  int i = 0;
  ((o[i++] = t * 2), ...);
}
__global__ void k(int* out) {
  int a[3];
  put(a, 1, 2.6, 3);
  out[0] = l(10, 3, 2) * 100 + r(10, 3, 2);
  out[1] = il(1, 2) * 1000 + ir(1, 2);
  out[2] = all() * 1000 + any() * 100 + all(1, 0) * 10 + any(0, 5);
  out[3] = a[0] * 100 + a[1] * 10 + a[2];
}

// --- if_constexpr: the branch not taken is not compiled
template <class T>
__device__ int f(T t) {
  if constexpr (sizeof(T) == 1)
    return 1;
  else if constexpr (sizeof(T) > 4) {
    return t.wide();
  } else
    return (int)t;
}
struct W {
  double d;
  __device__ int wide() { return 99; }
};
template <int N>
__device__ int fac() {
  if constexpr (N <= 1)
    return 1;
  else
    return N * fac<N - 1>();
}
template <class T, class... R>
__device__ int cnt(T, R... r) {
  if constexpr (sizeof...(R) > 0)
    return 1 + cnt(r...);
  else
    return 1;
}
__global__ void k(int* out) {
  out[0] = f('a') * 100 + f(3.7f);
  out[1] = f(W{});
  out[2] = fac<6>();
  out[3] = cnt(1, 'a', 2.0);
}

// --- values_as_arguments: values of int, char, bool, auto and packs as template arguments
template <int N>
struct A {
  static constexpr int v = N;
};
template <unsigned char N>
struct B {
  static constexpr int v = N;
};
template <bool X>
struct C {
  static constexpr int v = X ? 3 : 4;
};
template <auto V>
struct D {
  static constexpr int v = sizeof(V);
};
template <char... Cs>
struct S {
  static constexpr int n = (0 + ... + (Cs - '0'));
};
__global__ void k(int* out) {
  out[0] = A<-3>::v + A<(3 > 2)>::v;
  out[1] = B<255>::v;
  out[2] = C<(1 < 2)>::v * 10 + C<0>::v;
  out[3] = D<'a'>::v * 1000 + D<1LL>::v * 100 + D<true>::v * 10 + S<'1', '2', '3'>::n;
}

// --- specialised_by_pointer_const_array: specialisations for pointers, const and arrays, one within another
template <class T>
struct K {
  static constexpr int v = 0;
};
template <class T>
struct K<T*> {
  static constexpr int v = 1 + 10 * K<T>::v;
};
template <class T>
struct K<const T> {
  static constexpr int v = 2 + 10 * K<T>::v;
};
template <class T, int N>
struct K<T[N]> {
  static constexpr int v = 3 + 10 * K<T>::v;
};
template <>
struct K<int> {
  static constexpr int v = 7;
};
__global__ void k(int* out) {
  out[0] = K<const int*>::v;
  out[1] = K<int* const>::v;
  out[2] = K<int* [3]>::v;
  out[3] = K<float**>::v + K<int[2][3]>::v * 100;
}

// --- specialised_by_reference: specialisations for T&, T&& and const T&, with decltype
template <class T>
struct R {
  static constexpr int v = 0;
};
template <class T>
struct R<T&> {
  static constexpr int v = 1;
};
template <class T>
struct R<T&&> {
  static constexpr int v = 2;
};
template <class T>
struct R<const T&> {
  static constexpr int v = 3;
};
__global__ void k(int* out) {
  int x = 0;
  const int c = 0;
  out[0] = R<int>::v * 1000 + R<int&>::v * 100 + R<int&&>::v * 10 + R<const int&>::v;
  out[1] = R<decltype((x))>::v * 10 + R<decltype(x)>::v;
  out[2] = R<decltype((c))>::v;
  out[3] = R<decltype(x++)>::v * 10 + R<decltype(++x)>::v;
}

// --- template_as_argument: a class template as template argument, given and deduced
template <class T>
struct Box {
  T v;
  static constexpr int id = 1;
};
template <class T>
struct Pair {
  T a, b;
  static constexpr int id = 2;
};
template <template <class> class C, class T>
struct Use {
  C<T> c;
  static constexpr int v = C<T>::id * 10 + sizeof(C<T>);
};
template <template <class> class C, class T>
__device__ int f(const C<T>&) {
  return C<T>::id * 100 + sizeof(T);
}
template <class T>
struct Un {
  static constexpr int v = 0;
};
template <template <class> class C, class T>
struct Un<C<T>> {
  static constexpr int v = sizeof(T) * 10 + C<T>::id;
};
__global__ void k(int* out) {
  out[0] = Use<Box, int>::v;
  out[1] = f(Pair<short>{});
  out[2] = Un<Pair<double>>::v;
  out[3] = Un<int>::v + Un<Box<char>>::v;
}

// --- matrix_product: a product of matrices whose extents are arguments
template <int R, int C>
struct M {
  float d[R][C];
  static constexpr int rows = R, cols = C;
  template <int K>
  __device__ M<R, K> operator*(const M<C, K>& o) const {
    M<R, K> r{};
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < K; ++j)
        for (int q = 0; q < C; ++q) r.d[i][j] += d[i][q] * o.d[q][j];
    return r;
  }
  __device__ M<C, R> t() const {
    M<C, R> r;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) r.d[j][i] = d[i][j];
    return r;
  }
};
__global__ void k(int* out) {
  M<2, 3> a{{{1, 2, 3}, {4, 5, 6}}};
  auto b = a * a.t();
  out[0] = (int)b.d[0][1];
  out[1] = (int)b.d[1][1];
  out[2] = decltype(a.t())::rows * 10 + decltype(b)::cols;
  out[3] = sizeof(b);
}

// --- functions_by_traits: constants and functions of a trait's specialisations
template <class T>
struct Tr {
  static constexpr int id = 0;
  __device__ static T zero() { return T(0); }
};
template <>
struct Tr<float> {
  static constexpr int id = 1;
  __device__ static float zero() { return 0.5f; }
};
template <class T, int N>
struct Tr<T[N]> {
  static constexpr int id = 10 + N;
};
template <class T>
struct Tr<T*> {
  static constexpr int id = 100 + Tr<T>::id;
};
template <class T>
__device__ int id(const T&) {
  return Tr<T>::id;
}
__global__ void k(int* out) {
  int a[3];
  float* p = nullptr;
  out[0] = id(a);
  out[1] = id(p);
  out[2] = id(1.f) * 10 + id(1.0);
  out[3] = (int)(Tr<float>::zero() * 2) + Tr<int>::zero();
}

// --- expression_in_the_result: a template whose decltype is not valid is out
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

// --- specialised_functions: template <> of functions, with given, deduced and computed arguments
template <typename T> __device__ int f(T) { return sizeof(T); }
template <> __device__ int f<short>(short) { return 50; }
template <> __device__ int f(double) { return 60; }
template <int N, bool B> __device__ int g() { return N; }
template <> __device__ int g<2, true>() { return 70; }
template <> __device__ int g<1 + 2, false>() { return 80; }
__global__ void k(int* out) {
  out[0] = f('a') * 100 + f((short)1);
  out[1] = f<double>(1) + f<int>(short(1));
  out[2] = g<2, true>() * 1000 + g<2, false>() * 100 + g<3, false>();
}

// --- deduced_from_a_base: the parameter is a base of the argument, also by pointer
template <typename Own> struct Shape {
  __device__ int area() const { return static_cast<const Own*>(this)->areaOf(); }
};
struct Square : Shape<Square> {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int areaOf() const { return side * side; }
};
template <typename Own> __device__ int twice(const Shape<Own>& s) { return 2 * s.area(); }
template <typename Own> __device__ int thrice(Shape<Own>* s) { return 3 * s->area(); }
__global__ void k(int* out) {
  Square s(4);
  out[0] = twice(s);
  out[1] = thrice(&s);
}

// --- extents_of_arrays: the extents of arrays of arrays are deduced
template <int N, int M> __device__ int sum(const int (&t)[N][M]) {
  int s = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) s += t[i][j];
  return 10 * s + N;
}
template <typename T, unsigned long N> __device__ void fill(T (&t)[N], T value) {
  for (unsigned long i = 0; i < N; ++i) t[i] = value;
}
__global__ void k(int* out) {
  int m[2][3] = {1, 2, 3, 4, 5, 6};
  int v[3];
  out[0] = sum(m);
  fill(v, 7);
  out[1] = v[0] + v[2];
  fill(m[0], 9);
  out[2] = m[0][2] + m[1][0];
}

// --- unrolled: a function template that calls its other instances
template <int K> __device__ int sum(int x) {
  if constexpr (K == 0)
    return x;
  else
    return sum<K - 1>(x + K);
}
template <int K, bool Odd = (K % 2 == 1), typename T = int> __device__ T f(T x) { return x * K + Odd; }
template <class T, int> __device__ T same(T x) { return x; }
__global__ void k(int* out) {
  out[0] = sum<6>(1);
  out[1] = f<3>(2) * 100 + f<4>(2);
  out[2] = same<int, 3>(2);
}

// --- specialisation_with_a_default: what it leaves out is the template's default
template <class T, class U = char>
struct A {
  static constexpr int v = 1;
};
template <>
struct A<int> {
  static constexpr int v = 2;
};
template <class T, int N = 3>
struct B {
  static constexpr int v = N;
};
template <class T>
struct B<T*> {
  static constexpr int v = 9;
};
__global__ void k(int* out) {
  out[0] = A<int>::v * 10 + A<int, float>::v;
  out[1] = A<int, char>::v;
  out[2] = B<int*>::v * 10 + B<int*, 4>::v;
}
