namespace cg = cooperative_groups;
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
__device__ float twice(float x) { return 2.0f * x; }
__device__ int twice(int x) { return x << 1; }
__device__ unsigned twice(unsigned x, unsigned plus = 5) { return x * 2 + plus; }

__global__ void groups(unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
  float x = block.thread_rank() * 0.5f;
  for (int o = warp.size() / 2; o > 0; o /= 2) x += warp.shfl_down(x, o);
  int total = cg::reduce(warp, (int)threadIdx.x, cg::plus<int>());
  float most = cg::reduce(eight, threadIdx.x * 1.25f, cg::greater<float>());
  unsigned low = cg::reduce(eight, mix(threadIdx.x), cg::less<unsigned>());
  unsigned odd = eight.ballot(eight.thread_rank() & 1);
  block.sync();
  warp.sync();
  cg::sync(eight);
  SLOT = (unsigned)x + total * 3 + (unsigned)most + low + odd + eight.meta_group_rank() * 1000 + warp.meta_group_size() +
         block.size() + eight.shfl(threadIdx.x, 2) + eight.any(threadIdx.x == 9) + warp.all(threadIdx.x < 50);
}
