#pragma once

#include <string>
#include <vector>

#include "app/course/glossary.h"
#include "sim/base/diagnostic.h"

namespace lanescope::cli {

using Entries = std::vector<const GlossaryEntry*>;

/// The entry of that term, or all of them for "". The error names entries that have the word in them.
Result<Entries> entriesFor(const std::string& term);

/// The entries with their definitions, guides, links and lessons, for a terminal.
std::string glossaryText(const Entries& entries);
/// `lanescope.glossary/1`.
std::string glossaryJson(const Entries& entries);

}  // namespace lanescope::cli
