#include "app/course/guide.h"

#include <algorithm>

namespace lanescope {
namespace {

std::uint32_t stepsSince(const GuideSituation& began, const GuideSituation& now) {
  return now.cursor.steps > began.cursor.steps ? now.cursor.steps - began.cursor.steps : 0;
}

/// True if the cursor is in the access that the card is about.
bool isInAccess(const GuideSituation& began, const GuideSituation& now) {
  return now.cursor.steps == began.cursor.steps + 1;
}

std::string parseCount(std::uint32_t done, std::uint32_t asked) {
  return std::to_string(done) + " of " + std::to_string(asked) + ".";
}

std::string remarkOnLane(const GuideSituation& now) {
  if (now.thread < 0) return "";
  return now.isOfOtherWarp ? "The picture runs one warp at a time, now another one. Try a hatched lane."
                           : "This lane is at work. Try another one.";
}

std::string remarkOnRace(const GuideSituation& now) {
  if (now.hasFaults) return "The kernel does not compile: the line that is wrong is marked.";
  if (now.ranEdited && now.races == 0) return "It ran, and no race was found: change `s[tid + k]` alone.";
  return now.isEdited ? "Edited. The pictures still show the last run." : "";
}

}  // namespace

bool isDone(CardAct act, const GuideSituation& began, const GuideSituation& now) {
  switch (act) {
    case CardAct::Step: return stepsSince(began, now) >= kStepsAsked;
    case CardAct::Lane: return now.thread >= 0;
    case CardAct::IdleLane: return now.thread >= 0 && now.isIdle;
    case CardAct::Wavefronts:
      return isInAccess(began, now) && now.wavefronts > 1 && now.cursor.wavefront == now.wavefronts;
    case CardAct::Race: return now.ranEdited && now.races > 0;
    case CardAct::Charts: return now.chartsAreOpen;
  }
  return false;
}

std::string remarkOn(CardAct act, const GuideSituation& began, const GuideSituation& now) {
  switch (act) {
    case CardAct::Step:
      return stepsSince(began, now) > 0 ? parseCount(stepsSince(began, now), kStepsAsked) : "";
    case CardAct::IdleLane: return remarkOnLane(now);
    case CardAct::Wavefronts:
      return isInAccess(began, now) ? "Wavefront " + parseCount(now.cursor.wavefront, now.wavefronts) +
                                          " The counters already have the whole access."
                                    : "";
    case CardAct::Race: return remarkOnRace(now);
    default: return "";
  }
}

void Guide::open(std::size_t index) {
  index_ = std::min(index, guideCards().size() - 1);
  began_.reset();
  answer_.clear();
  remark_.clear();
}

bool Guide::syncTo(const GuideSituation& now) {
  if (!index_ || !began_) return false;
  if (isDone(card().act, *began_, now)) return true;
  remark_ = remarkOn(card().act, *began_, now);
  return false;
}

}  // namespace lanescope
