// What is taken away: pages and strips whose text fits, sequences that are whole or not there, tables
// that add up.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/base/system.h"
#include "app/export/data_files.h"
#include "app/export/frames.h"
#include "app/export/pictures.h"
#include "app/pictures/source_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/workbench/tests/scratch_folder.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
/// For the names of tests; where the type is, as the lookup wants it.
static void PrintTo(ImageKind kind, std::ostream* out) { *out << (kind == ImageKind::Svg ? "SVG" : "PNG"); }

namespace {
namespace fs = std::filesystem;

using testing::ScratchFolder;

void expectFits(const Scene& scene, const TextMeasure& measure, const std::string& what) {
  const std::vector<std::string> problems = textProblems(scene, measure);
  EXPECT_TRUE(problems.empty()) << what << ": " << problems.size() << ", the first: " << problems.front();
}

class EveryStrategy : public ::testing::TestWithParam<std::tuple<std::uint64_t, ImageKind>> {};

// A page and the source: the other pictures have a test of their own.
TEST_P(EveryStrategy, TextFits) {
  const auto& [n, kind] = GetParam();
  const auto writer = ImageWriter::of(kind, themes().front());
  if (!writer) GTEST_SKIP() << writer.error().sentence();
  for (const Strategy& strategy : strategies()) {
    const auto trace = makeTrace(strategy.id, n, n <= 16 ? "tiny" : "nvidia");
    Replay replay(trace);
    for (const std::uint32_t quarter : {0U, 1U, 2U, 4U}) {
      replay.seek(static_cast<std::uint32_t>(trace->steps.size()) * quarter / 4);
      for (const PictureSize size : {PictureSize{1600, 1000}, PictureSize{1280, 720}}) {
        PictureOptions options;
        options.size = size;
        const std::string at = std::string(strategy.id) + ", quarter " + std::to_string(quarter) + ", " +
                               std::to_string(static_cast<int>(size.height));
        for (const Picture picture : {Picture::Source, Picture::All})
          expectFits(pictureScene(picture, makeMoment(replay), options, writer->measure()), writer->measure(),
                     at);
      }
    }
    expectFits(stripScene(trace, {}, kStripWidth, writer->measure()).value(), writer->measure(),
               std::string(strategy.id) + ", strip");
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryStrategy,
                         ::testing::Combine(::testing::Values(std::uint64_t{64}),
                                            ::testing::Values(ImageKind::Svg)));
INSTANTIATE_TEST_SUITE_P(Sweep, EveryStrategy,
                         ::testing::Combine(::testing::Values(std::uint64_t{8}, std::uint64_t{64},
                                                              std::uint64_t{1024}),
                                            ::testing::Values(ImageKind::Svg, ImageKind::Png)));

/// The lines of the source that a picture shows.
std::set<std::uint32_t> linesIn(const Scene& scene) {
  std::set<std::uint32_t> lines;
  for (const HitArea& hit : scene.hits) lines.insert(hit.index);
  return lines;
}

/// The source in a panel of that size, whose text fits.
Scene sourceIn(const Replay& replay, float width, float height) {
  SceneContext context{.width = width, .height = height};
  Scene scene = sourceScene(makeMoment(replay), context, kMeasure);
  expectFits(scene, kMeasure, fmt::format("{} x {}, step {}", width, height, replay.cursor().steps));
  return scene;
}

TEST(SourceScene, ShowsTheLineUnderWayAndItsCosts) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  replay.seek(13);
  const Scene scene = pictureScene(Picture::Source, makeMoment(replay), {}, kMeasure);
  const std::uint32_t line = replay.currentStep()->line;
  EXPECT_EQ(countItems(scene, DrawItem::Kind::FillRect, ColorRole::Accent), 2U);
  EXPECT_NE(collectTexts(scene).find("2 · 1"), std::string::npos) << collectTexts(scene);
  EXPECT_EQ(linesIn(scene).size(), trace->launch.source->lineCount());
  EXPECT_TRUE(linesIn(scene).contains(line));
}

TEST(SourceScene, CodeThatIsTooLongContinuesBelowInSmallerLetters) {
  const auto trace = makeTrace("transpose-padded", 1024, "nvidia");
  const Replay replay(trace);
  const std::uint32_t lines = trace->launch.source->lineCount();
  const Scene whole = sourceIn(replay, 420, 700);
  EXPECT_EQ(linesIn(whole).size(), lines);
  EXPECT_GT(whole.hits.size(), lines) << "a row each, and more if lines continue";
  const Scene part = sourceIn(replay, 420, 230);
  EXPECT_LT(linesIn(part).size(), lines);
  EXPECT_TRUE(linesIn(part).contains(trace->kernelLine));
  EXPECT_NE(collectTexts(part).find("transpose_padded.cu, lines 3 to 9"), std::string::npos)
      << collectTexts(part);
}

TEST(SourceScene, EveryStrategysLinesAreWhole) {
  const auto timesIn = [](std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  };
  for (const Strategy& strategy : strategies()) {
    const auto trace = makeTrace(strategy.id, 64, "nvidia");
    Replay replay(trace);
    for (const bool atEnd : {false, true}) {
      if (atEnd) replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
      for (const Picture picture : {Picture::Source, Picture::All}) {
        std::string code;
        for (const DrawItem& item : pictureScene(picture, makeMoment(replay), {}, kMeasure).items) {
          if (item.kind == DrawItem::Kind::Text && item.font == FontRole::Mono) code += item.text + "\n";
        }
        EXPECT_LE(timesIn(code, "\u2026"), timesIn(trace->launch.source->text(), "\u2026"))
            << strategy.id << code;
        EXPECT_EQ(timesIn(code, "..."), 0U) << strategy.id << code;
      }
    }
  }
}

TEST(SourceScene, KeepsTheLineUnderWayInSightWhereThereIsLittleRoom) {
  const auto trace = makeTrace("warp-block-grid", 64, "nvidia");
  Replay replay(trace);
  for (std::uint32_t steps = 1; steps < trace->steps.size(); steps += 7) {
    replay.seek(steps);
    EXPECT_TRUE(linesIn(sourceIn(replay, 500, 200)).contains(replay.currentStep()->line)) << steps;
  }
}

TEST(Differences, AreThoseOfEveryCounter) {
  Counters left;
  Counters right;
  left.sharedLoadWavefronts = 12;
  right.sharedLoadWavefronts = 5;
  left.divergentBranches = 1;
  right.divergentBranches = 3;
  const std::string csv = differencesCsv({left, "Baseline, N = 8"}, {right, "No divergence"});
  EXPECT_EQ(csv.find("counter,\"Baseline, N = 8\",No divergence,difference\n"), 0U) << csv;
  EXPECT_NE(csv.find(",12,5,-7\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("divergent_branches,1,3,2\n"), std::string::npos) << csv;
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), allCounters(left).size() + 1);
}

TEST(Strip, TellsEachPhaseAtItsWorstAccess) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  for (const Phase& phase : trace->phases) {
    const std::uint32_t at = tellingStep(*trace, phase);
    ASSERT_GT(at, phase.firstStep);
    ASSERT_LE(at, phase.endStep);
    std::uint32_t most = 0;
    for (std::uint32_t i = phase.firstStep; i < phase.endStep; ++i)
      most = std::max(most, trace->steps[i].wavefronts - trace->steps[i].idealWavefronts);
    const Step step = trace->steps[at - 1];
    EXPECT_EQ(step.wavefronts - step.idealWavefronts, most) << phase.label;
  }
}

