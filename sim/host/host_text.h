#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

/// The number of a text's source file in a program.
struct HostUnit {
  std::size_t number = 0;
  bool isLinked = true;
};

struct HostText {
  std::string text;
  std::vector<std::string> files;  ///< the program's own ones, as the compiler names them
  bool usesOthers = false;         ///< it declares variables of the device that another file has
  std::string classes{};           ///< for the front end: the classes of the lambdas that kernels may take
};

/// A program's copy for the host's compiler, of its preprocessed text (`c++ -E` with Lanescope's headers),
/// which keeps `__global__` and its kin as words. The bodies of kernels become calls of the runtime with the
/// instance's name and the parameters' addresses; those of `__device__` functions end the program;
/// `constexpr` and `__host__ __device__` functions stay. `k<<<grid, block>>>(a)` becomes
/// `(lanescopeConfigure(line, grid, block) ? (void)0 : k(a))`, so that overloads, deduction, conversions and
/// default arguments are the compiler's. `__device__` and `__constant__` variables stay as shadows that name
/// their symbols. A `__device__` lambda becomes an object of a local class that names its class in `classes`,
/// with the types of its captures. Line markers keep the compiler's messages in the program's own files. Text
/// that is not C++ is left to the compiler. In a program of several source files, names for the runtime carry
/// the number of their file (UnitName), and a variable of the device is the file's own unless `isLinked`, as
/// without and with nvcc's -rdc=true.
HostText hostText(std::string_view preprocessed, HostUnit unit = {});

}  // namespace lanescope::host
