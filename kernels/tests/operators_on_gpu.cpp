#include "kernels/tests/operators_on_gpu.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/protocol/reference_values.h"
#include "kernels/strategies/shape.h"
#include "kernels/worker/bench_case.h"
#include "kernels/worker/cuda_call.h"

namespace lanescope {
namespace {

/// Element i: for a product mostly ones, so that it stays exact in every type.
template <class T>
T findElement(std::uint64_t i, const std::string& op) {
  if (op == "Product") return static_cast<T>(i % 509 == 7 ? 2 : 1);
  return static_cast<T>(static_cast<int>(inputElement(i)) - 50);
}

template <class T>
T combine(T a, T b, const std::string& op) {
  if (op == "Sum") return a + b;
  if (op == "Product") return a * b;
  return op == "Minimum" ? std::min(a, b) : std::max(a, b);
}

/// Launches the passes and returns the one value that is left.
template <class T>
T reduceOnGpu(const Strategy& strategy, const std::string& op, const std::vector<T>& in,
              std::vector<StrategyShape> passes) {
  DeviceBuffer input(in.size() * sizeof(T));
  check(cudaMemcpy(input.data(), in.data(), input.bytes(), cudaMemcpyHostToDevice), "take the input");
  for (const StrategyShape& pass : passes) {
    DeviceBuffer out(pass.outElements * sizeof(T));
    const void* source = input.data();
    void* target = out.data();
    auto n = static_cast<std::uint32_t>(pass.n);
    void* arguments[] = {static_cast<void*>(&source), static_cast<void*>(&target), &n};
    const std::string name = kernelName(strategy, pass.blockX, 0, op);
    check(cudaLaunchKernel(findKernel(pass.type, name), dim3(pass.gridX), dim3(pass.blockX), arguments,
                           pass.dynamicSharedBytes, nullptr),
          "launch '" + name + "'");
    check(cudaDeviceSynchronize(), "finish '" + name + "'");
    input = std::move(out);
  }
  T result{};
  check(cudaMemcpy(&result, input.data(), sizeof(T), cudaMemcpyDeviceToHost), "hand over the result");
  return result;
}

template <class T>
int runOperator(const Strategy& strategy, const std::string& op, ElementType type) {
  int right = 0;
  int wrong = 0;
  for (const std::uint64_t n : {1U, 31U, 33U, 1000U, 1U << 14U}) {
    std::vector<T> in(n);
    for (std::uint64_t i = 0; i < n; ++i) in[i] = findElement<T>(i, op);
    T expected = in[0];
    for (std::uint64_t i = 1; i < n; ++i) expected = combine(expected, in[i], op);
    for (std::uint32_t block = 32; block <= 1024; block *= 2) {
      const auto passes = passesToOne(strategy, n, block, 132, 32, type);
      if (!passes) continue;
      const T got = reduceOnGpu(strategy, op, in, *passes);
      if (got == expected) {
        ++right;
        continue;
      }
      ++wrong;
      std::printf("wrong: %s of %llu %s with blocks of %u: %g, not %g\n", op.c_str(),
                  static_cast<unsigned long long>(n), std::string(elementTypeName(type)).c_str(), block,
                  static_cast<double>(got), static_cast<double>(expected));
    }
  }
  std::printf("%-26s %-7s %-7s %-6s %6d %6d\n", std::string(strategy.id).c_str(), op.c_str(),
              std::string(elementTypeName(type)).c_str(), "own", right, wrong);
  return wrong;
}

}  // namespace

int runOperators() {
  int wrong = 0;
  for (const Strategy& strategy : strategies()) {
    for (const std::string& op : strategy.operators) {
      wrong += runOperator<float>(strategy, op, ElementType::Float);
      wrong += runOperator<double>(strategy, op, ElementType::Double);
      wrong += runOperator<std::int32_t>(strategy, op, ElementType::Int);
    }
  }
  return wrong;
}

}  // namespace lanescope
