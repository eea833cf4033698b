#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/sass/machine_code.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope::testing {

/// The machine code of compiled.cu, as nvcc 13.0 made it.
inline MachineCode compiledCode(const std::string& kernel) {
  static const auto kFunctions = parseDisassembly(dataText("h200-compiled-code.txt"), "compiled.cu");
  const DisassembledFunction* const found = findKernel(kFunctions, kernel);
  EXPECT_NE(found, nullptr) << kernel;
  if (found == nullptr) return {};
  MachineCode code{kernel, "sm_90", "nvcc 13.0, nvdisasm", false, true, found->instructions};
  code.constants.variables = {{3, 0, "kernel5"}, {3, 20, "table"}, {4, 0, "total"}};
  return code;
}

}  // namespace lanescope::testing
