// Objects in managed memory whose members are partly the host's: a kernel passes over those.
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

struct Plain {
  std::array<int, 3> a;
  std::pair<int, float> p;
  std::size_t n;
};

class Series {
 public:
  explicit Series(const char* text) : name(text) { cudaMallocManaged(&values, 4 * sizeof(int)); }
  ~Series() { cudaFree(values); }
  __device__ int at(int i) const { return values[i] * scale; }

  std::string name = "none";
  std::vector<int> host, more[2];
  std::map<std::string, int> index{};
  std::unique_ptr<int> owned;
  std::shared_ptr<int> shared;
  std::function<int(int)> change;
  std::mutex guard;
  std::vector<int>* others = nullptr;
  int* values = nullptr;
  int scale = 3;
};

__global__ void sum(Plain s, int* out) { out[threadIdx.x] = threadIdx.x + s.p.first + (int)s.n; }
__global__ void read(Series* series, int* out) { out[threadIdx.x] = series->at(threadIdx.x); }

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  sum<<<1, 4>>>(Plain{{1, 2, 3}, {10, 2.5f}, 100}, out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  Series* series;
  cudaMallocManaged(&series, sizeof(Series));
  new (series) Series("squares");
  for (int i = 0; i < 4; ++i) series->host.push_back(i * i), series->values[i] = i * i;
  read<<<1, 4>>>(series, out);
  cudaDeviceSynchronize();
  printf("%s: %d %d %d %d\n", series->name.c_str(), out[0], out[1], out[2], out[3]);
  series->~Series();
  cudaFree(series);
  cudaFree(out);
}
