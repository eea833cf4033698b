// half and __nv_bfloat16: conversions and arithmetic against whole numbers, and in kernels.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "sim/language/check/checker.h"
#include "sim/language/check/device_library.h"
#include "sim/memory/small_float.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

__extension__ using Wide = __int128;

/// A half in units of 2^-24, exact.
std::int64_t countUnits(Half half) { return static_cast<std::int64_t>(std::ldexp(half.value(), 24)); }

/// The half nearest to number * 2^-scale, ties to even; found by its bits, without floating arithmetic.
std::uint32_t nearestHalf(Wide number, int scale) {
  const std::uint32_t sign = number < 0 ? 0x8000u : 0u;
  const Wide size = number < 0 ? -number : number;
  std::uint32_t low = 0;  // the greatest half that is not above it
  for (std::uint32_t step = 0x4000; step > 0; step /= 2) {
    if (low + step >= Half::kInfinity) continue;
    const Wide candidate = Wide{countUnits(Half::ofBits(low + step))} << (scale - 24);
    if (candidate <= size) low += step;
  }
  const auto unitsUp =
      low + 1 == Half::kInfinity ? std::int64_t{65536} << 24 : countUnits(Half::ofBits(low + 1));
  const Wide below = size - (Wide{countUnits(Half::ofBits(low))} << (scale - 24));
  const Wide above = (Wide{unitsUp} << (scale - 24)) - size;
  return sign | (above < below || (above == below && low % 2 == 1) ? low + 1 : low);
}

Half finite(std::mt19937& random) {
  while (true) {
    const Half half = Half::ofBits(random() & 0xffffu);
    if (std::isfinite(half.value())) return half;
  }
}

TEST(Halves, AreRoundedOnce) {
  std::mt19937 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const Half a = finite(random);
    const Half b = finite(random);
    const Half c = finite(random);
    const Wide product = Wide{countUnits(a)} * countUnits(b);
    const auto bits = [](Half half) { return half.bits == 0x8000u ? 0u : unsigned{half.bits}; };
    const auto wanted = [](std::uint32_t half) { return half == 0x8000u ? 0u : half; };
    ASSERT_EQ(bits(a + b), wanted(nearestHalf(Wide{countUnits(a)} + countUnits(b), 24)));
    ASSERT_EQ(bits(a * b), wanted(nearestHalf(product, 48)));
    ASSERT_EQ(bits(fusedMultiplyAdd(a, b, c)), wanted(nearestHalf(product + (Wide{countUnits(c)} << 24), 48)))
        << a.bits << ' ' << b.bits << ' ' << c.bits;
  }
}

TEST(Halves, FusedMultiplyAddRoundsOnce) {
  // 2048 * 2049 + 2^-24 is just above a tie, which in double is the tie itself only after 53 bits.
  const Half product =
      fusedMultiplyAdd(Half::rounded(1.0009765625), Half::rounded(1.0009765625), Half::ofBits(1));
  EXPECT_EQ(product.value(), 1.001953125);
  const BFloat16 wide =
      fusedMultiplyAdd(BFloat16::rounded(0x1.02p0), BFloat16::rounded(0x1.02p0), BFloat16::rounded(0x1p-100));
  EXPECT_EQ(wide.value(), 0x1.04p0);
  // 1 + 2^-8 lies between two numbers; a little more decides.
  EXPECT_EQ(fusedMultiplyAdd(BFloat16::rounded(1), BFloat16::rounded(0x1p-8), BFloat16::rounded(1)).value(),
            1.0);
  EXPECT_EQ(BFloat16::rounded(1 + 0x1p-8 + 0x1p-50).value(), 1 + 0x1p-7);
}

TEST(Halves, EveryValueIsItself) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (std::isnan(Half::ofBits(bits).value())) {
      EXPECT_EQ(Half::rounded(Half::ofBits(bits).value()).bits, Half::kNan);
    } else {
      EXPECT_EQ(Half::rounded(Half::ofBits(bits).value()).bits, bits);
    }
    // A bfloat16 is the upper half of a float.
    const float single = std::bit_cast<float>(bits << 16);
    if (!std::isnan(single)) {
      EXPECT_EQ(BFloat16::ofBits(bits).value(), static_cast<double>(single));
      EXPECT_EQ(BFloat16::rounded(static_cast<double>(single)).bits, bits);
    }
  }
}

