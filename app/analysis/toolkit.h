#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/sass/machine_code.h"
#include "kernels/protocol/ncu_process.h"
#include "sim/base/source_text.h"

namespace lanescope {

/// The programs of a CUDA Toolkit that are on this machine.
struct Toolkit {
  std::optional<std::filesystem::path> nvcc;
  std::optional<std::filesystem::path> nvdisasm;
  std::optional<std::filesystem::path> cuobjdump;
  /// Used if nvcc is missing and NVRTC can be loaded: lanescope-cli, which compiles with it in a separate
  /// process, so that a compilation that hangs can be ended.
  std::optional<std::filesystem::path> nvrtcProgram{};

  bool canCompile() const { return nvcc || nvrtcProgram; }
  bool canDisassemble() const { return nvdisasm || cuobjdump; }
};

/// Looks in CUDA_HOME and CUDA_PATH (their `bin`), on the PATH, and in /usr/local/cuda/bin, in that order;
/// for NVRTC as Nvrtc::load() does.
Toolkit findToolkit();

/// A request for the machine code of a kernel.
struct CodeRequest {
  std::string text;
  std::string kernel;                  ///< `name` or `name<128>`
  std::string architecture = "sm_90";  ///< as nvcc names it
};
/// The request for a kernel of a program: the part of the text that it reaches (deviceText).
CodeRequest makeCodeRequest(const SourceText& text, const std::string& kernel, std::string architecture);

/// Compiles the text with `nvcc -cubin -lineinfo`, or with NVRTC, and the flags that edited kernels are
/// compiled with for a GPU. Disassembles it with nvdisasm, or with cuobjdump, which knows no lines. Takes
/// about a second, and blocks. It is ended if `stillWanted` returns false or a program takes longer than
/// `limitSeconds`. Errors, one sentence each: no toolkit or an incomplete one; an architecture that nvcc does
/// not know; nvcc's error in the text, with the line; no such kernel in it; several instances.
Result<MachineCode> disassemble(const CodeRequest& request, const Toolkit& toolkit,
                                const StillWanted& stillWanted, double limitSeconds = 60);

/// True if it can be the name of a GPU architecture: `sm_` and a number, at most with one letter.
bool isArchitecture(const std::string& name);
/// The architecture of a compute capability: `sm_90` for `9.0`; empty if there is none.
std::string findArchitecture(std::string computeCapability);

}  // namespace lanescope
