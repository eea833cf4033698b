#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanescope {

/// Character: a key identified by the character it writes, wherever it is on the keyboard. Of the others only
/// Space writes.
enum class NamedKey : std::uint8_t {
  Character,
  Space,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  PageUp,
  PageDown,
  Esc,
  Enter,
  Tab,
  Backspace,
  Delete,
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

/// A key and its modifiers: what a press of a key sends, and what a command lists. A capital letter is stored
/// as its small letter with Shift.
struct Chord {
  NamedKey key = NamedKey::Character;
  std::uint32_t letter = 0;  ///< of a character: its code point, small; 0: no key at all
  bool shift = false;
  bool control = false;
  bool repeats = false;  ///< sent again because the key is held

  Chord() = default;
  /// In the format of text(): `R`, `Shift+F8`, `Ctrl+Enter`, `?`.
  Chord(const char* text);  // NOLINT(google-explicit-constructor): a table's row names its keys
  /// The chord of the key that writes that character.
  static Chord writing(std::uint32_t letter);

  std::string text() const;
  /// True if a text field takes it as text.
  bool writes() const { return (key == NamedKey::Character || key == NamedKey::Space) && !control; }
  /// The character that it writes.
  std::uint32_t written() const;
  /// True if the key is held and its commands run only once.
  bool isHeld() const;
  /// True if the pressed chord triggers a command with this chord. Shift is ignored if the command does not
  /// ask for it, and so is Ctrl beside a key that writes nothing.
  bool takes(const Chord& pressed) const;
  bool operator==(const Chord&) const = default;
};

struct ViewState;

/// Why nothing was done: a sentence to show, or "" if there is nothing to say. No value: it was done.
using Refusal = std::optional<std::string>;

/// A command's action: a function without arguments, which may return a Refusal.
class Action {
 public:
  Action() = default;
  template <std::invocable Do>
  Action(Do act)  // NOLINT(google-explicit-constructor): a table's row names its function
      : act_([act = std::move(act)]() -> Refusal {
          if constexpr (std::is_void_v<std::invoke_result_t<const Do&>>) {
            act();
            return std::nullopt;
          } else {
            return act();
          }
        }) {}
  Refusal operator()() const { return act_(); }

 private:
  std::function<Refusal()> act_;
};

/// The help's groups of commands, in this order.
enum class HelpGroup : std::uint8_t { Steps, Stops, Choice, Text, Modes, Gpu, Window };

/// A line of the help; commands with the same text share it.
struct HelpLine {
  std::string text{};  ///< "" if there is none
  HelpGroup group = HelpGroup::Window;
};

/// A user's command: the single row that defines its keys, its button, their tips and its line in the help.
/// The view that runs it has the row, see View::commands().
struct Command {
  std::string id{};  ///< the id of its buttons; "" if it has none
  std::vector<Chord> keys{};
  std::vector<Chord> also{};  ///< further keys, which are not in the help
  HelpLine help{};
  std::string label{};                     ///< its button's text
  std::string tip{};                       ///< its button's, which names the key as well
  std::function<bool()> applies{};         ///< if false, its keys mean something else; if empty, always true
  std::function<std::string()> blocked{};  ///< why it is unavailable, one sentence, or ""; if empty, never
  bool whileTyping = false;                ///< also while keys write into the source or a field
  bool inPopups = false;                   ///< also while a list or a menu is open
  Action run{};
};

/// The commands of a window.
class Commands {
 public:
  /// If two commands have the same chord, those that were added first come first. Of those that were added
  /// together, the one with more modifiers comes first.
  void add(std::vector<Command> rows);

  const std::vector<Command>& all() const { return rows_; }
  /// The command of that id, which must exist.
  const Command& of(std::string_view id) const;
  /// The command of that chord now; null if there is none.
  const Command* meaning(const Chord& chord, bool isTyping, bool hasPopup) const;

 private:
  struct Binding {
    Chord chord;
    std::size_t row;
  };
  std::vector<Command> rows_;
  std::vector<Binding> bindings_;
};

/// Runs the command, or shows why not. True if it was done.
bool runCommand(ViewState& state, const Command& command);
/// The command's first key: `Shift+F8`.
std::string keyText(const ViewState& state, std::string_view id);

}  // namespace lanescope