TEST(Halves, RoundToBothSides) {
  EXPECT_EQ(Half::rounded(65519.99).bits, 0x7bffu);
  EXPECT_EQ(Half::rounded(65520).bits, 0x7c00u);
  EXPECT_EQ(Half::rounded(1e9, FE_TOWARDZERO).bits, 0x7bffu);
  EXPECT_EQ(Half::rounded(-1e9, FE_UPWARD).bits, 0xfbffu);
  EXPECT_EQ(Half::rounded(-1e9, FE_DOWNWARD).bits, 0xfc00u);
  EXPECT_EQ(Half::rounded(0x1p-25).bits, 0u);  // a tie with zero, which is even
  EXPECT_EQ(Half::rounded(0x1.8p-25).bits, 1u);
  EXPECT_EQ(Half::rounded(1e-30, FE_UPWARD).bits, 1u);
  EXPECT_EQ(Half::rounded(0x1.ffcp-15).bits, 0x0400u);  // up to the least normal one
  EXPECT_EQ(oddDouble(std::uint64_t{0x8080000000000001u}), 0x1.01p63 + 2048);
}

/// What a kernel leaves in `out`, an array of that type; i is the thread.
template <class T>
std::vector<T> leftInHalves(const std::string& type, const std::string& spec, const std::string& body) {
  const auto simulation = simulate(testing::launchText(
      fmt::format("__global__ void k({}* out) {{\n int i = threadIdx.x;\n{}\n}}\n", type, body), 32, {spec}));
  EXPECT_TRUE(simulation.ok()) << body << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<T>(*simulation, 0) : std::vector<T>(64);
}

std::vector<double> halves(const std::string& body) {
  std::vector<double> values;
  for (const std::uint16_t bits : leftInHalves<std::uint16_t>("half", "f16:iota:64", body))
    values.push_back(Half::ofBits(bits).value());
  return values;
}

std::vector<float> leftInFloats(const std::string& body) {
  return leftInHalves<float>("float", "f32:iota:64", body);
}

std::string firstFault(const std::string& body) {
  const ParsedText text(testing::makeSource("__global__ void k(half* out, float* x) {\n" + body + "\n}\n"));
  const auto checked = checkKernel(text, "");
  return checked.ok() ? "" : checked.error().diagnostics.front().message;
}

TEST(HalfKernels, TheLibraryHasNoFault) {
  for (const Diagnostic& fault : checker::deviceLibraryFaults()) ADD_FAILURE() << fault.message;
  EXPECT_GT(checker::deviceLibrary().functions.size(), 100u);
}

TEST(HalfKernels, ConvertImplicitlyAndCompute) {
  EXPECT_EQ(halves("half a = 1.5f; half b = i; out[i] = a * b + __float2half(0.25f);")[3], 4.75);
  EXPECT_EQ(halves("out[i] = out[i] / half(3.0f);")[1], Half::rounded(1.0 / 3).value());
  EXPECT_EQ(halves("half h = out[i]; h += out[i]; h = -h; ++h; out[i] = h;")[5], -9);
  EXPECT_EQ(halves("out[i] = out[i] > __int2half_rn(3) ? __hneg(out[i]) : __habs(__float2half(-7.0f));")[4],
            -4);
  EXPECT_EQ(halves("out[i] = (half)(i * 100000LL);")[1], HUGE_VAL);
  EXPECT_EQ(leftInFloats("half h = 2049; out[i] = h;")[0], 2048.0f);
  EXPECT_EQ(
      leftInFloats("__nv_bfloat16 b = 257; out[i] = __bfloat162float(b) + (float)__float2bfloat16(3.0f);")[0],
      259.0f);
  EXPECT_EQ(
      leftInFloats("half h = 3.9f; int n = h; out[i] = n + __half2int_rn(h) * 10 + sizeof(h) * 100;")[0],
      243.0f);
  EXPECT_EQ(
      leftInFloats(
          "half h = i; if (h) out[i] = __hlt(h, __float2half(2)) + 2 * __hgeu(h, h) + 4 * __hisnan(h);")[1],
      3.0f);
  EXPECT_EQ(
      leftInFloats(
          "out[i] = __hfma(__ushort_as_half(0x3c01), __ushort_as_half(0x3c01), __ushort_as_half(0x8001));")
          [0],
      1.001953125f);
  EXPECT_EQ(leftInFloats("out[i] = hexp(half(1.0f)) + hsqrt(half(2.0f));")[0],
            static_cast<float>(
                Half::rounded(Half::rounded(std::exp(1.0)).value() + Half::rounded(std::sqrt(2.0)).value())
                    .value()));
}

