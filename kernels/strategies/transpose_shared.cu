// Transpose through a tile in shared memory. The block reads rows and writes rows; it is transposed in
// shared memory, where a column is read: 32 words of one bank.
template <unsigned int side>
__global__ void transpose_shared(const float* in, float* out, unsigned int width, unsigned int height) {
  __shared__ float tile[side][side];
  const unsigned int left = blockIdx.x * side;
  const unsigned int top = blockIdx.y * side;

  tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + threadIdx.x];
  __syncthreads();

  out[(left + threadIdx.y) * height + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
