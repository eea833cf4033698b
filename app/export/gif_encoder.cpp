#include "app/export/gif_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

namespace lanescope {
namespace {

constexpr std::uint32_t kColorMask = 0xFFFFFF;
constexpr std::size_t kMostColors = 255;  ///< and one index for what stays
constexpr unsigned kMostCodeBits = 12;
constexpr std::size_t kMostBlock = 255;  ///< bytes of a sub-block
constexpr std::size_t kByteValues = 256;
constexpr unsigned kFewestIndexBits = 2;

void put16(std::string& bytes, std::size_t value) {
  bytes += static_cast<char>(value & 0xFFU);
  bytes += static_cast<char>(value >> 8U & 0xFFU);
}

unsigned channelOf(std::uint32_t color, unsigned channel) { return color >> (8 * channel) & 0xFFU; }

/// Codes of growing width, lowest bit first, in sub-blocks.
class CodeWriter {
 public:
  void put(std::uint32_t code, unsigned bits) {
    held_ |= code << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, held_ >>= 8U) putByte(held_ & 0xFFU);
  }
  std::string take() {
    if (count_ > 0) putByte(held_ & 0xFFU);
    endBlock();
    return std::move(bytes_) + '\0';
  }

 private:
  void putByte(std::uint32_t value) {
    block_ += static_cast<char>(value);
    if (block_.size() == kMostBlock) endBlock();
  }
  void endBlock() {
    if (block_.empty()) return;
    bytes_ += static_cast<char>(block_.size());
    bytes_ += block_;
    block_.clear();
  }

  std::uint32_t held_ = 0;
  unsigned count_ = 0;
  std::string block_;
  std::string bytes_;
};

/// A group of colors, from `begin` to `end` in the list.
struct ColorGroup {
  std::size_t begin = 0, end = 0;
  unsigned channel = 0;     ///< the one in which they differ most
  std::uint64_t worth = 0;  ///< of being halved
};

using Counted = GifPalette::Counted;

ColorGroup groupOf(std::span<const Counted> counted, std::size_t begin, std::size_t end) {
  ColorGroup group{begin, end};
  unsigned widest = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    const auto [least, most] =
        std::ranges::minmax(counted.subspan(begin, end - begin), {},
                            [&](const Counted& one) { return channelOf(one.color, channel); });
    const unsigned width = channelOf(most.color, channel) - channelOf(least.color, channel);
    if (width > widest) {
      widest = width;
      group.channel = channel;
    }
  }
  std::uint64_t pixels = 0;
  for (const Counted& one : counted.subspan(begin, end - begin)) pixels += one.count;
  group.worth = std::uint64_t{widest} * widest * static_cast<std::uint64_t>(std::bit_width(pixels));
  return group;
}

/// Different colors of the pixels that are not `kept`, and how often each is there.
std::vector<Counted> countColors(std::span<const std::uint32_t> pixels, std::uint32_t kept) {
  std::unordered_map<std::uint32_t, std::uint32_t> counts;
  for (std::size_t at = 0; at < pixels.size();) {
    std::size_t end = at + 1;
    while (end < pixels.size() && pixels[end] == pixels[at]) ++end;
    if (pixels[at] != kept) counts[pixels[at]] += static_cast<std::uint32_t>(end - at);
    at = end;
  }
  std::vector<Counted> counted;
  counted.reserve(counts.size());
  for (const auto& [color, count] : counts) counted.push_back({color, count});
  std::ranges::sort(counted, {}, &Counted::color);
  return counted;
}

}  // namespace

GifPalette::GifPalette(std::vector<Counted> counted, std::size_t most) {
  if (counted.empty()) return;
  std::vector<ColorGroup> groups{groupOf(counted, 0, counted.size())};
  while (groups.size() < most) {
    const auto widest = std::ranges::max_element(groups, {}, &ColorGroup::worth);
    if (widest->worth == 0) break;  // each is of one color
    const ColorGroup whole = *widest;
    const auto colors = std::span(counted).subspan(whole.begin, whole.end - whole.begin);
    const auto value = [&](const Counted& one) { return channelOf(one.color, whole.channel); };
    std::ranges::sort(colors, {}, [&](const Counted& one) { return std::pair(value(one), one.color); });
    const unsigned middle = (value(colors.front()) + value(colors.back()) + 1) / 2;
    const auto half =
        std::ranges::partition_point(colors, [&](const Counted& one) { return value(one) < middle; });
    const std::size_t cut = whole.begin + static_cast<std::size_t>(half - colors.begin());
    *widest = groupOf(counted, whole.begin, cut);
    groups.push_back(groupOf(counted, cut, whole.end));
  }
  for (const ColorGroup& group : groups) {
    const auto colors = std::span(counted).subspan(group.begin, group.end - group.begin);
    for (const Counted& one : colors)
      entries_.push_back({one.color, static_cast<std::uint32_t>(colors_.size())});
    colors_.push_back(std::ranges::max_element(colors, {}, &Counted::count)->color);
  }
  std::ranges::sort(entries_, {}, &Entry::color);
}

std::size_t GifPalette::indexOf(std::uint32_t color) const {
  return std::ranges::lower_bound(entries_, color, {}, &Entry::color)->index;
}

