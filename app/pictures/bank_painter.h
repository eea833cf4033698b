#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"

namespace lanescope {

/// The colour of a request's wavefront, from 0: that of a word that is read or written, and from the ideal on
/// the two of a bank conflict in turn.
ColorRole wavefrontColor(const BankRequest& request, std::uint32_t wavefront);
/// The opacity of past wavefronts: text on the palest colour is still readable.
inline constexpr float kFaintWavefront = 0.3F;

/// The wavefronts of a request that takes several: their number, a box for each to jump to it, and the words
/// that each serves, on as many lines as needed if there is room. Entries without room are behind `+2 more`.
class WavefrontList {
 public:
  WavefrontList() = default;
  /// `wavefront`: the current one, from 1; 0 if they are not shown one by one. `isOpened`: the list takes the
  /// room of the banks, and ends with an entry that closes it.
  WavefrontList(const SceneBuilder& out, const BankRequest& request, std::uint32_t wavefront,
                std::size_t mostLines, bool isOpened = false);

  /// True if some entries have no room.
  bool isCut() const { return !rest_.empty(); }

  std::size_t lines() const { return lines_; }
  /// A click on a box goes to `steps`, as Cursor::steps; 0: no link.
  /// Hits: Wavefront (index: wavefront; step and wavefront: the place at which it is current), More (the
  /// entry for those without room, or the one that closes an opened list).
  void paint(SceneBuilder& out, const BankRequest& request, float left, float top, std::uint32_t steps) const;

 private:
  struct Entry {
    std::string text;
    float x = 0;  ///< from the list's left
    float width = 0;
    std::size_t line = 0;
    bool isSwitch = false;  ///< opens or closes the list
  };
  void addRest(const SceneBuilder& out, const BankRequest& request, std::uint32_t first, std::uint32_t listed,
               Entry entry);
  void addClose(const SceneBuilder& out, float x, float room, std::size_t mostLines);
  void paintBoxes(SceneBuilder& out, const BankRequest& request, float left, float top,
                  std::uint32_t steps) const;

  std::uint32_t wavefront_ = 0;
  std::string title_;
  float boxesX_ = 0, boxPitch_ = 0;
  std::size_t lines_ = 0;
  std::vector<Entry> entries_;
  std::string rest_;  ///< tooltip of the last entry if it stands for others
};

/// One of several pictures of the banks, in little room: without the list of wavefronts.
struct BankPart {
  std::string title;
  std::string note;
  bool hasAxis = true;  ///< its banks are numbered
};

/// Draws the banks at a moment. The layout of the rows and everything around them is in bank_scene.cpp, the
/// lanes, their curves and the words in bank_painter.cpp.
class BankPainter {
 public:
  /// `moment`: of the access; `now`: of the words, at or after it.
  BankPainter(const Moment& moment, const Moment& now, const SceneContext& context,
              const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        plan_(*moment.plan->banks),
        machine_(trace_.launch.machine),
        perBank_(wordsPerBank(machine_)),
        context_(context),
        words_(now, context.progress < 1 ? context.movedFrom : now.cursor.steps),
        out_(context, measure) {}

  /// `part`: nullopt if it is the only picture.
  Scene paint(std::optional<BankPart> part = std::nullopt);

 private:
  void layOut();
  void chooseRows(float room);
  void placeRows(float room);
  void chooseGutter();
  std::uint32_t allRows() const { return (plan_.words + rowWords() - 1) / rowWords(); }
  Rect bankRect(std::size_t shownRow, unsigned bank) const;
  Rect findPart(const Rect& rect, std::uint32_t word) const;
  const Rect* rectOfWord(std::uint32_t word) const;
  float wavefrontAlpha(std::uint32_t wavefront) const;
  float grown(std::uint32_t wavefront) const;
  std::uint32_t rowWords() const { return machine_.banks * perBank_; }
  bool shownOneByOne() const {
    return !earlier_ && request_.wavefronts > 1 && moment_.cursor.wavefront < request_.wavefronts;
  }
  std::optional<std::uint32_t> findBusiest() const;

  void paintWords();
  void paintWord(std::uint32_t word, const Rect& rect);
  void paintWordText(std::uint32_t word, const Rect& rect, ColorRole color);
  std::string makeTip(std::uint32_t word) const;
  bool isLit(std::uint32_t cell) const;
  std::string findPlace(const LaneDemand& demand) const;
  void paintAxis();
  void paintDegrees();
  void paintLanes();
  void paintFault();
  void paintSentence(std::string_view sentence);
  std::vector<Rect> laneBoxes(std::size_t count) const;
  void paintCurve(const Rect& lane, const LaneDemand& demand);
  void paintLaneLabels(const std::vector<Rect>& boxes);

  const Moment& moment_;
  const Trace& trace_;
  const BankPlan& plan_;
  const MachineModel& machine_;
  std::uint32_t perBank_;  // adjacent words in one bank
  const SceneContext& context_;
  WordsSoFar words_;
  SceneBuilder out_;
  std::optional<BankPart> part_;
  BankRequest request_;
  bool earlier_ = false;                         // the request is not the current step: shown faint
  bool isOfOtherPhase_ = false;                  ///< and in a phase before: its wavefronts are not listed
  std::string contention_;                       // the cost of several lanes on one word of an atomic
  WavefrontList list_;                           // set if the request takes several wavefronts
  bool showsListAlone_ = false;                  // it takes the room of the banks
  std::vector<std::uint32_t> rows_;              // the rows shown, lowest first
  std::vector<float> rowTops_;                   // one for each row
  std::vector<float> gaps_;                      // middles of the gaps between, under and over the rows
  std::vector<const LaneDemand*> demandOfWord_;  // the first lane that requests the word
  std::vector<Rect> wordRects_;                  // by word; w 0: not shown
  bool stacked_ = false;  // the words of a bank are stacked, as there is no room for adjacent numbers
  bool hasDegrees_ = false;
  float gridTop_ = 0, gridBottom_ = 0, gridLeft_ = 0, axisTop_ = 0;
  float rowHeight_ = 0, bankWidth_ = 0;
  float gutter_ = 0;  // left of each bank
  float listTop_ = 0, lanesTop_ = 0;
};

}  // namespace lanescope
