// --- defaulted_and_deleted: = default is what the compiler makes, a deleted function can be chosen, too
struct A {
  int v;
  A() = default;
  __device__ A(int v) : v(v) {}
  A(const A&) = default;
  A& operator=(const A&) = default;
};
struct B {
  A a{4};
  B() = default;
  __device__ explicit B(int x) : a(x) {}
  __device__ int f(int) = delete;
  __device__ int f(double d) { return (int)d; }
};
__global__ void k(int* out) {
  B b;
  B c(7);
  A a;
  a = c.a;
  out[0] = b.a.v * 10 + c.a.v;
  out[1] = a.v;
  out[2] = b.f(2.5);
  A z{};
  out[3] = z.v;
}

// --- class_in_a_function: a class, a union and a typedef within a function
__global__ void k(int* out) {
  struct P {
    int a;
    __device__ int f() const { return a * 2; }
    __device__ bool operator<(const P& o) const { return a < o.a; }
    enum { Z = 4 };
  };
  P p{3}, q{4};
  out[0] = (p < q) * 10 + (q < p);
  out[1] = p.f() + P::Z;
  union {
    int i;
    float f;
  } u;
  u.f = 2.f;
  out[2] = u.i >> 23;
  typedef P PA[2];
  PA r = {{5}, {6}};
  out[3] = r[1].f() + sizeof(PA);
}

// --- inherited_constructors: using A::A brings the constructors, initial values come after them
struct A {
  int x, y;
  __device__ A(int x) : x(x), y(1) {}
  __device__ A(int x, double d) : x(x), y((int)(d * 2)) {}
};
struct B : A {
  using A::A;
  int z = x + 1;
  __device__ B() : A(50) {}
};
__global__ void k(int* out) {
  B a(3);
  B b(4, 2.5);
  B c;
  out[0] = a.x * 100 + a.y * 10 + a.z;
  out[1] = b.x * 100 + b.y * 10 + b.z;
  out[2] = c.x + c.z;
  B d{8};
  out[3] = d.z;
}

// --- members_hide_the_base_s: a member hides the base's of its name, a parameter hides both
struct B {
  int x = 1;
  int y = 2;
};
struct D : B {
  int x = 5;
  __device__ int f(int y) { return x * 100 + B::x * 10 + y; }
  __device__ void set(int x) {
    this->x = x;
    x = 99;
    B::x = this->x + 1;
  }
};
__global__ void k(int* out) {
  D d;
  out[0] = d.f(3);
  d.set(7);
  out[1] = d.f(0);
  B& b = d;
  out[2] = b.x * 10 + d.x;
  out[3] = sizeof(D);
}

// --- two_bases: the second base lies behind the first, and pointers to it are moved, unless null
struct A {
  int a = 1;
  __device__ int f() { return a; }
};
struct B {
  int b = 2;
  __device__ int g() { return b; }
};
struct C : A, B {
  int c = 3;
  __device__ int h() { return f() * 100 + g() * 10 + c; }
};
__device__ int viaB(B* p) { return p->b; }
__global__ void k(int* out) {
  C c;
  out[0] = c.h();
  out[1] = viaB(&c);
  B* p = &c;
  out[2] = (int)((char*)p - (char*)&c);
  C* q = static_cast<C*>(p);
  out[3] = (q == &c) * 10 + ((B*)nullptr == static_cast<B*>((C*)nullptr));
}

// --- mutable_and_pointers: a const object changes its mutable members and what its pointers point to
struct S {
  mutable int n = 0;
  int* p;
  const int* q;
  __device__ int f() const {
    ++n;
    *p += 5;
    return n;
  }
};
__global__ void k(int* out) {
  int x = 1;
  const S s{0, &x, &x};
  s.f();
  int q = s.f();
  out[0] = q * 10 + s.n;
  out[1] = x;
  S t = s;
  t.n = 50;
  out[2] = t.n + s.n;
  out[3] = *t.q;
}

// --- classes_in_classes: nested classes see the constants, types and functions of those around them
struct O {
  static constexpr int N = 2;
  struct I {
    int v = N * 3;
    struct J {
      int w = N + 5;
    };
    __device__ int f() { return v + g(); }
    __device__ static int g() { return 100; }
  };
  using T = short;
  enum K { A = 5, B };
  I i;
  I::J j;
  __device__ K kk(T t) { return t > 3 ? B : A; }
};
__global__ void k(int* out) {
  O o;
  out[0] = o.i.f();
  out[1] = o.j.w;
  O::I::J j{};
  out[2] = j.w + sizeof(O::T);
  out[3] = o.kk(70000) * 10 + o.kk(5);
}

