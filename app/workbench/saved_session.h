#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/launch_form.h"
#include "sim/base/diagnostic.h"
#include "sim/base/source_text.h"

namespace lanescope {

/// A text and a launch form, as a session file holds them.
struct SavedText {
  std::string text;
  std::optional<LaunchForm> form;
  bool operator==(const SavedText&) const = default;
};

/// All that a session file reopens: the kernel as it came, as it ran and as it is in the editor, the
/// launch, and the place in the walk.
struct SavedSession {
  std::string strategy;                ///< its id; empty: a file
  std::string path;                    ///< of a file
  std::string original;                ///< the file's text as it came
  std::vector<IncludedText> includes;  ///< the files that it includes
  SavedText ran;                       ///< as shown in the pictures
  SavedText draft;                     ///< as in the editor
  std::uint64_t n = 8;
  std::string machine;
  bool machineChosen = false;
  std::uint64_t blocks = 1;
  std::uint32_t block = 0;
  std::uint32_t steps = 0;      ///< as in Cursor
  std::uint32_t wavefront = 0;  ///< as in Cursor
  std::string grain = "instruction";
  double speed = 1;
  std::vector<std::uint32_t> lines;     ///< breakpoints
  std::vector<std::string> conditions;  ///< breakpoints: names of StopKind
  std::int64_t thread = -1;             ///< pinned; -1: none
  std::int32_t warp = -1;               ///< pinned; -1: none
  std::int32_t variable = -1;           ///< of the trace, shown in every lane; -1: none
  std::string mode = "explore";         ///< of the window
  std::string compared;                 ///< the id of the strategy it is compared with; empty: the neighbour
  bool comparesWarps = false;           ///< with lanes below the ladders, not banks
  bool operator==(const SavedSession&) const = default;
};

/// The ending of session files: ".lanescope".
inline constexpr std::string_view kSessionEnding = ".lanescope";

/// `lanescope.session/1`, JSON.
std::string sessionText(const SavedSession& session);
/// Reads such a text. The error is one sentence that names the missing or wrong part.
Result<SavedSession> parseSession(const std::string& text);

}  // namespace lanescope
