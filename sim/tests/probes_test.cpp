// Each probe is a small text whose words of `out` the system's C++ compiler knows, too: the simulator leaves
// the same words, or refuses the text with a sentence that the golden file has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWords = 64;  // of `out`

/// One text of a file in sim/language/probes, behind the line `// --- name: what it shows`.
struct Probe {
  std::string theme;  ///< the file's name without its ending
  std::string name;
  std::string text;
};

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Probe> readProbes() {
  constexpr std::string_view kMark = "// --- ";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(LANESCOPE_SOURCE_DIR "/sim/language/probes"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Probe> probes;
  for (const fs::path& path : files) {
    std::ifstream file(path);
    const std::size_t first = probes.size();
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(kMark)) {
        const std::size_t end = line.find_first_of(": ", kMark.size());
        probes.push_back({path.stem().string(), line.substr(kMark.size(), end - kMark.size()), {}});
      }
      if (probes.size() > first) probes.back().text += line + "\n";
    }
  }
  return probes;
}

/// Compiles the text as a program of the host and returns what `out` has after it, or what the compiler says.
std::string askCompiler(const Probe& probe) {
  std::string folder = (fs::temp_directory_path() / "lanescope-probe-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return "no temporary folder";
  std::ofstream(folder + "/probe.cpp") << fmt::format(
      "#define __device__\n#define __global__\n#define __host__\n#define __constant__\n"
      "#define __forceinline__ inline\n#define __noinline__\n#line 1\n{}\n"
      "extern \"C\" int printf(const char*, ...);\n"
      "int main() {{\n  static int words[{}];\n  k(words);\n  for (int word : words) printf(\"%d\\n\", "
      "word);\n}}\n",
      probe.text, kWords);
  const std::string command =
      fmt::format("cd '{}' && {{ '{}' -std=c++20 -w -fwrapv probe.cpp -o probe && ./probe; }} >said 2>&1",
                  folder, LANESCOPE_CXX_COMPILER);
  const int status = std::system(command.c_str());
  std::string said = readFile(folder + "/said");
  if (status != 0) said = "the compiler refuses it or the program fails:\n" + said;
  fs::remove_all(folder);
  return said;
}

class Probes : public ::testing::TestWithParam<Probe> {};

TEST_P(Probes, LeaveWhatTheCompilerMakesOfThemOrAreRefused) {
  const Probe& probe = GetParam();
  const std::string expected = askCompiler(probe);
  const auto simulation = simulate(testing::launchText(probe.text, 1, {fmt::format("i32:zero:{}", kWords)}));
  if (!simulation.ok()) {
    ASSERT_FALSE(simulation.error().isOfRun) << simulation.error().sentence();
    EXPECT_SAYS(simulation.error().sentence());
    return;
  }
  std::string words;
  for (const int word : testing::elements<int>(*simulation, 0)) words += fmt::format("{}\n", word);
  EXPECT_EQ(words, expected);
}

/// A row of the table of C++ in sim/language/README.md: `| part | supported | probes |`.
struct Feature {
  std::string part;
  std::set<std::string> probes;  ///< `theme`, for all of a file, or `theme/name`
};

std::vector<Feature> readFeatures() {
  std::istringstream readme(readFile(LANESCOPE_SOURCE_DIR "/sim/language/README.md"));
  std::vector<Feature> features;
  bool isInTable = false;
  for (std::string line; std::getline(readme, line) && !(isInTable && line.empty());) {
    if (line == "| part | supported | probes |") {
      isInTable = true;
      std::getline(readme, line);
    } else if (isInTable) {
      Feature& feature = features.emplace_back();
      feature.part = line.substr(2, line.find(" |") - 2);
      std::istringstream cell(line.substr(line.rfind("| ", line.size() - 2) + 2));
      for (std::string name; cell >> name;)
        if (name != "|") feature.probes.insert(name.substr(1, name.size() - 2));
    }
  }
  return features;
}

TEST(Features, AreProvenByProbes) {
  std::set<std::string> unnamed;
  std::set<std::string> all;
  for (const Probe& probe : readProbes()) {
    unnamed.insert(probe.theme);
    all.insert({probe.theme, probe.theme + "/" + probe.name});
  }
  const std::vector<Feature> features = readFeatures();
  EXPECT_GT(features.size(), 20u);
  for (const Feature& feature : features) {
    EXPECT_FALSE(feature.probes.empty()) << feature.part << " names no probe";
    for (const std::string& name : feature.probes) {
      EXPECT_TRUE(all.contains(name)) << feature.part << " names " << name << ", which is no probe";
      unnamed.erase(name);
    }
  }
  for (const std::string& theme : unnamed) ADD_FAILURE() << "no feature names the probes of " << theme;
}

INSTANTIATE_TEST_SUITE_P(All, Probes, ::testing::ValuesIn(readProbes()),
                         [](const auto& row) { return row.param.theme + "_" + row.param.name; });

}  // namespace
}  // namespace lanescope
