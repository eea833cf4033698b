// The page that steps: small, whole, and in a browser the same as what is drawn for a file.
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/export/page.h"
#include "app/export/pictures.h"
#include "app/export/tests/browser.h"
#include "app/launch/strategy_launch.h"
#include "app/paint/svg_painter.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/base/json.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

using testing::ExpectedStep;

PageOptions makeOptions(std::string_view strategy, std::uint64_t n, Grain grain = Grain::Instruction) {
  PageOptions options;
  options.pictures.title = "A <title> & more";
  options.grain = grain;
  options.strategy = findStrategy(strategy);
  options.n = n;
  return options;
}

std::string makePage(std::string_view strategy, std::uint64_t n, std::string_view machine,
                     Grain grain = Grain::Instruction) {
  const auto page = pageHtml(makeTrace(strategy, n, machine), makeOptions(strategy, n, grain));
  return page ? *page : page.error().sentence();
}

Json readData(const std::string& page) {
  constexpr std::string_view kBegin = "type=\"application/json\">";
  const std::size_t from = page.find(kBegin) + kBegin.size();
  return parseJson(page.substr(from, page.find("</script>", from) - from));
}

/// What a page is to show at each of its steps.
std::vector<ExpectedStep> expectedSteps(std::string_view strategy, std::uint64_t n, std::string_view machine,
                                        Grain grain) {
  const auto trace = makeTrace(strategy, n, machine);
  const auto writer = ImageWriter::of(ImageKind::Svg, *findTheme("light"));
  Replay replay(trace);
  std::vector<ExpectedStep> steps;
  const auto frames = makeFrames(trace, grain);
  for (const Cursor cursor : *frames) {
    replay.seek(cursor);
    const Moment moment = makeMoment(replay);
    ExpectedStep step{fmt::format("#step={}", cursor.steps), placeText(moment), {}};
    if (moment.step() && cursor.wavefront < moment.step()->wavefronts)
      step.address += fmt::format("&wavefront={}", cursor.wavefront);
    for (const Picture picture : {Picture::Array, Picture::Warps, Picture::Banks, Picture::Source})
      step.svgs.push_back(*writer->write(pictureScene(picture, moment, {}, writer->measure())));
    steps.push_back(std::move(step));
  }
  return steps;
}

TEST(Page, IsOneFileThatNeedsNothingElse) {
  const std::string page = makePage("baseline", 64, "nvidia");
  EXPECT_TRUE(page.starts_with("<!doctype html>")) << page.substr(0, 200);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char* const foreign : {"http://", "https://", "@import", "url(", " src=", "@TITLE@"})
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
  EXPECT_NE(page.find("<title>A &lt;title&gt; &amp; more</title>"), std::string::npos);
  EXPECT_NE(page.find("Lesson: Baseline"), std::string::npos);
  EXPECT_NE(page.find("s[tid] += s[tid + k];"), std::string::npos);
}

TEST(Page, CountersThatCostHaveTheColorsOfThePictures) {
  std::map<std::string, std::string> costs;
  const Json data = readData(makePage("no-divergence", 64, "nvidia"));
  for (const Json& counter : data["counters"]) costs[counter["name"]] = counter["costs"];
  EXPECT_EQ(costs["conflicts"], "conflict");
  EXPECT_EQ(costs["divergent branches"], "divergence");
  EXPECT_EQ(costs["barriers"], "");
}

TEST(Page, SaysOfHowManyBlocksTheLessonsNumbersAre) {
  const Strategy& strategy = *findStrategy("baseline");
  const MachineModel& machine = *findMachine("nvidia");
  for (const std::uint64_t blocks : {1U, 2U}) {
    Result<Trace> trace = recordTrace(*makeLaunch(strategy, 64, blocks, machine));
    ASSERT_TRUE(trace);
    const auto page = pageHtml(std::make_shared<const Trace>(std::move(*trace)), makeOptions("baseline", 64));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->find("for N = 64 in one block on nvidia") == std::string::npos, blocks == 1) << blocks;
  }
}

TEST(Page, HasEveryStepOfItsGrain) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  for (const Grain grain : {Grain::Phase, Grain::Instruction, Grain::Wavefront}) {
    const Json data = readData(makePage("no-divergence", 64, "nvidia", grain));
    const std::size_t frames = makeFrames(trace, grain)->size();
    EXPECT_EQ(data["grain"], grainName(grain));
    EXPECT_EQ(data["frames"].size(), frames);
    EXPECT_EQ(data["changes"].size(), frames);
    for (const Json& picture : data["pictures"]) EXPECT_EQ(picture["frames"].size(), frames);
    EXPECT_EQ(data["frames"].back()[0], trace->steps.size());
  }
}

