#include "app/workbench/comparison.h"

#include <algorithm>

#include "app/launch/element_text.h"

namespace lanescope {

const Strategy& neighbourInCourse(const Strategy* strategy) {
  const std::span<const Strategy> course = strategies();
  if (strategy == nullptr) return course.front();
  const auto index = static_cast<std::size_t>(strategy - course.data());
  if (index + 1 < course.size()) return course[index + 1];
  return course[index > 0 ? index - 1 : 0];
}

Comparison::Comparison(ExecutorPtr executor, std::shared_ptr<KernelCache> kernels)
    : kernels_(std::move(kernels)), runs_(std::move(executor), runWork(kernels_)) {}

void Comparison::syncTo(const Selection& shown, const Replay& left, std::uint64_t generation) {
  Selection wanted = shown;
  wanted.strategy = chosen_ != nullptr ? chosen_ : &neighbourInCourse(shown.strategy);
  wanted.document = 0;
  wanted.edition = 0;
  const ElementKind kind = elementKind(left.trace().launch, shown.strategy);
  if (wanted != asked_ || kind != kind_) request(wanted, kind);
  if (!replay_) return;
  if (alignedWith_ != generation) {
    alignment_ = Alignment(left.trace(), replay_->trace());
    alignedWith_ = generation;
  }
  replay_->seek(alignment_.syncTo(left, replay_->trace()));
}

/// The launch on the right; sentence_ describes the difference from the left's.
Result<Launch> Comparison::launchFor(const Selection& wanted, const ElementKind& kind) {
  const Strategy& strategy = *wanted.strategy;
  const auto add = [this](const std::string& more) { sentence_ += (sentence_.empty() ? "" : " ") + more; };
  const std::vector<ElementType> types = findElementTypes(strategy);
  const bool takesType = std::ranges::find(types, kind.type) != types.end();
  const ElementType type = takesType ? kind.type : ElementType::Float;
  if (!takesType)
    add("It does not take elements of type " + std::string(elementTypeName(kind.type)) +
        ": these are floats.");
  const bool takesOp = std::ranges::find(strategy.operators, kind.op) != strategy.operators.end();
  if (!kind.op.empty() && !takesOp) add("It has no operator " + kind.op + ": it does what it always does.");
  if (const Fill fill = fillFor(kind.op); fill != fillFor("") && !takesOp) {
    const auto fillName = [](Fill each) { return std::string(kFillNames[static_cast<std::size_t>(each)]); };
    add("Its data differ too: they are " + fillName(fillFor("")) + ", not " + fillName(fill) + ".");
  }
  const auto over = [&](std::uint64_t blocks) {
    return makeLaunch(strategy, wanted.n, blocks, *wanted.machine, type, kind.op);
  };
  Result<Launch> launch = over(wanted.blocks);
  if (launch || wanted.blocks <= 1) return launch;
  launch = over(1);
  if (launch)
    add("It cannot share the elements among " + std::to_string(wanted.blocks) +
        " blocks: this is its own launch.");
  return launch;
}

void Comparison::request(const Selection& wanted, const ElementKind& kind) {
  asked_ = wanted;
  kind_ = kind;
  replay_.reset();
  run_ = {};
  hazards_.clear();
  sentence_.clear();
  alignedWith_.reset();
  runs_.cancel();
  if (wanted.machine == nullptr) return;
  Result<Launch> launch = launchFor(wanted, kind);
  if (!launch) {
    sentence_ = launch.error().sentence();
    return;
  }
  Selection selection = wanted;
  if (selection.block >= launch->grid.count()) selection.block = 0;
  runs_.request({selection, std::nullopt, std::move(launch).value(), false, planner_});
}

bool Comparison::poll() {
  std::optional<RunOutcome> outcome = runs_.consume();
  if (!outcome) return false;
  if (outcome->error) {
    sentence_ = outcome->error->sentence();
    return true;
  }
  run_ = std::move(*outcome);
  hazards_ = hazardMarks(*run_.run->hazards, *run_.run->trace);
  replay_.emplace(run_.run->trace);
  if (run_.plan == nullptr && planner_) run_.plan = planner_(replay_->trace());
  ++generation_;
  alignedWith_.reset();
  return true;
}

}  // namespace lanescope
