// Runs every kernel of classes.cu, lifetimes.cu, templates.cu and functions.cu on this machine's GPU, one block
// of 32 threads each, and prints a line of JSON for each:
//   nvcc -arch=native -std=c++20 -fmad=false --expt-relaxed-constexpr -o run_classes run_classes.cu && ./run_classes > h200-classes.jsonl
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

#include "classes.cu"
#include "functions.cu"
#include "lifetimes.cu"
#include "templates.cu"

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void run(const char* name, void (*kernel)(int*)) {
  constexpr std::size_t kInts = 256;
  int* out = nullptr;
  check(cudaMalloc(&out, kInts * sizeof(int)), name);
  check(cudaMemset(out, 0, kInts * sizeof(int)), name);
  kernel<<<1, 32>>>(out);
  check(cudaDeviceSynchronize(), name);
  std::vector<int> values(kInts);
  check(cudaMemcpy(values.data(), out, kInts * sizeof(int), cudaMemcpyDeviceToHost), name);
  check(cudaFree(out), name);
  std::uint64_t hash = 1469598103934665603u;
  for (std::size_t i = 0; i < kInts * sizeof(int); ++i)
    hash = (hash ^ reinterpret_cast<const unsigned char*>(values.data())[i]) * 0x100000001b3u;
  std::printf("{\"kernel\": \"%s\", \"fnv1a\": \"%016llx\", \"thread\": 5, \"values\": [", name,
              static_cast<unsigned long long>(hash));
  for (int i = 0; i < 8; ++i) std::printf("%s%d", i == 0 ? "" : ", ", values[5 * 8 + i]);
  std::printf("]}\n");
}

}  // namespace

#define RUN(kernel) run(#kernel, kernel)

int main() {
  RUN(vectors);
  RUN(stacks);
  RUN(functors);
  RUN(objects);
  RUN(layouts);
  RUN(matrices);
  RUN(bindings);
  RUN(destructors);
  RUN(gotos);
  RUN(slices);
  RUN(references);
  RUN(variable_templates);
  RUN(template_templates);
  RUN(second_bases);
  RUN(union_bits);
  RUN(recursions);
  RUN(function_tables);
  RUN(pack_kernels);
  RUN(lambdas);
  RUN(forwarding);
  RUN(heap_lists);
  RUN(parts_of_objects);
}
