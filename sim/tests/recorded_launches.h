#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/json.h"
#include "sim/tests/launches.h"

/// The files of sim/tests/data: kernels, and the launches of them that a GPU was asked about.
namespace lanescope::testing {

inline std::string dataText(const std::string& name) {
  const std::string path = LANESCOPE_SOURCE_DIR "/sim/tests/data/" + name;
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file.good()) << path;
  return text.str();
}

/// The lines of a JSON Lines file.
inline std::vector<Json> dataLines(const std::string& name) {
  std::vector<Json> lines;
  std::istringstream text(dataText(name));
  for (std::string line; std::getline(text, line);) lines.push_back(parseJson(line));
  return lines;
}

inline Launch launchOfLine(const Json& line) {
  Launch launch;
  const std::string file = line["file"];
  launch.source = std::make_shared<SourceText>(file, dataText(file));
  launch.kernel = line["kernel"];
  launch.grid = {line["grid"][0], line["grid"][1], 1};
  launch.block = {line["block"][0], line["block"][1], 1};
  launch.dynamicSharedBytes = line["dynamic_shared"];
  for (const std::string spec : line["args"]) launch.arguments.push_back(parseArgument(spec).value());
  return launch;
}

}  // namespace lanescope::testing
