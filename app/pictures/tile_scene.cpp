#include "app/pictures/tile_scene.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/base/cell_grid.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/thread_block.h"

namespace lanescope {

/// The position of a matrix or tile in the picture.
struct TileFrame {
  const TileArray* array = nullptr;
  Rect area{};               ///< of its cells
  float wide = 0, high = 0;  ///< of a cell
};

/// Units that the tag of a fault and its cell take below the pictures.
constexpr float kTileFault = 50;

/// The element of the access that ended the block: in its matrix, or in a row of its own above or below it if
/// out of bounds, with a tag below. If its array is not drawn, only the tag.
void paintTileFault(SceneBuilder& out, const Moment& moment, const std::vector<TileFrame>& frames);

namespace {

std::int64_t computeFloor(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

}  // namespace

void paintTileFault(SceneBuilder& out, const Moment& moment, const std::vector<TileFrame>& frames) {
  const TraceFault* const fault = moment.fault();
  if (fault == nullptr || fault->array < 0) return;
  const auto isOfFault = [fault](const TileFrame& each) {
    return std::int64_t{each.array->array} == fault->array;
  };
  const auto frame = std::ranges::find_if(frames, isOfFault);
  if (frame == frames.end())
    return paintFaultTag(out, moment, out.margin(), out.height() - out.u(6 + kFaultTag / 2));
  const TracedArray& array = moment.trace.arrays[static_cast<std::size_t>(fault->array)];
  const std::int64_t element = computeFloor(fault->word, splitWords(array.type));
  const std::int64_t columns = frame->array->columns;
  const std::int64_t row = std::clamp<std::int64_t>(computeFloor(element, columns), -1, frame->array->rows);
  const bool isBelow = row == std::int64_t{frame->array->rows};
  const float wide = std::max(frame->wide, out.u(5));
  const float high = std::max(frame->high, out.u(5));
  const Rect& area = frame->area;
  const Rect cell{
      area.x + static_cast<float>(element - computeFloor(element, columns) * columns) * frame->wide,
      isBelow ? area.bottom() : area.y + static_cast<float>(row) * high, wide, high};
  out.fill(cell, ColorRole::Bad, std::min(out.u(2), wide / 4));
  const float tagTop = area.bottom() + (isBelow ? high : 0) + out.u(6);
  out.line(cell.midX(), cell.bottom(), cell.midX(), tagTop, ColorRole::Bad, out.u(1.5F));
  paintFaultTag(out, moment, cell.x, tagTop + out.u(kFaultTag / 2));
}

namespace {

constexpr float kTilesTop = 34;        // units: the heading
constexpr float kTileName = 17;        // units above a picture: its array's name
constexpr float kTileNumbers = 13;     // units: of its columns; and at its left, of its rows
constexpr float kTileGap = 20;         // units between two pictures
constexpr float kMostTileWidth = 46;   // units per cell
constexpr float kMostTileHeight = 24;  // units
constexpr float kWideToHigh = 2.4F;
constexpr float kTileWeight = 1.6F;  // of a shared tile's room over a matrix'
constexpr float kThreadsWeight = 0.3F;
constexpr float kTilesSeparate = 6;  // pixels: cells narrower than that run together
constexpr float kRoundTile = 14;     // units: of thousands of smaller cells rounding costs more than it shows
constexpr float kFramedTile = 8;     // units: in smaller cells a frame cannot be seen
constexpr float kLeastTileCell = 3;  // pixels: of a matrix with smaller cells there are areas
constexpr float kTileSwatch = 11;    // units
constexpr TextStyle kTileNumber{FontRole::Small, ColorRole::TextDim, Align::Center, 0.85F, 1};
constexpr TextStyle kTileNameText{FontRole::Mono, ColorRole::Text, Align::Left, 0.92F, 1};
constexpr TextStyle kTileNote{FontRole::Body, ColorRole::TextDim, Align::Left, kNoteScale, 1};
constexpr TextStyle kCellText{FontRole::Mono, ColorRole::Text, Align::Center, 0.9F, 1};

enum class TileLook : std::uint8_t { Empty, Earlier, ToRead, ToWrite, Read, Written, Padding };

struct TileLookEntry {
  TileLook look;
  std::string_view name;
  ColorRole color;
  bool isFrame = false;
};
/// For the legend, in the order of their importance.
constexpr std::array kTileLooks = {
    TileLookEntry{TileLook::Read, "read", ColorRole::Operand},
    TileLookEntry{TileLook::Written, "written", ColorRole::Result},
    TileLookEntry{TileLook::Padding, "padding", ColorRole::CellBorder},
    TileLookEntry{TileLook::ToRead, "to read", ColorRole::Operand, true},
    TileLookEntry{TileLook::ToWrite, "to write", ColorRole::Result, true},
    TileLookEntry{TileLook::Earlier, "earlier", ColorRole::CellOld},
};
constexpr std::size_t indexOfLook(TileLook look) { return static_cast<std::size_t>(look); }

class TilePainter {
 public:
  TilePainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        context_(context),
        phase_(moment.phase()),
        out_(context, measure),
        threads_(moment, context) {
    for (const TileArray& array : moment.plan->tiles->arrays) {
      if (!context.hidesFuture || array.knownAfter <= moment.cursor.steps) parts_.push_back({{&array}});
    }
  }

