#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/bank_layout.h"
#include "app/pictures/bank_plan.h"
#include "app/pictures/wavefront_list.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/base/scene_builder.h"

namespace lanescope {

/// Draws the banks at a moment. The layout of the rows and everything around them is in bank_scene.cpp, the
/// lanes and their curves in bank_lanes.cpp, the words in bank_words.cpp.
class BankPainter {
 public:
  BankPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        plan_(*moment.plan->banks),
        machine_(trace_.launch.machine),
        perBank_(wordsPerBank(machine_)),
        context_(context),
        out_(context, measure) {}

  Scene paint();

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
  std::optional<Step> findLast(const std::vector<std::uint32_t>& steps) const;

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
  SceneBuilder out_;
  BankRequest request_;
  bool earlier_ = false;                         // the request is not the current step: shown faint
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
