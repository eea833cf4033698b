// Functions and constants of CUDA's headers, against exact arithmetic, C++'s own and the CUDA Math API's
// words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

/// What `out[i] = expression` leaves of the type in a buffer over 64 threads, where i is the thread.
template <class T>
std::vector<T> each(const std::string& type, const std::string& spec, const std::string& body) {
  const auto simulation = simulate(testing::launchText(
      fmt::format("__global__ void k({}* out) {{\n int i = threadIdx.x;\n{}\n}}\n", type, body), 64, {spec}));
  EXPECT_TRUE(simulation.ok()) << body << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<T>(*simulation, 0) : std::vector<T>(64);
}

std::vector<float> singles(const std::string& expression) {
  return each<float>("float", "f32:zero:64", fmt::format("out[i] = {};", expression));
}
std::vector<double> doubles(const std::string& expression) {
  return each<double>("double", "f64:zero:64", fmt::format("out[i] = {};", expression));
}
std::vector<std::uint32_t> words(const std::string& expression) {
  return each<std::uint32_t>("unsigned", "u32:zero:64", fmt::format("out[i] = {};", expression));
}
std::vector<std::int64_t> longs(const std::string& expression) {
  return each<std::int64_t>("long long", "i64:zero:64", fmt::format("out[i] = {};", expression));
}

/// The message of the only fault that the body has, in a kernel `k(float* out)`; of several, all.
std::string faultOfBody(const std::string& body) {
  const ParsedText text(testing::makeSource("__global__ void k(float* out) {\n" + body + "\n}\n"));
  const auto checked = checkKernel(text, "");
  std::string messages;
  if (!checked.ok()) {
    for (const Diagnostic& diagnostic : checked.error().diagnostics)
      messages += (messages.empty() ? "" : " | ") + diagnostic.message;
  }
  return messages;
}

