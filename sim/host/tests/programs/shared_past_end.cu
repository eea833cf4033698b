// A tile that is too small: a GPU gives a block shared memory in units of 128 bytes, so that this is passed over.
#include <cstdio>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[100];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 128;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = i * i;
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[27], host[n - 1]);

  reverse<<<1, 160>>>(in, out);  // 640 bytes: past the unit
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
