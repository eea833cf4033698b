#pragma once

#include <gtest/gtest.h>

#include "sim/trace/run.h"

namespace lanescope {

/// A launch that ran with its first block recorded and hazards looked for.
inline Run tracedRun(const Launch& launch) {
  RunOptions options{.traced = Dim3{0, 0, 0}};
  Result<Run> run = runLaunch(launch, options);
  EXPECT_TRUE(run && run->trace != nullptr);
  return std::move(run).value();
}

}  // namespace lanescope
