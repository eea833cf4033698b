// The editor's text: editing, moving, selecting and its history.
#include "app/workbench/text_buffer.h"

#include <random>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

void type(TextBuffer& buffer, std::string_view text) {
  for (const char c : text) buffer.insert(std::string_view(&c, 1));
}

TEST(PlainText, HasOneKindOfLineEndAndNoTabs) {
  EXPECT_EQ(plainText("a\r\nb\rc\n"), "a\nb\nc\n");
  EXPECT_EQ(plainText("\tx\n ab\ty"), "    x\n ab y");
  EXPECT_EQ(plainText("é\tx"), "é   x");
  EXPECT_EQ(plainText("\xEF\xBB\xBFkernel"), "kernel");
  EXPECT_EQ(plainText(std::string_view("a\0\x1B\x7F"
                                       "b",
                                       5)),
            "ab");
}

TEST(PlainText, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(plainText("a\xFFz"), "a?z");
  EXPECT_EQ(plainText("\xC3"), "?");
  EXPECT_EQ(plainText("\xC0\xAF"), "??");       // overlong
  EXPECT_EQ(plainText("\xED\xA0\x80"), "???");  // a surrogate
  EXPECT_EQ(plainText("x²→"), "x²→");
}

TEST(TextBufferTest, TypingReplacesTheSelection) {
  TextBuffer buffer("one two");
  buffer.select({4, 7});
  EXPECT_EQ(buffer.selectedText(), "two");
  type(buffer, "xyz");
  EXPECT_EQ(buffer.text(), "one xyz");
  EXPECT_EQ(buffer.caret(), 7U);
  EXPECT_FALSE(buffer.hasSelection());
}

TEST(TextBufferTest, AWordTypedIsOneStepOfTheHistory) {
  TextBuffer buffer;
  type(buffer, "int k");
  EXPECT_TRUE(buffer.undo());
  EXPECT_EQ(buffer.text(), "int");
  EXPECT_TRUE(buffer.undo());
  EXPECT_EQ(buffer.text(), "");
  EXPECT_FALSE(buffer.undo());
  EXPECT_TRUE(buffer.redo());
  EXPECT_TRUE(buffer.redo());
  EXPECT_FALSE(buffer.redo());
  EXPECT_EQ(buffer.text(), "int k");
}

TEST(TextBufferTest, AMoveBetweenTwoLettersPartsThem) {
  TextBuffer buffer;
  type(buffer, "ab");
  buffer.move(CaretMove::Left);
  buffer.move(CaretMove::Right);
  type(buffer, "c");
  buffer.undo();
  EXPECT_EQ(buffer.text(), "ab");
}

TEST(TextBufferTest, AnEditAfterAnUndoForgetsWhatWasUndone) {
  TextBuffer buffer("x");
  buffer.place(1);
  type(buffer, "y");
  buffer.undo();
  type(buffer, "z");
  EXPECT_FALSE(buffer.canRedo());
  EXPECT_EQ(buffer.text(), "xz");
  buffer.undo();
  EXPECT_EQ(buffer.text(), "x");
}

TEST(TextBufferTest, ErasingJoinsBothWays) {
  TextBuffer buffer("abcdef");
  buffer.place(4);
  buffer.erase(CaretMove::Left);
  buffer.erase(CaretMove::Left);
  EXPECT_EQ(buffer.text(), "abef");
  buffer.undo();
  EXPECT_EQ(buffer.text(), "abcdef");
  EXPECT_EQ(buffer.caret(), 4U);
  buffer.place(1);
  buffer.erase(CaretMove::Right);
  buffer.erase(CaretMove::Right);
  EXPECT_EQ(buffer.text(), "adef");
  buffer.undo();
  EXPECT_EQ(buffer.text(), "abcdef");
}

TEST(TextBufferTest, MovesByLettersWordsAndLines) {
  TextBuffer buffer("  int é = tid;\n\nend");
  buffer.place(8);  // after é, which is two bytes
  EXPECT_EQ(buffer.caret(), 8U);
  buffer.move(CaretMove::Left);
  EXPECT_EQ(buffer.caret(), 6U);
  buffer.place(7);
  EXPECT_EQ(buffer.caret(), 6U) << "never inside a letter";
  buffer.move(CaretMove::LineStart);
  EXPECT_EQ(buffer.caret(), 2U);
  buffer.move(CaretMove::LineStart);
  EXPECT_EQ(buffer.caret(), 0U);
  buffer.move(CaretMove::WordRight);
  EXPECT_EQ(buffer.caret(), 2U);
  buffer.move(CaretMove::WordRight, true);
  EXPECT_EQ(buffer.selectedText(), "int ");
  buffer.move(CaretMove::LineEnd);
  EXPECT_EQ(buffer.caret(), 15U);
  buffer.move(CaretMove::WordLeft);
  EXPECT_EQ(buffer.caret(), 14U);
  buffer.move(CaretMove::WordLeft);
  EXPECT_EQ(buffer.caret(), 11U);
  buffer.move(CaretMove::TextEnd);
  EXPECT_EQ(buffer.caret(), 20U);
  buffer.move(CaretMove::Right);
  EXPECT_EQ(buffer.caret(), 20U);
  buffer.move(CaretMove::TextStart);
  buffer.move(CaretMove::Left);
  EXPECT_EQ(buffer.caret(), 0U);
}

