#include "app/export/gif_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <gif_lib.h>

#include "app/export/gif_palette.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kColorMask = 0xFFFFFF;
constexpr std::size_t kMostColors = 255;  ///< and one index for unchanged pixels
constexpr int kColorBits = 8;

using Counted = GifPalette::Counted;

int append(GifFileType* file, const GifByteType* bytes, int count) {
  static_cast<std::string*>(file->UserData)->append(bytes, bytes + count);
  return count;
}

/// Different colors of the pixels that are not `kept`, and their frequencies.
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

/// Index 0 is for unchanged pixels. giflib needs a power of two of colors.
std::vector<GifColorType> makeTable(const std::vector<std::uint32_t>& colors) {
  std::vector<GifColorType> table(std::max<std::size_t>(2, std::bit_ceil(colors.size() + 1)));
  std::ranges::transform(colors, table.begin() + 1, [](std::uint32_t color) {
    const auto channel = [&](unsigned shift) { return static_cast<GifByteType>(color >> shift & 0xFFU); };
    return GifColorType{channel(16), channel(8), channel(0)};
  });
  return table;
}

}  // namespace

void GifEncoder::Closer::operator()(GifFileType* file) const { EGifCloseFile(file, nullptr); }

GifEncoder::GifEncoder(std::size_t width, std::size_t height, unsigned hundredths)
    : width_(width), height_(height), hundredths_(hundredths), file_(EGifOpen(&bytes_, append, &error_)) {
  if (file_ != nullptr) begin();
}

GifEncoder::~GifEncoder() = default;

void GifEncoder::check(int status) {
  if (status == GIF_ERROR && error_ == 0) error_ = file_->Error;
}

/// The size, without colors for all frames, and that it loops.
void GifEncoder::begin() {
  EGifSetGifVersion(file_.get(), true);
  check(EGifPutScreenDesc(file_.get(), static_cast<int>(width_), static_cast<int>(height_), kColorBits, 0,
                          nullptr));
  constexpr std::string_view kLoops = "NETSCAPE2.0";
  constexpr std::array<GifByteType, 3> kForever{1, 0, 0};
  check(EGifPutExtensionLeader(file_.get(), APPLICATION_EXT_FUNC_CODE));
  check(EGifPutExtensionBlock(file_.get(), static_cast<int>(kLoops.size()), kLoops.data()));
  check(EGifPutExtensionBlock(file_.get(), static_cast<int>(kForever.size()), kForever.data()));
  check(EGifPutExtensionTrailer(file_.get()));
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
  if (part.width == 0) {
    constexpr unsigned kMost = std::numeric_limits<std::uint16_t>::max();
    held_->hundredths = std::min(held_->hundredths + hundredths_, kMost);
    return;
  }
  writeHeld();
  held_ = makeFrame(frame, part);
  shown_ = std::move(frame);
}

GifEncoder::Frame GifEncoder::makeFrame(std::span<const std::uint32_t> pixels, const Part& part) const {
  constexpr std::uint32_t kStays = kColorMask + 1;  // not a color
  std::vector<std::uint32_t> changed;
  changed.reserve(part.width * part.height);
  for (std::size_t y = part.y; y < part.y + part.height; ++y) {
    for (std::size_t at = y * width_ + part.x; at < y * width_ + part.x + part.width; ++at)
      changed.push_back(!shown_.empty() && shown_[at] == pixels[at] ? kStays : pixels[at]);
  }
  const GifPalette palette(countColors(changed, kStays), kMostColors);
  Frame frame{part, std::vector<std::uint8_t>(changed.size()), palette.colors(), hundredths_};
  for (std::size_t at = 0; at < changed.size(); ++at) {
    const bool isSame = at > 0 && changed[at] == changed[at - 1];
    frame.indices[at] = isSame ? frame.indices[at - 1]
                        : changed[at] == kStays
                            ? std::uint8_t{0}
                            : static_cast<std::uint8_t>(palette.findIndex(changed[at]) + 1);
  }
  return frame;
}

void GifEncoder::writeHeld() {
  if (!held_ || error_ != 0) return;
  Frame frame = *std::exchange(held_, std::nullopt);
  // It stays unless the next one covers it.
  const GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(frame.hundredths), 0};
  std::array<GifByteType, 4> extension{};
  const std::size_t length = EGifGCBToExtension(&control, extension.data());
  check(EGifPutExtension(file_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(length), extension.data()));
  const std::vector<GifColorType> table = makeTable(frame.colors);
  ColorMapObject* const map = GifMakeMapObject(static_cast<int>(table.size()), table.data());
  const auto pixel = [](std::size_t count) { return static_cast<int>(count); };
  check(EGifPutImageDesc(file_.get(), pixel(frame.part.x), pixel(frame.part.y), pixel(frame.part.width),
                         pixel(frame.part.height), false, map));
  GifFreeMapObject(map);
  if (error_ == 0) check(EGifPutLine(file_.get(), frame.indices.data(), pixel(frame.indices.size())));
}

Result<std::string> GifEncoder::consume() {
  writeHeld();
  if (int closing = 0;
      file_ != nullptr && EGifCloseFile(file_.release(), &closing) == GIF_ERROR && error_ == 0)
    error_ = closing;
  if (error_ != 0) return Error{std::string("The GIF could not be made: ") + GifErrorString(error_) + "."};
  return std::move(bytes_);
}

}  // namespace lanescope