std::string gifCodes(std::span<const std::uint8_t> indices, unsigned bits) {
  const std::uint32_t clear = 1U << bits;
  const std::uint32_t end = clear + 1;
  constexpr std::size_t kCodes = std::size_t{1} << kMostCodeBits;
  std::vector<std::uint16_t> longer(kCodes * kByteValues, 0);  // the code of a code and an index; 0: none
  std::uint32_t next = end + 1;
  unsigned width = bits + 1;
  CodeWriter out;
  out.put(clear, width);
  std::uint32_t code = indices.empty() ? end : indices.front();
  for (const std::uint8_t index : indices.subspan(std::min<std::size_t>(1, indices.size()))) {
    std::uint16_t& known = longer[code * kByteValues + index];
    if (known != 0) {
      code = known;
      continue;
    }
    out.put(code, width);
    code = index;
    known = static_cast<std::uint16_t>(next);
    if (next == (1U << width)) ++width;
    if (++next < kCodes) continue;
    out.put(clear, std::min(width, kMostCodeBits));
    std::ranges::fill(longer, std::uint16_t{0});
    next = end + 1;
    width = bits + 1;
  }
  if (code != end) out.put(code, width);
  // A reader has made one more code by now.
  if (next == (1U << width) && width < kMostCodeBits) ++width;
  out.put(end, width);
  return static_cast<char>(bits) + out.take();
}

GifEncoder::GifEncoder(std::size_t width, std::size_t height, unsigned hundredths)
    : width_(width), height_(height), hundredths_(hundredths), bytes_("GIF89a") {
  put16(bytes_, width);
  put16(bytes_, height);
  bytes_ += std::string("\x70\0\0", 3);                                // no colors for all frames
  bytes_ += std::string("\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0", 19);  // over and over
}

GifEncoder::Part GifEncoder::changedPart(std::span<const std::uint32_t> pixels) const {
  if (shown_.empty()) return {0, 0, width_, height_};
  std::size_t left = width_, right = 0, top = height_, bottom = 0;
  for (std::size_t y = 0; y < height_; ++y) {
    const auto now = pixels.subspan(y * width_, width_);
    const auto before = std::span(shown_).subspan(y * width_, width_);
    const auto first = static_cast<std::size_t>(std::ranges::mismatch(now, before).in1 - now.begin());
    if (first == width_) continue;
    std::size_t last = width_;
    while (now[last - 1] == before[last - 1]) --last;
    left = std::min(left, first);
    right = std::max(right, last);
    top = std::min(top, y);
    bottom = y + 1;
  }
  if (right == 0) return {};
  return {left, top, right - left, bottom - top};
}

void GifEncoder::add(std::span<const std::uint32_t> pixels) {
  std::vector<std::uint32_t> frame(pixels.begin(), pixels.end());
  for (std::uint32_t& pixel : frame) pixel &= kColorMask;
  const Part part = changedPart(frame);
  if (part.width == 0) return lengthenLast();
  write(frame, part);
  shown_ = std::move(frame);
}

void GifEncoder::lengthenLast() {
  const auto byteAt = [&](std::size_t at) { return static_cast<unsigned char>(bytes_[at]); };
  const unsigned delay = byteAt(delayAt_) + 256U * byteAt(delayAt_ + 1) + hundredths_;
  std::string longer;
  put16(longer, std::min<unsigned>(delay, std::numeric_limits<std::uint16_t>::max()));
  bytes_.replace(delayAt_, longer.size(), longer);
}

void GifEncoder::write(std::span<const std::uint32_t> pixels, const Part& part) {
  constexpr std::uint32_t kStays = kColorMask + 1;  // no color
  std::vector<std::uint32_t> changed;
  changed.reserve(part.width * part.height);
  for (std::size_t y = part.y; y < part.y + part.height; ++y) {
    for (std::size_t at = y * width_ + part.x; at < y * width_ + part.x + part.width; ++at)
      changed.push_back(!shown_.empty() && shown_[at] == pixels[at] ? kStays : pixels[at]);
  }
  const GifPalette palette(countColors(changed, kStays), kMostColors);
  const unsigned bits =
      std::max(kFewestIndexBits, static_cast<unsigned>(std::bit_width(palette.colors().size())));
  std::vector<std::uint8_t> indices(changed.size());  // 0: stays
  for (std::size_t at = 0; at < changed.size(); ++at) {
    const bool isSame = at > 0 && changed[at] == changed[at - 1];
    indices[at] = isSame                  ? indices[at - 1]
                  : changed[at] == kStays ? std::uint8_t{0}
                                          : static_cast<std::uint8_t>(palette.indexOf(changed[at]) + 1);
  }
  bytes_ += "\x21\xF9\x04\x05";  // it stays where the next does not cover it; an index means "stays"
  delayAt_ = bytes_.size();
  put16(bytes_, hundredths_);
  bytes_ += std::string("\0\0\x2C", 3);
  for (const std::size_t value : {part.x, part.y, part.width, part.height}) put16(bytes_, value);
  bytes_ += static_cast<char>(0x80U | (bits - 1));
  std::vector<std::uint32_t> table(std::size_t{1} << bits, 0);
  std::ranges::copy(palette.colors(), table.begin() + 1);
  for (const std::uint32_t color : table) {
    for (const unsigned channel : {2U, 1U, 0U}) bytes_ += static_cast<char>(channelOf(color, channel));
  }
  bytes_ += gifCodes(indices, bits);
}

std::string GifEncoder::take() { return std::move(bytes_) + '\x3B'; }

}  // namespace lanescope
