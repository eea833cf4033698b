// How values are written by the operators that made them.
#include "sim/trace/provenance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "sim/tests/formula.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Kind = Provenance::Kind;
using testing::Formula;
using testing::matchesName;
using testing::MirroredGraph;
using testing::readFormula;

struct Graph {
  Provenance all;
  ProvenanceId a(std::uint32_t index) { return all.input('a', index); }
  ProvenanceId join(Kind kind, ProvenanceId left, ProvenanceId right) {
    return all.combine(kind, left, right);
  }
  /// A tree over a0 to a(count - 1), as a reduction makes it.
  ProvenanceId tree(Kind kind, std::uint32_t count, std::uint32_t first = 0, std::uint32_t stride = 1) {
    if (count == 1) return a(first);
    return join(kind, tree(kind, count / 2, first, 2 * stride),
                tree(kind, count / 2, first + stride, 2 * stride));
  }
};

TEST(ProvenanceText, OperandsOfOneOperatorStandSideBySide) {
  Graph g;
  EXPECT_EQ(g.all.text(g.tree(Kind::Add, 4)), "a0+a2+a1+a3");
  EXPECT_EQ(g.all.text(g.tree(Kind::Multiply, 4)), "a0\u00d7a2\u00d7a1\u00d7a3");
  EXPECT_EQ(g.all.text(g.tree(Kind::Minimum, 4)), "min(a0, a2, a1, a3)");
  EXPECT_EQ(g.all.text(g.tree(Kind::Maximum, 2)), "max(a0, a1)");
  EXPECT_EQ(g.all.text(kNoProvenance), "");
}

TEST(ProvenanceText, BracketsStandWhereTheyAreNeeded) {
  Graph g;
  const auto sum = g.join(Kind::Add, g.a(0), g.a(1));
  const auto product = g.join(Kind::Multiply, g.a(2), g.a(3));
  EXPECT_EQ(g.all.text(g.join(Kind::Add, product, product)), "a2\u00d7a3+a2\u00d7a3");
  EXPECT_EQ(g.all.text(g.join(Kind::Multiply, sum, g.a(2))), "(a0+a1)\u00d7a2");
  EXPECT_EQ(g.all.text(g.join(Kind::Minimum, g.join(Kind::Maximum, g.a(0), g.a(1)), sum)),
            "min(max(a0, a1), a0+a1)");
  EXPECT_EQ(g.all.text(g.join(Kind::Subtract, g.a(0), g.join(Kind::Subtract, g.a(1), g.a(2)))),
            "(a0-(a1-a2))");
  EXPECT_EQ(g.all.text(g.join(Kind::Subtract, g.a(2), sum)), "(a2-(a0+a1))");
  EXPECT_EQ(g.all.text(g.join(Kind::Subtract, sum, g.a(2))), "(a0+a1-a2)");
  EXPECT_EQ(g.all.text(g.join(Kind::Subtract, kNoProvenance, sum)), "(\u2026-(a0+a1))");
  EXPECT_EQ(g.all.text(g.join(Kind::Subtract, g.a(0), product)), "(a0-a2\u00d7a3)");
  EXPECT_EQ(g.all.text(g.join(Kind::Multiply, kNoProvenance, g.a(0))), "\u2026\u00d7a0");
  EXPECT_EQ(g.all.text(g.join(Kind::Maximum, kNoProvenance, g.a(0))), "max(\u2026, a0)");
}

