// --- argument_by_value_is_destroyed: an argument by value is a copy that is destroyed, a reference is none
struct G {
  int* p;
  int v;
  __device__ G(int* p, int v) : p(p), v(v) {}
  __device__ G(const G& o) : p(o.p), v(o.v + 1) {}
  __device__ ~G() { *p = *p * 10 + v; }
};
__device__ int f(G g) {
  g.v += 3;
  return *g.p;
}
__device__ int h(const G& g) { return g.v; }
__global__ void k(int* out) {
  int x = 0;
  {
    G a(&x, 1);
    f(a);
    out[0] = x;
  }
  out[1] = x;
  x = 0;
  {
    G a(&x, 2);
    h(a);
  }
  out[2] = x;
  x = 0;
  {
    G a(&x, 3);
    G b = a;
    G& c = a;
    c.v = 9;
  }
  out[3] = x;
}

// --- elements_of_arrays: an element is copied by its copy constructor, into an array and into a capture
struct F {
  int v;
  __device__ F(int v) : v(v) {}
  __device__ F(const F& o) : v(o.v + 1) {}
};
__global__ void k(int* out) {
  F a[2] = {F(1), F(2)};
  F b[2] = {a[0], a[1]};
  out[0] = b[0].v * 10 + b[1].v;
  auto l = [a0 = a[0]] { return a0.v; };
  out[1] = l();
  F c = a[1];
  out[2] = c.v;
}

// --- copy_constructor_that_leaves_the_base: a copy constructor that does not name the base makes it anew
struct B {
  int v = 1;
  __device__ B() {}
  __device__ B(const B& o) : v(o.v * 2) {}
};
struct D : B {
  int w = 3;
  __device__ D() {}
  __device__ D(const D& o) : w(o.w + 1) {}
};
struct E : B {
  int w = 3;
  __device__ E() {}
  __device__ E(const E& o) : B(o), w(o.w + 1) {}
};
__global__ void k(int* out) {
  D d;
  d.v = 7;
  D e(d);
  out[0] = e.v * 10 + e.w;
  E f;
  f.v = 7;
  E g(f);
  out[1] = g.v * 10 + g.w;
}

// --- arrays_in_structs: a struct with an array is returned, copied and assigned as a whole
struct A {
  int d[3];
};
__device__ A mk(int b) {
  A a;
  for (int i = 0; i < 3; ++i) a.d[i] = b + i;
  return a;
}
__device__ int s(const A& a) { return a.d[0] * 100 + a.d[1] * 10 + a.d[2]; }
__global__ void k(int* out) {
  out[0] = mk(1).d[2];
  A a = mk(2), b;
  b = a;
  b.d[0] = 9;
  out[1] = s(a);
  out[2] = s(b);
  A t[2] = {mk(3), b};
  t[1] = t[0];
  t[0].d[1] = 0;
  out[3] = s(t[1]);
}
