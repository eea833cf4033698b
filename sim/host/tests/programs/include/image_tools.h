// Device and host code that a program includes from a folder of its own.
#ifndef IMAGE_TOOLS_H
#define IMAGE_TOOLS_H
#include "pixel.h"
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
__device__ unsigned char brighter(unsigned char value, int by) { return min(value + by, LIMIT); }
__global__ void brighten(Pixel* image, int pixels, int by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += blockDim.x * gridDim.x) {
    image[i].r = brighter(image[i].r, by);
    image[i].g = brighter(image[i].g, by);
    image[i].b = brighter(image[i].b, by);
  }
}
#endif
