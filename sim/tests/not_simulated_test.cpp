// What is not simulated is named as what it is.
#include "sim/language/text/not_simulated.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

std::string firstFault(const std::string& body, const std::string& parameter = "float* a") {
  const auto kernel = checkKernel(
      ParsedText(testing::makeSource("__global__ void k(" + parameter + ") {\n" + body + "\n}\n")), "");
  return kernel.ok() ? "" : kernel.error().diagnostics.front().message;
}

TEST(NotSimulated, PartsOfCudaAreNamed) {
  EXPECT_SAYS(firstFault("a[0] = tex1Dfetch(t, 3);"));
  EXPECT_SAYS(firstFault("", "cudaTextureObject_t t"));
  EXPECT_SAYS(firstFault("surf2Dwrite(1.0f, s, 0, 0);"));
  EXPECT_SAYS(firstFault("wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;"));
  EXPECT_SAYS(firstFault("curandStateMRG32k3a s; curand_init(1, 0, 0, &s);"));
  EXPECT_SAYS(firstFault("curandState s; curand_init(1, 0, 0, &s); a[0] = curand_poisson(&s, 2.0);"));
  EXPECT_SAYS(firstFault("typedef cub::BlockReduce<float, 128> Reduce;"));
  EXPECT_SAYS(firstFault("__pipeline_commit();"));
  EXPECT_SAYS(firstFault("cudaDeviceSynchronize();"));
  EXPECT_SAYS(firstFault("", "cudaGraphConditionalHandle h"));
  EXPECT_SAYS(firstFault("cudaGraphSetConditional(1, a[0] < 1);"));
  EXPECT_SAYS(firstFault("", "std::complex<float>* z"));
  EXPECT_SAYS(firstFault("std::map<int, int> m;"));
  EXPECT_SAYS(firstFault("goto in;\nif (a[0] < 3) { in: a[0] = 1; }"));
  EXPECT_SAYS(firstFault("if (a[0] < 1) goto b;\na: a[0] = 1;\nb: if (a[0] < 2) goto a;"));
}

TEST(NotSimulated, OtherNamesThatBeginSoAreNotMeant) {
  for (const char* name : {"cube", "cubic", "freeze", "mallocs", "thrustful", "cudaish", "textureSize",
                           "std::min", "cg::reduce"})
    EXPECT_FALSE(notSimulated(name, {}).has_value()) << name;
}

TEST(NotSimulated, LettersBehindANumberAreNamed) {
  EXPECT_SAYS(firstFault("a[0] = a[1k];"));
  EXPECT_SAYS(firstFault("a[0] = 09;"));
  EXPECT_SAYS(firstFault("a[0] = 99999999999999999999;"));
  EXPECT_EQ(firstFault("a[0] = 12ull + 0x1fu + 0b101;"), "");
}

TEST(NotSimulated, AddressesOfNoArrayAreAFault) {
  const auto run = simulate(
      testing::launchText("__global__ void k(int* a) { *(int*)0x87654320 = 42; }", 1, {"i32:zero:1"}), 1);
  ASSERT_FALSE(run.ok());
  EXPECT_SAYS(run.error().message);
}

}  // namespace
}  // namespace lanescope
