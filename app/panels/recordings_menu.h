#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/gpu/gpu_session.h"
#include "app/panels/base/view.h"

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

}  // namespace lanescope
