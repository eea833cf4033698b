#include "app/panels/base/chord.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lanescope {
namespace {

constexpr std::array<std::string_view, 22> kNames{
    "",   "Space", "Left", "Right", "Up", "Down", "Home", "End", "Esc", "Enter", "F1",
    "F2", "F3",    "F4",   "F5",    "F6", "F7",   "F8",   "F9",  "F10", "F11",   "F12"};
static_assert(kNames.size() == static_cast<std::size_t>(NamedKey::F12) + 1);

/// Removes that word and a plus from the front if a key follows.
bool skipPrefix(std::string_view& text, std::string_view prefix) {
  if (text.size() <= prefix.size() || !text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

Chord::Chord(const char* text) {
  std::string_view rest = text;
  control = skipPrefix(rest, "Ctrl+");
  shift = skipPrefix(rest, "Shift+");
  const auto* named = std::find(kNames.begin() + 1, kNames.end(), rest);
  if (named != kNames.end())
    key = static_cast<NamedKey>(named - kNames.begin());
  else if (rest.size() == 1)
    letter = static_cast<std::uint32_t>(std::tolower(static_cast<unsigned char>(rest.front())));
}

Chord Chord::writing(std::uint32_t letter) {
  Chord chord;
  chord.shift = letter >= 'A' && letter <= 'Z';
  chord.letter = chord.shift ? letter - 'A' + 'a' : letter;
  return chord;
}

std::string Chord::text() const {
  std::string text = control ? "Ctrl+" : "";
  if (shift) text += "Shift+";
  if (key != NamedKey::Character) return text.append(kNames[static_cast<std::size_t>(key)]);
  text += static_cast<char>(letter < 128 ? std::toupper(static_cast<int>(letter)) : '?');
  return text;
}

bool Chord::takes(const Chord& pressed) const {
  if (key != pressed.key || letter != pressed.letter) return false;
  if ((shift && !pressed.shift) || (control && !pressed.control)) return false;
  return key != NamedKey::Character || control == pressed.control;
}

}  // namespace lanescope