TEST(Strip, StopsBetweenPhases) {
  /// Asks to stop while the second text is laid out.
  class Stopping final : public TextMeasure {
   public:
    float width(FontRole, float size, std::string_view text) const override {
      if (++calls == 2) stop.request_stop();
      return size * 0.5F * static_cast<float>(text.size());
    }
    mutable int calls = 0;
    mutable std::stop_source stop;
  };
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  const Stopping whole;
  ASSERT_TRUE(stripScene(trace, {}, kStripWidth, whole).ok());
  const Stopping measure;
  const auto page = stripScene(trace, {}, kStripWidth, measure, measure.stop.get_token());
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().sentence(), writingStopped("page").sentence());
  EXPECT_LT(measure.calls * static_cast<int>(trace->phases.size()), 2 * whole.calls) << "a phase at most";
}

TEST(Strip, TellsHowManyPhasesAreDrawn) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  std::vector<std::size_t> reported;
  ASSERT_TRUE(stripScene(trace, {}, kStripWidth, kMeasure, {}, std::numeric_limits<float>::infinity(),
                         [&](std::size_t done) { reported.push_back(done); })
                  .ok());
  ASSERT_EQ(reported.size(), trace->phases.size());
  for (std::size_t i = 0; i < reported.size(); ++i) EXPECT_EQ(reported[i], i);
}

