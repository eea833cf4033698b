#include "app/export/page.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/analysis/cost.h"
#include "app/base/whole.h"
#include "app/course/glossary.h"
#include "app/course/lesson.h"
#include "app/course/phase_text.h"
#include "app/paint/svg_painter.h"
#include "app/paint/theme.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/cost_scene.h"
#include "app/pictures/line_costs.h"
#include "app/pictures/picture_plan.h"
#include "sim/base/json.h"
#include "sim/memory/counters.h"

namespace lanescope {
namespace {

using BlockKind = MarkdownBlock::Kind;
using Style = MarkdownRun::Style;

/// A run's text, with the definitions of its terms as tooltips.
std::string textHtml(const MarkdownBlock& block, std::size_t run) {
  const std::string_view text = block.runs[run].text;
  std::string html;
  std::size_t at = 0;
  for (const MarkdownTerm& term : block.terms) {
    if (term.run != run) continue;
    html += escapedForHtml(text.substr(at, term.begin - at));
    html += fmt::format("<abbr title=\"{}\">{}</abbr>", escapedForHtml(term.entry->definition),
                        escapedForHtml(text.substr(term.begin, term.end - term.begin)));
    at = term.end;
  }
  return html + escapedForHtml(text.substr(at));
}

std::string runsHtml(const MarkdownBlock& block) {
  std::string html;
  for (std::size_t i = 0; i < block.runs.size(); ++i) {
    const MarkdownRun& run = block.runs[i];
    const std::string text = textHtml(block, i);
    const std::string_view tag = run.style == Style::Bold ? "strong" : run.style == Style::Code ? "code" : "";
    html += tag.empty() ? text : fmt::format("<{0}>{1}</{0}>", tag, text);
  }
  return html;
}

/// `ul`, `ol`, or empty if it is not a list item.
std::string_view formatList(const MarkdownBlock& block) {
  if (block.kind != BlockKind::Item) return "";
  return block.marker == "•" ? "ul" : "ol";
}

}  // namespace

std::string escapedForHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

std::string markdownHtml(std::span<const MarkdownBlock> blocks, int heading) {
  std::string html;
  std::string_view list;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const MarkdownBlock& block = blocks[i];
    if (formatList(block) != list) {
      if (!list.empty()) html += fmt::format("</{}>\n", list);
      list = formatList(block);
      if (!list.empty()) html += fmt::format("<{}>\n", list);
    }
    const std::string text = runsHtml(block);
    switch (block.kind) {
      case BlockKind::Heading: html += fmt::format("<h{0}>{1}</h{0}>\n", heading, text); break;
      case BlockKind::Paragraph: html += fmt::format("<p>{}</p>\n", text); break;
      case BlockKind::Item: html += fmt::format("<li id=\"lesson-{}\">{}</li>\n", i, text); break;
      case BlockKind::Code: html += fmt::format("<pre>{}</pre>\n", text); break;
    }
  }
  if (!list.empty()) html += fmt::format("</{}>\n", list);
  return html;
}

