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

int runCommand(host::ProgramOptions options, const std::vector<std::string>& programWords) {
  if (!std::filesystem::is_regular_file(options.sources[0])) {
    fmt::print(stderr, "There is no file {}. Give a .cu file with main().\n", options.sources[0]);
    return kWrongUsage;
  }
  std::vector<std::string> arguments;
  for (const std::string& word : options.arguments) {
    const bool isSource = host::isSourcePath(word) && std::filesystem::is_regular_file(word);
    (isSource ? options.sources : arguments).push_back(word);
  }
  arguments.insert(arguments.end(), programWords.begin(), programWords.end());
  options.arguments = std::move(arguments);
  if (options.sources.size() > 1 && options.captured > 0) {
    fmt::print(stderr, "--capture takes a program of one source file. Include the others in it.\n");
    return kWrongUsage;
  }
  options.likelyDirectories = headerFolders(DesktopHost(), options.sources[0]);
  host::runProgram(options);
}

}  // namespace

std::vector<CLI::Option*> addHostOptions(CLI::App& command, host::ProgramOptions& options) {
  return {command.add_option("--std", options.standard, "the host code's C++ (default c++17)")->take_last(),
          command
              .add_option("-O,--optimize", options.optimization,
                          "level of the host code's optimization: 0, 1, 2 or 3 (default: none, as with nvcc)")
              ->take_last()
              ->check(CLI::IsMember({"0", "1", "2", "3"})),
          command
              .add_option("--host-flag", options.hostFlags,
                          "an option for the host's C++ compiler and linker, such as --host-flag=-fopenmp; "
                          "repeat it for more")
              ->allow_extra_args(false),
          command
              .add_option("--host-library", options.hostLibraries,
                          "a library to link the host code with, as with -l; repeat it for more")
              ->allow_extra_args(false),
          command.add_option("--cxx", options.compiler, "the host's C++ compiler (default c++)")->take_last(),
          command
              .add_option("--fmad", options.fusesProducts,
                          "whether kernels round a * b + c once, as with nvcc's option (default true)")
              ->take_last()
              ->type_name("true|false")};
}

Command addRunCommand(CLI::App& app, const std::vector<std::string>& programWords) {
  CLI::App* const command =
      app.add_subcommand("run", "Run a whole CUDA program: its host code here, its kernels in the simulator");
  const auto options = std::make_shared<host::ProgramOptions>();
  command->footer(
      "The output, the input and the exit status are the program's own. On stderr there are sentences "
      "on mistakes, and at the end a table of its launches. Times between events are the simulator's; the "
      "device has the properties of an NVIDIA H200. A long launch is counted in its first blocks, and scaled "
      "values have a ~. nvcc's options, as in a Makefile, are taken before the program's file; those that "
      "change nothing here are ignored.\n"
      "Exit status: the program's, or that of --error-exitcode; 124 after the timeout; 125 if the program "
      "does not compile or a kernel of it cannot be simulated; 128 and the signal's number after a signal, "
      "such as 130 after Ctrl+C; 2 wrong usage, also a file of --launches that cannot be opened.");
  command
      ->add_option_function<std::string>(
          "program", [options](const std::string& path) { options->sources = {path}; },
          "a .cu file; or several source files (.cu, .cpp, .cc, .cxx, .c), of which one has main()")
      ->required();
  command->add_option("arguments", options->arguments,
                      "more source files, if they exist; and the program's own arguments: all words behind "
                      "-- or from the first option on that is neither one of these nor one of nvcc's that no "
                      "program is likely to have (-arch, -gencode, -std, -rdc, -Xcompiler, -Xptxas and the "
                      "like); the first -- behind the file is left out");
  addHostOptions(*command, *options);
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
  command->add_flag(
      "--json", options->json,
      "print the launches as JSON on stderr, with all counters, and why the program was ended if it was");
  command
      ->add_option_function<double>(
          "--timeout",
          [options](double seconds) {
            options->timeout = std::chrono::milliseconds(toWhole<std::int64_t>(seconds * 1000));
          },
          "end compiling and the program after that many seconds (default: never)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-memory", options->memoryBytes,
                   "bytes of memory that the device has, as 2^30 (default: half of this machine's); it does "
                   "not bound the host's part, for which the shell has ulimit -v")
      ->transform(sizeFrom(1, std::uint64_t{1} << 50));
  command
      ->add_option(
          "--error-exitcode", options->errorStatus,
          "the exit status if a kernel fails or an error is among the hazards, if a launch, a copy or a free "
          "is refused, if another call fails and cudaGetLastError() does not fetch its error, or if streams "
          "or the host do not wait for each other (default: the program's)")
      ->check(CLI::Range(1, 255));
  return {command, [options, &programWords] { return runCommand(*options, programWords); }};
}

}  // namespace lanescope::cli
