// Atomics on shared memory and wide loads from it against an H200, pattern by pattern
// (data/h200-shared-patterns.txt), and the atomics of a text against the machine instructions that they
// become.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/memory/access_costs.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

using Pattern = std::vector<int>;

struct Measured {
  std::uint32_t wavefronts = 0, ideal = 0, loads = 0;
  bool operator==(const Measured&) const = default;
};
void PrintTo(const Measured& m, std::ostream* out) {
  *out << m.wavefronts << '/' << m.ideal << '/' << m.loads;
}

struct Operation {
  std::string name;
  unsigned bytes = 0;
  std::vector<Pattern> patterns;
  std::vector<Measured> measured;  ///< by pattern
};

std::vector<Operation> operationsOnH200() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-shared-patterns.txt");
  std::vector<Operation> operations;
  std::vector<Pattern> patterns;
  bool isPattern = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "pattern") {
      if (!isPattern) patterns.clear();
      Pattern& pattern = patterns.emplace_back();
      for (int index = 0; words >> index;) pattern.push_back(index);
    } else {
      Operation& operation = operations.emplace_back();
      operation.name = name;
      operation.patterns = patterns;
      words >> operation.bytes;
      char slash = 0;
      for (Measured m; words >> m.wavefronts >> slash >> m.ideal >> slash >> m.loads;)
        operation.measured.push_back(m);
    }
    isPattern = name == "pattern";
  }
  return operations;
}

/// What the rule says of all warps of a pattern.
Measured predicted(const Operation& operation, const Pattern& pattern, AccessKind kind, SharedAtomic atomic) {
  Measured sum;
  for (std::size_t warp = 0; warp < pattern.size(); warp += kMaxLanes) {
    std::array<std::uint32_t, kMaxLanes> addresses{};
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if (pattern[warp + lane] < 0) continue;
      addresses[lane] = static_cast<std::uint32_t>(pattern[warp + lane]) * operation.bytes;
      mask |= 1u << lane;
    }
    const SharedCost cost =
        sharedCost(machinePresets().front(), {addresses, mask, operation.bytes, kind, atomic});
    sum.wavefronts += cost.wavefronts;
    sum.ideal += cost.ideal;
    sum.loads += kind == AccessKind::Load ? cost.wavefronts : cost.loads;
  }
  return sum;
}

TEST(SharedPatterns, AtomicsCostWhatAnH200Counts) {
  const std::map<std::string, SharedAtomic> atomics = {
      {"add_float", SharedAtomic::Loop},      {"add_float_used", SharedAtomic::Loop},
      {"add_double", SharedAtomic::Loop},     {"add_u64", SharedAtomic::Loop},
      {"xor_u64", SharedAtomic::Loop},        {"exch_u64", SharedAtomic::Native},
      {"cas_u64", SharedAtomic::CompareSwap}, {"add_u32", SharedAtomic::Native},
      {"add_u32_used", SharedAtomic::Native}, {"add_one", SharedAtomic::Increment},
      {"add_one_used", SharedAtomic::Native}, {"increment", SharedAtomic::Increment},
      {"max_u32_used", SharedAtomic::Native}, {"and_u32", SharedAtomic::Native},
      {"exch_float", SharedAtomic::Native},   {"cas_u32", SharedAtomic::CompareSwap},
      {"add_half", SharedAtomic::NarrowLoop}};
  std::size_t compared = 0;
  for (const Operation& operation : operationsOnH200()) {
    if (operation.name.starts_with("load")) continue;
    ASSERT_EQ(operation.measured.size(), operation.patterns.size()) << operation.name;
    for (std::size_t k = 0; k < operation.patterns.size(); ++k, ++compared) {
      EXPECT_EQ(predicted(operation, operation.patterns[k], AccessKind::Atomic, atomics.at(operation.name)),
                operation.measured[k])
          << operation.name << ", pattern " << k;
    }
  }
  EXPECT_EQ(compared, 17u * 32u);
}

TEST(SharedPatterns, WideLoadsCostWhatAnH200CountsButForAFewOfPartOfAWarp) {
  std::map<std::string, std::size_t> compared;
  std::map<std::string, std::size_t> differing;
  for (const Operation& operation : operationsOnH200()) {
    if (!operation.name.starts_with("load")) continue;
    ASSERT_EQ(operation.measured.size(), operation.patterns.size()) << operation.name;
    for (std::size_t k = 0; k < operation.patterns.size(); ++k) {
      const Measured rule = predicted(operation, operation.patterns[k], AccessKind::Load, {});
      ++compared[operation.name];
      if (rule == operation.measured[k]) continue;
      // Where both halves have inactive lanes, one of the halves may not merge: no rule for it is known.
      ++differing[operation.name];
      EXPECT_EQ(rule.wavefronts + 1, operation.measured[k].wavefronts) << operation.name << ", pattern " << k;
    }
  }
  EXPECT_EQ(compared["load_double"], 100u);
  EXPECT_EQ(compared["load_float4"], 100u);
  EXPECT_EQ(differing["load_double"], 0u);
  EXPECT_LE(differing["load_float4"], 2u);
}

struct AtomicText {
  std::string type;
  std::string statement;
  std::uint64_t wavefronts;  ///< of the atomic, two neighbouring lanes on one word each
};
class AtomicTexts : public ::testing::TestWithParam<AtomicText> {};

TEST_P(AtomicTexts, BecomeTheInstructionThatNvccChooses) {
  const AtomicText& text = GetParam();
  const std::string& type = text.type;
  const std::string kernel = "__global__ void k(" + type + "* out) {\n  __shared__ " + type +
                             " s[64];\n  s[threadIdx.x] = " + "static_cast<" + type +
                             ">(threadIdx.x);\n  __syncthreads();\n  " + type +
                             "* p = &s[threadIdx.x / 2];\n  " + text.statement + ";\n}\n";
  const std::string spec = type == "float"      ? "f32"
                           : type == "double"   ? "f64"
                           : type == "unsigned" ? "u32"
                           : type == "int"      ? "i32"
                                                : "u64";
  const auto run = simulate(testing::launchText(kernel, 32, {spec + ":zero:1"}));
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run->counters.sharedWavefronts() - run->counters.sharedStoreWavefronts, text.wavefronts)
      << kernel;
}

INSTANTIATE_TEST_SUITE_P(
    All, AtomicTexts,
    ::testing::Values(
        AtomicText{"unsigned", "atomicAdd(p, 1)", 1}, AtomicText{"int", "atomicAdd(p, 1)", 1},
        AtomicText{"int", "atomicSub(p, -1)", 1}, AtomicText{"int", "atomicSub(p, 1)", 2},
        AtomicText{"unsigned", "atomicInc(p, 0xffffffffu)", 1}, AtomicText{"unsigned", "atomicInc(p, 15)", 2},
        AtomicText{"unsigned", "out[0] = atomicAdd(p, 1)", 2}, AtomicText{"unsigned", "atomicAdd(p, 2)", 2},
        AtomicText{"unsigned", "atomicAdd(p, threadIdx.x)", 2}, AtomicText{"int", "atomicMax(p, 1)", 2},
        AtomicText{"unsigned", "atomicCAS(p, 1, 2)", 4}, AtomicText{"float", "atomicExch(p, 1.0f)", 2},
        AtomicText{"float", "atomicAdd(p, 1.0f)", 6}, AtomicText{"double", "atomicAdd(p, 1.0)", 10},
        AtomicText{"unsigned long long", "atomicAdd(p, 1ull)", 10},
        AtomicText{"unsigned long long", "atomicExch(p, 1ull)", 4}));

}  // namespace
}  // namespace lanescope
