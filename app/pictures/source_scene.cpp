#include "app/pictures/source_scene.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "sim/base/counted.h"

namespace lanescope {

namespace {

constexpr std::uint32_t kLeastStride = 1024;
constexpr std::size_t kMostPlaces = 256;

void count(const Trace& trace, const Step& step, std::vector<Counters>& lines) {
  if (step.line < lines.size()) lines[step.line] += computeCounters(trace, step);
}

}  // namespace

LinePlan planLines(const Trace& trace) {
  LinePlan plan;
  if (trace.launch.source == nullptr) return plan;
  const auto steps = static_cast<std::uint32_t>(trace.steps.size());
  plan.stride = std::max(kLeastStride, static_cast<std::uint32_t>(steps / kMostPlaces) + 1);
  std::vector<Counters> lines(trace.launch.source->lineCount() + 1);
  for (std::uint32_t index = 0; index < steps; ++index) {
    if (index % plan.stride == 0) plan.at.push_back(lines);
    count(trace, trace.steps[index], lines);
  }
  if (plan.at.empty()) plan.at.push_back(lines);
  for (const Counters& line : lines) {
    // A branch can diverge before its line's access is counted: that text is then the line's.
    Counters branches;
    branches.divergentBranches = line.divergentBranches;
    plan.longest = std::max({plan.longest, costText(line).size(), costText(branches).size()});
  }
  return plan;
}

void LineCosts::syncTo(const Trace& trace, Cursor cursor, const std::shared_ptr<const PicturePlan>& plan) {
  const LinePlan& lines = *plan->lines;
  const std::uint32_t place = cursor.steps / lines.stride;
  const bool isFar = steps_ > cursor.steps + lines.stride || steps_ < place * lines.stride;
  if (plan_ != plan || isFar) {
    plan_ = plan;
    const std::size_t known = std::min<std::size_t>(place, lines.at.size() - 1);
    lines_ = lines.at[known];
    steps_ = static_cast<std::uint32_t>(known) * lines.stride;
  }
  while (steps_ < cursor.steps) count(trace, trace.steps[steps_++], lines_);
  while (steps_ > cursor.steps) {
    const Step step = trace.steps[--steps_];
    if (step.line < lines_.size()) lines_[step.line] -= computeCounters(trace, step);
  }
}

const Counters& LineCosts::of(std::uint32_t line) const {
  static const Counters kNothing;
  return line < lines_.size() ? lines_[line] : kNothing;
}

std::string costText(const Counters& counters) {
  if (counters.sharedWavefronts() > 0)
    return withCommas(counters.sharedWavefronts()) + " · " + withCommas(counters.bankConflicts());
  if (counters.globalSectors() > 0) return withCommas(counters.globalSectors()) + " sect.";
  const std::uint64_t diverging = counters.divergentBranches;
  return diverging > 0 ? withCommas(diverging) + (diverging == 1 ? " diverges" : " diverge") : "";
}

std::string_view costTitle(const Counters& total) {
  if (total.sharedWavefronts() > 0) return "wavefronts · conflicts";
  if (total.globalSectors() > 0) return "sectors";
  return total.divergentBranches > 0 ? "branches" : "";
}

ColorRole costColor(CounterGroup group) {
  return group == CounterGroup::Branches ? ColorRole::Divergence : ColorRole::Conflict;
}

ColorRole costColor(const Counters& counters) {
  if (counters.sharedWavefronts() > 0)
    return counters.bankConflicts() > 0 ? ColorRole::Conflict : ColorRole::TextDim;
  const bool diverges = counters.globalSectors() == 0 && counters.divergentBranches > 0;
  return diverges ? ColorRole::Divergence : ColorRole::TextDim;
}

namespace {

/// The meaning of the numbers in the margin.
std::string explained(const Counters& counters) {
  const std::string text = costText(counters);
  if (text.empty()) return {};
  if (counters.sharedWavefronts() > 0)
    return fmt::format("{}: {} of shared memory, {} of them beyond what is needed (bank conflicts)\n", text,
                       counted(counters.sharedWavefronts(), "wavefront"),
                       withCommas(counters.bankConflicts()));
  if (counters.globalSectors() > 0)
    return fmt::format("{}: {} of global memory moved\n", text, counted(counters.globalSectors(), "sector"));
  return fmt::format("{}: {} at which lanes of one warp went different ways\n", text,
                     counted(counters.divergentBranches, "branch"));
}

}  // namespace

std::string costTip(const Counters& counters) {
  if (counters.instructions == 0) return "";
  std::string tip = explained(counters) + "So far on this line";
  for (const CounterInfo* counter : countersOn(kLineTip)) {
    const std::uint64_t count = counter->value(counters);
    if (count > 0) tip += fmt::format("\n{} {}", count, counter->plain);
  }
  return tip + "\n" + std::to_string((counters.activeLanes * 100 + counters.lanes / 2) / counters.lanes) +
         "% of lanes active";
}

namespace {

constexpr float kPitch = 18;             ///< units from line to line, at the letters' own size
constexpr float kLeastScale = 0.78F;     ///< of the letters, before lines continue in the row below
constexpr float kSmallestScale = 0.66F;  ///< of a file, before lines are cut; the window scrolls instead
constexpr float kScaleStep = 0.03F;
constexpr float kNumberGap = 30;  ///< units between a line's number and its code
constexpr float kCostGap = 14;
constexpr float kMargin = 14;        ///< as SceneBuilder::margin()
constexpr float kFontSlack = 1.03F;  ///< fonts are not all equally wide
constexpr float kMostScale = 1.3F;   ///< if there is room to spare
constexpr float kHeading = 36;
constexpr float kFoot = 10;

/// `text` with tabs as blanks up to the next multiple of four columns.
std::string withoutTabs(std::string_view text, std::size_t& column) {
  std::string out;
  for (const char letter : text) {
    const std::size_t blanks = letter == '\t' ? 4 - column % 4 : 1;
    out.append(blanks, letter == '\t' ? ' ' : letter);
    if ((static_cast<unsigned char>(letter) & 0xC0U) != 0x80U) column += blanks;
  }
  return out;
}

std::size_t makeColumns(std::string_view line) {
  std::size_t column = 0;
  withoutTabs(line, column);
  return column;
}

/// A line, or a part of one that is too long, as it is drawn.
struct SourceRow {
  std::uint32_t line = 0;
  std::size_t begin = 0;  ///< bytes of the line's text
  std::size_t end = 0;
  std::size_t column = 0;  ///< the column of its first character
};

/// The number of blanks before a line that is only a comment; npos for any other line.
std::size_t commentIndent(std::string_view text) {
  const std::size_t ink = text.find_first_not_of(" \t");
  return ink != std::string_view::npos && text.substr(ink).starts_with("//") ? ink : std::string_view::npos;
}

/// The positions of warps: for each line, how many are at it, and whether all of them wait.
struct LineWarps {
  std::uint32_t count = 0;
  bool waiting = true;
};

class SourcePainter {
 public:
  SourcePainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment), text_(*moment.trace.launch.source), out_(context, measure) {
    costs_.syncTo(moment.trace, moment.cursor, moment.plan);
    warps_.resize(text_.lineCount() + 1);
    const WaitingWarps waiting(moment.trace, moment.state);
    for (std::uint32_t warp = 0; warp < moment.trace.warps; ++warp) {
      const std::int32_t last = moment.state.lastStep[warp];
      if (last < 0) continue;
      const Step step = moment.trace.steps[static_cast<std::size_t>(last)];
      if (step.line >= warps_.size()) continue;
      LineWarps& here = warps_[step.line];
      ++here.count;
      here.waiting = here.waiting && waiting.contains(warp);
    }
  }

