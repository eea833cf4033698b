#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/paint/imgui_painter.h"
#include "app/paint/theme.h"
#include "app/scene/moment.h"
#include "app/session/focus.h"
#include "app/session/quiz.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "app/session/table_columns.h"
#include "app/views/command.h"
#include "app/views/layout.h"

namespace lanescope {

class GpuSession;
struct CodeEvent;

enum class GpuPage : std::uint8_t { Bandwidth, Time, OverN, Text };

/// What other panels need to know of the GPU panel.
struct GpuPanelState {
  GpuPage page = GpuPage::Bandwidth;
  bool isLarge = false;                       ///< over all pictures and the right column
  std::uint64_t n = std::uint64_t{1} << 24U;  ///< elements and threads a block that it shows
  std::uint32_t block = 256;
  std::string refusal;  ///< why the text at hand was not run, one sentence; may be empty
};

/// How the table of strategies is sorted, and which times it shows.
struct TableOrder {
  TableColumn by = TableColumn::Strategy;
  bool descending = false;
  std::optional<std::uint64_t> measuredN;  ///< chosen by a person
};

/// What the views share and may change.
struct ViewState {
  Session& session;
  GpuSession& gpu;
  const Theme* theme = nullptr;
  const Commands* commands = nullptr;  ///< of the window
  std::string gpuNotice{};             ///< one sentence from outside for the GPU panel; may be empty
  Focus hover{};                       ///< of the frame before
  Focus nextHover{};                   ///< gathered in this frame
  std::int64_t pinnedThread = -1;      ///< chosen by a click; -1: none
  Mode mode = Mode::Explore;
  bool helpOpen = false;
  bool presenting = false;
  bool isFolded = false;  ///< in this frame large text has folded the list of strategies, see foldsColumns()
  bool laser = false;     ///< the pointer is a spot of light
  Settings settings{};    ///< what is remembered; its theme follows when it is saved
  bool typing = false;    ///< the caret is in the source: keys write there
  bool sourceIsTall = false;        ///< the source has more to show: of the GPU panel its heading is left
  bool openDialog = false;          ///< asks for a kernel file's path
  bool saveDialog = false;          ///< asks where to save
  int tourStep = -1;                ///< of the tour, from 0; -1: none is shown
  bool restored = false;            ///< the next trace keeps what is chosen: it comes from a session file
  bool exportDialog = false;        ///< asks what to take away, and where to
  TableOrder table{};               ///< how the table of strategies is sorted
  Linked linked{};                  ///< what lights up with what is pointed at, else with the pinned thread
  std::int32_t shownVariable = -1;  ///< Trace::variables: its value is in every lane; -1: none
  std::int32_t pinnedWarp = -1;     ///< shown large; -1: the one that runs
  bool comparesWarps = false;       ///< two side by side show lanes below their ladders, not banks
  std::uint64_t generation = 0;     ///< the trace that the two above belong to
  Quiz quiz{};                      ///< followed while the mode is Predict
  std::string prediction{};         ///< the answer that is being given
  std::string predictionOf{};       ///< and to which question
  std::vector<std::uint32_t> chosenThreads{};  ///< those that it names; sorted

  /// To that mode, and from it back to exploring.
  void toggle(Mode which) { mode = mode == which ? Mode::Explore : which; }
  /// Whether only what the steps done tell may be shown.
  bool hidesFuture() const { return mode == Mode::Predict; }

  GpuPanelState gpuPanel{};

  std::string
      notice{};  ///< one sentence on why a key did nothing, until the next key or click, or for a while
  double noticeEnds = -1;  ///< ImGui's time; -1: it was not drawn yet
  Area noticeRoom{};       ///< free for it in the transport of this frame; empty: none
  void tell(std::string sentence) {
    notice = std::move(sentence);
    noticeEnds = -1;
  }

  bool dialogOpen() const { return openDialog || saveDialog || exportDialog; }
  /// Whether keys write somewhere: in the source, in a field.
  bool takesText() const;
  /// Whether the source has its place in the window.
  bool showsSource() const;
  /// The thread whose variables are shown: under the pointer, else the pinned one, else -1.
  std::int64_t thread() const { return hover.thread >= 0 ? hover.thread : pinnedThread; }
};

/// What a view draws with, for one frame.
struct ViewContext {
  ViewState& state;
  const FontTable& fonts;
  const TextMeasure& measure;
  float unit = 1;  ///< scale of text and spacing: 1 at 1600x1000

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
  /// False where the view has nothing to show in that mode.
  virtual bool shownIn(Mode) const { return true; }
  /// True where the picture brings its own margin and fills the panel.
  virtual bool fillsPanel() const { return false; }
  /// What a person can ask of it, with the keys for that; asked for once. They act between frames.
  virtual std::vector<Command> commands(ViewState&) { return {}; }
  /// Takes a key or character for a text that it shows; false where nobody writes there.
  virtual bool type(ViewState&, const CodeEvent&) { return false; }
  /// Draws into the current ImGui window, whose content region has that size.
  virtual void draw(const ViewContext& context, ImVec2 size) = 0;
};

/// Every view of the main window: the one list that registers them.
std::vector<std::unique_ptr<View>> makeViews();

}  // namespace lanescope
