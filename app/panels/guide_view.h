#pragma once

#include "app/panels/base/markdown_layout.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// The first lesson's card, in the lesson's place: it covers nothing.
class GuideView final : public View {
 public:
  std::string_view name() const override { return "guide"; }
  Place place() const override { return Place::Lesson; }
  bool shownIn(const WindowShape& shape) const override { return shape.guides; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawTask(const ViewContext& context);
  void drawAnswer(const ViewContext& context);
  static void drawButtons(const ViewContext& context);

  MarkdownTexts texts_;
};

/// A frame around the panel that the card is about; drawn into the current window, which the panels fill.
void drawGuideFrame(const ViewContext& context, const WindowLayout& layout);

}  // namespace lanescope
