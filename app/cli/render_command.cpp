#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <stop_token>
#include <utility>

#include "app/base/system.h"
#include "app/cli/progress.h"
#include "app/export/frames.h"
#include "app/export/interrupts.h"
#include "app/export/page.h"
#include "app/export/pictures.h"
#include "app/pictures/picture_plan.h"
#include "app/workbench/session.h"
#include "app/workbench/walk.h"
#include "sim/base/counted.h"
#include "sim/base/write_file.h"
#include "sim/trace/run.h"

namespace lanescope::cli {
namespace {

/// The options of `render`, as written.
struct RenderArguments {
  LaunchRequest request;
  std::string block = "0";
  std::string output;    ///< a .svg or .png
  std::string sequence;  ///< a folder
  std::string gif;       ///< a .gif
  std::string page;      ///< a .html
  bool strip = false;
  std::string picture = "all";
  std::string theme = "dark";
  std::string size;  ///< WIDTHxHEIGHT; if empty, the picture's own
  float scale = 1;
  std::uint32_t step = 0;
  bool hasStep = false;  ///< if false, the step at which the app opens
  std::uint32_t wavefront = 0;
  std::string grain = "instruction";
};

/// Shows on a terminal how many of something are drawn.
class DrawingLine {
 public:
  DrawingLine(std::string_view noun, std::size_t total) : noun_(noun), total_(total) {}
  void wipe() { line_.wipe(); }
  void show(std::size_t done) {
    if (!line_.isShown()) return;
    line_.show(fmt::format("drawing {} {} of {} {}; Ctrl+C ends it", noun_,
                           withCommas(std::min(done + 1, total_)), withCommas(total_),
                           barText(done, total_)));
  }

 private:
  StatusLine line_;
  std::string_view noun_;
  std::size_t total_;
};

std::vector<std::string> themeNames() {
  std::vector<std::string> names;
  for (const Theme& theme : themes()) names.emplace_back(theme.id);
  return names;
}

/// Reads WIDTHxHEIGHT; an empty text is 0 x 0.
Result<PictureSize> computeSize(const std::string& text) {
  if (text.empty()) return PictureSize{};
  const auto sides = readWidthAndHeight(text, kLeastSide, kMostSide);
  if (!sides)
    return Error{fmt::format("--size '{}' is not WIDTHxHEIGHT from {} to {}, as 1280x720.", text, kLeastSide,
                             kMostSide)};
  return PictureSize{static_cast<float>(sides->first), static_cast<float>(sides->second)};
}

/// The cursor at which the picture is drawn.
Result<Cursor> findPlace(const Trace& trace, const RenderArguments& options) {
  const auto steps = static_cast<std::uint32_t>(trace.steps.size());
  if (options.hasStep && options.step > steps) {
    return Error{fmt::format("There is no step {}: the walk has 0 to {}.", options.step, steps)};
  }
  const Cursor place{options.hasStep ? options.step : openingStep(trace), options.wavefront};
  if (options.wavefront == 0) return place;
  const std::uint32_t wavefronts = place.steps == 0 ? 0 : trace.steps[place.steps - 1].wavefronts;
  if (options.wavefront <= wavefronts) return place;
  return Error{fmt::format("Step {} has no wavefront {}: it takes {}.", place.steps, options.wavefront,
                           wavefronts == 0 ? "none" : std::to_string(wavefronts))};
}

int wrote(const std::string& what) {
  fmt::print("Wrote {}.\n", what);
  return std::fflush(stdout) == 0 ? kDone : kFailed;
}

class Renderer {
 public:
  Renderer(const RenderArguments& options, std::shared_ptr<const Trace> trace, PictureOptions drawn)
      : options_(options), trace_(std::move(trace)), plan_(planPictures(*trace_)), drawn_(std::move(drawn)) {}

