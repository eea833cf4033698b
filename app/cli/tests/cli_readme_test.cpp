// Every lanescope-cli command of the READMEs, run as a reader would copy it.
#include <regex>

#include "app/cli/tests/run_cli.h"

namespace lanescope::cli {
namespace {

/// The commands in a Markdown text's blocks of `sh` that run lanescope-cli, with their continued lines.
std::vector<std::string> commandsIn(const std::string& markdown) {
  std::vector<std::string> commands;
  std::istringstream text(markdown);
  bool isShell = false;
  std::string command;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) {
      isShell = line == "```sh";
      continue;
    }
    if (!isShell) continue;
    command += line;
    if (command.ends_with('\\')) {
      command.back() = ' ';
      continue;
    }
    if (command.find("lanescope-cli ") != std::string::npos) commands.push_back(command);
    command.clear();
  }
  return commands;
}

/// The kernel that the README calls my.cu.
constexpr const char* kMyKernel = R"(template <int kThreads>
__global__ void reduce(const float* in, float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  for (int k = kThreads / 2; k > 0; k /= 2) {
    __syncthreads();
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
)";

/// Runs the commands one after another in one folder; a strategy that is yet to be written is one that is
/// there.
void expectAllRun(const char* readme, std::size_t atLeast) {
  const std::vector<std::string> commands =
      commandsIn(readAll(std::string(LANESCOPE_SOURCE_DIR "/") + readme));
  EXPECT_GE(commands.size(), atLeast) << "the blocks are no longer found";
  const ScratchFolder scratch;
  scratch.write("my.cu", kMyKernel);
  for (const std::string& written : commands) {
    if (!LANESCOPE_HAS_PNG &&
        (written.find(".png") != std::string::npos || written.find("--sequence") != std::string::npos ||
         written.find("--gif") != std::string::npos))
      continue;
    if (!LANESCOPE_HAS_GIF && written.find("--gif") != std::string::npos) continue;
    const bool hasToolkit = runShell("command -v nvcc && command -v nvdisasm").status == 0;
    if (!hasToolkit && written.find("needs a CUDA Toolkit") != std::string::npos) continue;
    std::string command = written.substr(0, written.find(" #"));
    command = std::regex_replace(command, std::regex("(build/bin/)?lanescope-cli "), LANESCOPE_CLI " ");
    command = std::regex_replace(command, std::regex("my-idea"), "baseline");
    if (command.find(" bench ") != std::string::npos) command += " --worker '" LANESCOPE_FAKE_WORKER " good'";
    const auto outcome = runShell("cd '" + scratch.path().string() + "' && " + command);
    EXPECT_EQ(outcome.status, 0) << written << "\n" << outcome.complaint;
    EXPECT_EQ(outcome.complaint, "") << written;
    EXPECT_NE(outcome.output, "") << written;
  }
}

TEST(Readme, TheCommandsOfTheProjectRun) { expectAllRun("README.md", 9); }

TEST(Readme, TheCommandsForANewStrategyRun) { expectAllRun("kernels/strategies/README.md", 2); }

}  // namespace
}  // namespace lanescope::cli
