#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kernels/protocol/protocol.h"

namespace lanescope {

/// A message of that run that this machine has no compiler for texts; empty if it has one.
std::optional<ErrorMessage> compilerProblem(std::uint64_t run);

/// Compiles and runs the text of a request: emits `compiled`; if that succeeded `output` for every buffer,
/// with `words` for small ones; `timed`; then always `done`, after an `error` if something failed. `device`:
/// the worker's hello. If this process cannot continue (the kernel crashed, or it or the compiler is still
/// running past its time), `endProcess` is called after `done`, from within: it must end the process at once,
/// since freeing anything would wait forever.
void runEditedKernel(const CompileRunRequest& request, const HelloMessage& device,
                     const std::function<bool(const WorkerMessage&)>& emit,
                     const std::function<bool()>& cancelled, const std::function<void()>& endProcess);

/// Launches a text's kernel exactly once, with nothing else on the GPU: for a profiler. If `linked` is set,
/// launches this program's own kernel of that name; else compiles the text and, unless `textFile` is empty,
/// marks its lines as those of that file. The error is one sentence.
std::optional<Error> launchTextOnce(const TextLaunch& launch, const std::string& textFile = {},
                                    const Strategy* linked = nullptr);

}  // namespace lanescope
