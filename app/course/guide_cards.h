#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/trace/replay.h"

namespace lanescope {

/// The act that a card asks of its reader.
enum class CardAct : std::uint8_t {
  Step,        ///< kStepsAsked steps
  Lane,        ///< point at a lane
  IdleLane,    ///< point at a lane that is masked off
  Wavefronts,  ///< step through every wavefront of the access that comes next
  Race,        ///< edit the text so that it races, and run it
  Charts,      ///< open the GPU panel
};
inline constexpr std::uint32_t kStepsAsked = 3;

/// The place in the run where a card begins.
enum class CardStart : std::uint8_t {
  Start,
  Loaded,      ///< at the end of the first phase
  Divergence,  ///< after the first step that only a part of a diverged warp runs
  Conflict,    ///< before the first load with a bank conflict
};

/// The picture that a card asks its reader to look at.
enum class CardSubject : std::uint8_t { Source, Warps, Banks, Gpu };

/// A card of the first lesson. The texts are Markdown; {NAME} is one of GuideFacts or, {key:ID}, the key of a
/// command.
struct GuideCard {
  std::string_view id;  ///< in the settings
  std::string_view title;
  std::string_view text;       ///< the explanation
  std::string_view task;       ///< the task
  std::string_view answer;     ///< to the finished task
  std::string_view without{};  ///< the answer if a fact is missing; empty: none can be missing
  CardAct act;
  std::string_view strategy;
  std::uint64_t n;
  std::string_view machine;
  CardStart start;
  Grain grain;
  CardSubject subject;
};

/// All of them, in order.
std::span<const GuideCard> guideCards();
/// The number of the card of that id; nullopt if there is none.
std::optional<std::size_t> findGuideCard(std::string_view id);

}  // namespace lanescope
