// Texts in kernels: literals passed to functions, arrays of characters, strings that the host copies.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

__constant__ char greeting[16] = "none";

__device__ void report(const char* what, int value) { printf("%s: %d\n", what, value); }

__device__ const char* nameOf(int day) {
  switch (day % 3) {
    case 0: return "Monday";
    case 1: return "Tuesday";
    default: return "Wednesday";
  }
}

__global__ void days() {
  char tag[] = "day ?";
  tag[4] = '0' + threadIdx.x;
  printf("%s is %-9s|\n", tag, nameOf(threadIdx.x));
  if (threadIdx.x == 0) report(greeting, blockDim.x);
}

__global__ void upperCase(char* text, int length) {
  int i = threadIdx.x;
  if (i < length && text[i] >= 'a' && text[i] <= 'z') text[i] -= 'a' - 'A';
}

int main() {
  const char hello[] = "Hello, world of threads";
  CHECK(cudaMemcpyToSymbol(greeting, "threads", 8));
  days<<<1, 4>>>();
  CHECK(cudaDeviceSynchronize());
  char* text;
  CHECK(cudaMalloc(&text, sizeof hello));
  CHECK(cudaMemcpy(text, hello, sizeof hello, cudaMemcpyHostToDevice));
  upperCase<<<1, 32>>>(text, (int)strlen(hello));
  char back[sizeof hello];
  CHECK(cudaMemcpy(back, text, sizeof hello, cudaMemcpyDeviceToHost));
  puts(back);
  CHECK(cudaFree(text));
  return 0;
}
