#include "sim/random_programs/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <sstream>

#include "sim/base/words.h"
#include "sim/machine/run/launch.h"

namespace lanescope::random_programs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kQualifiers =
    "#define __device__\n#define __global__\n#define __host__\n#define __constant__\n"
    "extern \"C\" int printf(const char*, ...);\nextern \"C\" int fflush(void*);\n";

std::string nameOf(const Program& program) { return fmt::format("p{}", program.seed); }

/// Which program an error's line `p17:3:5: error: …` is of.
std::map<std::string, std::string> errorsOf(const std::string& path) {
  std::map<std::string, std::string> errors;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find("error: ") != std::string::npos) errors.emplace(line.substr(0, line.find(':')), line);
  return errors;
}

/// The first error, or else the first line.
std::string firstErrorOf(const std::string& path) {
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);
  for (std::string line = first; file; std::getline(file, line))
    if (line.find("error: ") != std::string::npos) return line;
  return first;
}

/// One compiler call and one run; false if programs were found that must be left out before the next.
bool attempt(const std::string& command, const std::vector<Program>& programs, const std::string& folder,
             std::vector<Answer>& answers) {
  std::ofstream source(folder + "/all.cpp");
  source << kQualifiers;
  std::string calls;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!answers[i].objection.empty()) continue;
    source << within(programs[i], nameOf(programs[i]));
    calls += fmt::format("  run({}::k, {});\n", nameOf(programs[i]), i);
  }
  source << fmt::format(
      "#line 1 \"main\"\nstatic void run(void (*kernel)(int*), int which) {{\n  int words[{0}] = {{}};\n"
      "  kernel(words);\n  printf(\"%d\", which);\n  for (int word : words) printf(\" %d\", word);\n"
      "  printf(\"\\n\");\n  fflush(nullptr);\n}}\nint main() {{\n{1}}}\n",
      kWords, calls);
  source.close();
  bool isComplete = true;
  if (std::system(fmt::format("cd '{}' && {{ {} all.cpp -o all; }} >said 2>&1", folder, command).c_str()) !=
      0) {
    const auto errors = errorsOf(folder + "/said");
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const auto error = errors.find(nameOf(programs[i]));
      if (error != errors.end()) answers[i].objection = error->second, isComplete = false;
    }
    if (!isComplete) return false;
    const std::string reason = "the compiler fails: " + firstErrorOf(folder + "/said");
    for (Answer& answer : answers)
      if (answer.objection.empty()) answer.objection = reason;
    return true;
  }
  const int status = std::system(fmt::format("cd '{}' && timeout 60 ./all >words 2>said", folder).c_str());
  std::ifstream words(folder + "/words");
  for (std::string line; std::getline(words, line);) {
    std::istringstream row(line);
    std::size_t which = 0;
    row >> which;
    for (int word = 0; row >> word;) answers[which].words.push_back(word);
  }
  for (std::size_t i = 0; status != 0 && i < programs.size(); ++i) {
    if (answers[i].words.size() == kWords || !answers[i].objection.empty()) continue;
    answers[i].objection = "the run ends early: " + firstErrorOf(folder + "/said");
    for (Answer& answer : answers) answer.words.clear();
    return false;
  }
  return true;
}

Launch makeLaunch(const Program& program) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(nameOf(program) + ".cu", within(program, ""));
  launch.kernel = "k";
  launch.arguments = {parseArgument(fmt::format("i32:zero:{}", kWords)).value()};
  return launch;
}

/// What the simulator leaves, or why it does not.
Comparison simulated(const Program& program, std::vector<int>& words) {
  const auto simulation = simulate(makeLaunch(program));
  if (!simulation)
    return {simulation.error().isOfRun ? Verdict::Different : Verdict::Refused,
            simulation.error().sentence()};
  words.resize(kWords);
  std::memcpy(words.data(), simulation->buffers[0].data(), kWords * sizeof(int));
  return {};
}