  Scene paint() {
    const float least = out_.u(kHeading);
    chooseLines(least);
    chooseScale(least);
    breakLines(least);
    const bool isCut = last_ - first_ + 1 < text_.lineCount();
    const float legend = costWidth_ > 0 ? out_.u(120) : 0;
    const float top = out_.heading(
        "KERNEL",
        isCut ? fmt::format("{}, lines {} to {} of {}", text_.name(), first_, last_, text_.lineCount())
              : text_.name(),
        legend);
    if (legend > 0) {
      out_.text(out_.width() - out_.margin(), out_.u(18), std::string(costTitle(moment_.trace.total)),
                {FontRole::Small, ColorRole::TextDim, Align::Right, 1, 1});
    }
    float y = std::max(top, least) + pitch() / 2;
    for (const SourceRow& row : rows_) {
      paintLine(row, y);
      y += pitch();
    }
    return out_.consume();
  }

 private:
  // All lines if they fit; else as many as do, with the current one in the middle.
  void chooseLines(float top) {
    const float room = out_.height() - top - out_.u(kFoot);
    const auto fit = static_cast<std::uint32_t>(std::max(room / out_.u(kPitch * kLeastScale), 1.0F));
    const std::uint32_t lines = text_.lineCount();
    if (lines <= fit) {
      last_ = lines;
      return;
    }
    // Before the first step: the kernel's head, with the line before it.
    const std::uint32_t head = moment_.trace.kernelLine;
    const std::uint32_t current = currentLine();
    const std::uint32_t above = current == 0 ? 1 : fit / 2;
    const std::uint32_t wanted = current == 0 ? head : current;
    first_ = wanted > above ? wanted - above : 1;
    first_ = std::min(first_, lines - fit + 1);
    last_ = first_ + fit - 1;
  }

