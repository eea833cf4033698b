#include "app/panels/base/command.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <iterator>

#include "app/panels/base/view.h"

namespace lanescope {
namespace {

constexpr std::array<std::string_view, 27> kNames{
    "",         "Space", "Left",  "Right", "Up",        "Down",   "Home", "End", "PageUp",
    "PageDown", "Esc",   "Enter", "Tab",   "Backspace", "Delete", "F1",   "F2",  "F3",
    "F4",       "F5",    "F6",    "F7",    "F8",        "F9",     "F10",  "F11", "F12"};
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
  if (letter == ' ') {
    chord.key = NamedKey::Space;
    return chord;
  }
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

std::uint32_t Chord::written() const {
  if (key == NamedKey::Space) return ' ';
  return shift && letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
}

bool Chord::isHeld() const {
  const bool runsOnce =
      key == NamedKey::Space || key == NamedKey::Esc || key == NamedKey::Enter || key == NamedKey::F11;
  return repeats && runsOnce && !control;
}

bool Chord::takes(const Chord& pressed) const {
  if (key != pressed.key || letter != pressed.letter) return false;
  if ((shift && !pressed.shift) || (control && !pressed.control)) return false;
  return key != NamedKey::Character || control == pressed.control;
}

void Commands::add(std::vector<Command> rows) {
  const auto first = std::ssize(bindings_);
  for (Command& row : rows) {
    for (const std::vector<Chord>* keys : {&row.keys, &row.also}) {
      for (const Chord& chord : *keys) bindings_.push_back({chord, rows_.size()});
    }
    rows_.push_back(std::move(row));
  }
  const auto modifiers = [](const Binding& one) { return int{one.chord.shift} + int{one.chord.control}; };
  std::stable_sort(bindings_.begin() + first, bindings_.end(),
                   [&](const Binding& a, const Binding& b) { return modifiers(a) > modifiers(b); });
}

const Command& Commands::of(std::string_view id) const {
  static const Command kNone{.run = [] {}};
  const auto found = std::ranges::find(rows_, id, &Command::id);
  assert(found != rows_.end());
  return found == rows_.end() ? kNone : *found;
}

const Command* Commands::meaning(const Chord& chord, bool isTyping, bool hasPopup) const {
  for (const Binding& binding : bindings_) {
    const Command& row = rows_[binding.row];
    if (!binding.chord.takes(chord)) continue;
    if ((isTyping && !row.whileTyping) || (hasPopup && !row.inPopups)) continue;
    if (!row.applies || row.applies()) return &row;
  }
  return nullptr;
}

bool runCommand(ViewState& state, const Command& command) {
  if (command.blocked) {
    if (std::string why = command.blocked(); !why.empty()) {
      state.notify(std::move(why));
      return false;
    }
  }
  Refusal refusal = command.run();
  if (refusal && !refusal->empty()) state.notify(std::move(*refusal));
  return !refusal;
}

std::string keyText(const ViewState& state, std::string_view id) {
  const std::vector<Chord>& keys = state.commands->of(id).keys;
  return keys.empty() ? std::string() : keys.front().text();
}

}  // namespace lanescope
