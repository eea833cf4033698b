// Copies of objects: defaulted, written and implicit ones, explicit constructors, loops over what is made on
// the way.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

struct Defaulted {
  int v;
  __device__ Defaulted(int x) : v(x) {}
  Defaulted(const Defaulted&) = default;
  Defaulted& operator=(const Defaulted&) = default;
  Defaulted& operator=(Defaulted&&) = default;
};

struct OwnMove {
  int v;
  __device__ OwnMove(int x) : v(x) {}
  OwnMove(const OwnMove&) = default;
  __device__ OwnMove(OwnMove&& other) : v(other.v + 50) {}
};

struct OwnCopy {
  int v;
  __device__ OwnCopy(int x) : v(x) {}
  OwnCopy(OwnCopy&&) = default;
  __device__ OwnCopy(const OwnCopy& other) : v(other.v + 70) {}
};

struct Counted {
  int n;
  __device__ Counted(int i) : n(i) {}
  __device__ Counted(const Counted& other) : n(other.n + 100) {}
};

struct Tenths {
  int v;
  __device__ explicit Tenths(int x) : v(x) {}
  __device__ Tenths(double x) : v((int)(10 * x)) {}
};

struct Source;
struct Made {
  int v;
  __device__ Made(int x) : v(x) {}
  __device__ explicit Made(const Source& source);
};
struct Source {
  int v;
  __device__ Source(int x) : v(x) {}
  __device__ operator Made() const { return Made(v + 1); }
};
__device__ Made::Made(const Source& source) : v(source.v * 100) {}

struct Number {
  int v;
  __device__ operator int() const { return v + 7; }
};

struct Position {
  int i;
  __device__ int operator*() const { return i; }
  __device__ Position& operator++() {
    ++i;
    return *this;
  }
  __device__ bool operator!=(Position other) const { return i != other.i; }
};

struct Range {
  int first, last;
  __device__ Position begin() const { return {first}; }
  __device__ Position end() const { return {last}; }
};

__device__ int taken(Defaulted a) { return a.v; }
__device__ int taken(OwnMove m) { return m.v; }

__device__ int chosen(const int&) { return 1; }
__device__ int chosen(int&&) { return 2; }

template <typename T>
__device__ void exchange(T& a, T& b) {
  T held = std::move(a);
  a = std::move(b);
  b = std::move(held);
}

__global__ void copy_all() {
  Defaulted a(1), b(2);
  b = a;
  Defaulted pair[2] = {Defaulted(5), Defaulted(6)};
  pair[1] = pair[0];
  exchange(a, pair[1]);
  printf("%d %d %d %d\n", b.v, pair[1].v, a.v, taken(b));

  OwnMove m(1);
  OwnMove m2 = m;
  OwnMove m3(m);
  OwnMove m4{m};
  OwnMove m5 = std::move(m);
  auto m6 = m2;
  OwnMove both[2] = {m, OwnMove(4)};
  printf("%d %d %d %d %d %d %d %d\n", m2.v, m3.v, m4.v, m5.v, m6.v, taken(m2), both[0].v, both[1].v);

  OwnCopy c(1);
  OwnCopy c2 = std::move(c);
  OwnCopy c3 = c;
  auto c4 = c;
  auto c5 = std::move(c3);
  printf("%d %d %d %d\n", c2.v, c3.v, c4.v, c5.v);

  Counted one(1);
  auto p = one;
  auto q(one);
  const auto r = one;
  auto [n] = one;
  auto made = Counted(3);
  Counted few[1] = {Counted(5)};
  int sum = 0;
  for (auto each : few) sum += each.n;
  for (auto [each] : few) sum += each;
  for (Counted each : few) sum += each.n;
  for (auto& each : few) sum += each.n;
  printf("%d %d %d %d %d %d\n", p.n, q.n, r.n, n, made.n, sum);

  Tenths t = 3, u(3), w = 2.5;
  printf("%d %d %d\n", t.v, u.v, w.v);

  Source source(3);
  Made x(source), y{source};
  Made z = source;
  Tenths direct(Number{1});
  const int five = 5;
  constexpr int six = 6;
  int seven = 7;
  printf("%d %d %d %d %d %d %d %d %d\n", x.v, y.v, z.v, direct.v, chosen(five), chosen(six), chosen(seven), chosen(5),
         chosen(five + 0));

  int total = 0;
  for (auto&& i : Range{2, 5}) total += i;
  for (auto&& each : few) total += each.n;
  printf("%d\n", total);
}

int main() {
  copy_all<<<1, 1>>>();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
