#include "app/export/page.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "app/export/page_items.h"
#include "app/export/page_texts.h"
#include "app/export/page_words.h"
#include "app/paint/svg_painter.h"
#include "app/paint/theme.h"
#include "app/pictures/plan_pictures.h"
#include "app/pictures/line_costs.h"
#include "app/course/lesson_changes.h"
#include "app/course/glossary.h"
#include "app/course/lesson_place.h"
#include "app/course/phase_text.h"
#include "sim/memory/counter_info.h"

namespace lanescope {
namespace {

constexpr std::array kPictures = {Picture::Array, Picture::Warps, Picture::Banks, Picture::Source};

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
  constexpr std::array kNames = {
      std::pair{"background", ColorRole::Background}, std::pair{"panel", ColorRole::Panel},
      std::pair{"border", ColorRole::PanelBorder},    std::pair{"text", ColorRole::Text},
      std::pair{"dim", ColorRole::TextDim},           std::pair{"on-accent", ColorRole::TextOnAccent},
      std::pair{"accent", ColorRole::Accent},         std::pair{"cell", ColorRole::Cell},
      std::pair{"conflict", ColorRole::Conflict},     std::pair{"divergence", ColorRole::Divergence}};
  css += "\nbody{";
  for (const auto& [name, role] : kNames)
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
        if (hit.kind == HitArea::Kind::Line) lineTops_[hit.index] = static_cast<int>(hit.y + hit.h / 2);
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
           markdownHtml(lesson_, 3) + "</section>\n";
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
