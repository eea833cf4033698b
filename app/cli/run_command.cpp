#include "app/base/whole.h"
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/launch/kernel_file.h"
#include "kernels/protocol/worker_options.h"
#include "sim/host/program.h"

namespace lanescope::cli {
namespace {

int runCommand(host::ProgramOptions options, const std::vector<std::string>& behindDashes) {
  if (!std::filesystem::is_regular_file(options.sources[0])) {
    fmt::print(stderr, "There is no file {}. Give a .cu file with main().\n", options.sources[0]);
    return kWrongUsage;
  }
  std::vector<std::string> arguments;
  for (const std::string& word : options.arguments) {
    const bool isSource = host::isSourcePath(word) && std::filesystem::is_regular_file(word);
    (isSource ? options.sources : arguments).push_back(word);
  }
  arguments.insert(arguments.end(), behindDashes.begin(), behindDashes.end());
  options.arguments = std::move(arguments);
  if (options.sources.size() > 1 && options.captured > 0) {
    fmt::print(stderr, "--capture takes a program of one source file. Include the others in it.\n");
    return kWrongUsage;
  }
  options.likelyDirectories = headerFolders(DesktopHost(), options.sources[0]);
  host::runProgram(options);
}

}  // namespace

Command addRunCommand(CLI::App& app, std::vector<std::string> behindDashes) {
  CLI::App* const command =
      app.add_subcommand("run", "Run a whole CUDA program: its host code here, its kernels in the simulator");
  const auto options = std::make_shared<host::ProgramOptions>();
  command->footer(
      "The output, the input and the exit status are the program's own. On stderr there are sentences "
      "on mistakes, and at the end a table of its launches. Times between events are the simulator's; the "
      "device has the properties of an NVIDIA H200. A long launch is counted in its first blocks, and scaled "
      "values have a ~.\n"
      "Exit status: the program's; 124 after the timeout; 125 if it does not compile or a kernel of it "
      "cannot be simulated; 130 after Ctrl+C; 2 wrong usage.");
  command
      ->add_option_function<std::string>(
          "program", [options](const std::string& path) { options->sources = {path}; },
          "a .cu file; or several source files (.cu, .cpp, .cc, .cxx, .c), of which one has main()")
      ->required();
  command->add_option("arguments", options->arguments,
                      "more source files, if they exist; and the program's own arguments: put them "
                      "behind --");
  command->add_option("--std", options->standard, "the host code's C++ (default c++17)");
  addIncludeDirectories(*command, options->includeDirectories);
  addDefinitions(*command, options->definitions);
  command->add_option(
      "--launches", options->launchesFile,
      "a file that gets a line of JSON when a launch begins, and one when it ends; in place of the table");
  auto* const to = command->add_option("--to", options->captureFile, "the file for --capture");
  command
      ->add_option("--capture", options->captured,
                   "write that launch (1: the first) with all its data to a file, then end")
      ->check(CLI::PositiveNumber)
      ->needs(to);
  command->add_option("--cxx", options->compiler, "the host's C++ compiler (default c++)");
  command
      ->add_option("--fmad", options->fusesProducts,
                   "whether kernels round a * b + c once, as with nvcc's option (default true)")
      ->type_name("true|false");
  command->add_flag(
      "--json", options->json,
      "print the launches as JSON on stderr, with all counters, and why the program was ended if it was");
  command
      ->add_option_function<double>(
          "--timeout",
          [options](double seconds) {
            options->timeout = std::chrono::milliseconds(toWhole<std::int64_t>(seconds * 1000));
          },
          "end the program after that many seconds (default: never)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-memory", options->memoryBytes,
                   "bytes of memory that the device has, as 2^30 (default: half of this machine's)")
      ->transform(sizeFrom(1, std::uint64_t{1} << 50));
  return {command,
          [options, behindDashes = std::move(behindDashes)] { return runCommand(*options, behindDashes); }};
}

}  // namespace lanescope::cli
