#pragma once

#include <string>
#include <vector>

#include "app/cli/tests/run_cli.h"

namespace lanescope::cli {

inline constexpr const char* kFillKernel = R"(#include <cstdio>
__global__ void fill(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
)";

/// A program around `fill`, from line 6 on.
inline Outcome runMain(const std::string& body, const std::vector<std::string>& more = {}) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{
      "run", scratch.write("p.cu", kFillKernel + ("int main() {\n" + body + "\n}\n"))};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCli(arguments);
}

}  // namespace lanescope::cli
