#include "app/panels/guide_view.h"

#include <algorithm>

#include "app/course/guide_facts.h"
#include "app/panels/base/widgets.h"
#include "app/panels/guide_follow.h"

namespace lanescope {
namespace {

constexpr float kBoxMargin = 8;  ///< units
constexpr float kTitle = 1.2F;   ///< its type size, relative to the bold one

Place findPlace(CardSubject subject) {
  switch (subject) {
    case CardSubject::Source: return Place::Source;
    case CardSubject::Warps: return Place::Warps;
    case CardSubject::Banks: return Place::Banks;
    case CardSubject::Gpu: break;
  }
  return Place::Gpu;
}

/// A tinted box with a bar at its left, behind the drawing of `draw`; it extends into the margin at the
/// right.
template <class Draw>
void drawInBox(const ViewContext& context, ColorRole color, Draw draw) {
  const float unit = context.unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float right = from.x + ImGui::GetContentRegionAvail().x + kBoxMargin * unit;
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::Dummy(ImVec2(0, 0));
  ImGui::Indent(10 * unit);
  draw();
  ImGui::Unindent(10 * unit);
  list.ChannelsSetCurrent(0);
  const float bottom = ImGui::GetCursorScreenPos().y;
  const ImVec2 window = ImGui::GetWindowPos();
  list.PushClipRect(window, ImVec2(right, window.y + ImGui::GetWindowHeight()));
  list.AddRectFilled(from, ImVec2(right, bottom), context.color(color, 0.16F), 4 * unit);
  list.AddRectFilled(from, ImVec2(from.x + 3 * unit, bottom), context.color(color), 2 * unit);
  list.PopClipRect();
  list.ChannelsMerge();
  ImGui::Dummy(ImVec2(0, 0));
}

void drawTitle(const ViewContext& context, std::string_view title) {
  float size = fontSize(FontRole::Bold) * context.unit * kTitle;
  ImFont* font = context.fonts.sharpest(FontRole::Bold, size);
  const char* end = title.data() + title.size();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = 6 * context.unit;
  ImGui::GetWindowDrawList()->AddText(font, size, ImVec2(at.x, at.y + top), context.color(ColorRole::Text),
                                      title.data(), end, width);
  const float height = font->CalcTextSizeA(size, 1e9F, width, title.data(), end).y;
  ImGui::Dummy(ImVec2(0, top + height + 4 * context.unit));
}

/// A check mark: color is not the only sign.
void drawDone(const ViewContext& context) {
  const float r = ImGui::GetTextLineHeight() * 0.36F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 c(at.x + r, at.y + ImGui::GetTextLineHeight() / 2);
  const ImU32 color = context.color(ColorRole::Good);
  const float width = std::max(2.0F, 2.2F * context.unit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(c.x - r * 0.8F, c.y), ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), color, width);
  list.AddLine(ImVec2(c.x - r * 0.2F, c.y + r * 0.6F), ImVec2(c.x + r * 0.9F, c.y - r * 0.7F), color, width);
  ImGui::Dummy(ImVec2(2 * r, ImGui::GetTextLineHeight()));
  ImGui::SameLine();
  label(context, "Done", ColorRole::Good, FontRole::Bold);
}

/// True if the window shows something other than the card's subject.
bool isElsewhere(const ViewContext& context) {
  const Session& session = context.session();
  const Guide& guide = context.state.guide;
  if (!guide.isBegun() || guide.isAnswered() || session.replay() == nullptr) return false;
  if (guide.card().act == CardAct::Race)
    return session.shown().strategy != findStrategy(guide.card().strategy);
  if (!isOfCard(session, guide.card())) return true;
  const std::uint32_t here = session.replay()->cursor().steps;
  const std::uint32_t place = guide.place().steps;
  return guide.card().act == CardAct::Wavefronts && here != place && here != place + 1;
}

}  // namespace

