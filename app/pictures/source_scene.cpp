#include "app/pictures/source_scene.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/code_rows.h"
#include "app/pictures/line_costs.h"
#include "app/pictures/picture_plan.h"
#include "app/workbench/text_buffer.h"

namespace lanescope {

namespace {

constexpr float kPitch = 18;          ///< units from row to row, at the letters' own size
constexpr int kMostPercent = 130;     ///< of the letters' size, if there is room to spare
constexpr int kLeastPercent = 78;     ///< before lines continue in the row below
constexpr int kSmallestPercent = 60;  ///< before only a part of the text is shown
constexpr int kPercentStep = 2;
constexpr float kNumberGap = 30;  ///< units between a line's number and its code
constexpr float kCostGap = 14;
constexpr float kMargin = 14;        ///< as SceneBuilder::margin()
constexpr float kFontSlack = 1.03F;  ///< fonts are not all equally wide
constexpr float kHeading = 36;
constexpr float kFoot = 10;

class SourcePainter {
 public:
  SourcePainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        name_(moment.trace.launch.source->name()),
        code_(moment.plan->code),
        warps_(warpsByLine(moment.trace, moment.state)),
        out_(context, measure),
        costColumns_(moment.plan->lines->longest),
        lines_(static_cast<std::size_t>(std::ranges::count(code_, '\n')) + 1) {
    costs_.syncTo(moment.trace, moment.cursor, moment.plan);
  }

  Scene paint() {
    const float least = out_.u(kHeading);
    layOut(out_.height() - least - out_.u(kFoot));
    const std::string_view costs = costColumns_ > 0 ? costTitle(moment_.trace.total) : "";
    const float legend = costs.empty() ? 0 : out_.u(120);
    const std::size_t last = first_ + count_ - 1;
    const std::string note = count_ < rows_.rows().size()
                                 ? fmt::format("{}, lines {} to {} of {}", name_, rows_.rows()[first_].line,
                                               rows_.rows()[last].line, rows_.lineCount())
                                 : name_;
    const float top = std::max(out_.heading("KERNEL", note, legend), least);
    out_.text(out_.width() - out_.margin(), out_.u(18), std::string(costs),
              {FontRole::Small, ColorRole::TextDim, Align::Right, 1, 1});
    for (std::size_t row = 0; row < count_; ++row)
      paintRow(first_ + row, top + pitch() * (static_cast<float>(row) + 0.5F));
    return out_.consume();
  }

 private:
  // The largest letters that leave every line of code whole; else smaller ones whose rows all fit; else the
  // rows around the current line.
  void layOut(float height) {
    const auto fits = [&] { return static_cast<float>(rows_.rows().size()) * pitch() <= height; };
    for (int percent = kMostPercent; percent >= kSmallestPercent; percent -= kPercentStep) {
      const float least = static_cast<float>(lines_) * out_.u(kPitch) * (static_cast<float>(percent) / 100);
      if (least > height) continue;  // even if every line has one row
      setScale(percent);
      count_ = rows_.rows().size();
      if (fits() && (percent <= kLeastPercent || !breaksCode())) return;
    }
    setScale(kLeastPercent);
    count_ = rows_.rows().size();
    if (fits()) return;
    count_ = std::max<std::size_t>(1, toWhole<std::size_t>(height / pitch()));
    // Before the first step: the kernel's head, with the line before it.
    const std::uint32_t current = currentLine();
    const std::size_t above = current == 0 ? 1 : count_ / 2;
    const std::size_t wanted = rows_.rowOfLine(current == 0 ? moment_.trace.kernelLine : current);
    first_ = std::min(wanted > above ? wanted - above : 0, rows_.rows().size() - count_);
  }

  // True if a line continues in the row below that is more than a comment.
  bool breaksCode() const {
    bool isComment = false;
    return std::ranges::any_of(rows_.rows(), [&](const CodeRow& row) {
      if (!row.first) return !isComment;
      const std::size_t ink = std::min<std::size_t>(code_.find_first_not_of(' ', row.begin), row.end);
      isComment = code_.compare(ink, 2, "//") == 0;
      return false;
    });
  }

