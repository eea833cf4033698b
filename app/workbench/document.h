#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/text_buffer.h"
#include "app/workbench/run_job.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// A kernel text being edited, and how it is launched. A strategy has one for the session, and so has
/// every file that was opened.
struct Document {
  const Strategy* strategy = nullptr;  ///< nullptr: a file
  std::string path;                    ///< of a file
  std::vector<IncludedText> includes;  ///< the files that a file's text includes
  std::shared_ptr<const SourceText> original;
  TextBuffer buffer;
  std::optional<LaunchForm> form;
  RunOutcomePtr ran;  ///< the last of it that there is a walk of; nullptr: none yet

  /// The name in headings: the file's.
  std::string name() const;
  /// The current text, or the given one instead, with the files that it includes.
  std::shared_ptr<const SourceText> source() const { return source(buffer.text()); }
  std::shared_ptr<const SourceText> source(std::string text) const;
  /// Reads the files that a file's text includes as they are now; a file that no longer exists stays as it
  /// was.
  void readIncludes();
  /// True if the current text is that one.
  bool has(const SourceText& source) const;
  bool isEdited() const { return !has(*original) || (strategy != nullptr && form); }
};

/// A strategy's document with its own text and launch; a file's, with a form for its first kernel.
Document makeDocument(const Strategy& strategy);
Document makeDocument(std::string path, const std::string& text, KernelCache& kernels);

}  // namespace lanescope
