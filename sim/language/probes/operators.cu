// --- subscript_and_call: operator[] and operator() with and without const, and a template of it
struct Mat {
  int d[6];
  __device__ int& operator()(int r, int c) { return d[r * 3 + c]; }
  __device__ int operator()(int r, int c) const { return -d[r * 3 + c]; }
  __device__ int* operator[](int r) { return d + r * 3; }
  __device__ int operator()() const { return 77; }
};
struct Cl {
  int n;
  template <class T>
  __device__ T operator()(T t) const {
    return t * n;
  }
};
__global__ void k(int* out) {
  Mat m{};
  m(1, 2) = 5;
  m[0][1] = 7;
  const Mat& c = m;
  out[0] = m[1][2] * 10 + m(0, 1);
  out[1] = c(1, 2);
  out[2] = c();
  out[3] = Cl{3}(4) * 10 + (int)(Cl{2}(1.6));
}

// --- operators_of_the_base: a derived class uses its base's += and ==
struct P {
  int x = 1;
  __device__ P& operator+=(const P& o) {
    x += o.x;
    return *this;
  }
  __device__ bool operator==(const P& o) const { return x == o.x; }
};
struct C : P {
  int c = 4;
};
__global__ void k(int* out) {
  C a, b;
  a += b;
  out[0] = a.x * 10 + a.c;
  out[1] = a == b;
  C d = a;
  out[2] = d.x * 10 + d.c;
}

// --- compound_assignments_of_a_class: operator+= on narrow members, and on what another += returns
struct A {
  unsigned char c;
  short s;
  __device__ A& operator+=(int x) {
    c += x;
    s -= x;
    return *this;
  }
  __device__ A operator*(float f) const { return A{(unsigned char)(c * f), (short)(s * f)}; }
};
__global__ void k(int* out) {
  A a{250, 5};
  a += 10;
  out[0] = a.c * 100 + a.s;
  A b = a * 1.5f;
  out[1] = b.c * 100 + b.s;
  (a += 1) += 2;
  out[2] = a.c;
  a.c = -1;
  a.s = 40000;
  out[3] = a.c + a.s;
}

// --- call_operators: several operator() of a class are chosen among like functions
struct F {
  __device__ int operator()(int) const { return 1; }
  __device__ int operator()(double) const { return 2; }
  __device__ int operator()(int, int) const { return 3; }
  __device__ int operator()(const char*) const { return 4; }
  template <class T>
  __device__ int operator()(T*) const {
    return 5;
  }
};
__global__ void k(int* out) {
  F f;
  int x = 0;
  out[0] = f('a') * 10 + f(1.5f);
  out[1] = f(1, 2) * 10 + f("s");
  out[2] = f(&x);
  out[3] = F()(1.0) * 10 + F{}(2);
}

// --- members_and_free_functions: operators as members and as functions, unary and binary, by constness
struct A {
  int v;
  __device__ int operator+(int x) const { return v + x; }
};
__device__ int operator+(int x, const A& a) { return a.v * 100 + x; }
__device__ int operator-(A& a, int) { return 1; }
__device__ int operator-(const A& a, int) { return 2; }
__device__ A operator-(const A& a) { return A{-a.v}; }
__device__ int operator-(const A& a, const A& b) { return a.v - b.v; }
__global__ void k(int* out) {
  A a{3};
  const A c{4};
  out[0] = a + 1;
  out[1] = 1 + a;
  out[2] = (a - 0) * 10 + (c - 0);
  out[3] = (-a).v * 10 + (c - a);
}

// --- templates_in_a_namespace: operator templates are found by their arguments and leave int alone
namespace m {
struct V {
  int x;
};
template <class T>
__device__ T operator+(T a, T b) {
  return T{a.x + b.x};
}
template <class T>
__device__ bool operator==(const T& a, const T& b) {
  return a.x == b.x + 1;
}
__device__ V operator*(V a, int s) { return {a.x * s}; }
__device__ V& operator+=(V& a, V b) {
  a.x += b.x * 2;
  return a;
}
}  // namespace m
__global__ void k(int* out) {
  m::V a{3}, b{2};
  out[0] = (a + b).x * 10 + (1 + 2);
  out[1] = (a == b) * 10 + (1 == 1);
  out[2] = (a * 3).x;
  a += b;
  out[3] = a.x;
}

// --- operators_of_classes: members and functions are candidates together
struct V {
  int x;
  __device__ V operator+(const V& o) const { return {x + o.x}; }
  __device__ bool operator==(const V& o) const { return x == o.x; }
};
__device__ V operator*(int a, V b) { return {a * b.x}; }
__device__ V operator*(V b, int a) { return {a * b.x + 100}; }
struct F {
  float y;
  __device__ F(float y) : y(y) {}
};
__device__ int operator-(F a, F b) { return (int)(a.y - b.y); }
__global__ void k(int* out) {
  V a{1}, b{2};
  out[0] = (a + b).x * 10 + (a == b);
  out[1] = (2 * a).x;
  out[2] = (a * 2).x;
  out[3] = (F(5.0f) - 2.0f) * 10 + (9.0f - F(4.0f));
}

