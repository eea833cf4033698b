// Conway's life on a torus, two buffers that take turns.
#include <stdio.h>
#include <string.h>
#define W 32
#define H 16

__global__ void life(const unsigned char* now, unsigned char* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) count += now[((y + dy + H) % H) * W + (x + dx + W) % W];
  next[y * W + x] = count == 3 || (count == 2 && now[y * W + x]);
}

int main() {
  unsigned char cells[W * H];
  memset(cells, 0, sizeof(cells));
  cells[1 * W + 2] = cells[2 * W + 3] = cells[3 * W + 1] = cells[3 * W + 2] = cells[3 * W + 3] = 1;
  unsigned char *a, *b;
  cudaMalloc((void**)&a, sizeof(cells));
  cudaMalloc((void**)&b, sizeof(cells));
  cudaMemcpy(a, cells, sizeof(cells), cudaMemcpyHostToDevice);
  dim3 block(8, 8), grid(W / 8, H / 8);
  for (int t = 0; t < 20; t++) {
    life<<<grid, block>>>(a, b);
    unsigned char* swap = a;
    a = b;
    b = swap;
  }
  cudaMemcpy(cells, a, sizeof(cells), cudaMemcpyDeviceToHost);
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) putchar(cells[y * W + x] ? '#' : '.');
    putchar('\n');
  }
  cudaFree(a);
  cudaFree(b);
  return 0;
}
