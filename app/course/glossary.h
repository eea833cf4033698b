#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/markdown.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// A term of the field, as assets/glossary.md defines it.
struct GlossaryEntry {
  std::string term;                             ///< `bank conflict`
  std::vector<std::string> forms{};             ///< further forms, as texts have them: `bank conflicts`
  std::string definition{};                     ///< one to three sentences, plain
  std::vector<MarkdownBlock> blocks{};          ///< the same, to draw
  std::string guide{};                          ///< section of the CUDA C++ Programming Guide, or ""
  std::string practices{};                      ///< section of the CUDA C++ Best Practices Guide, or ""
  std::vector<const GlossaryEntry*> seeAlso{};  ///< in the order of the file

  /// Places to read more, one line for each guide: `CUDA C++ Programming Guide: SIMT Architecture`.
  std::vector<std::string> sources() const;
};

/// Every entry, by its term; capitals and underscores do not count. Throws std::invalid_argument, with the
/// line, if the file cannot be read: its author sees it in the first test.
std::span<const GlossaryEntry> glossary();

/// The entry that a term or another form of it names, in any case; or nullptr.
const GlossaryEntry* findEntry(std::string_view form);

/// Entries that a search finds; an empty search finds all. First entries whose term begins with it, then
/// those with it in a form, then those with it in their definition.
std::vector<const GlossaryEntry*> searchGlossary(std::string_view words);

/// A term in a text, in bytes.
struct TermUse {
  std::size_t begin = 0;
  std::size_t end = 0;
  const GlossaryEntry* entry = nullptr;
};
/// The terms of a text from left to right, whole words, the longest form first: `bank conflict` is not
/// `bank`.
std::vector<TermUse> termsIn(std::string_view text, bool isCode = false);

/// Marks the terms of the blocks: each at its first use after a heading.
void markTerms(std::vector<MarkdownBlock>& blocks);

/// The lessons that use a term, in course order. The first call reads all lessons: not for a frame.
std::span<const Strategy* const> lessonsWith(const GlossaryEntry& entry);

/// assets/glossary.md, as the build embedded it.
std::string_view glossaryText();

}  // namespace lanescope
