#include "app/views/source_view.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/session/own_text.h"
#include "app/views/gpu_text_view.h"
#include "app/views/variables_pane.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr float kMostThreadShare = 0.4F;  ///< of the panel, for a thread's variables
constexpr float kMostReportShare = 0.42F;
constexpr float kFaultShare = 0.16F;  ///< of the panel, for faults beside a form
constexpr float kMostFormShare = 0.55F;

/// Whether the pictures show something else than the text and the launch at hand.
bool isStale(const ViewContext& context) {
  const Session& session = context.session();
  const Document& document = *session.editor().current();
  if (context.replay() == nullptr) return true;
  return session.editor().documentOf(session.shown()) != &document ||
         !document.has(*context.replay()->trace().launch.source) || document.form != document.good.form;
}

}  // namespace

void SourceView::drawHeading(const ViewContext& context, float width) {
  const Document* document = context.session().editor().current();
  std::string detail = document == nullptr ? "" : document->name();
  if (document != nullptr && document->strategy != nullptr) {
    const Noted noted{document, document->buffer.revision(), document->form.has_value()};
    if (noted_ != noted) {
      noted_ = noted;
      note_ = changeNote(*document->strategy, document->buffer.text(), noted.hasForm);
    }
    if (!note_.empty()) detail += " · " + note_;
  }
  heading(context, "KERNEL", detail);
  if (document == nullptr || isStale(context) || context.state.hidesFuture()) return;
  const char* columnsText = "passes · conflicts";
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  const float left = ImGui::GetCursorStartPos().x + width - ImGui::CalcTextSize(columnsText).x -
                     ImGui::GetStyle().ScrollbarSize;
  ImGui::PopFont();
  ImGui::SameLine(left);
  label(context, columnsText, ColorRole::TextDim, FontRole::Small);
}

void SourceView::drawTools(const ViewContext& context, float width) {
  Session& session = context.session();
  const Document& document = *session.editor().current();
  const float height = ImGui::GetTextLineHeight() + 6 * context.unit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6 * context.unit, 2 * context.unit));
  const auto tool = [&](const char* text, bool lit, const char* tip) {
    const bool pressed = pill(context, text, lit, pillWidth(context, text) - 6 * context.unit, height);
    hint(context, tip);
    ImGui::SameLine();
    return pressed;
  };
  if (tool("Run", isStale(context), "Simulate the text and the launch at hand (Ctrl+Enter)")) session.run();
  ImGui::BeginDisabled(!document.isEdited());
  if (tool("Reset", false, "Back to the text as it came (X); Ctrl+Z brings the edits back"))
    session.resetText();
  ImGui::EndDisabled();
  if (tool("Launch", form_.isOpen(), "Kernel, grid, block, shared memory and data (W)") ||
      context.state.takeAsked(Asked::LaunchForm))
    form_.toggle();
  if (tool("Open", false, "Open a kernel file (Ctrl+O); or drop one onto the window"))
    context.state.openDialog = true;
  if (!context.state.hidesFuture() &&
      tool("Is it luck?", false, "Run it in other orders that CUDA allows: does the result depend on them?"))
    session.editor().tryLuck();
  const std::string blocker = context.state.gpu.textBlocker();
  ImGui::BeginDisabled(!blocker.empty());
  const bool onGpu = pill(context, "On GPU", false, pillWidth(context, "On GPU") - 6 * context.unit, height);
  ImGui::EndDisabled();
  hintAlways(context, blocker.empty() ? "Compile it for the GPU, run it there, and compare with the simulator"
                                      : blocker);
  if (onGpu) {
    if (form_.isOpen()) form_.toggle();
    report_.showGpu();
    context.state.gpuPanel.showsText = true;
    runTextOnGpu(context);
  }
  ImGui::SameLine();
  ImGui::PopStyleVar();
  const SourceState state = sourceState(context);
  const float room = ImGui::CalcTextSize(state.text.c_str()).x;
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 text(at.x, at.y + (height - ImGui::GetTextLineHeight()) / 2);
  if (ImGui::InvisibleButton("state", ImVec2(std::max(room, 1.0F), height))) showReport(context);
  hint(context, "What was found; a click shows or hides it");
  ImGui::GetWindowDrawList()->AddText(text, context.color(state.color), state.text.c_str());
}

void SourceView::showReport(const ViewContext& context) {
  if (!form_.isOpen() || !report_.isOpen(context)) report_.toggle(context);
  if (form_.isOpen()) form_.toggle();
}

void SourceView::draw(const ViewContext& context, ImVec2 size) {
  drawHeading(context, size.x);
  if (context.session().editor().current() == nullptr) return drawWaiting(context, {}, waitingText(context));
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  // Where it presents, buttons stay away; keys do the same.
  const bool presents = context.state.presenting;
  const float row = ImGui::GetTextLineHeight() + 6 * context.unit + spacing;
  const float tools = presents ? 0 : row;
  const bool hasReport =
      report_.isOpen(context) && (!form_.isOpen() || SourceReport::fitsBesideForm(context));
  // What a button was pressed on stays under the pointer until it is let go: a press elsewhere ends the
  // writing.
  const bool isPressed = context.state.sourceIsTall && ImGui::IsMouseDown(0);
  context.state.sourceIsTall = hasReport || form_.isOpen() || context.state.typing || isPressed;
  const float report = hasReport ? std::min(std::max(report_.height(), 3 * row),
                                            size.y * (form_.isOpen() ? kFaultShare : kMostReportShare)) +
                                       spacing
                                 : 0;
  const float form =
      form_.isOpen() ? std::min(std::max(form_.height(), 3 * row), size.y * kMostFormShare) + spacing : 0;
  float variables = 0;
  if (context.replay() != nullptr)
    variables = std::min(variablesHeight(context, size.x), size.y * kMostThreadShare) + spacing;
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  listing_.draw(context, ImVec2(size.x, size.y - used - tools - report - form - variables));
  if (!presents) drawTools(context, size.x);
  if (hasReport) report_.draw(context, listing_, ImVec2(size.x, report - spacing));
  if (form_.isOpen()) form_.draw(context, ImVec2(size.x, form - spacing));
  if (context.replay() == nullptr) return;
  drawVariables(context, ImVec2(size.x, variables - spacing));
}

}  // namespace lanescope