TEST(LaneFunctions, RoundAsTheirNamesSay) {
  // 1 + 2^-30 is no float; a third is none either.
  EXPECT_EQ(singles("__fadd_rn(1.0f, 0x1p-30f)")[0], 1.0f);
  EXPECT_EQ(singles("__fadd_rz(1.0f, 0x1p-30f)")[0], 1.0f);
  EXPECT_EQ(singles("__fadd_rd(1.0f, 0x1p-30f)")[0], 1.0f);
  EXPECT_EQ(singles("__fadd_ru(1.0f, 0x1p-30f)")[0], std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(singles("__fsub_rz(1.0f, 0x1p-30f)")[0], std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(singles("__fdiv_rd(1.0f, 3.0f)")[0], std::nextafter(1.0f / 3, 0.0f));
  EXPECT_EQ(singles("__fdiv_ru(1.0f, 3.0f)")[0], 1.0f / 3);
  EXPECT_EQ(singles("__frcp_rd(-3.0f)")[0], -1.0f / 3);
  EXPECT_EQ(singles("__frcp_rz(-3.0f)")[0], std::nextafter(-1.0f / 3, 0.0f));
  EXPECT_EQ(singles("__fsqrt_rd(2.0f)")[0], 1.41421354f);
  EXPECT_EQ(singles("__fsqrt_ru(2.0f)")[0], std::nextafter(1.41421354f, 2.0f));
  EXPECT_EQ(singles("__fmaf_ru(1.0f, 1.0f, 0x1p-30f)")[0], std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(doubles("__dadd_ru(1.0, 0x1p-80)")[0], std::nextafter(1.0, 2.0));
  EXPECT_EQ(doubles("__dmul_rd(1.0 + 0x1p-52, 1.0 + 0x1p-52)")[0], 1 + 0x1p-51);
  EXPECT_EQ(doubles("__fma_rd(1.0, 1.0, -0x1p-80)")[0], std::nextafter(1.0, 0.0));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(LaneFunctions, ConvertAndSaturate) {
  EXPECT_EQ(words("__float2int_rn(i + 0.5f)")[2], 2u);
  EXPECT_EQ(words("__float2int_rn(i + 0.5f)")[3], 4u);
  EXPECT_EQ(words("__float2int_ru(i + 0.25f)")[3], 4u);
  EXPECT_EQ(static_cast<std::int32_t>(words("__float2int_rd(-i - 0.25f)")[3]), -4);
  EXPECT_EQ(static_cast<std::int32_t>(words("__float2int_rz(-i - 0.75f)")[3]), -3);
  EXPECT_EQ(words("__float2uint_rn(1e20f)")[0], UINT_MAX);
  EXPECT_EQ(words("__float2uint_rn(-5.0f)")[0], 0u);
  EXPECT_EQ(longs("__double2ll_rn(2.5)")[0], 2);
  EXPECT_EQ(longs("__double2int_rn(1e300)")[0], INT_MAX);
  EXPECT_EQ(singles("__int2float_rz(16777219)")[0], 16777218.0f);
  EXPECT_EQ(singles("__int2float_rn(16777219)")[0], 16777220.0f);
  EXPECT_EQ(singles("__uint2float_ru(0xffffff01u)")[0], 4294967296.0f);
  EXPECT_EQ(singles("__double2float_ru(1.0 + 0x1p-40)")[0], std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(doubles("__hiloint2double(__double2hiint(M_PI), __double2loint(M_PI))")[0], M_PI);
  EXPECT_EQ(longs("lrint(i + 0.5)")[4], 4);
  EXPECT_EQ(longs("lroundf(i + 0.5f)")[4], 5);
}

TEST(LaneFunctions, OfIntegers) {
  EXPECT_EQ(words("__mul24(i - 3, 0x00ffffff)")[0], 3u);  // the lower 24 bits are -1
  EXPECT_EQ(words("__umul24(0x01000003u, i)")[5], 15u);
  EXPECT_EQ(words("__umulhi(0xffffffffu, 0xffffffffu)")[0], 0xfffffffeu);
  EXPECT_EQ(static_cast<std::int32_t>(words("__mulhi(-i, 0x40000000)")[8]), -2);
  EXPECT_EQ(longs("__umul64hi(~0ull, ~0ull)")[0], -2);
  EXPECT_EQ(longs("__mul64hi(-1ll, 1ll << 62)")[0], -1);
  EXPECT_EQ(longs("__mul64hi(LLONG_MIN, LLONG_MIN)")[0], std::int64_t{1} << 62);
  EXPECT_EQ(words("__sad(-5, 7, 100u)")[0], 112u);
  EXPECT_EQ(words("__usad(2u, 7u, 1u)")[0], 6u);
  EXPECT_EQ(static_cast<std::int32_t>(words("__hadd(-3, -4)")[0]), -4);
  EXPECT_EQ(words("__rhadd(3, 4)")[0], 4u);
  EXPECT_EQ(words("__uhadd(0xffffffffu, 0xffffffffu)")[0], 0xffffffffu);
  EXPECT_EQ(words("__byte_perm(0x33221100u, 0x77665544u, 0x7531u)")[0], 0x77553311u);
  EXPECT_EQ(words("__funnelshift_l(0x80000000u, 1u, 33)")[0], 3u);
  EXPECT_EQ(words("__funnelshift_lc(5u, 1u, 40)")[0], 5u);
  EXPECT_EQ(words("__funnelshift_r(2u, 3u, 1)")[0], 0x80000001u);
  EXPECT_EQ(words("__funnelshift_rc(2u, 3u, 32)")[0], 3u);
}

TEST(LaneFunctions, OfPartsOfWarpsKeepTheOtherLanes) {
  const auto values = each<std::uint32_t>(
      "unsigned", "u32:zero:64", "unsigned x = 7; if (i % 2) x = __umulhi(1u << 31, 8u * i); out[i] = x;");
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(values[i], i % 2 != 0 ? 4 * i : 7) << i;
}

TEST(Mathematics, IsTheHosts) {
  const auto near = [](double value, double wanted) {
    EXPECT_NEAR(value, wanted, 4 * DBL_EPSILON * std::max(1.0, std::fabs(wanted)));
  };
  near(doubles("atan2(1.0, -1.0)")[0], 3 * M_PI / 4);
  near(doubles("asin(0.5) + acos(0.5) + atan(1.0)")[0], M_PI / 2 + M_PI / 4);
  near(doubles("sinh(1.0) - cosh(1.0)")[0], -std::exp(-1.0));
  near(doubles("asinh(2.0) + acosh(2.0) + atanh(0.5)")[0],
       std::asinh(2.0) + std::acosh(2.0) + std::atanh(0.5));
  near(doubles("std::cbrt(27.0) * rcbrt(27.0)")[0], 1);
  near(doubles("log1p(1e-10) - expm1(-1e-10)")[0], std::log1p(1e-10) - std::expm1(-1e-10));
  near(doubles("exp10(3.0)")[0], 1000);
  near(doubles("erf(0.3) + erfc(0.3)")[0], 1);
  near(doubles("erf(erfinv(0.7))")[0], 0.7);
  near(doubles("erf(erfinv(-1e-9)) * 1e9")[0], -1);
  near(doubles("erfc(erfcinv(1e-5)) * 1e5")[0], 1);
  near(doubles("normcdf(normcdfinv(0.975))")[0], 0.975);
  near(doubles("tgamma(5.0) + lgamma(5.0)")[0], 24 + std::log(24.0));
  near(doubles("hypot(3.0, 4.0) * rhypot(3.0, 4.0)")[0], 1);
  near(doubles("norm3d(1.0, 2.0, 2.0) + rnorm3d(1.0, 2.0, 2.0)")[0], 3 + 1.0 / 3);
  near(doubles("fdim(5.0, 3.0) + fdim(3.0, 5.0) + remainder(7.0, 4.0) + fmod(7.0, 4.0)")[0], 4);
  EXPECT_EQ(doubles("sinpi(1.0) + cospi(0.5) + sinpi(0.5) + cospi(1.0)")[0], 0.0);
  near(doubles("sinpi(0.25) - cospi(0.25)")[0], 0);
  EXPECT_EQ(doubles("ldexp(0.75, i) + scalbn(1.0, -i)")[4], 12.0625);
  EXPECT_EQ(doubles("nextafter(1.0, 2.0) - 1")[0], DBL_EPSILON);
  EXPECT_EQ(singles("__expf(1.0f)")[0], std::exp(1.0f));
  EXPECT_EQ(singles("__powf(2.0f, i)")[10], 1024.0f);
  EXPECT_EQ(singles("__fdividef(1.0f, 4.0f) + __saturatef(i)")[3], 1.25f);
  EXPECT_EQ(singles("__fdividef(1.0f, 0x1p127f)")[0], 0.0f);
  EXPECT_EQ(words("isfinite(1.0 / i) + 2 * signbit(-1.0f) + 4 * isnan(NAN)")[0], 6u);
  EXPECT_EQ(words("ilogb(i + 1.0f)")[7], 3u);
}

TEST(Mathematics, OfFloatsIsFloat) {
  EXPECT_EQ(
      words("sizeof(atan2(1.0f, 2.0f)) + 16 * sizeof(atan2(1.0, 2.0f)) + 256 * sizeof(ldexp(1.0f, 2))")[0],
      4u + 16 * 8 + 256 * 4);
  EXPECT_EQ(words("sizeof(ldexp(1, 2)) + 16 * sizeof(std::atan(1))")[0], 8u + 16 * 8);
}

TEST(DeviceLibrary, WritesThroughPointers) {
  const auto values = each<float>("float", "f32:zero:64", R"(
  float s, c; sincosf(0.5f, &s, &c);
  double whole; double rest = modf(-2.75, &whole);
  int exponent; float mantissa = frexp(12.0f, &exponent);
  out[i] = i == 0 ? s : i == 1 ? c : i == 2 ? (float)whole : i == 3 ? (float)rest : i == 4 ? exponent : mantissa;)");
  EXPECT_EQ(values[0], std::sin(0.5f));
  EXPECT_EQ(values[1], std::cos(0.5f));
  EXPECT_EQ(values[2], -2);
  EXPECT_EQ(values[3], -0.75f);
  EXPECT_EQ(values[4], 4);
  EXPECT_EQ(values[5], 0.75f);
}

TEST(DeviceLibrary, CopiesAndFillsMemory) {
  const auto values = each<std::uint32_t>("unsigned", "u32:zero:64", R"(
  __shared__ unsigned s[64]; unsigned mine[4]; float f = 1.0f; unsigned bits;
  memset(mine, 0xff, sizeof(mine)); mine[2] = i; memset(&mine[3], 0, 3);
  memcpy(&s[i], &mine[2], sizeof(unsigned)); memcpy(&bits, &f, sizeof(f));
  out[i] = i < 32 ? s[i] + mine[1] : i == 40 ? bits : mine[3];)");
  EXPECT_EQ(values[5], 4u);
  EXPECT_EQ(values[40], 0x3f800000u);
  EXPECT_EQ(values[41], 0xff000000u);
}

TEST(DeviceLibrary, IsChargedToTheLineOfItsCall) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out, const float* in) {\n  __shared__ float s[64];\n"
      "  memcpy(&s[threadIdx.x], &in[threadIdx.x], 4);\n  out[threadIdx.x] = s[threadIdx.x];\n}\n",
      64, {"f32:zero:64", "f32:iota:64"});
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  EXPECT_EQ(testing::elements<float>(*simulation, 0)[63], 63.0f);
  for (const auto& line : simulation->lines) EXPECT_TRUE(line.line == 3 || line.line == 4) << line.line;
  launch.arguments[1] = parseArgument("f32:iota:32").value();
  const auto past = simulate(launch);
  ASSERT_FALSE(past.ok());
  EXPECT_SAYS(past.error().message);
}

std::vector<std::string> printedBy(const std::string& body) {
  const auto simulation =
      simulate(testing::launchText("__global__ void k(int* out) {\n" + body + "\n}\n", 2, {"i32:iota:64"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  std::vector<std::string> texts;
  if (simulation.ok()) {
    for (const auto& printed : simulation->printed) texts.push_back(printed.text);
  }
  return texts;
}

TEST(Printf, PrintsTextsAndTakesWidths) {
  const auto lines = printedBy(
      "int t = threadIdx.x; printf(\"%s|%5s|%-4s|%%|%c\", \"a\\tb\", t ? \"one\" : \"none\", \"x\", 'q');"
      "printf(\"%*d|%-*d|%.*f\", 4, t, 3, t, t + 1, 0.25);");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "a\tb| none|x   |%|q");
  EXPECT_EQ(lines[1], "a\tb|  one|x   |%|q");
  EXPECT_EQ(lines[2], "   0|0  |0.2");
  EXPECT_EQ(lines[3], "   1|1  |0.25");
  EXPECT_EQ(printedBy("const char* s = threadIdx.x ? \"50%\" : \"none\"; printf(s);"),
            (std::vector<std::string>{"none", "50%"}));
  EXPECT_SAYS(faultOfBody("printf(out);"));
  EXPECT_SAYS(faultOfBody("printf(\"%s\", out);"));
  EXPECT_SAYS(faultOfBody("printf(\"%*d\", 1.0f, 2);"));
}

TEST(Texts, AreAddressesOfCharacters) {
  const std::string file = R"(
__constant__ char title[] = "Title";
__device__ char rows[2][6] = {"first", "two"};
__device__ int length(const char* s) { int n = 0; while (s[n]) ++n; return n; }
__device__ void report(const char* name, int value) { printf("%s = %d\n", name, value); }
)";
  const auto simulation = simulate(testing::launchText(file + R"(__global__ void k(int* out) {
  int t = threadIdx.x;
  char own[] = "own";
  const char* list[] = {"a", "bb", "\x41\103\tD"};
  __shared__ char s[4];
  s[t] = 'x' + t;
  if (t == 0) s[2] = 0;
  __syncthreads();
  own[0] += t;
  const char* none = nullptr;
  printf("\033[1m%s %s %s|%5s|%s%s", title, rows[t], own, list[t + 1], s, none);
  report(t == 0 ? "alpha" : list[0], length(list[t]) * 10 + length("four") + (list[0] == list[1]));
  out[t] = sizeof(own);
})",
                                                       2, {"i32:zero:2"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  std::vector<std::string> lines;
  for (const auto& printed : simulation->printed) lines.push_back(printed.text);
  EXPECT_EQ(lines,
            (std::vector<std::string>{"\033[1mTitle first own|   bb|xy(null)",
                                      "\033[1mTitle two pwn| AC\tD|xy(null)", "alpha = 14\n", "a = 24\n"}));
  EXPECT_EQ(testing::elements<std::int32_t>(*simulation, 0)[1], 4);
}

TEST(Texts, WithoutAnEndAreAFault) {
  const auto simulation = simulate(testing::launchText(
      "__global__ void k(char* out) {\n char own[2] = {'a', 'b'};\n out[0] = out[1] = 'x';\n"
      " if (threadIdx.x == 0) printf(\"%s\", own);\n}\n",
      2, {"i8:zero:2"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
  EXPECT_SAYS(faultOfBody("const char* s = \"abc\"; char* t = s;"));
}

TEST(Memory, HintsForCachesChangeNothing) {
  const auto values =
      each<std::uint32_t>("unsigned", "u32:iota:64",
                          "__stcs(out + i, __ldcs(&out[i]) + __ldg(out + i) * 2); __stwb(&out[0], 9u);");
  EXPECT_EQ(values[0], 9u);
  EXPECT_EQ(values[63], 189u);
}

TEST(Atomics, HaveScopesAndVectors) {
  const auto values = each<float>("float", "f32:zero:64", R"(
  __shared__ float2 sum; if (i == 0) sum = make_float2(0, 0);
  __syncthreads();
  atomicAdd(&sum, make_float2(1, i)); atomicAdd_block(&out[2], 1.0f); atomicAdd_system(&out[3], 2.0f);
  __syncthreads();
  if (i == 0) { out[0] = sum.x; out[1] = sum.y; })");
  EXPECT_EQ(values[0], 64);
  EXPECT_EQ(values[1], 2016);
  EXPECT_EQ(values[2], 64);
  EXPECT_EQ(values[3], 128);
}

/// As nvcc has it, which inlines the function too.
TEST(Atomics, WhoseValueAFunctionReturnsInVainAreReductions) {
  const auto sectors = [](const std::string& call) {
    const auto simulation = simulate(
        testing::launchText("__device__ unsigned add(unsigned* to) { return atomicAdd(to, 2u) + 1; }\n"
                            "__device__ long long twice(unsigned* to) { return add(to); }\n"
                            "__global__ void k(unsigned* out) { " +
                                call + " }",
                            32, {"u32:zero:1"}));
    EXPECT_TRUE(simulation.ok()) << call;
    return std::pair{simulation->counters.globalReductionSectors, simulation->counters.globalAtomicSectors};
  };
  const std::pair<std::uint64_t, std::uint64_t> kReduction{32, 0};
  const std::pair<std::uint64_t, std::uint64_t> kAtomic{0, 32};
  EXPECT_EQ(sectors("atomicAdd(out, 2u);"), kReduction);
  EXPECT_EQ(sectors("add(out);"), kReduction);
  EXPECT_EQ(sectors("twice(out);"), kReduction);
  EXPECT_EQ(sectors("if (add(out) > 5) return;"), kAtomic);
}

/// libcu++'s <cuda/atomic>; a whole program is sim/host/tests/programs/libcu_atomics.cu.
TEST(Atomics, OfLibcuAreObjects) {
  const auto values = each<std::uint32_t>("unsigned", "u32:zero:64", R"(
  __shared__ cuda::atomic<short, cuda::thread_scope_block> small;
  if (i == 0) small = 40;
  __syncthreads();
  small.fetch_sub(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> first(out[0]);
  first.fetch_max(i);
  unsigned expected = 63;
  __syncthreads();
  if (i == 1) out[1] = first.compare_exchange_strong(expected, 7u) ? 1 : expected;
  __syncthreads();
  if (i == 2) out[2] = first.compare_exchange_weak(expected, 9u, cuda::std::memory_order_acq_rel) + expected;
  if (i == 3) out[3] = small.load() + 100;)");
  EXPECT_EQ(values[0], 7u);
  EXPECT_EQ(values[1], 1u);
  EXPECT_EQ(values[2], 7u);
  EXPECT_EQ(values[3], 76u);
  EXPECT_SAYS(faultOfBody("std::atomic<int> x; x = 1;"));
  EXPECT_SAYS(faultOfBody("__shared__ cuda::barrier<cuda::thread_scope_block> b;"));
}

TEST(Votes, MatchAllSaysWhetherAllHaveTheValue) {
  const auto values = each<std::uint32_t>("unsigned", "u32:zero:64", R"(
  int same, other; unsigned a = __match_all_sync(0xffffffff, 7ll << 40, &same);
  unsigned b = __match_all_sync(0xffffffff, i, &other);
  out[i] = (a == 0xffffffff) + 2 * same + 4 * (b == 0) + 8 * other;)");
  for (const std::uint32_t value : values) EXPECT_EQ(value, 7u);
}

constexpr const char* kGroups = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";

TEST(Groups, OfLanesThatAreTogether) {
  const auto simulation = simulate(testing::launchText(std::string(kGroups) + R"(
__global__ void k(unsigned* out) {
  int i = threadIdx.x;
  if (i % 3 == 0) {
    cg::coalesced_group g = cg::coalesced_threads();
    g.sync();
    out[i] = g.thread_rank() + 100 * g.size() + 10000 * g.shfl(i, 1) + 100000 * g.any(i == 0) +
             1000000 * (g.ballot(g.thread_rank() == 2) == 4) + 10000000 * (g.shfl_down(i, 1) / 3) +
             1000000000 * (g.shfl_up(i, 2) == i);
  } else {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(tile, i % 4);
    auto odd = cg::binary_partition(tile, i & 1);
    out[i] = same.size() + 100 * same.thread_rank() + 10000 * odd.num_threads();
  }
})",
                                                       64, {"u32:zero:64"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto values = testing::elements<std::uint32_t>(*simulation, 0);
  // Lanes 0, 3 ... 30 of the first warp: eleven.
  EXPECT_EQ(values[3], 1u + 1100 + 30000 + 100000 + 1000000 + 2u * 10000000 + 1000000000);
  EXPECT_EQ(values[6], 2u + 1100 + 30000 + 100000 + 1000000 + 3u * 10000000);
  // The others in the first warp with i % 4 == 1: 1, 5, 13, 17, 25, 29; odd ones: eleven less those of 3.
  EXPECT_EQ(values[13], 6u + 200 + 110000);
}

TEST(Groups, OfAllBlocksMeetInACooperativeLaunch) {
  Launch launch = testing::launchText(std::string(kGroups) + R"(
__global__ void k(unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  unsigned n = grid.size(), i = grid.thread_rank();
  for (unsigned step = 1; step < n; step *= 2) {
    unsigned other = i >= step ? out[i - step] : 0;
    grid.sync();
    out[i] += other;
    cg::sync(grid);
  }
  if (grid.block_rank() == 1 && threadIdx.x == 0) out[n] = grid.num_blocks() +
      grid.dim_blocks().y * 100 + grid.block_index().x * 1000 + grid.group_dim().x * 10000;
})",
                                      64, {"u32:ones:257"});
  launch.grid = {2, 2, 1};
  const auto refused = simulate(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_SAYS(refused.error().message);
  launch.isCooperative = true;
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto values = testing::elements<std::uint32_t>(*simulation, 0);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(values[i], i + 1) << i;
  EXPECT_EQ(values[256], 4u + 200 + 1000 + 20000);
}

TEST(Groups, AnOwnReduceIsCalled) {
  const auto simulation = simulate(testing::launchText(R"(
#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ int reduce(thread_group g, int* s, int value) {
  s[g.thread_rank()] = value;
  g.sync();
  return s[0] + s[1];
}
__global__ void k(int* out) {
  __shared__ int s[64];
  out[threadIdx.x] = reduce(this_thread_block(), s, threadIdx.x + 5);
})",
                                                       64, {"i32:zero:64"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  EXPECT_EQ(testing::elements<std::int32_t>(*simulation, 0)[9], 11);
}

TEST(Clock, CountsWarpInstructionsAlikeHoweverItIsRun) {
  const std::string text =
      "__global__ void k(long long* out) {\n long long begin = clock64();\n int sum = 0;\n"
      " for (int i = 0; i < 8; ++i) sum += i;\n __nanosleep(100);\n"
      " out[threadIdx.x] = clock() - begin + (sum & 0);\n}\n";
  Launch launch = testing::launchText(text, 64, {"i64:zero:64"});
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto values = testing::elements<std::int64_t>(*simulation, 0);
  EXPECT_GT(values[0], 8);
  EXPECT_EQ(values[0], values[63]);
}

TEST(Traps, EndTheLaunch) {
  const auto simulation = simulate(testing::launchText(
      "__global__ void k(int* out) {\n if (__builtin_expect(threadIdx.x == 3, 0)) __trap();\n}\n", 64,
      {"i32:zero:64"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

TEST(Diagnostics, NameWhatCudaHasToday) {
  EXPECT_SAYS(faultOfBody("out[0] = __shfl(out[0], 1);"));
  EXPECT_SAYS(faultOfBody("if (__any(1)) out[0] = 1;"));
}

TEST(Constants, AreThoseOfTheHeaders) {
  EXPECT_EQ(doubles("M_PI")[0], M_PI);
  EXPECT_EQ(doubles("DBL_MAX")[0], DBL_MAX);
  EXPECT_EQ(singles("CUDART_PI_F")[0], static_cast<float>(M_PI));
  EXPECT_EQ(singles("-CUDART_INF_F")[0], -HUGE_VALF);
  EXPECT_EQ(singles("FLT_EPSILON + FLT_MIN")[0], FLT_EPSILON);
  EXPECT_EQ(longs("LLONG_MAX")[0], LLONG_MAX);
  EXPECT_EQ(longs("(long long)UINT_MAX + INT_MIN")[0], std::int64_t{UINT_MAX} + INT_MIN);
  EXPECT_TRUE(std::isnan(singles("NAN")[0]));
  EXPECT_EQ(singles("M_PI")[0], 1.0f * static_cast<float>(M_PI));
  EXPECT_EQ(words("sizeof(M_PI) + sizeof(NAN)")[0], 12u);
  // A name of the text is the text's own.
  EXPECT_EQ(each<float>("float", "f32:zero:64", "const float M_E = 2.0f; out[i] = M_E;")[0], 2.0f);
}

TEST(Diagnostics, AnUnknownFunctionIsOneFault) {
  EXPECT_SAYS(faultOfBody("int n = foo(3);\nout[n] = 1; n += 2;"));
  EXPECT_SAYS(faultOfBody("float a = bar(), b = 2;\nif (b > a) out[0] = a;\nout[1] = c;"));
}

TEST(Diagnostics, NameTheFunctionThatDoesNotFit) {
  EXPECT_SAYS(faultOfBody("out[0] = ldexpf(out, 2);"));
  EXPECT_SAYS(faultOfBody("out[0] = __mul24(2);"));
}

}  // namespace
}  // namespace lanescope
