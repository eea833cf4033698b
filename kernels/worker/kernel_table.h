#pragma once

#include <cstddef>

/// The strategies' kernels, compiled from their own texts: a table for each type of element, which
/// kernel_table.cmake writes at build time from kernels/strategies/*.cu.
namespace lanescope {

struct KernelEntry {
  const char* name;    ///< with its template arguments, as shape.h spells it
  const void* kernel;  ///< for cudaLaunchKernel
};

/// A table and its length.
struct KernelEntries {
  const KernelEntry* entries;
  std::size_t count;
};

KernelEntries kernelsForFloat();
KernelEntries kernelsForDouble();
KernelEntries kernelsForInt();

}  // namespace lanescope
