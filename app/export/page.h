#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/base/markdown.h"
#include "app/export/frames.h"
#include "app/export/pictures.h"
#include "app/pictures/base/scene.h"
#include "kernels/strategies/catalogue.h"

/// The files beside this one, as embed.cmake embeds them.
namespace lanescope {

std::string_view pageTemplate();  ///< page.html: `@NAME@` marks a place to fill in
std::string_view pageStyles();    ///< page.css
std::string_view pageScript();    ///< page.js

/// For HTML, within an element or an attribute.
std::string escapedForHtml(std::string_view text);

/// A lesson's blocks as HTML. Each item of a list has the id `lesson-` and its block's number.
/// `heading`: the level of its headings.
std::string markdownHtml(std::span<const MarkdownBlock> blocks, int heading);

/// The draw items of many pictures, each kept once, as JSON that page.js draws as toSvg() would.
class PageItems {
 public:
  /// The number of that item: equal for items that look the same to a tenth of a pixel.
  std::uint32_t toNumber(const DrawItem& item);

  /// `[["rect","rx=…"],…]`: an element's name and the attributes that many items share. A colour is the class
  /// `f` (fill) or `s` (stroke) with the role's number.
  std::string styles() const { return "[" + styles_ + "]"; }
  /// `[[style,x,y,w,h],…]`. A text: style, x, y, its length or 0, the text. Else a path: a line's two points,
  /// a triangle's three, a curve's four.
  std::string items() const { return "[" + items_ + "]"; }

 private:
  std::uint32_t findStyle(const DrawItem& item);

  std::unordered_map<std::string, std::uint32_t> known_;  ///< by all fields: most items come at many steps
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t> styleNumbers_;
  std::string styles_;
  std::string items_;
};

/// One picture at every step; each frame refers to items of the previous one and lists the new ones.
class PageReel {
 public:
  void add(std::vector<std::uint32_t> numbers);
  /// `[frame,…]`. A frame is 0 if nothing changed, else pairs: `from, count` items of the previous frame; a
  /// negative `from` stands for the items numbered -1 - from and up.
  std::string frames() const { return "[" + frames_ + "]"; }

 private:
  std::vector<std::uint32_t> last_;
  std::unordered_map<std::uint32_t, std::uint32_t> places_;  ///< in `last_`
  std::string frames_;
};

/// As a JSON string, safe within a script element.
std::string quotedForPage(const std::string& text);

/// The contents of a page besides the trace.
struct PageOptions {
  PictureOptions pictures{};  ///< its title, and the selection in the pictures; they have their own sizes
  Grain grain = Grain::Instruction;    ///< of its steps
  std::uint32_t opensAt = 0;           ///< as Cursor::steps, unless the address has a step
  const Strategy* strategy = nullptr;  ///< the strategy of the lesson; nullptr: none
  std::uint64_t n = 0;                 ///< elements of that strategy's launch
};

/// One self-contained HTML file to be stepped through in a browser: array, warps, banks and source, each as
/// ImageWriter draws it alone, the phase in words, the counters and the lesson. Before each step `goesOn`
/// gets the number of steps drawn; false ends it. Errors: it was stopped; more than kMostFrames steps.
Result<std::string> pageHtml(const std::shared_ptr<const Trace>& trace, const PageOptions& options,
                             const FrameWatcher& goesOn = {});

}  // namespace lanescope