  Scene paint() {
    if (parts_.empty()) {  // if the future is hidden, no matrix has a shape yet
      out_.paragraph(out_.margin(), out_.heading("MATRICES", ""), out_.width() - 2 * out_.margin(), 3,
                     "A matrix's rows and columns follow from the threads' accesses: it is drawn once every "
                     "thread has made its first.",
                     {FontRole::Body, ColorRole::TextDim});
      return out_.consume();
    }
    for (Part& part : parts_) setLooks(part);
    layOut();
    chooseTexts();
    paintHeading();
    for (const Part& part : parts_) paintPart(part);
    paintThreads();
    paintTileFault(out_, moment_, std::vector<TileFrame>(parts_.begin(), parts_.end()));
    return out_.consume();
  }

 private:
  enum class CellText : std::uint8_t { None, Origins, Values };
  struct Part : TileFrame {
    std::vector<TileLook> looks{};  // by element
    CellText texts = CellText::None;
  };

  const TracedArray& traced(const Part& part) const { return moment_.trace.arrays[part.array->array]; }
  bool isShared(const Part& part) const { return traced(part).space == MemorySpace::Shared; }
  bool showsCells(const Part& part) const {
    return isShared(part) || std::min(part.wide, part.high) >= kLeastTileCell;
  }

  bool isShown(std::uint32_t step) const { return step < moment_.cursor.steps; }
  /// The thread that has written or read an element, or will.
  std::int64_t findThread(const TileTouch& touch) const {
    const bool reads = isShown(touch.read) || touch.written == TileTouch::kNever;
    return !isShown(touch.written) && reads ? touch.reader : touch.writer;
  }

  std::uint32_t findCell(const Part& part, std::uint32_t element) const {
    return traced(part).firstCell + element * splitWords(traced(part).type);
  }

  Rect cellRect(const Part& part, std::uint32_t row, std::uint32_t column) const {
    return {part.area.x + static_cast<float>(column) * part.wide,
            part.area.y + static_cast<float>(row) * part.high, part.wide, part.high};
  }

  Rect computeRect(const Part& part, const TileArea& area) const {
    return {part.area.x + static_cast<float>(area.column) * part.wide,
            part.area.y + static_cast<float>(area.row) * part.high,
            part.wide * static_cast<float>(area.columns), part.high * static_cast<float>(area.rows)};
  }

  void setLooks(Part& part) const {
    const TileArray& array = *part.array;
    part.looks.assign(array.elements(), TileLook::Empty);
    const bool shared = isShared(part);
    for (std::uint32_t element = 0; shared && element < array.elements(); ++element) {
      const std::uint32_t cell = findCell(part, element);
      if (cell < moment_.state.cells.size() && moment_.state.cells[cell].written)
        part.looks[element] = TileLook::Earlier;
    }
    for (std::uint32_t phase = 0; !shared && phase < phase_; ++phase) {
      for (const TileTouch& touch : array.touches[phase]) part.looks[touch.element] = TileLook::Earlier;
    }
    if (phase_ < array.touches.size()) {
      for (const TileTouch& touch : array.touches[phase_]) {
        TileLook& look = part.looks[touch.element];
        if (isShown(touch.written))
          look = TileLook::Written;
        else if (isShown(touch.read))
          look = TileLook::Read;
        else if (!context_.hidesFuture)
          look = touch.read != TileTouch::kNever ? TileLook::ToRead : TileLook::ToWrite;
      }
    }
    for (std::uint32_t element = 0; array.padding > 0 && element < array.elements(); ++element) {
      if (element % array.columns >= array.columns - array.padding) part.looks[element] = TileLook::Padding;
    }
  }