// --- lifetime_of_temporaries: a temporary lives to the end of its expression, or as long as its reference
struct T {
  int* p;
  int v;
  __device__ T(int* p, int v) : p(p), v(v) {}
  __device__ ~T() { *p = *p * 10 + v; }
  __device__ int get() const { return *p; }
};
__global__ void k(int* out) {
  int x = 0;
  int r = T(&x, 1).get();
  out[0] = x * 10 + r;
  x = 0;
  {
    const T& t = T(&x, 2);
    x += 5;
    out[1] = t.get();
  }
  out[2] = x;
  x = 0;
  {
    T a(&x, 3);
    T(&x, 4);
    x += 1;
  }
  out[3] = x;
}

// --- destroyed_in_reverse: variables are destroyed in the reverse order at the end of their block
struct D {
  int* p;
  int v;
  __device__ D(int* p, int v) : p(p), v(v) {}
  __device__ ~D() { *p = *p * 10 + v; }
};
__global__ void k(int* out) {
  int x = 0;
  {
    D a(&x, 1);
    D b(&x, 2);
    { D c(&x, 3); }
  }
  out[0] = x;
}

// --- later_members_are_seen: the body of a member function sees later members, before outer names
constexpr int n = 1;
struct S {
  __device__ int f() { return n + g(); }
  static constexpr int n = 5;
  __device__ int g() { return late * 10; }
  int late = 3;
};
__global__ void k(int* out) {
  S s;
  out[0] = s.f();
  out[1] = n;
}

// --- const_reaches_members: a const object has const members, but what its pointers point to is not
struct I {
  __device__ int f() { return 1; }
  __device__ int f() const { return 2; }
};
struct S {
  I i;
  I* p;
  I a[2];
  __device__ int g() const { return i.f() * 100 + p->f() * 10 + a[1].f(); }
};
__global__ void k(int* out) {
  I x;
  S s;
  s.p = &x;
  const S& c = s;
  out[0] = s.g();
  out[1] = c.i.f() * 10 + s.i.f();
  out[2] = c.a[0].f();
  auto& r = c.i;
  out[3] = r.f() * 10 + c.p->f();
}

// --- linked_list: a list on the heap with its destructor and a template over its values
struct N {
  int v;
  N* next;
};
struct L {
  N* h = nullptr;
  int n = 0;
  __device__ void push(int v) {
    h = new N{v, h};
    ++n;
  }
  __device__ void rev() {
    N* p = nullptr;
    while (h) {
      N* t = h->next;
      h->next = p;
      p = h;
      h = t;
    }
    h = p;
  }
  __device__ ~L() {
    while (h) {
      N* t = h;
      h = h->next;
      delete t;
    }
  }
  template <class F>
  __device__ void each(F f) const {
    for (const N* p = h; p; p = p->next) f(p->v);
  }
};
__global__ void k(int* out) {
  L l;
  for (int i = 1; i < 5; ++i) l.push(i);
  int s = 0;
  l.each([&](int v) { s = s * 10 + v; });
  out[0] = s;
  l.rev();
  s = 0;
  l.each([&s](int v) { s = s * 10 + v; });
  out[1] = s;
  out[2] = l.n;
}

// --- const_and_pointer_members: a const object's pointer member is const itself, not its target
struct S {
  int* p;
  int a[2];
  __device__ int* get() const { return p; }
  __device__ const int* arr() const { return a; }
  __device__ int* arr() { return a; }
};
__device__ int f(const int*) { return 1; }
__device__ int f(int*) { return 2; }
__global__ void k(int* out) {
  int x = 1;
  S s{&x, {1, 2}};
  const S c = s;
  *c.get() = 9;
  out[0] = x;
  out[1] = f(s.arr()) * 10 + f(c.arr());
  out[2] = f(c.p) * 10 + f(c.get());
  out[3] = f(s.a) * 10 + f(c.a);
}

// --- specialised_members: template <> int V<int>::f() replaces one member
template <class T, int N>
struct V {
  T x;
  __device__ int f() const { return N; }
  __device__ static int g(T) { return 1; }
  __device__ int h(int);
};
template <class T, int N>
__device__ int V<T, N>::h(int a) {
  return a + N;
}
template <>
__device__ int V<int, 3>::f() const {
  return 30;
}
template <>
__device__ int V<char, 2>::g(char) {
  return 20;
}
template <>
__device__ int V<int, 4>::h(int a) {
  return a * 100;
}
__global__ void k(int* out) {
  V<int, 3> a{1};
  V<int, 2> b{1};
  out[0] = a.f() * 10 + b.f();
  out[1] = V<char, 2>::g('a') * 10 + V<char, 3>::g('a');
  V<int, 4> c{0};
  out[2] = c.h(2) * 10 + b.h(1);
}