TEST(HalfKernels, PairsMoveByOneAccess) {
  Launch launch = testing::launchText(
      "__global__ void k(half2* out) {\n half2 v = out[threadIdx.x];\n"
      " v = __hfma2(v, __float2half2_rn(2.0f), __floats2half2_rn(1.0f, 0.5f)) + __half2half2(v.x);\n"
      " out[threadIdx.x] = v;\n}\n",
      32, {"f16:iota:64"});
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto bits = testing::elements<std::uint16_t>(*simulation, 0);
  EXPECT_EQ(Half::ofBits(bits[6]).value(), 6 * 2 + 1 + 6);
  EXPECT_EQ(Half::ofBits(bits[7]).value(), 7 * 2 + 0.5 + 6);
  EXPECT_EQ(simulation->counters.globalLoadRequests, 1u);
  EXPECT_EQ(simulation->counters.globalLoadSectors, 4u);
}

TEST(HalfKernels, ShuffleAndAdd) {
  EXPECT_EQ(halves("half h = out[i]; for (int d = 16; d > 0; d /= 2) h += __shfl_down_sync(~0u, h, d); if (i "
                   "== 0) out[0] = h;")[0],
            496);
  const auto pairs =
      halves("half2* p = (half2*)out; half2 v = p[i]; v = __shfl_xor_sync(0xffffffff, v, 1); p[i] = v;");
  EXPECT_EQ(pairs[0], 2);
  EXPECT_EQ(pairs[3], 1);
  EXPECT_EQ(
      halves(
          "__syncwarp(); atomicAdd(&out[63], half(0.5f)); atomicAdd((half2*)out, __floats2half2_rn(1, 2));")
          [63],
      79);
  EXPECT_EQ(halves("atomicAdd((half2*)out, __floats2half2_rn(1, 2));")[1], 65);
}

TEST(HalfKernels, AScalarIsRoundedToItsType) {
  const auto simulation = simulate(testing::launchText(
      "__global__ void k(float* out, half h, __nv_bfloat16 b) { out[0] = h; out[1] = b; }", 1,
      {"f32:zero:2", "f16=0.1", "bf16=0.1"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  EXPECT_EQ(testing::elements<float>(*simulation, 0)[0], static_cast<float>(Half::rounded(0.1).value()));
  EXPECT_EQ(testing::elements<float>(*simulation, 0)[1], static_cast<float>(BFloat16::rounded(0.1).value()));
}

TEST(HalfKernels, SayWhatIsAmbiguous) {
  EXPECT_SAYS(firstFault("out[0] = out[1] * 2.0f;"));
  EXPECT_SAYS(firstFault("out[0] = out[1] % out[2];"));
  EXPECT_SAYS(firstFault("__nv_bfloat16 b = out[0];"));
  EXPECT_SAYS(firstFault("printf(\"%f\", out[0]);"));
}

TEST(HalfKernels, MayHaveAVariableOfThatName) {
  EXPECT_EQ(testing::left("template <typename T> __device__ T half(T x) { return x / 2; }",
                          "out[t] = half(2 * t) + (t > 1 ? half<int>(4) : half(2));"),
            (testing::Ints{1, 2, 4, 5}));
  EXPECT_EQ(leftInFloats("int half = i / 2, half2 = 3; out[i] = half * half2;")[9], 12);
}

TEST(HalfKernels, CanBeTraced) {
  Launch launch = testing::launchText(
      "__global__ void k(half2* out) {\n half2 v = out[threadIdx.x];\n out[threadIdx.x] = __hadd2(v, "
      "v);\n}\n",
      32, {"f16:iota:64"});
  const auto trace = recordTrace(launch, {0, 0, 0});
  ASSERT_TRUE(trace.ok()) << trace.error().sentence();
  EXPECT_EQ(formatValue(ValueType::F16, 0x3c00), "1");
  EXPECT_EQ(formatValue(ValueType::F16, 0x4000'3c00), "1 2");
}

TEST(Complex, IsAsItsHeaderHasIt) {
  const auto values = leftInFloats(R"(
  cuFloatComplex a = make_cuFloatComplex(i, 1); cuComplex b = make_cuComplex(2, -1);
  cuFloatComplex p = cuCmulf(a, b), q = cuCdivf(a, b), s = cuCaddf(p, cuConjf(q));
  out[i] = i == 3 ? cuCrealf(p) : i == 4 ? cuCimagf(p) : i == 5 ? cuCrealf(q) : i == 6 ? cuCabsf(make_cuFloatComplex(3, 4)) : s.x;)");
  EXPECT_EQ(values[3], 7);
  EXPECT_EQ(values[4], -2);
  EXPECT_FLOAT_EQ(values[5], 9.0f / 5);
  EXPECT_EQ(values[6], 5);
}

}  // namespace
}  // namespace lanescope