  void setScale(int percent) {
    scale_ = static_cast<float>(percent) / 100;
    advance_ = out_.textWidth("m", style(ColorRole::Text));
    const auto digits = static_cast<float>(fmt::formatted_size("{}", lines_));
    left_ = out_.margin() + advance_ * digits + out_.u(kNumberGap);
    const float costs =
        costColumns_ == 0 ? 0 : advance_ * static_cast<float>(costColumns_) + out_.u(kCostGap);
    const float columns = (out_.width() - out_.margin() - costs - left_) / advance_;
    rows_.layout(code_, toWhole<std::uint32_t>(std::max(columns, 1.0F)));
  }

  float pitch() const { return out_.u(kPitch) * scale_; }

  void paintRow(std::size_t index, float y) {
    const CodeRow& row = rows_.rows()[index];
    const Counters& costs = costs_.of(row.line);
    const Rect area{0, y - pitch() / 2, out_.width(), pitch()};
    if (row.line == currentLine()) {
      out_.fill(area, ColorRole::Accent, 0, 0.22F);
      out_.fill({0, area.y, out_.u(3), area.h}, ColorRole::Accent);
    }
    forEachPiece(
        moment_.plan->tokens, row, [&](const SourceToken& token, std::uint32_t begin, std::uint32_t end) {
          // A blank has no ink: it would only make the picture larger.
          while (begin < end && code_[begin] == ' ') ++begin;
          while (begin < end && code_[end - 1] == ' ') --end;
          if (begin == end) return;
          const float x = left_ + advance_ * static_cast<float>(rows_.findColumn(code_, index, begin));
          out_.text(x, y, code_.substr(begin, end - begin), style(tokenColor(token.kind)));
        });
    out_.hit(area, HitArea::Kind::Line, row.line, [&] { return costTip(costs); });
    if (!row.first) return;
    out_.text(left_ - out_.u(kNumberGap), y, fmt::format("{}", row.line),
              style(ColorRole::TextDim, Align::Right));
    paintMark(warpsOn(warps_, row.line), y);
    if (const std::string cost = costText(costs); !cost.empty())
      out_.text(out_.width() - out_.margin(), y, cost, style(costColor(costs), Align::Right));
  }

  void paintMark(std::span<const LineWarp> warps, float y) {
    if (warps.empty()) return;
    const float size = out_.u(9) * scale_;
    const Rect box{left_ - out_.u(24), y - size / 2, size, size};
    if (std::ranges::all_of(warps, &LineWarp::isWaiting)) {
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
  std::string name_;
  const std::string& code_;
  std::vector<LineWarp> warps_;
  SceneBuilder out_;
  std::uint32_t costColumns_;  ///< of the longest cost
  std::size_t lines_;          ///< of the text
  LineCosts costs_;
  CodeRows rows_;
  std::size_t first_ = 0;  ///< first row shown
  std::size_t count_ = 0;  ///< rows shown
  float scale_ = 1;
  float advance_ = 1;  ///< from column to column
  float left_ = 0;     ///< of the code
};

}  // namespace

Scene sourceScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return SourcePainter(moment, context, measure).paint();
}

float sourceHeight(const Trace& trace, float unit) {
  return (kHeading + kFoot + kPitch * static_cast<float>(trace.launch.source->lineCount())) * unit;
}

float sourceWidth(const Moment& moment, float unit) {
  CodeRows rows;
  rows.layout(moment.plan->code, kWholeLines);
  std::uint32_t columns = 1;
  for (const CodeRow& row : rows.rows())
    columns = std::max(columns, columnsIn(moment.plan->code, row.begin, row.end));
  const std::size_t letters =
      columns + moment.plan->lines->longest + fmt::formatted_size("{}", rows.lineCount());
  const float wide =
      ApproximateMeasure().width(FontRole::Mono, fontSize(FontRole::Mono), std::string(letters, 'm'));
  return (2 * kMargin + kNumberGap + kCostGap + wide * kFontSlack) * unit;
}

}  // namespace lanescope
