// --- by_constructors: Pair p(1, 2.5f) has the types of its arguments
template <typename A, typename B> struct Pair {
  A a;
  B b;
  __device__ Pair(A a, B b) : a(a), b(b) {}
};
template <typename T> struct Box {
  T v;
  __device__ Box(T x) : v(x) {}
};
__global__ void k(int* out) {
  Pair p('a', 2.5);
  out[0] = sizeof(p) * 1000 + p.a;
  Box b((int)(10 * Box(2.5f).v));
  Box<int> c = Box(3);
  out[1] = b.v * 100 + c.v;
}

// --- by_defaults_and_templates: the defaults, constructor templates, new
template <typename T = int, int N = 4> struct Row {
  T v[N];
};
template <typename T> struct Sum {
  T v;
  template <typename U> __device__ Sum(T x, U y) : v(x + (T)y) {}
};
__global__ void k(int* out) {
  Row r;
  r.v[3] = 1;
  Row s{};
  auto* p = new Sum(3, 2.75f);
  Sum q(0.5f, 2);
  out[0] = sizeof(r) * 10 + s.v[0] + r.v[3];
  out[1] = p->v * 100 + (int)(q.v * 10);
  delete p;
}
