#include "app/scene/banks/step_pictures.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/scene/banks/bank_layout.h"
#include "app/scene/base/moment.h"
#include "app/session/base/words.h"

namespace lanescope {

// A global access: the sectors it touches as boxes, each with its words, the words asked for filled.
void paintSectors(const StepFrame& frame, const Step& step) {
  SceneBuilder& out = frame.out;
  const MachineModel& machine = frame.trace.launch.machine;
  const std::vector<std::uint32_t> sectors = sectorsTouched(frame.trace, step);
  if (sectors.empty()) return;
  const float top = frame.top;
  const float room = out.width() - 2 * out.margin();
  const unsigned perSector = std::max(machine.sectorBytes / 4, 1U);
  const float width = std::min(room / static_cast<float>(sectors.size()), out.u(190));
  const float wordWidth = (width * 0.94F) / static_cast<float>(perSector);
  const float height = out.u(24);
  if (top + height + out.u(22) > frame.bottom) return;
  for (std::size_t index = 0; index < sectors.size(); ++index) {
    const Rect box{out.margin() + width * static_cast<float>(index), top, width * 0.96F, height};
    out.fill(box, ColorRole::Cell, out.u(3));
    const std::uint32_t sectorBegin = sectors[index] * machine.sectorBytes;
    for (std::uint32_t offset = 0; offset < step.accesses.count; ++offset) {
      const LaneAccess& access = frame.trace.accesses[step.accesses.first + offset];
      // Of what is wider than a word, as much as lies in this sector.
      const std::uint32_t begin = std::max(access.address, sectorBegin);
      const std::uint32_t end = std::min(access.address + std::max<std::uint32_t>(access.bytes, 1),
                                         sectorBegin + machine.sectorBytes);
      if (begin >= end) continue;
      const std::uint32_t word = (begin - sectorBegin) / 4;
      const std::uint32_t words = (end - 1) / 4 - begin / 4 + 1;
      const Rect rect{box.x + out.u(1) + static_cast<float>(word) * wordWidth, top + out.u(3),
                      wordWidth * (static_cast<float>(words) - 0.14F), height - out.u(6)};
      const std::uint32_t thread = step.warp * machine.warpSize + access.lane;
      out.fill(rect, ColorRole::Pass0, std::min(out.u(2), rect.w / 4));
      if (frame.context.threadLit(thread))
        out.stroke(rect.inset(-out.u(1)), ColorRole::Accent, out.u(2), out.u(2));
      // Lanes that share a word share its box: the first and how many more.
      const auto accesses = accessesOf(frame.trace, step);
      const auto sharing = std::ranges::count(accesses, access.address, &LaneAccess::address);
      const auto first = std::ranges::find(accesses, access.address, &LaneAccess::address);
      if (rect.w >= out.u(20) && first->lane == access.lane) {
        const std::string name =
            sharing > 1 ? fmt::format("t{} +{}", thread, sharing - 1) : fmt::format("t{}", thread);
        out.textInside(rect, name, {FontRole::Small, ColorRole::TextOnAccent, Align::Center, 0.95F, 1}, 0.7F);
      }
      out.hit(
          rect, HitArea::Kind::Thread, thread,
          [&] { return fmt::format("thread {}: byte {} of the buffer", thread, access.address); }, thread);
    }
    out.stroke(box, ColorRole::Pass0, out.u(1.5F), out.u(3), 0.8F);
    const std::string label = fmt::format("sector {}", sectors[index]);
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.9F, 1};
    const Rect labelRect{box.x, box.bottom() + out.u(2), box.w, out.u(16)};
    if (!out.textInside(labelRect, label, style))
      out.textInside(labelRect, fmt::format("{}", sectors[index]), style);
  }
}

