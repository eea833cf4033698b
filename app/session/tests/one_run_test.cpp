// What one press of Ctrl+Enter costs: the linker sends every call of the parser, of the compiler, of what
// fills a launch's buffers and of what readies a runner of blocks through here
// (app/session/tests/CMakeLists.txt).
#include <gtest/gtest.h>

#include <atomic>

#include "app/session/run/session.h"
#include "app/session/tests/counted_compiles.h"
#include "app/session/tests/settle.h"
#include "sim/language/check/device_library.h"
#include "sim/machine/run/block_entry.h"
#include "sim/memory/device_memory.h"

namespace {

struct Work {
  std::atomic<int> fillings{0};  ///< of a launch's buffers: a launch that runs again needs them again
  std::atomic<int> runners{0};   ///< of blocks: one of a launch that runs once on one thread
  void reset() {
    lanescope::checker::deviceLibrary();  // parsed once per process, with the first text that may call it
    lanescope::countedCompiles().reset();
    fillings = runners = 0;
  }
};
Work work;

}  // namespace

namespace lanescope {

Result<DeviceMemory> realCreate(std::span<const Argument> arguments,
                                std::uint64_t limit) asm("__real_" LANESCOPE_CREATE);
Result<DeviceMemory> countedCreate(std::span<const Argument> arguments,
                                   std::uint64_t limit) asm("__wrap_" LANESCOPE_CREATE);
Result<DeviceMemory> countedCreate(std::span<const Argument> arguments, std::uint64_t limit) {
  ++work.fillings;
  return realCreate(arguments, limit);
}

StartValues realStart(const Bytecode& code, const PreparedLaunch& prepared,
                      bool isObserved) asm("__real_" LANESCOPE_START);
StartValues countedStart(const Bytecode& code, const PreparedLaunch& prepared,
                         bool isObserved) asm("__wrap_" LANESCOPE_START);
StartValues countedStart(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved) {
  ++work.runners;
  return realStart(code, prepared, isObserved);
}

namespace {

/// Edits the strategy's text, waits for the check that a pause in typing asks for, and runs it.
void editAndRun(Session& session, const char* from, const char* to) {
  TextBuffer& buffer = session.editor().current()->buffer;
  const auto at = static_cast<std::uint32_t>(buffer.text().find(from));
  ASSERT_LT(at, buffer.text().size());
  work.reset();
  buffer.select({at, at + static_cast<std::uint32_t>(std::string_view(from).size())});
  buffer.insert(to);
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(countedCompiles().parses, 1) << "by the check";
  EXPECT_EQ(work.runners, 0);
  session.run();
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(session.error(), "");
}

TEST(OneRun, ABlockIsParsedCompiledAndExecutedOnce) {
  Session session;
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  ASSERT_TRUE(testing::settle(session));
  editAndRun(session, "k *= 2", "k *= 4");
  ASSERT_NE(session.editor().hazards(), nullptr);
  ASSERT_NE(session.editor().result(), nullptr);
  EXPECT_FALSE(session.editor().result()->isRight) << "it says what is missing of the same trace";
  EXPECT_EQ(countedCompiles().parses, 1);
  EXPECT_EQ(countedCompiles().compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1);

  work.reset();
  session.editor().tryLuck();
  ASSERT_TRUE(testing::settle(session));
  ASSERT_NE(session.editor().luck(), nullptr);
  EXPECT_EQ(countedCompiles().parses, 0);
  EXPECT_EQ(countedCompiles().compilations, 0);
  EXPECT_EQ(work.fillings, 1) << "for all orders";

  work.reset();
  session.run();
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(countedCompiles().parses, 0) << "the text is known";
  EXPECT_EQ(countedCompiles().compilations, 0);
  EXPECT_EQ(work.fillings, 1);
}

TEST(OneRun, WithoutACheckBeforeTheRunIsNoDearer) {
  Session session;
  work.reset();
  session.select({findStrategy("shuffle"), 64, findMachine("nvidia")});
  ASSERT_TRUE(testing::settle(session));
  EXPECT_EQ(countedCompiles().parses, 1);
  EXPECT_EQ(countedCompiles().compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1);
}

TEST(OneRun, AGridIsExecutedOnce) {
  Session session;
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  session.chooseBlocks(4, 0);
  ASSERT_TRUE(testing::settle(session));
  editAndRun(session, "k *= 2", "k *= 4");
  EXPECT_EQ(countedCompiles().parses, 1);
  EXPECT_EQ(countedCompiles().compilations, 1);
  EXPECT_EQ(work.fillings, 1);
  EXPECT_EQ(work.runners, 1) << "every block was looked at for hazards";
}

}  // namespace
}  // namespace lanescope
