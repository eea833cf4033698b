#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The place of a variable at file scope in machine code.
struct ConstantVariable {
  unsigned bank = 0;         ///< 3: the variable itself, of __constant__; 4: its address
  std::uint64_t offset = 0;  ///< bytes into the bank
  std::string name;          ///< without its namespaces
  std::uint64_t addend = 0;  ///< of an address
};

/// A kernel's contents of a cubin's constant banks.
struct CubinConstants {
  std::vector<ConstantVariable> variables;
  std::vector<std::byte> literals;  ///< bank 2: numbers of the kernel that instructions cannot hold
};

/// Reads them from an ELF file of 64 bits; malformed parts are left out. `symbol` is the kernel's.
CubinConstants readConstants(std::span<const std::byte> cubin, std::string_view symbol);

}  // namespace lanescope
