__global__ void k(unsigned* out) {
  unsigned before = atomicAdd(&out[0], 1u);
  out[1 + threadIdx.x] = before;
}
