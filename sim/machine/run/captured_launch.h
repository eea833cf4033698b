#pragma once

#include <memory>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// A launch of a whole program as it begins: its extents and all the data that its kernel can reach.
struct CapturedLaunch {
  std::string kernel;      ///< `name` or `name<128>`
  std::uint32_t line = 0;  ///< of the launch in the program; 0 if unknown
  Dim3 grid;
  Dim3 block;
  std::uint64_t sharedBytes = 0;  ///< dynamic
  bool isCooperative = false;
  std::shared_ptr<const GivenArguments> given = std::make_shared<const GivenArguments>();
};

/// Writes a captured launch to a file. Error: it cannot be written.
Result<bool> writeCapture(const CapturedLaunch& launch, const std::string& path);
/// Reads a file that writeCapture() wrote. Error: there is no such file, or it is not a capture.
Result<CapturedLaunch> readCapture(const std::string& path);

}  // namespace lanescope
