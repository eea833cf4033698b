#include "sim/trace/steps.h"

#include <bit>

namespace lanescope {
namespace {

/// True if steps of that kind have entries in the pools of accesses and words.
bool hasAccesses(StepKind kind) { return kind <= StepKind::ConstantLoad; }

}  // namespace

std::uint64_t Steps::hashOfShape(const Shape& shape) {
  const auto pair = [](std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32U | low; };
  const std::uint64_t masks = computeHash(pair(shape.active, shape.taken), pair(shape.after, shape.exited));
  const std::uint64_t costs = computeHash(pair(shape.wavefronts, shape.sectors), shape.cellChanges);
  return computeHash(pair(shape.span.begin, shape.span.end), masks, costs);
}

/// The number of the step's shape.
std::uint32_t Steps::shapeFor(const Step& step) {
  const Shape shape{step, static_cast<std::uint16_t>(step.accesses.count),
                    static_cast<std::uint16_t>(step.cellChanges.count)};
  const std::uint64_t hash = hashOfShape(shape);
  const std::uint32_t known =
      shapeIndex_.find(hash, [&](std::uint32_t number) { return shapes_[number] == shape; });
  if (known != 0) return known;
  if (shapes_.empty()) shapes_.append(Shape{});  // index 0: no shape
  const std::uint32_t number = shapes_.append(shape);
  shapeIndex_.add(hash, number, [&](std::uint32_t of) { return hashOfShape(shapes_[of]); });
  return number;
}

void Steps::add(const Step& step) {
  const std::size_t index = size();
  const bool goesOn = index > 0 && runs_.back().warp == step.warp && runs_.back().phase == step.phase &&
                      step.previousOfWarp == static_cast<std::int32_t>(index) - 1;
  if (!goesOn) runs_.append({static_cast<std::uint32_t>(index), step.previousOfWarp, step.phase, step.warp});
  if (index % kBlock == 0) {
    blocks_.append(
        {0, static_cast<std::uint32_t>(details_.size()), static_cast<std::uint32_t>(runs_.size() - 1)});
  }
  addDetail(step);
  const std::uint32_t shape = shapeFor(step);
  if (shape >> 16U != 0) {
    while (shapeHigh_.size() < index) shapeHigh_.append(std::uint16_t{0});
  }
  if (shape >> 16U != 0 || !shapeHigh_.empty()) shapeHigh_.append(static_cast<std::uint16_t>(shape >> 16U));
  shapeLow_.append(static_cast<std::uint16_t>(shape));
}

void Steps::addDetail(const Step& step) {
  std::uint32_t detail = step.kind == StepKind::Shuffle ? step.shuffleSources : step.variableSets;
  if (hasAccesses(step.kind)) detail = firsts_.append({step.accesses.first, step.cellChanges.first});
  if (detail == kNoIndex) return;
  blocks_.back().haveDetails |= std::uint64_t{1} << size() % kBlock;
  details_.append(detail);
}

std::uint32_t Steps::stepDetail(std::size_t index) const {
  const Block& block = blocks_[index / kBlock];
  const std::uint64_t bit = std::uint64_t{1} << index % kBlock;
  if ((block.haveDetails & bit) == 0) return kNoIndex;
  const auto before = static_cast<unsigned>(std::popcount(block.haveDetails & (bit - 1)));
  return details_[block.firstDetail + before];
}

std::size_t Steps::makeRun(std::size_t index) const {
  std::size_t run = blocks_[index / kBlock].run;
  while (run + 1 < runs_.size() && runs_[run + 1].first <= index) ++run;
  return run;
}

Step Steps::operator[](std::size_t index) const {
  countWork(work_, &WorkCount::stepsRead);
  const Shape& shape = shapes_[findShape(index)];
  const Run& run = runs_[makeRun(index)];
  Step step;
  static_cast<StepShape&>(step) = shape;
  step.warp = run.warp;
  step.phase = run.phase;
  step.previousOfWarp = run.first == index ? run.previousOfWarp : static_cast<std::int32_t>(index) - 1;
  const std::uint32_t detail = stepDetail(index);
  if (hasAccesses(shape.kind)) {
    const Firsts firsts = firsts_[detail];
    step.accesses = {firsts.accesses, shape.accesses};
    step.cellChanges = {firsts.cellChanges, shape.cellChanges};
  } else if (shape.kind == StepKind::Shuffle) {
    step.shuffleSources = detail;
  } else {
    step.variableSets = detail;
  }
  return step;
}

void Steps::moveToPhase(std::size_t first, std::uint32_t phase) {
  for (std::size_t run = first < size() ? makeRun(first) : runs_.size(); run < runs_.size(); ++run)
    runs_[run].phase = phase;
}

std::size_t Steps::bytes() const {
  return shapes_.bytes() + shapeIndex_.bytes() + shapeLow_.bytes() + shapeHigh_.bytes() + blocks_.bytes() +
         details_.bytes() + firsts_.bytes() + runs_.bytes();
}

}  // namespace lanescope
