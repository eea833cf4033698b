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

#include "app/paint/imgui_painter.h"
#include "app/paint/theme.h"
#include "app/scene/base/moment.h"
#include "app/session/base/settings.h"
#include "app/session/compare/table_columns.h"
#include "app/session/guide/guide.h"
#include "app/session/profile/text_profiles.h"
#include "app/session/quiz/quiz.h"
#include "app/session/run/session.h"
#include "app/session/sass/local_code.h"
#include "app/session/walk/focus.h"
#include "app/views/base/command.h"
#include "app/views/base/layout.h"

namespace lanescope {

class GpuSession;
struct CodeEvent;
struct GlossaryEntry;

enum class GpuPage : std::uint8_t { Bandwidth, Time, OverN, Why, Text };

/// What other panels need to know of the GPU panel.
struct GpuPanelState {
  GpuPage page = GpuPage::Bandwidth;
  std::uint64_t n = std::uint64_t{1} << 24U;  ///< elements and threads per block that it shows
  std::uint32_t block = 256;
  std::string notice{};              ///< one sentence from outside; may be empty
  std::set<std::string> onlyBars{};  ///< ids: the charts show no others; empty: what is chosen there
  std::string refusal{};             ///< why the text at hand was not run, one sentence; may be empty
};

/// How the table of strategies is sorted, and which times it shows.
struct TableOrder {
  TableColumn by = TableColumn::Strategy;
  bool descending = false;
  std::optional<std::uint64_t> measuredN;  ///< chosen by a person
};

/// What is lit up and chosen in the pictures of a run.
struct Marks {
  Focus hover{};               ///< under the pointer, of the frame before
  Linked linked{};             ///< what lights up with what is pointed at, else with the pinned thread
  std::int64_t thread = -1;    ///< pinned by a click; -1: none
  std::int32_t warp = -1;      ///< shown large; -1: the one that runs
  std::int32_t variable = -1;  ///< Trace::variables: its value is in every lane; -1: none

  /// The thread whose variables are shown: under the pointer, else the pinned one, else -1.
  std::int64_t shownThread() const { return hover.thread >= 0 ? hover.thread : thread; }
  bool isChosen() const { return thread >= 0 || warp >= 0 || variable >= 0; }
  void letGo();
  /// Lets go of what that trace has not.
  void keepTo(const Trace& trace);
  /// Finds what lights up at the replay's cursor; nothing without one.
  void light(const Replay* replay);
};

/// What is answered while the mode is Predict.
struct Prediction {
  Quiz quiz{};
  std::string answer{};                  ///< that is being given
  std::string answerOf{};                ///< and to which question
  std::vector<std::uint32_t> threads{};  ///< those that it names; sorted
};

/// One sentence on why a key did nothing, until the next key or click, or for a while.
struct Notice {
  std::string text{};
  double ends = -1;  ///< ImGui's time; -1: it was not drawn yet
};

/// What asks for something over the panels.
enum class Dialog : std::uint8_t {
  None,
  Open,    ///< a kernel file or a session
  Save,    ///< where to save
  Export,  ///< what to export, and where to
  Glossary,
};

/// What the views share and may change.
struct ViewState {
  Session& session;
  GpuSession& gpu;
  const Theme* theme = nullptr;
  const Commands* commands = nullptr;  ///< of the window
  Settings settings{};                 ///< what is remembered; its theme follows when it is saved
  Mode mode = Mode::Explore;

  Marks marks{};
  /// Session::generation() of the trace whose warp and variable are chosen; those of a session file are of
  /// the trace that is still to come.
  std::uint64_t markedGeneration = 0;
  Prediction prediction{};
  TableOrder table{};
  bool comparesWarps = false;  ///< two side by side show lanes below their ladders, not banks
  GpuPanelState gpuPanel{};
  TextProfiles profiles{};  ///< that ship: what a GPU measured of the strategies' lines

  LocalCode machineCode{};  ///< of the text at hand, from this machine's CUDA Toolkit

