#include "app/pictures/thread_block.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/base/cell_grid.h"
#include "app/pictures/ladder.h"
#include "app/pictures/ladder_picture.h"

namespace lanescope {

ThreadBlock::ThreadBlock(const Moment& moment, const SceneContext& context)
    : moment_(moment), context_(context), threads_(std::max(moment.trace.threads, 1U)) {
  const Dim3& block = moment.trace.launch.block;
  columns_ = std::min(block.y > 1 ? block.x : moment.trace.launch.machine.warpSize, threads_);
}

void ThreadBlock::paint(SceneBuilder& out, float left, float top, float wide, float high) const {
  Ladder ladder = ladderAt(moment_);
  if (context_.hidesFuture && !ladder.rows.empty()) coverFuture(ladder, moment_);
  const LadderRow* row = nullptr;  // none: the phase has no access
  for (const LadderRow& each : ladder.rows) {
    if (each.kind == LadderRow::Kind::Threads && each.phase == moment_.phase()) row = &each;
  }
  const auto findLook = [&](std::uint32_t thread) {
    return row != nullptr ? lookOf(*row, row->cells[thread], false)
                          : CellLook{CellLook::Style::Outlined, ColorRole::CellBorder, 1};
  };
  constexpr float kSeparateThread = 8;  // units: of less wide threads those that look alike are one rectangle
  const bool isSeparate = wide >= out.u(kSeparateThread);
  const float gap = isSeparate ? std::min(wide * 0.14F, out.u(2)) : 1;
  const TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, 0.9F, 1};
  const bool isNumbered = isSeparate && high - gap >= out.computeSize(style) * 1.05F &&
                          out.fitsInside(wide - gap, std::to_string(threads_ - 1), style, 0.7F);
  for (std::uint32_t thread = 0; thread < threads_;) {
    const CellLook look = findLook(thread);
    std::uint32_t end = thread + 1;
    while (!isSeparate && end < threads_ && end % columns_ != 0 && findLook(end) == look) ++end;
    const std::uint32_t below = thread / columns_;
    const Rect rect{left + wide * static_cast<float>(thread % columns_),
                    top + high * static_cast<float>(below), wide * static_cast<float>(end - thread) - gap,
                    high - gap};
    paintCell(out, rect, look);
    if (isNumbered && look.style != CellLook::Style::Hatched) {
      TextStyle number = style;
      const bool isBright = look.style == CellLook::Style::Filled && look.alpha >= 1;
      number.color = isBright ? ColorRole::TextOnAccent : ColorRole::Text;
      out.textInside(rect, std::to_string(thread), number, 0.7F);
    }
    for (; thread < end; ++thread) {
      const Rect cell{left + wide * static_cast<float>(thread % columns_), rect.y, wide, high};
      if (context_.threadLit(thread)) out.stroke(cell, ColorRole::Accent, out.u(2), out.u(2));
      out.hit(cell, HitArea::Kind::Thread, thread, fmt::format("thread {}", thread), thread);
    }
  }
}

}  // namespace lanescope
