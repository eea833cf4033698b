#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <imgui.h>

#include "app/panels/base/view.h"

namespace lanescope {

/// A list that scrolls by whole rows, all of one height: its first row is never cut in half.
class RowList {
 public:
  /// Begins the list as an ImGui child of that name, of `rows` rows of `pitch` pixels; end it with end(). A
  /// pitch is rounded to whole pixels, and rows are drawn without spacing between them.
  void begin(const char* name, float width, std::size_t rows, float pitch);
  void end();
  /// In whole pixels.
  float pitch() const { return pitch_; }
  /// Brings that row into sight, in the middle of the list if it was out of sight.
  void reveal(std::size_t row) const;

 private:
  float pitch_ = 1;
  float owed_ = 0;  ///< rows that the wheel has turned and that are not scrolled yet
};

/// The ImGui window of the panels; dialogs have their own above it.
inline constexpr const char* kPanelsWindow = "Lanescope";

/// The pointer's action on a scene that was shown.
struct SceneInput {
  const HitArea* hit = nullptr;  ///< under the pointer, part of the scene; or nullptr
  bool hovered = false;
  bool held = false;  ///< pressed on the scene and not released
  bool clicked = false;
  ImVec2 local{0, 0};  ///< the pointer, in the scene's coordinates
};

/// The places of a picture's tips. BelowRow: tips of lanes and words are below their row, others at the
/// pointer. WordsBelowPicture: the same, but the tips of words are below the picture, so that its other words
/// and labels stay in sight. AbovePicture: all above it.
enum class TipPlace : std::uint8_t { BelowRow, WordsBelowPicture, AbovePicture };

/// Paints a scene at the cursor, with tooltips. A hovered element lights up everywhere. A click on a thread
/// pins it, a click on a hit with a step goes there.
SceneInput showScene(const ViewContext& context, const Scene& scene, const char* id,
                     TipPlace tips = TipPlace::BelowRow);

/// Opens the combo of that id, which is drawn next.
void openCombo(const char* id);

/// Text of one line in a role's font and a theme color, at the cursor.
void label(const ViewContext& context, std::string_view text, ColorRole color = ColorRole::Text,
           FontRole font = FontRole::Body);
/// Pixels that a label takes.
float labelWidth(const ViewContext& context, std::string_view text, FontRole font = FontRole::Body);
/// A panel's heading: capitals in bold, with a note after it, smaller and dim.
void heading(const ViewContext& context, std::string_view title, std::string_view detail = {});
/// Text wrapped at the content region's right edge.
void wrappedText(const ViewContext& context, std::string_view text, ColorRole color = ColorRole::Text,
                 FontRole font = FontRole::Body);
/// A button as high as `height`, lit if `selected`. Its label must fit its width.
bool pill(const ViewContext& context, const char* text, bool selected, float width, float height);
/// A button's look, if it differs from the command's.
struct ButtonLook {
  const char* text = nullptr;  ///< null: the command's label
  bool isLit = false;
  float width = 0;            ///< pixels; 0: fits the text
  float height = 0;           ///< 0: as other buttons
  const char* tip = nullptr;  ///< null: the command's
};
/// A button that does the same as the command's key, and names that key in its tip. If the command is
/// blocked, it is grey, and its tip says why.
void commandButton(const ViewContext& context, std::string_view id, const ButtonLook& look = {});
/// A tip for the previous item, while it is hovered, which names the command's key.
void commandHint(const ViewContext& context, std::string_view id, std::string_view text = {});
/// An entry of an open list; the arrow keys begin at the chosen one.
bool choice(const char* text, bool isChosen);
/// Continues in the same row with a group of buttons, with a title if there is room.
void nextGroup(const ViewContext& context, std::string_view title = {});
/// Width a pill needs for its text.
float pillWidth(const ViewContext& context, std::string_view text, FontRole font = FontRole::Body);
/// The text, cut with an ellipsis if it is wider than that in the current font; an ellipsis alone if nothing
/// of it fits.
std::string cutToFit(std::string_view text, float width);
/// A menu of any items, as high as they need. If it returns true, end it with ImGui::EndCombo().
bool beginCombo(const ViewContext& context, const char* id, const std::string& shown,
                ImGuiComboFlags more = 0);
/// A list of that many entries, each a row with one line of text. If there is too little room, it scrolls by
/// whole rows. If it returns true, end it with endList().
bool beginList(const ViewContext& context, const char* id, const std::string& shown, std::size_t rows,
               ImGuiComboFlags more = 0);
void endList();
inline constexpr float kTipWidth = 420;  ///< units, for a tip of several sentences
/// A tip's text: a line in bold, sentences, and dim lines below them. Each can be empty.
struct TipText {
  std::string_view title{};
  std::string_view text{};
  std::string_view note{};
  /// Pixels from the window's top: the tip begins below that if there is room, else it ends above this.
  std::optional<float> below{};
  std::optional<float> above{};
  std::optional<float>
      rightEdge{};  ///< pixels from the window's left: it begins beside that, else at the pointer
};
/// A tip at the pointer, in lines of at most that many units (0: of the window's width). It is complete in
/// its first frame, whatever the previous frame showed. While a dialog or the help is open, the panels have
/// none.
void tip(const ViewContext& context, const TipText& parts, float units = 0);
inline void tip(const ViewContext& context, std::string_view text, float units = 0) {
  tip(context, TipText{.text = text}, units);
}
/// A tip for the previous item, while it is hovered.
void hint(const ViewContext& context, const char* text);
/// The same tip, wrapped, also for a disabled item, to explain why. It is above the item: its neighbors stay
/// in sight.
void hintAlways(const ViewContext& context, std::string_view text);
/// Begins a panel as an ImGui child with that name, a ground and a border, which does not scroll. Its content
/// is on that ground, which is not painted again. End it with endPanel().
void beginPanel(const ViewContext& context, const char* name, const Area& area,
                ImVec2 padding = ImVec2(0, 0));
/// Like beginPanel(), without a ground, for stages with a ground per panel.
void beginStage(const char* name, const Area& area);
void endPanel();  ///< or the stage
/// Ends a child window that scrolls by pixels: a line that is cut at its upper or lower edge fades there. Its
/// children's drawing stays unchanged. `cutsBelow`: true if the lower edge cuts a line and more follows.
void endScrolling(const ViewContext& context, bool cutsBelow = true);
/// A framed window over the panels, at the position from SetNextWindowPos; end it with endOverlay().
void beginOverlay(const ViewContext& context, const char* name, ColorRole frame, ImVec2 padding,
                  ImGuiWindowFlags more = 0);
void endOverlay();
/// An overlay with a question and a heading, over the upper middle of a window of that size. It takes all
/// keys. End it with endOverlay().
void beginDialog(const ViewContext& context, const char* name, std::string_view title,
                 std::string_view detail, ImVec2 size);
/// Why the trace is still missing, in one sentence.
std::string waitingText(const ViewContext& context);
/// A sentence that names a panel's content, for the time until there is a trace; "" if one is about to come.
std::string comesWithRun(const ViewContext& context, std::string_view what);
/// A panel's heading before there is a trace, and a sentence below it; "" leaves the panel quiet.
void drawWaiting(const ViewContext& context, std::string_view title, std::string_view sentence = {});
/// Like drawWaiting(), in a panel that has no margin.
void drawWaitingPicture(const ViewContext& context, std::string_view title, std::string_view sentence = {});

/// A filled triangle with its tip there, right or left of its upright side at `side`. Its corners are
/// clockwise: Dear ImGui smooths no others.
void pointingTriangle(ImDrawList& list, ImVec2 tip, float side, float halfHeight, ImU32 color);

/// An ImGui window's style colors from the theme, sizes from the unit.
void applyStyle(const Theme& theme, float unit);

}  // namespace lanescope