TEST(Strip, HoldsAsManyPhasesAsItSays) {
  auto trace = std::make_shared<Trace>(*makeTrace("no-divergence", 64, "nvidia"));
  trace->phases.resize(kMostStripPhases, trace->phases.back());
  EXPECT_TRUE(stripScene(trace, {}, kStripWidth, kMeasure).ok());
  trace->phases.push_back(trace->phases.back());
  EXPECT_FALSE(stripScene(trace, {}, kStripWidth, kMeasure).ok());
}

TEST(Strip, FoldsIntoColumnsWhereAPageWouldBeTooHigh) {
  auto trace = std::make_shared<Trace>(*makeTrace("no-divergence", 64, "nvidia"));
  for (const std::size_t phases : {std::size_t{1}, std::size_t{7}, std::size_t{40}}) {
    trace->phases.resize(phases, trace->phases.back());
    const Scene whole = stripScene(trace, {}, kStripWidth, kMeasure).value();
    EXPECT_EQ(whole.width, kStripWidth);
    for (const float most : {600.0F, 5000.0F, 32767.0F}) {
      const std::string at = std::to_string(phases) + " phases within " + std::to_string(most);
      const Scene page = stripScene(trace, {}, kStripWidth, kMeasure, {}, most).value();
      EXPECT_LE(page.height, most) << at;
      EXPECT_EQ(page.width > kStripWidth, whole.height > most) << at;
      expectFits(page, kMeasure, at);
      for (std::size_t phase = 1; phase <= phases; ++phase) {
        const std::string label = std::to_string(phase) + " of " + std::to_string(phases) + " · ";
        EXPECT_NE(collectTexts(page).find(label), std::string::npos) << at << ", " << label;
      }
    }
  }
}

TEST(Strip, FitsIntoAPngAtAnyScaleOrAtTheOneThatIsNamed) {
  const auto writer = ImageWriter::of(ImageKind::Png, themes().front(), 8);
  if (!writer) GTEST_SKIP() << "built without cairo";
  auto trace = std::make_shared<Trace>(*makeTrace("baseline", 8, "tiny"));
  trace->phases.resize(40, trace->phases.back());
  const auto write = [&](const ImageWriter& at) {
    return at.write(stripScene(trace, {}, kStripWidth, at.measure(), {}, at.mostSide()).value());
  };
  const auto refused = write(*writer);
  ASSERT_FALSE(refused.ok()) << "40 phases at 8 pixels a point are more than a gibibyte";
  const std::string sentence = refused.error().sentence();
  const std::size_t place = sentence.find("Take scale ");
  ASSERT_NE(place, std::string::npos) << sentence;
  const float named = std::stof(sentence.substr(place + 11));
  EXPECT_GT(named, 2.0F);
  EXPECT_LT(named, 8.0F);
  EXPECT_TRUE(write(*ImageWriter::of(ImageKind::Png, themes().front(), 0.25F)).ok());
  const auto smaller = ImageWriter::of(ImageKind::Png, themes().front(), named);
  const Scene page = stripScene(trace, {}, kStripWidth, smaller->measure(), {}, smaller->mostSide()).value();
  EXPECT_LE(static_cast<double>(page.width * named) * static_cast<double>(page.height * named), kMostPngArea);
  EXPECT_LE(std::max(page.width, page.height) * named, static_cast<float>(kMostPngPixels));
}

TEST(Sequence, FramesAreThePlacesOfTheGrain) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  std::size_t wavefronts = 0;
  for (const Step& step : trace->steps) wavefronts += std::max(step.wavefronts, 1U);
  EXPECT_EQ(makeFrames(trace, Grain::Phase)->size(), trace->phases.size() + 1);
  EXPECT_EQ(makeFrames(trace, Grain::Instruction)->size(), trace->steps.size() + 1);
  EXPECT_EQ(makeFrames(trace, Grain::Wavefront)->size(), wavefronts + 1);
}

