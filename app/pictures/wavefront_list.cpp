#include "app/pictures/wavefront_list.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope {
namespace {

constexpr TextStyle kListTitle{FontRole::Bold, ColorRole::Text, Align::Left, 0.95F, 1};
constexpr TextStyle kListEntry{FontRole::Body, ColorRole::Text, Align::Left, 0.86F, 1};
// Units.
constexpr float kListPitch = 18;
constexpr float kListBox = 22;
constexpr float kListGap = 14;
constexpr float kBoxNumber = 0.92F;      // share of its role's size: the number in a wavefront's box
constexpr float kLeastBoxNumber = 0.7F;  // least share of that size
constexpr float kBoxGap = 0.2F;          // share of the boxes' pitch, at most

/// `word 3`, `words 0 2 4`.
std::string listedWords(const BankRequest& request, std::uint32_t wavefront) {
  const auto& words = request.wordsOfWavefront[wavefront];
  return fmt::format("{} {}", words.size() == 1 ? "word" : "words", fmt::join(words, " "));
}

/// The smallest text size of a box's number.
TextStyle smallest(const SceneBuilder& out) {
  TextStyle style{FontRole::Small, ColorRole::Text, Align::Center, kBoxNumber, 1};
  style.scale *= std::clamp(out.leastScale(style), kLeastBoxNumber, 1.0F);
  return style;
}

}  // namespace

ColorRole wavefrontColor(std::uint32_t wavefront) {
  constexpr std::array kColors = {ColorRole::Wavefront0, ColorRole::Wavefront1, ColorRole::Wavefront2,
                                  ColorRole::Wavefront3};
  return kColors[wavefront % kColors.size()];
}

WavefrontList::WavefrontList(const SceneBuilder& out, const BankRequest& request, std::uint32_t wavefront,
                             std::size_t mostLines, bool isOpened)
    : wavefront_(wavefront),
      title_(wavefront > 0 ? fmt::format("wavefront {} of {}", wavefront, request.wavefronts)
                           : counted(request.wavefronts, "wavefront")) {
  const float room = out.width() - 2 * out.margin();
  boxesX_ = out.textWidth(title_, kListTitle) + out.u(8);
  const auto count = static_cast<float>(request.wavefronts);
  boxPitch_ = std::min(out.u(kListBox), std::max(room * 0.6F - boxesX_, out.u(40)) / count);
  // All boxes have numbers if a line has room for them and for the link to the rest of the list.
  const std::string widest(std::to_string(request.wavefronts).size(), '0');
  const float numbered = (out.textWidth(widest, smallest(out)) + out.u(1)) / (1 - kBoxGap);
  const float rest = out.textWidth(fmt::format("+{} more", request.wavefronts), kListEntry) + out.u(8);
  if (boxesX_ + count * numbered + rest <= room) boxPitch_ = std::max(boxPitch_, numbered);
  lines_ = 1;
  float x = boxesX_ + count * boxPitch_ + out.u(8);
  // The current wavefront first, so that it has room; the others follow.
  const std::uint32_t first = wavefront > 0 ? wavefront - 1 : 0;
  for (std::uint32_t listed = 0; listed < request.wavefronts; ++listed) {
    const std::uint32_t each = (first + listed) % request.wavefronts;
    const std::uint32_t left = request.wavefronts - listed;
    Entry entry{fmt::format("{}: {}", each + 1, listedWords(request, each)), x, 0, lines_ - 1};
    entry.width = out.textWidth(entry.text, kListEntry);
    const float more =
        left > 1 ? out.textWidth(fmt::format("+{} more", left), kListEntry) + out.u(kListGap) : 0;
    const bool isLast = lines_ == mostLines;
    const bool fits = entry.x + entry.width + (isLast ? more : 0) <= room;
    if (!fits && !isLast && (x > 0)) {
      ++lines_;
      x = 0;
      --listed;
      continue;
    }
    const bool isCut = !fits && listed == 0 && room - entry.x - more > out.u(90);
    if (!fits && !isCut) {
      addRest(out, request, first, listed, std::move(entry));
      break;
    }
    if (isCut) entry.width = room - entry.x - more;
    x += entry.width + out.u(kListGap);
    entries_.push_back(std::move(entry));
  }
  if (isOpened) addClose(out, isCut() ? room : x, room, mostLines);
}

