#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// The findings in a log of NVRTC (`FILE(LINE): error: MESSAGE`, the line, a caret below the place), errors
/// first, at most kMaxDiagnostics. `fileName`: the name under which the text was compiled; findings in other
/// files have line 0. Empty for a log without findings in this form.
std::vector<CompilerFinding> parseCompilerLog(std::string_view log, std::string_view fileName);

/// NVRTC's result for a text.
struct CompiledText {
  bool compiled = false;
  std::string loweredName;  ///< the kernel's symbol in the image
  std::string image;        ///< machine code for the architecture
  std::vector<CompilerFinding> findings;
  double milliseconds = 0;
};

/// NVIDIA's run-time compiler, loaded when it is first needed: the worker runs without it.
class Nvrtc {
 public:
  /// Searches libnvrtc.so of CUDA 13 and 12 in the system loader's folders, then under CUDA_HOME, CUDA_PATH
  /// and /usr/local/cuda. The error is one sentence.
  static Result<Nvrtc> load();

  /// `NVRTC 13.0`.
  const std::string& version() const { return version_; }

  /// Compiles `launch.text` for `architecture` (`sm_90`) and finds its kernel. Multiplications and additions
  /// are not fused, as in the simulator, so that results can be compared bit for bit. A text that does not
  /// compile gives findings. Unless `textFile` is empty, the code's line numbers refer to that file, for a
  /// profiler. Error: NVRTC itself failed. There is no time limit.
  Result<CompiledText> compile(const TextLaunch& launch, const std::string& architecture,
                               const std::string& textFile = {}) const;

 private:
  struct Functions;
  struct Program;

  Nvrtc() = default;
  std::vector<std::string> optionsFor(const std::string& architecture) const;

  std::shared_ptr<const Functions> functions_;
  std::string version_;
  std::string includeFolder_;  ///< of the CUDA Toolkit beside the library; empty if there is none
};

}  // namespace lanescope
