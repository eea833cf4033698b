
__global__ void reversed(int* m) {  // in place
  int t = threadIdx.x;
  int x = m[63 - t];
  __syncthreads();
  m[t] = x;
}