TEST(TextBufferTest, WordMotionsReachBothEndsAndStop) {
  TextBuffer buffer("if (tid < k) {\n  s[tid] += s[tid + k];\n}\n");
  int moves = 0;
  while (buffer.caret() < buffer.text().size() && moves++ < 100) buffer.move(CaretMove::WordRight);
  EXPECT_EQ(buffer.caret(), buffer.text().size());
  while (buffer.caret() > 0 && moves++ < 200) buffer.move(CaretMove::WordLeft);
  EXPECT_EQ(buffer.caret(), 0U);
}

TEST(TextBufferTest, AnArrowLeavesTheSelectionAtItsSide) {
  TextBuffer buffer("abcdef");
  buffer.select({2, 4});
  buffer.move(CaretMove::Left);
  EXPECT_EQ(buffer.caret(), 2U);
  buffer.select({2, 4});
  buffer.move(CaretMove::Right);
  EXPECT_EQ(buffer.caret(), 4U);
}

TEST(TextBufferTest, SelectsWordsAndLines) {
  TextBuffer buffer("s[tid] = 1;\nnext");
  buffer.selectWord(3);
  EXPECT_EQ(buffer.selectedText(), "tid");
  buffer.selectWord(5);  // behind the word, before ']'
  EXPECT_EQ(buffer.selectedText(), "tid");
  buffer.selectWord(16);
  EXPECT_EQ(buffer.selectedText(), "next");
  buffer.selectLine(3);
  EXPECT_EQ(buffer.selectedText(), "s[tid] = 1;\n");
  buffer.selectLine(14);
  EXPECT_EQ(buffer.selectedText(), "next");
}

TEST(TextBufferTest, ANewLineIsIndentedAsTheOneBefore) {
  TextBuffer buffer("  if (x) {");
  buffer.move(CaretMove::TextEnd);
  buffer.newLine();
  EXPECT_EQ(buffer.text(), "  if (x) {\n    ");
  type(buffer, "y;");
  buffer.newLine();
  EXPECT_EQ(buffer.text(), "  if (x) {\n    y;\n    ");
  buffer.erase(CaretMove::Left);
  EXPECT_EQ(buffer.text(), "  if (x) {\n    y;\n  ");
}

TEST(TextBufferTest, LinesMoveRightAndLeft) {
  TextBuffer buffer("a\n\n  b\nc");
  buffer.select({0, 7});  // up to the start of c's line
  buffer.indent();
  EXPECT_EQ(buffer.text(), "  a\n\n    b\nc");
  buffer.outdent();
  EXPECT_EQ(buffer.text(), "a\n\n  b\nc");
  buffer.undo();
  buffer.undo();
  EXPECT_EQ(buffer.text(), "a\n\n  b\nc");
  buffer.place(1);
  buffer.indent();
  EXPECT_EQ(buffer.text(), "a \n\n  b\nc");
}

TEST(TextBufferTest, CommentsComeAndGo) {
  const std::string text = "x;\n\n  y;\n";
  TextBuffer buffer(text);
  buffer.selectAll();
  buffer.toggleComment();
  EXPECT_EQ(buffer.text(), "// x;\n\n  // y;\n");
  buffer.selectAll();
  buffer.toggleComment();
  EXPECT_EQ(buffer.text(), text);
}

TEST(TextBufferTest, ReplacingAllCanBeUndone) {
  TextBuffer buffer("own text");
  type(buffer, "x");
  buffer.replaceAll("own text");
  EXPECT_EQ(buffer.text(), "own text");
  buffer.undo();
  EXPECT_EQ(buffer.text(), "xown text");
}

/// Any run of edits, undone step by step, passes the very texts it came by; and redone as well.
TEST(TextBufferTest, HistoryIsExactBothWays) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    TextBuffer buffer("for (int k = 1; k < é; k *= 2) {\n  s[k] += 1;\n}\n");
    const std::string start = buffer.text();
    const auto some = [&](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
    for (int i = 0; i < 60; ++i) {
      buffer.place(some(static_cast<unsigned>(buffer.text().size() + 1)), some(2) == 0);
      switch (some(8)) {
        case 0: buffer.newLine(); break;
        case 1: buffer.erase(static_cast<CaretMove>(some(8))); break;
        case 2: buffer.indent(); break;
        case 3: buffer.outdent(); break;
        case 4: buffer.toggleComment(); break;
        case 5: buffer.insert("two\nlines²"); break;
        default: type(buffer, "ab c"); break;
      }
      ASSERT_EQ(plainText(buffer.text()), buffer.text()) << "still whole letters";
    }
    const std::string end = buffer.text();
    std::vector<std::string> texts;
    do texts.push_back(buffer.text());
    while (buffer.undo());
    EXPECT_EQ(buffer.text(), start);
    for (std::size_t i = texts.size() - 1; i-- > 0;) {
      ASSERT_TRUE(buffer.redo());
      ASSERT_EQ(buffer.text(), texts[i]);
    }
    EXPECT_EQ(buffer.text(), end);
  }
}

}  // namespace
}  // namespace lanescope
