#include "sim/memory/launch_spec.h"

#include <limits>

#include "sim/base/counted.h"

namespace lanescope {

Result<Dim3> parseExtent(std::string_view text, std::string_view what) {
  Dim3 extent;
  std::string_view rest = text;
  for (std::uint32_t* part : {&extent.x, &extent.y, &extent.z}) {
    const std::size_t comma = rest.find_first_of(",xX");
    const auto size = readSize(rest.substr(0, comma));
    if (!size || *size > std::numeric_limits<std::uint32_t>::max()) break;
    *part = static_cast<std::uint32_t>(*size);
    if (comma == std::string_view::npos) return extent;
    rest.remove_prefix(comma + 1);
  }
  return Error{std::string(what) + " " + std::string(text) + " is not an extent.",
               "Write X, X,Y or X,Y,Z with whole numbers or powers of two, as 2^10."};
}

std::string formatExtent(Dim3 extent) {
  std::string text = std::to_string(extent.x);
  if (extent.y != 1 || extent.z != 1) text += "," + std::to_string(extent.y);
  if (extent.z != 1) text += "," + std::to_string(extent.z);
  return text;
}

Result<Dim3> LaunchSpec::readGrid() const { return parseExtent(grid, "The grid"); }
Result<Dim3> LaunchSpec::readBlock() const { return parseExtent(block, "The block"); }

Result<std::uint64_t> LaunchSpec::readDynamicShared() const {
  if (const auto bytes = readSize(dynamicShared)) return *bytes;
  return Error{"Dynamic shared memory is a whole number of bytes, as 256."};
}

Result<const MachineModel*> LaunchSpec::readMachine() const {
  if (machine.empty()) return &machinePresets().front();
  if (const MachineModel* const found = findMachine(machine)) return found;
  std::string names;
  for (const MachineModel& preset : machinePresets())
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return Error{"There is no machine '" + machine + "'.", "Machines are " + names + "."};
}

}  // namespace lanescope
