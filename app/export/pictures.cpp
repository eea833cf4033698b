#include "app/export/pictures.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "app/base/host.h"
#include "app/base/system.h"
#include "app/base/whole.h"
#include "app/paint/svg_painter.h"
#include "app/paint/theme.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/source_scene.h"
#include "app/pictures/warp_scene.h"

namespace lanescope {
namespace {

struct Named {
  Picture picture;
  std::string_view name;
};
constexpr std::array kNames = {Named{Picture::Array, "array"},   Named{Picture::Warps, "warps"},
                               Named{Picture::Banks, "banks"},   Named{Picture::Timeline, "timeline"},
                               Named{Picture::Source, "source"}, Named{Picture::All, "all"}};

constexpr float kGap = 8;       ///< units between the panels of a page
constexpr float kCaption = 48;  ///< units: the height of a page's caption
constexpr float kTitle = 34;    ///< units: the height of a single picture's title
constexpr float kRadius = 6;

/// Below the design's size, letters shrink less than the picture does.
float readableUnit(float unit) { return unit < 1 ? std::max(unit + (1 - unit) * 0.35F, 0.6F) : unit; }

SceneContext makeContext(const PictureOptions& options, float width, float height, float unit) {
  SceneContext context;
  context.width = width;
  context.height = height;
  context.unit = unit;
  context.hoverThread = options.thread;
  context.variable = options.variable;
  context.focusWarp = options.warp;
  context.hidesFuture = options.hidesFuture;
  context.still = true;
  context.hazards = &options.hazards;
  return context;
}

/// The timeline under a heading, with a margin above and below, as it has in the window.
Scene timelinePanel(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const float top = out.heading("TIMELINE", counted(moment.trace.phases.size(), "phase") + ", " +
                                                counted(moment.trace.steps.size(), "step"));
  SceneContext below = context;
  below.height = std::max(context.height - top - out.margin() / 2, 1.0F);
  Scene panel = out.consume();
  panel.append(timelineScene(moment, below, measure), 0, top);
  return panel;
}

Scene panelScene(Picture picture, const Moment& moment, const SceneContext& context,
                 const TextMeasure& measure) {
  switch (picture) {
    case Picture::Warps: return warpScene(moment, context, measure);
    case Picture::Banks: return bankScene(moment, context, measure);
    case Picture::Timeline: return timelinePanel(moment, context, measure);
    case Picture::Source: return sourceScene(moment, context, measure);
    case Picture::Array:
    case Picture::All: break;
  }
  return arrayScene(moment, context, measure);
}

/// The title and, if it fits beside it, the place of the moment.
Scene captionScene(const Moment& moment, const PictureOptions& options, const SceneContext& context,
                   const TextMeasure& measure) {
  SceneBuilder out(context, measure);
  const std::string title = options.title.empty() ? launchText(moment.trace) : options.title;
  const float room = out.width() - 2 * out.margin();
  const float drawn = out.textWithin(out.margin(), out.height() / 2, room, title,
                                     {FontRole::Bold, ColorRole::Text, Align::Left, 1.15F, 1});
  const TextStyle style{FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1};
  const std::string place = placeText(moment);
  const float left = room - drawn - out.u(24);
  const float width = std::min(out.textWidth(place, style), left);
  if (left > out.u(60))
    out.textWithin(out.width() - out.margin() - width, out.height() / 2, width + 1, place, style);
  return out.consume();
}

/// The window's middle column beside the source, under a caption.
Scene pageScene(const Moment& moment, const PictureOptions& options, PictureSize size, float unit,
                const TextMeasure& measure) {
  Scene page{.width = size.width, .height = size.height};
  const float gap = kGap * unit;
  const float radius = kRadius * unit;
  const auto add = [&](Picture picture, const Rect& area) {
    const SceneContext context = makeContext(options, area.w, area.h, unit);
    addPanel(page, panelScene(picture, moment, context, measure), area.x, area.y, radius);
  };
  const Rect caption{gap, gap, size.width - 2 * gap, kCaption * unit};
  addPanel(page, captionScene(moment, options, makeContext(options, caption.w, caption.h, unit), measure),
           caption.x, caption.y, radius);
  const float top = caption.bottom() + gap;
  const float height = size.height - top - gap;
  const float left = (size.width - 3 * gap) * 0.655F;
  const float warps = std::clamp(height * 0.18F, 96 * unit, 180 * unit);
  const float array = (height - warps - 2 * gap) * 0.49F;
  add(Picture::Array, {gap, top, left, array});
  add(Picture::Warps, {gap, top + array + gap, left, warps});
  add(Picture::Banks, {gap, top + array + warps + 2 * gap, left, height - array - warps - 2 * gap});
  add(Picture::Source, {2 * gap + left, top, size.width - 3 * gap - left, height});
  return page;
}

}  // namespace

std::string_view pictureName(Picture picture) {
  return std::ranges::find(kNames, picture, &Named::picture)->name;
}

std::vector<std::string> pictureNames() {
  std::vector<std::string> names;
  names.reserve(kNames.size());
  for (const Named& named : kNames) names.emplace_back(named.name);
  return names;
}

std::optional<Picture> findPicture(std::string_view name) {
  const auto* found = std::ranges::find(kNames, name, &Named::name);
  if (found == kNames.end()) return std::nullopt;
  return found->picture;
}

PictureSize ownSize(Picture picture, const Moment& moment) {
  const Trace& trace = moment.trace;
  switch (picture) {
    case Picture::Array: return {960, 400};
    case Picture::Warps: return {960, std::clamp(70 + 40 * static_cast<float>(trace.warps), 150.0F, 400.0F)};
    case Picture::Banks: return {960, 400};
    case Picture::Timeline:
      return {1280, std::clamp(90 + 17 * static_cast<float>(trace.warps), 110.0F, 400.0F)};
    case Picture::Source:
      return {std::clamp(sourceWidth(moment, 1), 640.0F, 1600.0F),
              std::clamp(sourceHeight(trace, 1), 200.0F, 2000.0F)};
    case Picture::All: break;
  }
  return {1600, 1000};
}

ColorRole pictureBackground(Picture picture) {
  return picture == Picture::All ? ColorRole::Background : ColorRole::Panel;
}

Scene pictureScene(Picture picture, const Moment& moment, const PictureOptions& options,
                   const TextMeasure& measure) {
  const PictureSize own = ownSize(picture, moment);
  const bool isGiven = options.size.width > 0 && options.size.height > 0;
  PictureSize size = isGiven ? options.size : own;
  const float unit = readableUnit(std::min(size.width / own.width, size.height / own.height));
  if (picture == Picture::All) return pageScene(moment, options, size, unit, measure);
  const float head = options.isTitled ? kTitle * unit : 0;
  if (!isGiven) size.height += head;
  const SceneContext context = makeContext(options, size.width, std::max(size.height - head, 1.0F), unit);
  Scene panel = panelScene(picture, moment, context, measure);
  if (!options.isTitled) return panel;
  Scene titled = captionScene(moment, options, makeContext(options, size.width, head, unit), measure);
  titled.append(panel, 0, head);
  titled.height = size.height;
  return titled;
}

std::string placeText(const Moment& moment) {
  const Trace& trace = moment.trace;
  std::string text;
  if (!trace.phases.empty()) {
    text = fmt::format("phase {} of {}, {} · ", moment.phase() + 1, trace.phases.size(),
                       trace.phases[moment.phase()].label);
  }
  text += fmt::format("step {} of {}", moment.cursor.steps, trace.steps.size());
  const std::optional<Step> step = moment.step();
  if (step && step->wavefronts > 0)
    text += fmt::format(" · wavefront {} of {}", moment.cursor.wavefront, step->wavefronts);
  return text;
}

std::string launchText(const Trace& trace) {
  return fmt::format("{}, {} per block, on {}", trace.kernelName, counted(trace.threads, "thread"),
                     trace.launch.machine.name);
}

void addPanel(Scene& page, const Scene& part, float left, float top, float radius) {
  DrawItem ground;
  ground.kind = DrawItem::Kind::FillRect;
  ground.x = left;
  ground.y = top;
  ground.w = part.width;
  ground.h = part.height;
  ground.radius = radius;
  ground.color = ColorRole::Panel;
  page.items.push_back(ground);
  page.append(part, left, top);
  ground.kind = DrawItem::Kind::StrokeRect;
  ground.color = ColorRole::PanelBorder;
  page.items.push_back(std::move(ground));
}

namespace {

constexpr float kStripGap = 8;
constexpr float kHead = 44;       ///< units: the page's title
constexpr float kLabel = 36;      ///< units: a phase's
constexpr float kLeastRow = 250;  ///< units: a phase's pictures
constexpr float kMostRow = 420;
constexpr float kStripRadius = 6;
constexpr float kBetweenColumns = 24;  ///< units

/// `phase 2 of 5` and its counters, in words.
std::string readCounts(const Phase& phase) {
  const Counters& c = phase.counters;
  std::string text =
      counted(phase.activeThreads.size(), "active thread") + " · " + counted(c.instructions, "instruction");
  if (c.sharedWavefronts() > 0) {
    text += " · " + counted(c.sharedWavefronts(), "shared wavefront");
    text += c.bankConflicts() == 0 ? ", no conflict"
                                   : fmt::format(", {} of them {}", c.bankConflicts(),
                                                 c.bankConflicts() == 1 ? "a conflict" : "conflicts");
  }
  if (c.globalSectors() > 0) text += " · " + counted(c.globalSectors(), "global sector");
  if (c.divergentBranches > 0) text += " · " + counted(c.divergentBranches, "divergent branch");
  return text;
}

/// The number of phases per column, if a column has room for so many: as even as possible.
std::size_t rowsWithin(std::size_t phases, float room) {
  const auto most = toWhole<std::size_t>(std::clamp(room, 1.0F, static_cast<float>(kMostStripPhases)));
  const std::size_t columns = std::max<std::size_t>(1, (phases + most - 1) / most);
  return std::max<std::size_t>(1, (phases + columns - 1) / columns);
}

SceneContext makeContext(float width, float height, float unit) {
  return {.width = width, .height = height, .unit = unit, .still = true};
}

/// A line of text: its subject in bold, then the rest.
Scene lineScene(const std::string& bold, const std::string& more, const SceneContext& context,
                const TextMeasure& measure, float scale) {
  SceneBuilder out(context, measure);
  const float room = out.width() - 2 * out.margin();
  const float drawn = out.textWithin(out.margin(), out.height() / 2, room, bold,
                                     {FontRole::Bold, ColorRole::Text, Align::Left, scale, 1});
  const float left = room - drawn - out.u(14);
  if (left > 0)
    out.textWithin(out.margin() + drawn + out.u(14), out.height() / 2, left, more,
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
  return out.consume();
}

}  // namespace

std::uint32_t tellingStep(const Trace& trace, const Phase& phase) {
  std::uint32_t best = phase.endStep;
  int bestRank = 0;
  std::uint32_t bestConflicts = 0;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    const std::uint32_t conflicts = step.wavefronts - std::min(step.wavefronts, step.idealWavefronts);
    const int rank = isShared(step.kind)                                    ? (conflicts > 0 ? 3 : 2)
                     : isGlobal(step.kind) || exchangesRegisters(step.kind) ? 1
                                                                            : 0;
    if (rank < bestRank || rank == 0 || (rank == bestRank && conflicts <= bestConflicts)) continue;
    best = index + 1;
    bestRank = rank;
    bestConflicts = conflicts;
  }
  return best;
}

Result<Scene> stripScene(const std::shared_ptr<const Trace>& trace, const std::string& title, float width,
                         const TextMeasure& measure, const std::stop_token& stop, float mostHeight,
                         const PhaseWatcher& watch) {
  if (trace->phases.size() > kMostStripPhases) {
    return Error{fmt::format("The walk has {} phases, and one page holds at most {}.", trace->phases.size(),
                             kMostStripPhases),
                 "Write it as frames, stepping by phase."};
  }
  const float unit = width / kStripWidth;
  const float gap = kStripGap * unit;
  const float part = (width - 3 * gap) / 2;
  const std::size_t phases = trace->phases.size();
  const float row = std::clamp(70 + 42 * static_cast<float>(phases), kLeastRow, kMostRow) * unit;
  const float pitch = kLabel * unit + row + gap;  // of a phase
  const float head = (kHead + kStripGap) * unit;
  const std::size_t rows = rowsWithin(phases, (mostHeight - head) / pitch);
  const std::size_t columns = phases == 0 ? 1 : (phases + rows - 1) / rows;
  Scene page;
  page.width = static_cast<float>(columns) * width + static_cast<float>(columns - 1) * kBetweenColumns * unit;
  page.height = head + static_cast<float>(rows) * pitch;
  const std::string more =
      fmt::format("{}, {}", counted(trace->phases.size(), "phase"), counted(trace->steps.size(), "step"));
  page.append(lineScene(title.empty() ? launchText(*trace) : title, more,
                        makeContext(page.width, kHead * unit, unit), measure, 1.3F),
              0, 0);
  const std::shared_ptr<const PicturePlan> plan = planPictures(*trace);
  Replay replay(trace);
  for (std::size_t index = 0; index < trace->phases.size(); ++index) {
    if (watch) watch(index);
    if (stop.stop_requested()) return writingStopped("page");
    const Phase& phase = trace->phases[index];
    const std::size_t column = index / rows;
    const float x = static_cast<float>(column) * (width + kBetweenColumns * unit);
    float y = kHead * unit + static_cast<float>(index % rows) * pitch;
    page.append(lineScene(fmt::format("{} of {} · {}", index + 1, trace->phases.size(), phase.label),
                          readCounts(phase), makeContext(width, kLabel * unit, unit), measure, 1.1F),
                x, y);
    y += kLabel * unit;
    replay.seek(phase.endStep);
    addPanel(page, arrayScene(makeMoment(replay, plan), makeContext(part, row, unit), measure), x + gap, y,
             kStripRadius * unit);
    replay.seek(tellingStep(*trace, phase));
    addPanel(page, bankScene(makeMoment(replay, plan), makeContext(part, row, unit), measure),
             x + 2 * gap + part, y, kStripRadius * unit);
  }
  return page;
}

Result<ImageKind> findImageKind(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".svg") return ImageKind::Svg;
  if (ending == ".png") return ImageKind::Png;
  return Error{fmt::format("A picture's name ends in .svg or .png, and '{}' does not.", path.string())};
}

