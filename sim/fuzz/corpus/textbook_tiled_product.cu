// Kernels as textbooks have them, correct. hazards_test takes their barriers out one by one: each must
// be missed. One buffer of 128 ints, one block of 64 threads.

__global__ void tiled_product(int* m) {  // an 8 x 8 matrix times itself, in tiles of 4 x 4
  __shared__ int a[8][8];
  __shared__ int b[8][8];
  int row = threadIdx.x / 8;
  int column = threadIdx.x % 8;
  int sum = 0;
  for (int t = 0; t < 2; ++t) {
    a[row][column] = m[row * 8 + (column + t * 4) % 8];
    b[row][column] = m[(row + t * 4) % 8 * 8 + column];
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += a[row][k] * b[k][column];
    __syncthreads();
  }
  m[64 + threadIdx.x] = sum;
}