TEST(ProvenanceText, WhatIsLeftOutLeavesBracketsInPairs) {
  Graph g;
  EXPECT_EQ(g.all.text(g.tree(Kind::Add, 64), 3), "a0+a32+\u2026+a63");
  EXPECT_EQ(g.all.text(g.tree(Kind::Multiply, 64), 3), "a0\u00d7a32\u00d7\u2026\u00d7a63");
  EXPECT_EQ(g.all.text(g.tree(Kind::Minimum, 64), 3), "min(a0, a32, \u2026, a63)");
  EXPECT_EQ(g.all.text(g.tree(Kind::Minimum, 64), 1), "min(\u2026, a63)");
  ProvenanceId mixed = g.a(0);
  for (std::uint32_t i = 1; i < 40; ++i)
    mixed = g.join(static_cast<Kind>(static_cast<int>(Kind::Add) + static_cast<int>(i % 6)), g.a(i), mixed);
  for (std::size_t most = 1; most < 45; ++most) {
    const std::string text = g.all.text(mixed, most);
    int depth = 0;
    for (const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      ASSERT_GE(depth, 0) << text;
    }
    EXPECT_EQ(depth, 0) << text;
    EXPECT_EQ(text.find("()"), std::string::npos) << text;
    EXPECT_EQ(text.find("(,"), std::string::npos) << text;
  }
}

TEST(ProvenanceText, WhatIsLeftOutStaysWithinItsOperator) {
  Graph g;
  ProvenanceId sum = g.a(0);
  for (std::uint32_t i = 1; i < 8; ++i) sum = g.join(Kind::Add, sum, g.a(i));
  const auto mean = g.join(Kind::Multiply, sum, kNoProvenance);
  EXPECT_EQ(g.all.text(mean), "(a0+a1+a2+a3+a4+a5+a6+a7)\u00d7\u2026");
  EXPECT_EQ(g.all.text(mean, 4), "(a0+a1+a2+\u2026+a7)\u00d7\u2026");
  EXPECT_EQ(g.all.text(mean, 2), "(a0+\u2026+a7)\u00d7\u2026");
  EXPECT_EQ(g.all.text(mean, 1), "(\u2026+a7)\u00d7\u2026");
  const auto weighed = g.join(Kind::Multiply, kNoProvenance, sum);
  EXPECT_EQ(g.all.text(weighed, 2), "\u2026\u00d7(a0+\u2026+a7)");
  const auto products = g.join(
      Kind::Add, g.join(Kind::Multiply, g.a(0), g.a(1)),
      g.join(Kind::Add, g.join(Kind::Multiply, g.a(2), g.a(3)), g.join(Kind::Multiply, g.a(4), g.a(5))));
  const auto scaled = g.join(Kind::Multiply, products, kNoProvenance);
  EXPECT_EQ(g.all.text(scaled, 3), "(a0\u00d7a1+\u2026+\u2026\u00d7a5)\u00d7\u2026");
  EXPECT_EQ(g.all.text(scaled, 2), "(a0\u00d7\u2026+\u2026+\u2026\u00d7a5)\u00d7\u2026");
  const auto least = g.join(Kind::Minimum, g.tree(Kind::Add, 4), g.tree(Kind::Add, 4, 4));
  EXPECT_EQ(g.all.text(least, 3), "min(a0+a2+\u2026, \u2026+a7)");
  EXPECT_EQ(g.all.text(g.join(Kind::Minimum, least, kNoProvenance), 2), "min(a0+\u2026, \u2026+a7, \u2026)");
  // A last element under many operators would take more room than all that is left out.
  ProvenanceId nested = g.a(0);
  for (std::uint32_t i = 1; i < 9; ++i)
    nested = g.join(Kind::Add, g.a(i), g.join(Kind::Multiply, kNoProvenance, nested));
  EXPECT_EQ(g.all.text(nested, 3), "a8+\u2026\u00d7(a7+\u2026)");
}

