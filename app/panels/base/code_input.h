#pragma once

#include <cstdint>

#include "app/panels/base/command.h"
#include "app/pictures/code_rows.h"
#include "app/workbench/text_buffer.h"

namespace lanescope {

/// The actions of keys and the pointer on a text: typing, moving, selecting, the clipboard (ImGui's), undo.
class CodeInput {
 public:
  /// `rows` are those of the current text; `pageRows` are visible at once. True if the key had a meaning.
  bool handleKey(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const Chord& pressed);
  /// Puts the caret at the pointer's press, or drags a selection there. `clicks`: pressed in this frame, 0
  /// while it is held. Two clicks select a word, three a line.
  void handlePointer(TextBuffer& buffer, std::uint32_t offset, int clicks, bool extend);

 private:
  bool handleMotion(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const Chord& pressed);
  void moveRows(TextBuffer& buffer, const CodeRows& rows, std::int64_t by, bool select);

  std::int64_t wishedColumn_ = -1;  ///< kept by up and down; -1: the caret's own
  int lastClicks_ = 1;
};

}  // namespace lanescope
