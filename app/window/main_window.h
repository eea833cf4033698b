#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/executor.h"
#include "app/panels/base/layout.h"
#include "app/panels/base/view.h"
#include "app/panels/export_dialog.h"
#include "app/panels/file_dialogs.h"
#include "app/panels/glossary_dialog.h"
#include "app/workbench/drafts.h"

namespace lanescope {

/// Time until a notice disappears, in seconds.
inline constexpr double kNoticeSeconds = 4;

/// Removes the current notice after a click, or when its time is over. Call it before the views of a frame.
void endNotice(ViewState& state);
/// Draws the current notice, if there is one, in the middle just above the lower end of that room, which
/// begins at the window's upper left corner. It floats: nothing moves, and clicks go through it.
void drawNotice(const ViewContext& context, ImVec2 room);

/// The window's whole content: lays out the views, shares the linked elements among them, handles the keys.
class MainWindow {
 public:
  /// The executor does what is not the session's work: its owner is woken when a frame is needed.
  MainWindow(Session& session, GpuSession& gpu, const Theme& theme,
             const ExecutorPtr& executor = std::make_shared<ThreadExecutor>());
  MainWindow(const MainWindow&) = delete;  // its commands store its address
  MainWindow& operator=(const MainWindow&) = delete;

  /// Draws a frame of that size; call it between ImGui::NewFrame and ImGui::Render.
  void draw(ImVec2 size, const FontTable& fonts, float unit);
  /// Handles a key of the window: its current command runs, or else the text that has the focus gets it.
  void receive(const Chord& pressed) {
    if (!press(pressed)) type(pressed);
  }
  /// A key for the current text; false if no text has the focus.
  bool type(const Chord& pressed);
  /// True if keys are typed into a text and mean nothing else.
  bool takesText() const { return state_.takesText(); }
  /// The unit to draw a frame of that size with.
  float unit(ImVec2 size) const { return unit(size, static_cast<float>(state_.settings.scale)); }
  /// Does the key's current action; false if nothing was done, and then the notice can say why.
  bool press(const Chord& chord);
  /// Makes the window fill the screen, and back; set by the owner of a screen.
  std::function<void()> onFullScreen;
  const Commands& commandTable() const { return commands_; }

  /// True if the next frame will differ without any input: something has just lit up.
  bool restless() const { return restless_; }
  /// Seconds until a notice disappears or a draft of an unsaved text is due; no value if neither is.
  std::optional<double> secondsToChange() const;
  /// From now on unsaved texts are kept for the next start, and those of an earlier one are offered.
  void keepDrafts();
  /// Writes what is not kept yet: the window ends. What went wrong in it: a sentence or more, or "".
  std::string flushDrafts();
  const ViewState& state() const { return state_; }
  ViewState& state() { return state_; }
  /// The shape of the last drawn frame.
  const WindowShape& shape() const { return shape_; }
  /// Its places.
  const WindowLayout& layout() const { return layout_; }

 private:
  float unit(ImVec2 size, float scale) const;
  void drawView(const ViewContext& context, std::size_t index);
  WindowShape shape(const ViewContext& context, ImVec2 size) const;
  std::vector<Command> commands();
  void syncTrace();
  bool errorShows() const;
  /// A sentence in a strip below all places, which the layout leaves free, with its buttons.
  struct Strip {
    std::string text;
    ColorRole color = ColorRole::Bad;
    struct Button {
      const char* label;
      void (*act)(MainWindow& window);
    };
    std::vector<Button> buttons;
  };
  std::optional<Strip> findStrip() const;
  static float buttonsWidth(const ViewContext& context, const Strip& strip);
  static float stripTextWidth(const ViewContext& context, const Strip& strip, float window);
  static bool popupShows();
  Refusal escape();
  Refusal changeScale(int by);
  void drawLaser(const ViewContext& context) const;
  void drawStrip(const ViewContext& context, ImVec2 size);
  float stripHeight(const ViewContext& context, ImVec2 size) const;
  void syncDrafts();

  Commands commands_;
  ViewState state_;
  SystemDialogs systemDialogs_;
  OpenDialog openDialog_;
  SaveDialog saveDialog_;
  GlossaryDialog glossaryDialog_;
  std::vector<std::unique_ptr<View>> views_;
  ExportDialog export_;
  std::optional<Drafts> drafts_;  ///< none: nothing is kept
  const Theme* styled_ = nullptr;
  float styledUnit_ = 0;
  WindowShape shape_;
  std::vector<PanelInfo> panels_;  ///< of the last frame, in the order of the views
  WindowLayout layout_;            ///< of the last frame
  bool closesPopups_ = false;      ///< before the next frame
  bool restless_ = false;
};

}  // namespace lanescope
