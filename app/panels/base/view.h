#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/analysis/cost.h"
#include "app/analysis/profiles.h"
#include "app/analysis/strategy_table.h"
#include "app/analysis/toolkit.h"
#include "app/course/guide.h"
#include "app/course/quiz.h"
#include "app/paint/imgui_painter.h"
#include "app/paint/theme.h"
#include "app/panels/base/command.h"
#include "app/panels/base/layout.h"
#include "app/pictures/base/moment.h"
#include "app/workbench/saved_state.h"
#include "app/workbench/session.h"
#include "app/workbench/walk.h"

namespace lanescope {

class GpuSession;
struct GlossaryEntry;

enum class GpuPage : std::uint8_t { Bandwidth, Time, OverN, Why, Text };
/// Their names on the tabs and in a scene, in that order.
inline constexpr std::array<const char*, 5> kGpuPageNames{"bandwidth", "time", "over N", "why", "text"};

/// The state of the GPU panel that other panels need.
struct GpuPanelState {
  GpuPage page = GpuPage::Bandwidth;
  std::uint64_t n = std::uint64_t{1} << 24U;  ///< elements and threads per block that it shows
  std::uint32_t block = 256;
  std::string notice{};              ///< one sentence from outside; can be empty
  std::set<std::string> onlyBars{};  ///< ids: the charts show no others; if empty, the choice made there
  std::set<std::string> picks{};     ///< ids that the charts show; if empty, all that can
  std::optional<std::set<std::string>> wantedPicks{};  ///< by a scene: they become the picks
  std::string refusal{};  ///< why the current text was not run, one sentence; can be empty
};

/// The table of strategies: its order, and the times that it shows.
struct TableOrder {
  TableColumn by = TableColumn::Strategy;
  bool descending = false;
  std::optional<std::uint64_t> measuredN;  ///< chosen by the user
};

/// The linked and chosen elements in the pictures of a run.
struct Marks {
  Focus hover{};               ///< under the pointer, in the previous frame
  Linked linked{};             ///< the elements linked with the pointer's, or with the pinned thread
  std::int64_t thread = -1;    ///< pinned by a click; -1 if none
  std::int32_t warp = -1;      ///< shown large; -1: the one that runs
  std::int32_t variable = -1;  ///< index in Trace::variables: its value is in every lane; -1 if none

  /// The thread with its variables shown: under the pointer, else the pinned one, else -1.
  std::int64_t shownThread() const { return hover.thread >= 0 ? hover.thread : thread; }
  bool isChosen() const { return thread >= 0 || warp >= 0 || variable >= 0; }
  void releaseMarks();
  /// Clears everything that is not in that trace.
  void keepTo(const Trace& trace);
  /// Finds the linked elements at the replay's cursor; clears them if there is no replay.
  void light(const Replay* replay);
};

/// The answer while the mode is Predict.
struct Prediction {
  Quiz quiz{};
  std::string answer{};                  ///< that is being given
  std::string answeredQuestion{};        ///< and to which question
  std::vector<std::uint32_t> threads{};  ///< the lanes in it; sorted
};

/// One sentence on why a key did nothing, until the next key or click, or for a while.
struct Notice {
  std::string text{};
  double ends = -1;  ///< ImGui's time; -1: not drawn yet
};

/// The dialogs over the panels.
enum class Dialog : std::uint8_t {
  None,
  Open,    ///< a kernel file or a session
  Save,    ///< the path to save to
  Export,  ///< the export and its path
  Glossary,
  Colors,  ///< what the colours mean
};

/// The scenes that are shown one after another.
struct SceneList {
  std::vector<SavedSession> scenes{};
  std::optional<std::size_t> current{};  ///< the one shown last
};

/// The state that the views share and may change.
struct ViewState {
  Session& session;
  GpuSession& gpu;
  const Theme* theme = nullptr;
  const Commands* commands = nullptr;  ///< of the window
  Settings settings{};                 ///< the settings in memory; its theme is updated when it is saved
  Mode mode = Mode::Explore;

