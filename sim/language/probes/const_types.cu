// --- in_template_arguments: const at the top of a template argument counts
#include <type_traits>
template <class T>
struct K {
  static constexpr int v = 0;
};
template <class T>
struct K<const T> {
  static constexpr int v = 1;
};
template <class T>
struct P {
  static constexpr int v = 0;
};
template <class T>
struct P<T*> {
  static constexpr int v = 1;
};
template <class T>
struct P<T* const> {
  static constexpr int v = 2;
};
template <class T>
struct P<const T*> {
  static constexpr int v = 3;
};
template <class T>
struct V {
  static constexpr int v = 0;
};
template <>
struct V<int*> {
  static constexpr int v = 1;
};
template <>
struct V<int* const> {
  static constexpr int v = 2;
};
template <>
struct V<const int*> {
  static constexpr int v = 3;
};
template <>
struct V<const int* const> {
  static constexpr int v = 4;
};
template <>
struct V<int* const*> {
  static constexpr int v = 5;
};
template <>
struct V<int**> {
  static constexpr int v = 6;
};
template <>
struct V<const int> {
  static constexpr int v = 7;
};
template <>
struct V<int> {
  static constexpr int v = 8;
};
using CP = int* const;
using CI = const int;
typedef const int* PC;
template <class T>
struct Vec {};
template <class T>
struct Q {
  static constexpr int v = 0;
};
template <class T>
struct Q<Vec<T>> {
  static constexpr int v = 1;
};
template <class T>
struct Q<const Vec<T>> {
  static constexpr int v = 2;
};
__global__ void k(int* out) {
  int i = 0;
  out[i++] = K<int* const>::v;
  out[i++] = K<const int>::v;
  out[i++] = K<int>::v;
  out[i++] = K<const int*>::v;
  out[i++] = K<CP>::v;
  out[i++] = K<CI>::v;
  out[i++] = K<PC>::v;
  out[i++] = P<int*>::v;
  out[i++] = P<int* const>::v;
  out[i++] = P<const int*>::v;
  out[i++] = P<int>::v;
  out[i++] = V<int*>::v;
  out[i++] = V<int* const>::v;
  out[i++] = V<const int*>::v;
  out[i++] = V<const int* const>::v;
  out[i++] = V<int* const*>::v;
  out[i++] = V<int**>::v;
  out[i++] = V<CI>::v;
  out[i++] = V<int>::v;
  out[i++] = V<CP*>::v;
  out[i++] = V<const CP>::v;
  out[i++] = Q<Vec<int>>::v;
  out[i++] = Q<const Vec<int>>::v;
  out[i++] = std::is_same_v<int* const, int*>;
  out[i++] = std::is_same_v<const int, int>;
  out[i++] = std::is_same_v<std::remove_const_t<int* const>, int*>;
  out[i++] = std::is_const_v<int* const>;
  out[i++] = std::is_const_v<const int*>;
  out[i++] = std::is_pointer_v<int* const>;
  out[i++] = std::is_same_v<std::remove_pointer_t<const int*>, const int>;
  out[i++] = std::is_same_v<std::add_const_t<int>, const int>;
  out[i++] = std::is_const_v<std::add_const_t<int*>>;
  out[i++] = std::is_same_v<std::remove_cv_t<const long>, long>;
  out[i++] = std::is_same_v<int* const*, int**>;
}

// --- through_aliases: const that aliases, defaults and packs pass on
template <class T>
struct IsC {
  static constexpr int v = 0;
};
template <class T>
struct IsC<const T> {
  static constexpr int v = 1;
};
template <class T>
struct Rm {
  using type = T;
};
template <class T>
struct Rm<const T> {
  using type = T;
};
template <class A, class B>
struct Same {
  static constexpr int v = 0;
};
template <class A>
struct Same<A, A> {
  static constexpr int v = 1;
};
template <class T>
using Add = const T;
template <class T>
using Ptr = T*;
template <class T>
using CPtr = T* const;
template <class T>
struct Holder {
  using value_type = T;
  using pointer = T*;
  using cpointer = const T*;
  using pconst = T* const;
};
template <class T, class U = const T>
struct Def {
  static constexpr int v = IsC<U>::v;
};
template <class... T>
struct Count {
  static constexpr int v = (0 + ... + IsC<T>::v);
};
template <class T>
__device__ int deduced(T*) {
  return IsC<T>::v;
}
template <class T>
__device__ int ptr(const T*) {
  return IsC<T>::v;
}
template <class T>
__device__ int cref(const T&) {
  return IsC<T>::v;
}
template <class K, class V>
struct Map {
  static constexpr int v = 0;
};
template <class V>
struct Map<const int, V> {
  static constexpr int v = 1;
};
template <class K>
struct Map<K, const int> {
  static constexpr int v = 2;
};
template <class T>
struct Node {
  T* next;
  static constexpr int c = IsC<T>::v;
};
template <class T>
struct Arr {
  static constexpr int v = 0;
};
template <class T, int n>
struct Arr<const T[n]> {
  static constexpr int v = n;
};
__global__ void k(int* out) {
  int i = 0;
  out[i++] = IsC<Add<int>>::v;
  out[i++] = IsC<CPtr<int>>::v;
  out[i++] = IsC<Ptr<const int>>::v;
  out[i++] = IsC<Ptr<int> const>::v;
  out[i++] = IsC<const Ptr<int>>::v;
  out[i++] = Same<const Ptr<int>, int* const>::v;
  out[i++] = Same<Ptr<Add<int>>, const int*>::v;
  out[i++] = Same<Holder<const int>::value_type, const int>::v;
  out[i++] = Same<Holder<const int>::pointer, const int*>::v;
  out[i++] = IsC<Holder<int>::pconst>::v;
  out[i++] = Same<Holder<int*>::cpointer, int* const*>::v;
  out[i++] = Def<int>::v;
  out[i++] = Def<int, int>::v;
  out[i++] = Count<int, const int, int* const, const int*>::v;
  const int c = 1;
  int x = 2;
  out[i++] = deduced((const int*)&x) * 10 + deduced(&x);
  out[i++] = ptr(&x);
  out[i++] = cref(c);
  out[i++] = Map<const int, char>::v * 10 + Map<int, const int>::v;
  out[i++] = Same<Rm<int* const>::type, int*>::v;
  out[i++] = Same<Rm<const int*>::type, const int*>::v;
  out[i++] = Node<const Node<int>>::c;
  out[i++] = Arr<const char[5]>::v + Arr<char[5]>::v;
  out[i++] = Same<int const, const int>::v + Same<const int* const, int const* const>::v;
  out[i++] = Same<int**, int* const*>::v + Same<int* const* const, int* const*>::v;
  int* const p = &x;
  out[i++] = Same<Rm<Rm<const int>::type>::type, int>::v;
}

