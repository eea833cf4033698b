#pragma once

#include <cstdint>
#include <string>

#include "sim/machine/run/launch.h"

namespace lanescope::cosim {

/// A random kernel: legal CUDA C++ of the subset whose result every GPU must give, bit for bit.
/// Its form is `__global__ void kSEED(unsigned* out, const unsigned* in)`.
struct RandomKernel {
  std::string name;
  std::string text;
  Dim3 grid;
  Dim3 block;
  std::uint64_t outputWords = 0;  ///< zero before; `in` has kInputWords of the fill `hash`
};

inline constexpr std::uint64_t kInputWords = 1024;
/// Up to this seed a kernel has functions, structs and arrays; behind it the language's further parts as well
/// (expression_writer.h).
inline constexpr std::uint64_t kPlainKernels = 2400;

/// The kernel of a seed; the same on every machine. Loops end, divisions and shifts are defined, signed
/// arithmetic does not overflow, floating values stay finite and are compiled with -fmad=false, shared
/// memory is only exchanged across barriers, lanes exchange only where all of a warp's are there, and
/// atomics are of the kind whose order cannot be seen.
RandomKernel generate(std::uint64_t seed);

/// The kernel as a launch for the simulator.
Launch makeLaunch(const RandomKernel& kernel);

}  // namespace lanescope::cosim
