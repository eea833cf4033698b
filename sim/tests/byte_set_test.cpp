#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sim/memory/byte_set.h"

namespace lanescope {
namespace {

TEST(ByteSet, HasWhatWasAddedAndNotTakenAway) {
  ByteSet set(200);
  EXPECT_EQ(set.add(60, 10), 10u);  // over the end of a word
  EXPECT_EQ(set.add(65, 10), 5u);
  EXPECT_EQ(set.remove(70, 10), 5u);
  set.add(128, 64);
  EXPECT_EQ(set.count(), 74u);
  EXPECT_TRUE(set.hasAll(60, 10));
  EXPECT_FALSE(set.hasAll(59, 2));
  EXPECT_FALSE(set.hasAll(69, 2));
  set.remove(130, 2);
  EXPECT_EQ(set.count(), 72u);
  EXPECT_FALSE(set.hasAll(128, 4));
  EXPECT_TRUE(set.hasAll(132, 60));
}

TEST(ByteSet, FindsTheNextByteThatIsInOrNot) {
  ByteSet set(150);
  EXPECT_EQ(set.findNext(0, true), 150u);
  EXPECT_EQ(set.findNext(0, false), 0u);
  set.add(70, 60);
  EXPECT_EQ(set.findNext(0, true), 70u);
  EXPECT_EQ(set.findNext(70, false), 130u);
  EXPECT_EQ(set.findNext(130, true), 150u);
  set.add(0, 150);
  EXPECT_EQ(set.findNext(0, false), 150u);
}

TEST(ByteSet, BytesPastItsEndAreNotInIt) {
  ByteSet set(10);
  set.add(8, 8);
  EXPECT_EQ(set.count(), 2u);
}

TEST(ByteSet, ThreadsMayAddToOneWord) {
  ByteSet set(64);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&set, t] {
        for (std::uint64_t b = t; b < 64; b += 4) set.add(b, 1);
      });
    }
  }
  EXPECT_EQ(set.count(), 64u);
}

}  // namespace
}  // namespace lanescope
