#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// Named keys write nothing. Character: a key identified by the character it writes, wherever it is on the
/// keyboard.
enum class NamedKey : std::uint8_t {
  Character,
  Space,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  Esc,
  Enter,
  F1,
  F2,
  F3,
  F4,
  F5,
  F6,
  F7,
  F8,
  F9,
  F10,
  F11,
  F12,
};

/// A key and its modifiers. A capital letter is stored as its small letter with Shift.
struct Chord {
  NamedKey key = NamedKey::Character;
  std::uint32_t letter = 0;  ///< of a character: its code point, small; 0: no key at all
  bool shift = false;
  bool control = false;

  Chord() = default;
  Chord(NamedKey named, bool withShift, bool withControl)
      : key(named), shift(withShift), control(withControl) {}
  /// In the format of text(): `R`, `Shift+F8`, `Ctrl+Enter`, `?`.
  Chord(const char* text);  // NOLINT(google-explicit-constructor): a table's row names its keys
  /// The chord of the key that writes that character.
  static Chord writing(std::uint32_t letter);

  std::string text() const;
  /// True if a text field takes it as text.
  bool writes() const { return key == NamedKey::Character && !control; }
  /// True if the pressed chord triggers a command with this chord. Shift is ignored if the command does not
  /// ask for it, and so is Ctrl beside a key that writes nothing.
  bool takes(const Chord& pressed) const;
  bool operator==(const Chord&) const = default;
};

}  // namespace lanescope