// --- operator_templates: a template is left out if its parameters cannot be deduced
template <class T>
struct V {
  T x;
};
template <class T>
__device__ V<T> operator*(V<T> a, T b) {
  return {a.x * b};
}
template <class T>
__device__ V<T> operator*(T b, V<T> a) {
  return {a.x * b + 1};
}
template <class T>
__device__ V<T> operator*(V<T> a, V<T> b) {
  return {a.x * b.x + 2};
}
__global__ void k(int* out) {
  V<int> a{3};
  out[0] = (a * 4).x;
  out[1] = (4 * a).x;
  out[2] = (a * a).x;
}

// --- logical_operators: a class may define && and ||
struct B {
  int v;
  __device__ operator bool() const { return v > 5; }
};
__device__ int operator||(const B& a, const B& b) { return a.v * 10 + b.v; }
struct C {
  int v;
  __device__ explicit operator bool() const { return v != 0; }
};
__global__ void k(int* out) {
  B a{3}, b{7};
  out[0] = a || b;
  C c{0}, d{1};
  out[1] = (c || d) * 10 + (c && d);
  out[2] = (a && true) || (b && true);
}

// --- comma_operator: a class may define the comma
struct L {
  int n;
  __device__ L &operator,(int x) {
    n = n * 10 + x;
    return *this;
  }
  __device__ L& operator<<(int x) {
    n = x;
    return *this;
  }
};
__global__ void k(int* out) {
  L l{0};
  l << 1, 2, 3;
  out[0] = l.n;
  int i = 0, j = 5;
  out[1] = (i++, j++, i + j);
  for (i = 0, j = 9; i < j; ++i, --j) {
  }
  out[2] = i * 10 + j;
}

// --- const_pair: operator[] with and without const
struct S {
  int a[2];
  __device__ int& at(int i) { return a[i]; }
  __device__ int at(int i) const { return a[i] + 100; }
  __device__ int operator[](int i) const { return a[i] + 7; }
  __device__ int& operator[](int i) { return a[i]; }
};
__device__ int rd(const S& s) { return s.at(0) + s[1]; }
__global__ void k(int* out) {
  S s{{1, 2}};
  s.at(0) = 5;
  s[1] = 9;
  const S* p = &s;
  out[0] = rd(s);
  out[1] = p->at(1);
  out[2] = (*p)[0];
  out[3] = s.at(1);
}

// --- friends_of_templates: a friend defined in a template takes what converts
template <class T>
struct N {
  T v;
  __device__ N(T v) : v(v) {}
  friend __device__ N operator+(const N& a, const N& b) { return N(a.v + b.v); }
  friend __device__ bool operator<(const N& a, const N& b) { return a.v < b.v; }
  __device__ N operator-() const { return N(-v); }
};
__global__ void k(int* out) {
  N<int> a(3);
  out[0] = (a + 4).v;
  out[1] = (4 + a).v;
  out[2] = (a < 4) * 10 + (5 < a);
  out[3] = (-a + a).v;
}

// --- choice_without_a_value: b ? f() : g() without a value
__device__ void f(int* p) { *p += 1; }
__device__ void g(int* p) { *p += 10; }
__global__ void k(int* out) {
  int x = 0;
  bool t = out[0] == 0;
  t ? f(&x) : g(&x);
  t ? (void)0 : g(&x);
  !t ? f(&x) : g(&x);
  out[0] = x;
}

// --- words_for_operators: and, or, not, xor, bitand and the others
__global__ void k(int* out) {
  int a = 6, b = 3;
  out[0] = (a and not b) * 100 + (a or b) * 10 + (not a);
  out[1] = (a bitand b) * 100 + (a bitor b) * 10 + (a xor b);
  a and_eq 5;
  b or_eq 8;
  out[2] = a * 100 + b;
  b xor_eq 1;
  out[3] = (compl a) * 100 + (a not_eq b);
}

// --- compound_assignments: each on a variable, in memory and through a pointer
__global__ void k(int* out) {
  for (int i = 0; i < 4; ++i) {
    int x = i;
    int* p = out + i;
    x += 100, x -= 3, x *= 5, x /= 2, x %= 77, x <<= 3, x >>= 1, x &= 0xfc, x |= 2, x ^= 0x55;
    *p = i;
    *p += 100, *p -= 3, *p *= 5, *p /= 2, *p %= 77, *p <<= 3, *p >>= 1, *p &= 0xfc, *p |= 2, *p ^= 0x55;
    out[4 + i] = x;
    out[8 + i] = i;
    int a = out[8 + i]++;
    int b = ++out[8 + i];
    int c = out[8 + i]--;
    int d = --out[8 + i];
    out[8 + i] = a + b * 10 + c * 100 + d * 1000;
  }
  float f = 3;
  f++;
  --f;
  f += 0.5f;
  out[12] = (int)(f++ * 2) * 100 + (int)(f * 10);
}

