#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/source/line_costs.h"
#include "app/scene/source/source_tokens.h"
#include "app/session/profile/text_profiles.h"
#include "app/views/base/view.h"
#include "app/views/source/code_input.h"
#include "app/views/source/code_rows.h"

namespace lanescope {

/// The text at hand, to read and to edit. Where it is the one that the trace is of: the line and the
/// operation under way, where each warp is, what each line has cost, and its hazards. Elsewhere:
/// the faults found in it.
class SourceListing {
 public:
  /// Draws rows of that many pixels; whole ones, so that less may be used.
  void draw(const ViewContext& context, ImVec2 size);
  /// Takes a key or character for the text at hand, once it has been drawn.
  void type(Session& session, const CodeEvent& event);
  /// Puts the caret there and shows it; the keyboard then writes there.
  void edit(const ViewContext& context, std::uint32_t offset);
  /// Whether the margin of what a GPU measured is there.
  bool showsProfile() const { return profile_ != nullptr; }
  /// Of the profile, also how many instructions per warp each line has: where no line of code wraps for that.
  bool showsInstructions() const { return showsInstructions_; }
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

  void follow(const ViewContext& context);
  void findWarps(const Replay& replay);
  void layOut(std::uint32_t columns);
  Columns columnsOf(const ViewContext& context, float width) const;
  void takeInput(const ViewContext& context, const Columns& columns, ImVec2 origin);
  float contentHeight(const Columns& columns) const;
  void scroll(const ViewContext& context, const Columns& columns);
  void show(std::size_t row, float rowHeight, bool nearest);
  /// As ImGui scrolls at the end of the frame: what was asked for in it counts already.
  float scrolled() const;
  void scrollTo(float y);
  /// After presenting, back to what was in sight before, where the walk has not gone on. False: there is
  /// nothing to go back to.
  bool comeBack(const ViewContext& context, const Columns& columns, bool isNewLayout);
  void drawRow(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at);
  void followProfile(const ViewContext& context);
  /// Pixels that the measured margin takes; 0 where nothing was measured of the text.
  float profileWidth(float advance) const;
  /// What of that the instructions per warp take, where they are shown.
  float instructionsWidth(float advance) const;
  /// The line's share of the samples as a heat bar and a number, and before it the instructions per warp; a
  /// click opens its machine code.
  void drawProfile(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at);
  void drawInstructions(const ViewContext& context, const LineShare& measured, const Columns& columns,
                        ImVec2 at) const;
  void drawMachineCode(const ViewContext& context);
  void drawCodeTable(const ViewContext& context, const LineShare& line) const;
  void drawBackground(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawCode(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawUnderlines(const ViewContext& context, std::size_t index, const Columns& columns, ImVec2 at) const;
  void drawMargins(const ViewContext& context, const CodeRow& row, const Columns& columns, ImVec2 at) const;
  /// What the pointer is on in a row's margin, besides the margin itself.
  enum class MarginPart : std::uint8_t { None, Warps, Finding };
  /// The line number and its breakpoint, with the click of all of the margin that is not taken.
  void drawStop(const ViewContext& context, const CodeRow& row, const Columns& columns, ImVec2 at,
                MarginPart taken) const;
  void drawCost(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  /// True where the pointer is on them.
  bool drawWarps(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  /// True where the pointer is on their sign.
  bool drawFindings(const ViewContext& context, std::uint32_t line, const Columns& columns, ImVec2 at) const;
  std::string faultsOn(const ViewContext& context, std::uint32_t line) const;
  float x(std::size_t row, std::uint32_t offset, const Columns& columns) const;
  void squiggle(const ViewContext& context, std::size_t row, SourceSpan span, const Columns& columns,
                ImVec2 at, ColorRole color) const;

  const Document* document_ = nullptr;
  std::uint64_t revision_ = 0;
  const std::string* text_ = nullptr;
  bool isTraced_ = false;  ///< the text is the one that the trace is of
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
  std::optional<float> scrollTo_;  ///< asked for in this frame
  std::optional<std::uint32_t> revealLine_;
  std::optional<std::uint32_t> revealed_;  ///< stays in sight until the cursor is on another line
  /// Where a click began the typing: until that ends, the text has room to stay there.
  struct Held {
    float scroll = 0;
    float view = 0;  ///< height of the listing then
  };
  std::optional<Held> held_;
  /// What was in sight before the window presented.
  struct Sight {
    std::uint32_t offset = 0;  ///< in the text, of the first row
    Cursor cursor;             ///< of the walk
  };
  std::optional<Sight> sight_;
  bool presents_ = false;   ///< in the frame before
  bool comesBack_ = false;  ///< until the layout is settled again
  LineCosts costs_;
  /// Where a warp was last.
  struct LineWarp {
    std::uint32_t line = 0;
    std::uint32_t warp = 0;
    bool isWaiting = false;
  };
  std::vector<LineWarp> warps_;  ///< by line, then by warp
  const Document* profiledDocument_ = nullptr;
  std::uint64_t profiledRevision_ = 0;
  std::uint64_t profilesSeen_ = 0;         ///< as TextProfiles::revision()
  const TextProfile* recorded_ = nullptr;  ///< of that revision
  const TextProfile* profile_ = nullptr;   ///< the same, where it is shown
  bool showsInstructions_ = false;
  std::uint32_t codeLine_ = 0;  ///< whose machine code is open
  Area codeRow_{};              ///< of that line's share, in the window
  bool opensCode_ = false;
};

/// Goes to the step at which the trace shows that side of a hazard, and keeps its thread lit. False where
/// the trace does not show it.
bool goTo(const ViewContext& context, const HazardAccess& access);

}  // namespace lanescope
