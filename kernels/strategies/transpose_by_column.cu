// Transpose, reading by column. Threads and blocks swap their axes: adjacent threads read down a
// column and write consecutive elements of a row of the result.
__global__ void transpose_by_column(const float* in, float* out, unsigned int width, unsigned int height) {
  const unsigned int x = blockIdx.x * blockDim.x + threadIdx.y;
  const unsigned int y = blockIdx.y * blockDim.y + threadIdx.x;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