// A shuffle: the lanes' registers before and after, with a curve from the lane read to the reader.
void paintShuffle(const StepFrame& frame, const Step& step, float alpha) {
  SceneBuilder& out = frame.out;
  const MachineModel& machine = frame.trace.launch.machine;
  const float room = out.width() - out.margin() - frame.left;
  const float pitch = std::min(room / static_cast<float>(machine.warpSize), out.u(90));
  const float upper = frame.top;
  const bool isLow = frame.bottom - upper < out.u(92);
  const float height = out.u(isLow ? 15 : 24);
  const float lower =
      isLow ? frame.bottom - height - out.u(2) : std::min(upper + out.u(110), frame.bottom - out.u(44));
  if (lower < upper + 1.6F * height) return;
  const auto box = [&](unsigned lane, float top) {
    return Rect{frame.left + pitch * static_cast<float>(lane), top, pitch * 0.88F, height};
  };
  for (unsigned lane = 0; lane < machine.warpSize; ++lane) {
    const bool active = (step.active >> lane & 1U) != 0;
    const std::uint32_t thread = step.warp * machine.warpSize + lane;
    const int source = shuffleSource(frame.trace, step, lane);
    const bool moved = source >= 0;
    const bool hovered = frame.context.threadLit(thread);
    if (moved) {
      const Rect from = box(static_cast<unsigned>(source), upper);
      out.curve(from.midX(), from.bottom(), box(lane, lower).midX(), lower,
                hovered ? ColorRole::Accent : ColorRole::Pass0, out.u(hovered ? 2.6F : 1.5F), 0.85F * alpha);
    }
    for (const float top : {upper, lower}) {
      const bool lit = active && (top == upper || moved);
      const Rect rect = box(lane, top);
      out.fill(rect, lit ? ColorRole::Pass0 : ColorRole::Cell, out.u(3), lit ? alpha : 1.0F);
      if (hovered) out.stroke(rect.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
      const TextStyle style{FontRole::Small, lit && alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text,
                            Align::Center, 1, 1};
      if (!out.textInside(rect, fmt::format("t{}", thread), style, 0.75F))
        out.textInside(rect, fmt::format("{}", thread), style, 0.5F);
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
  const TextStyle style{FontRole::Body, ColorRole::TextDim, Align::Left, 0.88F, 1};
  const float width = frame.left - out.margin() - out.u(4);
  out.textWithin(out.margin(), upper + height / 2, width, "from", style);
  out.textWithin(out.margin(), lower + height / 2, width, "to", style);
}

ColorRole wavefrontColor(std::uint32_t wavefront) {
  constexpr std::array kColors = {ColorRole::Pass0, ColorRole::Wavefront1, ColorRole::Wavefront2,
                                  ColorRole::Wavefront3};
  return kColors[wavefront % kColors.size()];
}

namespace {

std::string wordsOfWavefront(const BankRequest& request, std::uint32_t wavefront) {
  // A compare-and-swap goes over the same words once more, for its second operand.
  if (request.wordsOfWavefront.empty()) return "";
  return fmt::format("{}",
                     fmt::join(request.wordsOfWavefront[wavefront % request.wordsOfWavefront.size()], " "));
}

// A box a wavefront; the one under way has a frame, those to come are pale.
void paintWavefrontBoxes(const WavefrontFrame& frame, float left, float top) {
  SceneBuilder& out = frame.out;
  const std::uint32_t wavefronts = frame.request.wavefronts;
  const float room = out.width() - out.margin() - left;
  const float pitch = std::min(out.u(24), room / static_cast<float>(wavefronts));
  const float gap = std::min(out.u(3), pitch * 0.2F);
  for (std::uint32_t wavefront = 0; wavefront < wavefronts; ++wavefront) {
    const Rect box{left + pitch * static_cast<float>(wavefront), top, pitch - gap, out.u(18)};
    const bool now = wavefront + 1 == frame.wavefront;
    const bool toCome = frame.wavefront > 0 && wavefront + 1 > frame.wavefront;
    const float alpha = frame.steps == 0 ? 0.42F : toCome ? 0.25F : 1.0F;
    out.fill(box, wavefrontColor(wavefront), std::min(out.u(3), box.w / 4), alpha);
    if (now) out.stroke(box.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
    const TextStyle style{FontRole::Small, alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text,
                          Align::Center, 0.92F, 1};
    if (pitch >= out.u(14)) out.textInside(box, fmt::format("{}", wavefront + 1), style, 0.7F);
    HitArea& hit = out.hit({box.x, box.y, pitch, box.h}, HitArea::Kind::Wavefront, wavefront, [&] {
      return fmt::format("pass {} of {}\nwords {}", wavefront + 1, wavefronts,
                         oneLine(wordsOfWavefront(frame.request, wavefront), 90));
    });
    if (frame.steps == 0) continue;
    hit.step = frame.steps;
    hit.wavefront = wavefront + 1;
  }
}

}  // namespace

void paintWavefronts(const WavefrontFrame& frame) {
  SceneBuilder& out = frame.out;
  const float room = out.width() - out.margin() - frame.left;
  const std::uint32_t wavefronts = frame.request.wavefronts;
  const std::uint32_t now = frame.wavefront > 0 ? frame.wavefront - 1 : 0;
  const std::string title = frame.wavefront > 0 ? fmt::format("pass {} of {}", frame.wavefront, wavefronts)
                                                : counted(wavefronts, "pass");
  // In a low picture the boxes stand beside the title.
  const bool isLow = frame.top + out.u(80) > frame.bottom;
  out.fill({frame.left - out.u(6), frame.top - out.u(2), room + out.u(8),
            isLow ? std::min(out.u(57), frame.bottom - frame.top) : out.u(82)},
           ColorRole::Panel, out.u(4), 0.9F);
  const TextStyle bold{FontRole::Bold, ColorRole::Text, Align::Left, 0.95F, 1};
  out.textWithin(frame.left, frame.top + out.u(8), room, title, bold);
  const TextStyle style{FontRole::Body, ColorRole::Text, Align::Left, 0.85F, 1};
  const auto fits = [&](float middle) { return frame.top + out.u(middle + 7) <= frame.bottom; };
  if (fits(27))
    out.textWithin(frame.left, frame.top + out.u(27), room, "words " + wordsOfWavefront(frame.request, now),
                   style);
  if (now + 1 < wavefronts && fits(45)) {
    out.textWithin(frame.left, frame.top + out.u(45), room,
                   "then " + wordsOfWavefront(frame.request, now + 1), style);
  }
  if (isLow) {
    paintWavefrontBoxes(frame, frame.left + out.textWidth(title, bold) + out.u(10), frame.top - out.u(1));
  } else {
    paintWavefrontBoxes(frame, frame.left, frame.top + out.u(58));
  }
}

}  // namespace lanescope
