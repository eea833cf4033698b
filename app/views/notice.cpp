#include "app/views/notice.h"

#include <algorithm>
#include <string>

#include "app/views/widgets.h"

namespace lanescope {
namespace {

std::string_view nounOf(StopKind kind) { return kind == StopKind::Conflict ? "bank conflict" : nameOf(kind); }

}  // namespace

void drawNotice(const ViewContext& context, ImVec2 size) {
  ViewState& state = context.state;
  if (state.notice.empty()) return;
  if (state.noticeEnds < 0) state.noticeEnds = ImGui::GetTime() + kNoticeSeconds;
  if (ImGui::GetTime() >= state.noticeEnds || ImGui::IsMouseClicked(0)) return state.tell("");
  const float unit = context.unit;
  const float padding = 16 * unit;
  const float width = ImGui::CalcTextSize(state.notice.c_str()).x + 2 * padding + 8 * unit;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y - 140 * unit), ImGuiCond_Always, ImVec2(0.5F, 1));
  ImGui::SetNextWindowSize(ImVec2(std::min(width, size.x * 0.8F), 0));
  beginOverlay(context, "notice", ColorRole::Accent, ImVec2(padding, 12 * unit),
               ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs);
  wrappedText(context, state.notice);
  endOverlay();
}

bool runToKind(ViewState& state, StopKind kind, bool forward) {
  const Session& session = state.session;
  if (session.replay() == nullptr) return false;
  if (state.session.runTo(kind, forward)) return true;
  const std::string none = "No " + std::string(nounOf(kind));
  const bool found = kind == StopKind::Hazard;
  if (session.events().of(kind).empty()) {
    state.tell(none + (found ? " was found in this run." : " in this run."));
  } else {
    state.tell(none + (forward ? " from here to the end." : " between the start and here."));
  }
  return false;
}

bool runToBreakpoint(ViewState& state, bool forward) {
  if (state.session.replay() == nullptr) return false;
  if (state.session.runToStop(forward)) return true;
  state.tell(forward ? "This is the end of the run." : "This is the start of the run.");
  return false;
}

}  // namespace lanescope
