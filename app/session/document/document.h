#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/document/text_buffer.h"
#include "app/session/launch/kernel_cache.h"
#include "app/session/launch/launch_form.h"
#include "app/session/launch/result_check.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// What was found out about a launch as it ran.
struct Findings {
  std::vector<Diagnostic> faults;       ///< what ended it early, or stood in its way
  std::optional<HazardReport> hazards;  ///< nothing: it could not begin
  std::optional<ResultCheck> result;    ///< nothing where nothing is expected of it
  bool hasTrace = false;
};

/// A text and a launch of it, as one run takes them, and what came of it.
struct Edition {
  std::shared_ptr<const SourceText> source;
  std::optional<LaunchForm> form;      ///< none: a strategy's own launch over N
  std::uint64_t number = 0;            ///< 0: the strategy's own text and launch
  std::optional<Launch> launch{};      ///< nothing before it is launched
  std::optional<Findings> findings{};  ///< nothing before it ran
};

/// A kernel text being edited, and how it is launched. A strategy has one for the session, and so has
/// every file that was opened.
struct Document {
  const Strategy* strategy = nullptr;  ///< nullptr: a file
  std::string path;                    ///< of a file
  std::shared_ptr<const SourceText> original;
  TextBuffer buffer;
  std::optional<LaunchForm> form;
  Edition good;  ///< the last that a trace came of; at first the original, not launched

  /// What a heading shows: the file's name.
  std::string name() const;
  /// True where the text at hand is that one.
  bool has(const SourceText& source) const;
  bool isEdited() const { return !has(*original) || (strategy != nullptr && form); }
};

/// A strategy's document with its own text and launch; a file's, with a form for its first kernel.
Document documentOf(const Strategy& strategy);
Document documentOf(std::string path, const std::string& text, KernelCache& kernels);

}  // namespace lanescope
