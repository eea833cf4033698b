#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/host.h"
#include "app/launch/launch_form.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

inline constexpr std::size_t kMostRecent = 10;

/// The last opened launch of a strategy, or file.
struct Opened {
  std::string strategy;  ///< its id; empty: a file, or none yet
  std::string file;      ///< its path
  std::uint64_t n = 8;
  std::uint64_t blocks = 1;
  std::string machine;        ///< that was chosen; empty: the one for n
  std::uint64_t chosenN = 0;  ///< the chosen number of elements, if the lesson opens with more; 0: n
  bool operator==(const Opened&) const = default;
};

/// The settings that the app keeps from one start to the next.
struct Settings {
  std::string theme;                     ///< a theme's id; empty: the first
  double scale = 1;                      ///< of text, in multiples of the scale that suits the window's size
  double moves = 0.25;                   ///< seconds that a move between states is shown; 0: off
  double speed = 1;                      ///< of playing
  std::string stepWidth;                 ///< of the timeline, as stepWidthName(); empty: equal steps
  std::string lessonCard;                ///< of the first lesson, as last read; empty: the first
  std::string layout;                    ///< the arrangement of the panels; empty: the standard one
  std::map<std::string, double> panels;  ///< shares that were changed, by the panels' names
  bool gpuIsOpen = false;                ///< the GPU panel shows its charts, not its line alone
  std::vector<std::string> recent;       ///< paths of files opened or saved, the latest first
  std::vector<std::string> visited;      ///< ids of the lessons that were opened, the first one first
  Opened opened;
  int width = 0;  ///< of the window, logical pixels; 0: the standard size
  int height = 0;
  bool operator==(const Settings&) const = default;

  bool hasVisited(std::string_view lesson) const;
  void visit(std::string_view lesson);

  /// Puts a path first among the recent ones, of which there are at most kMostRecent.
  void remember(const std::string& path);
};

/// `lanescope.settings/1`, JSON.
std::string settingsText(const Settings& settings);
/// Reads such a text. An entry that is missing or makes no sense keeps its default. The error is one
/// sentence: no JSON, or another schema.
Result<Settings> parseSettings(const std::string& text);

/// The host's settings; the defaults if there are none. A file that cannot be read is renamed
/// (`settings.json.unreadable`; the next `settings.json.unreadable.2`), so that nothing is lost; the error
/// says so.
Result<Settings> loadSettings(Host& host);
/// Writes them, making the folder. The error is one sentence with the path.
std::optional<Error> saveSettings(Host& host, const Settings& settings);

/// The settings of a running app, which are stored as they change.
class KeptSettings {
 public:
  /// `stored`: as they are on the disk.
  explicit KeptSettings(Settings stored) : stored_(std::move(stored)) {}
  const Settings& stored() const { return stored_; }
  /// Stores them if they differ. Returns what went wrong in a sentence, the same one only once, or "". Each
  /// later call tries again. `isLast`: there is no later call, so the sentence says what is not stored.
  std::string keep(Host& host, const Settings& settings, bool isLast);

 private:
  Settings stored_;
  std::string said_;  ///< of the last attempt, if it failed
};

/// A text and a launch form, as a session file holds them.
struct SavedText {
  std::string text;
  std::optional<LaunchForm> form;
  bool operator==(const SavedText&) const = default;
};

/// The window's part of a scene.
struct SavedWindow {
  std::string layout;     ///< as Settings::layout
  std::string maximised;  ///< the panel that has all the room; empty: none
  bool gpuIsOpen = false;
  std::string gpuPage;             ///< by its name; empty: as it is
  std::vector<std::string> picks;  ///< ids of what the charts show; empty: all that can
  bool operator==(const SavedWindow&) const = default;
};

/// All that a session file reopens: the kernel as it came, as it ran and as it is in the editor, the
/// launch, and the place in the walk. A scene of its list is the same, without scenes of its own.
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
  std::uint32_t steps = 0;       ///< as in Cursor
  std::uint32_t wavefront = 0;   ///< as in Cursor
  bool opensAtItsPlace = false;  ///< at the step at which its lesson opens, whatever the cursor
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
  std::string stepWidth;                ///< as Settings::stepWidth
  std::optional<SavedWindow> window;    ///< none: it stays as it is
  std::vector<SavedSession> scenes;
  bool operator==(const SavedSession&) const = default;
};

/// The ending of session files: ".lanescope".
inline constexpr std::string_view kSessionEnding = ".lanescope";

/// `lanescope.session/1`, JSON.
std::string sessionText(const SavedSession& session);
/// Reads such a text. The error is one sentence that names the missing or wrong part.
Result<SavedSession> parseSession(const std::string& text);

}  // namespace lanescope
