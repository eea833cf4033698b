// A whole program in the window: its button, its output, its launches, and one of them traced by a click.

#include <gtest/gtest.h>

#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/workbench/tests/scratch_folder.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

constexpr const char* kProgram = R"(#include <cstdio>
__global__ void fill(int* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] += i;
}
int main() {
  int* p;
  cudaMalloc(&p, 32);
  fill<<<1, 8>>>(p, 8);
  fill<<<1, 4>>>(p, 4);
  printf("both launched\n");
  cudaFree(p);
  return cudaDeviceSynchronize();
}
)";

/// Polls until the program is not running, and its launch is traced.
bool waitForProgram(TestWindow& window) {
  return testing::waitUntil(window.session, [&] { return !window.session.program().isRunning(); }) &&
         window.settle();
}

TEST(ProgramPane, RunsAndTracesALaunchByAClick) {
  const testing::ScratchFolder scratch;
  TestWindow bench(noWorker(), {}, std::make_shared<DesktopHost>());
  bench.session.openFile(scratch.write("p.cu", kProgram));
  ASSERT_TRUE(bench.settle());
  Headless headless(kProjector, bench.window);
  EXPECT_NE(textIn(findPanel("source")).find("Run program"), std::string::npos);
  EXPECT_TRUE(headless.press(bench.window, "Ctrl+R"));
  EXPECT_NE(textIn(findPanel("source")).find("Compiling and starting"), std::string::npos);
  EXPECT_EQ(problemText(), "");
  ASSERT_TRUE(waitForProgram(bench));
  headless.settle(bench.window);
  const std::string shown = textIn(findPanel("source"));
  EXPECT_NE(shown.find("exit status 0"), std::string::npos) << shown;
  EXPECT_NE(shown.find("both launched"), std::string::npos) << shown;
  EXPECT_NE(shown.find("fill<<<1, 4>>>"), std::string::npos) << shown;
  EXPECT_EQ(problemText(), "");
  headless.click(bench.window, findPlace("2 fill<<<1, 4>>>", findPanel("source")));
  EXPECT_EQ(bench.session.program().capturing(), 2U);
  ASSERT_TRUE(waitForProgram(bench));
  EXPECT_EQ(bench.session.player().replay()->trace().threads, 4U);
  headless.settle(bench.window);
  EXPECT_NE(textIn(findPanel("source")).find("2 fill<<<1, 4>>> line 10 shown"), std::string::npos)
      << textIn(findPanel("source"));
  EXPECT_TRUE(headless.press(bench.window, "W"));
  EXPECT_EQ(problemText(), "");
  EXPECT_EQ(textIn(findPanel("source")).find("both launched"), std::string::npos) << "the form has its place";
}

TEST(ProgramPane, IsOfWholeProgramsAlone) {
  TestWindow bench("baseline", 8);
  Headless headless(kProjector, bench.window);
  EXPECT_EQ(textIn(findPanel("source")).find("Run program"), std::string::npos);
  EXPECT_FALSE(bench.window.press("Ctrl+R"));
  EXPECT_SAYS(bench.window.state().notice.text);
}

}  // namespace
}  // namespace lanescope
