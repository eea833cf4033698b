#include "app/panels/warp_view.h"

#include <algorithm>
#include <string>

#include "app/pictures/warp_scene.h"
#include "app/panels/quiz_follow.h"

namespace lanescope {
namespace {

/// Enlarges the warp at that distance in the list, cyclically.
void moveWarp(ViewState& state, int by) {
  const Replay* replay = state.session.replay();
  if (replay == nullptr || replay->trace().warps == 0) return;
  const std::optional<Step> step = replay->currentStep();
  const int warps = static_cast<int>(replay->trace().warps);
  const int now = state.marks.warp >= 0 ? state.marks.warp : step ? int{step->warp} : 0;
  state.marks.warp = (now + by + warps) % warps;
}

}  // namespace

std::vector<Command> WarpView::commands(ViewState& state) {
  const HelpLine help{"previous, next warp, shown large where there are many", HelpGroup::Choice};
  return {Command("", {"["}, help, "", "", {}, [&state] { moveWarp(state, -1); }),
          Command("", {"]"}, help, "", "", {}, [&state] { moveWarp(state, 1); })};
}

void WarpView::draw(const ViewContext& context, ImVec2 size) {
  if (context.replay() == nullptr) {
    const std::string soon =
        comesWithRun(context, "The lanes of each warp: active, masked off, at a barrier");
    return drawWaitingPicture(context, "WARPS", soon);
  }
  SceneContext layout = context.scene(size);
  layout.spare = &scene_;
  scene_ = warpScene(context.moment(), layout, context.measure);
  const Question* question = context.state.prediction.quiz.question();
  const bool asks = context.state.mode == Mode::Predict && question != nullptr &&
                    question->form == AnswerForm::Lanes &&
                    context.state.prediction.quiz.state() == QuizState::Asked;
  if (asks) {
    // A click here is an answer: it pins no thread.
    for (HitArea& hit : scene_.hits) hit.thread = hit.kind == HitArea::Kind::Thread ? -1 : hit.thread;
  }
  const SceneInput input = showScene(context, scene_, "warp scene");
  if (asks)
    acceptAnswer(context, input);
  else
    choosing_ = false;
}

// The first lane under the button decides if the drag chooses or clears.
void WarpView::acceptAnswer(const ViewContext& context, const SceneInput& input) {
  const bool isLane = input.hit != nullptr && input.hit->kind == HitArea::Kind::Thread;
  if (!input.held) choosing_ = false;
  if (!input.held || !isLane) return;
  const std::uint32_t thread = input.hit->index;
  if (!choosing_) chooses_ = !std::ranges::binary_search(context.state.prediction.threads, thread);
  // A fast pointer skips lanes: those between belong to the drag.
  const std::uint32_t from = choosing_ ? last_ : thread;
  for (std::uint32_t each = std::min(from, thread); each <= std::max(from, thread); ++each)
    chooseThread(context.state, each, chooses_);
  choosing_ = true;
  last_ = thread;
}

}  // namespace lanescope
