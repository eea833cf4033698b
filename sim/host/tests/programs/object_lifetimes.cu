// Objects of a kernel and the order in which they end.
#include <cstdio>
#include <new>
struct Log {
  int* p;
  int* n;
  int id;
  __device__ Log(int* p_, int* n_, int i) : p(p_), n(n_), id(i) { p[(*n)++] = id; }
  __device__ ~Log() { p[(*n)++] = -id; }
};
struct Pair {
  Log a;
  Log b;
  __device__ Pair(int* p, int* n) : a(p, n, 11), b(p, n, 12) {}
};
struct Base {
  int* p;
  int* n;
  __device__ Base(int* p_, int* n_) : p(p_), n(n_) {}
  __device__ virtual ~Base() { p[(*n)++] = -100; }
  __device__ virtual int f() { return 1; }
};
struct Derived : Base {
  Log l;
  __device__ Derived(int* p_, int* n_) : Base(p_, n_), l(p_, n_, 21) {}
  __device__ ~Derived() { p[(*n)++] = -200; }
  __device__ int f() override { return 2; }
};
__device__ Log make(int* p, int* n, int i) {
  Log l(p, n, i);
  return l;
}
__device__ int early(int* p, int* n, int k) {
  Log a(p, n, 31);
  for (int i = 0; i < 5; i++) {
    Log b(p, n, 32);
    if (i == k) return i;
    if (i == k + 1) break;
    if (i == 0) continue;
  }
  return -1;
}
template <class T>
class Buf {
  T* d;
  int n;

 public:
  __device__ Buf(int k) : d(new T[k]), n(k) {}
  __device__ ~Buf() { delete[] d; }
  __device__ T& operator[](int i) { return d[i]; }
  __device__ int size() const { return n; }
  __device__ Buf(Buf&& o) : d(o.d), n(o.n) {
    o.d = nullptr;
    o.n = 0;
  }
  Buf(const Buf&) = delete;
};
struct Counted {
  static const int k = 3;
  int v;
  __device__ Counted() : v(7) {}
  __device__ ~Counted();
};
__device__ int ended;
__device__ Counted::~Counted() { atomicAdd(&ended, v); }
__device__ void byValue(Log l) { l.p[(*l.n)++] = 77; }
__global__ void k(int* o, int* n) {
  {
    Log a(o, n, 1);
    Log b(o, n, 2);
  }
  { Pair p(o, n); }
  Base* b = new Derived(o, n);
  delete b;
  {
    Log c = make(o, n, 3);
    o[(*n)++] = 50;
  }
  o[(*n)++] = 1000 + early(o, n, 2);
  o[(*n)++] = 2000 + early(o, n, 7);
  Log(o, n, 5);
  for (int i = 0; i < 2; ++i) {
    Log q(o, n, 6);
    switch (i) {
      case 0: {
        Log z(o, n, 8);
        break;
      }
      default: break;
    }
  }
  {
    Buf<int> buf(10);
    for (int i = 0; i < buf.size(); ++i) buf[i] = i;
    int s = 0;
    for (int i = 0; i < buf.size(); ++i) s += buf[i];
    o[(*n)++] = s;
    Buf<int> c(static_cast<Buf<int>&&>(buf));
    o[(*n)++] = buf.size() * 100 + c.size();
  }
  Counted* cs = new Counted[4];
  delete[] cs;
  { Counted arr[3]; }
  o[(*n)++] = ended;
  alignas(16) char raw[sizeof(Log)];
  Log* pl = new (raw) Log(o, n, 9);
  pl->~Log();
  {
    Log bv(o, n, 60);
    byValue(bv);
  }
}
int main() {
  int *o, *n;
  cudaMallocManaged(&o, 1000);
  cudaMallocManaged(&n, 4);
  *n = 0;
  k<<<1, 1>>>(o, n);
  auto e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  for (int i = 0; i < *n; i++) printf("%d ", o[i]);
  puts("");
  cudaFree(o);
  cudaFree(n);
}
