// Transpose, reading by row. Adjacent threads read consecutive elements of a row and write them
// into a column, each a whole row of the result apart.
__global__ void transpose_by_row(const float* in, float* out, unsigned int width, unsigned int height) {
  const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
