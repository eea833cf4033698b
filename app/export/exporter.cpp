#include "app/export/exporter.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "app/export/counters_csv.h"
#include "app/export/sequence.h"
#include "app/export/strip.h"
#include "app/export/trace_json.h"
#include "app/session/write_file.h"

namespace lanescope {
namespace {

ExportOutcome refusal(const Error& error) { return {false, error.sentence()}; }

ExportOutcome writeBytes(const std::filesystem::path& path, const std::string& bytes, std::string_view what) {
  if (const auto problem = writeFile(path, bytes)) return refusal(*problem);
  return {true, fmt::format("Wrote {} to {}.", what, path.string())};
}

ExportOutcome writeImage(const ExportRequest& request, const std::stop_token& stop) {
  const Result<ImageKind> kind = imageKindOf(request.path);
  if (!kind) return refusal(kind.error());
  const Result<ImageWriter> writer = ImageWriter::of(*kind, *request.theme, request.scale);
  if (!writer) return refusal(writer.error());
  const bool isStrip = request.kind == ExportKind::Strip;
  Replay replay(request.trace);
  replay.seek(request.cursor);
  const Result<Scene> scene =
      isStrip ? stripScene(request.trace, request.options.title, kStripWidth, writer->measure(), stop)
              : pictureScene(request.picture, momentOf(replay), request.options, writer->measure());
  if (!scene) return refusal(scene.error());
  const Result<std::string> bytes =
      writer->write(*scene, isStrip ? ColorRole::Background : pictureBackground(request.picture));
  if (!bytes) return refusal(bytes.error());
  const std::string size =
      fmt::format("{:.0f} x {:.0f} pixels", static_cast<double>(scene->width * request.scale),
                  static_cast<double>(scene->height * request.scale));
  return writeBytes(request.path, *bytes, isStrip ? "the walk, " + size + "," : "the picture, " + size + ",");
}

ExportOutcome writeFrames(const ExportRequest& request, const std::stop_token& stop) {
  const Result<ImageWriter> writer = ImageWriter::of(ImageKind::Png, *request.theme, request.scale);
  if (!writer) return refusal(writer.error());
  const auto frames = framesOf(request.trace, request.grain);
  if (!frames) return refusal(frames.error());
  const auto count = writeSequence(
      request.path, request.trace, *frames,
      [&](const Replay& replay) {
        return writer->write(
            pictureScene(request.picture, momentOf(replay), request.options, writer->measure()),
            pictureBackground(request.picture));
      },
      [&] { return stop.stop_requested(); });
  if (!count) return refusal(count.error());
  return {true, fmt::format("Wrote {} frames into {}.", *count, request.path.string())};
}

}  // namespace

std::vector<std::string> endingsOf(ExportKind kind) {
  switch (kind) {
    case ExportKind::Picture:
    case ExportKind::Strip: return {".svg", ".png"};
    case ExportKind::Counters: return {".csv"};
    case ExportKind::Trace: return {".json"};
    case ExportKind::Frames: break;
  }
  return {};
}

ExportOutcome writeExport(const ExportRequest& request, const std::stop_token& stop) {
  try {
    switch (request.kind) {
      case ExportKind::Picture:
      case ExportKind::Strip: return writeImage(request, stop);
      case ExportKind::Frames: return writeFrames(request, stop);
      case ExportKind::Counters: return writeBytes(request.path, countersCsv(*request.trace), "the counters");
      case ExportKind::Trace: return writeBytes(request.path, traceJson(*request.trace, true), "the trace");
    }
  } catch (const std::exception& failure) {
    return {false, fmt::format("'{}' cannot be written: {}.", request.path.string(), failure.what())};
  }
  return {};
}

}  // namespace lanescope
