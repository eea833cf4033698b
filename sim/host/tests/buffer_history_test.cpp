// Which bytes of a buffer are written.
#include <gtest/gtest.h>

#include "sim/host/runtime/buffer_history.h"

namespace lanescope::host {
namespace {

TEST(BufferHistory, ACopyWithinABufferMovesWhatIsWritten) {
  BufferHistory history(64);
  history.add(0, 16);
  history.addCopy(0, history, 0, 64);  // onto itself
  EXPECT_EQ(history.written().count(), 16u);
  history.addCopy(32, history, 0, 32);
  EXPECT_TRUE(history.written().hasAll(0, 16));
  EXPECT_TRUE(history.written().hasAll(32, 16));
  EXPECT_EQ(history.written().count(), 32u);
  history.addCopy(8, history, 0, 32);  // they overlap
  EXPECT_TRUE(history.written().hasAll(0, 24));
  EXPECT_EQ(history.written().findNext(0, false), 24u);
  EXPECT_EQ(history.written().findNext(24, true), 40u);
}

TEST(BufferHistory, IsOverWhenAllIsWritten) {
  BufferHistory history(64);
  history.add(0, 40);
  history.add(32, 16);
  history.note({});
  EXPECT_FALSE(history.isOver());
  history.add(48, 16);
  history.note({});
  EXPECT_TRUE(history.isOver());
}

TEST(BufferHistory, GivesUpAfterLongLaunchesThatAccessIt) {
  BufferHistory history(64);
  EXPECT_FALSE(history.launched({}, 100));
  EXPECT_FALSE(history.isOver());
  *history.forLaunch().isAccessed = true;
  EXPECT_FALSE(history.launched({}, 1));
  *history.forLaunch().isAccessed = true;
  EXPECT_TRUE(history.launched({}, 1.5));
  EXPECT_TRUE(history.isOver());
}

}  // namespace
}  // namespace lanescope::host