  int file(ImageKind kind) const {
    Result<Cursor> place = findPlace(*trace_, options_);
    if (!place) return complain(place.error(), kWrongUsage);
    const Result<ImageWriter> writer = ImageWriter::of(kind, theme(), options_.scale);
    if (!writer) return complain(writer.error(), kFailed);
    Replay replay(trace_);
    replay.seek(options_.wavefront == 0 ? Cursor{place->steps, 0} : *place);
    const Interrupts interrupts;
    const Result<Scene> scene =
        options_.strip ? strip(*writer)
                       : pictureScene(picture(), makeMoment(replay, plan_), drawn_, writer->measure());
    if (!scene) return complain(scene.error(), Interrupts::asked() != 0 ? kFailed : kWrongUsage);
    const ColorRole background = options_.strip ? ColorRole::Background : pictureBackground(picture());
    const Result<std::string> bytes = writer->write(*scene, background);
    if (!bytes) return complain(bytes.error(), kWrongUsage);
    if (Interrupts::asked() != 0) return complain(writingStopped("picture"), kFailed);
    if (const auto problem = writeFile(options_.output, *bytes)) return complain(*problem, kFailed);
    return wrote(fmt::format("{}, {:.0f} x {:.0f} pixels", options_.output,
                             static_cast<double>(scene->width * options_.scale),
                             static_cast<double>(scene->height * options_.scale)));
  }

  /// `strategy`: its lesson is part of the page; or nullptr.
  int page(const Strategy* strategy, std::uint64_t n) const {
    const Result<Cursor> place = findPlace(*trace_, options_);
    if (!place) return complain(place.error(), kWrongUsage);
    const Interrupts interrupts;
    DrawingLine line("step", trace_->steps.size() + 1);
    const Result<std::string> html = pageHtml(
        trace_, {.pictures = drawn_, .grain = grain(), .opensAt = place->steps, .strategy = strategy, .n = n},
        [&](std::size_t done) {
          line.show(done);
          return Interrupts::asked() == 0;
        });
    line.wipe();
    if (!html) return complain(html.error(), Interrupts::asked() != 0 ? kFailed : kWrongUsage);
    if (const auto problem = writeFile(options_.page, *html)) return complain(*problem, kFailed);
    return wrote(fmt::format("{}, {} kB", options_.page, withCommas((html->size() + 999) / 1000)));
  }

  int sequence() const {
    auto frames = makeFrames(trace_, grain());
    if (!frames) return complain(frames.error(), kWrongUsage);
    const Result<ImageWriter> writer = ImageWriter::of(ImageKind::Png, theme(), options_.scale);
    if (!writer) return complain(writer.error(), kFailed);
    const Interrupts interrupts;
    DrawingLine line("frame", frames->size());
    const bool isGif = !options_.gif.empty();
    const std::string& where = isGif ? options_.gif : options_.sequence;
    const auto count =
        writeFrames(where, isGif ? FrameFormat::Gif : FrameFormat::Pngs,
                    {trace_, *std::move(frames), picture(), drawn_}, *writer, [&](std::size_t done) {
                      line.show(done);
                      return Interrupts::asked() == 0;
                    });
    line.wipe();
    if (!count) return complain(count.error(), kFailed);
    return wrote(isGif ? fmt::format("{}, {} frames", where, *count)
                       : fmt::format("{} frames into {}", *count, where));
  }

 private:
  Result<Scene> strip(const ImageWriter& writer) const {
    DrawingLine line("phase", trace_->phases.size());
    std::stop_source end;
    return stripScene(trace_, drawn_.title, kStripWidth, writer.measure(), end.get_token(), writer.mostSide(),
                      [&](std::size_t done) {
                        line.show(done);
                        if (Interrupts::asked() != 0) end.request_stop();
                      });
  }
  Picture picture() const { return *findPicture(options_.picture); }
  Grain grain() const { return *findGrain(options_.grain); }
  const Theme& theme() const { return *findTheme(options_.theme); }