namespace {

using Kind = DrawItem::Kind;

/// To a tenth of a pixel, without superfluous zeros.
std::string tenths(float value) {
  const auto rounded = roundToWhole<long>(value * 10);
  if (rounded % 10 == 0) return std::to_string(rounded / 10);
  return fmt::format("{:g}", static_cast<double>(rounded) / 10);
}

std::string formatList(std::span<const float> numbers) {
  std::string text;
  for (const float number : numbers) text += "," + tenths(number);
  return text;
}

std::string formatOpacity(const DrawItem& item, std::string_view name) {
  if (item.alpha >= 0.999F) return {};
  return fmt::format(" {}-opacity=\\\"{:.3g}\\\"", name, item.alpha);
}

std::string formatPaint(const DrawItem& item, bool isStroke) {
  const auto role = static_cast<unsigned>(item.color);
  if (!isStroke) return fmt::format("class=\\\"f{}\\\"{}", role, formatOpacity(item, "fill"));
  return fmt::format("class=\\\"s{}\\\" stroke-width=\\\"{:.3g}\\\"{}", role, item.width,
                     formatOpacity(item, "stroke"));
}

/// An element's name and attributes as two JSON strings.
std::string styleText(const DrawItem& item) {
  switch (item.kind) {
    case Kind::FillRect:
    case Kind::StrokeRect:
      return fmt::format("\"rect\",\"{}{}\"", formatPaint(item, item.kind == Kind::StrokeRect),
                         item.radius > 0 ? fmt::format(" rx=\\\"{:.3g}\\\"", item.radius) : "");
    case Kind::Line:
    case Kind::Curve: return fmt::format("\"path\",\"{}\"", formatPaint(item, true));
    case Kind::Triangle: return fmt::format("\"path\",\"{}\"", formatPaint(item, false));
    case Kind::Text: break;
  }
  const std::string_view anchor = item.align == Align::Center  ? " text-anchor=\\\"middle\\\""
                                  : item.align == Align::Right ? " text-anchor=\\\"end\\\""
                                                               : "";
  const std::string_view font = item.font == FontRole::Mono   ? " font-family=\\\"var(--mono)\\\""
                                : item.font == FontRole::Bold ? " font-weight=\\\"700\\\""
                                                              : "";
  return fmt::format("\"text\",\"{} font-size=\\\"{:.4g}\\\"{}{}\"", formatPaint(item, false),
                     svgFontSize(item), anchor, font);
}

std::string formatGeometry(const DrawItem& item) {
  const float endX = item.x + item.w;
  const float endY = item.y + item.h;
  switch (item.kind) {
    case Kind::FillRect:
    case Kind::StrokeRect: return formatList(std::array{item.x, item.y, item.w, item.h});
    case Kind::Line:
      return formatList(
          std::array{item.x, item.y, item.x + item.w * item.portion, item.y + item.h * item.portion});
    case Kind::Curve: {
      std::vector<float> numbers;
      for (const Point& point : controlPoints(item)) numbers.insert(numbers.end(), {point.x, point.y});
      return formatList(numbers);
    }
    case Kind::Triangle:
      if (item.verticalCurve)
        return formatList(std::array{item.x, item.y, endX, item.y, item.x + item.w / 2, endY});
      return formatList(std::array{item.x, item.y, endX, item.y + item.h / 2, item.x, endY});
    case Kind::Text: break;
  }
  return formatList(std::array{item.x, svgBaseline(item), svgTextLength(item)}) + "," +
         quotedForPage(item.text);
}

/// All fields that affect the item's look, for a fast comparison.
std::string toBytes(const DrawItem& item) {
  struct Numbers {
    std::array<float, 9> floats;
    std::array<std::uint8_t, 8> others;
  };
  const auto bytes = std::bit_cast<std::array<char, sizeof(Numbers)>>(
      Numbers{{item.x, item.y, item.w, item.h, item.radius, item.width, item.size, item.alpha, item.portion},
              {static_cast<std::uint8_t>(item.kind), static_cast<std::uint8_t>(item.color),
               static_cast<std::uint8_t>(item.font), static_cast<std::uint8_t>(item.align),
               static_cast<std::uint8_t>(item.verticalCurve)}});
  return std::string(bytes.data(), bytes.size()) + item.text;
}

}  // namespace