  // The largest letters that leave every line whole, except lines that are only a comment.
  void chooseScale(float top) {
    std::size_t longest = 1;
    for (std::uint32_t line = first_; line <= last_; ++line) {
      const std::string cost = costText(costs_.of(line));
      if (cost.size() > longestCost_.size()) longestCost_ = cost;
      const std::string_view text = text_.line(line);
      if (commentIndent(text) == std::string_view::npos) longest = std::max(longest, makeColumns(text));
    }
    const auto measureWidth = [&](const std::string& text) {
      return text.empty() ? 0.0F : out_.textWidth(text, style(ColorRole::Text));
    };
    const std::string number = fmt::format("{}", text_.lineCount());
    const float gaps = out_.u(kNumberGap) + (longestCost_.empty() ? 0.0F : out_.u(kCostGap));
    const float letters =
        measureWidth(number) + measureWidth(longestCost_) + measureWidth(std::string(longest, 'm'));
    const float across = (out_.width() - 2 * out_.margin() - gaps) / letters;
    const float down =
        (out_.height() - top - out_.u(kFoot)) / (out_.u(kPitch) * static_cast<float>(last_ - first_ + 1));
    setScale(std::clamp(std::min(across, down) * 0.99F, kLeastScale, kMostScale));
  }

  void setScale(float scale) {
    scale_ = scale;
    const std::string number = fmt::format("{}", text_.lineCount());
    codeLeft_ = out_.margin() + out_.textWidth(number, style(ColorRole::Text)) + out_.u(kNumberGap);
    costWidth_ =
        longestCost_.empty() ? 0 : out_.textWidth(longestCost_, style(ColorRole::Text)) + out_.u(kCostGap);
  }

  /// True if all rows fit, and each fits in width.
  bool isWhole(float top) const {
    const std::size_t fit = fittingColumns();
    return rows_.size() <= fittingRows(top) && std::ranges::all_of(rows_, [&](const SourceRow& row) {
             const std::string_view text = text_.line(row.line).substr(row.begin, row.end - row.begin);
             return row.column + makeColumns(text) <= fit;
           });
  }

