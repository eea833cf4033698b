// What is not simulated is named as what it is.
#include "sim/language/text/not_simulated.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/language/check/checker.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

std::string firstFault(const std::string& body, const std::string& parameter = "float* a") {
  const auto kernel = checkKernel(
      ParsedText(testing::textOf("__global__ void k(" + parameter + ") {\n" + body + "\n}\n")), "");
  return kernel.ok() ? "" : kernel.error().diagnostics.front().message;
}

TEST(NotSimulated, PartsOfCudaAreNamed) {
  EXPECT_EQ(firstFault("a[0] = tex1Dfetch(t, 3);"), "'tex1Dfetch': textures are not simulated");
  EXPECT_EQ(firstFault("", "cudaTextureObject_t t"), "'cudaTextureObject_t': textures are not simulated");
  EXPECT_EQ(firstFault("surf2Dwrite(1.0f, s, 0, 0);"), "'surf2Dwrite': surfaces are not simulated");
  EXPECT_EQ(firstFault("wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;"),
            "'wmma::fragment': tensor cores are not simulated");
  EXPECT_EQ(
      firstFault("curandStateMRG32k3a s; curand_init(1, 0, 0, &s);"),
      "'curandStateMRG32k3a': of cuRAND only the most used functions of XORWOW and Philox are simulated");
  EXPECT_EQ(firstFault("curandState s; curand_init(1, 0, 0, &s); a[0] = curand_poisson(&s, 2.0);"),
            "'curand_poisson': of cuRAND only the most used functions of XORWOW and Philox are simulated");
  EXPECT_EQ(firstFault("typedef cub::BlockReduce<float, 128> Reduce;"),
            "'cub::BlockReduce': libraries of templates (CUB, Thrust, CUTLASS) are not simulated");
  EXPECT_EQ(firstFault("__pipeline_commit();"),
            "'__pipeline_commit': asynchronous copies, pipelines and their barriers are not simulated");
  EXPECT_EQ(firstFault("cudaDeviceSynchronize();"),
            "'cudaDeviceSynchronize': the CUDA runtime is not simulated within a kernel");
  EXPECT_EQ(firstFault("", "cudaGraphConditionalHandle h"),
            "'cudaGraphConditionalHandle': conditional nodes of graphs are not simulated");
  EXPECT_EQ(firstFault("cudaGraphSetConditional(1, a[0] < 1);"),
            "'cudaGraphSetConditional': conditional nodes of graphs are not simulated");
  EXPECT_EQ(firstFault("", "std::complex<float>* z"),
            "'std::complex': classes of the C++ library are not simulated in a kernel");
  EXPECT_EQ(firstFault("std::map<int, int> m;"),
            "'std::map': classes of the C++ library are not simulated in a kernel");
  EXPECT_EQ(firstFault("goto in;\nif (a[0] < 3) { in: a[0] = 1; }"),
            "'goto in' finds no label in the blocks around it, and a jump into another is not simulated");
  EXPECT_EQ(firstFault("if (a[0] < 1) goto b;\na: a[0] = 1;\nb: if (a[0] < 2) goto a;"),
            "a goto into the middle of what another goto repeats is not simulated");
}

TEST(NotSimulated, OtherNamesThatBeginSoAreNotMeant) {
  for (const char* name :
       {"cube", "cubic", "freeze", "mallocs", "thrustful", "cudaish", "std::min", "cg::reduce"})
    EXPECT_FALSE(notSimulated(name, {}).has_value()) << name;
}

TEST(NotSimulated, LettersBehindANumberAreNamed) {
  EXPECT_EQ(firstFault("a[0] = a[1k];"), "'1k' is not a number: 'k' is not a suffix of one");
  EXPECT_EQ(firstFault("a[0] = 09;"), "'09' is not a number of at most 64 bits");
  EXPECT_EQ(firstFault("a[0] = 99999999999999999999;"),
            "'99999999999999999999' is not a number of at most 64 bits");
  EXPECT_EQ(firstFault("a[0] = 12ull + 0x1fu + 0b101;"), "");
}

TEST(NotSimulated, AddressesOfNoArrayAreAFault) {
  const auto run = simulate(
      testing::launchText("__global__ void k(int* a) { *(int*)0x87654320 = 42; }", 1, {"i32:zero:1"}), 1);
  ASSERT_FALSE(run.ok());
  EXPECT_NE(
      run.error().message.find("thread 0 of block 0 stores at the address 0x87654320, where no array is"),
      std::string::npos)
      << run.error().message;
}

}  // namespace
}  // namespace lanescope
