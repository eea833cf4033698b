// The Mandelbrot set as text, on a 2D grid.
#include <stdio.h>
#include <stdlib.h>

__device__ int escapeTime(double cx, double cy, int most) {
  double x = 0, y = 0;
  int k = 0;
  while (k < most && x * x + y * y <= 4.0) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++k;
  }
  return k;
}

__global__ void mandelbrot(int* out, int w, int h, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  out[j * w + i] = escapeTime(-2.25 + 3.0 * i / w, -1.25 + 2.5 * j / h, most);
}

int main() {
  const int w = 72, h = 24, most = 60;
  int *d, *host = (int*)malloc(w * h * sizeof(int));
  cudaMalloc((void**)&d, w * h * sizeof(int));
  dim3 block(16, 8, 1);
  dim3 grid((w + 15) / 16, (h + 7) / 8, 1);
  mandelbrot<<<grid, block>>>(d, w, h, most);
  cudaMemcpy(host, d, w * h * sizeof(int), cudaMemcpyDeviceToHost);
  for (int j = 0; j < h; ++j) {
    for (int i = 0; i < w; ++i) putchar(host[j * w + i] == most ? '#' : host[j * w + i] > 6 ? '+' : '.');
    putchar('\n');
  }
  cudaFree(d);
  free(host);
  return 0;
}
