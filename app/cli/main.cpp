#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"

namespace lanescope::cli {
namespace {

/// The words behind `--` on a command line of `run`: they all belong to the program, whatever they look like.
/// argc no longer counts them.
std::vector<std::string> splitAfterDashes(int& argc, char** argv) {
  char** const end = argv + argc;
  if (argc < 2 || argv[1] != std::string_view("run")) return {};
  char** const dashes = std::find(argv, end, std::string_view("--"));
  argc = static_cast<int>(dashes - argv);
  return dashes == end ? std::vector<std::string>{} : std::vector<std::string>(dashes + 1, end);
}

/// `list, glossary or simulate`: the commands in the help.
std::string namesText(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

int run(int argc, char** argv) {
  std::vector<std::string> behindDashes = splitAfterDashes(argc, argv);
  CLI::App app{
      "Lanescope without a window: simulates CUDA kernels and counts what a GPU would.\n"
      "Exit status: 0 done, 1 the kernel or the check failed, 2 wrong usage."};
  app.name("lanescope-cli");
  app.set_version_flag("--version", "lanescope-cli 0.1.0");
  app.require_subcommand(1);
  const std::vector<Command> commands{addListCommand(app),     addGlossaryCommand(app),
                                      addSimulateCommand(app), addLuckCommand(app),
                                      addTraceCommand(app),    addCheckCommand(app),
                                      addRenderCommand(app),   addRunCommand(app, std::move(behindDashes)),
                                      addBenchCommand(app),    addExperimentCommand(app),
                                      addWhyCommand(app),      addFloorsCommand(app),
                                      addSassCommand(app),     addCubinCommand(app)};

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    // Without a command CLI11 names the missing one, and not the word that was typed.
    std::string what = error.what();
    const std::vector<std::string> unknown = app.remaining();
    if (app.get_subcommands().empty() && !unknown.empty()) {
      const auto word = std::ranges::find_if(unknown, [](const auto& one) { return !one.starts_with("-"); });
      what = word == unknown.end() ? fmt::format("There is no option {} before a command", unknown.front())
                                   : fmt::format("{} is not a command: {}", *word, namesText(app));
    }
    fmt::print(stderr, "{}. Try lanescope-cli --help.\n", what);
    return kWrongUsage;
  }
  return std::ranges::find_if(commands, [](const Command& command) { return command.app->parsed(); })->run();
}

}  // namespace
}  // namespace lanescope::cli

int main(int argc, char** argv) {
  try {
    const int status = lanescope::cli::run(argc, argv);
    std::cout.flush();  // CLI11's help
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
    std::fputs("The output cannot be written. Is the disk full?\n", stderr);
    return status == 0 ? lanescope::cli::kFailed : status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanescope-cli met an unexpected failure: %s\n", error.what());
    return 1;
  }
}