std::vector<Command> GuideView::commands(ViewState& state) {
  const auto shows = [&state] { return state.guides() && !state.dialogOpen() && !state.helpOpen; };
  const auto isOpen = [&state, shows] { return shows() && !state.guide.isAnswered(); };
  const auto isDone = [&state, shows] { return shows() && state.guide.isAnswered(); };
  const HelpLine help{"the first lesson, from the card that was open last", HelpGroup::Modes};
  const HelpLine steps{"first lesson: next card; shows how", HelpGroup::Modes};
  return {
      Command("first lesson", {"Shift+F1"}, help, "First lesson",
              "What threads, warps, banks and races are, in two minutes", {},
              [&state] {
                if (state.guides()) return leaveGuide(state);
                resumeGuide(state);
              }),
      Command("next card", {"Enter"}, steps, "Next", "Continue",
              {.applies = isDone,
               .blocked =
                   [&state] {
                     const bool isAnswered = state.guide.isOpen() && state.guide.isAnswered();
                     return isAnswered ? std::string() : "Do what the card asks for first, or press Show me.";
                   }},
              [&state] { nextCard(state); }),
      Command("show the act", {"F6"}, steps, "Show me", "Does it for you",
              {.applies = isOpen, .whileTyping = true}, [&state] { showAct(state); }),
      Command("previous card", {}, {}, "Back", "The previous card", {},
              [&state] {
                if (state.guide.isOpen() && state.guide.index() > 0)
                  openGuide(state, state.guide.index() - 1);
              }),
      Command("leave the lesson", {}, {}, "Skip", "Closes the first lesson; the View menu has it", {},
              [&state] {
                if (state.guide.isOpen()) leaveGuide(state);
              }),
      Command("restart the card", {}, {}, "Back to the card's place",
              "The kernel, N and step that the card is about", {},
              [&state] {
                if (state.guide.isOpen()) restartCard(state);
              }),
  };
}

void GuideView::drawTask(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  drawInBox(context, ColorRole::Accent, [&] {
    texts_.draw(context, cardText(context.state, guide.card().task).value_or(""));
    if (!guide.isAnswered() && !guide.remark().empty()) texts_.draw(context, guide.remark());
  });
  if (isElsewhere(context)) {
    wrappedText(context, "The window shows another place now.", ColorRole::TextDim);
    commandButton(context, "restart the card");
  }
}

void GuideView::drawAnswer(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  if (!guide.isAnswered()) return;
  drawInBox(context, ColorRole::Good, [&] {
    drawDone(context);
    texts_.draw(context, guide.answer());
  });
  if (guide.card().act == CardAct::Race && context.session().editor().current()->isEdited())
    commandButton(context, "reset", {.text = "Restore the kernel"});
}

void GuideView::drawButtons(const ViewContext& context) {
  const Guide& guide = context.state.guide;
  commandButton(context, "next card",
                {.text = guide.isLast() && guide.isAnswered() ? "Begin the course" : nullptr,
                 .isLit = guide.isAnswered()});
  ImGui::SameLine();
  if (!guide.isAnswered()) {
    commandButton(context, "show the act");
    ImGui::SameLine();
  }
  if (guide.index() > 0) {
    commandButton(context, "previous card");
    ImGui::SameLine();
  }
  commandButton(context, "leave the lesson");
}

void GuideView::draw(const ViewContext& context, ImVec2 size) {
  const Guide& guide = context.state.guide;
  const float unit = context.unit;
  heading(context, "FIRST LESSON",
          std::to_string(guide.index() + 1) + " of " + std::to_string(guideCards().size()));
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  const float foot = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.y;
  ImGui::BeginChild("guide text", ImVec2(size.x - kBoxMargin * unit, size.y - used - foot));
  drawTitle(context, guide.card().title);
  texts_.draw(context, cardText(context.state, guide.card().text).value_or(""));
  ImGui::Dummy(ImVec2(0, 2 * unit));
  drawTask(context);
  drawAnswer(context);
  endScrolling(context);
  drawButtons(context);
}

void drawGuideFrame(const ViewContext& context, const WindowLayout& layout) {
  const Guide& guide = context.state.guide;
  if (!context.state.guides() || guide.isAnswered()) return;
  const Area& area = layout.of(findPlace(guide.card().subject));
  if (area.h <= 0) return;
  const float gap = 2 * context.unit;
  ImGui::GetWindowDrawList()->AddRect(
      ImVec2(area.x - gap, area.y - gap), ImVec2(area.x + area.w + gap, area.y + area.h + gap),
      context.color(ColorRole::Accent), 8 * context.unit, 0, 3 * context.unit);
}

}  // namespace lanescope
