// Structs as arguments, buffers of structs, and pointers into a buffer.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/argument.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/luck.h"
#include "sim/trace/run.h"
#include "sim/trace/trace.h"

namespace lanescope {
namespace {

constexpr const char* kMatrices = R"(
typedef struct { int width; int height; float* elements; } Matrix;
__global__ void multiply(Matrix A, const Matrix B, Matrix C) {
  float sum = 0;
  for (int e = 0; e < A.width; ++e)
    sum += A.elements[threadIdx.y * A.width + e] * B.elements[e * B.width + threadIdx.x];
  C.elements[threadIdx.y * C.width + threadIdx.x] = sum;
})";

constexpr const char* kParticles = R"(
struct Particle { float3 place; float mass; short kind[2]; double charge; };
__global__ void k(Particle* p, float* out) {
  Particle q = p[threadIdx.x];
  out[threadIdx.x] = q.place.x * 1000 + q.place.z * 100 + q.mass * 10 + q.kind[1] + (float)q.charge;
})";

Launch squareMatrices(const std::string& a, const std::string& c = "struct:{i32=2,i32=2,f32:zero:4}") {
  Launch launch = testing::launchText(kMatrices, 2, {a, "struct:{i32=2,i32=2,f32:iota:4}", c});
  launch.block.y = 2;
  return launch;
}

/// The sentence that refuses a launch, or what its fault says.
std::string refusal(const Launch& launch) {
  const auto run = simulate(launch, 1);
  return run.ok() ? "" : run.error().sentence();
}

TEST(StructArguments, AreGivenByNameOrInOrder) {
  for (const char* a :
       {"struct:{i32=2,i32=2,f32:ones:4}", "struct:{elements=f32:ones:4,height=i32:2,width=i32=2}",
        "struct:{ i32=2, width=i32:2, f32:ones:4}"}) {
    const auto run = simulate(squareMatrices(a), 1);
    if (std::string(a).find(" width") != std::string::npos) {
      EXPECT_FALSE(run.ok()) << "width is given twice";
      continue;
    }
    ASSERT_TRUE(run.ok()) << run.error().sentence();
    ASSERT_EQ(run->outputs.size(), 3U);
    EXPECT_EQ(run->outputs[2].member, "C.elements");
    EXPECT_EQ(run->outputs[2].argument, 2U);
    EXPECT_EQ(run->outputs[2].count, 4U);
    EXPECT_EQ(testing::elements<float>(*run, 2), (std::vector<float>{2, 4, 2, 4}));
  }
}

TEST(StructArguments, HoldNestedStructsArraysAndNullPointers) {
  Launch launch = testing::launchText(R"(
struct Inner { double scale; unsigned char tag; };
struct Outer { Inner inner[2]; float weights[3]; const int* table; dim3 extent; };
__global__ void k(float* out, Outer o) {
  out[0] = o.inner[1].scale; out[1] = o.inner[0].tag; out[2] = o.weights[2]; out[3] = o.table == nullptr;
  out[4] = o.extent.y;
})",
                                      1,
                                      {"f32:zero:5",
                                       "struct:{inner={{f64=1,u8=2},{f64=0.5,u8=4}},weights=f32:iota,"
                                       "table=u64:0,extent={u32=1,u32=9,u32=1}}"});
  const auto run = simulate(launch, 1);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_EQ(testing::elements<float>(*run, 0), (std::vector<float>{0.5F, 2, 2, 1, 9}));
}

TEST(StructArguments, FillBuffersOfStructsFieldByField) {
  const auto named =
      simulate(testing::launchText(
                   kParticles, 2,
                   {"struct:{place=f32:iota,mass=f32=3,kind=i16:ones,charge=f64:iota}:3+1", "f32:zero:2"}),
               1);
  ASSERT_TRUE(named.ok()) << named.error().sentence();
  EXPECT_EQ(testing::elements<float>(*named, 1),
            (std::vector<float>{3 * 1000 + 5 * 100 + 30 + 1 + 1, 6 * 1000 + 8 * 100 + 30 + 1 + 2}));
}

TEST(StructArguments, PointersMayBeginInsideTheirBuffer) {
  Launch launch = testing::launchText(R"(
__global__ void k(const float* in, float* out) { out[threadIdx.x] = in[(int)threadIdx.x - 1]; })",
                                      3, {"f32:iota:5+2", "f32:zero:3"});
  const auto run = simulate(launch, 1);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_EQ(testing::elements<float>(*run, 1), (std::vector<float>{1, 2, 3}));
  launch.arguments[0] = parseArgument("f32:iota:5").value();
  EXPECT_SAYS(refusal(launch));
}

