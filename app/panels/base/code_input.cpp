#include "app/panels/base/code_input.h"

#include <algorithm>
#include <optional>
#include <string>

#include <imgui.h>

#include "app/workbench/text_buffer.h"

namespace lanescope {
namespace {

std::string utf8(std::uint32_t code) {
  const auto tail = [code](unsigned shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | ((code >> 18U) & 7U)), tail(12), tail(6), tail(0)};
}

void copy(const TextBuffer& buffer) {
  if (buffer.hasSelection()) ImGui::SetClipboardText(std::string(buffer.selectedText()).c_str());
}

/// Copies and removes; without a selection the whole line.
void cut(TextBuffer& buffer) {
  if (!buffer.hasSelection()) buffer.selectLine(buffer.caret());
  copy(buffer);
  if (buffer.hasSelection()) buffer.insert("");
}

void paste(TextBuffer& buffer) {
  const char* clipboard = ImGui::GetClipboardText();
  if (clipboard != nullptr) buffer.insert(clipboard);
}

/// Ctrl with a letter.
bool handleCommand(TextBuffer& buffer, const Chord& pressed) {
  if (!pressed.control || pressed.key != NamedKey::Character) return false;
  switch (pressed.letter) {
    case 'z':
      if (pressed.shift) {
        buffer.redo();
      } else {
        buffer.undo();
      }
      return true;
    case 'y': buffer.redo(); return true;
    case 'a': buffer.selectAll(); return true;
    case 'c': copy(buffer); return true;
    case 'x': cut(buffer); return true;
    case 'v': paste(buffer); return true;
    case '/': buffer.toggleComment(); return true;
    default: return false;
  }
}

bool handleEdit(TextBuffer& buffer, const Chord& pressed) {
  if (pressed.writes()) {
    buffer.insert(utf8(pressed.written()));
    return true;
  }
  switch (pressed.key) {
    case NamedKey::Enter: buffer.newLine(); return true;
    case NamedKey::Tab:
      if (pressed.shift) {
        buffer.outdent();
      } else {
        buffer.indent();
      }
      return true;
    case NamedKey::Backspace:
      buffer.erase(pressed.control ? CaretMove::WordLeft : CaretMove::Left);
      return true;
    case NamedKey::Delete:
      buffer.erase(pressed.control ? CaretMove::WordRight : CaretMove::Right);
      return true;
    default: return false;
  }
}

std::optional<CaretMove> toMotion(const Chord& pressed) {
  switch (pressed.key) {
    case NamedKey::Left: return pressed.control ? CaretMove::WordLeft : CaretMove::Left;
    case NamedKey::Right: return pressed.control ? CaretMove::WordRight : CaretMove::Right;
    case NamedKey::Home: return pressed.control ? CaretMove::TextStart : CaretMove::LineStart;
    case NamedKey::End: return pressed.control ? CaretMove::TextEnd : CaretMove::LineEnd;
    default: return std::nullopt;
  }
}

}  // namespace

bool CodeInput::handleKey(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows,
                          const Chord& pressed) {
  if (handleMotion(buffer, rows, pageRows, pressed)) return true;
  if (!handleCommand(buffer, pressed) && !handleEdit(buffer, pressed)) return false;
  wishedColumn_ = -1;
  return true;
}

void CodeInput::moveRows(TextBuffer& buffer, const CodeRows& rows, std::int64_t by, bool select) {
  const std::size_t row = rows.findRow(buffer.caret());
  if (wishedColumn_ < 0) wishedColumn_ = rows.findColumn(buffer.text(), row, buffer.caret());
  const auto last = static_cast<std::int64_t>(rows.rows().size()) - 1;
  const std::int64_t wanted = static_cast<std::int64_t>(row) + by;
  if (wanted < 0 || wanted > last)
    return buffer.move(wanted < 0 ? CaretMove::TextStart : CaretMove::TextEnd, select);
  buffer.place(rows.offsetAt(buffer.text(), static_cast<std::size_t>(wanted),
                             static_cast<std::uint32_t>(wishedColumn_)),
               select);
}

bool CodeInput::handleMotion(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows,
                             const Chord& pressed) {
  const auto page = static_cast<std::int64_t>(std::max<std::size_t>(pageRows, 2)) - 1;
  const std::int64_t by = pressed.key == NamedKey::Up         ? -1
                          : pressed.key == NamedKey::Down     ? 1
                          : pressed.key == NamedKey::PageUp   ? -page
                          : pressed.key == NamedKey::PageDown ? page
                                                              : 0;
  if (by != 0) {
    moveRows(buffer, rows, by, pressed.shift);
    return true;
  }
  const std::optional<CaretMove> motion = toMotion(pressed);
  if (!motion) return false;
  buffer.move(*motion, pressed.shift);
  wishedColumn_ = -1;
  return true;
}

void CodeInput::handlePointer(TextBuffer& buffer, std::uint32_t offset, int clicks, bool extend) {
  wishedColumn_ = -1;
  if (clicks > 0) lastClicks_ = clicks;
  if (clicks == 0) {
    if (lastClicks_ == 1 && offset != buffer.caret()) buffer.place(offset, true);
  } else if (clicks == 1) {
    buffer.place(offset, extend);
  } else if (clicks == 2) {
    buffer.selectWord(offset);
  } else {
    buffer.selectLine(offset);
  }
}

}  // namespace lanescope
