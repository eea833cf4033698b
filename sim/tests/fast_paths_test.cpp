// The fast way gives what the plain way gives: counters by line, buffers, and the sentence of a fault.
#include <fmt/format.h>

#include <random>

#include "sim/base/json.h"
#include "sim/machine/run/warp_runner.h"
#include "sim/memory/access_costs.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

void expectSame(const Launch& launch) {
  const auto fast = simulate(launch);
  const auto plain = simulate(launch, 1, Pace::Plain);
  ASSERT_EQ(fast.ok(), plain.ok()) << (fast.ok() ? plain.error().sentence() : fast.error().sentence());
  if (!fast) {
    EXPECT_EQ(fast.error().sentence(), plain.error().sentence());
    return;
  }
  EXPECT_EQ(fast->counters, plain->counters);
  EXPECT_EQ(fast->buffers, plain->buffers);
  EXPECT_LE(fast->executed, plain->executed);
  ASSERT_EQ(fast->lines.size(), plain->lines.size());
  for (std::size_t l = 0; l < fast->lines.size(); ++l) {
    EXPECT_EQ(fast->lines[l].line, plain->lines[l].line);
    EXPECT_EQ(fast->lines[l].counters, plain->lines[l].counters) << "line " << fast->lines[l].line;
  }
}

TEST(FastPaths, GiveThePlainResultOnEveryReferenceLaunch) {
  int launches = 0;
  for (const char* file : {"h200-counters.jsonl", "h200-atomics.jsonl"}) {
    for (const Json& line : testing::dataLines(file)) {
      SCOPED_TRACE(line.dump());
      expectSame(testing::launchOfLine(line));
      ++launches;
    }
  }
  EXPECT_EQ(launches, 141);
}

unsigned below(std::mt19937& random, unsigned end) { return static_cast<unsigned>(random() % end); }

/// One of several texts.
std::string_view pick(std::mt19937& random, std::initializer_list<std::string_view> texts) {
  return texts.begin()[random() % texts.size()];
}

