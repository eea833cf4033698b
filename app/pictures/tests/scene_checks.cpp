#include "app/pictures/tests/scene_checks.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/timeline_rounds.h"
#include "app/pictures/timeline_scene.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

struct TextBox {
  float left = 0, top = 0, right = 0, bottom = 0;
  const std::string* text = nullptr;
};

TextBox textBox(const DrawItem& item, const TextMeasure& measure) {
  const float width = measure.width(item.font, item.size, item.text);
  const float shift = item.align == Align::Left ? 0.0F : item.align == Align::Center ? width / 2 : width;
  // Letters without the line's leading: from the top of capitals to the foot of descenders.
  const float half = item.size * 0.42F;
  return {item.x - shift, item.y - half, item.x - shift + width, item.y + half, &item.text};
}

}  // namespace

Moment makeMoment(const Replay& replay) { return makeMoment(replay, planPictures(replay.trace())); }

Ladder buildLadder(Moment moment, std::uint32_t maxInputs) {
  const auto plan = std::make_shared<PicturePlan>(*moment.plan);
  plan->ladder = std::make_shared<const LadderPlan>(planLadder(moment.trace, maxInputs));
  moment.plan = plan;
  return ladderAt(moment);
}

Ladder ladderAt(const std::shared_ptr<const Trace>& trace, std::size_t steps, std::uint32_t maxInputs) {
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(steps));
  return buildLadder(makeMoment(replay), maxInputs);
}

Ladder ladderAtEnd(const std::shared_ptr<const Trace>& trace, std::uint32_t maxInputs) {
  return ladderAt(trace, trace->steps.size(), maxInputs);
}

std::vector<Flow> listFlows(const LadderPlan& plan) {
  std::vector<Flow> flows;
  for (std::uint32_t phase = 0; phase < plan.phases.size(); ++phase) {
    for (const LadderLine& to : plan.linesOf(phase)) {
      for (const LadderLine& from : plan.linesOf(phase)) {
        if (to.isWrite && !from.isWrite && from.thread == to.thread && from.step < to.step)
          flows.push_back({from.row, from.column, to.row, to.column, to.thread});
      }
    }
  }
  return flows;
}

std::shared_ptr<const Trace> traceOfText(std::string text, std::uint32_t threads,
                                         const std::vector<std::string>& arguments,
                                         std::string_view machine) {
  Launch launch{.source = std::make_shared<SourceText>("k.cu", std::move(text))};
  launch.block.x = threads;
  launch.machine = *findMachine(machine);
  for (const std::string& argument : arguments) launch.arguments.push_back(parseArgument(argument).value());
  Result<Trace> trace = recordTrace(launch);
  EXPECT_TRUE(trace) << trace.error().sentence();
  return trace ? std::make_shared<const Trace>(std::move(*trace)) : nullptr;
}

std::vector<std::string> textProblems(const Scene& scene, const TextMeasure& measure) {
  std::vector<std::string> problems;
  std::vector<TextBox> boxes;
  for (const DrawItem& item : scene.items) {
    if (item.kind != DrawItem::Kind::Text) continue;
    const TextBox box = textBox(item, measure);
    if (box.left < -0.5F || box.top < -0.5F || box.right > scene.width + 0.5F ||
        box.bottom > scene.height + 0.5F) {
      problems.push_back(fmt::format("'{}' leaves the scene: {:.1f} {:.1f} to {:.1f} {:.1f} of {} x {}",
                                     item.text, box.left, box.top, box.right, box.bottom, scene.width,
                                     scene.height));
    }
    boxes.push_back(box);
  }
  std::ranges::sort(boxes, {}, &TextBox::top);
  for (std::size_t first = 0; first < boxes.size(); ++first) {
    for (std::size_t second = first + 1;
         second < boxes.size() && boxes[second].top < boxes[first].bottom - 0.5F; ++second) {
      const TextBox& a = boxes[first];
      const TextBox& b = boxes[second];
      if (a.left < b.right - 0.5F && b.left < a.right - 0.5F) {
        problems.push_back(
            fmt::format("'{}' lies on '{}' at {:.1f} {:.1f}", *a.text, *b.text, b.left, b.top));
      }
    }
  }
  return problems;
}

std::string collectTexts(const Scene& scene) {
  std::string texts;
  for (const DrawItem& item : scene.items) {
    if (item.kind == DrawItem::Kind::Text) texts += item.text + "\n";
  }
  return texts;
}

std::size_t countItems(const Scene& scene, DrawItem::Kind kind, ColorRole color, float leastAlpha) {
  return static_cast<std::size_t>(std::ranges::count_if(scene.items, [&](const DrawItem& item) {
    return item.kind == kind && item.color == color && item.alpha >= leastAlpha;
  }));
}

std::shared_ptr<const Trace> makeTrace(std::string_view strategy, std::uint64_t n, std::string_view machine) {
  const Launch launch = makeLaunch(*findStrategy(strategy), n, 1, *findMachine(machine)).value();
  return std::make_shared<const Trace>(recordTrace(launch).value());
}

std::shared_ptr<const Trace> makeTraceByLine(std::string_view strategy, std::uint64_t n,
                                             std::string_view machine) {
  const Launch launch = makeLaunch(*findStrategy(strategy), n, 1, *findMachine(machine)).value();
  return makeTrace(launch, {0, 0, 0}, Turns::ByLine).value();
}

SceneContext makeContext(float windowWidth, float windowHeight, float share) {
  SceneContext context;
  context.width = windowWidth * 0.52F;
  context.height = windowHeight * share;
  context.unit = std::min(windowWidth / 1600, windowHeight / 1000);
  return context;
}

}  // namespace lanescope