  /// The part of a matrix that the steps done access, or the whole phase if the future is shown.
  TileArea doneIn(const Part& part, std::uint32_t phase) const {
    const TileArray& array = *part.array;
    std::uint32_t top = array.rows, left = array.columns, bottom = 0, right = 0;
    for (const TileTouch& touch : array.touches[phase]) {
      if (context_.hidesFuture && !isShown(std::min(touch.read, touch.written))) continue;
      top = std::min(top, touch.element / array.columns);
      bottom = std::max(bottom, touch.element / array.columns + 1);
      left = std::min(left, touch.element % array.columns);
      right = std::max(right, touch.element % array.columns + 1);
    }
    return bottom == 0 ? TileArea{} : TileArea{top, left, bottom - top, right - left};
  }

  void layOut() {
    float weights = 0;
    const auto weightOf = [this](const Part& part) { return isShared(part) ? kTileWeight : 1.0F; };
    for (const Part& part : parts_) weights += weightOf(part);
    weights += kThreadsWeight;
    const float numbers = out_.u(kTileNumbers + 6);
    const auto count = static_cast<float>(parts_.size());
    const float room = out_.width() - 2 * out_.margin() - count * (out_.u(kTileGap) + numbers);
    const float top = out_.u(kTilesTop + kTileName + kTileNumbers);
    const float height =
        std::max(out_.height() - top - out_.u(hasFaultTag(moment_, context_) ? kTileFault : 10), 1.0F);
    float x = out_.margin();
    const auto placeCells = [&](float width, std::uint32_t rows, std::uint32_t columns, float wideToHigh) {
      const float wide = std::min(width / static_cast<float>(columns), out_.u(kMostTileWidth));
      const float high = std::min({height / static_cast<float>(rows), out_.u(kMostTileHeight), wide * 1.2F});
      return std::pair(std::min(wide, high * wideToHigh), high);
    };
    for (Part& part : parts_) {
      const TileArray& array = *part.array;
      const float width = std::max(room * weightOf(part) / weights, 1.0F);
      std::tie(part.wide, part.high) =
          placeCells(width, array.rows, array.columns, isShared(part) ? kWideToHigh : 1.4F);
      part.area = {x + numbers, top, part.wide * static_cast<float>(array.columns),
                   part.high * static_cast<float>(array.rows)};
      // A name has as much room as its picture was given.
      x += numbers +
           std::max(part.area.w,
                    std::min(width, out_.textWidth(traced(part).name, kTileNameText) + out_.u(64))) +
           out_.u(kTileGap);
    }
    const float rest = std::max(out_.width() - out_.margin() - x, 1.0F);
    const auto [wide, high] = placeCells(rest, threads_.rows(), threads_.columns(), 1.4F);
    threadsArea_ = {x, top, wide, high};
  }

  // The block of threads that read and write the tiles.
  void paintThreads() {
    out_.textWithin(threadsArea_.x, out_.u(kTilesTop + kTileName / 2),
                    out_.width() - out_.margin() - threadsArea_.x, "threads", kTileNote);
    threads_.paint(out_, threadsArea_.x, threadsArea_.y, threadsArea_.w, threadsArea_.h);
  }