/// The entry for the wavefronts from `listed` on; their words are its tooltip.
void WavefrontList::addRest(const SceneBuilder& out, const BankRequest& request, std::uint32_t first,
                            std::uint32_t listed, Entry entry) {
  entry.text = fmt::format("+{} more", request.wavefronts - listed);
  entry.width = out.textWidth(entry.text, kListEntry);
  entry.isSwitch = true;
  for (std::uint32_t rest = listed; rest < request.wavefronts; ++rest) {
    const std::uint32_t other = (first + rest) % request.wavefronts;
    rest_ += fmt::format("{}{}: {}", rest_.empty() ? "" : "\n", other + 1, listedWords(request, other));
  }
  if (entry.x + entry.width <= out.width() - 2 * out.margin()) entries_.push_back(std::move(entry));
}

void WavefrontList::addClose(const SceneBuilder& out, float x, float room, std::size_t mostLines) {
  Entry entry{"show the banks", x, 0, lines_ - 1, true};
  entry.width = out.textWidth(entry.text, kListEntry);
  if (entry.x + entry.width > room) {
    if (lines_ <= mostLines) ++lines_;
    entry.x = 0;
    entry.line = lines_ - 1;
  }
  entries_.push_back(std::move(entry));
}

// A box for each wavefront; the current one has a frame, later ones are pale.
void WavefrontList::paintBoxes(SceneBuilder& out, const BankRequest& request, float left, float top,
                               std::uint32_t steps) const {
  const float gap = std::min(out.u(3), boxPitch_ * kBoxGap);
  for (std::uint32_t wavefront = 0; wavefront < request.wavefronts; ++wavefront) {
    const Rect box{left + boxPitch_ * static_cast<float>(wavefront), top, boxPitch_ - gap,
                   out.u(kListPitch - 2)};
    const bool now = wavefront + 1 == wavefront_;
    const bool toCome = wavefront_ > 0 && wavefront + 1 > wavefront_;
    const float alpha = steps == 0 ? kFaintWavefront : toCome ? 0.25F : 1.0F;
    out.fill(box, wavefrontColor(wavefront), std::min(out.u(3), box.w / 4), alpha);
    if (now) out.stroke(box.inset(-out.u(1.5F)), ColorRole::Accent, out.u(2), out.u(3));
    const TextStyle style{FontRole::Small, alpha == 1.0F ? ColorRole::TextOnAccent : ColorRole::Text,
                          Align::Center, kBoxNumber, 1};
    if (boxPitch_ >= out.u(12)) out.textInside(box, fmt::format("{}", wavefront + 1), style, kLeastBoxNumber);
    HitArea& hit = out.hit({box.x, box.y, boxPitch_, box.h}, HitArea::Kind::Wavefront, wavefront, [&] {
      return fmt::format("wavefront {} of {}\n{}", wavefront + 1, request.wavefronts,
                         listedWords(request, wavefront));
    });
    if (steps == 0) continue;
    hit.step = steps;
    hit.wavefront = wavefront + 1;
  }
}

void WavefrontList::paint(SceneBuilder& out, const BankRequest& request, float left, float top,
                          std::uint32_t steps) const {
  if (lines_ == 0) return;
  out.text(left, top + out.u(kListPitch / 2 - 1), title_, kListTitle);
  paintBoxes(out, request, left + boxesX_, top, steps);
  for (const Entry& entry : entries_) {
    const float y = top + out.u(kListPitch * (static_cast<float>(entry.line) + 0.5F) - 1);
    TextStyle style = kListEntry;
    if (entry.isSwitch) style.color = ColorRole::Accent;
    out.textWithin(left + entry.x, y, entry.width + 0.5F, entry.text, style);
    if (!entry.isSwitch) continue;
    const bool isRest = entry.text.front() == '+';
    out.hit({left + entry.x, y - out.u(kListPitch / 2), entry.width, out.u(kListPitch)}, HitArea::Kind::More,
            0, isRest ? rest_ + "\nClick to list them all" : "Put the list away");
  }
}

}  // namespace lanescope