// Formulas read by the usual rules, against the expressions that they were written for.
TEST(ProvenanceText, IsTrueOfItsExpressionAtEveryLength) {
  std::mt19937 random(5);
  for (int round = 0; round < 400; ++round) {
    MirroredGraph g;
    std::vector<MirroredGraph::Value> values;
    values.reserve(14);
    for (int i = 0; i < 14; ++i) values.push_back(i % 5 == 4 ? g.constant() : g.input());
    while (values.size() > 1) {
      // Of few operators, so that equal ones meet.
      const auto kind = static_cast<Kind>(static_cast<int>(Kind::Add) + static_cast<int>(random() % 6));
      const std::size_t at = random() % (values.size() - 1);
      values[at] = g.join(random() % 3 == 0 ? Kind::Add : kind, values[at], values[at + 1]);
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    for (std::size_t most = 1; most < 16; ++most) {
      const std::string text = g.all.text(values[0].id, most);
      const std::optional<Formula> formula = readFormula(text);
      ASSERT_TRUE(formula) << text;
      EXPECT_TRUE(matchesName(*formula, *values[0].tree)) << text << "\n" << g.all.text(values[0].id);
      const auto shown = static_cast<std::size_t>(std::ranges::count(text, 'a')) -
                         static_cast<std::size_t>(std::ranges::count(text, 'x'));  // of `max(`
      const std::size_t wanted = std::min<std::size_t>(most, g.all.terms(values[0].id));
      EXPECT_LE(shown, wanted) << text;
      EXPECT_GE(shown + 1, wanted) << text;
    }
  }
}

TEST(ProvenanceText, TellsWhatJoinsLast) {
  Graph g;
  EXPECT_EQ(g.all.joins(kNoProvenance), Kind::None);
  EXPECT_EQ(g.all.joins(g.a(0)), Kind::None);
  EXPECT_EQ(g.all.joins(g.tree(Kind::Maximum, 8)), Kind::Maximum);
  // Scaled by a number it is still the sum.
  EXPECT_EQ(g.all.joins(g.join(Kind::Multiply, g.tree(Kind::Add, 4), kNoProvenance)), Kind::Add);
  EXPECT_EQ(g.all.joins(g.join(Kind::Multiply, g.a(3), kNoProvenance)), Kind::None);
}

/// What out[0] is made of, of a kernel whose first thread stores `expression`.
std::string makeProvenance(const std::string& type, const std::string& expression) {
  const std::string spec = type == "float" ? "f32" : type == "double" ? "f64" : type == "int" ? "i32" : "u32";
  const auto trace =
      recordTrace(testing::launchText("__global__ void k(const " + type + "* in, " + type + "* out) { " +
                                          type + " one = 1; out[0] = " + expression + "; }\n",
                                      1, {spec + ":hash1:8", spec + ":zero:1"}));
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().sentence());
  const auto out = std::ranges::find(trace->arrays, "out", &TracedArray::name);
  for (const Step& step : trace->steps) {
    for (const CellChange& change : stepChanges(*trace, step)) {
      if (change.cell == out->firstCell) return trace->provenance.text(change.after.from);
    }
  }
  return "nothing";
}

TEST(ProvenanceOfKernels, NeutralElementsLeaveNoTrace) {
  for (const char* type : {"float", "double", "int", "unsigned int"}) {
    EXPECT_EQ(makeProvenance(type, "one * in[0] * in[1]"), "a0\u00d7a1") << type;
    EXPECT_EQ(makeProvenance(type, "in[0] * (one + one)"), "a0\u00d7\u2026") << type;
    EXPECT_EQ(makeProvenance(type, "(one - one) + in[0] - (one - one)"), "a0") << type;
    EXPECT_EQ(makeProvenance(type, "in[0] + one"), "a0+\u2026") << type;
    EXPECT_EQ(makeProvenance(type, "one + in[0]"), "\u2026+a0") << type;
    EXPECT_EQ(makeProvenance(type, "in[0] - one"), "(a0-\u2026)") << type;
  }
  EXPECT_EQ(makeProvenance("float", "in[0] - (in[1] + in[2])"), "(a0-(a1+a2))");
  EXPECT_EQ(makeProvenance("float", "min(__int_as_float(0x7f800000), in[3])"), "a3");
  EXPECT_EQ(makeProvenance("float", "max(-__int_as_float(0x7f800000), in[3])"), "a3");
  EXPECT_EQ(makeProvenance("float", "max(0.0f, in[3])"), "max(\u2026, a3)");
  EXPECT_EQ(makeProvenance("int", "min(2147483647, in[3])"), "a3");
  EXPECT_EQ(makeProvenance("int", "max(-2147483647, in[3])"), "a3");
  EXPECT_EQ(makeProvenance("int", "max(7, in[3])"), "max(\u2026, a3)");
}

