#pragma once

#include "app/analysis/alignment.h"
#include "app/panels/base/view.h"
#include "app/panels/base/zoom.h"
#include "app/pictures/difference_scene.h"

namespace lanescope {

/// Two strategies side by side, stepped together: the current one on the left, Session::comparison() on the
/// right, the difference of their counters below. The element under the pointer lights up on its side only. A
/// click in a picture moves to that place of its side. A pinned thread is pinned in both.
class CompareView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override {
    return {.id = "compare",
            .place = Place::Stage,
            .isShown = shape.mode == Mode::Compare,
            .frame = PanelFrame::Split};
  }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  std::string leftTitle(const Session& session);
  void syncRight(const ViewContext& context, const Replay* replay);
  void pointFromRight(const ViewContext& context, const Focus& pointedRight);
  void drawKinds(const ViewContext& context, float x);
  void drawLeft(const ViewContext& context, ImVec2 size);
  void drawRight(const ViewContext& context, ImVec2 size);
  void drawPictures(const ViewContext& context, const Replay& replay, ImVec2 size, bool isRight);
  void syncTexts(Session& session);
  void drawSource(const ViewContext& context, const Replay& replay, const Area& area, bool isRight);
  void drawChoice(const ViewContext& context, float width);
  void drawDifferences(const ViewContext& context, ImVec2 size);
  void drawProfiles(const ViewContext& context, ImVec2 size);
  static void drawLines(const ViewContext& context, ImVec2 size, const ProfileSide& left,
                        const ProfileSide& right);

  bool showsWarps_ = false;                     ///< below the ladders, on both sides; if false, the banks
  bool showsProfiles_ = false;                  ///< below everything: the profiles; if false, the counters
  bool showsSources_ = false;                   ///< below the ladders: the texts, with their differences
  std::vector<DiffRow> rows_;                   ///< of the two texts
  std::uint64_t leftText_ = 0, rightText_ = 0;  ///< the generations of these texts; 0 if none
  std::uint32_t line_ = 0;                      ///< the current line on the left, which is in the middle
  double moved_ = 0;                            ///< rows that the wheel has moved the texts by, from there
  float noteHeight_ = 0;           ///< above both sides' pictures: how the right's launch differs
  Marks right_;                    ///< linked and chosen on the right
  std::int64_t givenThread_ = -1;  ///< pinned on the right when its frame began
  std::int32_t givenWarp_ = -1;
  std::string leftProfiled_;                 ///< the text on the left that floors were last requested for
  const Strategy* rightProfiled_ = nullptr;  ///< the same on the right
  std::uint64_t floorsN_ = 0;                ///< number of elements
  LadderZoom leftZoom_;
  LadderZoom rightZoom_;
};

}  // namespace lanescope
