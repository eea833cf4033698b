#include "app/pictures/step_pictures.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr TextStyle kStepSentence{FontRole::Body, ColorRole::Text, Align::Left, 1, 1};

void paintShuffle(SceneBuilder& out, const Trace& trace, const SceneContext& context, const Step& step,
                  float upper, float alpha) {
  const MachineModel& machine = trace.launch.machine;
  const float left = out.margin() + out.u(46);
  const float room = out.width() - out.margin() - left;
  const float pitch = std::min(room / static_cast<float>(machine.warpSize), out.u(90));
  const float height = std::min(out.u(24), (out.height() - out.margin() - upper) / 4);
  const float lower = std::min(upper + out.u(170), out.height() - out.margin() - height);
  const auto box = [&](unsigned lane, float top) {
    return Rect{left + pitch * static_cast<float>(lane), top, pitch * 0.88F, height};
  };
  // All boxes are labelled alike: by thread as t16 if that fits in each, else as 16; by lane if neither fits.
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, 1, 1};
  const auto findThread = [&](unsigned lane) { return step.warp * machine.warpSize + lane; };
  const auto fits = [&](std::string_view letter) {
    for (unsigned lane = 0; lane < machine.warpSize; ++lane)
      if (!out.fitsInside(pitch * 0.88F, fmt::format("{}{}", letter, findThread(lane)), style, 0.75F))
        return false;
    return true;
  };
  const std::string_view letter = fits("t") ? "t" : "";
  const bool namesLanes = letter.empty() && !fits("");
  for (unsigned lane = 0; lane < machine.warpSize; ++lane) {
    const bool active = (step.active >> lane & 1U) != 0;
    const std::uint32_t thread = findThread(lane);
    const int source = shuffleSource(trace, step, lane);
    const bool moved = source >= 0;
    const bool hovered = context.threadLit(thread);
    if (moved) {
      const Rect from = box(static_cast<unsigned>(source), upper);
      out.curve(from.midX(), from.bottom(), box(lane, lower).midX(), lower,
                hovered ? ColorRole::Accent : ColorRole::Wavefront0, out.u(hovered ? 2.6F : 1.5F),
                0.85F * alpha);
    }
    for (const float top : {upper, lower}) {
      const bool lit = active && (top == upper || moved);
      const Rect rect = box(lane, top);
      out.fill(rect, lit ? ColorRole::Wavefront0 : ColorRole::Cell, out.u(3), lit ? alpha : 1.0F);
      if (hovered) out.stroke(rect.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
      style.color = lit && alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text;
      out.textInside(rect, fmt::format("{}{}", letter, namesLanes ? lane : thread), style, 0.5F);
      out.hit(
          rect, HitArea::Kind::Thread, thread,
          [&] {
            return moved ? fmt::format("thread {} gets the value of thread {}", thread,
                                       step.warp * machine.warpSize + static_cast<unsigned>(source))
                         : fmt::format("thread {} keeps its own value", thread);
          },
          thread);
    }
  }
  const TextStyle beside{FontRole::Body, ColorRole::TextDim, Align::Left, 0.88F, 1};
  const float width = left - out.margin() - out.u(4);
  const auto name = [&](float top, std::string_view end) {
    const float line = namesLanes ? out.computeSize(beside) * 0.55F : 0;
    out.textWithin(out.margin(), top + height / 2 - line, width, end, beside);
    if (namesLanes) out.textWithin(out.margin(), top + height / 2 + line, width, "lane", beside);
  };
  name(upper, "from");
  name(lower, "to");
}

/// Boxes in a row, as wide as there is room for.
class BoxRow {
 public:
  BoxRow(const SceneBuilder& out, std::size_t count, float top, float height)
      : left_(out.margin()),
        pitch_(std::min((out.width() - 2 * out.margin()) / static_cast<float>(count), out.u(90))),
        top_(top),
        height_(height) {}
  Rect at(std::size_t place) const {
    return {left_ + pitch_ * static_cast<float>(place), top_, pitch_ * 0.88F, height_};
  }

 private:
  float left_, pitch_, top_, height_;
};