  void buildRows(bool breaksCode, bool breaksComments) {
    const std::size_t fit = fittingColumns();
    rows_.clear();
    for (std::uint32_t line = first_; line <= last_; ++line) {
      const std::string_view text = text_.line(line);
      const bool isComment = commentIndent(text) != std::string_view::npos;
      const bool breaks = isComment ? breaksComments : breaksCode;
      const std::size_t indent = text.find_first_not_of(" \t");
      const std::size_t hanging = indent + (isComment ? 3 : 4);
      SourceRow row{line, 0, text.size(), 0};
      while (breaks && indent < fit / 2 && row.column + text.size() - row.begin > fit) {
        const std::size_t blank = text.rfind(' ', row.begin + (fit - row.column));
        if (blank == std::string_view::npos || blank <= std::max(row.begin, hanging)) break;
        rows_.push_back({line, row.begin, blank, row.column});
        row.begin = blank + 1;
        row.column = hanging;
      }
      rows_.push_back(row);
    }
  }

  std::size_t fittingColumns() const {
    const float right = out_.width() - out_.margin() - costWidth_;
    return static_cast<std::size_t>((right - codeLeft_) / out_.textWidth("m", style(ColorRole::Text)));
  }

  std::size_t fittingRows(float top) const {
    return static_cast<std::size_t>((out_.height() - top) / pitch());
  }

  float pitch() const { return out_.u(kPitch) * scale_; }
  // Lines that are too long continue in the row below, in letters small enough for all of them; if that is
  // not enough, at least for lines with code.
  void breakLines(float top) {
    const float chosen = scale_;
    for (float scale = chosen; scale >= kSmallestScale; scale -= kScaleStep) {
      setScale(scale);
      const bool isWide = fittingColumns() > 24;
      buildRows(isWide, isWide);
      if (isWhole(top)) return;
    }
    setScale(chosen);
    const bool isWide = fittingColumns() > 24;
    buildRows(isWide, isWide);
    if (rows_.size() > fittingRows(top)) buildRows(isWide, false);
    if (rows_.size() > fittingRows(top)) buildRows(false, false);
  }

  void paintLine(const SourceRow& row, float y) {
    const std::uint32_t line = row.line;
    const Rect area{0, y - pitch() / 2, out_.width(), pitch()};
    if (line == currentLine()) {
      out_.fill(area, ColorRole::Accent, 0, 0.22F);
      out_.fill({0, area.y, out_.u(3), area.h}, ColorRole::Accent);
    }
    paintCode(row, y);
    out_.hit(area, HitArea::Kind::Line, line, [&] { return costTip(costs_.of(line)); });
    if (row.begin > 0) return;
    out_.text(codeLeft_ - out_.u(kNumberGap), y, fmt::format("{}", line),
              style(ColorRole::TextDim, Align::Right));
    paintMark(warps_[line], y);
    const std::string cost = costText(costs_.of(line));
    if (!cost.empty())
      out_.text(out_.width() - out_.margin(), y, cost, style(costColor(costs_.of(line)), Align::Right));
  }