TEST(Page, HighlightsTheLessonsItemOfAPhase) {
  const std::string page = makePage("baseline", 64, "nvidia");
  const Json phase = readData(page)["phases"][3];
  EXPECT_EQ(phase["label"], "step size 4");
  EXPECT_NE(
      page.find(fmt::format("<li id=\"lesson-{}\"><strong>step size 4</strong>", phase["lesson"].dump())),
      std::string::npos);
  EXPECT_NE(phase["text"].get<std::string>().find("<strong>0, 8 … 56</strong>"), std::string::npos);
}

TEST(Page, CountsWhatTheTraceCounts) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  const Json data = readData(makePage("no-divergence", 64, "nvidia"));
  EXPECT_EQ(data["total"][0].get<std::string>(), std::to_string(trace->total.sharedWavefronts()));
  std::string wavefronts;
  for (const Json& change : data["changes"]) {
    for (std::size_t i = 0; change.is_array() && i < change.size(); i += 2)
      if (change[i] == 0) wavefronts = change[i + 1];
  }
  EXPECT_EQ(wavefronts, data["total"][0].get<std::string>());
}

TEST(Page, IsStoppedBetweenSteps) {
  std::size_t seen = 0;
  const auto page =
      pageHtml(makeTrace("baseline", 64, "nvidia"), makeOptions("baseline", 64), [&](std::size_t done) {
        seen = done;
        return done < 5;
      });
  EXPECT_FALSE(page);
  EXPECT_EQ(seen, 5U);
}

TEST(PageReel, TakesFromTheStepBeforeWhatIsThereAlready) {
  PageReel reel;
  reel.add({0, 1, 2, 3});
  reel.add({0, 1, 2, 3});
  reel.add({0, 4, 5, 2, 3, 3, 0});
  reel.add({});
  EXPECT_EQ(reel.frames(), "[[-1,4],\n0,\n[0,1,-5,2,2,2,3,1,0,1],\n[]]");
}

TEST(PageItems, KeepWhatLooksTheSameOnce) {
  PageItems items;
  DrawItem item{.w = 10.04F, .h = 5};
  EXPECT_EQ(items.toNumber(item), 0U);
  item.w = 10;
  EXPECT_EQ(items.toNumber(item), 0U);
  item.x = 0.5F;
  EXPECT_EQ(items.toNumber(item), 1U);
  item.color = ColorRole::Conflict;
  EXPECT_EQ(items.toNumber(item), 2U);
  EXPECT_EQ(items.items(), "[[0,0,0,10,5],\n[0,0.5,0,10,5],\n[1,0.5,0,10,5]]");
}

TEST(PageWords, AreHtml) {
  EXPECT_EQ(
      markdownHtml(parseMarkdown("# H\n\n1 < 2 **b** `c`\n\n- x\n- y\n\n1. z"), 3),
      "<h3>H</h3>\n<p>1 &lt; 2 <strong>b</strong> <code>c</code></p>\n<ul>\n<li id=\"lesson-2\">x</li>\n"
      "<li id=\"lesson-3\">y</li>\n</ul>\n<ol>\n<li id=\"lesson-4\">z</li>\n</ol>\n");
  EXPECT_EQ(quotedForPage("</script>\"\xff"), "\"\\u003c/script>\\\"\xEF\xBF\xBD\"");
}

struct Walk {
  std::string_view strategy;
  std::uint64_t n;
  std::string_view machine;
  Grain grain;
};

/// Every step of the walks' pages shows what is drawn for a file.
void compareInBrowser(const std::vector<Walk>& walks) {
  if (testing::findBrowser().empty()) GTEST_SKIP() << "Chromium is not installed.";
  std::vector<testing::ScriptedPage> pages;
  std::vector<std::size_t> counts;
  for (const auto& [strategy, n, machine, grain] : walks) {
    const auto steps = expectedSteps(strategy, n, machine, grain);
    pages.push_back({makePage(strategy, n, machine, grain), testing::comparisonWith(steps)});
    counts.push_back(steps.size());
  }
  const std::vector<std::string> results = testing::runInBrowser(pages);
  for (std::size_t w = 0; w < walks.size(); ++w) {
    EXPECT_TRUE(results[w].starts_with(fmt::format("{} steps, ", counts[w])))
        << walks[w].strategy << " on " << walks[w].machine << ": " << results[w];
  }
}

