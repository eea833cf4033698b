// Launches whose data a program gave: run, traced, and kept in a file.
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sim/machine/run/launch.h"
#include "sim/memory/address.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

constexpr const char* kText = R"(
__constant__ int shift;
struct Row { float* data; int n; };
__global__ void add(const float* a, Row row, int n) {
  int i = threadIdx.x;
  if (i < n) row.data[i] += a[i] + shift;
}
)";

template <class T>
std::vector<std::byte> bytes(std::initializer_list<T> values) {
  std::vector<std::byte> all(values.size() * sizeof(T));
  std::memcpy(all.data(), values.begin(), all.size());
  return all;
}

struct Row {
  std::uint64_t data;
  int n;
  int padding;
};

/// `a` points to the second element of the first buffer.
CapturedLaunch added() {
  RawArguments raw;
  raw.buffers = {bytes({9.0F, 1.0F, 2.0F, 3.0F}), bytes({10.0F, 20.0F, 30.0F}), bytes({100})};
  raw.parameters = {bytes({bufferBase(0) + 4}), bytes({Row{bufferBase(1), 3, 0}}), bytes({3})};
  raw.symbols = {{"shift", bufferBase(2)}};
  CapturedLaunch captured;
  captured.launch.kernel = "add";
  captured.line = 12;
  captured.launch.block = {4, 1, 1};
  captured.launch.dynamicSharedBytes = 16;
  captured.launch.raw = std::make_shared<const RawArguments>(std::move(raw));
  return captured;
}

Launch makeLaunch(const CapturedLaunch& captured) {
  Launch launch = captured.launch;
  launch.source = std::make_shared<const SourceText>("add.cu", kText);
  return launch;
}

TEST(GivenLaunch, RunsOnCopiesOfTheData) {
  const CapturedLaunch captured = added();
  const auto run = runLaunch(makeLaunch(captured), {.traced = Dim3{0, 0, 0}});
  ASSERT_TRUE(run) << run.error().sentence();
  ASSERT_FALSE(run->fault) << run->fault->error.sentence();
  ASSERT_EQ(run->simulation.buffers.size(), 3U);
  EXPECT_EQ(run->simulation.buffers[1], bytes({111.0F, 122.0F, 133.0F}));
  EXPECT_EQ(captured.launch.raw->buffers[1], bytes({10.0F, 20.0F, 30.0F})) << "what was given stays";
  const Trace& trace = *run->trace;
  ASSERT_EQ(trace.arrays.size(), 3U);
  EXPECT_EQ(trace.arrays[0].name, "a");
  EXPECT_EQ(trace.arrays[1].name, "row.data");
  EXPECT_EQ(trace.arrays[2].name, "shift");
  EXPECT_EQ(trace.arrays[1].type, ValueType::F32);
  const Word& first = trace.initialCells[trace.arrays[1].firstCell];
  EXPECT_TRUE(first.written);
  EXPECT_EQ(trace.provenance.text(first.from), "b0");
}

TEST(GivenLaunch, SaysWhereAnAccessLeadsBeyondIt) {
  CapturedLaunch captured = added();
  RawArguments raw = *captured.launch.raw;
  raw.parameters[2] = bytes({4});
  captured.launch.raw = std::make_shared<const RawArguments>(std::move(raw));
  const auto run = runLaunch(makeLaunch(captured), {.traced = Dim3{0, 0, 0}});
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->fault);
  EXPECT_NE(run->fault->error.sentence().find("a[4]"), std::string::npos) << run->fault->error.sentence();
}

TEST(GivenLaunch, IsRefusedWhereTheKernelIsAnother) {
  CapturedLaunch captured = added();
  RawArguments raw = *captured.launch.raw;
  raw.parameters.pop_back();
  captured.launch.raw = std::make_shared<const RawArguments>(raw);
  EXPECT_FALSE(runLaunch(makeLaunch(captured)));
  raw.parameters.push_back(bytes({std::uint64_t{3}}));
  captured.launch.raw = std::make_shared<const RawArguments>(raw);
  const auto run = runLaunch(makeLaunch(captured));
  ASSERT_FALSE(run);
  EXPECT_SAYS(run.error().sentence());
}

TEST(CapturedLaunch, ComesBackFromItsFile) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "launch.capture").string();
  const CapturedLaunch captured = added();
  ASSERT_TRUE(writeCapture(captured, path));
  const auto read = readCapture(path);
  ASSERT_TRUE(read) << read.error().sentence();
  EXPECT_EQ(read->launch.kernel, "add");
  EXPECT_EQ(read->line, 12U);
  EXPECT_EQ(read->launch.block, captured.launch.block);
  EXPECT_EQ(read->launch.dynamicSharedBytes, 16U);
  EXPECT_EQ(read->launch.raw->buffers, captured.launch.raw->buffers);
  EXPECT_EQ(read->launch.raw->parameters, captured.launch.raw->parameters);
  EXPECT_EQ(read->launch.raw->symbols, captured.launch.raw->symbols);
  EXPECT_FALSE(writeCapture(captured, "/nonexistent/launch"));
}

TEST(CapturedLaunch, IsNotWhatAnotherFileHolds) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "broken.capture").string();
  const std::string head = "lanescope.capture/1\nkernel add\n";
  for (const std::string& text :
       {std::string(), std::string("#include"), head + "buffer 1000000000000\n\n", head + "buffer -1\n\n",
        head + "buffer 400\n\nshort", head + "surprise 1\n\n", std::string("lanescope.capture/1\n\n")}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    const auto read = readCapture(path);
    EXPECT_FALSE(read) << text;
  }
  EXPECT_FALSE(readCapture("/nonexistent/launch"));
}

}  // namespace
}  // namespace lanescope
