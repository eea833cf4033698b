#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/course/guide.h"
#include "app/workbench/session.h"

namespace lanescope {

/// The facts of the current run in a card's texts, by their placeholders' names.
using GuideFacts = std::map<std::string, std::string, std::less<>>;

/// `thread`: as GuideSituation.
GuideSituation readSituation(const Session& session, std::int64_t thread, bool chartsAreOpen);
/// `n`, `steps`, and if they exist: `thread`, `lane`, `warp`; `active` of `lanes` in the step at the cursor;
/// its `wavefronts`, `ideal` ones, and `wordA` and `wordB` of one `bank`; `hazard`, a sentence on the first
/// race.
GuideFacts collectFacts(const Session& session, std::int64_t thread);

/// True if the current run is the card's: its strategy's own text, over its n, on its machine.
bool isOfCard(const Session& session, const GuideCard& card);
/// The place where a card begins in a run, as Cursor::steps; 0 if the run has no such place.
std::uint32_t findStart(CardStart start, const Trace& trace);

/// A text with each {NAME} replaced by `findValue`; nullopt if one has no value.
std::optional<std::string> filled(
    std::string_view text, const std::function<std::optional<std::string>(std::string_view)>& findValue);

}  // namespace lanescope
