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
__device__ __forceinline__ unsigned mix(unsigned x) { return x * 2654435761u ^ x >> 7; }

__global__ void ballots(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned all = 0xffffffffu;
  unsigned odd = __ballot_sync(all, tid % 3 == 1);
  int any = __any_sync(all, tid == 40), every = __all_sync(all, tid < 64);
  unsigned same = __match_any_sync(all, tid % 5);
  unsigned sum = __reduce_add_sync(all, tid * 3), least = __reduce_min_sync(all, tid ^ 21);
  int most = __reduce_max_sync(all, (int)tid - 100);
  unsigned both = __reduce_and_sync(all, tid | 8), one = __reduce_or_sync(all, tid & 5),
           parity = __reduce_xor_sync(all, mix(tid));
  unsigned here = 0;
  if (tid & 1) {
    here = __activemask();
    here += __ballot_sync(0xaaaaaaaau, tid > 20);
  }
  SLOT = odd + any * 3 + every * 5 + same * 7 + sum + least + most + both + one * 9 + parity + here;
}
