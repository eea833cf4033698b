// Transpose through a padded tile. An unused word ends each row of the tile, so that the words of a
// column are one bank further each.
template <unsigned int side>
__global__ void transpose_padded(const float* in, float* out, unsigned int width, unsigned int height) {
  __shared__ float tile[side][side + 1];
  const unsigned int left = blockIdx.x * side;
  const unsigned int top = blockIdx.y * side;

  tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + threadIdx.x];
  __syncthreads();

  out[(left + threadIdx.y) * height + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
