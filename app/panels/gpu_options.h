#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/export/pictures.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"

namespace lanescope {

/// The part of the GPU panel's menu with other numbers: the pinned runs, and the recordings that ship, each
/// with its content and a mark if it is shown.
class RecordingsMenu {
 public:
  /// The error of the clicked entry; no value if nothing was clicked. No error: it was done.
  struct Outcome {
    bool isClicked = false;
    std::optional<Error> problem;
  };
  Outcome draw(const ViewContext& context);

 private:
  Outcome drawPins(const ViewContext& context);
  Outcome drawRecording(const ViewContext& context, const std::filesystem::path& path);
  const std::string& readContents(const std::filesystem::path& path);

  std::map<std::filesystem::path, std::string> contents_;  ///< of the files that were read so far
};

/// The GPU panel's choice of a grid for the next run: the strategies' own, or a number of blocks for those
/// that accept one, entered as blocks or as elements per thread.
class GpuBlocks {
 public:
  /// Draws the choice at the cursor, with its menu.
  void draw(const ViewContext& context, BenchChoice& choice, bool opens);
  /// The average load that the chosen number gives a thread, `62.06 elements per thread`; empty if none was
  /// chosen.
  static std::string conversion(const BenchChoice& choice);
  /// One sentence if numbers are shown but none of them has the chosen blocks; else empty.
  static std::string missing(const BenchChoice& choice, const GpuSession& gpu);

 private:
  void drawMenu(const ViewContext& context, BenchChoice& choice);
  void drawPresets(const ViewContext& context, BenchChoice& choice);
  void drawFields(const ViewContext& context, BenchChoice& choice);
  static void drawConsequence(const ViewContext& context, const BenchChoice& choice);
  /// Sets the number that was typed, as blocks or as elements per thread.
  void receive(BenchChoice& choice, const std::string& blocks, const std::string& perThread);

  std::string blocks_;                      ///< as typed
  std::string perThread_;                   ///< as typed
  std::string fault_;                       ///< of the typed number, one sentence
  std::optional<std::uint64_t> filledFor_;  ///< the number that the fields show
};

/// Width a combo of the panel's row needs to show its text beside its arrow.
float comboWidth(const ViewContext& context, std::string_view text);

/// The plan that the GPU panel's Run starts: `sizes`, one run each.
BenchPlan makePlan(const BenchChoice& choice, std::vector<std::uint64_t> sizes);

/// The GPU panel's menu: the contenders and settings to time, the comparisons, recordings, and files to
/// export.
class GpuOptions {
 public:
  /// The pill that opens the menu, and the menu. `chart` is the picture to export.
  void draw(const ViewContext& context, BenchChoice& choice, const Scene& chart, float width, bool opens);
  /// The pill's text: `one kernel · float`.
  static std::string text(const BenchChoice& choice);

 private:
  void drawWhat(const ViewContext& context, BenchChoice& choice);
  void drawPicks(const ViewContext& context, BenchChoice& choice);
  void drawFiles(const ViewContext& context, const Scene& chart);
  void savePicture(const ViewContext& context, const Scene& chart, ImageKind kind);
  void receive(const std::optional<Error>& problem);
  /// The typed path, as a recording's.
  std::filesystem::path recordingPath() const;
  void save(Host& host, const char* ending, const std::string& text);

  RowList picks_;
  RecordingsMenu recordings_;
  std::array<char, 512> path_{};
  std::string note_;  ///< the outcome of the last file
  bool isBad_ = false;
  std::filesystem::path warned_;  ///< the existing file that the warning was about
};

}  // namespace lanescope
