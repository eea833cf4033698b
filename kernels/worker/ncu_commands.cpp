#include "kernels/worker/ncu_commands.h"

#include <filesystem>
#include <fstream>

#include "kernels/worker/edited_kernel.h"
#include "kernels/protocol/profile_run.h"

namespace lanescope {

CLI::App* addCountersCommand(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command =
      app.add_subcommand("counters", "Read the hardware counters of one launch with Nsight Compute (ncu)");
  command->add_option("target", options.targets, "A strategy's id, or a .cu file")->required()->expected(1);
  addLaunchOptions(*command, options);
  return command;
}

CLI::App* addProfileCommand(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "profile", "Profile launches line by line with Nsight Compute (ncu), one run of it for each");
  options.n = "2^26";
  command
      ->add_option("target", options.targets,
                   "Ids of strategies or experiments, 'all' strategies, or a .cu file")
      ->required();
  addLaunchOptions(*command, options);
  return command;
}

std::optional<Error> launchOnceFrom(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) return Error{"'" + printable(path) + "' cannot be read."};
  const auto request = parseRequest(line);
  if (!request) return request.error();
  if (const auto* counters = std::get_if<CountersRequest>(&*request)) return launchTextOnce(counters->launch);
  if (const auto* edited = std::get_if<CompileRunRequest>(&*request)) return launchTextOnce(edited->launch);
  if (const auto* profile = std::get_if<ProfileRequest>(&*request)) {
    const auto text = std::filesystem::absolute(path).parent_path() / profiledFile(*profile);
    return launchTextOnce(profile->launch, text.string(), linkedStrategy(*profile));
  }
  return Error{"'" + printable(path) + "' holds no launch."};
}

}  // namespace lanescope
