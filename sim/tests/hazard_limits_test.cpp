// What a search leaves out, and what it reports all the same.
#include <gtest/gtest.h>

#include <set>

#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::expectClean;
using testing::kError;
using testing::listAll;
using testing::look;

TEST(Hazards, WhatCameBeforeAFaultIsTold) {
  const HazardReport report = look(body("out[threadIdx.x / 2] = (float)threadIdx.x;\nout[128] = 1.0f;", 32));
  std::set<HazardKind> kinds;
  for (const Hazard& hazard : report.hazards) kinds.insert(hazard.kind);
  EXPECT_EQ(kinds, (std::set{HazardKind::WriteAfterWrite, HazardKind::OutOfBounds}));
  EXPECT_FALSE(report.isComplete);
}

TEST(Hazards, ASearchEndsWithItsLimitAndSaysSo) {
  const Launch launch = body("out[blockIdx.x % 128] = 1.0f;", 1, 1000);
  HazardOptions options;
  options.accessLimit = 10;
  const HazardReport report = look(launch, options);
  EXPECT_EQ(report.blocksLooked, 10u);
  EXPECT_EQ(report.blocks, 1000u);
  EXPECT_FALSE(report.isComplete);
  EXPECT_TRUE(report.hazards.empty());
  // A block that never ends: the search does, and calls nothing endless that the launch's limit does not.
  const HazardReport endless = look(body("while (true) out[0] = 1.0f;", 1), options);
  EXPECT_FALSE(endless.isComplete);
  EXPECT_TRUE(endless.hazards.empty()) << listAll(endless);
}

TEST(Hazards, ReportsAreGroupedAndBounded) {
  std::string code;
  for (int line = 0; line < 10; ++line) code += "out[threadIdx.x / 2] = (float)threadIdx.x;\n";
  HazardOptions options{.reportLimit = 4};
  const HazardReport report = look(body(code, 32), options);
  EXPECT_EQ(report.hazards.size(), 4u);
  EXPECT_GE(report.omitted, 6u);
  EXPECT_EQ(look(body("for (int i = 0; i < 1000; ++i) out[0] = (float)threadIdx.x;", 32)).hazards.size(), 1u);
}

// The limit is of what is reported: neither warnings nor guesses that came first take an error's place.
TEST(ReportLimit, AnErrorIsToldWhateverCameBefore) {
  std::string warnings;
  std::string loops;
  for (int i = 0; i < 40; ++i) {
    const std::string at = std::to_string(i);
    warnings +=
        "{ volatile float* v = s;\nif (threadIdx.x < 16) v[threadIdx.x] += v[threadIdx.x + 1];\n"
        "__syncthreads(); }\n";
    loops += "{ int old = c[" + at + "];\nwhile (true) { int was = atomicCAS(&c[" + at +
             "], old, old + 1);\nif (was == old) break; old = was; } }\n";
  }
  const std::string race = "s[threadIdx.x] = 1;\nout[threadIdx.x] = s[63 - threadIdx.x];";
  const std::string start =
      "__shared__ float s[64]; __shared__ int c[64];\ns[threadIdx.x] = 0; "
      "c[threadIdx.x] = 0;\n__syncthreads();\n";
  for (const std::string& before : {warnings, loops}) {
    const HazardReport report = look(body(start + before + race));
    ASSERT_FALSE(report.hazards.empty());
    EXPECT_LE(report.hazards.size(), HazardOptions().reportLimit);
    EXPECT_EQ(report.hazards.front().severity, kError) << listAll(report);
  }
  const HazardReport many = look(body(start + warnings + race));
  EXPECT_GT(many.omitted, 0U);
  expectClean(body(start + loops + "__syncthreads();\nout[threadIdx.x] = c[threadIdx.x];"));
}

}  // namespace
}  // namespace lanescope