// --- members_of_specialisations: members of a specialisation that are defined outside it
template <class T>
struct V {
  __device__ int f();
};
template <class T>
__device__ int V<T>::f() {
  return 1;
}
template <>
struct V<bool> {
  __device__ int f();
  int q = 3;
};
__device__ int V<bool>::f() { return q; }
template <class T>
struct V<T*> {
  __device__ int f();
};
template <class U>
__device__ int V<U*>::f() {
  return 5;
}
__global__ void k(int* out) { out[0] = V<int>().f() * 100 + V<bool>().f() * 10 + V<int*>().f(); }

// --- specialised_member_templates: a specialised template of a member
template <class T>
struct S {
  template <class U>
  __device__ int g(U) {
    return 1;
  }
  static constexpr int v = 3;
};
template <>
struct S<bool> {
  template <class U>
  __device__ int g(U) {
    return 2;
  }
  static constexpr int v = 4;
};
template <>
template <>
__device__ int S<char>::g(int) {
  return 9;
}
__global__ void k(int* out) {
  out[0] = S<int>().g(1);
  out[1] = S<bool>().g(1);
  out[2] = S<char>().g(1) * 10 + S<char>().g(1.0);
  out[3] = S<bool>::v * 10 + S<short>::v;
}

// --- temporaries_end: an unnamed object ends with its statement
struct T {
  int* p;
  int v;
  __device__ T(int* p, int v) : p(p), v(v) {}
  __device__ ~T() { *p = *p * 10 + v; }
  __device__ int get() const { return v; }
};
__device__ int f(const T& t) { return t.v; }
__global__ void k(int* out) {
  int x = 0;
  out[0] = f(T(&x, 1)) + 100;
  out[1] = x;
  int r = T(&x, 2).get();
  out[2] = x * 10 + r;
}

// --- temporaries_bound: a reference keeps an unnamed object
struct T {
  int* p;
  int v;
  __device__ T(int* p, int v) : p(p), v(v) {}
  __device__ ~T() { *p = *p * 10 + v; }
  __device__ int get() const { return *p; }
};
__global__ void k(int* out) {
  int x = 0;
  int r = T(&x, 1).get();
  out[0] = x * 10 + r;
  x = 0;
  {
    const T& t = T(&x, 2);
    x += 5;
    out[1] = t.get();
  }
  out[2] = x;
  x = 0;
  {
    T a(&x, 3);
    T(&x, 4);
    x += 1;
  }
  out[3] = x;
}

// --- constant_hides_a_field: a static member of a derived class, and a type, before the base's field
struct B {
  unsigned x = 32;
  int t = 4;
};
struct S : B {
  static constexpr bool x = 47;
  using t = char;
  __device__ int h() const { return x * 10 + sizeof(t); }
};
__global__ void k(int* out) {
  out[0] = S().h();
  out[1] = S::x + sizeof(S::t);
  out[2] = S().B::x;
}

// --- room_behind_a_base: a base with initial values or a constructor lends its padding, a plain one does not
struct A1 {
  long long b;
  int a;
};
struct A2 {
  long long b;
  int a = 3;
};
struct A3 {
  long long b;
  int a;
  A3() = default;
};
struct A4 {
  long long b;
  A2 a;
  int c;
};
struct D1 : A1 {
  int c;
};
struct D2 : A2 {
  int c;
};
struct D3 : A3 {
  int c;
};
struct D4 : A4 {
  int d;
};
__global__ void k(int* out) {
  out[0] = sizeof(D1) * 100 + sizeof(D2);
  out[1] = sizeof(D3) * 100 + sizeof(D4);
}

// --- delegating: a constructor that calls another one, and defaults of members
struct S {
  int a, b = 5;
  __device__ S(int a, int b) : a(a), b(b) {}
  __device__ S(int a) : S(a, 7) { ++this->b; }
  __device__ S() : a(2) {}
};
__global__ void k(int* out) {
  S x(3), y, z{1, 2};
  out[0] = x.a * 10 + x.b;
  out[1] = y.a * 10 + y.b;
  out[2] = z.a * 10 + z.b;
}

// --- friends_see_all: friend functions and classes
class A {
  int v = 3;
  friend struct B;
  friend __device__ int peek(const A& a) { return a.v; }
  friend __device__ int poke(A& a);
};
struct B {
  __device__ int f(const A& a) { return a.v * 2; }
};
__device__ int poke(A& a) { return a.v += 4; }
__global__ void k(int* out) {
  A a;
  out[0] = peek(a) * 10 + B().f(a);
  out[1] = poke(a);
}

// --- static_members: functions, constants, of templates
template <class T>
struct S {
  static constexpr int kSize = sizeof(T);
  static constexpr T kTable[3] = {1, 2, 3};
  __device__ static T at(int i) { return kTable[i] * kSize; }
};
struct U : S<short> {
  static const int kOwn = kSize + 1;
};
__global__ void k(int* out) {
  out[0] = S<int>::at(1) * 100 + S<short>::kTable[2] * 10 + U::kOwn;
  U u;
  out[1] = u.at(2) * 10 + u.kSize;
}
