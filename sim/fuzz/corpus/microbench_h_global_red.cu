__global__ void h_global_red(float* out, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[((tid >> shift) * stride) & 1023], 1.0f);
}
