#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/nvcc_options.h"

namespace lanescope::cli {
namespace {

/// The words of the command line, for CLI11 the last one first. Those of the program that `run` runs go to
/// `programWords`. Error: an option of nvcc that is not taken.
Result<std::vector<std::string>> readWords(int argc, char** argv, const CLI::App& app,
                                           std::vector<std::string>& programWords) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  if (command == "run" || command == "check") {
    words.erase(words.begin());
    auto line = readNvccLine(words, *app.get_subcommand(command), command == "run");
    if (!line) return line.error();
    for (const std::string& note : line->notes) fmt::print(stderr, "lanescope: {}\n", note);
    programWords = std::move(line->program);
    words = std::move(line->own);
    words.insert(words.begin(), command);
  }
  std::ranges::reverse(words);
  return words;
}

/// What another tool's command is here; empty for a word that is none.
std::string_view likeCommand(std::string_view word) {
  constexpr auto kOthers = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"racecheck", "run and simulate look for races themselves: lanescope-cli run prog.cu"},
      {"memcheck", "run and simulate check every access: lanescope-cli run prog.cu"},
      {"synccheck", "run and simulate check barriers and masks: lanescope-cli run prog.cu"},
      {"initcheck", "run and simulate look for memory that was never written: lanescope-cli run prog.cu"},
      {"compute-sanitizer", "run and simulate do what its tools do: lanescope-cli run prog.cu"},
      {"cuda-memcheck", "run and simulate check every access: lanescope-cli run prog.cu"},
      {"nvcc", "run compiles a program and runs it: lanescope-cli run prog.cu"},
      {"compile", "run compiles a program and runs it: lanescope-cli run prog.cu"},
      {"ncu", "simulate prints a launch's counters, and why reads a profile of ncu"},
      {"nsys", "run prints a table of a program's launches: lanescope-cli run prog.cu"},
      {"nvprof", "run prints a table of a program's launches: lanescope-cli run prog.cu"},
      {"profile", "simulate prints a launch's counters, and run a table of a program's launches"},
  });
  const auto* const found =
      std::ranges::find(kOthers, word, &std::pair<std::string_view, std::string_view>::first);
  return found == kOthers.end() ? "" : found->second;
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
  std::vector<std::string> programWords;
  CLI::App app{
      "Lanescope without a window: simulates CUDA kernels and counts what a GPU would.\n"
      "Exit status: 0 done, 1 the kernel or the check failed, 2 wrong usage."};
  app.name("lanescope-cli");
  app.set_version_flag("--version", "lanescope-cli 0.1.0");
  app.require_subcommand(1);
  const std::vector<Command> commands{addListCommand(app),     addGlossaryCommand(app),
                                      addSimulateCommand(app), addLuckCommand(app),
                                      addTraceCommand(app),    addCheckCommand(app),
                                      addRenderCommand(app),   addRunCommand(app, programWords),
                                      addBenchCommand(app),    addExperimentCommand(app),
                                      addWhyCommand(app),      addFloorsCommand(app),
                                      addSassCommand(app),     addCubinCommand(app)};

  auto words = readWords(argc, argv, app, programWords);
  if (!words) return complain(words.error(), kWrongUsage);
  try {
    app.parse(std::move(*words));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    // Without a command CLI11 names the missing one, and not the word that was typed.
    std::string what = error.what();
    const std::vector<std::string> unknown = app.remaining();
    if (app.get_subcommands().empty() && !unknown.empty()) {
      const auto word = std::ranges::find_if(unknown, [](const auto& one) { return !one.starts_with("-"); });
      const std::string_view like = word == unknown.end() ? "" : likeCommand(*word);
      what = word == unknown.end() ? fmt::format("There is no option {} before a command", unknown.front())
             : !like.empty()       ? fmt::format("{} is not a command: {}", *word, like)
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
