template <typename T, int N = 2> struct Window {
  T at[N];
  __device__ Window(T a, T b) : at{a, b} {}
  __device__ Window(const T (&values)[N]) : at{values[0], values[1]} {}
};
template <typename T> struct Box {
  T v;
  __device__ explicit Box(T x) : v(x) {}
};
struct Record { char tag; struct { short x; float y[4]; } at; double weight; };
namespace a { namespace b { __device__ int twice(int x) { return 2 * x; } } }
using namespace a;
__global__ void k(int* data) {
  int t = threadIdx.x;
  Window w(1, t);
  int pair[2] = {t, 3};
  Window fromArray = pair;
  Box box{1.5f};
  auto other = Box(box.v + w.at[1]);
  auto [x, y] = pair;
  int n = t & 7;
  while (int m = n) {
    n = m - 1;
    if (m == 3) continue;
    x += m;
  }
  for (int i = 0; int rest = 4 - i; ++i) y += rest;
  int rows[2][2] = {{1, 2}, {3, t}};
  for (auto [a, b] : rows) x += a * b;
  for (auto& [a, b] : rows) a = b;
  auto* made = new Box(t);
  y += made->v + rows[1][0];
  delete made;
  data[t & 31] = x + y + fromArray.at[0] + (int)other.v + (int)offsetof(Record, at.y[1]) + b::twice(t);
}
