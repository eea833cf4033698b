
__global__ void smoothed(int* m) {  // a stencil with its halo
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = m[t];
  if (t == 0) s[0] = m[63];
  if (t == 63) s[65] = m[0];
  __syncthreads();
  m[64 + t] = s[t] + 2 * s[t + 1] + s[t + 2];
}
