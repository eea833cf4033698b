// Transpose through a tile padded by two words, which suited banks of 64 bits. With 32-bit banks the
// words of a column are two banks further each, and reach the same banks again after 16.
template <unsigned int side>
__global__ void transpose_padded_two(const float* in, float* out, unsigned int width, unsigned int height) {
  __shared__ float tile[side][side + 2];
  const unsigned int left = blockIdx.x * side;
  const unsigned int top = blockIdx.y * side;

  tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + threadIdx.x];
  __syncthreads();

  out[(left + threadIdx.y) * height + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
