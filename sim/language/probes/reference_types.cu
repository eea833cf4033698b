// --- specialisation_for_references: T&, T&& and T are for different arguments
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<T&> {
  static constexpr int v = 1;
};
template <class T>
struct N<T&&> {
  static constexpr int v = 2;
};
template <class T>
struct N<const T&> {
  static constexpr int v = 3;
};
__global__ void k(int* out) {
  out[0] = N<int>::v;
  out[1] = N<int&>::v;
  out[2] = N<int&&>::v;
  out[3] = N<const int&>::v;
  out[4] = N<const int>::v;
  out[5] = N<int*&>::v;
}

// --- whole_specialisation_for_a_reference: template <> for int&
template <class T>
struct N {
  static constexpr int v = 0;
};
template <>
struct N<int&> {
  static constexpr int v = 1;
};
__global__ void k(int* out) {
  out[0] = N<int>::v;
  out[1] = N<int&>::v;
  out[2] = N<const int&>::v;
}

// --- variable_template_for_references: its specialisation for T&
template <class T>
constexpr int n = 0;
template <class T>
constexpr int n<T&> = 1;
__global__ void k(int* out) {
  out[0] = n<int>;
  out[1] = n<int&>;
}

// --- decltype_as_an_argument: an lvalue gives a reference, a name its type
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<T&> {
  static constexpr int v = 1;
};
template <class T>
struct N<T&&> {
  static constexpr int v = 2;
};
template <class T>
struct N<const T&> {
  static constexpr int v = 3;
};
template <class T>
struct N<const T> {
  static constexpr int v = 4;
};
__device__ int& same(int& x) { return x; }
__device__ int&& moved(int& x) { return (int&&)x; }
struct S {
  int a;
  const int b = 1;
  int& r;
};
__global__ void k(int* out) {
  int x = 1, y = 2;
  const int c = 3;
  bool b = true;
  out[0] = N<decltype(x)>::v * 10 + N<decltype((x))>::v;
  out[1] = N<decltype(b ? x : y)>::v;
  out[2] = N<decltype(++x)>::v * 10 + N<decltype(x++)>::v;
  out[3] = N<decltype(same(x))>::v * 10 + N<decltype(moved(x))>::v;
  out[4] = N<decltype((c))>::v * 10 + N<decltype(c)>::v;
  out[5] = N<decltype((int&&)x)>::v * 10 + N<decltype((int&)x)>::v;
  S* p = nullptr;
  const S* q = nullptr;
  out[6] = N<decltype(p->a)>::v * 10 + N<decltype((p->a))>::v;
  out[7] = N<decltype(p->b)>::v * 10 + N<decltype((p->b))>::v;
  out[8] = N<decltype(q->a)>::v * 10 + N<decltype((q->a))>::v;
  out[9] = N<decltype(p->r)>::v;
  auto&& z = x;
  auto&& w = 1;
  out[10] = N<decltype(z)>::v * 10 + N<decltype(w)>::v;
}

// --- decltype_of_a_binding: its type is that of what it names, and a variable of it is a copy
struct P {
  int a, b;
};
__global__ void k(int* out) {
  P p{1, 2};
  auto& [x, y] = p;
  decltype(x) z = x;
  z = 9;
  out[0] = p.a;
  out[1] = z;
  decltype((y)) r = y;
  r = 7;
  out[2] = p.b;
}

// --- deduced_by_a_forwarding_parameter: T is a reference for an lvalue
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<T&> {
  static constexpr int v = 1;
};
template <class T>
__device__ int f(T&&) {
  return N<T>::v;
}
__global__ void k(int* out) {
  int x = 0;
  out[0] = f(x);
  out[1] = f(1);
  out[2] = f(static_cast<int&&>(x));
}

// --- instances_of_their_own: f<int> and f<int&> have static variables of their own
template <class T>
__device__ int f(T&&) {
  static int n = 0;
  return ++n;
}
__global__ void k(int* out) {
  int x = 1;
  f(1);
  out[0] = f(x);
  out[1] = f(2);
}

// --- alias_of_a_reference: using R = int&
using R = int&;
typedef const int& C;
__global__ void k(int* out) {
  int x = 1;
  R r = x;
  C c = x;
  r = 3;
  out[0] = x + c;
}

// --- alias_in_a_class: a container's reference
template <class T>
struct V {
  T t;
  using reference = T&;
  typedef const T& const_reference;
  __device__ reference at() { return t; }
  __device__ const_reference at() const { return t; }
  __device__ void set(const_reference x) { t = x; }
};
__global__ void k(int* out) {
  V<int> v{1};
  v.at() = 3;
  out[0] = v.t;
  V<int>::reference r = v.at();
  r = 7;
  out[1] = v.t;
  v.set(9);
  const V<int>& c = v;
  V<int>::const_reference cr = c.at();
  out[2] = cr;
}

