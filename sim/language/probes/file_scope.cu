// --- variables: device and constant variables, arrays and structs, with and without values
__device__ int count = 3;
__constant__ float scale[3] = {0.5f, 2};
__device__ short none[4];
const int kTop = 5;
constexpr double kHalf = kTop / 2.0;
__device__ int next() { return count++; }
__global__ void k(int* out) {
  none[1] = 9;
  out[0] = next() * 10;
  out[1] = next() + count;
  out[2] = (int)(scale[0] * 10) + (int)scale[1] * 100 + (int)scale[2];
  out[3] = none[0] * 10 + none[1];
  out[4] = (int)(kHalf * 10) + sizeof(none);
}

// --- addresses: variables that begin with the addresses of others
__device__ int a[3] = {4, 5, 6};
__device__ int b = 9;
__device__ int* table[4] = {a, &b, a + 2, &a[1]};
struct Row {
  int n;
  int* at;
};
__constant__ Row rows[] = {{3, a}, {1, &b}};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) out[t] = *table[t];
  *table[2] = 60;
  out[4] = rows[0].at[2] + rows[1].at[0] * 100 + rows[0].n;
  out[5] = table[3] - table[0];
}

// --- texts: tables of texts, pointers into texts
__constant__ const char* names[] = {"red", "green", "blue", "red"};
__device__ const char* const word = "abcd";
__device__ const char* grid[2][2] = {{"a", "b"}, {"c", "d" + 1}};
__constant__ char title[] = "Title";
__device__ char rows[2][6] = {"first", "two"};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    int n = 0;
    for (const char* c = names[t]; *c; ++c) n += *c;
    out[t] = n;
    out[4 + t] = word[t];
    out[8 + t] = grid[t / 2][t % 2][0];
    out[12 + t] = title[t] * 1000 + rows[t % 2][t];
  }
  out[16] = sizeof(title) * 10 + sizeof(names[0]);
}

// --- objects: constants and variables of classes with constructors
struct Color {
  unsigned char r, g, b;
  constexpr Color() : r(9), g(0), b(0) {}
  constexpr Color(int r, int g, int b) : r(b), g(g), b(r) {}
  constexpr int sum() const { return r + g + b; }
};
constexpr Color kInk(1, 2, 3);
__constant__ Color palette[4] = {Color(1, 2, 3), {4, 5, 6}, kInk};
__device__ Color one(7, 8, 9), two{1, 1, 1};
constexpr auto three = Color{2, 2, 2};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) out[t] = palette[t].r * 100 + palette[t].b * 10 + kInk.sum();
  out[4] = one.r * 100 + two.g * 10 + three.b;
}

// --- members_as_their_class_says: values of the class for what the list leaves out
struct Pair {
  int x = 3, y = 7;
};
struct Both {
  Pair p;
  int* a = nullptr;
};
__device__ Pair one = {1};
__device__ Both two[2] = {{{5}}};
__constant__ Pair none[3] = {};
__global__ void k(int* out) {
  out[0] = one.x * 10 + one.y;
  out[1] = two[0].p.x * 10 + two[0].p.y;
  out[2] = two[1].p.y + (two[1].a == nullptr);
  out[3] = none[2].x;
}

// --- tables_by_functions: a table that a constexpr function or constructor makes
struct Table {
  unsigned at[256];
};
constexpr Table checksums() {
  Table result{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    result.at[i] = c;
  }
  return result;
}
__constant__ Table crc = checksums();
struct Squares {
  int at[4];
  constexpr Squares() : at() {
    int* p = at;
    for (int i = 0; i < 4; i++) *p++ = i * i;
  }
};
__device__ Squares squares;
constexpr float half(float x) {
  float y = x;
  y *= 0.5f;
  return y;
}
__constant__ float halves[2] = {half(3), half(5) - 1};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    out[t] = crc.at[t * 85];
    out[4 + t] = squares.at[t];
  }
  out[8] = (int)(halves[0] * 100) + (int)(halves[1] * 100) * 1000;
}

// --- with_their_type: a struct or union and its variables in one declaration
__constant__ struct Options {
  int width;
  float scale[2];
} options = {3, {1, 4}}, other = {};
static __device__ struct {
  int count;
} state = {5};
__device__ union Word {
  int i;
  float f;
} word;
__global__ void k(int* out) {
  Options copy = options;
  word.f = 1.0f;
  out[0] = copy.width + other.width + (word.i == 0x3f800000 ? 0 : 100);
  out[1] = state.count * 10 + (int)options.scale[1];
}

// --- named_as_in_c: struct before the name, typedefs that come before the struct
#include <cstddef>
typedef struct Node_s Node;
struct Node_s {
  int value;
  struct Node_s* next;
};
typedef struct P {
  int x;
  struct P* next;
} P, *PointerToP;
struct list {
  int x;
};
__device__ struct Node_s* head;
__constant__ struct list bias = {500};
__device__ struct list doubled(struct list l) {
  struct list r = {2 * l.x};
  return r;
}
__global__ void k(int* out) {
  Node last = {5, NULL}, first = {3, &last};
  out[0] = first.next->value * 10 + (head == NULL);
  struct P p;
  P q;
  PointerToP r = &p;
  p.x = 2;
  q.x = 3;
  out[1] = r->x + q.x * 10;
  struct list list = doubled(bias);
  out[2] = list.x;
}

// --- specifiers_anywhere: const, static, constexpr and alignas before and behind the type
const static int kTop = 5;
alignas(16) int __device__ g = 2;
struct S {
  const static int k = 3;
  int constexpr static n = 4;
  int __device__ inline three() const { return k; }
};
struct T {
  __device__ int four();
};
int __device__ T::four() { return 4; }
unsigned static long constexpr kWide = 1ul << 40;
__global__ void k(int* out) {
  const static int s = 4;
  out[0] = kTop * 1000 + g * 100 + S().three() * 10 + T().four();
  out[1] = s * 10 + S::n;
  out[2] = (int)(kWide >> 35) + sizeof(kWide);
}

// --- declared_before: functions, classes and variables that are defined later
extern __device__ int later;
struct S;
__device__ int f(S* s, int by = 3);
struct S {
  int v;
};
__device__ int f(S* s, int by) { return s->v * by + later; }
__device__ int later = 40;
__global__ void k(int* out) {
  S s{2};
  out[0] = f(&s);
  out[1] = f(&s, 100);
}

// --- aliases: typedefs that are repeated, of arrays and templates
typedef unsigned int uint;
typedef unsigned int uint;
typedef int Row[4];
using Pair = int[2];
template <typename T, int N> struct Many {
  typedef Many<T, N> Own;
  enum { kCount = N };
  T x[N];
  __device__ Own copy() const { return *this; }
};
template <typename T> using Two = Many<T, 2>;
template <int N, typename T = short> using Some = Many<T, N>;
__global__ void k(int* out) {
  uint n = -1;
  out[0] = n > 0;
  Row r = {1, 2, 3};
  Pair p = {4, 5};
  out[1] = r[2] * 10 + p[1] + (int)sizeof(Row) * 100;
  Two<int> t = {1, 2};
  Many<int, 3> m = {1, 2, 5};
  out[2] = t.x[1] + sizeof(Some<3>) * 10;
  out[3] = m.copy().x[2] * 10 + m.kCount;
  typedef int T;
  using U = T;
  struct S {
    U x;
  };
  enum { kTwo = 2 };
  S s;
  s.x = kTwo;
  out[4] = s.x;
}
