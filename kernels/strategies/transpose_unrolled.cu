// Transpose, unrolled and padded. A block transposes two adjacent tiles: each thread has two loads in
// flight before it stores either, and half as many blocks are started.
template <unsigned int side, unsigned int tiles>
__global__ void transpose_unrolled(const float* in, float* out, unsigned int width, unsigned int height) {
  __shared__ float tile[tiles][side][side + 1];
  const unsigned int left = blockIdx.x * side * tiles;
  const unsigned int top = blockIdx.y * side;

  for (unsigned int k = 0; k < tiles; ++k) {
    tile[k][threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + k * side + threadIdx.x];
  }
  __syncthreads();

  for (unsigned int k = 0; k < tiles; ++k) {
    out[(left + k * side + threadIdx.y) * height + top + threadIdx.x] = tile[k][threadIdx.x][threadIdx.y];
  }
}
