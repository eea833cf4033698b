
__global__ void running_sums_of_a_tree(int* m) {  // Blelloch: up and down a tree
  __shared__ int s[128];
  int t = threadIdx.x;
  s[2 * t] = m[2 * t];
  s[2 * t + 1] = m[2 * t + 1];
  int step = 1;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) s[127] = 0;
  for (int d = 1; d < 128; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int x = s[step * (2 * t + 1) - 1];
      s[step * (2 * t + 1) - 1] = s[step * (2 * t + 2) - 1];
      s[step * (2 * t + 2) - 1] += x;
    }
  }
  __syncthreads();
  m[t] = s[t];
  m[64 + t] = s[64 + t];
}
