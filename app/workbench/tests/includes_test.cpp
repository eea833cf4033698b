// Where the files are that a kernel's text includes.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/launch/kernel_file.h"
#include "app/workbench/tests/memory_host.h"
#include "sim/base/words.h"
#include "sim/language/check/checker.h"
#include "sim/language/text/toolkit_headers.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class Includes : public ::testing::Test {
 protected:
  Includes() {
    host_.put("repository/.git/HEAD", "");
    host_.put("repository/include/tile.h", "#include \"deep/more.h\"\n#define TILE 16\n");
    host_.put("repository/include/deep/more.h", "#include \"other.h\"\n#define MORE OTHER\n");
    host_.put("repository/include/deep/other.h", "#define OTHER 3\n");
    host_.put("repository/src/both.h", "#define BOTH 1\n");
    host_.put("outside.h", "#define OUTSIDE 1\n");
  }

  std::vector<std::string> found(const std::string& text) {
    std::vector<std::string> names;
    for (const IncludedText& file : readIncludes(host_, path(), text)) names.push_back(file.path);
    return names;
  }
  std::string path() const { return host_.resolve("repository/examples/one/kernel.cu").string(); }

  testing::MemoryHost host_;
};

TEST_F(Includes, AreFoundInTheUsualFoldersAroundTheFile) {
  const std::string text =
      "#include \"tile.h\"\n#include \"both.h\"\n__global__ void k(int* a) { a[0] = TILE * MORE + BOTH; }\n";
  EXPECT_EQ(found(text), (std::vector<std::string>{"tile.h", "both.h", "deep/more.h", "deep/other.h"}));
  const auto source = std::make_shared<const SourceText>(path(), text, readIncludes(host_, path(), text));
  EXPECT_TRUE(checkKernel(ParsedText(source), "k").ok());
}

TEST_F(Includes, BesideTheFileComeFirst) {
  host_.put("repository/examples/one/tile.h", "#define TILE 2\n");
  const auto read = readIncludes(host_, path(), "#include \"tile.h\"\n");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].text, "#define TILE 2\n");
}

TEST_F(Includes, InBracketsAreThoseOfTheHeadersFolders) {
  host_.put("repository/include/project/size.h",
            "#pragma once\n#include \"unit.h\"\n#define SIZE (3 * UNIT)\n");
  host_.put("repository/include/project/unit.h", "#define UNIT 7\n");
  const std::string text =
      "#include <tile.h>\n#include <project/size.h>\n#include <vector>\n"
      "__global__ void k() { __shared__ int a[TILE * SIZE]; static_assert(sizeof(a) == 4 * 16 * 21, \"\"); "
      "}\n";
  EXPECT_EQ(found(text), (std::vector<std::string>{"tile.h", "project/size.h", "deep/more.h",
                                                   "project/unit.h", "deep/other.h"}));
  const auto source = std::make_shared<const SourceText>(path(), text, readIncludes(host_, path(), text));
  EXPECT_TRUE(checkKernel(ParsedText(source), "k").ok());
}

TEST_F(Includes, AreReadFromTheGivenDirectoriesFirst) {
  const std::string beside = host_.resolve(".").string();
  const auto read = readIncludes(host_, path(), "#include <outside.h>\n#include \"tile.h\"\n", {beside});
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(read[0].path, "outside.h");
  EXPECT_EQ(read[0].text, "#define OUTSIDE 1\n");
}

TEST_F(Includes, OutsideOfTheRepositoryAreNotLookedFor) {
  EXPECT_TRUE(found("#include \"outside.h\"\n").empty());
  EXPECT_TRUE(found("#include \"none.h\"\n").empty());
}

TEST_F(Includes, ThatAreMissingMayHaveTheFunction) {
  const std::string text = "#include \"gone.h\"\n__global__ void k(int* a) { a[0] = sum(1, 2); }\n";
  const auto source = std::make_shared<const SourceText>(path(), text, readIncludes(host_, path(), text));
  const auto checked = checkKernel(ParsedText(source), "k");
  ASSERT_FALSE(checked.ok());
  EXPECT_SAYS(checked.error().message);
}

// A copy of the toolkit's headers (a vendored one, or -I /usr/local/cuda/include) is not the text of a
// kernel.
TEST_F(Includes, OfTheToolkitAreNotLookedFor) {
  host_.put("repository/include/cuda_runtime.h", "extern const dim3 blockDim;\n");
  EXPECT_TRUE(found("#include <cuda_runtime.h>\n#include \"cuda_runtime.h\"\n").empty());
  const auto include = host_.resolve("repository/include").string();
  EXPECT_TRUE(readIncludes(host_, path(), "#include <cuda_runtime.h>\n", {include}).empty());
  host_.put("repository/examples/one/vector_types.h", "#define OWN 1\n");
  EXPECT_EQ(found("#include \"vector_types.h\"\n"), std::vector<std::string>{"vector_types.h"});
}

// The headers that a program's host code is compiled with are the toolkit's, as far as programs need them.
TEST_F(Includes, OfTheToolkitAreKnownByName) {
  const fs::path headers = LANESCOPE_SOURCE_DIR "/sim/host/include";
  for (const auto& entry : fs::directory_iterator(headers)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("lanescope_") || name.starts_with("helper_")) continue;
    EXPECT_TRUE(isToolkitHeader(name)) << name;
  }
  for (const ForwardingHeaders& each : forwardingHeaders()) {
    EXPECT_TRUE(fs::exists(headers / each.target)) << each.target;
    for (const std::string_view name : wordsIn(each.names)) EXPECT_TRUE(isToolkitHeader(name)) << name;
  }
  EXPECT_FALSE(isToolkitHeader("helper_cuda.h"));
  EXPECT_FALSE(isToolkitHeader("cuda_utils.h"));
}

}  // namespace
}  // namespace lanescope
