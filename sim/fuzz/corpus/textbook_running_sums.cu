
__global__ void running_sums(int* m) {  // Hillis and Steele, one buffer
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = m[t];
  __syncthreads();
  for (int k = 1; k < 64; k *= 2) {
    int x = t >= k ? s[t - k] : 0;
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }
  m[64 + t] = s[t];
}