/// What s[0] is made of at the end of a kernel of two threads, whose one word starts as `start`.
std::string gathered(const std::string& type, const std::string& start, const std::string& atomic) {
  const std::string spec = type == "float" ? "f32" : type == "double" ? "f64" : type == "int" ? "i32" : "u32";
  const auto trace = recordTrace(
      testing::launchText("__global__ void k(const " + type + "* in) {\n  __shared__ " + type +
                              " s[1];\n  const unsigned int i = threadIdx.x;\n  if (i == 0) s[0] = " + start +
                              ";\n  __syncthreads();\n  " + atomic + ";\n}\n",
                          2, {spec + ":hash1:2"}));
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().sentence());
  return trace->provenance.text(trace->cellChanges.back().after.from);
}

TEST(ProvenanceOfKernels, ConstantsOfAtomicsLeaveATrace) {
  for (const char* type : {"float", "double", "int", "unsigned int"}) {
    EXPECT_EQ(gathered(type, "0", "atomicAdd(&s[0], in[i])"), "a0+a1") << type;
    EXPECT_EQ(gathered(type, "5", "atomicAdd(&s[0], in[i])"), "\u2026+a0+a1") << type;
    EXPECT_EQ(gathered(type, "in[0]", "atomicAdd(&s[0], 1)"), "a0+\u2026") << type;
    EXPECT_EQ(gathered(type, "in[0]", "if (i == 0) atomicAdd(&s[0], 0)"), "a0") << type;
    if (std::string_view(type) != "double") {
      EXPECT_EQ(gathered(type, "in[1]", "atomicExch(&s[0], in[0])"), "a0") << type;
    }
    if (std::string_view(type) == "float" || std::string_view(type) == "double") continue;
    EXPECT_EQ(gathered(type, "in[0]", "atomicMax(&s[0], 7)"), "max(a0, \u2026)") << type;
    EXPECT_EQ(gathered(type, "in[0]", "atomicMin(&s[0], 2147483647)"),
              std::string_view(type) == "int" ? "a0" : "min(a0, \u2026)")
        << type;
    EXPECT_EQ(gathered(type, "in[0]", "atomicSub(&s[0], 1)"), "a0+\u2026") << type;
  }
  EXPECT_EQ(gathered("int", "2147483647", "atomicMin(&s[0], in[i])"), "min(a0, a1)");
}

/// What a warp of four threads makes of `value` by a reduction, as thread 0 stores it.
std::string reduced(const std::string& type, const std::string& intrinsic, const std::string& value) {
  const auto trace = recordTrace(testing::launchText(
      "__global__ void k(const " + type + "* in, " + type + "* out) {\n  const int i = threadIdx.x;\n  " +
          type + " x = " + value + ";\n  x = " + intrinsic + ";\n  if (i == 0) out[0] = x;\n}\n",
      4, {type == "int" ? "i32:hash1:4" : "u32:hash1:4", type == "int" ? "i32:zero:1" : "u32:zero:1"}));
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().sentence());
  return trace->provenance.text(trace->cellChanges.back().after.from);
}

