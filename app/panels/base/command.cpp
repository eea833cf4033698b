#include "app/panels/base/command.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "app/panels/base/view.h"

namespace lanescope {

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
  static const Command kNone("", {}, {}, "", "", {}, [] {});
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
