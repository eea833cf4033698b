#include <gtest/gtest.h>

#include <string>

#include "sim/base/printable.h"

namespace lanescope {
namespace {

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("ab\u00fcc", 3), "ab\u2026");  // the letter is bytes 2 and 3
  EXPECT_EQ(printable("ab\u00fcc", 4), "ab\u00fc\u2026");
  EXPECT_EQ(printable("ab\u00fc", 4), "ab\u00fc");
  EXPECT_EQ(printable("a\U0001F600", 4), "a\u2026");
}

TEST(Printable, CutsBytesThatAreNoCharacters) {
  EXPECT_EQ(printable(std::string(100, '\x80'), 10).substr(0, 3), "\uFFFD");
}

}  // namespace
}  // namespace lanescope