/// A condition on the lane, an index and an element type at random; t is unsigned, s a signed copy.
std::string randomKernel(std::mt19937& random, std::string_view element) {
  const auto condition = [&]() -> std::string {
    return fmt::format(
        fmt::runtime(pick(random, {"t < {}", "t >= {}", "t % 32 <= {} % 32", "(t + {}) % 3 != 0",
                                   "blockDim.x >= 64 && t < {}", "blockDim.x > 512 && t < {}", "s > {}",
                                   "((t * 2654435761u + {}) >> 20) % 2 == 0", "t == {} % blockDim.x"})),
        below(random, 128));
  };
  const auto index = [&]() -> std::string {
    return fmt::format(
        fmt::runtime(pick(random, {"t + {}", "t", "s + {}", "t * 2 + {}", "(t ^ {}) % 128", "{}", "127 - s",
                                   "t / 2 + {}", "(t + {}) % 128", "s - {} + 128"})),
        below(random, 128));
  };
  std::string text = fmt::format(R"(
__global__ void kernel({0}* a, {0}* b, unsigned int n) {{
  __shared__ {0} m[512];
  unsigned int t = threadIdx.x;
  int s = threadIdx.x;
  m[t] = a[t];
  m[t + 128] = b[t];
  m[t + 256] = a[t + blockDim.x * blockIdx.x];
  __syncthreads();
)",
                                 element);
  for (int statement = 0; statement < 6; ++statement) {
    const std::string_view target = pick(random, {"m", "a", "b"});
    const std::string_view from = pick(random, {"m", "a", "b"});
    text += fmt::format("  if ({}) {}[{}] {} {}[{}];\n  __syncthreads();\n", condition(), target, index(),
                        pick(random, {"=", "+=", "*="}), from, index());
  }
  text += fmt::format(
      "  for (int k = {}; k > 0; k /= 2) {{\n    if (t < k) m[t] += m[t + k];\n    __syncthreads();\n  }}\n"
      "  for (unsigned int i = t; i < n; i += blockDim.x) b[i] += m[i % 512];\n}}\n",
      1u << below(random, 7));
  return text;
}

TEST(FastPaths, GiveThePlainResultOnRandomMasksStridesAndWidths) {
  std::mt19937 random(20);
  int ended = 0;
  for (int round = 0; round < 150; ++round) {
    const bool isDouble = round % 3 == 1;
    const std::string_view element = isDouble ? "double" : round % 3 == 2 ? "unsigned char" : "int";
    const std::string type = isDouble ? "f64" : round % 3 == 2 ? "u8" : "i32";
    const std::string text = randomKernel(random, element);
    SCOPED_TRACE(text);
    const std::uint32_t block = 1 + below(random, 128);
    Launch launch = testing::launchText(
        text, block, {type + ":hash:600", type + ":hash1:600", "u32=" + std::to_string(below(random, 600))});
    launch.machine = machinePresets()[random() % machinePresets().size()];
    expectSame(launch);
    ended += simulate(launch).ok() ? 1 : 0;
  }
  EXPECT_GT(ended, 100);
}

TEST(FastPaths, TellTheSameFault) {
  for (const char* access :
       {"m[t + 40] = 1;", "b[t] = a[t + 70];", "if (t < 3) a[t * 100] = 2;", "a[s - 1] = 3;",
        "int* p = t < 40 ? a : m; p[t] = 4;", "*(int*)((char*)a + t) = 5;"}) {
    SCOPED_TRACE(access);
    const Launch launch = testing::launchText(
        fmt::format("__global__ void kernel(int* a, int* b) {{\n  __shared__ int m[64];\n"
                    "  unsigned int t = threadIdx.x;\n  int s = t;\n  m[t] = 0;\n  {}\n}}\n",
                    access),
        64, {"i32:hash:128", "i32:hash:64"});
    EXPECT_FALSE(simulate(launch).ok());
    expectSame(launch);
  }
}

TEST(FastPaths, TakeFewerSteps) {
  const Launch launch = testing::strategyLaunch("no-bank-conflict", 256, "nvidia");
  const auto fast = simulate(launch);
  const auto plain = simulate(launch, 1, Pace::Plain);
  ASSERT_TRUE(fast.ok() && plain.ok());
  EXPECT_LT(fast->executed * 6, plain->executed * 5);
}

TEST(FastPaths, AChoiceOf64BitsIsOneOfThem) {
  const Launch launch = testing::launchText(
      "__global__ void kernel(double* a, double* b) {\n  int t = threadIdx.x;\n"
      "  double* p = t < 20 ? a : b;\n  p[t] = t < 10 ? 1.5 : 2.5;\n}\n",
      32, {"f64:zero:32", "f64:zero:32"});
  for (const Pace pace : {Pace::Fast, Pace::Plain}) {
    const auto simulation = simulate(launch, 1, pace);
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    const auto a = testing::elements<double>(*simulation, 0);
    const auto b = testing::elements<double>(*simulation, 1);
    for (std::size_t t = 0; t < 32; ++t) {
      EXPECT_EQ(a[t], t < 10 ? 1.5 : t < 20 ? 2.5 : 0.0);
      EXPECT_EQ(b[t], t < 20 ? 0.0 : 2.5);
    }
  }
}

TEST(FastPaths, UnitCostsAreTheRulesOrNothing) {
  std::mt19937 random(7);
  for (const MachineModel& machine : machinePresets()) {
    SCOPED_TRACE(machine.name);
    const UnitCosts costs(machine, true);
    for (int round = 0; round < 2000; ++round) {
      const unsigned low = below(random, machine.warpSize);
      const unsigned lanes = 1 + below(random, machine.warpSize - low);
      const std::uint32_t mask = (lanes == 32 ? ~0u : (1u << lanes) - 1) << low;
      const unsigned bytes = below(random, 2) == 0 ? 4 : 8;
      const std::uint64_t start = std::uint64_t{bytes} * (below(random, 100));
      std::array<std::uint64_t, kMaxLanes> addresses;
      std::array<std::uint32_t, kMaxLanes> offsets;
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        addresses[lane] = start + std::uint64_t{bytes} * lane;
        offsets[lane] = static_cast<std::uint32_t>(addresses[lane]);
      }
      if (costs.isSectorCount()) {
        EXPECT_EQ(costs.sectors(addresses[low], addresses[low + lanes - 1] + bytes - 1),
                  globalSectors(machine, addresses, mask, bytes));
      }
      if (costs.isSharedFree() && bytes == 4) {
        const SharedCost cost = sharedCost(
            machine,
            {offsets, mask & static_cast<std::uint32_t>(random() | 1u << low), bytes, AccessKind::Load});
        EXPECT_EQ(cost.wavefronts, 1u);
        EXPECT_EQ(cost.ideal, 1u);
      }
    }
  }
  EXPECT_TRUE(UnitCosts(machinePresets()[0], true).isSharedFree());
  EXPECT_TRUE(UnitCosts(machinePresets()[0], true).isSectorCount());
}

}  // namespace
}  // namespace lanescope
