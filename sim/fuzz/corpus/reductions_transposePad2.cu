
__global__ void transposePad2(const float* in, float* out, unsigned int nx, unsigned int ny) {
  __shared__ float tile[32][34];
  unsigned int x = blockIdx.x * 32 + threadIdx.x;
  unsigned int y = blockIdx.y * 32 + threadIdx.y;
  if (x < nx && y < ny) tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < ny && y < nx) out[y * ny + x] = tile[threadIdx.x][threadIdx.y];
}
