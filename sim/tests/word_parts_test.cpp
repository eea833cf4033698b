// Functions of the parts of a word, against the same arithmetic on the host.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "sim/tests/launches.h"

namespace lanescope {
namespace {

constexpr std::array<std::uint32_t, 4> kWords = {0x80017fff, 0xff01fe80, 0x00ff7f80, 0x12345678};

std::uint32_t computed(const std::string& expression, const std::string& type = "unsigned") {
  const auto run = simulate(
      testing::launchText(fmt::format("__global__ void k(unsigned* o) {{ {} r = {}; o[0] = (unsigned)r; }}",
                                      type, expression),
                          1, {"u32:zero:1"}),
      1);
  EXPECT_TRUE(run.ok()) << expression << ": " << (run.ok() ? "" : run.error().sentence());
  return run.ok() ? testing::elements<std::uint32_t>(*run, 0)[0] : 0xdeadbeef;
}

/// What `f` makes of each pair of parts of type T.
template <class T, class F>
std::uint32_t expected(std::uint32_t a, std::uint32_t b, F f) {
  constexpr unsigned kBits = 8 * sizeof(T);
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32 / kBits; ++i) {
    const int x = static_cast<T>(a >> (kBits * i));
    const int y = static_cast<T>(b >> (kBits * i));
    result |= (static_cast<std::uint32_t>(f(x, y)) & ((1u << kBits) - 1)) << (kBits * i);
  }
  return result;
}

template <class Halves, class Bytes, class F>
void expectParts(const std::string& name, F f) {
  for (const std::uint32_t a : kWords) {
    for (const std::uint32_t b : kWords) {
      EXPECT_EQ(computed(fmt::format("{}2({}u, {}u)", name, a, b)), (expected<Halves>(a, b, f)))
          << name << a << b;
      EXPECT_EQ(computed(fmt::format("{}4({}u, {}u)", name, a, b)), (expected<Bytes>(a, b, f)))
          << name << a << b;
    }
  }
}

TEST(WordParts, WrapMinimaMaximaAndDifferences) {
  using S16 = std::int16_t;
  using S8 = std::int8_t;
  using U16 = std::uint16_t;
  using U8 = std::uint8_t;
  expectParts<S16, S8>("__vadd", [](int x, int y) { return x + y; });
  expectParts<S16, S8>("__vsub", [](int x, int y) { return x - y; });
  expectParts<S16, S8>("__vmaxs", [](int x, int y) { return std::max(x, y); });
  expectParts<U16, U8>("__vminu", [](int x, int y) { return std::min(x, y); });
  expectParts<U16, U8>("__vabsdiffu", [](int x, int y) { return std::abs(x - y); });
  expectParts<U16, U8>("__vavgu", [](int x, int y) { return (x + y + 1) / 2; });
  expectParts<U16, U8>("__vcmpgtu", [](int x, int y) { return x > y ? -1 : 0; });
  expectParts<S16, S8>("__vsetles", [](int x, int y) { return x <= y ? 1 : 0; });
}

TEST(WordParts, SaturateAtTheirOwnLimits) {
  EXPECT_EQ(computed("__vaddss2(0x7fff8000u, 0x0001ffffu)"), 0x7fff8000u);
  EXPECT_EQ(computed("__vaddus4(0xff01fe80u, 0x01010280u)"), 0xff02ffffu);
  EXPECT_EQ(computed("__vsubus2(0x00010005u, 0x00020003u)"), 0x00000002u);
  EXPECT_EQ(computed("__vnegss4(0x80817f00u)"), 0x7f7f8100u);
  EXPECT_EQ(computed("__vabsss2(0x8000ffffu)"), 0x7fff0001u);
}

TEST(WordParts, SumProductsOfBytes) {
  EXPECT_EQ(computed("__dp4a((int)0x01ff0203, (int)0x02030405, 10)", "int"), 10u + 2 - 3 + 8 + 15);
  EXPECT_EQ(computed("__dp4a(0x01ff0203u, 0x02030405u, 10u)"), 10u + 2 + 255 * 3 + 8 + 15);
  EXPECT_EQ(computed("__dp4a(make_char4(3, 2, -1, 1), make_char4(5, 4, 3, 2), 10)", "int"),
            10u + 2 - 3 + 8 + 15);
  EXPECT_EQ(computed("__dp4a(make_uchar4(3, 2, 255, 1), make_uchar4(5, 4, 3, 2), 10u)"),
            10u + 2 + 255 * 3 + 8 + 15);
  EXPECT_EQ(computed("__dp2a_lo(make_short2(300, -2), make_char4(5, -4, 3, 2), 10)", "int"), 10u + 1500 + 8);
  EXPECT_EQ(computed("__dp2a_hi(make_ushort2(300, 2), make_uchar4(5, 4, 3, 200), 10u)"), 10u + 900 + 400);
  EXPECT_EQ(computed("__dp2a_lo((int)0xffff0003, (int)0x00000205, 1)", "int"), 1u - 2 + 15);
  EXPECT_EQ(computed("__dp2a_hi(0x00020003u, 0x04050000u, 1u)"), 1u + 8 + 15);
  EXPECT_EQ(computed("__vsadu4(0x01020304u, 0x04030201u)"), 3u + 1 + 1 + 3);
}

TEST(WordParts, FindTheNthSetBit) {
  EXPECT_EQ(computed("__fns(0b101100u, 0, 2)"), 3u);
  EXPECT_EQ(computed("__fns(0b101100u, 31, -1)"), 5u);
  EXPECT_EQ(computed("__fns(0b101100u, 3, 0)"), 3u);
  EXPECT_EQ(computed("__fns(0b101100u, 0, 4)"), 0xffffffffu);
}

}  // namespace
}  // namespace lanescope