  void paintHeading() {
    std::array<bool, indexOfLook(TileLook::Padding) + 1> used{};
    bool hasTile = false;
    for (const Part& part : parts_) {
      hasTile = hasTile || isShared(part);
      for (const TileLook look : part.looks) used[indexOfLook(look)] = true;
    }
    const std::string title = hasTile ? "SHARED MEMORY AND MATRICES" : "MATRICES";
    const TextStyle bold{FontRole::Bold, ColorRole::Text, Align::Left, 1, 1};
    float room = out_.width() - 2 * out_.margin() - out_.textWidth(title, bold) - out_.u(16);
    std::vector<TileLookEntry> legend;
    float taken = 0;
    for (const TileLookEntry& entry : kTileLooks) {
      const float width = out_.u(kTileSwatch + 16) + out_.textWidth(entry.name, kTileNote);
      if (!used[indexOfLook(entry.look)] || taken + width > room) continue;
      legend.push_back(entry);
      taken += width;
    }
    const std::string_view note = context_.hasInventedData ? "invented data"
                                  : context_.still         ? ""
                                                           : "point at a lane: its row and column";
    const bool hasNote = out_.textWidth(note, kTileNote) <= room - taken;
    out_.heading(title, hasNote ? note : "", taken);
    float x = out_.width() - out_.margin() - taken + out_.u(10);
    for (const TileLookEntry& entry : legend) {
      const Rect swatch{x, out_.u(18 - kTileSwatch / 2), out_.u(kTileSwatch), out_.u(kTileSwatch)};
      paintCell(swatch, entry.look, true);
      x += out_.u(kTileSwatch + 6);
      out_.text(x, out_.u(18), std::string(entry.name), kTileNote);
      x += out_.textWidth(entry.name, kTileNote) + out_.u(10);
    }
  }

  void paintPart(const Part& part) {
    paintName(part);
    paintNumbers(part);
    if (showsCells(part))
      paintCells(part);
    else
      paintAreas(part);
    paintBlocks(part);
    paintOwn(part);
    paintLit(part);
    addHits(part);
  }

  void paintName(const Part& part) {
    const TracedArray& array = traced(part);
    std::string dimensions;
    for (const std::uint64_t extent : array.extents) dimensions += fmt::format("[{}]", extent);
    if (part.array->isMatrix) dimensions = fmt::format("  {} × {}", part.array->rows, part.array->columns);
    const float y = out_.u(kTilesTop + kTileName / 2);
    out_.textWithin(part.area.x, y, out_.width() - out_.margin() - part.area.x, array.name + dimensions,
                    kTileNameText);
  }

  void paintNumbers(const Part& part) {
    const TileArray& array = *part.array;
    const float wide = out_.textWidth(std::to_string(array.columns), kTileNumber) * 1.5F;
    const std::uint32_t columns = findStride(wide, part.wide, array.columns);
    for (std::uint32_t column = 0; column < array.columns; column += columns)
      out_.text(part.area.x + (static_cast<float>(column) + 0.5F) * part.wide,
                part.area.y - out_.u(kTileNumbers / 2), std::to_string(column), kTileNumber);
    TextStyle style = kTileNumber;
    style.align = Align::Right;
    const std::uint32_t rows = findStride(out_.computeSize(kTileNumber) * 1.1F, part.high, array.rows);
    for (std::uint32_t row = 0; row < array.rows; row += rows)
      out_.text(part.area.x - out_.u(4), part.area.y + (static_cast<float>(row) + 0.5F) * part.high,
                std::to_string(row), style);
  }

  void paintCells(const Part& part) {
    const TileArray& array = *part.array;
    const bool framesCells = std::min(part.wide, part.high) >= out_.u(kFramedTile);
    // Small cells are drawn as rows of equal ones with gaps over them: a hundredth of the rectangles.
    const bool separate = part.wide >= out_.u(kRoundTile) || framesCells || part.texts != CellText::None;
    for (std::uint32_t row = 0; row < array.rows; ++row) {
      for (std::uint32_t column = 0; column < array.columns;) {
        const std::uint32_t element = row * array.columns + column;
        std::uint32_t end = column + 1;
        while (!separate && end < array.columns &&
               part.looks[element] == part.looks[row * array.columns + end])
          ++end;
        Rect rect = cellRect(part, row, column);
        rect.w *= static_cast<float>(end - column);
        paintCell(rect, part.looks[element], separate);
        if (part.texts != CellText::None) paintText(part, element, rect);
        column = end;
      }
    }
    if (!separate && part.wide >= kTilesSeparate) paintGaps(part);
  }

