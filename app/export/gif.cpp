#include "app/export/gif.h"

#include <optional>
#include <string>
#include <utility>

#include "app/export/gif_encoder.h"
#include "app/base/write_file.h"

namespace lanescope {
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
