#include "kernels/protocol/ncu_run.h"

#include <utility>
#include <vector>

#include "kernels/protocol/ncu_output.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const StillWanted& stillWanted, double limitSeconds) {
  constexpr std::size_t kMaxOutput = std::size_t{4} << 20U;
  const auto ncu = findNcu();
  if (!ncu) return ncu.error();
  const TemporaryFolder folder;
  if (const auto problem = folder.write("launch.json", toLine(WorkerRequest(request)) + "\n")) {
    return *problem;
  }
  const std::vector<std::string> words{*ncu,
                                       "--clock-control",
                                       "none",
                                       "--csv",
                                       "--page",
                                       "details",
                                       "--print-metric-instances",
                                       "details",
                                       "--print-units",
                                       "base",
                                       "--metrics",
                                       ncuMetrics(),
                                       program,
                                       "launch-once",
                                       (folder.path() / "launch.json").string()};
  const auto text = readOutput(words, folder, stillWanted, limitSeconds, kMaxOutput);
  if (!text) return text.error();
  auto counters = parseNcuCsv(*text);
  if (!counters) {
    const std::string problem = ncuProblem(*text);
    return problem.empty() ? counters.error() : Error{problem};
  }
  return CountersMessage{request.run, "Nsight Compute", std::move(counters).value()};
}

}  // namespace lanescope