  void paintCell(const Rect& rect, TileLook look, bool isSeparate) {
    const bool isRound = isSeparate && rect.w >= out_.u(kRoundTile);
    // A part of a pixel would be a gap between some cells and none between others.
    const float gap = !isSeparate ? 0 : isRound ? std::min(rect.w * 0.1F, out_.u(2)) : 1;
    const Rect inner{rect.x, rect.y, rect.w - gap, rect.h - gap};
    const float radius = isRound ? std::min(out_.u(2.5F), inner.w / 4) : 0;
    const auto framed = [&](ColorRole color, float width, float alpha) {
      if (radius > 0) {
        out_.fill(inner, ColorRole::CellUnwritten, radius);
        out_.stroke(inner.inset(width / 2), color, width, radius, alpha);
      } else {
        out_.fill(inner, color, 0, alpha);
        out_.fill(inner.inset(width), ColorRole::CellUnwritten);
      }
    };
    const bool toRead = look == TileLook::ToRead;
    if (toRead || look == TileLook::ToWrite) {
      const ColorRole color = toRead ? ColorRole::Operand : ColorRole::Result;
      if (std::min(inner.w, inner.h) >= out_.u(kFramedTile)) return framed(color, out_.u(1.4F), 1);
      return out_.fill(inner, color, 0, 0.4F);
    }
    if (look == TileLook::Empty && gap > 0) return framed(ColorRole::CellBorder, out_.u(1), 0.6F);
    const ColorRole color = look == TileLook::Read      ? ColorRole::Operand
                            : look == TileLook::Written ? ColorRole::Result
                            : look == TileLook::Earlier ? ColorRole::CellOld
                                                        : ColorRole::CellUnwritten;
    out_.fill(inner, color, radius);
    if (look == TileLook::Padding) out_.hatch(inner, ColorRole::TextDim, out_.u(4), out_.u(1), 0.8F);
  }

  // One pixel each.
  void paintGaps(const Part& part) {
    const TileArray& array = *part.array;
    for (std::uint32_t column = 1; column <= array.columns; ++column)
      out_.fill({cellRect(part, 0, column).x - 1, part.area.y, 1, part.area.h}, ColorRole::Panel);
    for (std::uint32_t row = 1; row <= array.rows; ++row)
      out_.fill({part.area.x, cellRect(part, row, 0).y - 1, part.area.w, 1}, ColorRole::Panel);
  }

  void paintAreas(const Part& part) {
    out_.fill(part.area, ColorRole::CellUnwritten);
    for (std::uint32_t phase = 0; phase < phase_; ++phase)
      out_.fill(computeRect(part, doneIn(part, phase)), ColorRole::CellOld);
    if (phase_ >= part.array->touches.size() || part.array->touches[phase_].empty()) return;
    const bool writes = part.array->touches[phase_].front().written != TileTouch::kNever;
    out_.fill(computeRect(part, doneIn(part, phase_)), writes ? ColorRole::Result : ColorRole::Operand);
  }

  // The blocks' tiles in a matrix, if their lines are far enough apart, and the tile of the current phase.
  void paintBlocks(const Part& part) {
    const TileArray& array = *part.array;
    if (!array.isMatrix) return;
    const TileArea& tile = array.tile;
    const bool isEven = tile.columns > 0 && array.columns % tile.columns == 0 &&
                        array.rows % tile.rows == 0 && tile.column % tile.columns == 0 &&
                        tile.row % tile.rows == 0;
    const float wide = part.wide * static_cast<float>(tile.columns);
    const float high = part.high * static_cast<float>(tile.rows);
    if (isEven && !context_.hidesFuture && std::min(wide, high) >= out_.u(4)) {
      for (std::uint32_t column = tile.columns; column < array.columns; column += tile.columns) {
        const float x = part.area.x + static_cast<float>(column) * part.wide;
        out_.line(x, part.area.y, x, part.area.bottom(), ColorRole::TextDim, out_.u(1));
      }
      for (std::uint32_t row = tile.rows; row < array.rows; row += tile.rows) {
        const float y = part.area.y + static_cast<float>(row) * part.high;
        out_.line(part.area.x, y, part.area.right(), y, ColorRole::TextDim, out_.u(1));
      }
    }
    out_.stroke(part.area, ColorRole::TextDim, out_.u(1));
    if (phase_ >= array.touches.size()) return;
    const TileArea now = doneIn(part, phase_);
    if (now.columns > 0) out_.stroke(computeRect(part, now), ColorRole::Accent, out_.u(2));
  }

