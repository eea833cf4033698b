#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/newest_job.h"
#include "kernels/protocol/tool_process.h"
#include "sim/base/diagnostic.h"
#include "sim/machine/run/launch.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_code.h"

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

/// The machine code of a text, and the changes to its accesses.
struct CodeOutcome {
  std::shared_ptr<const SourceText> source;
  std::string kernel;
  Result<MachineCode> code = Error{};
  std::optional<AccessComparison> comparison;  ///< empty if the launch cannot be run or the lines are unknown
};

/// The machine code of the current text, from the CUDA Toolkit of this machine, made in the background. For
/// one thread.
class LocalCode {
 public:
  /// The executor's owner is woken when poll() has something to take.
  explicit LocalCode(ExecutorPtr executor);
  /// Sets the tools to use instead of this machine's.
  void setToolkit(Toolkit toolkit) { toolkit_ = std::move(toolkit); }

  const Toolkit& toolkit();
  /// Asks for the code of a launch's kernel; the newest question wins. The same text and kernel are asked
  /// once.
  void ask(const Launch& launch, const std::string& architecture);
  /// Takes the results of the background work; true if there were any.
  bool poll();
  bool busy() const { return job_.busy(); }
  /// The result for that text; nullptr if there is none yet.
  const CodeOutcome* of(std::string_view text) const;

 private:
  struct Request {
    Launch launch;
    std::string architecture;
    Toolkit toolkit;
  };
  using Outcome = std::shared_ptr<const CodeOutcome>;
  using Job = NewestJob<Request, Outcome>;

  static Outcome work(const Request& request, const std::stop_token& stop);

  std::optional<Toolkit> toolkit_;
  Outcome found_;
  Job job_;
};

}  // namespace lanescope
