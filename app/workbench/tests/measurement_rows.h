#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanescope {

/// The columns behind the kernel's name of a row of kernels/tests/NAME.txt, a table of a measurement; the
/// first is its median time in microseconds. Throws where there is no such row.
inline std::vector<double> measurementRow(const std::string& name, const std::string& kernel) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/kernels/tests/" + name + ".txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kernel + ",")) continue;
    std::vector<double> row;
    std::stringstream fields(line.substr(kernel.size() + 1));
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
    return row;
  }
  throw std::runtime_error(name + " has no " + kernel);
}

}  // namespace lanescope