  void paintCode(const SourceRow& row, float y) {
    const std::string_view line = text_.line(row.line);
    const auto lineBegin = static_cast<std::size_t>(line.data() - text_.text().data());
    const auto begin = static_cast<std::uint32_t>(lineBegin + row.begin);
    const auto end = static_cast<std::uint32_t>(lineBegin + row.end);
    const float right = out_.width() - out_.margin() - costWidth_;
    const float advance = out_.textWidth("m", style(ColorRole::Text));
    const std::vector<SourceToken>& tokens = moment_.plan->tokens;
    auto token = std::ranges::partition_point(tokens, [&](const SourceToken& t) { return t.end <= begin; });
    const auto columns =
        static_cast<float>(row.column + makeColumns(line.substr(row.begin, row.end - row.begin)));
    const bool isCut = codeLeft_ + advance * columns > right + 0.5F;
    std::size_t column = row.column;
    for (; token != tokens.end() && token->begin < end; ++token) {
      const std::uint32_t from = std::max(token->begin, begin);
      const std::uint32_t to = std::min(token->end, end);
      if (from >= to) continue;
      const float x = codeLeft_ + advance * static_cast<float>(column);
      const std::string piece = withoutTabs(text_.text().substr(from, to - from), column);
      // A blank has no ink: it would only make the picture larger.
      const std::size_t ink = piece.find_first_not_of(' ');
      if (ink == std::string::npos) continue;
      const float inkX = x + advance * static_cast<float>(ink);
      const std::string_view text =
          std::string_view(piece).substr(ink, piece.find_last_not_of(' ') + 1 - ink);
      const bool isLast = isCut && codeLeft_ + advance * static_cast<float>(column) > right - advance;
      if (!isLast) {
        out_.text(inkX, y, std::string(text), style(tokenColor(token->kind)));
        continue;
      }
      // More follows than fits: the ellipsis is here, though this token might fit without it.
      const std::string more = piece.substr(ink) + "...";
      if (out_.textWithin(inkX, y, right - inkX, more, style(tokenColor(token->kind))) == 0)
        out_.text(right - advance, y, "…", style(ColorRole::TextDim));
      return;
    }
  }

  void paintMark(const LineWarps& warps, float y) {
    if (warps.count == 0) return;
    const float size = out_.u(9) * scale_;
    const float x = codeLeft_ - out_.u(24);
    const Rect box{x, y - size / 2, size, size};
    if (warps.waiting) {
      out_.fill({box.x, box.y, size * 0.3F, size}, ColorRole::LaneWaiting);
      out_.fill({box.x + size * 0.55F, box.y, size * 0.3F, size}, ColorRole::LaneWaiting);
    } else {
      out_.triangle({box.x, box.y, size * 0.85F, size}, ColorRole::LaneActive, false);
    }
  }

  std::uint32_t currentLine() const {
    const std::optional<Step> step = moment_.step();
    return step ? step->line : 0;
  }

  TextStyle style(ColorRole color, Align align = Align::Left) const {
    return {FontRole::Mono, color, align, scale_, 1};
  }

  const Moment& moment_;
  const SourceText& text_;
  SceneBuilder out_;
  LineCosts costs_;
  std::vector<LineWarps> warps_;
  std::vector<SourceRow> rows_;
  std::uint32_t first_ = 1;
  std::uint32_t last_ = 1;
  float scale_ = 1;
  float codeLeft_ = 0;
  float costWidth_ = 0;
  std::string longestCost_;
};

}  // namespace

Scene sourceScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return SourcePainter(moment, context, measure).paint();
}

float sourceHeight(const Trace& trace, float unit) {
  return (kHeading + kFoot + kPitch * static_cast<float>(trace.launch.source->lineCount())) * unit;
}

float sourceWidth(const Moment& moment, float unit) {
  const SourceText& text = *moment.trace.launch.source;
  LineCosts costs;
  costs.syncTo(moment.trace, {static_cast<std::uint32_t>(moment.trace.steps.size()), 0}, moment.plan);
  std::size_t code = 1;
  std::size_t cost = 0;
  for (std::uint32_t line = 1; line <= text.lineCount(); ++line) {
    code = std::max(code, makeColumns(text.line(line)));
    cost = std::max(cost, makeColumns(costText(costs.of(line))));
  }
  const std::size_t letters = code + cost + fmt::formatted_size("{}", text.lineCount());
  const float wide =
      ApproximateMeasure().width(FontRole::Mono, fontSize(FontRole::Mono), std::string(letters, 'm'));
  return (2 * kMargin + kNumberGap + kCostGap + wide * kFontSlack) * unit;
}

}  // namespace lanescope