TEST(Sequence, IsWholeOrNotThere) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  const auto frames = makeFrames(trace, Grain::Phase);
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "frames";
  const auto half = writeSequence(folder, trace, *frames, [&](const Replay& replay) -> Result<std::string> {
    if (replay.atEnd()) return Error{"No more."};
    return std::string("frame");
  });
  ASSERT_FALSE(half.ok());
  EXPECT_SAYS(half.error().sentence());
  EXPECT_TRUE(scratch.isEmpty());
  int written = 0;
  const auto stopped = writeSequence(
      folder, trace, *frames,
      [&](const Replay&) -> Result<std::string> {
        ++written;
        return std::string("frame");
      },
      [&](std::size_t done) { return done < 2; });
  EXPECT_FALSE(stopped.ok());
  EXPECT_EQ(written, 2);
  EXPECT_TRUE(scratch.isEmpty());
  const auto number = [](const Replay& replay) -> Result<std::string> {
    return std::to_string(replay.cursor().steps);
  };
  const auto whole = writeSequence(folder.string() + "/", trace, *frames, number);
  ASSERT_TRUE(whole.ok()) << whole.error().sentence();
  EXPECT_EQ(*whole, frames->size());
  std::ifstream last(folder / "0006.png");
  std::string steps;
  last >> steps;
  EXPECT_EQ(steps, std::to_string(trace->steps.size()));
  EXPECT_FALSE(writeSequence(folder, trace, *frames, number).ok()) << "over what is there";
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 1);
}

TEST(CountersCsv, OfATraceAddsUpByPhaseAndByLine) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  std::istringstream text(countersCsv(*trace, "a run"));
  std::map<std::string, std::uint64_t> sums;
  std::string line;
  std::getline(text, line);
  ASSERT_TRUE(line.ends_with(",run")) << line;
  const std::string before = line.substr(0, line.find(",bank_conflicts,"));
  ASSERT_LT(before.size(), line.size()) << line;
  // From the end: the name of a line of the text may have commas.
  const auto column = std::ranges::count(line, ',') - std::ranges::count(before, ',');
  const auto counters = static_cast<std::size_t>(allCounters({}).size());
  while (std::getline(text, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
    ASSERT_GE(fields.size(), counters + 6);
    EXPECT_EQ(fields.back(), "a run");
    sums[fields[2]] += std::stoull(*(fields.end() - column));
  }
  EXPECT_EQ(sums["total"], trace->total.bankConflicts());
  EXPECT_EQ(sums["phase"], trace->total.bankConflicts());
  EXPECT_EQ(sums["line"], trace->total.bankConflicts());
  EXPECT_GT(sums["total"], 0U);
}

TEST(CountersCsv, FieldsAreQuotedAsRfc4180Has) {
  EXPECT_EQ(csvField("a b"), "a b");
  EXPECT_EQ(csvField("f(a, b)"), "\"f(a, b)\"");
  EXPECT_EQ(csvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csvField("two\nlines"), "\"two\nlines\"");
}

TEST(Image, EndingsDecide) {
  EXPECT_EQ(*findImageKind("a/b.svg"), ImageKind::Svg);
  EXPECT_EQ(*findImageKind("b.png"), ImageKind::Png);
  EXPECT_FALSE(findImageKind("b.jpg").ok());
  EXPECT_FALSE(findImageKind("png").ok());
}

TEST(Image, ARefittedSceneKeepsItsWidths) {
  class Narrow final : public TextMeasure {
    float width(FontRole, float size, std::string_view text) const override {
      return size * 0.4F * static_cast<float>(text.size());
    }
  };
  Replay replay(makeTrace("baseline", 8, "tiny"));
  replay.seek(20);
  const Narrow narrow;
  const ApproximateMeasure wide;
  const Scene scene = pictureScene(Picture::Warps, makeMoment(replay), {}, narrow);
  const Scene refit = refitted(scene, narrow, wide);
  ASSERT_EQ(scene.items.size(), refit.items.size());
  for (std::size_t i = 0; i < scene.items.size(); ++i) {
    const DrawItem& before = scene.items[i];
    const DrawItem& after = refit.items[i];
    if (before.kind != DrawItem::Kind::Text || before.text.empty()) continue;
    EXPECT_NEAR(static_cast<const TextMeasure&>(narrow).width(before.font, before.size, before.text),
                wide.width(after.font, after.size, after.text), 0.05F)
        << before.text;
  }
}

TEST(CsvField, NeverBeginsAFormula) {
  for (const char* text : {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "-x", "--1", "-", "+"})
    EXPECT_EQ(csvField(text), std::string("'") + text);
  EXPECT_EQ(csvField("\tint x = 1;"), "'\tint x = 1;");
  EXPECT_EQ(csvField("=HYPERLINK(\"a\",1)"), "\"'=HYPERLINK(\"\"a\"\",1)\"");
  for (const char* number : {"-1", "-1.5", "+3", "-2e-7", "1", "a=b", ""})
    EXPECT_EQ(csvField(number), number);
}

}  // namespace
}  // namespace lanescope