std::string quotedForPage(const std::string& text) {
  const std::string json = jsonLine(Json(text));
  std::string out;
  out.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

std::uint32_t PageItems::findStyle(const DrawItem& item) {
  const auto [at, isNew] =
      styleNumbers_.try_emplace(styleText(item), static_cast<std::uint32_t>(styleNumbers_.size()));
  if (isNew) styles_ += (at->second == 0 ? "[" : ",[") + at->first + "]";
  return at->second;
}

std::uint32_t PageItems::toNumber(const DrawItem& item) {
  const auto [known, isUnknown] = known_.try_emplace(toBytes(item));
  if (!isUnknown) return known->second;
  const auto [at, isNew] = numbers_.try_emplace(std::to_string(findStyle(item)) + formatGeometry(item),
                                                static_cast<std::uint32_t>(numbers_.size()));
  if (isNew) items_ += (at->second == 0 ? "[" : ",\n[") + at->first + "]";
  return known->second = at->second;
}

void PageReel::add(std::vector<std::uint32_t> numbers) {
  if (!frames_.empty()) frames_ += ",\n";
  if (numbers == last_) {
    frames_ += "0";
    return;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> runs;
  for (const std::uint32_t number : numbers) {
    if (!runs.empty()) {
      auto& [from, count] = runs.back();
      const bool isCopy = from >= 0;
      const auto next = static_cast<std::uint64_t>(isCopy ? from : -1 - from) + count;
      if (isCopy ? next < last_.size() && last_[next] == number : next == number) {
        ++count;
        continue;
      }
    }
    const auto place = places_.find(number);
    runs.emplace_back(
        place == places_.end() ? -1 - std::int64_t{number} : static_cast<std::int64_t>(place->second), 1);
  }
  std::string text;
  for (const auto& [from, count] : runs) text += fmt::format("{}{},{}", text.empty() ? "" : ",", from, count);
  frames_ += "[" + text + "]";
  last_ = std::move(numbers);
  places_.clear();
  for (std::uint32_t place = 0; place < last_.size(); ++place) places_.try_emplace(last_[place], place);
}

namespace {

constexpr std::array kPictures = {Picture::Array, Picture::Warps, Picture::Banks, Picture::Source};

constexpr float kCostWidth = 1100;
constexpr float kMargin = 10;  ///< below a picture that leaves room, in its pixels

/// Adds to the elements of a JSON array.
void addTo(std::string& list, const std::string& element) {
  if (!list.empty()) list += ',';
  list += element;
}

std::string listColors(const Theme& theme) {
  std::string css = theme.dark ? "color-scheme:dark;" : "color-scheme:light;";
  for (std::size_t role = 0; role < kColorRoles; ++role) {
    const Rgba color = theme.color(static_cast<ColorRole>(role));
    css += fmt::format("--c{}:#{:02x}{:02x}{:02x};", role, color.r, color.g, color.b);
  }
  return css;
}

/// The colours of every theme: the system's until another is chosen, the light ones on paper.
std::string themeStyles() {
  const std::string dark = listColors(*findTheme("dark"));
  const std::string light = listColors(*findTheme("light"));
  const std::string contrast = listColors(*findTheme("high-contrast"));
  std::string css = ":root{" + light + "}\n";
  css += "@media (prefers-color-scheme:dark){:root{" + dark + "}}\n";
  css += "@media (prefers-contrast:more){:root{" + contrast + "}}\n";
  css += ":root[data-theme=light]{" + light + "}\n:root[data-theme=dark]{" + dark + "}\n";
  css += ":root[data-theme=high-contrast]{" + contrast + "}\n";
  css += "@media print{:root,:root[data-theme]{" + light + "}}\n";
  for (std::size_t role = 0; role < kColorRoles; ++role)
    css += fmt::format(".f{0}{{fill:var(--c{0})}}.s{0}{{fill:none;stroke:var(--c{0})}}", role);
  constexpr std::array kColorNames = {
      std::pair{"background", ColorRole::Background}, std::pair{"panel", ColorRole::Panel},
      std::pair{"border", ColorRole::PanelBorder},    std::pair{"text", ColorRole::Text},
      std::pair{"dim", ColorRole::TextDim},           std::pair{"on-accent", ColorRole::TextOnAccent},
      std::pair{"accent", ColorRole::Accent},         std::pair{"cell", ColorRole::Cell},
      std::pair{"conflict", ColorRole::Conflict},     std::pair{"divergence", ColorRole::Divergence}};
  css += "\nbody{";
  for (const auto& [name, role] : kColorNames)
    css += fmt::format("--{}:var(--c{});", name, static_cast<unsigned>(role));
  return css + fmt::format("--sans:{};--mono:{}}}\n", kSvgSans, kSvgMono);
}

/// The lowest point of the scene's items.
float usedHeight(const Scene& scene) {
  float used = 0;
  for (const DrawItem& item : scene.items) {
    const bool isText = item.kind == DrawItem::Kind::Text;
    used = std::max(used, isText ? item.y + svgFontSize(item) / 2 : item.y + std::max(item.h, 0.0F));
  }
  return used;
}

/// Writes a walk's steps as JSON, and everything that stays the same over it.
class PageWriter {
 public:
  PageWriter(const std::shared_ptr<const Trace>& trace, const PageOptions& options)
      : trace_(*trace), options_(options), plan_(planPictures(*trace)), rows_(countersOn(kPanel)) {
    if (options.strategy != nullptr) lesson_ = lessonBlocks(*options.strategy);
    options_.pictures.size = {};
    options_.pictures.isTitled = false;
    counted_.resize(rows_.size());
  }

  void add(const Replay& replay) {
    const Moment moment = makeMoment(replay, plan_);
    for (std::size_t i = 0; i < kPictures.size(); ++i) {
      const Scene scene = pictureScene(kPictures[i], moment, options_.pictures, measure_);
      std::vector<std::uint32_t> numbers;
      numbers.reserve(scene.items.size());
      for (const DrawItem& item : scene.items) numbers.push_back(items_.toNumber(item));
      reels_[i].add(std::move(numbers));
      sizes_[i].width = scene.width;
      sizes_[i].height = std::max(sizes_[i].height, std::min(usedHeight(scene) + kMargin, scene.height));
      if (kPictures[i] != Picture::Source) continue;
      for (const HitArea& hit : scene.hits) {
        if (hit.kind == HitArea::Kind::Line) lineTops_[hit.index] = toWhole<int>(hit.y + hit.h / 2);
      }
    }
    const std::optional<Step> step = moment.step();
    addTo(frames_, fmt::format("[{},{},{},{},{}]", moment.cursor.steps, moment.cursor.wavefront,
                               step ? step->wavefronts : 0, moment.phase(), step ? step->line : 0));
    addCounters(replay);
  }

  std::string html(std::size_t frames) const {
    const std::string summary = options_.strategy == nullptr ? "" : std::string(options_.strategy->summary);
    const std::map<std::string_view, std::string> parts = {
        {"TITLE", escapedForHtml(title())},
        {"SUMMARY", escapedForHtml(summary)},
        {"STYLES", themeStyles() + std::string(pageStyles())},
        {"LAST", std::to_string(frames - 1)},
        {"LESSON", lessonHtml()},
        {"SOURCE", escapedForHtml(trace_.launch.source->text())},
        {"DATA", data()},
        {"SCRIPT", std::string(pageScript())},
    };
    std::string html;
    std::string_view rest = pageTemplate();
    while (true) {
      const std::size_t from = rest.find('@');
      const std::size_t to = from == std::string_view::npos ? from : rest.find('@', from + 1);
      html += rest.substr(0, from);
      if (to == std::string_view::npos) return html;
      html += parts.at(rest.substr(from + 1, to - from - 1));
      rest.remove_prefix(to + 1);
    }
  }

 private:
  void addCounters(const Replay& replay) {
    std::string changed;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::string text = rows_[row]->text(replay.state().counters, "none yet");
      if (text == counted_[row]) continue;
      addTo(changed, fmt::format("{},{}", row, quotedForPage(text)));
      counted_[row] = std::move(text);
    }
    addTo(changes_, changed.empty() ? "0" : "[" + changed + "]");
  }

  std::string data() const {
    std::string pictures;
    for (std::size_t i = 0; i < kPictures.size(); ++i) {
      addTo(pictures,
            fmt::format("{{\"name\":\"{}\",\"width\":{:g},\"height\":{:g},\"frames\":{}}}",
                        pictureName(kPictures[i]), sizes_[i].width, sizes_[i].height, reels_[i].frames()));
    }
    return fmt::format(
        "{{\"opensAt\":{},\"grain\":\"{}\",\"steps\":{},\"styles\":{},\n\"items\":{},\n\"pictures\":[{}],"
        "\n\"frames\":[{}],\n"
        "\"counters\":{},\"total\":{},\"changes\":[{}],\n\"phases\":{},\n\"lines\":{}}}",
        options_.opensAt, grainName(options_.grain), trace_.steps.size(), items_.styles(), items_.items(),
        pictures, frames_, counters(), countersText(trace_.total), changes_, phases(), lines());
  }

  std::string phases() const {
    const std::string note = numbersNote();
    std::string list;
    for (std::uint32_t i = 0; i < trace_.phases.size(); ++i) {
      std::vector<MarkdownBlock> text = phaseText(trace_, i);
      for (MarkdownBlock& block : text) block.terms.clear();  // the lesson has them once
      addTo(list, fmt::format("{{\"label\":{},\"text\":{},\"lesson\":{},\"counters\":{}}}",
                              quotedForPage(trace_.phases[i].label),
                              quotedForPage(markdownHtml(std::span(text).subspan(1), 3)),
                              makeLessonBlock(i, note), countersText(trace_.phases[i].counters)));
    }
    return "[" + list + "]";
  }

  /// The launch of the lesson's numbers, unless it is the page's own.
  std::string numbersNote() const {
    if (options_.strategy == nullptr) return {};
    const std::uint64_t ofLesson = lessonBlocks(*options_.strategy, lessonN(lesson_, options_.n));
    return lessonNumbersNote(lesson_, trace_.launch.machine, options_.n, trace_.launch.grid.count(),
                             ofLesson);
  }

  /// The number of the lesson's block about a phase; -1: none. `note`: as lessonNumbersNote().
  std::string makeLessonBlock(std::uint32_t phase, const std::string& note) const {
    const std::size_t none = lesson_.size();
    const std::size_t block = findLessonItem(lesson_, trace_.phases, phase, options_.n).value_or(none);
    const bool applies = block != none && (note.empty() || !dependsOnMachine(lesson_[block]));
    return applies ? std::to_string(block) : "-1";
  }

  std::string counters() const {
    std::string list;
    for (const CounterInfo* row : rows_) {
      addTo(list,
            fmt::format("{{\"name\":{},\"meaning\":{},\"costs\":\"{}\"}}",
                        quotedForPage(std::string(row->briefly())), quotedForPage(std::string(row->meaning)),
                        !row->isCost                                     ? ""
                        : costColor(row->group) == ColorRole::Divergence ? "divergence"
                                                                         : "conflict"));
    }
    return "[" + list + "]";
  }

  std::string lines() const {
    const SourceText& source = *trace_.launch.source;
    std::string list;
    for (std::uint32_t line = 0; line <= source.lineCount(); ++line) {
      const auto top = lineTops_.find(line);
      addTo(list, fmt::format("[{},{}]", top == lineTops_.end() ? 0 : top->second,
                              quotedForPage(line == 0 ? "" : std::string(source.line(line)))));
    }
    return "[" + list + "]";
  }

  std::string lessonHtml() const {
    if (options_.strategy == nullptr) return {};
    const std::string note = numbersNote();
    return "<section id=\"lesson\" aria-labelledby=\"lesson-title\">\n<h2 id=\"lesson-title\">Lesson: " +
           escapedForHtml(options_.strategy->title) + "</h2>\n" +
           (note.empty() ? "" : "<p class=\"note\">" + escapedForHtml(note) + "</p>\n") +
           markdownHtml(lesson_, 3) + costHtml() + "</section>\n";
  }

  /// Where the time of a reduction goes, beside the others of its chapter; empty if they were not profiled.
  std::string costHtml() const {
    if (options_.strategy->family != Family::Reduction) return {};
    TextProfiles profiles;
    const CostChart chart = CostCharts().ofChapter(
        profiles, {options_.strategy, options_.strategy->title, options_.strategy->source, nullptr});
    if (chart.kernels.size() < 2) return {};
    SceneContext context{.width = kCostWidth, .still = true};
    context.height = leastCostHeight(chart, context, measure_);
    return "<figure class=\"cost\">\n" + toPageSvg(costScene(chart, context, measure_)) + "</figure>\n";
  }

  std::string title() const {
    return options_.pictures.title.empty() ? launchText(trace_) : options_.pictures.title;
  }

  std::string countersText(const Counters& counters) const {
    std::string list;
    for (const CounterInfo* row : rows_) addTo(list, quotedForPage(row->text(counters, "none")));
    return "[" + list + "]";
  }

  const Trace& trace_;
  PageOptions options_;
  std::shared_ptr<const PicturePlan> plan_;
  std::vector<const CounterInfo*> rows_;
  std::vector<MarkdownBlock> lesson_;
  ApproximateMeasure measure_;
  PageItems items_;
  std::array<PageReel, kPictures.size()> reels_;
  std::array<PictureSize, kPictures.size()> sizes_{};
  std::map<std::uint32_t, int> lineTops_;  ///< by line of the source: its middle in its picture
  std::string frames_;                     ///< steps, wavefront, wavefronts, phase, line
  std::vector<std::string> counted_;       ///< by row, of the previous step
  std::string changes_;                    ///< of the counters, by step: row, text, …
};

}  // namespace

Result<std::string> pageHtml(const std::shared_ptr<const Trace>& trace, const PageOptions& options,
                             const FrameWatcher& goesOn) {
  const auto frames = makeFrames(trace, options.grain);
  if (!frames) return frames.error();
  PageWriter writer(trace, options);
  Replay replay(trace);
  for (std::size_t i = 0; i < frames->size(); ++i) {
    if (goesOn && !goesOn(i)) return Error{"The page was stopped; nothing was written."};
    replay.seek((*frames)[i]);
    writer.add(replay);
  }
  return writer.html(frames->size());
}

}  // namespace lanescope
