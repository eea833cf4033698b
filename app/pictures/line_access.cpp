#include "app/pictures/line_access.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/whole.h"
#include "app/pictures/bank_painter.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

std::vector<LineAccess> listLineAccesses(const Moment& moment) {
  const Trace& trace = moment.trace;
  const std::uint32_t end = moment.cursor.steps;
  std::vector<LineAccess> accesses;
  if (end == 0 || trace.nextRound(end - 1) != end) return accesses;
  if (moment.cursor.wavefront != moment.step()->wavefronts) return accesses;
  const std::uint32_t begin = trace.beginsRound(end - 1) ? end - 1 : trace.previousRound(end - 1);
  std::vector<Step> firsts;
  for (std::uint32_t index = begin; index < end; ++index) {
    const Step step = trace.steps[index];
    if (!isShared(step.kind) && !isGlobal(step.kind)) continue;
    const auto same = std::ranges::find_if(firsts, [&](const Step& first) {
      return first.span.begin == step.span.begin && first.kind == step.kind;
    });
    const auto place = static_cast<std::size_t>(same - firsts.begin());
    if (same == firsts.end()) {
      firsts.push_back(step);
      accesses.emplace_back();
    }
    LineAccess& access = accesses[place];
    access.steps.push_back(index);
    access.wavefronts += step.wavefronts;
    access.ideal += step.idealWavefronts;
    access.sectors += step.sectors;
  }
  return accesses;
}

const LineAccess* chooseAccess(const Trace& trace, const std::vector<LineAccess>& accesses) {
  const LineAccess* chosen = accesses.empty() ? nullptr : &accesses.back();
  std::uint32_t most = 0;
  for (const LineAccess& access : accesses) {
    const bool isOfBanks = isShared(trace.steps[access.steps.front()].kind);
    if (!isOfBanks || access.wavefronts < access.ideal + most || access.wavefronts == access.ideal) continue;
    most = access.wavefronts - access.ideal;
    chosen = &access;
  }
  return chosen;
}

const LineAccess* chooseOther(const Trace& trace, const std::vector<LineAccess>& accesses,
                              const LineAccess& chosen) {
  const auto isOfBanks = [&](const LineAccess& access) {
    return isShared(trace.steps[access.steps.front()].kind);
  };
  const auto computeCost = [&](const LineAccess& access) {
    return isOfBanks(access) ? access.wavefronts - access.ideal : access.sectors;
  };
  const LineAccess* other = nullptr;
  for (const LineAccess& access : accesses) {
    if (isOfBanks(access) == isOfBanks(chosen)) continue;
    if (other == nullptr || computeCost(access) >= computeCost(*other)) other = &access;
  }
  return other;
}

namespace {

/// Everything that a step's picture shows but the words' numbers.
std::vector<std::uint32_t> findPattern(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> pattern{step.wavefronts, step.sectors, step.active};
  if (isShared(step.kind)) {
    for (const LaneDemand& lane : bankRequest(trace, step).lanes)
      std::ranges::copy(std::array{lane.lane, lane.bank, lane.wavefront}, std::back_inserter(pattern));
    return pattern;
  }
  const auto accesses = laneAccesses(trace, step);
  for (const LaneAccess& access : accesses) pattern.push_back(access.address - accesses.front().address);
  return pattern;
}

}  // namespace

std::vector<AlikeSteps> groupAlike(const Trace& trace, const std::vector<std::uint32_t>& steps) {
  std::vector<AlikeSteps> groups;
  std::vector<std::vector<std::uint32_t>> patterns;
  for (const std::uint32_t step : steps) {
    std::vector<std::uint32_t> pattern = findPattern(trace, trace.steps[step]);
    const auto same = std::ranges::find(patterns, pattern);
    const auto place = static_cast<std::size_t>(same - patterns.begin());
    if (same == patterns.end()) {
      patterns.push_back(std::move(pattern));
      groups.emplace_back();
    }
    groups[place].push_back(step);
  }
  return groups;
}

