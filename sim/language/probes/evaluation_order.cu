// --- compound_assignment_of_a_variable: the right side comes first ([expr.ass] 1)
__device__ int f(int& s) {
  s = 10;
  return 1;
}
__global__ void k(int* out) {
  int s = 1;
  s += f(s);
  out[0] = s;
}

// --- compound_assignment_in_memory: through a pointer, at file scope, of a member
__device__ int f(int* s) {
  *s = 10;
  return 1;
}
__device__ int g = 1;
__device__ int h() {
  g = 20;
  return 2;
}
struct S {
  int v = 1;
  __device__ int m() {
    v = 30;
    return 3;
  }
  __device__ int n() {
    v += m();
    return v;
  }
};
__global__ void k(int* out) {
  int a[1] = {1};
  a[0] += f(a);
  out[0] = a[0];
  g *= h();
  out[1] = g;
  out[2] = S().n();
  int x = 1;
  x -= [&] {
    x = 40;
    return 4;
  }();
  out[3] = x;
}

// --- compound_assignment_changes_itself: within the right side
__global__ void k(int* out) {
  int s = 1;
  s += (s = 5);
  out[0] = s;
  int t = 2;
  t *= t++ + 1;
  out[1] = t;
  int u = 3;
  auto f = [&] { return ++u; };
  u += f() + f();
  out[2] = u;
  int a[2] = {1, 2}, i = 0;
  a[0] -= (a[0] = 10, 4);
  out[3] = a[0] + i;
}

// --- compound_assignments_nested: shifts, conversions, one within another
__device__ int add(int& t, int v) {
  t += v;
  return v;
}
__global__ void k(int* out) {
  int t = 0, s = 0;
  for (int i = 1; i <= 3; ++i) {
    s += add(t, i);
    t += add(s, 1);
  }
  out[0] = s * 100 + t;
  int a = 2;
  a <<= add(a, 1);
  out[1] = a;
  int b = 1;
  b += b += add(b, 2);
  out[2] = b;
  float f = 1;
  int n = 3;
  f += n += add(n, 1);
  out[3] = static_cast<int>(f) * 10 + n;
}

// --- compound_assignment_of_narrow_and_wide: short, unsigned char, long long, double, a pointer
__device__ int set(void* p, int bytes) {
  for (int i = 0; i < bytes; ++i) static_cast<unsigned char*>(p)[i] = 0;
  return 3;
}
__global__ void k(int* out) {
  short a = 7;
  a += set(&a, 2);
  out[0] = a;
  unsigned char b = 9;
  b -= set(&b, 1);
  out[1] = b;
  long long c = 1LL << 40;
  c |= set(&c, 8);
  out[2] = static_cast<int>(c);
  double d = 2.5;
  d += set(&d, 8);
  out[3] = static_cast<int>(d * 2);
  int t[4] = {1, 2, 3, 4};
  int* p = t + 3;
  auto back = [&] {
    p = t;
    return 2;
  };
  p += back();
  out[4] = *p;
}

// --- compound_assignment_of_bits: a bit-field whose neighbour the right side changes
struct B {
  unsigned a : 4;
  unsigned b : 8;
};
__device__ int f(B& x) {
  x.a = 9;
  x.b = 20;
  return 1;
}
__global__ void k(int* out) {
  B x{1, 2};
  x.b += f(x);
  out[0] = x.a * 100 + x.b;
  B y[1] = {{1, 2}};
  y[0].b += f(y[0]);
  out[1] = y[0].a * 100 + y[0].b;
}

// --- plain_assignment: the value, then the place
__global__ void k(int* out) {
  int i = 0;
  int a[3] = {};
  a[i] = i = 2;
  out[0] = a[0] * 100 + a[2] * 10 + i;
}

// --- shifts_left_first: << and >> evaluate their left side first ([expr.shift] 4)
__device__ int f(int& s, int v) {
  s = s * 10 + v;
  return v;
}
__global__ void k(int* out) {
  int s = 0;
  out[0] = f(s, 5) << f(s, 1);
  out[1] = s;
  int t = 1;
  out[2] = t << (t = 3);
}

// --- subscripts_and_members_left_first: a[b], a.b, a->*b
__device__ int log(int& s, int v) {
  s = s * 10 + v;
  return v;
}
struct S {
  int* at;
  __device__ S& with(int& s, int v) {
    log(s, v);
    return *this;
  }
  __device__ int read(int i) { return at[i]; }
};
__global__ void k(int* out) {
  int t[3] = {4, 5, 6};
  int s = 0;
  S a{t};
  out[0] = (log(s, 1), t)[log(s, 2)];
  out[1] = s;
  s = 0;
  out[2] = a.with(s, 1).with(s, 2).read(log(s, 0));
  out[3] = s;
}

// --- logic_and_comma: left to right, as far as needed
__device__ bool log(int& s, int v) {
  s = s * 10 + v;
  return v % 2 == 1;
}
__global__ void k(int* out) {
  int s = 0;
  bool a = log(s, 1) && log(s, 2) && log(s, 3);
  bool b = log(s, 4) || log(s, 5) || log(s, 6);
  int c = log(s, 8) ? (log(s, 1), 7) : (log(s, 2), 9);
  out[0] = s;
  out[1] = a * 100 + b * 10 + c;
}

// --- lists_left_to_right: the values in braces ([dcl.init.list] 4)
struct P {
  int a, b, c;
};
__device__ int log(int& s, int v) {
  s = s * 10 + v;
  return v;
}
__global__ void k(int* out) {
  int s = 0;
  P p{log(s, 1), log(s, 2), log(s, 3)};
  int t[2] = {log(s, 4), log(s, 5)};
  out[0] = s;
  out[1] = p.a * 100 + p.c * 10 + t[1];
}

// --- lists_read_variables_in_turn: each value is read before the next one changes it
struct P {
  int a, b, c;
};
struct Q {
  int a, b;
  __device__ Q(int x, int y) : a(x), b(y) {}
};
__global__ void k(int* out) {
  int i = 1;
  P p{i, i++, i};
  out[0] = p.a * 100 + p.b * 10 + p.c;
  int t[3] = {i, ++i, i};
  out[1] = t[0] * 100 + t[1] * 10 + t[2];
  Q q{i, i += 2};
  out[2] = q.a * 10 + q.b;
}

// --- subscript_reads_the_pointer_first: a[b] with b changing a
__global__ void k(int* out) {
  int t[4] = {1, 2, 3, 4};
  int* p = t;
  out[0] = p[(p = t + 2, 1)];
  out[1] = *p;
}
