// Cooperative groups. A block is split into tiles as wide as a warp, and `reduce` adds the values of a
// tile with the best instruction of this GPU. The first tile then does the same with the tiles' sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

// Both: thread 0 ends with the sum over the block. `words` has one for each of its threads.
template <unsigned int width>
__device__ inline float sumByTiles(float sum, float* words) {
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  const cooperative_groups::thread_block_tile<width> tile = cooperative_groups::tiled_partition<width>(block);
  const unsigned int rank = tile.thread_rank();

  sum = cooperative_groups::reduce(tile, sum, cooperative_groups::plus<float>());
  if (rank == 0) words[tile.meta_group_rank()] = sum;
  block.sync();

  if (tile.meta_group_rank() == 0) {
    sum = rank < tile.meta_group_size() ? words[rank] : static_cast<float>(0);
    sum = cooperative_groups::reduce(tile, sum, cooperative_groups::plus<float>());
  }
  return sum;
}

__device__ inline float sumByBlock(float sum, float* words) {
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  const unsigned int rank = block.thread_rank();
  words[rank] = sum;
  for (unsigned int k = block.size() / 2; k > 0; k /= 2) {
    block.sync();
    if (rank < k) words[rank] += words[rank + k];
  }
  return words[rank];
}

template <unsigned int block>
__global__ void group_reduce(const float* in, float* out) {
  constexpr unsigned int width = block < 32 ? block : 32;  // a small block is less than a warp
  __shared__ float words[block];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * block * 2;
  float sum = begin[tid] + begin[tid + block];
  if (width <= warpSize) sum = sumByTiles<width>(sum, words);
  else sum = sumByBlock(sum, words);  // drawn with narrower warps: a tile must fit in one
  if (tid == 0) out[blockIdx.x] = sum;
}