namespace {

// Units: the least size of a warp's picture.
constexpr float kLeastPartHeight = 104;
constexpr float kLeastPartWidth = 150;
constexpr float kPartBank = 14;  ///< of a bank in it
constexpr float kPartSides = 64;
constexpr float kPartsTop = 26;
constexpr float kPartAxis = 20;
// Units: the least heights of two pictures, one for each memory, and the share of the upper one.
constexpr float kLeastSectors = 120;
constexpr float kLeastBanks = kLeastPartHeight + kPartAxis;
constexpr float kSectorsShare = 0.42F;

/// `warps 0 to 3, 8 and 9`
std::string listWarps(const Trace& trace, const AlikeSteps& steps) {
  if (steps.size() == 1) return fmt::format("warp {}", trace.steps[steps.front()].warp);
  std::vector<std::pair<unsigned, unsigned>> runs;
  for (const std::uint32_t step : steps) {
    const unsigned warp = trace.steps[step].warp;
    if (!runs.empty() && runs.back().second + 1 == warp)
      runs.back().second = warp;
    else
      runs.emplace_back(warp, warp);
  }
  constexpr std::size_t kMostRuns = 4;
  if (runs.size() > kMostRuns) return counted(steps.size(), "warp");
  std::vector<std::string> texts;
  for (const auto& [first, last] : runs) {
    texts.push_back(std::to_string(first));
    if (last > first) texts.back() += fmt::format(" {} {}", last == first + 1 ? "and" : "to", last);
  }
  return fmt::format("warps {}", fmt::join(texts, ", "));
}

class LineAccessPainter {
 public:
  LineAccessPainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                    const std::vector<LineAccess>& accesses, const LineAccess& access)
      : moment_(moment),
        trace_(moment.trace),
        context_(context),
        measure_(measure),
        accesses_(accesses),
        access_(access),
        isOfBanks_(isShared(trace_.steps[access.steps.front()].kind)) {}

  /// `isOneOfTwo`: the panel shows another access, too.
  Scene paint(bool isOneOfTwo) {
    if (access_.steps.size() == 1 && !isOneOfTwo)
      return paintPart(access_.steps.front(), context_, std::nullopt);
    choosePictures();
    if (isOneOfTwo && pictures_.size() == 1) return paintOnly(pictures_.front());
    SceneBuilder out(context_, measure_);
    out.heading(isOfBanks_ ? "BANKS" : "SECTORS", describeAll());
    Scene scene = out.consume();
    const float top = kPartsTop * context_.unit;
    SceneContext part = context_;
    part.spare = nullptr;
    part.width = context_.width / static_cast<float>(columns_);
    const float axis = isOfBanks_ ? kPartAxis * context_.unit : 0;  // of the lowest ones
    const float height = (context_.height - top - axis) / static_cast<float>(rows_);
    for (std::size_t place = 0; place < pictures_.size(); ++place) {
      const std::size_t row = place / columns_;
      const bool isLowest = row + 1 == rows_;
      const float left = part.width * static_cast<float>(place % columns_);
      const float y = top + height * static_cast<float>(row);
      part.height = height + (isLowest ? axis : 0);
      if (context_.pointer) part.pointer = Point{context_.pointer->x - left, context_.pointer->y - y};
      const AlikeSteps& steps = pictures_[place];
      const std::uint32_t shown = findShown(steps);
      scene.append(
          paintPart(shown, part, BankPart{listWarps(trace_, steps), describePart(steps, shown), isLowest}),
          left, y);
    }
    return scene;
  }

 private:
  // A picture for each warp, or for each group of them; at most as many as have room.
  void choosePictures() {
    const auto unit = context_.unit;
    const auto banks = static_cast<float>(trace_.launch.machine.banks);
    const float width = isOfBanks_ ? std::max(kLeastPartWidth, kPartSides + kPartBank * banks) : 320;
    const auto fit = [](float room, float least) {
      return toWhole<std::size_t>(std::max(room / least, 1.0F));
    };
    const std::size_t columns = fit(context_.width, width * unit);
    const std::size_t rows = fit(context_.height - (kPartsTop + kPartAxis) * unit, kLeastPartHeight * unit);
    if (access_.steps.size() <= columns * rows) {
      for (const std::uint32_t step : access_.steps) pictures_.push_back({step});
    } else {
      pictures_ = groupAlike(trace_, access_.steps);
    }
    leaveOut(columns * rows);
    columns_ = std::min(columns, pictures_.size());
    rows_ = (pictures_.size() + columns_ - 1) / columns_;
    columns_ = (pictures_.size() + rows_ - 1) / rows_;
  }

  // Keeps the picture of the warp that is pointed at, and those with most wavefronts, in their order.
  void leaveOut(std::size_t most) {
    if (pictures_.size() <= most) return;
    leftOut_ = pictures_.size() - most;
    const std::int64_t pointed = pointedWarp();
    std::ranges::stable_sort(pictures_, {}, [&](const AlikeSteps& steps) {
      const Step step = trace_.steps[steps.front()];
      return std::pair(!has(steps, pointed), -std::int64_t{isOfBanks_ ? step.wavefronts : step.sectors});
    });
    pictures_.resize(most);
    std::ranges::sort(pictures_);
  }

  // A picture of all warps, without a title of its own.
  Scene paintOnly(const AlikeSteps& steps) const {
    const std::uint32_t shown = findShown(steps);
    std::string note = describeAll();
    if (steps.size() > 1) note += fmt::format("; shown: warp {}", trace_.steps[shown].warp);
    if (isOfBanks_) return paintPart(shown, context_, BankPart{"BANKS", std::move(note), true});
    return sectorScene(momentAfter(shown), shown, context_, measure_, note);
  }

