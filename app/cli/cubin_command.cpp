#include "app/cli/cubin_command.h"

#include <fmt/format.h>

#include <fstream>

#include "app/cli/arguments.h"
#include "app/cli/exit_status.h"
#include "kernels/protocol/nvrtc.h"

namespace lanescope::cli {

CLI::App* addCubinCommand(CLI::App& app, CubinOptions& options) {
  CLI::App* const command = app.add_subcommand("compile-cubin", "Compile a kernel with NVRTC");
  command->group("");
  command->add_option("text", options.text)->required();
  command->add_option("cubin", options.cubin)->required();
  command->add_option("--kernel", options.kernel)->required();
  command->add_option("--arch", options.architecture)->required();
  return command;
}

int cubinCommand(const CubinOptions& options) {
  const auto text = textOfFile(options.text);
  if (!text) return complain(text.error(), kWrongUsage);
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) return complain(nvrtc.error(), kFailed);
  TextLaunch launch{.text = std::string((*text)->text()), .kernel = options.kernel};
  const auto compiled = nvrtc->compile(launch, options.architecture, options.text);
  if (!compiled) return complain(compiled.error(), kFailed);
  std::string output = compiled->compiled ? nvrtc->version() + "\n" : std::string();
  for (const CompilerFinding& one : compiled->findings) {
    output += fmt::format("{}({}): {}: {}\n", one.line == 0 ? "the instance" : options.text, one.line,
                          one.isError ? "error" : "warning", one.message);
  }
  if (compiled->compiled) {
    std::ofstream file(options.cubin, std::ios::binary);
    file << compiled->image << std::flush;
    if (!file.good()) return complain(Error{fmt::format("'{}' cannot be written.", options.cubin)}, kFailed);
  }
  const int written = printed(output);
  return compiled->compiled ? written : kFailed;
}

}  // namespace lanescope::cli