  // The row and the column of the thread under the pointer: in the tile by its own indices.
  void paintOwn(const Part& part) {
    const Dim3& block = moment_.trace.launch.block;
    if (context_.hoverThread < 0 || block.y < 2) return;
    const auto thread = static_cast<std::uint32_t>(context_.hoverThread);
    const std::uint32_t x = thread % block.x;
    const std::uint32_t y = thread / block.x % block.y;
    const TileArray& array = *part.array;
    TileArea tile{0, 0, array.rows, array.columns};
    if (array.isMatrix) {
      if (phase_ >= array.touches.size()) return;
      tile = doneIn(part, phase_);
    }
    const std::uint32_t row = array.xIsRow ? x : y;
    const std::uint32_t column = array.xIsRow ? y : x;
    if (row >= tile.rows || column >= tile.columns) return;
    for (const TileArea& own : {TileArea{tile.row + row, tile.column, 1, tile.columns},
                                TileArea{tile.row, tile.column + column, tile.rows, 1}}) {
      const Rect rect = computeRect(part, own);
      out_.fill(rect, ColorRole::Accent, 0, 0.22F);
      out_.stroke(rect, ColorRole::Accent, out_.u(1));
    }
  }

  void paintLit(const Part& part) {
    if (!isShared(part) || (!context_.anyLit() && !context_.hasHazards())) return;
    const std::uint32_t from = moment_.trace.phases[moment_.phase()].firstStep;
    for (std::uint32_t element = 0; element < part.array->elements(); ++element) {
      const std::uint32_t cell = findCell(part, element);
      const Rect rect = cellRect(part, element / part.array->columns, element % part.array->columns);
      if (context_.hasHazardAt(cell, from, moment_.cursor.steps))
        out_.stroke(rect, ColorRole::Bad, out_.u(2), out_.u(2));
      if (context_.hoverCell == std::int64_t{cell} || context_.cellLit(cell))
        out_.stroke(rect.inset(-out_.u(0.5F)), ColorRole::Accent, out_.u(2), out_.u(2));
    }
  }

  /// The text of a cell: the input element that its value came from, as `a12`, or the value; "" if it has
  /// none.
  std::string toText(const Part& part, std::uint32_t element, CellText texts) const {
    const Word& word = moment_.state.cells[findCell(part, element)];
    if (!word.written || part.looks[element] == TileLook::Padding) return "";
    if (texts == CellText::Origins) {
      const Provenance& provenance = moment_.trace.provenance;
      if (word.from == kNoProvenance || provenance.terms(word.from) != 1) return "?";
      return provenance.text(word.from);
    }
    return formatValue(traced(part).type,
                       elementBits(traced(part), moment_.state.cells, findCell(part, element)));
  }

  /// True if all of an array's values are elements of the input.
  bool hasOrigins(const Part& part) const {
    for (std::uint32_t element = 0; element < part.array->elements(); ++element) {
      const Word& word = moment_.state.cells[findCell(part, element)];
      const bool isShown = word.written && part.looks[element] != TileLook::Padding;
      if (isShown && (word.from == kNoProvenance || moment_.trace.provenance.terms(word.from) != 1))
        return false;
    }
    return true;
  }

  /// True if there is room for any text in an array's cells.
  bool hasRoom(const Part& part) const {
    return part.high - out_.u(2) >= kLeastText && part.wide >= out_.u(12);
  }

  /// True if there is room for such texts in all of an array's cells.
  bool hasRoom(const Part& part, CellText texts) const {
    if (!hasRoom(part)) return false;
    for (std::uint32_t element = 0; element < part.array->elements(); ++element) {
      if (out_.textWidth(toText(part, element, texts), kCellText) > part.wide - out_.u(4)) return false;
    }
    return true;
  }

