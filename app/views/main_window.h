#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/views/export_dialog.h"
#include "app/views/layout.h"
#include "app/views/open_dialog.h"
#include "app/views/save_dialog.h"
#include "app/views/view.h"

namespace lanescope {

/// Keys that the window acts on, as the platform's keyboard names them.
enum class Key : std::uint8_t {
  Space,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  Theme,
  Help,
  Escape,
  Faster,
  Slower,
  Grain1,
  Grain2,
  Grain3,
  PassOn,
  WarpOn,
  WarpBack,
  Motion,
  PassBack,
  Run,
  Conflict,
  Divergence,
  Hazard,
  Barrier,
  StopOnLine,
  RunText,
  Open,
  Save,
  Compare,
  Table,
  Predict,
  Present,
  Laser,
  Larger,
  Smaller,
  OwnSize,
  StrategyBack,
  StrategyOn,
  FewerElements,
  MoreElements,
  Machine,
  Blocks,
  Luck,
  LargeGpu,
  GpuPage,
  GpuRun,
  GpuMenu,
  GpuLists,  ///< N, with Shift the block
  GpuGrid,
  Export,
  Write,  ///< into the source
  LaunchForm,
  OwnText,        ///< back to the strategy's own
  ShownBlock,     ///< the next one, or the one before
  OtherStrategy,  ///< in the comparison
  SaveScore,
  Copy,  ///< the table
  Enter,
  Yes,
  ShowAnswer,          ///< a letter, which a field takes
  ShowAnswerAnywhere,  ///< the same beside any text
};

/// Everything in the window: lays out the views, shares what is lit up among them, takes the keys.
class MainWindow {
 public:
  /// `wake` is called from another thread when something in the background asks for a frame.
  MainWindow(Session& session, GpuSession& gpu, const Theme& theme, std::function<void()> wake = {});

  /// Draws a frame of that size; call it between ImGui::NewFrame and ImGui::Render.
  void draw(ImVec2 size, const FontTable& fonts, float unit);
  /// A key or character for the text at hand; false where nobody writes there.
  bool type(const CodeEvent& event);
  /// Whether keys write somewhere and mean nothing else.
  bool takesText() const;
  /// The unit to draw a frame of that size with.
  float unit(ImVec2 size) const {
    return unitFor(size, static_cast<float>(state_.settings.scale), state_.presenting);
  }
  /// Acts on a key; false where nothing changes. While keys write somewhere only RunText, Open and Escape do.
  bool press(Key key, bool shift = false);

  /// True when the frame after this one will differ without any input: something has just lit up.
  bool restless() const { return restless_; }
  /// Seconds until a notice goes by itself, or nothing where none is shown.
  std::optional<double> secondsToChange() const;
  const ViewState& state() const { return state_; }
  ViewState& state() { return state_; }

 private:
  void drawView(const ViewContext& context, View& view, const Area& area);
  WindowShape shape(const ViewContext& context, ImVec2 size) const;
  bool toggleMode(Mode mode);
  std::optional<bool> pressInTable(Key key);
  bool leaveStage();
  void followTrace();
  void moveWarp(int by);
  bool errorShows() const;
  bool sourceShows() const;
  static bool popupShows();
  bool escape();
  bool changeScale(int by);
  bool chooseByKey(Key key);
  bool showBlock(int by);
  bool compareWithNext(int by);
  bool pressInSource(Key key);
  /// Tells why a key does nothing; false.
  bool refuse(const char* sentence);
  bool pressInGpu(Key key, bool shift);
  void drawLaser(const ViewContext& context) const;
  void drawError(const ViewContext& context, ImVec2 size) const;
  float errorHeight(const ViewContext& context, ImVec2 size) const;

  ViewState state_;
  OpenDialog openDialog_;
  SaveDialog saveDialog_;
  std::vector<std::unique_ptr<View>> views_;
  ExportDialog export_;
  const Theme* styled_ = nullptr;
  float styledUnit_ = 0;
  WindowShape shape_;
  bool runIsDue_ = false;
  bool closesPopups_ = false;  ///< before the next frame
  bool restless_ = false;
};

}  // namespace lanescope