  Marks marks{};
  /// Player::generation() of the trace that the warp and variable are chosen in. Those of a session file
  /// belong to the trace that is still to come.
  std::uint64_t markedGeneration = 0;
  Prediction prediction{};
  SceneList scenes{};
  TableOrder table{};
  bool comparesWarps = false;  ///< two side by side show lanes below their ladders, not banks
  GpuPanelState gpuPanel{};
  TextProfiles profiles{};      ///< that ship: a GPU's measurements of the strategies' lines
  CostCharts costs{};           ///< of these profiles
  std::uint32_t askedCode = 0;  ///< a line whose machine code a picture asks for; 0: none

  LocalCode machineCode;  ///< of the current text, from this machine's CUDA Toolkit

  Dialog dialog = Dialog::None;
  const GlossaryEntry* glossaryEntry = nullptr;  ///< chosen in the glossary; nullptr: none, or not opened yet
  bool usesSystemDialogs = false;  ///< files are chosen with the system's dialog if there is one
  bool helpOpen = false;
  Guide guide{};  ///< the first lesson
  Notice notice{};

  bool presenting = false;
  bool laser = false;         ///< the pointer is a ring
  bool hasLargeText = false;  ///< in this frame, see hasLargeText()
  /// In this frame a question or a card of the first lesson needs its column: the panels have the standard
  /// layout, since the chosen one has no room for it.
  bool asksInNarrowWindow = false;
  bool isFolded = false;      ///< in this frame the list of lessons has no column, see foldsColumns()
  bool typing = false;        ///< the caret is in the source: keys write there
  bool sourceIsTall = false;  ///< the source has more to show: the GPU panel is only its line
  std::optional<std::string> maximised{};  ///< the panel with all the room between the bars

  /// Switches to that mode, and from it back to exploring.
  void toggle(Mode which) { mode = mode == which ? Mode::Explore : which; }
  void notify(std::string sentence) {
    notice.text = std::move(sentence);
    notice.ends = -1;
  }
  /// True if only the effects of the finished steps may be shown.
  bool hidesFuture() const { return mode == Mode::Predict; }
  /// True if the first lesson is shown: it waits while the window is in another mode.
  bool guides() const { return guide.isOpen() && mode == Mode::Explore; }
  bool dialogOpen() const { return dialog != Dialog::None; }
  /// True if keys write into the source or a field.
  bool takesText() const;
  /// True if the source has its place in the window.
  bool showsSource() const;
};

/// The parameters of a view's drawing, for one frame.
struct ViewContext {
  ViewState& state;
  const FontTable& fonts;
  const TextMeasure& measure;
  Focus& pointed;               ///< the elements under the pointer, gathered while the frame is drawn
  float unit = 1;               ///< scale of text and spacing: 1 at 1600x1000
  Marks* otherMarks = nullptr;  ///< of another run than the session's

  Marks& marks() const { return otherMarks == nullptr ? state.marks : *otherMarks; }
  const Theme& theme() const { return *state.theme; }
  Session& session() const { return state.session; }
  Player& player() const { return state.session.player(); }
  const Replay* replay() const { return player().replay(); }
  /// The moment that the pictures of the current trace show.
  Moment moment() const { return makeMoment(*player().pictured(), session().plan()); }
  ImU32 color(ColorRole role, float alpha = 1.0F) const { return imguiColor(theme(), role, alpha); }
  /// A SceneContext of that size with the linked elements, for a scene that is shown at ImGui's cursor.
  SceneContext scene(ImVec2 size) const;
};

/// One panel. Views only read the session's state and call its operations; domain logic is elsewhere.
class View {
 public:
  virtual ~View() = default;
  /// Its place and size at this moment in a window of that shape.
  virtual PanelInfo panel(const WindowShape& shape) const = 0;
  /// The view's commands with their keys; requested once. They act between frames.
  virtual std::vector<Command> commands(ViewState&) { return {}; }
  /// Handles a key for a text that it shows; false if no text has the focus there.
  virtual bool type(ViewState&, const Chord&) { return false; }
  /// Closes the part that was opened in it, when Esc is pressed; false if nothing is open.
  virtual bool close(ViewState&) { return false; }
  /// Draws into the current ImGui window, which has a content region of that size.
  virtual void draw(const ViewContext& context, ImVec2 size) = 0;
};

/// Every view of the main window: the one list that registers them.
std::vector<std::unique_ptr<View>> makeViews();

}  // namespace lanescope
