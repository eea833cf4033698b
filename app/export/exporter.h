#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "app/base/newest_job.h"
#include "app/export/pictures.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The kinds of export: from one trace, from two side by side, from the table.
enum class ExportKind : std::uint8_t {
  Picture,      ///< one picture at the cursor, SVG or PNG
  Strip,        ///< the whole walk on one page, SVG or PNG
  Page,         ///< HTML to step through at a grain
  Frames,       ///< a folder of PNGs, one per step at a grain
  Gif,          ///< the same frames as one animated GIF
  Counters,     ///< CSV: total, by phase, by line
  Trace,        ///< JSON: `lanescope.trace/1`, with the operands of values
  Sides,        ///< a picture of each of two runs, side by side, SVG or PNG
  Differences,  ///< CSV: the counters of two runs, and their differences
  Table,        ///< CSV: the rows of the table of all strategies
};

/// The run on the right of two.
struct ExportSide {
  std::shared_ptr<const Trace> trace;
  Cursor cursor;
  PictureOptions options{};
};

struct ExportRequest {
  std::shared_ptr<const Trace> trace;
  Cursor cursor;
  ExportKind kind = ExportKind::Picture;
  Picture picture = Picture::All;
  PictureOptions options{};
  Grain grain = Grain::Instruction;  ///< of Page, Frames and Gif
  const Theme* theme = nullptr;
  float scale = 1;  ///< of images: pixels per logical pixel
  std::filesystem::path path;
  const Strategy* strategy = nullptr;  ///< of Page: the strategy of its lesson, or nullptr
  std::uint64_t n = 0;                 ///< of Page: elements of that strategy's launch
  ExportSide right{};                  ///< of Sides and Differences
  std::string table{};                 ///< the CSV of Table
};

struct ExportOutcome {
  bool good = false;
  std::string sentence;  ///< the name of the file written, or the error
};

/// The extensions that a file of that kind can have, the usual one first; empty for Frames, which are a
/// folder.
std::vector<std::string> listEndings(ExportKind kind);

/// The number of steps done of a page or a sequence.
struct ExportProgress {
  std::size_t done = 0;
  std::size_t total = 0;  ///< 0: unknown, or not a sequence
};

/// Writes it; an export that fails or is stopped leaves nothing half-written. `stop` ends a page, a sequence
/// of frames or the whole walk early, and all else that was not written yet; `report` is called before each
/// step.
ExportOutcome writeExport(const ExportRequest& request, const std::stop_token& stop = {},
                          const std::function<void(ExportProgress)>& report = {});

/// Writes in the background, one request after another; the newest replaces older ones. Called from one
/// thread; the executor's owner is woken when consume() has a result, and now and then when progress() has
/// changed.
class Exporter {
 public:
  explicit Exporter(ExecutorPtr executor);

  void request(ExportRequest request);
  /// Asks the newest request to stop; take() returns its outcome, which may be that it was written.
  void cancel() { cancelled_.request_stop(); }
  bool isCancelled() const { return cancelled_.stop_requested(); }
  /// The outcome of the newest request, once; empty while it is written.
  std::optional<ExportOutcome> consume() { return job_.consume(); }
  bool busy() const { return job_.busy(); }
  ExportProgress progress() const;

 private:
  struct Work {
    ExportRequest request;
    std::stop_token cancelled;
  };
  ExportOutcome write(const Work& work, const std::stop_token& stop);

  ExecutorPtr executor_;
  mutable std::mutex mutex_;
  ExportProgress progress_;
  std::stop_source cancelled_;
  NewestJob<Work, ExportOutcome> job_;  ///< last: its work uses all of the above
};

}  // namespace lanescope
