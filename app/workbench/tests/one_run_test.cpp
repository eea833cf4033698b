// What one press of Ctrl+Enter costs.
#include <gtest/gtest.h>

#include "app/workbench/session.h"
#include "app/workbench/tests/settle.h"

namespace lanescope {
namespace {

class OneRun : public ::testing::Test {
 protected:
  void editAndRun(const char* from, const char* to);

  WorkCountPtr shared = std::make_shared<WorkCount>();
  WorkCount& work = *shared;
  Session session{std::make_shared<SteppedExecutor>(), shared};
};

/// Edits the strategy's text, waits for the check that a pause in typing asks for, and runs it.
void OneRun::editAndRun(const char* from, const char* to) {
  TextBuffer& buffer = session.editor().current()->buffer;
  const auto at = static_cast<std::uint32_t>(buffer.text().find(from));
  ASSERT_LT(at, buffer.text().size());
  work.reset();
  buffer.select({at, at + static_cast<std::uint32_t>(std::string_view(from).size())});
  buffer.insert(to);
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(work.parses, 1) << "by the check";
  EXPECT_EQ(work.runners, 0);
  session.run();
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(session.error(), "");
}

TEST_F(OneRun, ABlockIsParsedCompiledAndExecutedOnce) {
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  ASSERT_TRUE(testing::settle(session));
  editAndRun("k *= 2", "k *= 4");
  ASSERT_NE(session.editor().hazards(), nullptr);
  ASSERT_NE(session.editor().result(), nullptr);
  EXPECT_FALSE(session.editor().result()->isRight) << "it says what is missing of the same trace";
  EXPECT_EQ(work.parses, 1);
  EXPECT_EQ(work.compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1);

  work.reset();
  session.editor().tryLuck();
  ASSERT_TRUE(testing::settle(session));
  ASSERT_NE(session.editor().luck(), nullptr);
  EXPECT_EQ(work.parses, 0);
  EXPECT_EQ(work.compilations, 0);
  EXPECT_EQ(work.fillings, 1) << "for all orders";

  work.reset();
  session.run();
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(work.parses, 0) << "the text is known";
  EXPECT_EQ(work.compilations, 0);
  EXPECT_EQ(work.fillings, 1);
}

TEST_F(OneRun, WithoutACheckBeforeTheRunIsNoDearer) {
  work.reset();
  session.select({findStrategy("shuffle"), 64, findMachine("nvidia")});
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(work.parses, 1);
  EXPECT_EQ(work.compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1);
}

TEST_F(OneRun, AGridIsExecutedOnce) {
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  session.chooseBlocks(4, 0);
  ASSERT_TRUE(testing::settle(session));
  editAndRun("k *= 2", "k *= 4");
  EXPECT_EQ(work.parses, 1);
  EXPECT_EQ(work.compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1) << "every block was looked at for hazards";
}

}  // namespace
}  // namespace lanescope
