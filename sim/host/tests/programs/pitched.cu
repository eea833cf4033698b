// A pitched image: cudaMallocPitch and cudaMemcpy2D.
#include <cstdio>
#include <vector>

__global__ void transposeByte(unsigned char* in, size_t inPitch, unsigned char* out, size_t outPitch, int w,
                              int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    unsigned char* row = (unsigned char*)((char*)in + y * inPitch);
    unsigned char* column = (unsigned char*)((char*)out + x * outPitch);
    column[y] = row[x];
  }
}

int main() {
  const int w = 37, h = 21;
  std::vector<unsigned char> image(w * h), result(w * h);
  for (int i = 0; i < w * h; ++i) image[i] = (unsigned char)(i * 7);
  unsigned char *in, *out;
  size_t inPitch, outPitch;
  cudaMallocPitch(&in, &inPitch, w, h);
  cudaMallocPitch(&out, &outPitch, h, w);
  cudaMemcpy2D(in, inPitch, image.data(), w, w, h, cudaMemcpyHostToDevice);
  dim3 block(16, 8);
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  transposeByte<<<grid, block>>>(in, inPitch, out, outPitch, w, h);
  cudaMemcpy2D(result.data(), h, out, outPitch, h, w, cudaMemcpyDeviceToHost);
  bool ok = inPitch >= w;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) ok = ok && result[x * h + y] == image[y * w + x];
  printf("%s\n", ok ? "PASS" : "FAIL");
  cudaFree(in);
  cudaFree(out);
  return ok ? 0 : 1;
}
