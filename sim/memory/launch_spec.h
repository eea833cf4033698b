#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/memory/argument.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// Extent of a grid in blocks or of a block in threads.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// Reads `X`, `X,Y` or `X,Y,Z` (`8x8` too), each as readSize() does; `what` begins the error's sentence:
/// "The grid" or "--trace-block".
Result<Dim3> parseExtent(std::string_view text, std::string_view what);
/// The shortest text from which parseExtent() makes that extent.
std::string formatExtent(Dim3 extent);

/// A launch as a user writes it: every entry is text, and may be wrong. What an empty entry means depends on
/// the command. The errors are the same everywhere, one sentence and a way out each.
struct LaunchSpec {
  std::string kernel{};         ///< `name` or `name<128>`
  std::string grid{};           ///< blocks: X[,Y[,Z]]
  std::string block{};          ///< threads per block
  std::string dynamicShared{};  ///< bytes of dynamic shared memory per block
  bool isCooperative = false;
  std::vector<std::string> arguments{};  ///< in the parameters' order, as parseArgument() reads them
  std::vector<std::string> symbols{};    ///< variables at file scope: NAME=ARGUMENT
  std::string machine{};                 ///< a preset's name; empty: the first
  bool operator==(const LaunchSpec&) const = default;

  Result<Dim3> readGrid() const;
  Result<Dim3> readBlock() const;
  Result<std::uint64_t> readDynamicShared() const;
  Result<const MachineModel*> readMachine() const;
};

}  // namespace lanescope
