// Tiled matrix multiplication on a 2D grid, beside the naive one, with times by events that are not printed.
#include <stdio.h>
#include <stdlib.h>
#define TILE 16

__global__ void matmulNaive(float* A, float* B, float* C, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < N && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < N; k++) sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

__global__ void matmulTiled(float* A, float* B, float* C, int N) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < (N + TILE - 1) / TILE; t++) {
    As[ty][tx] = (row < N && t * TILE + tx < N) ? A[row * N + t * TILE + tx] : 0.0f;
    Bs[ty][tx] = (col < N && t * TILE + ty < N) ? B[(t * TILE + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < N && col < N) C[row * N + col] = sum;
}

int main() {
  int N = 100;
  size_t bytes = N * N * sizeof(float);
  float *hA = (float*)malloc(bytes), *hB = (float*)malloc(bytes);
  float *hC = (float*)malloc(bytes), *hD = (float*)malloc(bytes);
  for (int i = 0; i < N * N; i++) {
    hA[i] = i % 5;
    hB[i] = i % 3 - 1;
  }
  float *dA, *dB, *dC;
  cudaMalloc((void**)&dA, bytes);
  cudaMalloc((void**)&dB, bytes);
  cudaMalloc((void**)&dC, bytes);
  cudaMemcpy(dA, hA, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dB, hB, bytes, cudaMemcpyHostToDevice);
  dim3 threads(TILE, TILE);
  dim3 blocks((N + TILE - 1) / TILE, (N + TILE - 1) / TILE);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float ms = 0;
  cudaEventRecord(start);
  matmulNaive<<<blocks, threads>>>(dA, dB, dC, N);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  cudaMemcpy(hC, dC, bytes, cudaMemcpyDeviceToHost);
  printf("naive took some time: %s\n", ms > 0 ? "yes" : "no");
  cudaMemset(dC, 0, bytes);
  matmulTiled<<<blocks, threads>>>(dA, dB, dC, N);
  cudaMemcpy(hD, dC, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++) sum += hA[i * N + k] * hB[k * N + j];
      if (hC[i * N + j] != sum || hD[i * N + j] != sum) wrong++;
    }
  }
  printf("C[3][5] = %g\n", hD[3 * N + 5]);
  printf("wrong elements: %d\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
  free(hA);
  free(hB);
  free(hC);
  free(hD);
  return wrong != 0;
}
