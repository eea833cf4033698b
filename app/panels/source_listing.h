#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/panels/base/code_input.h"
#include "app/panels/base/view.h"
#include "app/panels/line_unit.h"
#include "app/pictures/line_costs.h"

namespace lanescope {

/// The current text, to read and to edit. If the trace is of this text: the current line and operation, each
/// warp's line, each line's cost, and its hazards. Otherwise: its faults.
class SourceListing {
 public:
  /// Draws rows of that many pixels; rounded down to whole ones.
  void draw(const ViewContext& context, ImVec2 size);
  /// Handles a key or character for the current text, once it has been drawn.
  void type(Session& session, const Chord& pressed);
  /// Puts the caret there and shows it; the keyboard then writes there.
  void edit(const ViewContext& context, std::uint32_t offset);
  /// The names of the right margins of the listing that was drawn last, each over its own or as near to it as
  /// there is room, after the heading that was drawn last. `width`: of the listing, in pixels.
  void drawTitles(const ViewContext& context, float width) const;
  /// Scrolls to a line at the next frame.
  void reveal(std::uint32_t line) { revealLine_ = line; }

 private:
  /// The columns of the listing, in pixels from its left edge.
  struct Columns {
    float advance = 0;  ///< of one character
    float rowHeight = 0;
    float number = 0;  ///< right end of the line numbers
    float warps = 0;
    float code = 0;
    float right = 0;
  };

  void syncTo(const ViewContext& context);
  void layOut(std::uint32_t columns);
  Columns makeColumns(const ViewContext& context, float width) const;
  void handleInput(const ViewContext& context, const Columns& columns, ImVec2 origin);
  float contentHeight(const Columns& columns) const;
  void scroll(const ViewContext& context, const Columns& columns);
  void show(std::size_t row, float rowHeight, bool nearest);
  /// The scroll position at the end of the frame: requests in this frame are included.
  float scrolled() const;
  void scrollTo(float y);
  /// After presenting, back to the part in sight before, unless the walk has moved. False: there is no such
  /// part.
  bool comeBack(const ViewContext& context, const Columns& columns, bool isNewLayout);
  void drawRow(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at);
  void syncProfile(const ViewContext& context);
  /// What the second margin shows of a line, in the unit of the timeline's widths; its time if they are
  /// equal.
  struct LineAmount {
    double share = 0;  ///< of the kernel's
    double most = 0;   ///< that a line has
    std::string tip;
  };
  /// Nullopt if it is unknown, or the line has none.
  std::optional<LineAmount> amountOf(std::uint32_t line) const;
  bool showsAmounts() const { return profile_ != nullptr || unit_.width() == StepWidth::Instructions; }
  /// Pixels of the second margin; 0 if there is none.
  float amountsWidth(float advance) const;
  /// The part of it for the instructions per warp, if they are shown.
  float instructionsWidth(float advance) const;
  /// The line's share as a heat bar and a number, and before it the instructions per warp; a click opens its
  /// machine code.
  void drawAmount(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at);
  void drawInstructions(const ViewContext& context, std::uint32_t line, const Columns& columns,
                        ImVec2 at) const;
  void drawMachineCode(const ViewContext& context);
  void drawCodeTable(const ViewContext& context, const LineShare& line) const;
  void drawBackground(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawCode(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawUnderlines(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawMargins(const ViewContext& context, const CodeRow& row, const Columns& columns, ImVec2 at) const;
  /// The part of a row's margin under the pointer, besides the margin itself.
  enum class MarginPart : std::uint8_t { None, Warps, Finding };
  /// The line number and its breakpoint, with clicks in the free part of the margin.
  void drawStop(const ViewContext& context, const CodeRow& row, const Columns& columns, ImVec2 at,
                MarginPart taken) const;
  void drawCost(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  /// True if the pointer is on them.
  bool drawWarps(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  /// True if the pointer is on their sign.
  bool drawFindings(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  std::string faultsOn(const ViewContext& context, std::uint32_t line) const;
  float x(std::size_t row, std::uint32_t offset, const Columns& columns) const;
  void squiggle(const ViewContext& context, std::size_t row, SourceSpan span, const Columns& columns,
                ImVec2 at, ColorRole color) const;

  const Document* document_ = nullptr;
  std::uint64_t revision_ = 0;
  const std::string* text_ = nullptr;
  bool isTraced_ = false;  ///< the trace is of this text
  std::vector<SourceToken> tokens_;
  std::size_t longest_ = 0;  ///< bytes of the longest line that is not a comment
  CodeRows rows_;
  std::uint32_t columns_ = 0;
  CodeInput input_;
  std::size_t pageRows_ = 0;  ///< that are seen at once
  std::uint32_t shownCaret_ = 0;
  static constexpr std::uint32_t kNoLine = UINT32_MAX;
  std::uint32_t shownLine_ = kNoLine;  ///< of the step that was shown last; 0: the kernel's head
  float shownHeight_ = 0;
  std::uint32_t shownColumns_ = 0;
  std::optional<float> scrollTo_;  ///< requested in this frame
  std::optional<std::uint32_t> revealLine_;
  std::optional<std::uint32_t> revealed_;  ///< stays in sight until the cursor is on another line
  /// The place at which a click began the typing: until the typing ends, the text has room to stay there.
  struct Held {
    float scroll = 0;
    float view = 0;  ///< height of the listing then
  };
  std::optional<Held> held_;
  /// The part in sight before the window presented.
  struct Sight {
    std::uint32_t offset = 0;  ///< in the text, of the first row
    Cursor cursor;             ///< of the walk
  };
  std::optional<Sight> sight_;
  bool presents_ = false;   ///< in the previous frame
  bool comesBack_ = false;  ///< until the layout is settled again
  LineCosts costs_;
  std::vector<LineWarp> warps_;
  const Document* profiledDocument_ = nullptr;
  std::uint64_t profiledRevision_ = 0;
  std::uint64_t profilesSeen_ = 0;         ///< as TextProfiles::revision()
  const TextProfile* recorded_ = nullptr;  ///< of that revision
  const TextProfile* profile_ = nullptr;   ///< the same, if it is shown
  LineUnit unit_;                          ///< of that revision
  bool showsInstructions_ = false;         ///< per warp: only if that makes no line of code wrap
  float advance_ = 0;                      ///< of one character
  std::uint32_t codeLine_ = 0;             ///< the line with its machine code open
  Area codeRow_{};                         ///< of that line's share, in the window
  bool opensCode_ = false;
};

/// Goes to the step at which the trace shows that side of a hazard, and keeps its thread lit. False if the
/// trace does not show it.
bool goTo(const ViewContext& context, const HazardAccess& access);

}  // namespace lanescope
