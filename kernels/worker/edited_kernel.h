#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kernels/worker/protocol.h"

namespace lanescope {

/// That this machine has no compiler for texts, as a message of that run; nothing where it has one.
std::optional<ErrorMessage> compilerProblem(std::uint64_t run);

/// Compiles and runs a text as a request asks: emits `compiled`; where that went well `output` for every
/// buffer, with `words` for small ones; `timed`; then always `done`, after an `error` where something stood
/// in the way. `device`: the worker's hello. Where this process can go on no more (the kernel crashed, or it
/// or the compiler is still at work past its time), `endProcess` is called after `done`, from within: it must
/// end the process at once, since to free anything would wait for what never ends.
void runEditedKernel(const CompileRunRequest& request, const HelloMessage& device,
                     const std::function<bool(const WorkerMessage&)>& emit,
                     const std::function<bool()>& cancelled, const std::function<void()>& endProcess);

/// Launches a text's kernel exactly once, with nothing else on the GPU: for a profiler. Of `linked`, where
/// there is one, this program's own kernel of that name is launched; else the text is compiled and, where
/// `textFile` is not empty, knows its lines as those of that file. The error is one sentence.
std::optional<Error> launchTextOnce(const TextLaunch& launch, const std::string& textFile = {},
                                    const Strategy* linked = nullptr);

}  // namespace lanescope