void paintConstants(SceneBuilder& out, const Trace& trace, const SceneContext& context, const Step& step) {
  const auto accesses = laneAccesses(trace, step);
  std::map<std::uint32_t, std::vector<std::uint32_t>> threadsByCell;  // by cell
  for (const LaneAccess& access : accesses)
    threadsByCell[access.cell].push_back(step.warp * trace.launch.machine.warpSize + access.lane);
  const float upper = out.u(74);
  const float height = std::min(out.u(24), (out.height() - out.margin() - upper) / 4);
  const float lower = std::min(upper + out.u(170), out.height() - out.margin() - height);
  const BoxRow words(out, threadsByCell.size(), upper, height);
  const BoxRow lanes(out, accesses.size(), lower, height);
  const TextStyle style{FontRole::Small, ColorRole::TextOnAccent, Align::Center, 1, 1};
  std::size_t lane = 0;
  for (const LaneAccess& access : accesses) {
    const auto word =
        static_cast<std::size_t>(std::distance(threadsByCell.begin(), threadsByCell.find(access.cell)));
    const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
    const bool isLit = context.threadLit(thread);
    const Rect from = words.at(word);
    const Rect to = lanes.at(lane++);
    out.curve(from.midX(), from.bottom(), to.midX(), to.y, isLit ? ColorRole::Accent : ColorRole::Wavefront0,
              out.u(isLit ? 2.6F : 1.5F), 0.85F);
    out.fill(to, ColorRole::Wavefront0, out.u(3));
    if (isLit) out.stroke(to.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
    if (!out.textInside(to, fmt::format("t{}", thread), style, 0.75F))
      out.textInside(to, std::to_string(thread), style, 0.5F);
    out.hit(
        to, HitArea::Kind::Thread, thread,
        [&] { return fmt::format("thread {} reads {}", thread, cellName(trace, access.cell)); }, thread);
  }
  std::size_t place = 0;
  for (const auto& [cell, threads] : threadsByCell) {
    const Rect box = words.at(place++);
    out.fill(box, ColorRole::Wavefront0, out.u(3));
    out.textInside(box, cellName(trace, cell), style, 0.75F);
    out.hit(box, HitArea::Kind::Cell, cell, [&, &readers = threads, &word = cell] {
      return fmt::format("{}: for {}", cellName(trace, word), counted(readers.size(), "lane"));
    });
  }
}

}  // namespace

Scene constantScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const Step step = *moment.step();
  out.heading("CONSTANT MEMORY", describeStep(moment.trace, step));
  out.textWithin(out.margin(), out.u(46), out.width() - 2 * out.margin(),
                 "Accesses to different addresses are serialized; no sector of global memory is requested.",
                 kStepSentence);
  paintConstants(out, moment.trace, context, step);
  return out.consume();
}

Scene shuffleScene(const Moment& moment, const Step& shuffle, const SceneContext& context,
                   const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const Step step = *moment.step();
  const bool isNow = step.kind == StepKind::Shuffle;
  const std::string sentence = describeStep(moment.trace, step);
  out.heading("SHUFFLE", isNow ? "each lane reads a register of another lane: no memory, no bank"
                               : "the last of this phase so far: " + describeStep(moment.trace, shuffle));
  out.textWithin(out.margin(), out.u(46), out.width() - 2 * out.margin(), sentence + ".", kStepSentence);
  paintShuffle(out, moment.trace, context, shuffle, out.u(64), isNow ? 1.0F : 0.42F);
  return out.consume();
}

Scene noSharedScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  out.heading("MEMORY", "no shared memory in this kernel");
  const std::optional<Step> step = moment.step();
  const float room = out.width() - 2 * out.margin();
  out.textWithin(out.margin(), out.u(46), room,
                 step ? describeStep(moment.trace, *step) + "." : "Nothing has run yet: step forward.",
                 kStepSentence);
  std::string text = "This kernel keeps nothing in shared memory, so no bank is asked for a word. ";
  if (!moment.trace.shuffleSources.empty()) text += "Step to a shuffle to see which lane reads which. ";
  text += fmt::format("Step to an access of global memory to see which sectors of {} bytes it touches.",
                      moment.trace.launch.machine.sectorBytes);
  TextStyle style = kStepSentence;
  style.color = ColorRole::TextDim;
  out.paragraph(out.margin(), out.u(76), room, 5, text, style);
  return out.consume();
}

std::string contentionText(const Trace& trace, const Step& step) {
  if (!isAtomic(step.kind)) return {};
  std::map<std::uint32_t, unsigned> lanesOfAddress;
  unsigned most = 0;
  for (const LaneAccess& access : laneAccesses(trace, step))
    most = std::max(most, ++lanesOfAddress[access.address]);
  if (most < 2) return most == 0 ? "" : "No two lanes update one word.";
  if (isSharedLoop(trace.launch.machine, step)) {
    return fmt::format(
        "Up to {} lanes update one word. A GPU does this in a loop: load, compute, compare and swap, until "
        "every lane's update went through. {} of the {} load.",
        most, step.loadWavefronts, counted(step.wavefronts, "wavefront"));
  }
  if (step.kind == StepKind::SharedAtomic && step.sharedAtomic == SharedAtomic::Increment)
    return fmt::format("Up to {} lanes add 1 to one word: a GPU counts them and adds once.", most);
  const std::string text = fmt::format("Up to {} lanes update one word: {} serialized updates, ", most, most);
  if (isGlobal(step.kind)) {
    return text + fmt::format("so the counter of sectors has {} for the {} touched.", step.sectors,
                              sectorsTouched(trace, step).size());
  }
  return text +
         (step.sharedAtomic == SharedAtomic::CompareSwap ? "two wavefronts each." : "a wavefront each.");
}

}  // namespace lanescope
