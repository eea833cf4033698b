#pragma once

#include <string>
#include <vector>

#include "app/views/line_costs.h"
#include "app/views/source_tokens.h"
#include "app/views/view.h"

namespace lanescope {

/// The kernel text with the line and the operation under way, where each warp stands, what each line
/// has cost, and a thread's variables.
class SourceView final : public View {
 public:
  std::string_view name() const override { return "source"; }
  Place place() const override { return Place::Source; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  /// A line of the source, or the rest of one that is too long, as a row on the screen.
  struct Row {
    std::uint32_t line = 0;
    std::uint32_t begin = 0;  ///< byte offsets in the text
    std::uint32_t end = 0;
    std::uint32_t indent = 0;  ///< columns before its text
    bool first = true;
  };
  /// The columns of the listing, in pixels from its left edge.
  struct Columns {
    float advance = 0;  ///< of one character
    float rowHeight = 0;
    float warps = 0;
    float code = 0;
    float right = 0;
  };

  void follow(const Replay& replay, std::uint64_t generation);
  Columns columnsOf(const ViewContext& context, float width) const;
  void layoutRows(std::uint32_t columns);
  void drawListing(const ViewContext& context, ImVec2 size);
  void drawRow(const ViewContext& context, const Row& row, const Columns& columns, ImVec2 at) const;
  void drawCode(const ViewContext& context, const Row& row, const Columns& columns, ImVec2 at) const;
  /// Numbers, breakpoints and their clicks.
  void drawStop(const ViewContext& context, const Row& row, const Columns& columns, ImVec2 at) const;
  void drawCost(const ViewContext& context, const Row& row, const Columns& columns, ImVec2 at) const;
  void drawMargins(const ViewContext& context, const Row& row, const Columns& columns, ImVec2 at) const;

  std::uint64_t generation_ = UINT64_MAX;
  const SourceText* source_ = nullptr;
  std::vector<SourceToken> tokens_;
  std::vector<Row> rows_;
  std::uint32_t laidOutColumns_ = 0;
  std::uint32_t shownLine_ = 0;
  LineCosts costs_;
};

}  // namespace lanescope
