// The Programming Guide's matrices: structs by value, with pointers into device memory.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int width;
  int height;
  float* elements;
} Matrix;

#define BLOCK_SIZE 16

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  float Cvalue = 0;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  for (int e = 0; e < A.width; ++e) Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = Cvalue;
}

void MatMul(const Matrix A, const Matrix B, Matrix C) {
  Matrix d_A;
  d_A.width = A.width;
  d_A.height = A.height;
  size_t size = A.width * A.height * sizeof(float);
  cudaMalloc(&d_A.elements, size);
  cudaMemcpy(d_A.elements, A.elements, size, cudaMemcpyHostToDevice);
  Matrix d_B;
  d_B.width = B.width;
  d_B.height = B.height;
  size = B.width * B.height * sizeof(float);
  cudaMalloc(&d_B.elements, size);
  cudaMemcpy(d_B.elements, B.elements, size, cudaMemcpyHostToDevice);
  Matrix d_C;
  d_C.width = C.width;
  d_C.height = C.height;
  size = C.width * C.height * sizeof(float);
  cudaMalloc(&d_C.elements, size);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid((B.width + dimBlock.x - 1) / dimBlock.x, (A.height + dimBlock.y - 1) / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  cudaMemcpy(C.elements, d_C.elements, size, cudaMemcpyDeviceToHost);
  cudaFree(d_A.elements);
  cudaFree(d_B.elements);
  cudaFree(d_C.elements);
}

static Matrix make(int height, int width) {
  Matrix m;
  m.width = width;
  m.height = height;
  m.elements = (float*)malloc(width * height * sizeof(float));
  for (int i = 0; i < width * height; ++i) m.elements[i] = (float)(i % 4);
  return m;
}

int main(void) {
  Matrix A = make(20, 30), B = make(30, 40), C = make(20, 40);
  MatMul(A, B, C);
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 6; ++col) printf("%6.1f", C.elements[row * C.width + col]);
    printf("\n");
  }
  free(A.elements);
  free(B.elements);
  free(C.elements);
  return 0;
}
