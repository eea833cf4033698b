// Tables of texts and of addresses at file scope, and structs with both.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

__constant__ const char* colors[] = {"red", "green", "blue"};
__device__ const char* const units[2][2] = {{"m", "km"}, {"s", "h"}};
__device__ int low[3] = {1, 2, 3};
__device__ int high[3] = {100, 200, 300};
__device__ int* levels[] = {low, high, high + 1};

struct Command {
  const char* name;
  int code;
  int* data;
};
__device__ Command commands[] = {{"start", 10, low}, {"stop", 20, &high[2]}};

__global__ void print() {
  int i = threadIdx.x;
  printf("%d %s\n", i, colors[i]);
}

__global__ void read(int* out) {
  int i = threadIdx.x;
  int sum = 0;
  for (const char* c = commands[i].name; *c != '\0'; ++c) sum += *c;
  out[i] = sum + commands[i].code + *commands[i].data;
  out[2 + i] = levels[i][1] + levels[2][i] + units[i][1][0];
}

int main() {
  print<<<1, 3>>>();
  CHECK(cudaDeviceSynchronize());
  int* out;
  CHECK(cudaMallocManaged(&out, 4 * sizeof(int)));
  read<<<1, 2>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) printf("%d\n", out[i]);
  int changed[3] = {7, 8, 9};
  CHECK(cudaMemcpyToSymbol(low, changed, sizeof(changed)));
  read<<<1, 2>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) printf("%d\n", out[i]);
  CHECK(cudaFree(out));
  return 0;
}
