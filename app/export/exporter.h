#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "app/export/base/pictures.h"
#include "app/export/image.h"
#include "app/session/base/newest_job.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// What can be taken away: from a trace, from two side by side, from the table.
enum class ExportKind : std::uint8_t {
  Picture,      ///< one picture at the cursor, SVG or PNG
  Strip,        ///< the whole walk on one page, SVG or PNG
  Page,         ///< HTML to step through at a grain
  Frames,       ///< a folder of PNGs, one per step at a grain
  Gif,          ///< the same as one animated GIF
  Counters,     ///< CSV: total, by phase, by line
  Trace,        ///< JSON: `lanescope.trace/1`, with what values were made of
  Sides,        ///< a picture of each of two runs, side by side, SVG or PNG
  Differences,  ///< CSV: the counters of two runs, and how they differ
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
  float scale = 1;  ///< of images: pixels a logical pixel
  std::filesystem::path path;
  const Strategy* strategy = nullptr;  ///< of Page: whose lesson goes with it, or nullptr
  std::uint64_t n = 0;                 ///< of Page: elements of that strategy's launch
  ExportSide right{};                  ///< of Sides and Differences
  std::string table{};                 ///< the CSV of Table
};

struct ExportOutcome {
  bool good = false;
  std::string sentence;  ///< what was written, or why not
};

/// The endings that a file of that kind may have, the usual one first; Frames are a folder: none.
std::vector<std::string> endingsOf(ExportKind kind);

/// How many steps of a page or a sequence are done.
struct ExportProgress {
  std::size_t done = 0;
  std::size_t total = 0;  ///< 0: not known, or no sequence
};

/// Writes it; whatever fails or is stopped leaves nothing half-written. `stop` ends a page, a sequence of
/// frames and the whole walk early, and what else was not written yet; `report` is called before each step.
ExportOutcome writeExport(const ExportRequest& request, const std::stop_token& stop = {},
                          const std::function<void(ExportProgress)>& report = {});

/// Writes in a thread of its own, one request after another; the newest wins. Called from one thread;
/// `wake` is called from another when take() has something, and now and then when progress() has.
class Exporter {
 public:
  explicit Exporter(std::function<void()> wake = {});

  void request(ExportRequest request);
  /// Asks the newest request to stop; take() says what became of it, which may be that it was written.
  void cancel() { cancelled_.request_stop(); }
  bool isCancelled() const { return cancelled_.stop_requested(); }
  /// What became of the newest request, once; nothing while it is written.
  std::optional<ExportOutcome> take() { return job_.take(); }
  bool busy() const { return job_.busy(); }
  ExportProgress progress() const;

 private:
  struct Work {
    ExportRequest request;
    std::stop_token cancelled;
  };
  ExportOutcome write(const Work& work, const std::stop_token& stop);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  ExportProgress progress_;
  std::stop_source cancelled_;
  NewestJob<Work, ExportOutcome> job_;  ///< last: its thread uses all of the above
};

}  // namespace lanescope
