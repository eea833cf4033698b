#include "app/views/line_costs.h"

namespace lanescope {

void LineCosts::follow(const Replay& replay, std::uint64_t generation) {
  const Trace& trace = replay.trace();
  if (generation != generation_) {
    generation_ = generation;
    steps_ = 0;
    lines_.assign(trace.launch.source->lineCount() + 1, {});
  }
  const std::uint32_t target = replay.cursor().steps;
  while (steps_ < target) add(trace.steps[steps_++], true);
  while (steps_ > target) add(trace.steps[--steps_], false);
}

LineCost LineCosts::of(std::uint32_t line) const { return line < lines_.size() ? lines_[line] : LineCost{}; }

void LineCosts::add(const Step& step, bool forward) {
  const bool shared = step.kind == StepKind::SharedLoad || step.kind == StepKind::SharedStore ||
                      step.kind == StepKind::SharedAtomic;
  if (!shared || step.line >= lines_.size()) return;
  LineCost& cost = lines_[step.line];
  const std::uint64_t conflicts = step.wavefronts - step.idealWavefronts;
  if (forward) {
    cost.wavefronts += step.wavefronts;
    cost.conflicts += conflicts;
  } else {
    cost.wavefronts -= step.wavefronts;
    cost.conflicts -= conflicts;
  }
}

}  // namespace lanescope