  const RenderArguments& options_;
  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const PicturePlan> plan_;
  PictureOptions drawn_;
};

int renderCommand(const RenderArguments& options) {
  const LaunchRequest& request = options.request;
  const auto block = readTracedBlock(options.block);
  if (!block) return complain(block.error(), kWrongUsage);
  const bool isWalk = !options.sequence.empty() || !options.gif.empty();
  if (options.output.empty() && !isWalk && options.page.empty())
    return complain({"No file to write was given. Give -o NAME.svg, -o NAME.png, --page NAME.html, --gif "
                     "NAME.gif or --sequence FOLDER."},
                    kWrongUsage);
  ImageKind kind = ImageKind::Png;
  if (!options.output.empty()) {
    const Result<ImageKind> asked = findImageKind(options.output);
    if (!asked) return complain(asked.error(), kWrongUsage);
    kind = *asked;
  }
  const Result<PictureSize> size = computeSize(options.size);
  if (!size) return complain(size.error(), kWrongUsage);
  auto launch = readLaunch(request);
  if (!launch) return complain(launch.error(), kWrongUsage);
  Progress progress(*launch);
  const auto trace = makeTrace(*launch, *block, Turns::ByLine);
  progress.end();
  if (!trace) return complain(trace.error(), kWrongUsage);
  const std::shared_ptr<const Trace>& shared = *trace;
  PictureOptions drawn;
  drawn.size = *size;
  const RunTitle run = makeTitle(request, *launch, &shared->tracedBlock, shared->kernelName);
  drawn.title = run.text;
  drawn.isTitled = !run.isOwn;
  const Renderer renderer(options, shared, std::move(drawn));
  if (!options.page.empty())
    return renderer.page(findStrategy(request.target), request.n == 0 ? 64 : request.n);
  return isWalk ? renderer.sequence() : renderer.file(kind);
}

}  // namespace

Command addRenderCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("render",
                                               "Draw a block's pictures as SVG or PNG (one moment, the whole "
                                               "walk, a frame per step), or as an HTML page to step through");
  const auto options = std::make_shared<RenderArguments>();
  addSimulationOptions(*command, options->request);
  command->add_option("--trace-block", options->block, "the block to draw: X[,Y[,Z]] (default 0)");
  CLI::Option* const output =
      command->add_option("-o,--output", options->output, "the file to write: NAME.svg or NAME.png");
  CLI::Option* const sequence = command->add_option(
      "--sequence", options->sequence, "write a PNG per step into this folder, which is new or empty");
  CLI::Option* const gif =
      command->add_option("--gif", options->gif, "write a frame per step as an animated GIF");
  CLI::Option* const strip = command->add_flag(
      "--strip", options->strip, "the whole walk on one page: a row per phase, with its array and its banks");
  CLI::Option* const page = command->add_option(
      "--page", options->page,
      "write one HTML file to step through in a browser: pictures, source, counters and lesson");
  CLI::Option* const step = command->add_option(
      "--step", options->step, "warp instructions done (default: the step at which the app opens)");
  CLI::Option* const wavefront = command->add_option(
      "--wavefront", options->wavefront, "wavefronts done of the last one, from 1 (default: all)");
  wavefront->check(CLI::Range(1u, 0xffffu));
  CLI::Option* const picture =
      command->add_option("--picture", options->picture, "the picture to draw; all: a page with a caption");
  picture->check(CLI::IsMember(pictureNames()))->capture_default_str();
  CLI::Option* const theme = command->add_option("--theme", options->theme, "its colors");
  theme->check(CLI::IsMember(themeNames()))->capture_default_str();
  CLI::Option* const size = command->add_option(
      "--size", options->size, "WIDTHxHEIGHT in logical pixels (default: the picture's own)");
  CLI::Option* const scale = command->add_option("--scale", options->scale, "pixels per logical pixel");
  scale->check(CLI::Range(0.25, 8.0))->capture_default_str();
  command->add_option("--grain", options->grain, "the size of a step of a page, a sequence or a GIF")
      ->check(CLI::IsMember(grainNames()))
      ->capture_default_str();
  for (CLI::Option* const frames : {sequence, gif})
    frames->excludes(output)->excludes(strip)->excludes(step)->excludes(wavefront)->excludes(page);
  gif->excludes(sequence);
  strip->excludes(step)->excludes(wavefront)->excludes(picture)->excludes(size);
  page->excludes(output)->excludes(strip)->excludes(wavefront)->excludes(picture);
  page->excludes(theme)->excludes(size)->excludes(scale);
  command->callback([options, step] { options->hasStep = step->count() > 0; });
  return {command, [options] { return renderCommand(*options); }};
}

}  // namespace lanescope::cli
