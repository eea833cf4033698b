
__global__ void h_global_stride(const float* in, float* out, unsigned int stride, unsigned int offset) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride + offset];
}