Result<ImageWriter> ImageWriter::of(ImageKind kind, const Theme& theme, float scale) {
  ImageWriter writer(theme, scale);
  if (kind == ImageKind::Svg) {
    writer.measure_ = std::make_shared<const ApproximateMeasure>();
    return writer;
  }
  auto fonts = PngFonts::load(fontFolders());
  if (!fonts) return fonts.error();
  writer.fonts_ = std::move(fonts).value();
  writer.measure_ = std::make_shared<const PngMeasure>(writer.fonts_);
  return writer;
}

float ImageWriter::mostSide() const {
  return fonts_ == nullptr ? std::numeric_limits<float>::infinity()
                           : static_cast<float>(kMostPngPixels) / scale_;
}

Result<std::string> ImageWriter::write(const Scene& scene, ColorRole background) const {
  if (fonts_ != nullptr) return toPng(scene, *theme_, *fonts_, scale_, background);
  return toSvg(scene, *theme_, background, scale_);
}

Result<Pixels> ImageWriter::pixels(const Scene& scene, ColorRole background) const {
  return toPixels(scene, *theme_, *fonts_, scale_, background);
}

Scene refitted(Scene scene, const TextMeasure& laidOut, const TextMeasure& drawn) {
  for (DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text) continue;
    const float size = item.size > 0 ? item.size : fontSize(item.font);
    const float now = drawn.width(item.font, size, item.text);
    if (now > 0) item.size = size * laidOut.width(item.font, size, item.text) / now;
  }
  return scene;
}

}  // namespace lanescope