// --- assignment_right_first: a = b by an operator of the class: the right side comes first, but not as a.operator=(b) ([over.match.oper] 2)
__device__ int c = 0;
struct S {
  int v;
  __device__ S& operator=(int x) {
    v = x;
    return *this;
  }
};
__device__ S g;
__device__ S& target() {
  c = c * 10 + 1;
  return g;
}
__device__ int value() {
  c = c * 10 + 2;
  return 3;
}
__global__ void k(int* out) {
  target() = value();
  out[0] = c;
  out[1] = g.v;
  c = 0;
  target().operator=(value());
  out[2] = c;
}

// --- shift_left_first_by_operators: a << b keeps its order, a <<= b has that of assignments
__device__ int c = 0;
struct S {
  int v;
  __device__ S& operator<<=(int x) {
    v += x;
    return *this;
  }
  __device__ S& operator<<(int x) {
    v = v * 10 + x;
    return *this;
  }
};
__device__ S g;
__device__ S& target() {
  c = c * 10 + 1;
  return g;
}
__device__ int value() {
  c = c * 10 + 2;
  return c % 7;
}
__global__ void k(int* out) {
  target() << value() << value();
  out[0] = c;
  out[1] = g.v;
  c = 0;
  target() <<= value();
  out[2] = c;
}

// --- logic_by_operators: &&, || and the comma of the text: left to right, always both
__device__ int c = 0;
struct S {
  int v;
};
__device__ int operator&&(S a, S b) { return a.v * 10 + b.v; }
__device__ int operator||(S a, S b) { return a.v * 20 + b.v; }
__device__ int operator,(S a, S b) { return a.v * 30 + b.v; }
__device__ S one() {
  c = c * 10 + 1;
  return {1};
}
__device__ S two() {
  c = c * 10 + 2;
  return {2};
}
__global__ void k(int* out) {
  out[0] = one() && two();
  out[1] = c;
  c = 0;
  out[2] = one() || two();
  out[3] = c;
  c = 0;
  out[4] = (one(), two());
  out[5] = c;
}

// --- assignment_sees_the_right_side: the right side changes what the left one is
struct S {
  int v;
  __device__ S& operator+=(int x) {
    v = v * 10 + x;
    return *this;
  }
};
__global__ void k(int* out) {
  S s{1};
  s += (s.v = 4);
  out[0] = s.v;
  S t[2] = {{1}, {2}};
  int i = 0;
  t[i] += (i = 1);
  out[1] = t[0].v * 100 + t[1].v;
}

// --- assignment_of_members_right_first: by the assignment that C++ writes
__device__ int c = 0;
struct S {
  int v = 0;
  S() = default;
  __device__ S(const S& o) : v(o.v) {}
  __device__ S& operator=(const S& o) {
    v = o.v + 1;
    return *this;
  }
};
struct W {
  S s;
  int q = 0;
};
__device__ W g;
__device__ W& target() {
  c = c * 10 + 1;
  return g;
}
__device__ W value() {
  c = c * 10 + 2;
  W w;
  w.s.v = 5;
  return w;
}
__global__ void k(int* out) {
  target() = value();
  out[0] = c;
  out[1] = g.s.v;
}

// --- assignment_within_itself: an operator that calls itself
__device__ int c = 0;
struct S {
  int v;
  __device__ S& operator-=(int n) {
    v += n;
    if (n > 0) {
      *this -= (c = c * 10 + n, n - 1);
    }
    return *this;
  }
};
__global__ void k(int* out) {
  S s{0};
  s -= 3;
  out[0] = s.v;
  out[1] = c;
}

// --- assignments_in_a_row: a = b = c, (a = b) = c, by operators
struct S {
  int v;
  __device__ S& operator=(int x) {
    v = v * 10 + x;
    return *this;
  }
  __device__ operator int() const { return v % 10 + 1; }
};
__global__ void k(int* out) {
  S a{1}, b{2};
  a = b = 3;
  out[0] = a.v;
  out[1] = b.v;
  (a = 4) = 5;
  out[2] = a.v;
}

// --- shift_assignments_of_classes: <<= and >>= are no comparisons
struct S {
  int v;
  __device__ operator int() const { return v; }
  __device__ S& operator<<=(int x) {
    v += x;
    return *this;
  }
  __device__ S& operator>>=(int x) {
    v -= x;
    return *this;
  }
};
__global__ void k(int* out) {
  S s{1};
  s <<= 4;
  out[0] = s.v;
  s >>= 2;
  out[1] = s.v;
}
