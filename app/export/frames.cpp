#include "app/export/frames.h"

#include "app/export/gif.h"
#include "app/pictures/plan_pictures.h"

namespace lanescope {

Result<std::size_t> writeFrames(const std::filesystem::path& path, FrameFormat format,
                                const FrameSeries& series, const ImageWriter& writer,
                                const FrameWatcher& goesOn) {
  const std::shared_ptr<const PicturePlan> plan = planPictures(*series.trace);
  const ColorRole background = pictureBackground(series.picture);
  const auto sceneAt = [&](const Replay& replay) {
    return pictureScene(series.picture, makeMoment(replay, plan), series.options, writer.measure());
  };
  if (format == FrameFormat::Gif) {
    const auto paint = [&](const Replay& replay) { return writer.pixels(sceneAt(replay), background); };
    return writeGif(path, series.trace, series.frames, paint, goesOn);
  }
  const auto write = [&](const Replay& replay) { return writer.write(sceneAt(replay), background); };
  return writeSequence(path, series.trace, series.frames, write, goesOn);
}

}  // namespace lanescope
