#pragma once

#include "app/workbench/text_buffer.h"
#include "app/panels/base/code_rows.h"

namespace lanescope {

/// A key's meaning in a text. Letters are themselves, with Ctrl held.
enum class CodeKey : std::uint8_t {
  Character,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  PageUp,
  PageDown,
  Enter,
  Tab,
  Backspace,
  Delete,
  A,
  C,
  V,
  X,
  Y,
  Z,
  Slash,
};

/// One key or character, in the order of arrival: none is lost between two frames.
struct CodeEvent {
  CodeKey key = CodeKey::Character;
  bool shift = false;
  bool control = false;
  std::uint32_t letter = 0;  ///< Character: its code point
};

/// The actions of keys and the pointer on a text: typing, moving, selecting, the clipboard (ImGui's), undo.
class CodeInput {
 public:
  /// `rows` are those of the current text; `pageRows` are visible at once. True if the event had a meaning.
  bool handleKey(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const CodeEvent& event);
  /// Puts the caret at the pointer's press, or drags a selection there. `clicks`: pressed in this frame, 0
  /// while it is held. Two clicks select a word, three a line.
  void handlePointer(TextBuffer& buffer, std::uint32_t offset, int clicks, bool extend);

 private:
  bool handleMotion(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const CodeEvent& event);
  void moveRows(TextBuffer& buffer, const CodeRows& rows, std::int64_t by, bool select);

  std::int64_t wishedColumn_ = -1;  ///< kept by up and down; -1: the caret's own
  int lastClicks_ = 1;
};

}  // namespace lanescope
