#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/base/counted.h"
#include "sim/trace/hazards.h"
#include "sim/trace/step_accesses.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Facts about the steps of a trace that questions are made of.
inline bool accessesShared(const Step& step) { return isShared(step.kind); }
inline bool accessesGlobal(const Step& step) { return isGlobal(step.kind); }
inline bool accessesMemory(const Step& step) { return accessesShared(step) || accessesGlobal(step); }
inline bool writesMemory(const Step& step) { return isWrite(step.kind); }

/// The lanes of a mask, in order.
std::vector<std::uint32_t> listLanes(LaneMask mask);
/// The lanes of that step's warp that are active just before it; a barrier that they reached is open then.
LaneMask activeBefore(const Trace& trace, const Step& step);
/// The lanes that the warp has.
LaneMask allLanes(const Trace& trace, std::uint32_t warp);

/// The operation as the source writes it, on one line, in at most 60 bytes.
std::string machineCodeFor(const Trace& trace, const Step& step);
/// The line of the source that it is in, without its comment, in at most 60 bytes.
std::string findLine(const Trace& trace, const Step& step);

/// The use of a step's words by other threads of the block between the barriers before and after it.
enum class OtherUse : std::uint8_t {
  None,    ///< no other thread touches them
  Reads,   ///< others touch them, and all only read
  Writes,  ///< others touch them, and at least one writes
};

/// The threads that touch each word between two barriers of a trace, searched on demand.
class WordUsers {
 public:
  OtherUse of(const Trace& trace, std::uint32_t step);

 private:
  /// The readers or writers of a word: none, one thread, or several.
  class Users {
   public:
    void add(std::uint32_t thread) { who_ = hasOther(thread) ? kMany : thread; }
    bool hasOther(std::uint32_t thread) const { return who_ != kNobody && who_ != thread; }

   private:
    static constexpr std::uint32_t kNobody = UINT32_MAX;
    static constexpr std::uint32_t kMany = UINT32_MAX - 1;
    std::uint32_t who_ = kNobody;
  };
  struct Use {
    Users readers;
    Users writers;
  };

  void findBarriers(const Trace& trace);
  void lookAt(const Trace& trace, std::size_t interval);

  std::vector<std::uint32_t> opened_;  ///< by barrier: the first step after it; empty: not searched yet
  std::optional<std::size_t> interval_;
  std::unordered_map<std::uint32_t, Use> uses_;  ///< by word, in that interval
};

/// The verdict of a run's hazards on the steps of its trace. The report has each pair of source lines by its
/// first example only, so for some steps it gives neither yes nor no.
class RacePlaces {
 public:
  RacePlaces() = default;
  explicit RacePlaces(const HazardReport& report);

  /// The race that step takes part in, or nullptr.
  const Hazard* at(std::uint32_t step) const;
  /// True if the step surely does not race. If the report names races, it may have left out others of the
  /// same words: then a step is sure only if no other thread writes its words, and if it writes itself, only
  /// if no other thread uses them at all.
  bool excludes(const Trace& trace, std::uint32_t step) const;
  /// How others use the words of a step until the next barrier.
  OtherUse othersAt(const Trace& trace, std::uint32_t step) const { return users_.of(trace, step); }
  const std::vector<Hazard>& races() const { return races_; }

 private:
  std::vector<Hazard> races_;
  std::map<std::uint32_t, std::size_t> atStep_;  ///< step to index in races_
  mutable WordUsers users_;                      ///< caches its last search
  bool isComplete_ = false;
};

}  // namespace lanescope
