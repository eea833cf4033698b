// A kernel, its helpers and its types in headers of the program's own.
#include <stdio.h>
#include <stdlib.h>

#include "include/image_tools.h"

int main(void) {
  const int pixels = 1000;
  Pixel* image = (Pixel*)malloc(pixels * sizeof(Pixel));
  for (int i = 0; i < pixels; ++i) image[i] = Pixel{(unsigned char)i, (unsigned char)(2 * i), 250};
  Pixel* onDevice;
  HANDLE_ERROR(cudaMalloc((void**)&onDevice, pixels * sizeof(Pixel)));
  HANDLE_ERROR(cudaMemcpy(onDevice, image, pixels * sizeof(Pixel), cudaMemcpyHostToDevice));
  brighten<<<2, 128>>>(onDevice, pixels, 10);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(image, onDevice, pixels * sizeof(Pixel), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(onDevice));
  long sum[3] = {0, 0, 0};
  for (int i = 0; i < pixels; ++i) {
    sum[0] += image[i].r;
    sum[1] += image[i].g;
    sum[2] += image[i].b;
  }
  printf("%ld %ld %ld\n", sum[0], sum[1], sum[2]);
  free(image);
  return 0;
}
