#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/views/base/chord.h"

namespace lanescope {

struct ViewState;

/// Why nothing was done: a sentence to show, "" where there is nothing to say. No value: it was done.
using Refusal = std::optional<std::string>;

/// What a command does: a function without arguments, which may return a Refusal.
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

/// Where the help lists a command; in this order.
enum class HelpGroup : std::uint8_t { Steps, Stops, Choice, Text, Modes, Gpu, Window };

/// A line of the help; commands of one text share it.
struct HelpLine {
  std::string text;  ///< "": none
  HelpGroup group = HelpGroup::Window;
};

/// When a command can be asked for.
struct CommandWhen {
  std::function<bool()> applies{};         ///< else its keys mean something else, or nothing; none: always
  std::function<std::string()> blocked{};  ///< why it can do nothing now, one sentence, else ""; none: never
  bool whileTyping = false;                ///< also where keys write: in the source, in a field
  bool inPopups = false;                   ///< also while a list or a menu is open
};

/// Something that a person can ask for: the one row that its keys, its button, their tips and the help go by.
/// The view that does it has the row, see View::commands().
struct Command : CommandWhen {
  Command(std::string name, std::vector<Chord> keyChords, HelpLine helpLine, std::string buttonLabel,
          std::string buttonTip, CommandWhen when, Action action, std::vector<Chord> furtherKeys = {})
      : CommandWhen(std::move(when)),
        id(std::move(name)),
        keys(std::move(keyChords)),
        also(std::move(furtherKeys)),
        help(std::move(helpLine)),
        label(std::move(buttonLabel)),
        tip(std::move(buttonTip)),
        run(std::move(action)) {}

  std::string id;  ///< what its buttons call it; "" where it has none
  std::vector<Chord> keys;
  std::vector<Chord> also;  ///< further keys, which the help does not name
  HelpLine help;
  std::string label;  ///< its button's text
  std::string tip;    ///< its button's, which names the key as well
  Action run;
};

/// The commands of a window.
class Commands {
 public:
  /// Where two take a chord, those that were added first come first; of those that were added together, the
  /// one that names more modifiers.
  void add(std::vector<Command> rows);

  const std::vector<Command>& all() const { return rows_; }
  /// The command of that id, which there is.
  const Command& of(std::string_view id) const;
  /// What that chord means now; null where it means nothing.
  const Command* meaning(const Chord& chord, bool isTyping, bool hasPopup) const;

 private:
  struct Binding {
    Chord chord;
    std::size_t row;
  };
  std::vector<Command> rows_;
  std::vector<Binding> bindings_;
};

/// Does it, or says why not; whether it was done.
bool runCommand(ViewState& state, const Command& command);
/// The command's first key: `Shift+F8`.
std::string keyText(const ViewState& state, std::string_view id);

}  // namespace lanescope
