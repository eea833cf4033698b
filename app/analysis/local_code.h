#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/newest_job.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_code.h"
#include "app/analysis/toolkit.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

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
  /// `wake` is called from another thread when poll() has something to take.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }
  /// Sets the tools to use instead of this machine's.
  void setToolkit(Toolkit toolkit) { toolkit_ = std::move(toolkit); }

  const Toolkit& toolkit();
  /// Asks for the code of a launch's kernel; the newest question wins. The same text and kernel are asked
  /// once.
  void ask(const Launch& launch, const std::string& architecture);
  /// Takes the results of the background work; true if there were any.
  bool poll();
  bool busy() const { return job_ && job_->busy(); }
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

  std::function<void()> wake_;
  std::optional<Toolkit> toolkit_;
  Outcome found_;
  std::unique_ptr<Job> job_;  ///< there once something was asked
};

}  // namespace lanescope