Comparison beside(const Answer& answer, const Comparison& row, const std::vector<int>& words) {
  if (!answer.objection.empty()) return {Verdict::Invalid, answer.objection};
  if (row.verdict != Verdict::Equal || words == answer.words) return row;
  const auto [mine, other] = std::ranges::mismatch(words, answer.words);
  return {Verdict::Different, fmt::format("out[{}] is {}, not {}", mine - words.begin(), *mine, *other)};
}

/// What all of the compilers leave.
std::vector<Answer> askCompilers(const std::vector<std::string>& commands,
                                 const std::vector<Program>& programs) {
  std::vector<Answer> answers = askCompiler(commands.at(0), programs);
  for (const std::string& other : std::span(commands).subspan(1)) {
    const std::vector<Answer> others = askCompiler(other, programs);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (!answers[i].objection.empty()) continue;
      const bool isLike = !others[i].objection.empty() || others[i].words == answers[i].words;
      answers[i].objection = isLike ? others[i].objection : "the compilers differ";
    }
  }
  return answers;
}

/// `The text has 3 faults. The first: …` without the number.
std::string sentenceOf(const std::string& says) {
  const std::size_t begin = says.find("The first: ");
  return says.substr(begin == std::string::npos ? says.find("fault. ") + 7 : begin + 11, 24);
}

/// The lines without some of them that belong together: one, or those of a pair of braces.
std::vector<std::string> shorter(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::vector<std::string> results;
  for (std::size_t begin = 0; begin < lines.size(); ++begin) {
    int depth = 0;
    std::size_t end = begin;
    do {
      for (const char c : lines[end]) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    } while (depth > 0 && ++end < lines.size());
    if (depth != 0) continue;
    std::string rest;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (i < begin || i > end) rest += lines[i] + "\n";
    if (rest.find("void k(int*") != std::string::npos) results.push_back(rest);
  }
  return results;
}

}  // namespace

std::vector<Answer> askCompiler(const std::string& command, const std::vector<Program>& programs) {
  std::vector<Answer> answers(programs.size());
  std::string folder = (fs::temp_directory_path() / "lanescope-programs-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) std::abort();
  for (int round = 0; round < 20 && !attempt(command, programs, folder, answers); ++round) {
  }
  for (Answer& answer : answers)
    if (answer.objection.empty() && answer.words.size() != kWords) answer.objection = "no answer";
  fs::remove_all(folder);
  return answers;
}

std::vector<Comparison> compare(const std::vector<std::string>& commands,
                                const std::vector<Program>& programs, bool asksOfRefused) {
  std::vector<Comparison> rows(programs.size());
  std::vector<std::vector<int>> words(programs.size());
  std::vector<std::size_t> which;
  std::vector<Program> asked;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    rows[i] = simulated(programs[i], words[i]);
    if (rows[i].verdict == Verdict::Refused && !asksOfRefused) continue;
    which.push_back(i);
    asked.push_back(programs[i]);
  }
  if (asked.empty()) return rows;
  const std::vector<Answer> answers = askCompilers(commands, asked);
  for (std::size_t i = 0; i < asked.size(); ++i)
    rows[which[i]] = beside(answers[i], rows[which[i]], words[which[i]]);
  return rows;
}

Program shrunk(std::vector<std::string> commands, Program program, const Comparison& finding) {
  for (std::string& command : commands) {
    replaceAll(command, " -w ", " ");
    command += " -Werror=return-type";
  }
  const auto isLike = [&finding](const Comparison& row) {
    return row.verdict == finding.verdict &&
           (row.verdict != Verdict::Refused || sentenceOf(row.says) == sentenceOf(finding.says));
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Program> tries;
    for (const std::string& text : shorter(program.text)) tries.push_back({tries.size(), text, {}});
    const std::vector<Comparison> rows = compare(commands, tries, finding.verdict == Verdict::Refused);
    const std::string* best = nullptr;
    for (std::size_t i = 0; i < tries.size(); ++i)
      if (isLike(rows[i]) && (best == nullptr || tries[i].text.size() < best->size())) best = &tries[i].text;
    if (best == nullptr) break;
    program.text = *best;
  }
  return program;
}

}  // namespace lanescope::random_programs
