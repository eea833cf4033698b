#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/sass/code/machine_code.h"
#include "kernels/worker/ncu_process.h"
#include "sim/language/text/source_text.h"

namespace lanescope {

/// The programs of a CUDA Toolkit that are on this machine.
struct Toolkit {
  std::optional<std::filesystem::path> nvcc;
  std::optional<std::filesystem::path> nvdisasm;
  std::optional<std::filesystem::path> cuobjdump;
  /// Where nvcc is missing and NVRTC can be loaded: lanescope-cli, which compiles with it in a process of its
  /// own, so that one that hangs can be ended.
  std::optional<std::filesystem::path> nvrtcProgram{};

  bool canCompile() const { return nvcc || nvrtcProgram; }
  bool canDisassemble() const { return nvdisasm || cuobjdump; }
};

/// Looks in CUDA_HOME and CUDA_PATH (their `bin`), on the PATH, and in /usr/local/cuda/bin, in that order;
/// for NVRTC as Nvrtc::load() does.
Toolkit findToolkit();

/// A kernel whose machine code is asked for.
struct CodeRequest {
  std::string text;
  std::string kernel;                  ///< `name` or `name<128>`
  std::string architecture = "sm_90";  ///< as nvcc names it
};
/// The request for a kernel of a program: what it reaches of the text (deviceText).
CodeRequest codeRequestOf(const SourceText& text, const std::string& kernel, std::string architecture);

/// Compiles the text with `nvcc -cubin -lineinfo`, or with NVRTC, and the flags that edited kernels are
/// compiled with for a GPU, and disassembles it with nvdisasm, or with cuobjdump, which knows no lines. Takes
/// about a second, and blocks; where `stillWanted` says false, or a program takes longer than `limitSeconds`,
/// it is ended. Errors, one sentence each: no toolkit or not all of it; an architecture that nvcc does not
/// know; what nvcc says of the text, with the line; no such kernel in it; several instances.
Result<MachineCode> disassemble(const CodeRequest& request, const Toolkit& toolkit,
                                const StillWanted& stillWanted, double limitSeconds = 60);

/// Whether it can be the name of a GPU architecture: `sm_` and a number, at most with a letter.
bool isArchitecture(const std::string& name);
/// That of a compute capability: `sm_90` of `9.0`; empty where there is none.
std::string architectureOf(std::string computeCapability);

}  // namespace lanescope