// --- added_to_pointers: conversions that add const at several levels
__device__ int f(const int* const* p) { return **p; }
__device__ int g(int* const* p) { return **p + 1; }
__device__ int h(int* const p) { return *p + 2; }
__device__ int o(int* const*) { return 1; }
__device__ int o(const int* const*) { return 2; }
template <class T>
__device__ int dt(T* const p) {
  return sizeof(T);
}
template <class T>
__device__ int du(T* const* p) {
  return sizeof(T);
}
__global__ void k(int* out) {
  int x = 5;
  int* p = &x;
  int** pp = &p;
  out[0] = f(pp);
  out[1] = g(pp);
  out[2] = h(p);
  int* const c = p;
  int* const* cp = &c;
  out[3] = **cp;
  const int* const* q = pp;
  out[4] = **q;
  out[6] = dt(p);
  out[7] = du(pp);
  *c = 9;
  out[8] = x;
  int* const arr[2] = {&x, &x};
  out[9] = *arr[1];
  int* const& r = p;
  out[10] = *r;
}

// --- more_special: of two specialisations the one that is for less
template <class T>
struct P {
  static constexpr int v = 0;
};
template <class T>
struct P<T*> {
  static constexpr int v = 1;
};
template <class T>
struct P<const T*> {
  static constexpr int v = 2;
};
template <class T>
struct P<T**> {
  static constexpr int v = 3;
};
template <class T>
struct P<T* const> {
  static constexpr int v = 4;
};
template <class A, class B>
struct Q {
  static constexpr int v = 0;
};
template <class A, class B>
struct Q<A, B*> {
  static constexpr int v = 1;
};
template <class A>
struct Q<A, A> {
  static constexpr int v = 2;
};
template <class A>
struct Q<A*, A*> {
  static constexpr int v = 3;
};
template <class A>
struct Q<int, A> {
  static constexpr int v = 4;
};
template <class A>
struct Q<int, A*> {
  static constexpr int v = 5;
};
template <class T>
struct Vec {};
template <class T>
struct R {
  static constexpr int v = 0;
};
template <template <class> class C, class T>
struct R<C<T>> {
  static constexpr int v = 1;
};
template <class T>
struct R<Vec<T>> {
  static constexpr int v = 2;
};
template <class T>
struct R<Vec<T*>> {
  static constexpr int v = 3;
};
template <class T, int N>
struct A {
  static constexpr int v = 0;
};
template <class T>
struct A<T, 1> {
  static constexpr int v = 1;
};
template <class T>
struct A<T*, 1> {
  static constexpr int v = 2;
};
template <class T, int N>
struct A<T[N], N> {
  static constexpr int v = 3;
};
template <class T>
constexpr int var = 0;
template <class T>
constexpr int var<T*> = 1;
template <class T>
constexpr int var<const T*> = 2;
__global__ void k(int* out) {
  int i = 0;
  out[i++] = P<int>::v;
  out[i++] = P<int*>::v;
  out[i++] = P<const int*>::v;
  out[i++] = P<int**>::v;
  out[i++] = P<int* const>::v;
  out[i++] = Q<float, char>::v;
  out[i++] = Q<float, char*>::v;
  out[i++] = Q<float, float>::v;
  out[i++] = Q<float*, float*>::v;
  out[i++] = Q<int, char>::v;
  out[i++] = Q<int, char*>::v;
  out[i++] = R<int>::v;
  out[i++] = R<Vec<int>>::v;
  out[i++] = R<Vec<int*>>::v;
  out[i++] = A<int, 2>::v;
  out[i++] = A<int, 1>::v;
  out[i++] = A<int*, 1>::v;
  out[i++] = A<int[3], 3>::v;
  out[i++] = A<int[3], 2>::v;
  out[i++] = var<int> + var<int*> * 10 + var<const int*> * 100;
}

// --- views_of_const: a class of const T has const targets, given to a function of const T&
template <typename T> struct View {
  T* data;
  __device__ T& operator[](int i) const { return data[i]; }
};
template <typename T> __device__ int twice(T& x) { return 2 * x; }
__device__ int f(int& x) { return 1; }
__device__ int f(const int& x) { return 2; }
__global__ void k(int* out) {
  int own[4] = {1, 2, 3, 4};
  View<const int> view{own};
  View<int> open{own};
  open[2] = 9;
  out[0] = view[2] * 10 + twice<const int>(view[0]);
  out[1] = f(view[0]) * 100 + f(open[0]) * 10 + f(5);
}
