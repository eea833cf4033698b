// Votes, matches and reductions of warps; groups of threads, tiles, a grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffffu
template <unsigned N>
__device__ __forceinline__ int warpReduce(int v) {
#pragma unroll
  for (int o = N / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL_MASK, v, o, N);
  return v;
}
template <typename T, class Op>
__device__ T warpAll(T v, Op op) {
  for (int m = 16; m; m >>= 1) v = op(v, __shfl_xor_sync(0xffffffff, v, m));
  return v;
}
struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
__device__ int atomicAggInc(int* ctr) {
  auto g = cg::coalesced_threads();
  int warp_res;
  if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size());
  return g.shfl(warp_res, 0) + g.thread_rank();
}
__global__ void filter(int* dst, int* nres, const int* src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (src[i] > 0) dst[atomicAggInc(nres)] = src[i];
}
__global__ void votes(const int* in, unsigned* out) {
  int lane = threadIdx.x & 31, v = in[threadIdx.x];
  unsigned b = __ballot_sync(FULL_MASK, v & 1);
  unsigned m = __match_any_sync(FULL_MASK, v % 4);
  int pred;
  unsigned ma = __match_all_sync(FULL_MASK, v > -100, &pred);
  int anyNeg = __any_sync(FULL_MASK, v < 0), allPos = __all_sync(FULL_MASK, v >= 0);
  int sum = __reduce_add_sync(FULL_MASK, v);
  unsigned mx = __reduce_max_sync(FULL_MASK, (unsigned)v);
  unsigned ors = __reduce_or_sync(FULL_MASK, 1u << lane);
  if (lane == 0) {
    out[0] = b;
    out[1] = m;
    out[2] = ma;
    out[3] = pred;
    out[4] = anyNeg;
    out[5] = allPos;
    out[6] = sum;
    out[7] = mx;
    out[8] = ors;
    out[9] = __popc(b);
    out[10] = __ffs(b);
    out[11] = __clz(b);
    out[12] = __brev(b);
    out[13] = __funnelshift_l(b, m, 8);
  }
  unsigned below = b & ((1u << lane) - 1);
  out[32 + threadIdx.x] = __popc(below);
}
__global__ void tiles(const float* x, float* y, int n) {
  cg::thread_block blk = cg::this_thread_block();
  cg::thread_block_tile<8> t = cg::tiled_partition<8>(blk);
  auto w = cg::tiled_partition<32>(blk);
  float v = blk.thread_rank() < n ? x[blk.thread_rank()] : 0.f;
  float s = cg::reduce(t, v, cg::plus<float>());
  float m = cg::reduce(w, v, cg::greater<float>());
  if (t.thread_rank() == 0) y[t.meta_group_rank()] = s;
  if (w.thread_rank() == 0) y[64 + w.meta_group_rank()] = m;
  cg::sync(blk);
  blk.sync();
  if (blk.thread_index().x == 0) y[100] = blk.group_dim().x;
}
template <typename G>
__device__ int sumGroup(G g, int* tmp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    tmp[lane] = val;
    g.sync();
    if (lane < i) val += tmp[lane + i];
    g.sync();
  }
  return val;
}
__global__ void groupSum(int* sum, const int4* in, int n) {
  extern __shared__ int temp[];
  int my = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 v = in[i];
    my += v.x + v.y + v.z + v.w;
  }
  auto g = cg::this_thread_block();
  int b = sumGroup(g, temp, my);
  if (g.thread_rank() == 0) atomicAdd(sum, b);
}
__global__ void gridSync(int* a, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 1; r < n; r *= 2) {
    int v = 0, i = grid.thread_rank();
    if (i < n) v = a[i] + (i >= r ? a[i - r] : 0);
    grid.sync();
    if (i < n) a[i] = v;
    grid.sync();
  }
}
int main() {
  int *d, *e, *c;
  unsigned* o;
  float *x, *y;
  cudaMallocManaged(&d, 1024 * 4);
  cudaMallocManaged(&e, 1024 * 4);
  cudaMallocManaged(&c, 4);
  cudaMallocManaged(&o, 4 * 128);
  cudaMallocManaged(&x, 4 * 256);
  cudaMallocManaged(&y, 4 * 128);
  for (int i = 0; i < 1024; i++) d[i] = (i * 37) % 101 - 50;
  *c = 0;
  filter<<<4, 256>>>(e, c, d, 1000);
  cudaDeviceSynchronize();
  int ref = 0;
  for (int i = 0; i < 1000; i++) ref += d[i] > 0;
  printf("filter %d %s\n", *c, *c == ref ? "ok" : "WRONG");
  for (int i = 0; i < 1024; i++) d[i] = i * i % 23;
  votes<<<1, 32>>>(d, o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 14; i++) printf("%x ", o[i]);
  puts("");
  for (int i = 0; i < 256; i++) x[i] = i * 0.5f;
  tiles<<<1, 256>>>(x, y, 256);
  cudaDeviceSynchronize();
  printf("%g %g %g %g %g\n", y[0], y[31], y[64], y[71], y[100]);
  *c = 0;
  groupSum<<<2, 64, 64 * sizeof(int)>>>(c, (int4*)d, 1024);
  cudaDeviceSynchronize();
  ref = 0;
  for (int i = 0; i < 1024; i++) ref += d[i];
  printf("groupSum %d %d\n", *c, ref);
  int n = 500;
  void* args[] = {&d, &n};
  dim3 G(4), B(128);
  int before = 0;
  for (int i = 0; i < n; i++) before += d[i];
  cudaLaunchCooperativeKernel((void*)gridSync, G, B, args, 0, 0);
  cudaDeviceSynchronize();
  printf("grid scan %d %d %s\n", d[n - 1], before, cudaGetErrorString(cudaGetLastError()));
  for (void* p : {(void*)d, (void*)e, (void*)c, (void*)o, (void*)x, (void*)y}) cudaFree(p);
  return 0;
}
