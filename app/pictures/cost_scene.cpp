#include "app/pictures/cost_scene.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/chart_scene.h"

namespace lanescope {
namespace {

constexpr float kNarrow = 520;  ///< units: below it the names are above their bars
constexpr float kLeastBar = 17;
constexpr float kMostBar = 40;
constexpr float kPercent = 14;     ///< units, of the row of percents
constexpr float kName = 16;        ///< of a name above its bar
constexpr float kLeastBarGap = 5;  ///< between kernels
constexpr float kMostBarGap = 16;
constexpr float kAxis = 22;
constexpr double kTicks = 8;

constexpr TextStyle kTime{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
constexpr TextStyle kTick{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};
constexpr TextStyle kDim{FontRole::Small, ColorRole::TextDim, Align::Left, 1, 1};

TextStyle nameStyle(const KernelCost& kernel) {
  return {kernel.isCurrent ? FontRole::Bold : FontRole::Body, ColorRole::Text, Align::Left, 0.9F, 1};
}

std::string timeText(double us) {
  return us >= 99.95 ? fmt::format("{:.0f} µs", us) : microseconds(us) + " µs";
}

std::string tickText(double us) {
  return (us < 1000 ? fmt::format("{:.4g}", us) : withCommas(toWhole<std::uint64_t>(us))) + " µs";
}

std::string timeText(const KernelCost& kernel) {
  return (kernel.basis == CostBasis::Predicted ? "at least " : "") + timeText(kernel.us);
}

/// The colour of a piece's letters.
ColorRole inkOf(LineRole role, CostBasis basis) {
  const bool isDark = role == LineRole::Other;
  return isDark || basis == CostBasis::Predicted ? ColorRole::Text : ColorRole::TextOnAccent;
}

/// `s[tid] = in[blockIdx.x * blockDim.x + tid];` becomes `s[tid] = in[…]`: long contents of brackets are left
/// out.
std::string withoutIndices(const std::string& code) {
  constexpr std::size_t kLongIndex = 8;
  std::string text;
  for (std::size_t i = 0; i < code.size(); ++i) {
    text += code[i];
    if (code[i] != '[') continue;
    std::size_t end = i + 1;
    for (int depth = 1; end < code.size(); ++end) {
      depth += code[end] == '[' ? 1 : code[end] == ']' ? -1 : 0;
      if (depth == 0) break;
    }
    if (end == code.size() || end - i - 1 <= kLongIndex) continue;
    text += "…";
    i = end - 1;
  }
  return text;
}

/// A line's code, shorter and shorter.
std::vector<std::string> abbreviations(std::string code) {
  if (code == "}") return {"} (end)", "}"};
  if (code.ends_with('{')) code.erase(code.find_last_not_of(" {") + 1);
  if (code.ends_with(';')) code.pop_back();
  std::vector<std::string> all{code, withoutIndices(code)};
  if (code.starts_with("for (")) all.emplace_back("for …");
  return all;
}

class CostPainter {
 public:
  CostPainter(const CostChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure), scale_(makeCostScale(chart.mostUs())) {
    isNarrow_ = out_.width() < out_.u(kNarrow);
    SceneBuilder scratch(context, measure);
    noteHeight_ = paintNote(scratch, 0);
  }

  Scene paint() {
    float y = paintHead();
    if (!chart_.kernels.empty()) {
      y = paintLegend(y);
      layOut(y);
      paintAxis();
      for (std::size_t i = 0; i < chart_.kernels.size(); ++i) paintKernel(i);
      y = bottom_ + out_.u(kAxis);
    }
    end_ = paintNote(out_, y);
    return out_.consume();
  }

  /// The end of the picture.
  float end() const { return end_; }

 private:
  float room() const { return out_.width() - 2 * out_.margin(); }

  /// Returns the y below it.
  float paintNote(SceneBuilder& out, float y) const {
    if (chart_.note.empty()) return y;
    return out.paragraph(out.margin(), y + out.u(6), room(), 3, chart_.note, kDim) + out.u(2);
  }

  float paintHead() {
    const std::string setting = settingText(chart_.setting);
    const float y = out_.heading("WHERE THE TIME GOES", isNarrow_ ? "" : setting);
    if (!isNarrow_ || chart_.kernels.empty()) return y;
    return out_.paragraph(out_.margin(), y + out_.u(4), room(), 3, setting, kDim) + out_.u(2);
  }

  bool hasPredicted() const {
    return std::ranges::count(chart_.kernels, CostBasis::Predicted, &KernelCost::basis) > 0;
  }

  /// The roles that a bar has, and what an outline means, in as many rows as they need.
  float paintLegend(float y) {
    std::set<LineRole> used;
    for (const KernelCost& kernel : chart_.kernels) {
      for (const CostPiece& piece : kernel.pieces) used.insert(piece.role);
    }
    const float box = out_.u(9);
    const float pitch = out_.u(16);
    float x = out_.margin();
    const auto add = [&](std::string_view words, auto paintBox) {
      const float width = box + out_.u(5) + out_.textWidth(words, kDim) + out_.u(14);
      if (x > out_.margin() && x + width > out_.width() - out_.margin()) {
        x = out_.margin();
        y += pitch;
      }
      paintBox(Rect{x, y + (pitch - box) / 2, box, box});
      out_.text(x + box + out_.u(5), y + pitch / 2, std::string(words), kDim);
      x += width;
    };
    for (const LineRole role : used) {
      add(lineRoleWords(role), [&](const Rect& rect) { out_.fill(rect, costRoleColor(role), out_.u(2)); });
    }
    if (hasPredicted()) {
      add("outlined: predicted from floors",
          [&](const Rect& rect) { out_.stroke(rect, ColorRole::Text, out_.u(1.2F), out_.u(2)); });
    }
    return y + pitch + out_.u(4);
  }

  void layOut(float top) {
    const auto count = static_cast<float>(chart_.kernels.size());
    float labels = 0;
    for (const KernelCost& kernel : chart_.kernels)
      labels = std::max(
          {labels, out_.textWidth(kernel.title, nameStyle(kernel)), out_.textWidth(timeText(kernel), kTime)});
    left_ = out_.margin() + (isNarrow_ ? 0 : std::min(labels, out_.width() * 0.24F) + out_.u(12));
    const std::string last = tickText(scale_.us);
    right_ = std::max(left_ + out_.u(20), out_.width() - out_.margin() - out_.textWidth(last, kTick) / 2);
    const float most = (out_.height() - top - out_.u(kAxis) - noteHeight_) / count;
    const float fixed = out_.u(kPercent + (isNarrow_ ? kName : 0));
    gap_ = std::clamp((most - fixed) * 0.25F, out_.u(kLeastBarGap), out_.u(kMostBarGap));
    bar_ = std::clamp(most - fixed - gap_, out_.u(kLeastBar), out_.u(kMostBar));
    pitch_ = bar_ + fixed + gap_;
    top_ = top;
    bottom_ = top + count * pitch_;
  }

  float computeX(double us) const {
    return left_ + (right_ - left_) * static_cast<float>(scale_.us > 0 ? us / scale_.us : 0);
  }

  float barTop(std::size_t kernel) const {
    return top_ + static_cast<float>(kernel) * pitch_ + (isNarrow_ ? out_.u(kName) : 0);
  }

  void paintAxis() {
    out_.line(left_, bottom_, right_, bottom_, ColorRole::Grid, out_.u(1));
    float free = 0;
    for (const double tick : scale_.ticks) {
      const float x = computeX(tick);
      out_.line(x, bottom_ - out_.u(3), x, bottom_ + out_.u(3), ColorRole::Grid, out_.u(1));
      for (std::size_t i = 0; i < chart_.kernels.size(); ++i)  // between the percents
        out_.line(x, barTop(i), x, barTop(i) + bar_, ColorRole::Grid, out_.u(1));
      const std::string text = tickText(tick);
      const float half = out_.textWidth(text, kTick) / 2;
      const float middle = std::max(x, half + out_.u(2));
      if (middle - half < free) continue;
      out_.text(middle, bottom_ + out_.u(12), text, kTick);
      free = middle + half + out_.u(6);
    }
  }

  void paintKernel(std::size_t index) {
    const KernelCost& kernel = chart_.kernels[index];
    const Rect bar{left_, barTop(index), computeX(kernel.us) - left_, bar_};
    const float y = bar.y - (isNarrow_ ? out_.u(kName) : 0);
    if (isNarrow_) {
      const std::string time = timeText(kernel);
      const float width =
          out_.textWithin(out_.margin(), y + out_.u(kName) / 2,
                          room() - out_.textWidth(time, kTime) - out_.u(8), kernel.title, nameStyle(kernel));
      out_.text(out_.margin() + width + out_.u(8), y + out_.u(kName) / 2, time, kTime);
    } else {
      const float width = left_ - out_.margin() - out_.u(8);
      const float middle = bar.y + (bar_ + out_.u(kPercent)) / 2;
      out_.textWithin(out_.margin(), middle - out_.u(8), width, kernel.title, nameStyle(kernel));
      out_.textWithin(out_.margin(), middle + out_.u(7), width, timeText(kernel), kTime);
    }
    double before = 0;
    freePercent_ = 0;
    for (const CostPiece& piece : kernel.pieces) {
      const Rect rect{computeX(before * kernel.us), bar.y,
                      computeX((before + piece.share) * kernel.us) - computeX(before * kernel.us), bar_};
      paintPiece(index, kernel, piece, rect);
      before += piece.share;
    }
  }

  void paintPiece(std::size_t index, const KernelCost& kernel, const CostPiece& piece, const Rect& rect) {
    const float gap = std::min(out_.u(1.5F), rect.w / 3);
    const Rect inner{rect.x, rect.y, rect.w - gap, rect.h};
    const ColorRole color = costRoleColor(piece.role);
    if (kernel.basis == CostBasis::Measured)
      out_.fill(inner, color, std::min(out_.u(2), inner.w / 2));
    else
      out_.stroke(inner.inset(out_.u(0.7F)), color, out_.u(1.4F), std::min(out_.u(2), inner.w / 2));
    paintCode(piece, inner, inkOf(piece.role, kernel.basis));
    const std::string percent = fmt::format("{:.0f}%", 100 * piece.share);
    for (const std::string& amount : {percent + " · " + timeText(piece.share * kernel.us), percent}) {
      const float half = out_.textWidth(amount, kTick) / 2;
      if (inner.midX() - half < freePercent_ || 2 * half > inner.w + out_.u(8)) continue;
      out_.text(inner.midX(), rect.bottom() + out_.u(kPercent / 2), amount, kTick);
      freePercent_ = inner.midX() + half + out_.u(3);
      break;
    }
    const bool isHere = kernel.isCurrent && piece.line > 0;
    out_.hit({rect.x, rect.y, rect.w, rect.h + out_.u(kPercent)},
             isHere ? HitArea::Kind::Line : HitArea::Kind::Strategy,
             isHere ? piece.line : static_cast<std::uint32_t>(index), [&] { return makeTip(kernel, piece); });
  }

  void paintCode(const CostPiece& piece, const Rect& rect, ColorRole color) {
    const TextStyle style{piece.line > 0 ? FontRole::Mono : FontRole::Small, color, Align::Left, 0.8F, 1};
    const float pad = out_.u(5);
    const float room = rect.w - 2 * pad;
    if (out_.computeSize(style) > rect.h) return;
    if (room < out_.textWidth("if …", style)) return;
    std::string code = piece.code;
    for (const std::string& shorter : abbreviations(piece.code)) {
      code = shorter;
      if (out_.textWidth(code, style) <= room) break;
    }
    out_.textWithin(rect.x + pad, rect.midY(), room, code, style);
  }

  static std::string makeTip(const KernelCost& kernel, const CostPiece& piece) {
    std::string tip = piece.line > 0 ? fmt::format("{}, line {}\n{}", kernel.title, piece.line, piece.code)
                                     : fmt::format("{}: {}", kernel.title, piece.code);
    tip += fmt::format("\n{}: {:.0f}% of {}, {}", lineRoleWords(piece.role), 100 * piece.share,
                       timeText(kernel.us), timeText(piece.share * kernel.us));
    if (kernel.basis == CostBasis::Predicted)
      return tip + "\nPredicted from the floor of " + kernel.origin + ": it cannot take less";
    return tip + "\nMeasured by Nsight Compute on " + kernel.origin;
  }

  const CostChart& chart_;
  SceneBuilder out_;
  CostScale scale_;
  bool isNarrow_ = false;
  float left_ = 0, right_ = 0;  ///< of the scale
  float top_ = 0, bottom_ = 0;  ///< of the bars
  float bar_ = 0, gap_ = 0, pitch_ = 0;
  float noteHeight_ = 0;
  float freePercent_ = 0;  ///< from there on
  float end_ = 0;
};

}  // namespace

ColorRole costRoleColor(LineRole role) {
  switch (role) {
    case LineRole::Global: return ColorRole::Operand;
    case LineRole::Condition: return ColorRole::Condition;
    case LineRole::Shared: return ColorRole::Result;
    case LineRole::Loop: return ColorRole::LaneExited;
    case LineRole::Other: break;
  }
  return ColorRole::CellUnwritten;
}

CostScale makeCostScale(double mostUs) {
  CostScale scale;
  if (charted(mostUs) == 0) return scale;
  const std::vector<double> found = evenTicks(0, mostUs, kTicks);
  const double step = found.size() > 1 ? found[1] - found[0] : mostUs;
  const double steps = std::ceil(mostUs / step - 1e-9);
  for (int i = 0; i <= toWhole<int>(steps); ++i) scale.ticks.push_back(i * step);
  scale.us = scale.ticks.back();
  return scale;
}

float leastCostHeight(const CostChart& chart, const SceneContext& context, const TextMeasure& measure) {
  SceneContext flat = context;
  flat.height = 0;  // then every bar is as low as it may be
  CostPainter painter(chart, flat, measure);
  painter.paint();
  return painter.end();
}

Scene costScene(const CostChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return CostPainter(chart, context, measure).paint();
}

}  // namespace lanescope