  std::int64_t pointedWarp() const {
    if (context_.hoverThread >= 0) return context_.hoverThread / trace_.launch.machine.warpSize;
    return context_.focusWarp;
  }
  bool has(const AlikeSteps& steps, std::int64_t warp) const {
    return std::ranges::any_of(steps, [&](std::uint32_t step) { return trace_.steps[step].warp == warp; });
  }
  /// The one whose words are shown: that of the warp pointed at, else the first.
  std::uint32_t findShown(const AlikeSteps& steps) const {
    const std::int64_t pointed = pointedWarp();
    const auto found =
        std::ranges::find_if(steps, [&](std::uint32_t step) { return trace_.steps[step].warp == pointed; });
    return found == steps.end() ? steps.front() : *found;
  }
  // `2 wavefronts, ideal 1 each: 32 words asked of 16 banks; shown: warp 5`
  std::string describePart(const AlikeSteps& steps, std::uint32_t shown) const {
    const Step step = trace_.steps[shown];
    const bool isGroup = steps.size() > 1;
    return fmt::format("{}{}: {}{}", describePrice(trace_, step), isGroup ? " each" : "",
                       describeAsked(trace_, step),
                       isGroup ? fmt::format("; shown: warp {}", step.warp) : "");
  }

  // `s[tid + k] read by 2 warps: 4 wavefronts, ideal 2; line 12 in all: 8, ideal 6`
  std::string describeAll() const {
    const Step step = trace_.steps[access_.steps.front()];
    std::string text =
        fmt::format("{} by {}: ", describeAccess(trace_, step), counted(access_.steps.size(), "warp"));
    text += isOfBanks_ ? fmt::format("{}, ideal {}", counted(access_.wavefronts, "wavefront"), access_.ideal)
                       : counted(access_.sectors, "sector");
    if (leftOut_ > 0) text += fmt::format("; {} not shown: point at a warp", leftOut_);
    if (!isOfBanks_) return text;
    LineAccess all;
    for (const LineAccess& access : accesses_) {
      if (!isShared(trace_.steps[access.steps.front()].kind)) continue;
      all.wavefronts += access.wavefronts;
      all.ideal += access.ideal;
    }
    if (all.wavefronts > access_.wavefronts)
      text += fmt::format("; line {} in all: {}, ideal {}", step.line, all.wavefronts, all.ideal);
    return text;
  }

  // As if the cursor was behind that step.
  Moment momentAfter(std::uint32_t step) const {
    return {trace_, moment_.state, Cursor{step + 1, trace_.steps[step].wavefronts}, moment_.plan};
  }
  Scene paintPart(std::uint32_t step, const SceneContext& context, std::optional<BankPart> part) const {
    const Moment then = momentAfter(step);
    return isOfBanks_ ? BankPainter(then, moment_, context, measure_).paint(std::move(part))
                      : sectorScene(then, step, context, measure_,
                                    part ? fmt::format("{}: {}", part->title, part->note) : "");
  }

  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
  const TextMeasure& measure_;
  const std::vector<LineAccess>& accesses_;
  const LineAccess& access_;
  bool isOfBanks_;
  std::vector<AlikeSteps> pictures_;  ///< the warps of each
  std::size_t columns_ = 1, rows_ = 1, leftOut_ = 0;
};

}  // namespace

std::optional<Scene> lineAccessScene(const Moment& moment, const SceneContext& context,
                                     const TextMeasure& measure) {
  if (!context.byLine) return std::nullopt;
  const std::vector<LineAccess> accesses = listLineAccesses(moment);
  const LineAccess* const access = chooseAccess(moment.trace, accesses);
  if (access == nullptr) return std::nullopt;
  const auto makePainter = [&](const SceneContext& room, const LineAccess& each) {
    return LineAccessPainter(moment, room, measure, accesses, each);
  };
  const LineAccess* const other = chooseOther(moment.trace, accesses, *access);
  const bool haveRoom = context.height >= (kLeastSectors + kLeastBanks) * context.unit;
  if (other == nullptr || !haveRoom) {
    const bool isCurrentStep = access->steps.size() == 1 && access->steps.front() + 1 == moment.cursor.steps;
    if (isCurrentStep) return std::nullopt;
    return makePainter(context, *access).paint(false);
  }
  const auto& [first, second] = std::minmax(access, other);  // in the order of the text's execution
  const float sectors = std::clamp(context.height * kSectorsShare, kLeastSectors * context.unit,
                                   context.height - kLeastBanks * context.unit);
  SceneContext part = context;
  part.spare = nullptr;
  const bool isSectorsFirst = !isShared(moment.trace.steps[first->steps.front()].kind);
  part.height = isSectorsFirst ? sectors : context.height - sectors;
  Scene scene = makePainter(part, *first).paint(true);
  const float y = part.height;
  scene.height = context.height;
  part.height = context.height - y;
  if (part.pointer) part.pointer->y -= y;
  scene.append(makePainter(part, *second).paint(true), 0, y);
  return scene;
}

}  // namespace lanescope