TEST(Browser, ShowsAtEveryStepWhatIsDrawnForAFile) {
  compareInBrowser({{"baseline", 8, "tiny", Grain::Instruction},
                    {"no-divergence", 64, "nvidia", Grain::Phase},
                    {"no-divergence", 16, "eight", Grain::Wavefront},
                    {"shuffle", 64, "nvidia", Grain::Instruction},
                    {"transpose-shared", 64, "nvidia", Grain::Instruction}});
}

TEST(SweepBrowser, ShowsAtEveryStepOfEveryStrategyWhatIsDrawnForAFile) {
  std::vector<Walk> walks;
  for (const Strategy& strategy : strategies()) walks.push_back({strategy.id, 64, "nvidia", Grain::Phase});
  compareInBrowser(walks);
}

TEST(Browser, SeesThatAPageShowsSomethingElse) {
  if (testing::findBrowser().empty()) GTEST_SKIP() << "Chromium is not installed.";
  std::vector<ExpectedStep> steps = expectedSteps("baseline", 8, "tiny", Grain::Phase);
  std::string& svg = steps[2].svgs[1];
  svg.replace(svg.find("</text>"), 0, "!");
  const std::string result = testing::runInBrowser(
      {{makePage("baseline", 8, "tiny", Grain::Phase), testing::comparisonWith(steps)}})[0];
  EXPECT_TRUE(result.starts_with("1 differences: " + steps[2].address + " warps: another text")) << result;
}

// The same keys as in the window, and each lands where stepping the trace does.
TEST(Browser, KeysStepAsInTheWindow) {
  if (testing::findBrowser().empty()) GTEST_SKIP() << "Chromium is not installed.";
  struct Press {
    const char* key;
    std::optional<Grain> grain;  ///< nothing: to the end that `isForward` says
    bool isForward;
    bool withShift = false;
  };
  constexpr Grain kDefault = Grain::Wavefront;  // the page's own, until 2 is pressed
  const std::vector<Press> presses = {{"Home", {}, false},
                                      {"ArrowRight", kDefault, true},
                                      {"ArrowDown", Grain::Phase, true},
                                      {"ArrowRight", kDefault, true},
                                      {"n", Grain::Wavefront, true},
                                      {"p", Grain::Wavefront, false},
                                      {"ArrowLeft", kDefault, false},
                                      {"ArrowRight", Grain::Phase, true, true},
                                      {"ArrowUp", Grain::Phase, false},
                                      {"2", Grain::Instruction, true},
                                      {"ArrowRight", Grain::Instruction, true},
                                      {"ArrowRight", Grain::Instruction, true},
                                      {"ArrowLeft", Grain::Phase, false, true},
                                      {"End", {}, true},
                                      {"ArrowLeft", Grain::Instruction, false}};
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  std::string expected;
  std::string script = "const said = [];\n";
  for (const Press& press : presses) {
    if (!press.grain) {
      replay.seek(press.isForward ? static_cast<std::uint32_t>(trace->steps.size()) : 0U);
    } else if (std::string_view(press.key) != "2") {
      press.isForward ? replay.forward(*press.grain) : replay.back(*press.grain);
    }
    expected += fmt::format("{} {}.{}\n", press.key, replay.cursor().steps, replay.cursor().wavefront);
    script += fmt::format(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{0}', shiftKey: {1}, bubbles: "
        "true}}));\n"
        "said.push(`{0} ${{walk.frames[step][0]}}.${{walk.frames[step][1]}}\\n`);\n",
        press.key, press.withShift);
  }
  const std::string page = makePage("no-divergence", 64, "nvidia", Grain::Wavefront);
  EXPECT_EQ(testing::runInBrowser({{page, script + "finish(said.join(''));"}})[0], expected);
}

// For learning platforms, which bound what is uploaded. The fewer lanes per warp, the more steps per
// page.
TEST(SweepPage, IsUnderTwoMegabytesForEveryStrategy) {
  for (const Strategy& strategy : strategies()) {
    for (const std::string_view machine : {"tiny", "eight"}) {
      const std::string page = makePage(strategy.id, 64, machine, Grain::Wavefront);
      EXPECT_TRUE(page.ends_with("</html>\n")) << strategy.id << " on " << machine << ": " << page;
      EXPECT_LT(page.size(), 2'000'000U) << strategy.id << " on " << machine;
    }
  }
}

}  // namespace
}  // namespace lanescope
