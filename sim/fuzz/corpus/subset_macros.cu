#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#define SQUARE(x) ((x) * (x))
#define MAX3(a, b, c) max(a, max(b, c))
#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#define CHOSEN 1
#elif OFFSET == 3
#define CHOSEN 2
#else
#define CHOSEN 3
#endif

__global__ void macros(unsigned* out) { SLOT = SQUARE(threadIdx.x + 1) + MAX3(3u, threadIdx.x, OFFSET) + CHOSEN; }
