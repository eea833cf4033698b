#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/launches.h"

/// Kernels of one line, with declarations before them.
namespace lanescope::testing {

using Ints = std::vector<int>;

inline std::string lookUpKernel(const std::string& before, const std::string& body) {
  return before + "\n__global__ void k(int* out) {\n  int t = threadIdx.x;\n" + body + "\n}\n";
}

/// What `threads` threads, of which each has an element of `out` and its number `t`, leave there.
inline Ints left(const std::string& before, const std::string& body, std::uint32_t threads = 4) {
  Launch launch = launchText(lookUpKernel(before, body), threads, {"i32:zero:" + std::to_string(threads)});
  launch.kernel = "k";
  const auto run = simulate(launch);
  EXPECT_TRUE(run.ok()) << body << "\n" << (run.ok() ? "" : run.error().message);
  return run.ok() ? elements<int>(*run, 0) : Ints(threads);
}

/// The first fault of the kernel's text; empty without.
inline std::string fault(const std::string& before, const std::string& body) {
  const auto kernel = checkKernel(ParsedText(makeSource(lookUpKernel(before, body))), "k");
  return kernel.ok() ? "" : kernel.error().diagnostics.front().message;
}

}  // namespace lanescope::testing
