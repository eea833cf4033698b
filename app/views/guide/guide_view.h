#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/base/markdown.h"
#include "app/views/base/view.h"

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
  void drawText(const ViewContext& context, const std::string& text);
  void drawTask(const ViewContext& context);
  void drawAnswer(const ViewContext& context);
  static void drawButtons(const ViewContext& context);

  std::map<std::string, std::vector<MarkdownBlock>> read_;  ///< texts of the card at hand
  std::size_t card_ = 0;                                    ///< that they are of
};

/// A frame around the panel that the card is about; into the window at hand, which the panels fill.
void drawGuideFrame(const ViewContext& context, const WindowLayout& layout);

}  // namespace lanescope
