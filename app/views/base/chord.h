#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// A key that writes nothing; Character: one that goes by what it writes, wherever it lies on the keyboard.
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

/// A key and what is held beside it. A capital letter is its small one with Shift.
struct Chord {
  NamedKey key = NamedKey::Character;
  std::uint32_t letter = 0;  ///< of a character: its code point, small; 0: no key at all
  bool shift = false;
  bool control = false;

  Chord() = default;
  Chord(NamedKey named, bool withShift, bool withControl)
      : key(named), shift(withShift), control(withControl) {}
  /// As text() writes it: `R`, `Shift+F8`, `Ctrl+Enter`, `?`.
  Chord(const char* text);  // NOLINT(google-explicit-constructor): a table's row names its keys
  /// What writes that character.
  static Chord writing(std::uint32_t letter);

  std::string text() const;
  /// Whether it is text where a person writes.
  bool writes() const { return key == NamedKey::Character && !control; }
  /// Whether a command of this chord is meant by that one: Shift means nothing where the command asks for
  /// none, nor does Ctrl beside a key that writes nothing.
  bool takes(const Chord& pressed) const;
  bool operator==(const Chord&) const = default;
};

}  // namespace lanescope