TEST(ProvenanceOfKernels, ReductionsOfAWarpJoinTheLanesOfTheirMask) {
  for (const char* type : {"int", "unsigned int"}) {
    EXPECT_EQ(reduced(type, "__reduce_add_sync(0xf, x)", "in[i]"), "a0+a1+a2+a3") << type;
    EXPECT_EQ(reduced(type, "__reduce_min_sync(0xf, x)", "in[i]"), "min(a0, a1, a2, a3)") << type;
    EXPECT_EQ(reduced(type, "__reduce_max_sync(0xf, x)", "in[i]"), "max(a0, a1, a2, a3)") << type;
    EXPECT_EQ(reduced(type, "__reduce_add_sync(0xf, x)", "i < 3 ? in[i] : 0"), "a0+a1+a2") << type;
    EXPECT_EQ(reduced(type, "__reduce_add_sync(0xf, x)", "i < 3 ? in[i] : 5"), "a0+a1+a2+\u2026") << type;
  }
  EXPECT_EQ(reduced("unsigned int", "__reduce_and_sync(0xf, x)", "in[i]"), "f(f(f(a0, a1), a2), a3)");
  EXPECT_EQ(reduced("unsigned int", "__reduce_xor_sync(0xf, x)", "in[i]"), "f(f(f(a0, a1), a2), a3)");
  EXPECT_EQ(reduced("int", "i < 2 ? __reduce_add_sync(0x3, x) : 0", "in[i]"), "a0+a1");
}

TEST(ProvenanceOfKernels, WordsOfOtherBlocksAreCalledWhatTheyAre) {
  Launch launch = testing::launchText(
      "__global__ void k(float* in, float* sums) {\n  in[blockIdx.x] = in[blockIdx.x] + 1.0f;\n"
      "  sums[blockIdx.x] = blockIdx.x == 0 ? in[2] : in[0] + in[1] + in[2] + sums[0];\n}\n",
      1, {"f32:hash1:4", "f32:zero:2"});
  launch.grid.x = 2;
  const auto own = [&](std::uint32_t block) {
    const auto trace = recordTrace(launch, {block, 0, 0});
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().sentence());
    const ProvenanceId from = trace->cellChanges.back().after.from;
    EXPECT_EQ(trace->provenance.hasOthers(from), block == 1);
    return trace->provenance.text(from);
  };
  EXPECT_EQ(own(0), "a2");
  EXPECT_EQ(own(1), "in[0]+a1+\u2026+a2+sums[0]");
}

TEST(ReadsOfValues, AreThoseOfLaterStepsInTheirOrder) {
  Reads reads;
  const ReadsId first = reads.read({2, 7});
  const ReadsId second = reads.read({5, 8});
  const ReadsId third = reads.read({5, 9});
  EXPECT_EQ(reads.read({5, 8}), second);
  EXPECT_EQ(reads.join(kNoReads, second), second);
  EXPECT_EQ(reads.join(second, second), second);
  const ReadsId both = reads.join(first, reads.join(second, third));
  const ReadsId again = reads.join(both, second);
  EXPECT_EQ(reads.since(again, 0), (std::vector<Read>{{2, 7}, {5, 9}, {5, 8}}));
  EXPECT_EQ(reads.since(both, 3), (std::vector<Read>{{5, 8}, {5, 9}}));
  EXPECT_TRUE(reads.since(both, 6).empty());
  ReadsId many = kNoReads;
  for (std::uint32_t i = 0; i < 20000; ++i) many = reads.join(many, reads.read({6, i}));
  EXPECT_LE(reads.since(many, 0).size(), Reads::kMost);
  EXPECT_EQ(reads.since(many, 0).back(), (Read{6, 19999}));
}

TEST(Provenance, CountsHowOftenAnInputIsInIt) {
  Graph g;
  const auto twice = g.join(Kind::Add, g.tree(Kind::Add, 4), g.join(Kind::Subtract, g.a(2), kNoProvenance));
  EXPECT_EQ(g.all.inputCounts(twice, 'a', 5), (std::vector<std::uint64_t>{1, 1, 2, 1, 0}));
  EXPECT_EQ(g.all.inputCounts(twice, 'b', 2), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(g.all.inputCounts(kNoProvenance, 'a', 1), std::vector<std::uint64_t>{0});
  ProvenanceId doubled = g.a(0);
  for (int i = 0; i < 70; ++i) doubled = g.join(Kind::Add, doubled, doubled);
  EXPECT_EQ(g.all.inputCounts(doubled, 'a', 1), std::vector<std::uint64_t>{UINT64_MAX});
}

}  // namespace
}  // namespace lanescope
