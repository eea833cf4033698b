#include "app/export/gif.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gif_lib.h>

#include "app/base/system.h"
#include "sim/base/write_file.h"

namespace lanescope {

/// Colors of a picture and, for each, which of at most `most` colors represents it.
class GifPalette {
 public:
  /// `counted`: different colors and their frequencies. Median cut: colors are halved by their widest channel
  /// until there are `most` groups; the most frequent color of a group represents it.
  struct Counted {
    std::uint32_t color = 0;
    std::uint32_t count = 0;
  };
  GifPalette(std::vector<Counted> counted, std::size_t most);

  const std::vector<std::uint32_t>& colors() const { return colors_; }
  /// The index in colors() for one of the counted colors.
  std::size_t findIndex(std::uint32_t color) const;

 private:
  struct Entry {
    std::uint32_t color;
    std::uint32_t index;
  };
  std::vector<std::uint32_t> colors_;
  std::vector<Entry> entries_;  ///< sorted by color
};

namespace {

unsigned colorChannel(std::uint32_t color, unsigned channel) { return color >> (8 * channel) & 0xFFU; }

/// A group of colors, from `begin` to `end` in the list.
struct ColorGroup {
  std::size_t begin = 0, end = 0;
  unsigned channel = 0;     ///< the channel in which they differ most
  std::uint64_t worth = 0;  ///< the gain of halving it
};

using Counted = GifPalette::Counted;

ColorGroup makeGroup(std::span<const Counted> counted, std::size_t begin, std::size_t end) {
  ColorGroup group{begin, end};
  unsigned widest = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    const auto [least, most] =
        std::ranges::minmax(counted.subspan(begin, end - begin), {},
                            [&](const Counted& one) { return colorChannel(one.color, channel); });
    const unsigned width = colorChannel(most.color, channel) - colorChannel(least.color, channel);
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

}  // namespace

GifPalette::GifPalette(std::vector<Counted> counted, std::size_t most) {
  if (counted.empty()) return;
  std::vector<ColorGroup> groups{makeGroup(counted, 0, counted.size())};
  while (groups.size() < most) {
    const auto widest = std::ranges::max_element(groups, {}, &ColorGroup::worth);
    if (widest->worth == 0) break;  // each has only one color
    const ColorGroup whole = *widest;
    const auto colors = std::span(counted).subspan(whole.begin, whole.end - whole.begin);
    const auto value = [&](const Counted& one) { return colorChannel(one.color, whole.channel); };
    std::ranges::sort(colors, {}, [&](const Counted& one) { return std::pair(value(one), one.color); });
    const unsigned middle = (value(colors.front()) + value(colors.back()) + 1) / 2;
    const auto half =
        std::ranges::partition_point(colors, [&](const Counted& one) { return value(one) < middle; });
    const std::size_t cut = whole.begin + static_cast<std::size_t>(half - colors.begin());
    *widest = makeGroup(counted, whole.begin, cut);
    groups.push_back(makeGroup(counted, cut, whole.end));
  }
  for (const ColorGroup& group : groups) {
    const auto colors = std::span(counted).subspan(group.begin, group.end - group.begin);
    for (const Counted& one : colors)
      entries_.push_back({one.color, static_cast<std::uint32_t>(colors_.size())});
    colors_.push_back(std::ranges::max_element(colors, {}, &Counted::count)->color);
  }
  std::ranges::sort(entries_, {}, &Entry::color);
}

std::size_t GifPalette::findIndex(std::uint32_t color) const {
  return std::ranges::lower_bound(entries_, color, {}, &Entry::color)->index;
}

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

namespace {

constexpr unsigned kHundredths = 50;  ///< of a second per frame

}  // namespace

Result<std::size_t> writeGif(const std::filesystem::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FramePainter& paint,
                             const FrameWatcher& goesOn) {
  std::optional<GifEncoder> gif;
  Replay replay(trace);
  for (std::size_t index = 0; index < frames.size(); ++index) {
    if (goesOn && !goesOn(index)) return writingStopped("GIF");
    replay.seek(frames[index]);
    const Result<Pixels> picture = paint(replay);
    if (!picture) return picture.error();
    if (!gif) gif.emplace(picture->width, picture->height, kHundredths);
    gif->add(picture->rgb);
  }
  if (!gif) return frames.size();
  const Result<std::string> bytes = gif->consume();
  if (!bytes) return bytes.error();
  if (auto refused = writeFile(file, *bytes)) return *std::move(refused);
  return frames.size();
}

}  // namespace lanescope