// --- field_of_a_reference_by_its_argument: V<int&> refers
template <class T>
struct V {
  T t;
};
__global__ void k(int* out) {
  int x = 1;
  V<int&> v{x};
  v.t = 3;
  out[0] = x;
  out[1] = sizeof(V<int&>);
}

// --- references_to_references: T& of T = U&& is U&
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<T&> {
  static constexpr int v = 1;
};
template <class T>
struct N<T&&> {
  static constexpr int v = 2;
};
template <class T>
using L = T&;
template <class T>
using X = T&&;
__global__ void k(int* out) {
  out[0] = N<L<int>>::v * 10 + N<X<int>>::v;
  out[1] = N<L<int&&>>::v * 10 + N<X<int&>>::v;
  out[2] = N<X<int&&>>::v * 10 + N<L<int&>>::v;
}

// --- const_of_a_reference: const T with T = int& is int&
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<T&> {
  static constexpr int v = 1;
};
template <class T>
struct N<const T&> {
  static constexpr int v = 2;
};
template <class T>
using Const = const T;
__global__ void k(int* out) {
  out[0] = N<Const<int&>>::v;
  out[1] = N<Const<int>&>::v;
}

// --- traits_of_references: they ask, remove and add
#include <type_traits>
__global__ void k(int* out) {
  out[0] = std::is_reference_v<int&> + 2 * std::is_reference_v<int> + 4 * std::is_rvalue_reference_v<int&&>;
  out[1] = std::is_same_v<std::remove_reference_t<const int&>, const int>;
  out[2] = std::is_same_v<std::add_lvalue_reference_t<int>, int&>;
  out[3] = std::is_same_v<std::add_rvalue_reference_t<int&>, int&>;
  out[4] = std::is_same_v<std::decay_t<const int&>, int>;
  out[5] = std::is_same_v<std::remove_cvref_t<const int&&>, int>;
  out[6] = std::is_integral_v<int&> + 2 * std::is_integral_v<int>;
  out[7] = std::is_same_v<std::decay_t<const int (&)[3]>, const int*>;
}

// --- parameter_by_an_argument_that_is_a_reference: passed by reference
template <class T>
__device__ void add(T x) {
  x += 2;
}
__global__ void k(int* out) {
  int x = 1;
  add<int&>(x);
  out[0] = x;
}

// --- result_by_an_argument_that_is_a_reference: the place, not its value
template <class T>
__device__ T pass(T&& x) {
  return static_cast<T&&>(x);
}
__global__ void k(int* out) {
  int x = 1;
  pass(x) = 5;
  out[0] = x;
  out[1] = pass(3);
}

// --- volatile_specialisation: volatile is part of an argument
template <class T>
struct N {
  static constexpr int v = 0;
};
template <class T>
struct N<volatile T> {
  static constexpr int v = 1;
};
template <class T>
struct N<T*> {
  static constexpr int v = 2;
};
template <class T>
struct N<const volatile T> {
  static constexpr int v = 3;
};
__global__ void k(int* out) {
  out[0] = N<int>::v;
  out[1] = N<volatile int>::v;
  out[2] = N<int* volatile>::v;
  out[3] = N<volatile int*>::v;
  out[4] = N<const volatile int>::v;
  out[5] = N<const int>::v;
}

// --- volatile_distinguishes_types: int and volatile int are two types
#include <type_traits>
template <class T, class U>
struct S {
  static constexpr int v = 0;
};
template <class T>
struct S<T, T> {
  static constexpr int v = 1;
};
__global__ void k(int* out) {
  out[0] = S<int, volatile int>::v;
  out[1] = S<int*, volatile int*>::v;
  out[2] = S<int*, int* volatile>::v;
  out[3] = std::is_same_v<std::remove_cv_t<const volatile int>, int>;
  out[4] = std::is_same_v<std::remove_volatile_t<volatile int>, int>;
}

// --- values_of_auto_have_types: 1 and 1L are different arguments
template <auto V>
struct S {
  static constexpr int v = 1;
};
template <>
struct S<1L> {
  static constexpr int v = 2;
};
template <>
struct S<'\1'> {
  static constexpr int v = 3;
};
__global__ void k(int* out) {
  out[0] = S<1>::v;
  out[1] = S<1L>::v;
  out[2] = S<'\1'>::v;
  out[3] = S<true>::v;
}

// --- static_variables_of_local_types: types of one name in two functions
template <class T>
__device__ int f(T) {
  static int n = 0;
  return ++n;
}
__device__ int a() {
  struct L {};
  return f(L());
}
__device__ int b() {
  struct L {};
  return f(L());
}
__global__ void k(int* out) {
  a();
  out[0] = b();
}
