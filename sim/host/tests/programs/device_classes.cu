// Classes for the device as courses write them: a stack, a random number generator, a queue of work.
#include <cstdint>
#include <cstdio>
#include <vector>

template <typename T, int Capacity>
class FixedStack {
 public:
  __host__ __device__ FixedStack() : size_(0) {}
  __host__ __device__ bool push(const T &value) {
    if (size_ == Capacity) return false;
    data_[size_++] = value;
    return true;
  }
  __host__ __device__ T pop() { return data_[--size_]; }
  __host__ __device__ bool empty() const { return size_ == 0; }

 private:
  T data_[Capacity];
  int size_;
};

class XorShift {
 public:
  using result_type = std::uint32_t;
  __host__ __device__ explicit XorShift(result_type seed) : state_(seed * 2654435761u + 1u) {}
  __host__ __device__ result_type operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  __host__ __device__ int below(int limit) { return static_cast<int>((*this)() % limit); }

 private:
  result_type state_;
};

struct Range {
  int begin, end;
  __host__ __device__ int length() const { return end - begin; }
};

// Quicksort without recursion: the ranges that are still to be sorted are on a stack.
template <typename Compare>
__host__ __device__ void sortInPlace(int *values, int n, Compare isLess) {
  FixedStack<Range, 64> todo;
  todo.push(Range{0, n});
  while (!todo.empty()) {
    const Range range = todo.pop();
    if (range.length() < 2) continue;
    const int pivot = values[range.begin + range.length() / 2];
    int low = range.begin, high = range.end - 1;
    while (low <= high) {
      while (isLess(values[low], pivot)) ++low;
      while (isLess(pivot, values[high])) --high;
      if (low <= high) {
        const int kept = values[low];
        values[low++] = values[high];
        values[high--] = kept;
      }
    }
    todo.push({range.begin, high + 1});
    todo.push({low, range.end});
  }
}

constexpr int kThreads = 64, kPerThread = 20;

__global__ void sortPieces(int *values) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  XorShift random(thread);
  int mine[kPerThread];
  for (int i = 0; i < kPerThread; ++i) mine[i] = random.below(1000);
  const bool isDescending = thread % 2 == 1;
  sortInPlace(mine, kPerThread, [=](int a, int b) { return isDescending ? a > b : a < b; });
  for (int i = 0; i < kPerThread; ++i) values[thread * kPerThread + i] = mine[i];
}

int main() {
  std::vector<int> values(kThreads * kPerThread);
  int *d_values;
  cudaMalloc(&d_values, values.size() * sizeof(int));
  sortPieces<<<2, kThreads / 2>>>(d_values);
  cudaMemcpy(values.data(), d_values, values.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    XorShift random(thread);
    std::vector<int> expected(kPerThread);
    for (int &value : expected) value = random.below(1000);
    sortInPlace(expected.data(), kPerThread,
                [=](int a, int b) { return thread % 2 == 1 ? a > b : a < b; });
    for (int i = 0; i < kPerThread; ++i) wrong += values[thread * kPerThread + i] != expected[i];
  }
  printf("thread 0: %d … %d\n", values[0], values[kPerThread - 1]);
  printf("thread 1: %d … %d\n", values[kPerThread], values[2 * kPerThread - 1]);
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  cudaFree(d_values);
  return wrong != 0;
}
