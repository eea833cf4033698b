// Micro-benchmarks of shared and global memory access, measured on an NVIDIA H200.

__global__ void h_shared_stride(float* out, unsigned int stride) {           // k-way conflicts by stride
  __shared__ float s[2048];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 2048; i += blockDim.x) s[i] = (float)i;
  __syncthreads();
  float x = 0.0f;
  for (int k = 0; k < 4; ++k) x += s[(tid * stride + k) % 2048];
  out[blockIdx.x * blockDim.x + tid] = x;
}
