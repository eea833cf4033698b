#include "app/export/frames.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

#include "app/base/system.h"
#include "app/export/gif.h"
#include "app/pictures/picture_plan.h"
#include "sim/base/write_file.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kGrainNames{"phase", "line", "instruction",
                                                      "wavefront"};  // as in Grain

/// The frames until all are complete; deleted with this object unless they were kept.
class Draft {
 public:
  explicit Draft(const fs::path& folder) : folder_(folder), path_(folder) { path_ += ".new"; }
  ~Draft() {
    std::error_code ignored;
    if (made_) fs::remove_all(path_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  std::optional<Error> begin() {
    std::error_code failure;
    const bool isPresent = fs::exists(folder_, failure);
    if (isPresent && !(fs::is_directory(folder_, failure) && fs::is_empty(folder_, failure)))
      return Error{fmt::format("'{}' is not an empty folder.", folder_.string()),
                   "Frames go into a new or an empty one."};
    for (int number = 1; !made_ && !failure; ++number) {  // a run that was killed may have left its draft
      made_ = fs::create_directory(path_, failure);
      if (!made_) path_ = folder_.string() + ".new" + std::to_string(number);
    }
    return made_ ? std::nullopt : std::optional(problem());
  }

  std::optional<Error> add(const std::string& name, const std::string& bytes) const {
    return writeFile(path_ / name, bytes);
  }

  std::optional<Error> keep() {
    std::error_code failure;
    fs::rename(path_, folder_, failure);
    if (failure) return problem();
    made_ = false;
    return std::nullopt;
  }

 private:
  Error problem() const {
    return {fmt::format("'{}' cannot be written.", folder_.string()), "Choose another folder.", {}};
  }

  fs::path folder_;
  fs::path path_;
  bool made_ = false;
};

}  // namespace

std::string_view grainName(Grain grain) { return kGrainNames[static_cast<std::size_t>(grain)]; }

std::vector<std::string> grainNames() { return {kGrainNames.begin(), kGrainNames.end()}; }

std::optional<Grain> findGrain(std::string_view name) {
  const auto* const found = std::ranges::find(kGrainNames, name);
  if (found == kGrainNames.end()) return std::nullopt;
  return static_cast<Grain>(found - kGrainNames.begin());
}

Result<std::vector<Cursor>> makeFrames(const std::shared_ptr<const Trace>& trace, Grain grain) {
  Replay replay(trace);
  std::vector<Cursor> frames = {replay.cursor()};
  while (replay.forward(grain)) {
    frames.push_back(replay.cursor());
    if (frames.size() > kMostFrames)
      return Error{fmt::format("The walk has more than {} frames at that step size.", kMostFrames),
                   "Step by phase or line, not by instruction or wavefront, or launch fewer threads."};
  }
  return frames;
}

Result<std::size_t> writeSequence(const fs::path& folder, const std::shared_ptr<const Trace>& trace,
                                  const std::vector<Cursor>& frames, const FrameWriter& write,
                                  const FrameWatcher& goesOn) {
  // A path that ends with a slash has no name of its own.
  Draft draft(folder.has_filename() ? folder : folder.parent_path());
  if (auto problem = draft.begin()) return *std::move(problem);
  Replay replay(trace);
  const int digits = std::max(4, static_cast<int>(fmt::formatted_size("{}", frames.size())));
  for (std::size_t index = 0; index < frames.size(); ++index) {
    if (goesOn && !goesOn(index)) return writingStopped("sequence");
    replay.seek(frames[index]);
    const Result<std::string> bytes = write(replay);
    if (!bytes) return bytes.error();
    if (auto problem = draft.add(fmt::format("{:0{}}.png", index + 1, digits), *bytes))
      return *std::move(problem);
  }
  if (auto problem = draft.keep()) return *std::move(problem);
  return frames.size();
}

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
