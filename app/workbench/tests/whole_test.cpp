#include "app/base/whole.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

template <class Whole, class Value>
void expectWhole() {
  using Type = std::numeric_limits<Whole>;
  constexpr Value kInfinity = std::numeric_limits<Value>::infinity();
  EXPECT_EQ(toWhole<Whole>(Value{0}), 0);
  EXPECT_EQ(toWhole<Whole>(Value(7.9)), 7);
  EXPECT_EQ(toWhole<Whole>(Value(-7.9)), std::is_signed_v<Whole> ? Whole(-7) : 0);
  EXPECT_EQ(toWhole<Whole>(Value(-0.5)), 0);
  EXPECT_EQ(toWhole<Whole>(std::numeric_limits<Value>::quiet_NaN()), 0);
  EXPECT_EQ(toWhole<Whole>(kInfinity), Type::max());
  EXPECT_EQ(toWhole<Whole>(-kInfinity), Type::min());
  EXPECT_EQ(toWhole<Whole>(Value(1e30)), Type::max());
  EXPECT_EQ(toWhole<Whole>(Value(-1e30)), Type::min());
  // The type's ends, which a float may not have.
  const Value end = std::ldexp(Value{1}, Type::digits);
  EXPECT_EQ(toWhole<Whole>(end), Type::max());
  EXPECT_EQ(toWhole<Whole>(std::nextafter(end, Value{0})), Whole(std::nextafter(end, Value{0})));
  EXPECT_EQ(toWhole<Whole>(-end), Type::min());
}

TEST(Whole, HasAValueForEveryFloat) {
  expectWhole<int, float>();
  expectWhole<int, double>();
  expectWhole<std::uint32_t, float>();
  expectWhole<std::uint32_t, double>();
  expectWhole<std::int64_t, float>();
  expectWhole<std::int64_t, double>();
  expectWhole<std::uint64_t, double>();
  expectWhole<std::int16_t, float>();
  expectWhole<std::size_t, float>();
}

TEST(Whole, IsTheNearestIfAsked) {
  EXPECT_EQ(roundToWhole<int>(2.5F), 3);
  EXPECT_EQ(roundToWhole<int>(-2.5F), -3);
  EXPECT_EQ(roundToWhole<std::uint64_t>(2.4), 2U);
  EXPECT_EQ(roundToWhole<std::uint64_t>(-0.6), 0U);
  EXPECT_EQ(roundToWhole<std::uint64_t>(std::nan("")), 0U);
}

TEST(Steps, AreBounded) {
  EXPECT_EQ(countSteps(10.0F, 3.0F), 4U);
  EXPECT_EQ(countSteps(9.0F, 3.0F), 3U);
  EXPECT_EQ(countSteps(1e9F, 1e-9F), 4096U);
  EXPECT_EQ(countSteps(1e9F, 1e-9F, 12), 12U);
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float step : {0.0F, -1.0F, kNone}) EXPECT_EQ(countSteps(10.0F, step), 0U);
  for (const float length : {0.0F, -1.0F, kNone}) EXPECT_EQ(countSteps(length, 1.0F), 0U);
  EXPECT_EQ(countSteps(kInfinity, 1.0F), 4096U);
}

}  // namespace
}  // namespace lanescope
