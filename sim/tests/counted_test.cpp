#include "sim/base/counted.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Counted, FiguresHaveThreeDigitsAndTheirUnit) {
  EXPECT_EQ(figure(0.126), "0.13");
  EXPECT_EQ(figure(12.34), "12.3");
  EXPECT_EQ(figure(431.6), "432");
  EXPECT_EQ(figure(999.7), "1,000");
  EXPECT_EQ(figure(1234567.4), "1,234,567");
  EXPECT_EQ(microsecondsText(4394), "4,394 µs");
  EXPECT_EQ(secondsText(std::chrono::seconds(1)), "1 second");
  EXPECT_EQ(secondsText(std::chrono::milliseconds(1500)), "1,500 milliseconds");
}

}  // namespace
}  // namespace lanescope
