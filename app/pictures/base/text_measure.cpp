#include "app/pictures/base/text_measure.h"

#include <array>
#include <cstdint>

namespace lanescope {
namespace {

// Advances in thousandths of the font size, ' ' to '~', from Inter Regular and Inter Bold 4.
constexpr std::array<std::uint16_t, 95> kRegular = {
    281, 278, 403, 631, 638, 813, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605,
    636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 563, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 813, 540, 557, 541, 362, 327, 362, 659};
constexpr std::array<std::uint16_t, 95> kBoldWidths = {
    232, 325, 392, 650, 655, 859, 674, 209, 409, 409, 565, 680, 303, 469,  298, 390, 688, 489,  630,
    659, 678, 645, 660, 595, 661, 660, 298, 303, 680, 680, 680, 563, 1031, 748, 661, 752, 727,  613,
    585, 761, 746, 281, 570, 690, 567, 915, 735, 782, 648, 783, 656, 655,  668, 729, 748, 1036, 714,
    724, 667, 409, 390, 409, 488, 477, 497, 580, 635, 587, 635, 598, 386,  633, 624, 272, 272,  582,
    272, 912, 622, 614, 632, 632, 409, 562, 388, 622, 586, 850, 574, 586,  572, 409, 374, 409,  680};
constexpr unsigned kMono = 600;
constexpr unsigned kOther = 821;  // the widest we write outside ASCII: the ellipsis

}  // namespace

float ApproximateMeasure::width(FontRole font, float size, std::string_view text) const {
  unsigned total = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte & 0xC0U) == 0x80U) continue;  // the rest of a UTF-8 sequence
    if (font == FontRole::Mono) {
      total += kMono;
    } else if (byte < 32 || byte > 126) {
      total += kOther;
    } else {
      total += (font == FontRole::Bold ? kBoldWidths : kRegular)[byte - 32U];
    }
  }
  return static_cast<float>(total) * size / 1000.0F;
}

float fontSize(FontRole font) {
  switch (font) {
    case FontRole::Body:
    case FontRole::Bold: return 14.0F;
    case FontRole::Mono: return 13.0F;
    case FontRole::Small: return 11.5F;
  }
  return 14.0F;
}

}  // namespace lanescope
