// Rows of a code text, and what keys and the pointer do to it, without a window.
#include <random>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/panels/base/code_input.h"

namespace lanescope {
namespace {

TEST(CodeRowsTest, CoverTheTextInOrder) {
  const std::string text = "int é = 1;\n\n    s[tid] = in[blockIdx.x * blockDim.x + tid]; // long\n";
  for (const std::uint32_t columns : {1U, 8U, 17U, 30U, 200U}) {
    CodeRows rows;
    rows.layout(text, columns);
    std::string joined;
    for (const CodeRow& row : rows.rows()) {
      if (row.first && row.line > 1) joined += '\n';
      joined += text.substr(row.begin, row.end - row.begin);
      // A space at the break may hang over.
      const std::uint32_t end = row.end > row.begin && text[row.end - 1] == ' ' ? row.end - 1 : row.end;
      EXPECT_LE(row.indent + columnsIn(text, row.begin, end), std::max(columns, 8U));
    }
    EXPECT_EQ(joined, text) << columns;
    EXPECT_EQ(rows.lineCount(), 4U);
    EXPECT_EQ(rows.rows()[rows.rowOfLine(3)].line, 3U);
    EXPECT_TRUE(rows.rows()[rows.rowOfLine(3)].first);
  }
}

TEST(CodeRowsTest, AnEmptyTextHasARow) {
  CodeRows rows;
  rows.layout("", 40);
  ASSERT_EQ(rows.rows().size(), 1U);
  EXPECT_EQ(rows.findRow(0), 0U);
  EXPECT_EQ(rows.offsetAt("", 0, 12), 0U);
}

TEST(CodeRowsTest, EveryOffsetComesBackFromItsColumn) {
  const std::string text = plainText("\tfloat x² = a + b;\nlonger than the columns that there are\n");
  CodeRows rows;
  rows.layout(text, 16);
  for (std::uint32_t at = 0; at <= text.size(); at = offsetAfter(text, at, UINT32_MAX, 1)) {
    const std::size_t row = rows.findRow(at);
    EXPECT_EQ(rows.offsetAt(text, row, rows.findColumn(text, row, at)), at);
    if (at == text.size()) break;
  }
}

/// A buffer with its rows, and a clipboard.
struct Desk {
  explicit Desk(std::string_view text) : buffer(text) {
    ImGui::CreateContext();
    ImGui::GetIO().ClipboardUserData = &clipboard;
    ImGui::GetIO().SetClipboardTextFn = [](void* data, const char* copied) {
      *static_cast<std::string*>(data) = copied;
    };
    ImGui::GetIO().GetClipboardTextFn = [](void* data) {
      return static_cast<const char*>(static_cast<std::string*>(data)->c_str());
    };
  }
  ~Desk() { ImGui::DestroyContext(); }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void type(std::string_view letters) {
    for (const char c : letters) receive(Chord::writing(static_cast<unsigned char>(c)));
  }
  bool receive(const Chord& pressed) {
    rows.layout(buffer.text(), 20);
    return input.handleKey(buffer, rows, 4, pressed);
  }

  std::string clipboard;
  TextBuffer buffer;
  CodeRows rows;
  CodeInput input;
};

TEST(CodeInputTest, WritesWhatIsTyped) {
  Desk desk("");
  desk.type("if (x) {");
  desk.receive("Enter");
  desk.type("y;");
  desk.receive("Tab");
  desk.receive(Chord::writing(0x20AC));
  desk.receive(Chord::writing(0x1F600));
  EXPECT_EQ(desk.buffer.text(), "if (x) {\n  y;  €😀");
  desk.receive("Backspace");
  desk.receive("Backspace");
  desk.receive("Ctrl+Backspace");
  EXPECT_EQ(desk.buffer.text(), "if (x) {\n  y");
}

TEST(CodeInputTest, UpAndDownKeepTheirColumn) {
  Desk desk("0123456\nab\n0123456");
  desk.buffer.place(5);
  desk.receive("Down");
  EXPECT_EQ(desk.buffer.caret(), 10U);
  desk.receive("Down");
  EXPECT_EQ(desk.buffer.caret(), 16U);
  desk.receive("Shift+Up");
  EXPECT_EQ(desk.buffer.selectedText(), "\n01234");
  desk.receive("PageUp");
  EXPECT_EQ(desk.buffer.caret(), 0U);
  desk.receive("PageDown");
  EXPECT_EQ(desk.buffer.caret(), desk.buffer.text().size());
}

TEST(CodeInputTest, TheClipboardTakesAndGives) {
  Desk desk("one\ntwo\n");
  desk.receive("Ctrl+X");  // the whole line
  EXPECT_EQ(desk.buffer.text(), "two\n");
  EXPECT_EQ(desk.clipboard, "one\n");
  desk.receive("Ctrl+End");
  desk.receive("Ctrl+V");
  EXPECT_EQ(desk.buffer.text(), "two\none\n");
  desk.receive("Ctrl+A");
  desk.receive("Ctrl+C");
  EXPECT_EQ(desk.clipboard, "two\none\n");
  desk.receive("Ctrl+Z");
  EXPECT_EQ(desk.buffer.text(), "two\n");
  desk.receive("Ctrl+Shift+Z");
  EXPECT_EQ(desk.buffer.text(), "two\none\n");
  desk.receive("Up");
  desk.receive("Ctrl+/");
  EXPECT_EQ(desk.buffer.text(), "two\n// one\n") << "the line of the caret, and no other";
}

TEST(CodeInputTest, ThePointerSelects) {
  Desk desk("alpha beta\ngamma");
  desk.input.handlePointer(desk.buffer, 2, 1, false);
  desk.input.handlePointer(desk.buffer, 8, 0, false);
  EXPECT_EQ(desk.buffer.selectedText(), "pha be");
  desk.input.handlePointer(desk.buffer, 7, 2, false);
  desk.input.handlePointer(desk.buffer, 7, 0, false);
  EXPECT_EQ(desk.buffer.selectedText(), "beta");
  desk.input.handlePointer(desk.buffer, 7, 3, false);
  EXPECT_EQ(desk.buffer.selectedText(), "alpha beta\n");
  desk.input.handlePointer(desk.buffer, 1, 1, false);
  desk.input.handlePointer(desk.buffer, 4, 1, true);
  EXPECT_EQ(desk.buffer.selectedText(), "lph");
}

TEST(CodeInputTest, NoKeysLeadOutOfTheText) {
  Desk desk("for (int k = 1; k < é; k *= 2) s[k] += s[k + 1]; // long enough to break\n");
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    // As many keys with a name as without, and letters with a meaning beside Ctrl among them.
    const std::uint32_t most = random() % 2 == 0 ? 0x60 : 0x2000;
    Chord pressed = Chord::writing(static_cast<std::uint32_t>(0x20 + random() % most));
    if (random() % 2 == 0)
      pressed.key = static_cast<NamedKey>(random() % (static_cast<unsigned>(NamedKey::F12) + 1));
    pressed.shift = random() % 2 == 0;
    pressed.control = random() % 3 == 0;
    desk.receive(pressed);
    ASSERT_LE(desk.buffer.caret(), desk.buffer.text().size());
    ASSERT_EQ(plainText(desk.buffer.text()), desk.buffer.text());
    if (desk.buffer.text().size() > 20000) desk.buffer.replaceAll("x");
  }
}

}  // namespace
}  // namespace lanescope
