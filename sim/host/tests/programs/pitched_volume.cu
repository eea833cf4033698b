// Memory of three dimensions, whose pitch and extent a kernel takes.
#include <cstdio>
#include <vector>
__global__ void fill(cudaPitchedPtr p, cudaExtent e) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y, z = blockIdx.z;
  if (x >= e.width / sizeof(float) || y >= e.height || z >= e.depth) return;
  char* base = (char*)p.ptr;
  size_t pitch = p.pitch, slice = pitch * e.height;
  float* row = (float*)(base + z * slice + y * pitch);
  row[x] = x + 10 * y + 100 * z;
}
int main() {
  const int W = 30, H = 20, D = 5;
  cudaExtent extent = make_cudaExtent(W * sizeof(float), H, D);
  cudaPitchedPtr p;
  cudaMalloc3D(&p, extent);
  cudaMemset3D(p, 0, extent);
  fill<<<dim3(2, 2, D), dim3(16, 16)>>>(p, extent);
  std::vector<float> h(W * H * D);
  cudaMemcpy3DParms m = {0};
  m.srcPtr = p;
  m.dstPtr = make_cudaPitchedPtr(h.data(), W * sizeof(float), W, H);
  m.extent = extent;
  m.kind = cudaMemcpyDeviceToHost;
  cudaError_t e = cudaMemcpy3D(&m);
  int bad = 0;
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) bad += h[(z * H + y) * W + x] != x + 10 * y + 100 * z;
  printf("%s %s\n", cudaGetErrorString(e), bad ? "FAIL" : "PASS");
  cudaFree(p.ptr);
}
