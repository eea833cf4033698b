#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "app/workbench/tests/scratch_folder.h"

namespace lanescope::cli {

struct Outcome {
  int status = -1;  ///< exit status; -1: ended by a signal
  std::string output;
  std::string complaint;  ///< what went to stderr
};

using lanescope::testing::readAll;
using lanescope::testing::ScratchFolder;

/// Runs a line of the shell's.
inline Outcome runShell(std::string command) {
  const ScratchFolder scratch;
  const std::string complaints = (scratch.path() / "stderr").string();
  command += " 2>'" + complaints + "' </dev/null";
  Outcome outcome;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> chunk;
  for (std::size_t n; (n = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
    outcome.output.append(chunk.data(), n);
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.complaint = readAll(complaints);
  return outcome;
}

/// Runs the lanescope-cli of this build.
inline Outcome runCli(const std::vector<std::string>& arguments) {
  std::string command = LANESCOPE_CLI;
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  return runShell(std::move(command));
}

/// A text in a file k.cu of its own, gone with it.
class KernelFile {
 public:
  explicit KernelFile(const std::string& text) : path_(scratch_.write("k.cu", text)) {}
  const std::string& path() const { return path_; }
  /// Runs a command on it, with more words behind it.
  Outcome run(const std::string& command, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{command, path_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
  }

 private:
  ScratchFolder scratch_;
  std::string path_;
};

/// Runs a command on a kernel text: without more, one block of four threads over a buffer of four ints.
inline Outcome runText(const std::string& command, const std::string& text,
                       const std::vector<std::string>& more = {}, const std::string& block = "4") {
  std::vector<std::string> words{"--block", block, "--arg", "i32:zero:4"};
  words.insert(words.end(), more.begin(), more.end());
  return KernelFile(text).run(command, words);
}

/// What a run of a program reports, without the table of its launches, which has times, and without the
/// shell's words.
inline std::string reportOf(const Outcome& outcome) {
  std::istringstream lines(outcome.complaint);
  std::string report;
  bool isTable = false;
  for (std::string line; std::getline(lines, line);) {
    const bool isSentence = line.empty() || line.starts_with("lanescope: ") || line.starts_with("error: ") ||
                            line.starts_with("warning: ") || line.starts_with("~: ");
    isTable = line.find("  simulated in  ") != std::string::npos || (isTable && !isSentence);
    if (!isTable && !line.empty() && !line.starts_with("Segmentation fault")) report += line + "\n";
  }
  return report;
}

inline std::size_t countLines(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

inline void expectSays(const Outcome& outcome, const std::string& sentence) {
  EXPECT_NE(outcome.complaint.find(sentence), std::string::npos) << outcome.complaint;
}

}  // namespace lanescope::cli
