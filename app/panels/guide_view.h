#pragma once

#include "app/panels/base/markdown_text.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// Moves the first lesson along with its reader's actions. Call it before the views of a frame.
void syncGuide(ViewState& state);
/// Shows that card of the first lesson, with its kernel at its place.
void openGuide(ViewState& state, std::size_t index);
/// Continues with the card at which it was left, else with the first.
void resumeGuide(ViewState& state);
/// Goes back to the run and the place that the card begins with.
void restartCard(ViewState& state);
/// Shows the next card. After the last the course begins: its first kernel at step 0.
void nextCard(ViewState& state);
/// Closes it; another time it continues from there.
void leaveGuide(ViewState& state);
/// Does the card's task.
void showAct(ViewState& state);
/// The first kernel of the course at step 0.
void openFirstKernel(Session& session);

/// A card's text with its facts and keys filled in; no value if a fact is missing.
std::optional<std::string> cardText(ViewState& state, std::string_view text);

/// The first lesson's card, in the lesson's place: it covers nothing.
class GuideView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
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
