#include "app/export/exporter.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include <fmt/format.h>

#include "app/base/system.h"
#include "app/export/data_files.h"
#include "app/export/frames.h"
#include "app/export/page.h"
#include "app/export/pictures.h"
#include "app/pictures/picture_plan.h"
#include "sim/base/counted.h"
#include "sim/base/write_file.h"

namespace lanescope {
namespace {

constexpr std::chrono::milliseconds kBetweenWakes{50};

ExportOutcome refusal(const Error& error) { return {false, error.sentence()}; }

ExportOutcome writeBytes(const std::filesystem::path& path, const std::string& bytes, std::string_view what) {
  if (const auto problem = writeFile(path, bytes)) return refusal(*problem);
  return {true, fmt::format("Wrote {} to {}.", what, path.string())};
}

/// A picture of each run, the left's first, as high as the higher one.
Scene sidesScene(const ExportRequest& request, const Replay& left, const TextMeasure& measure) {
  Replay right(request.right.trace);
  right.seek(request.right.cursor);
  PictureOptions options = request.options;
  PictureOptions others = request.right.options;
  options.isTitled = others.isTitled = true;
  Scene page = pictureScene(request.picture, makeMoment(left, planPictures(left.trace())), options, measure);
  const Scene second =
      pictureScene(request.picture, makeMoment(right, planPictures(right.trace())), others, measure);
  page.append(second, page.width, 0);
  page.width += second.width;
  page.height = std::max(page.height, second.height);
  return page;
}

ExportOutcome writeImage(const ExportRequest& request, const std::stop_token& stop) {
  const Result<ImageKind> kind = findImageKind(request.path);
  if (!kind) return refusal(kind.error());
  const Result<ImageWriter> writer = ImageWriter::of(*kind, *request.theme, request.scale);
  if (!writer) return refusal(writer.error());
  const bool isStrip = request.kind == ExportKind::Strip;
  Replay replay(request.trace);
  replay.seek(request.cursor);
  const Result<Scene> scene =
      isStrip ? stripScene(request.trace, request.options.title, kStripWidth, writer->measure(), stop,
                           writer->mostSide())
      : request.kind == ExportKind::Sides
          ? sidesScene(request, replay, writer->measure())
          : pictureScene(request.picture, makeMoment(replay, planPictures(*request.trace)), request.options,
                         writer->measure());
  if (!scene) return refusal(scene.error());
  const Result<std::string> bytes =
      writer->write(*scene, isStrip ? ColorRole::Background : pictureBackground(request.picture));
  if (!bytes) return refusal(bytes.error());
  if (stop.stop_requested()) return refusal(writingStopped("picture"));
  const std::string size =
      fmt::format("{:.0f} x {:.0f} pixels", static_cast<double>(scene->width * request.scale),
                  static_cast<double>(scene->height * request.scale));
  return writeBytes(request.path, *bytes,
                    (isStrip                             ? "the walk, "
                     : request.kind == ExportKind::Sides ? "the two pictures, "
                                                         : "the picture, ") +
                        size + ",");
}

ExportOutcome writeEveryFrame(const ExportRequest& request, const std::stop_token& stop,
                              const std::function<void(ExportProgress)>& report) {
  const Result<ImageWriter> writer = ImageWriter::of(ImageKind::Png, *request.theme, request.scale);
  if (!writer) return refusal(writer.error());
  auto frames = makeFrames(request.trace, request.grain);
  if (!frames) return refusal(frames.error());
  const std::size_t total = frames->size();
  const bool isGif = request.kind == ExportKind::Gif;
  const auto count = writeFrames(request.path, isGif ? FrameFormat::Gif : FrameFormat::Pngs,
                                 {request.trace, *std::move(frames), request.picture, request.options},
                                 *writer, [&](std::size_t done) {
                                   if (report) report({done, total});
                                   return !stop.stop_requested();
                                 });
  if (!count) return refusal(count.error());
  return {true, fmt::format("Wrote {} {} {}.", counted(*count, "frame"), isGif ? "to" : "into",
                            request.path.string())};
}

ExportOutcome writePage(const ExportRequest& request, const std::stop_token& stop,
                        const std::function<void(ExportProgress)>& report) {
  const auto frames = makeFrames(request.trace, request.grain);
  if (!frames) return refusal(frames.error());
  const Result<std::string> page = pageHtml(request.trace,
                                            {.pictures = request.options,
                                             .grain = request.grain,
                                             .opensAt = request.cursor.steps,
                                             .strategy = request.strategy,
                                             .n = request.n},
                                            [&](std::size_t done) {
                                              if (report) report({done, frames->size()});
                                              return !stop.stop_requested();
                                            });
  if (!page) return refusal(page.error());
  return writeBytes(request.path, *page, counted(frames->size(), "step") + " as a page");
}

}  // namespace

std::vector<std::string> listEndings(ExportKind kind) {
  switch (kind) {
    case ExportKind::Picture:
    case ExportKind::Strip:
    case ExportKind::Sides: return {".svg", ".png"};
    case ExportKind::Counters:
    case ExportKind::Differences:
    case ExportKind::Table: return {".csv"};
    case ExportKind::Trace: return {".json"};
    case ExportKind::Page: return {".html"};
    case ExportKind::Gif: return {".gif"};
    case ExportKind::Frames: break;
  }
  return {};
}

ExportOutcome writeExport(const ExportRequest& request, const std::stop_token& stop,
                          const std::function<void(ExportProgress)>& report) {
  try {
    switch (request.kind) {
      case ExportKind::Picture:
      case ExportKind::Strip:
      case ExportKind::Sides: return writeImage(request, stop);
      case ExportKind::Page: return writePage(request, stop, report);
      case ExportKind::Frames:
      case ExportKind::Gif: return writeEveryFrame(request, stop, report);
      case ExportKind::Counters:
        return writeBytes(request.path, countersCsv(*request.trace, request.options.title), "the counters");
      case ExportKind::Trace:
        return writeBytes(request.path, traceJson(*request.trace, true, request.options.title), "the trace");
      case ExportKind::Differences:
        return writeBytes(request.path,
                          differencesCsv({request.trace->total, request.options.title},
                                         {request.right.trace->total, request.right.options.title}),
                          "the counters of both");
      case ExportKind::Table: return writeBytes(request.path, request.table, "the table");
    }
  } catch (const std::exception& failure) {
    return {false, fmt::format("'{}' cannot be written: {}.", request.path.string(), failure.what())};
  }
  return {};
}

Exporter::Exporter(ExecutorPtr executor)
    : executor_(std::move(executor)),
      job_(executor_, [this](const Work& work, const std::stop_token& stop) { return write(work, stop); }) {}

void Exporter::request(ExportRequest request) {
  cancelled_ = std::stop_source();
  job_.request({std::move(request), cancelled_.get_token()});
  const std::scoped_lock lock(mutex_);
  progress_ = {};
}

ExportProgress Exporter::progress() const {
  const std::scoped_lock lock(mutex_);
  return progress_;
}

ExportOutcome Exporter::write(const Work& work, const std::stop_token& stop) {
  std::stop_source either;
  const auto end = [&] { either.request_stop(); };
  const std::stop_callback onStop(stop, end);
  const std::stop_callback onCancel(work.cancelled, end);
  auto woken = std::chrono::steady_clock::now();
  return writeExport(work.request, either.get_token(), [&](ExportProgress progress) {
    {
      const std::scoped_lock lock(mutex_);
      if (stop.stop_requested()) return;  // a newer one was requested, which has its own progress
      progress_ = progress;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - woken < kBetweenWakes) return;
    woken = now;
    executor_->wake();
  });
}

}  // namespace lanescope