TEST(StructArguments, AreTracedAndTriedInOtherOrders) {
  const Launch launch = squareMatrices("struct:{i32=2,i32=2,f32:ones:4}");
  const auto trace = recordTrace(launch);
  ASSERT_TRUE(trace.ok()) << trace.error().sentence();
  ASSERT_EQ(trace->arrays.size(), 3U);
  EXPECT_EQ(trace->arrays[2].name, "C.elements");
  EXPECT_EQ(trace->arrays[2].cellCount, 4U);
  const auto luck = tryOrders(launch, {.seeds = 4});
  ASSERT_TRUE(luck.ok()) << luck.error().sentence();
  EXPECT_EQ(luck->verdict, LuckVerdict::Same);
}

TEST(StructArguments, FaultsNameTheField) {
  EXPECT_SAYS(refusal(squareMatrices("struct:{i32=2,i32=2,f32:ones:4}", "struct:{i32=2,i32=2,f32:zero:3}")));
}

TEST(StructArguments, ThatDoNotFitGetOneSentence) {
  const auto expect = [](const char* spec, const char* part) {
    EXPECT_NE(refusal(squareMatrices(spec)).find(part), std::string::npos)
        << spec << ": " << refusal(squareMatrices(spec));
  };
  expect("i32=2",
         "Argument 0 is a scalar of i32, but the parameter 'A' is Matrix. Write struct:{width=i32:1,");
  expect("f32:zero:4", "Argument 0 is a buffer of f32, but the parameter 'A' is Matrix.");
  expect("struct:{i32=2,i32=2}",
         "'A' is Matrix, which has 3 fields, and 2 are given. Its fields are width, height,");
  expect("struct:{i32=2,rows=i32:2,f32:zero:4}",
         "'A' has no field 'rows'. Its fields are width, height, elements.");
  expect("struct:{width=i32:2,width=i32:2,f32:zero:4}", "The field 'A.width' is given twice.");
  expect("struct:{i32=2,i32=2,f64:zero:4}", "a buffer of f64, but its field 'A.elements' is float*.");
  expect("struct:{i32=2,i32=2,f32:zero}", "a buffer of f32, but its field 'A.elements' is float*.");
  expect("struct:{i32=2,i32=2,f32:zero:2^36}", "need more than the limit");
  Launch particles = testing::launchText(kParticles, 1, {"struct:{f32:iota,f32:iota}:4", "f32:zero:1"});
  EXPECT_SAYS(refusal(particles));
  particles.arguments[0] = parseArgument("struct:{f32:iota,f64:iota,i16:iota,f32:iota:4}:4").value();
  EXPECT_SAYS(refusal(particles));
  particles.arguments[0] = parseArgument("struct:{f32:iota,f32:iota,i16:iota,f64:iota}:2^30").value();
  EXPECT_SAYS(refusal(particles));
}

TEST(StructArguments, NodesOfAListHaveNoExample) {
  const std::string text =
      "struct Node { int v; Node* next; }; struct List { Node* head; int n; };\n"
      "__global__ void walk(Node* list, int* out) { *out = list->v; }\n"
      "__global__ void whole(List list, int* out) { *out = list.n; }\n";
  Launch launch = testing::launchText(text, 1, {"f32:hash:4", "i32:zero:1"});
  launch.kernel = "walk";
  EXPECT_SAYS(refusal(launch));
  launch.arguments[0] = parseArgument("struct:{i32:iota,i32=0}:4").value();
  EXPECT_SAYS(refusal(launch));
  launch.kernel = "whole";
  launch.arguments[0] = parseArgument("i32=1").value();
  EXPECT_SAYS(refusal(launch));
}

TEST(StructArguments, SpecsAreReadWholeOrRefused) {
  for (const char* spec :
       {"struct:{", "struct:{i32=1", "struct:{i32=1}}", "struct:{x}", "struct:{a=b=1}",
        "struct:", "struct:{i32=1 i32=2}", "struct:{i32=1}:0", "struct:{i32=1}:4+5", "{i32=1}",
        "f32:hash:4+5", "f32:hash:4+", "f32:hash:4+-1", "struct:{,}", "struct:{i32=1,}"}) {
    EXPECT_FALSE(parseArgument(spec).ok()) << spec;
  }
  EXPECT_FALSE(parseArgument(std::string("struct:") + std::string(100000, '{')).ok());
  for (const char* spec : {"struct:{}", "struct:{width=i32:4,f32=0.5,elements=f32:hash:16+2}", "f32:hash:4+4",
                           "struct:{struct:{i64=-1},u8:iota}:7+3", "u64=7", "bf16=1.5", "i8=-3"}) {
    const auto argument = parseArgument(spec);
    ASSERT_TRUE(argument.ok()) << spec << ": " << argument.error().sentence();
    EXPECT_EQ(formatSpec(*argument), spec);
  }
}

}  // namespace
}  // namespace lanescope
