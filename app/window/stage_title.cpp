#include "app/window/stage_title.h"

#include <algorithm>
#include <cfloat>
#include <cstddef>

#include <fmt/format.h>

#include "app/panels/base/widgets.h"
#include "app/window/transport_view.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kTitleHeight = 40;   ///< units
constexpr float kTitleScale = 1.3F;  ///< of the letters, over the body's; the fonts have that size

/// A line of text in the middle of the bar's height, in a face of the fonts.
class BarText {
 public:
  BarText(const ViewContext& context, FontRole role, float scale)
      : context_(context),
        size_(fontSize(role) * context.unit * scale),
        font_(context.fonts.sharpest(role, size_)) {}

  float width(const std::string& text) const {
    return font_->CalcTextSizeA(size_, FLT_MAX, 0, text.c_str()).x;
  }
  void draw(float x, float barHeight, const std::string& text, ColorRole color) const {
    const ImVec2 corner = ImGui::GetWindowPos();
    ImGui::GetWindowDrawList()->AddText(font_, size_,
                                        ImVec2(corner.x + x, corner.y + (barHeight - size_) / 2),
                                        context_.color(color), text.c_str());
  }

 private:
  const ViewContext& context_;
  float size_;
  ImFont* font_;
};

/// The walk's place in the longest form that has that room; empty if no walk is shown or none has room.
std::string fittingPlace(const ViewContext& context, const BarText& letters, float room) {
  if (context.replay() == nullptr) return "";
  for (const PlaceParts parts : {PlaceParts::All, PlaceParts::StepAndWavefront, PlaceParts::Step}) {
    std::string text = placeText(*context.replay(), parts, context.player().phaseMoment());
    if (letters.width(text) <= room) return text;
  }
  return "";
}

}  // namespace

std::string shownName(const ViewState& state) {
  Session& session = state.session;
  const Document* const document = session.editor().current();
  const Strategy* const strategy = session.selection().strategy;
  std::string name = strategy != nullptr   ? strategy->title
                     : document != nullptr ? document->name()
                                           : std::string("Lanescope");
  if (document != nullptr && document->isEdited()) name += ", edited";
  return name;
}

std::string shownPlace(const ViewState& state) {
  const Selection& selection = state.session.selection();
  const Strategy* const strategy = selection.strategy;
  if (strategy == nullptr) return "";
  const std::string n = "N = " + withCommas(selection.n);
  const auto isOfChapter = [&](const Strategy& one) { return one.chapter == strategy->chapter; };
  const auto all = std::ranges::count_if(strategies(), isOfChapter);
  const auto upToIt = static_cast<std::size_t>(strategy - strategies().data()) + 1;
  const auto here = std::ranges::count_if(strategies().first(upToIt), isOfChapter);
  return fmt::format("{}, {} of {} · {}", strategy->chapter, here, all, n);
}

PanelInfo StageTitle::panel(const WindowShape& shape) const {
  return {.id = "stage title",
          .place = Place::TopBar,
          .least = kTitleHeight,
          .isShown = shape.presents && (shape.mode == Mode::Explore || shape.mode == Mode::Predict),
          .frame = PanelFrame::Filled};
}

void StageTitle::draw(const ViewContext& context, ImVec2 size) {
  const float gap = 12 * context.unit;
  const BarText large(context, FontRole::Bold, kTitleScale);
  const BarText usual(context, FontRole::Body, 1);
  const std::string name = shownName(context.state);
  const std::string place = shownPlace(context.state);
  large.draw(gap, size.y, name, ColorRole::Text);
  const float left = 2 * gap + large.width(name);
  const std::string step = fittingPlace(context, large, size.x - gap - left);
  const float right = size.x - gap - large.width(step);
  large.draw(right, size.y, step, ColorRole::Text);
  if (left + usual.width(place) + gap <= right) usual.draw(left, size.y, place, ColorRole::TextDim);
}

}  // namespace lanescope
