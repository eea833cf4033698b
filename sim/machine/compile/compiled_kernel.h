#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"
#include "sim/machine/compile/bytecode.h"

namespace lanescope {

/// A __device__ function of a text.
struct DeviceFunction {
  std::string name;
  SourceSpan extent;  ///< from its name to the end of its body
};

/// A kernel of a text, checked and compiled: the same for every launch, on any machine.
struct CompiledKernel {
  std::shared_ptr<const SourceText> source;
  std::string asked;  ///< as in KernelName; empty: the text's only kernel
  Bytecode code;
  std::vector<std::uint32_t> lineOfSite;
  std::uint32_t line = 0;                 ///< line of its head in the text, from 1
  std::vector<DeviceFunction> functions;  ///< of the text that have a body
};
using CompiledKernelPtr = std::shared_ptr<const CompiledKernel>;

/// The rounding of a product that is part of a sum.
enum class ProductRounding : std::uint8_t {
  Separate,  ///< the product alone, as with nvcc's --fmad=false
  Fused,     ///< together with the sum, as contractMultiplyAdd() does: nvcc's default
};

/// Errors: all of checkKernel() and of compile().
Result<CompiledKernelPtr> compileKernel(const ParsedText& text, std::string_view kernel,
                                        ProductRounding rounding = ProductRounding::Separate);

}  // namespace lanescope
