#include "sim/host/runtime/launch_log.h"

#include "sim/base/json.h"
#include "sim/host/runtime/extent_json.h"

namespace lanescope::host {

LaunchLog::LaunchLog(const std::string& path) {
  if (!path.empty()) file_.open(path, std::ios::trunc);
}

void LaunchLog::begins(std::uint64_t number, const Launch& launch, int line) {
  if (!file_.is_open()) return;
  const Json json{{"launch", number},
                  {"kernel", launch.kernel},
                  {"line", line},
                  {"grid", extentJson(launch.grid)},
                  {"block", extentJson(launch.block)},
                  {"shared_bytes", launch.dynamicSharedBytes}};
  file_ << jsonLine(json) << std::endl;
}

void LaunchLog::ends(std::uint64_t number, double seconds, const Run* run) {
  if (!file_.is_open()) return;
  Json json{{"launch", number}, {"seconds", seconds}};
  if (run != nullptr) json["hazards"] = run->hazards ? run->hazards->hazards.size() : 0;
  if (run != nullptr && run->fault) json["fault"] = run->fault->error.sentence();
  file_ << jsonLine(json) << std::endl;
}

}  // namespace lanescope::host
