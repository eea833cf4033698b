// Updates of one element by several threads: one cause, and one way out in every report.
#include <gtest/gtest.h>

#include <string>

#include "sim/tests/golden_text.h"
#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::look;

/// Every report of a race says that an atomic mends it.
void expectAtomicsAlone(const std::string& code) {
  const HazardReport report = look(body(code));
  EXPECT_GE(report.hazards.size(), 2U) << code;
  for (const Hazard& hazard : report.hazards) EXPECT_SAYS(hazard.fix);
  EXPECT_EQ(testing::listAll(report).find("Split"), std::string::npos);
}

TEST(LostUpdates, AreMendedByAtomicsInEveryReport) {
  expectAtomicsAlone("out[threadIdx.x % 8]++;");
  expectAtomicsAlone("out[0] = out[0] + threadIdx.x;");
  expectAtomicsAlone("float old = out[1];\nfloat next = old + 1.0f;\nout[1] = next;");
  expectAtomicsAlone("if (out[threadIdx.x] > out[100]) out[100] = out[threadIdx.x];");
  expectAtomicsAlone(
      "__shared__ int s[4];\nif (threadIdx.x < 4) s[threadIdx.x] = 0;\n__syncthreads();\n"
      "for (int i = 0; i < 9; ++i) s[(threadIdx.x + i) % 4] += 1;\n");
}

TEST(LostUpdates, AreNoneWhereABarrierIsMissing) {
  const HazardReport tree = look(
      body("__shared__ float s[64];\ns[threadIdx.x] = 1.0f;\n__syncthreads();\n"
           "for (int k = 32; k > 0; k /= 2)\n  if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];\n"
           "out[threadIdx.x] = s[0];"));
  ASSERT_FALSE(tree.hazards.empty());
  EXPECT_EQ(testing::listAll(tree).find("atomic"), std::string::npos) << testing::listAll(tree);
}

TEST(LostUpdates, AreNoneWhereTheValueWrittenIsNotTheOneRead) {
  const HazardReport flag = look(body(
      "__shared__ int done;\ndone = 0;\n__syncthreads();\nint was = done;\nif (threadIdx.x % 2) done = 1;\n"
      "out[threadIdx.x] = was;"));
  EXPECT_EQ(testing::listAll(flag).find("lose each other"), std::string::npos) << testing::listAll(flag);
}

}  // namespace
}  // namespace lanescope