  Dialog dialog = Dialog::None;
  const GlossaryEntry* glossaryEntry = nullptr;  ///< chosen in the glossary; nullptr: none, or not opened yet
  bool usesSystemDialogs = false;  ///< files are chosen with the system's dialog, where there is one
  std::string lessonSearch{};      ///< what the list of lessons is searched for
  bool helpOpen = false;
  Guide guide{};  ///< the first lesson
  Notice notice{};

  bool presenting = false;
  bool laser = false;         ///< the pointer is a spot of light
  bool hasLargeText = false;  ///< in this frame, see hasLargeText()
  /// In this frame a question or a card of the first lesson needs its column: the panels are arranged as in
  /// the standard layout, since the chosen one has no room for it.
  bool asksInNarrowWindow = false;
  bool isFolded = false;             ///< in this frame the list of lessons has no column, see foldsColumns()
  bool typing = false;               ///< the caret is in the source: keys write there
  bool sourceIsTall = false;         ///< the source has more to show: of the GPU panel there is its line
  std::optional<Place> maximised{};  ///< a panel that has all the room between the bars

  /// To that mode, and from it back to exploring.
  void toggle(Mode which) { mode = mode == which ? Mode::Explore : which; }
  void notify(std::string sentence) {
    notice.text = std::move(sentence);
    notice.ends = -1;
  }
  /// Whether nothing may be shown but what follows from the steps done.
  bool hidesFuture() const { return mode == Mode::Predict; }
  /// Whether the first lesson is shown: it waits while the window is for something else.
  bool guides() const { return guide.isOpen() && mode == Mode::Explore; }
  bool dialogOpen() const { return dialog != Dialog::None; }
  /// Whether keys write somewhere: in the source, in a field.
  bool takesText() const;
  /// Whether the source has its place in the window.
  bool showsSource() const;
};

/// What a view draws with, for one frame.
struct ViewContext {
  ViewState& state;
  const FontTable& fonts;
  const TextMeasure& measure;
  Focus& pointed;               ///< what the pointer is on, gathered while the frame is drawn
  float unit = 1;               ///< scale of text and spacing: 1 at 1600x1000
  Marks* otherMarks = nullptr;  ///< of another run than the session's

  Marks& marks() const { return otherMarks == nullptr ? state.marks : *otherMarks; }
  const Theme& theme() const { return *state.theme; }
  Session& session() const { return state.session; }
  const Replay* replay() const { return state.session.replay(); }
  /// What the pictures of the trace at hand show.
  Moment moment() const { return momentOf(*session().pictured(), session().plan()); }
  ImU32 color(ColorRole role, float alpha = 1.0F) const { return imguiColor(theme(), role, alpha); }
  /// A SceneContext of that size with what is lit up, for a scene that is shown at ImGui's cursor.
  SceneContext scene(ImVec2 size) const;
};

/// One panel. Views only read the session's state and call its operations; they own no domain work.
class View {
 public:
  virtual ~View() = default;
  /// Its ImGui id and name for a test.
  virtual std::string_view name() const = 0;
  virtual Place place() const = 0;
  /// False where the view has nothing to show in a window of that shape.
  virtual bool shownIn(const WindowShape&) const { return true; }
  /// True where the picture brings its own margin and fills the panel.
  virtual bool fillsPanel() const { return false; }
  /// True where it has panels of its own, on the window's background.
  virtual bool hasPanels() const { return false; }
  /// What a person can ask of it, with the keys for that; asked for once. They act between frames.
  virtual std::vector<Command> commands(ViewState&) { return {}; }
  /// Takes a key or character for a text that it shows; false where nobody writes there.
  virtual bool type(ViewState&, const CodeEvent&) { return false; }
  /// Closes what was opened in it, as Esc asks; false where nothing is open.
  virtual bool close(ViewState&) { return false; }
  /// Draws into the current ImGui window, whose content region has that size.
  virtual void draw(const ViewContext& context, ImVec2 size) = 0;
};

/// Every view of the main window: the one list that registers them.
std::vector<std::unique_ptr<View>> makeViews();

}  // namespace lanescope
