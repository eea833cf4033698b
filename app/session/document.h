#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/session/launch_form.h"
#include "app/session/text_buffer.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// A text and a launch of it, as one run takes them.
struct Edition {
  std::shared_ptr<const SourceText> source;
  std::optional<LaunchForm> form;  ///< none: a strategy's own launch over N
  std::uint64_t number = 0;        ///< 0: the strategy's own text and launch
};

/// A kernel text being edited, and how it is launched. A strategy has one for the session, and so has
/// every file that was opened.
struct Document {
  const Strategy* strategy = nullptr;  ///< nullptr: a file
  std::string path;                    ///< of a file
  std::shared_ptr<const SourceText> original;
  TextBuffer buffer;
  std::optional<LaunchForm> form;
  Edition good;               ///< the last that a trace came of; at first the original
  std::optional<Launch> ran;  ///< what `good` was launched as, or nothing before that

  /// What a heading shows: the file's name.
  std::string name() const;
  /// True where the text at hand is that one.
  bool has(const SourceText& source) const;
  bool isEdited() const { return !has(*original) || (strategy != nullptr && form); }
};

/// A strategy's document with its own text and launch; a file's, with a form for its first kernel.
Document documentOf(const Strategy& strategy);
Document documentOf(std::string path, const std::string& text);

}  // namespace lanescope
