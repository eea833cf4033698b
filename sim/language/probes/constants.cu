// --- classes_in_constants: constexpr constructors, operators and loops give constants, also for extents
struct V {
  int x, y;
  constexpr V(int a, int b) : x(a), y(b) {}
  constexpr V operator+(V o) const { return V(x + o.x, y + o.y); }
  constexpr int dot(V o) const { return x * o.x + y * o.y; }
};
struct Tab {
  int d[5];
  constexpr Tab() : d() {
    for (int i = 0; i < 5; ++i) d[i] = i * i;
  }
};
__global__ void k(int* out) {
  constexpr V a(1, 2), b = a + V(3, 4);
  static_assert(b.x == 4);
  int q[b.y];
  out[0] = sizeof(q);
  out[1] = a.dot(b);
  constexpr Tab t;
  static_assert(t.d[3] == 9);
  int s = 0;
  for (int i = 0; i < 5; ++i) s += t.d[i];
  out[2] = s;
  out[3] = int(sizeof(char[t.d[4]]));
}

// --- constants_of_classes: static constants, unnamed enumerations, constexpr functions and arrays of a class
struct S {
  static const int N = 4;
  static constexpr float F = 2.5f;
  enum { E = N * 2 };
  static constexpr int sq(int x) { return x * x; }
  int a[N];
  static constexpr int T[3] = {1, 2, N};
};
struct D : S {
  static const int N = 9;
  int b[S::N];
};
__global__ void k(int* out) {
  D d;
  out[0] = sizeof(S) * 10 + D::N;
  out[1] = sizeof(d.b) + D::E;
  out[2] = (int)(S::F * 2) * 10 + S::sq(3);
  out[3] = S::T[2] + d.N * 10;
}

// --- character_literals: escapes; a char above 127 is negative; u'a' and U'a' have 16 and 32 bits
__global__ void k(int* out) {
  out[0] = 'A' * 1000 + '\n' * 10 + '\0';
  out[1] = '\x41' * 1000 + '\101' - '\\';
  out[2] = (int)'\xff';
  out[3] =
      sizeof('a') * 1000 + (unsigned char)'\xff' + ('a' + 1 == 'b') + sizeof(u'a') * 100 + sizeof(U'a') * 10;
}

// --- same_at_compile_time: a constexpr function gives the same at compile time and when run
__device__ constexpr int f(int a, int b) {
  unsigned char c = a;
  c += b;
  short s = c * 300;
  return s / 7 + (c >> 1) - (a < (unsigned)b);
}
__global__ void k(int* out) {
  out[0] = f(200, 100);
  int z = out[1];
  out[1] = f(200 + z, 100);
  constexpr int q = f(-1, 3);
  out[2] = q;
  out[3] = f(-1 + z, 3) - q;
}

// --- types_of_integer_literals: a hexadecimal literal may be unsigned, a decimal one gets wider
__global__ void k(int* out) {
  long long a = 0xFFFFFFFF;
  long long b = 0x7FFFFFFF + 0;
  long long c = -0xFFFFFFFF;
  long long d = 4294967295;
  long long e = -2147483648;
  out[0] = (a > 0) * 10 + (b > 0);
  out[1] = (int)c;
  out[2] = (d == a) * 10 + (e < 0);
  long long f = -1u;
  long long g = 1 - 2u;
  out[3] = (int)(f >> 28) * 100 + (int)(g >> 31);
}

// --- size_of_a_string: sizeof of a string literal, of an element of it, and of its decayed pointer
__global__ void k(int* out) {
  out[0] = sizeof(("abc"));
  out[1] = sizeof "abcd";
  out[2] = sizeof(*"abc") * 10 + sizeof("abc"[0]);
  out[3] = sizeof(+"abc");
}

// --- strings_by_index: characters of a string literal by constant and by run-time index
__global__ void k(int* out) {
  int i = 1 + out[0];
  out[0] = "hey"[1];
  out[1] = "hey"[i];
  out[2] = *("hey" + i);
  const char* p = "hey";
  out[3] = p[i];
}

// --- constexpr_object_without_values: its default constructor runs
struct Table {
  int t[5];
  constexpr Table() : t() {
    for (int i = 0; i < 5; ++i) t[i] = i * i + 4;
  }
};
struct Plain {
  int a = 6, b = 7;
};
__global__ void k(int* out) {
  const int z = out[0] & 0;
  constexpr Table table;
  constexpr Plain plain;
  out[0] = table.t[4] * 100 + table.t[z + 3];
  out[1] = plain.a * 10 + plain.b;
}

// --- functions_with_loops: constexpr functions with variables, loops, switches and recursion
constexpr int log2Of(int n) {
  int r = 0;
  while (n >>= 1) ++r;
  return r;
}
template <int S> __device__ int up(int x) { return x << S; }
enum { kTen = log2Of(1030) };
template <int N> constexpr bool isPrime() {
  for (int d = 2; d * d <= N; ++d) {
    if (N % d == 0) return false;
  }
  return N > 1;
}
constexpr int kind(char c) {
  switch (c) {
    case 'a': return 1;
    case 'b':
    case 'c': break;
    default: return 3;
  }
  return 2;
}
constexpr unsigned fibonacci(unsigned n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void k(int* out) {
  int own[log2Of(8)] = {1, 2, 3};
  static_assert(log2Of(64) == 6, "");
  constexpr int five = log2Of(40);
  out[0] = up<log2Of(4)>(3) + kTen * 100 + five * 10000 + (int)sizeof(own) * 100000;
  if constexpr (isPrime<91>())
    out[1] = 0;
  else
    out[1] = isPrime<97>();
  constexpr int kinds[4] = {kind('a'), kind('b'), kind('c'), kind('d')};
  static_assert(kind('c') == 2 && kind('z') == 3, "");
  out[2] = kinds[0] * 1000 + kinds[1] * 100 + kinds[2] * 10 + kinds[3];
  int a[fibonacci(7)];
  out[3] = sizeof(a);
}

// --- bits_in_constants: __builtin_clz in an extent and in a template argument
constexpr int nextPower(unsigned n) { return n <= 1 ? n : 1 << (32 - __builtin_clz(n - 1)); }
template <int N> __device__ int value() { return N; }
__global__ void k(int* out) {
  int s[nextPower(3)];
  out[0] = sizeof(s) * 100 + value<nextPower(33)>();
  out[1] = __builtin_popcount(out[0]) * 100 + __builtin_ffsll(12ull);
}

// --- members_of_constants: fields of a constexpr struct as extents and template arguments
struct Tile {
  int rows, columns;
};
constexpr Tile kTile{8, 4};
template <int N> __device__ int half() { return N / 2; }
__global__ void k(int* out) {
  int s[kTile.columns] = {1};
  out[0] = half<kTile.rows>() * 100 + (int)sizeof(s);
}
