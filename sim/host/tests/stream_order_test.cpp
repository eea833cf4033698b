// What comes before what in streams, by the rules of the CUDA Programming Guide.
#include <gtest/gtest.h>

#include "sim/host/runtime/stream_order.h"

namespace lanescope::host {
namespace {

StreamWork reads(std::uint64_t begin) { return {.what = "read", .reads = {{begin, begin + 4}}}; }
StreamWork writes(std::uint64_t begin) { return {.what = "write", .writes = {{begin, begin + 4}}}; }

TEST(StreamOrder, WorkOfOneStreamIsInOrder) {
  StreamOrder order;
  const std::size_t s = order.addStream(true);
  EXPECT_FALSE(order.add(s, writes(8)));
  EXPECT_FALSE(order.add(s, reads(8)));
}

TEST(StreamOrder, TwoStreamsHaveNoOrder) {
  StreamOrder order;
  const std::size_t s = order.addStream(true);
  const std::size_t t = order.addStream(true);
  EXPECT_FALSE(order.add(s, writes(8)));
  EXPECT_FALSE(order.add(t, reads(4)));  // its last byte is 7
  const auto conflict = order.add(t, reads(6));
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 8u);
  EXPECT_TRUE(conflict->earlierWrites);
  EXPECT_FALSE(conflict->laterWrites);
  EXPECT_TRUE(order.add(t, writes(8)));
  EXPECT_FALSE(order.add(s, reads(20)));
  EXPECT_FALSE(order.add(t, reads(20)));  // two that read
  EXPECT_TRUE(order.add(t, writes(20)));
}

TEST(StreamOrder, AnEventOrdersWhatComesBeforeItsRecord) {
  StreamOrder order;
  const std::size_t s = order.addStream(false);
  const std::size_t t = order.addStream(false);
  const std::size_t u = order.addStream(false);
  order.add(s, writes(8));
  const StreamOrder::Clock event = order.clockOf(s);
  order.add(s, writes(16));
  order.waitFor(t, event);
  EXPECT_FALSE(order.add(t, reads(8)));
  EXPECT_TRUE(order.add(t, reads(16)));
  order.waitFor(u, order.clockOf(t));  // through another stream
  EXPECT_FALSE(order.add(u, reads(8)));
}

TEST(StreamOrder, TheDefaultStreamAndBlockingOnesWaitForEachOther) {
  for (const bool isBlocking : {true, false}) {
    StreamOrder order;
    const std::size_t s = order.addStream(isBlocking);
    const std::size_t t = order.addStream(isBlocking);
    order.add(s, writes(8));
    EXPECT_EQ(order.add(0, reads(8)).has_value(), !isBlocking);
    order.add(0, writes(16));
    EXPECT_EQ(order.add(t, reads(16)).has_value(), !isBlocking);
    EXPECT_EQ(order.add(t, reads(8)).has_value(), !isBlocking);  // s, the default stream, t
  }
}

TEST(StreamOrder, WhatTheHostWaitedForComesBeforeAllThatFollows) {
  StreamOrder order;
  const std::size_t s = order.addStream(false);
  const std::size_t t = order.addStream(false);
  order.add(s, writes(8));
  order.add(t, reads(16));
  EXPECT_NE(order.findPending({8, 9}, false), nullptr);
  EXPECT_EQ(order.findPending({16, 17}, false), nullptr);  // both only read
  EXPECT_NE(order.findPending({16, 17}, true), nullptr);
  order.hostWaitsFor(order.clockOf(s));
  EXPECT_EQ(order.findPending({8, 9}, true), nullptr);
  EXPECT_NE(order.findPending({16, 17}, true), nullptr);
  EXPECT_FALSE(order.add(t, writes(8)));
  order.hostWaitsForAll();
  EXPECT_EQ(order.findPending({16, 17}, true), nullptr);
  EXPECT_FALSE(order.add(s, writes(16)));
}

TEST(StreamOrder, AGuessIsNoConflictButTheHostWaits) {
  StreamOrder order;
  const std::size_t s = order.addStream(true);
  const std::size_t t = order.addStream(true);
  StreamWork guess = writes(8);
  guess.isGuess = true;
  EXPECT_FALSE(order.add(s, guess));
  EXPECT_FALSE(order.add(t, writes(8)));
  EXPECT_FALSE(order.add(t, guess));
  EXPECT_NE(order.findPending({8, 9}, false), nullptr);
}

TEST(StreamOrder, NumbersAreTakenAgainOnceTheWorkIsDone) {
  StreamOrder order;
  const std::size_t s = order.addStream(false);
  const std::size_t t = order.addStream(false);
  order.add(s, writes(8));
  const StreamOrder::Clock event = order.clockOf(s);
  order.removeStream(s);
  EXPECT_NE(order.addStream(false), s);  // its work is in flight
  EXPECT_TRUE(order.add(t, writes(8)));
  order.hostWaitsForAll();
  EXPECT_EQ(order.addStream(false), s);
  order.add(s, writes(16));
  order.waitFor(t, event);  // of the old stream
  EXPECT_TRUE(order.add(t, writes(16)));
}

TEST(StreamOrder, CountsWhatItDrops) {
  StreamOrder order;
  const std::size_t s = order.addStream(false);
  while (order.dropped() == 0) order.add(s, writes(8));
  order.add(s, writes(8));
  EXPECT_EQ(order.dropped(), 2u);
}

TEST(StreamOrder, FreedMemoryIsForgotten) {
  StreamOrder order;
  const std::size_t s = order.addStream(true);
  const std::size_t t = order.addStream(true);
  order.add(s, writes(8));
  order.forget({8, 12});
  EXPECT_FALSE(order.add(t, writes(8)));
}

}  // namespace
}  // namespace lanescope::host
