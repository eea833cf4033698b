#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "app/export/image.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/row_list.h"
#include "app/panels/base/view.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/recordings_menu.h"

namespace lanescope {

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
  void save(const char* ending, const std::string& text);

  RowList picks_;
  RecordingsMenu recordings_;
  std::array<char, 512> path_{};
  std::string note_;  ///< the outcome of the last file
  bool isBad_ = false;
  std::filesystem::path warned_;  ///< the existing file that the warning was about
};

}  // namespace lanescope