  /// Shows origins in all arrays that have them or in none, so that an element has the same name in each.
  void chooseTexts() {
    const auto mayHaveOrigins = [&](const Part& part) { return hasRoom(part) && hasOrigins(part); };
    const bool needsValues = std::ranges::any_of(parts_, [&](const Part& part) {
      return mayHaveOrigins(part) && !hasRoom(part, CellText::Origins) && hasRoom(part, CellText::Values);
    });
    for (Part& part : parts_) {
      const bool showsOrigins = !needsValues && mayHaveOrigins(part) && hasRoom(part, CellText::Origins);
      part.texts = showsOrigins                      ? CellText::Origins
                   : hasRoom(part, CellText::Values) ? CellText::Values
                                                     : CellText::None;
    }
  }

  void paintText(const Part& part, std::uint32_t element, const Rect& rect) {
    const TileLook look = part.looks[element];
    TextStyle style = kCellText;
    if (look == TileLook::Read || look == TileLook::Written) style.color = ColorRole::TextOnAccent;
    const std::string text = toText(part, element, part.texts);
    if (!text.empty()) out_.text(rect.midX() - out_.u(1), rect.midY() - out_.u(1), text, style);
  }

  void addHits(const Part& part) {
    const TileArray& array = *part.array;
    if (!showsCells(part) || std::min(part.wide, part.high) < kLeastTileCell) return;
    const std::vector<TileTouch>* touches = phase_ < array.touches.size() ? &array.touches[phase_] : nullptr;
    for (std::uint32_t element = 0; element < array.elements(); ++element) {
      const TileTouch* touch = nullptr;
      if (touches != nullptr) {
        const auto found = std::ranges::lower_bound(*touches, element, {}, &TileTouch::element);
        const bool isKnown = found != touches->end() && found->element == element;
        if (isKnown && (!context_.hidesFuture || isShown(std::min(found->read, found->written))))
          touch = &*found;
      }
      const Rect rect = cellRect(part, element / array.columns, element % array.columns);
      const auto tip = [&] { return makeTip(part, element, touch); };
      const std::int64_t thread = touch == nullptr ? -1 : findThread(*touch);
      if (isShared(part))
        out_.hit(rect, HitArea::Kind::Cell, findCell(part, element), tip, thread);
      else if (touch != nullptr)
        out_.hit(rect, HitArea::Kind::Thread, static_cast<std::uint32_t>(thread), tip, thread);
      else
        out_.hit(rect, HitArea::Kind::Note, element, tip);
    }
  }

  std::string nameFor(const Part& part, std::uint32_t element) const {
    const TileArray& array = *part.array;
    if (array.isMatrix || array.rows > 1) {
      return fmt::format("{}[{}]: row {}, column {}", traced(part).name, element, element / array.columns,
                         element % array.columns);
    }
    return cellName(moment_.trace, findCell(part, element));
  }

  std::string makeTip(const Part& part, std::uint32_t element, const TileTouch* touch) const {
    std::string tip = nameFor(part, element);
    if (part.looks[element] == TileLook::Padding) return tip + "\npadding: no thread uses it";
    const std::uint32_t cell = findCell(part, element);
    const Word& word = moment_.state.cells[cell];
    if (!word.written) return tip + "\nnot written yet";
    tip += "\n";
    if (word.from != kNoProvenance) tip += moment_.trace.provenance.text(word.from, 16) + " = ";
    tip += formatValue(traced(part).type, elementBits(traced(part), moment_.state.cells, cell));
    if (touch != nullptr && isShown(touch->written))
      return tip + fmt::format("\nwritten by thread {}", touch->writer);
    if (touch != nullptr && isShown(touch->read)) tip += fmt::format("\nread by thread {}", touch->reader);
    return tip;
  }

  const Moment& moment_;
  const SceneContext& context_;
  std::uint32_t phase_;
  SceneBuilder out_;
  ThreadBlock threads_;
  Rect threadsArea_{};  // of the first one's cell
  std::vector<Part> parts_;
};

}  // namespace

Scene tileScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return TilePainter(moment, context, measure).paint();
}

}  // namespace lanescope
