#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET == 3
#else
#endif
struct Pair {
  float value;
  int index;
};
struct Nested {
  Pair best;
  unsigned counts[3];
  char tag;
};
__host__ __device__ inline Pair better(Pair a, const Pair& b) { return a.value < b.value ? b : a; }

__global__ void structs(unsigned* out) {
  Pair a = {threadIdx.x * 1.5f, 3};
  Pair b;
  b.value = 40.0f;
  b.index = (int)threadIdx.x;
  Pair c = better(a, b);
  Nested n{c, {1u, 2u}, 'x'};
  n.counts[threadIdx.x % 3] += 10;
  Nested m = n;
  m.best.index -= 2;
  Pair* p = &m.best;
  p->value += 1;
  Point point;
  point.x = c.value;
  point.y = point.x * 2;
  SLOT = (unsigned)(m.best.value * 2) + m.best.index * 5 + n.counts[0] * 7 + n.counts[1] * 11 + n.counts[2] * 13 +
         m.tag + (unsigned)point.y + sizeof(Nested);
}
