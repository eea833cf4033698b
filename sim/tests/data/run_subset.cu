// Runs every kernel of subset.cu on this machine's GPU and prints a line of JSON for each:
//   nvcc -arch=native -std=c++20 -fmad=false -o run_subset run_subset.cu && ./run_subset | grep kernel > h200-subset.jsonl
#include "subset.cu"

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class Kernel>
void run(const char* name, Kernel kernel) {
  constexpr std::size_t kWords = 128;
  unsigned* out = nullptr;
  check(cudaMalloc(&out, kWords * sizeof(unsigned)), name);
  check(cudaMemset(out, 0, kWords * sizeof(unsigned)), name);
  kernel<<<2, 64, 512>>>(out);
  check(cudaDeviceSynchronize(), name);
  std::vector<unsigned> words(kWords);
  check(cudaMemcpy(words.data(), out, kWords * sizeof(unsigned), cudaMemcpyDeviceToHost), name);
  check(cudaFree(out), name);
  std::uint64_t hash = 1469598103934665603u;
  for (std::size_t i = 0; i < kWords * sizeof(unsigned); ++i) {
    hash = (hash ^ reinterpret_cast<const unsigned char*>(words.data())[i]) * 0x100000001b3u;
  }
  std::printf("{\"kernel\": \"%s\", \"fnv1a\": \"%016llx\", \"first\": [%u, %u, %u, %u]}\n", name,
               static_cast<unsigned long long>(hash), words[0], words[1], words[2], words[3]);
}

}  // namespace

#define RUN(...) run(#__VA_ARGS__, __VA_ARGS__)

int main() {
  RUN(narrow_integers);
  RUN(wide_integers);
  RUN(floating);
  RUN(vectors);
  RUN(vectors_in_memory);
  RUN(structs);
  RUN(structs_in_memory);
  RUN(local_arrays);
  RUN(references);
  RUN(overloads);
  RUN(macros);
  RUN(enums);
  RUN(switches);
  RUN(loops);
  RUN(expressions);
  RUN(mathematics);
  RUN(atomics_shared);
  RUN(atomics_global);
  RUN(ballots);
  RUN(shuffles);
  RUN(counted_barriers);
  RUN(groups);
  RUN(early_return);
  RUN(pointers);
  RUN(dynamic_shared);
  RUN(prints);
  RUN(templated<64, float>);
  RUN(templated<64, double>);
  RUN(rounded_arithmetic);
  RUN(rounded_conversions);
  RUN(integer_intrinsics);
  RUN(memory_functions);
  RUN(halves);
  RUN(bfloats);
  RUN(half_atomics);
  RUN(complex_numbers);
}
