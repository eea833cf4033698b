// What the GPU panel says of whose numbers it shows: pinned runs that have nothing here, and who is ticked.
#include "app/panels/gpu_words.h"

#include <gtest/gtest.h>

#include "app/analysis/recording.h"
#include "app/tests/drawn_text.h"
#include "app/tests/gpu_lab.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

const std::filesystem::path kOneValue = kShipped.parent_path() / "nvidia-h200_one_value.jsonl";
const std::filesystem::path kCub = kShipped.parent_path() / "nvidia-h200_cub.jsonl";

struct Pins : ::testing::Test {
  std::string leftOut(bool overN = false) {
    const BenchNumbers numbers{lab.gpu.data(), "own", lab.gpu.pins()};
    const auto shown = overN ? pinsIn(gpuLines(numbers, choice)) : pinsIn(gpuBars(numbers, choice, false));
    return pinsLeftOut(numbers, choice, shown, overN);
  }

  Lab lab{recordingOnly()};
  BenchChoice choice;
};

TEST_F(Pins, WithoutBarsSayWhy) {
  ASSERT_TRUE(lab.show("shuffle"));
  EXPECT_EQ(leftOut(), "");
  ASSERT_FALSE(lab.gpu.pin(kOneValue));
  EXPECT_SAYS(leftOut());
  EXPECT_SAYS(leftOut(true));
  choice.setting.scope = Scope::Full;
  EXPECT_EQ(leftOut(), "");
  EXPECT_EQ(leftOut(true), "");
  choice.n = std::uint64_t{1} << 13U;
  EXPECT_SAYS(leftOut());
  EXPECT_EQ(leftOut(true), "") << "of all N there are some";
  choice.picks = {"julia-set"};
  choice.n = std::uint64_t{1} << 24U;
  EXPECT_SAYS(leftOut());
}

TEST_F(Pins, ShareASentenceWhereTheyShareTheReason) {
  ASSERT_TRUE(lab.show("shuffle"));
  for (int i = 0; i < 2; ++i) ASSERT_FALSE(lab.gpu.pin(kOneValue));
  EXPECT_SAYS(leftOut());
  ASSERT_FALSE(lab.gpu.pin(kCub));
  EXPECT_SAYS(leftOut());
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, lab.window);
    EXPECT_EQ(problemText(), "") << size.x;
  }
}

TEST_F(Pins, AndWhatIsOnShowStandInTheMenu) {
  ASSERT_FALSE(shippedRecordings().empty());
  ASSERT_TRUE(lab.show("shuffle"));
  ASSERT_FALSE(lab.gpu.open(shippedRecordings().front()));
  EXPECT_EQ(lab.gpu.shownRecording(), shippedRecordings().front());
  ASSERT_FALSE(lab.gpu.pin(shippedRecordings().back()));
  EXPECT_EQ(lab.gpu.pins()[0].path, shippedRecordings().back());
  for (const ImVec2 size : {kProjector, kDesk}) {
    for (const Theme& theme : themes()) {
      lab.window.state().theme = &theme;
      Headless headless(size, lab.window);
      const Area area = openGpu(headless);
      const std::size_t closed = textIn({0, 0, size.x, size.y}).size();
      headless.click(lab.window,
                     ImVec2(area.x + area.w - 40 * headless.unit(), area.y + 18 * headless.unit()));
      headless.settle(lab.window);
      EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) << size.x;
      EXPECT_GT(textIn({0, 0, size.x, size.y}).size(), closed + 200);
      EXPECT_EQ(problemText(), "") << size.x << theme.id;
    }
  }
}

TEST(LeftOut, IsSaidBelowTheChart) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(fake("good"), "baseline");
    BenchPlan plan{.strategies = {"one-thread", "baseline"}, .sizes = {1U << 16U, 1U << 24U}};
    ASSERT_FALSE(lab.gpu.run(plan));
    ASSERT_TRUE(lab.waitFor([&] {
      return lab.gpu.state() == WorkerState::Ready && lab.gpu.data().series().size() == 3;
    })) << lab.gpu.sentence();
    const std::string left = lab.gpu.leftOut();
    EXPECT_SAYS(left);
    EXPECT_EQ(wordsBelow(lab.gpu, {}, "", "News."), left + " News.");
    EXPECT_EQ(wordsBelow(lab.gpu, {}, "", ""), left);
    Headless headless(size, lab.window);
    EXPECT_EQ(problemText(), "") << size.x;
    ASSERT_FALSE(lab.gpu.replay());
    EXPECT_EQ(wordsBelow(lab.gpu, {}, "", "News."), "News.") << "a recording was not left out of";
  }
}

TEST(LeftOut, TheWindowNamesStrategiesByTheirTitles) {
  Lab lab(fake("good"), "baseline");
  BenchPlan plan{.strategies = {"add-during-load-8", "baseline"}, .sizes = {1U << 12U}};
  plan.setting.block = 1024;
  ASSERT_FALSE(lab.gpu.run(plan));
  Headless headless(kDesk, lab.window);
  const std::string words = headless.words(lab.window);
  EXPECT_NE(words.find("threads: 'Add during load, L = 8' at N = 2^12."), std::string::npos) << words;
  EXPECT_EQ(words.find("add-during-load-8"), std::string::npos) << words;
}

TEST(Titles, StandWhereIdsAreInQuotationMarks) {
  EXPECT_EQ(withTitles("'baseline' and 'cub' keep their own grids."),
            "'Baseline' and 'CUB DeviceReduce' keep their own grids.");
  EXPECT_EQ(withTitles("'1x' is not a size; a block's 'float4-loads' is not for double."),
            "'1x' is not a size; a block's 'Vectorized loads in flight' is not for double.");
  EXPECT_EQ(withTitles("A shuffle isn't a strategy."), "A shuffle isn't a strategy.");
  EXPECT_EQ(withTitles(""), "");
}

TEST(Picks, TheSummaryIsThatOfTheBoxes) {
  const std::size_t all = contenderIds().size();
  const std::string of = " of " + std::to_string(all);
  BenchChoice choice;
  const std::set<std::string> ticked = tickedIds(choice);
  EXPECT_TRUE(ticked.contains("shuffle"));
  EXPECT_FALSE(ticked.contains("cub")) << "it is timed to one value";
  EXPECT_FALSE(ticked.contains("transpose-by-row"));
  EXPECT_EQ(picksText(choice), "all that can: " + std::to_string(ticked.size()) + of);
  setPicked(choice, "shuffle", false);
  EXPECT_EQ(picksText(choice), std::to_string(ticked.size() - 1) + of);
  EXPECT_FALSE(tickedIds(choice).contains("shuffle"));
  EXPECT_EQ(contendersToRun(choice).size(), ticked.size() - 1) << "what is ticked is what runs";
  for (const std::string& id : ticked) setPicked(choice, id, false);
  EXPECT_EQ(picksText(choice), "1" + of) << "the last one stays";
  for (const std::string& id : contenderIds()) setPicked(choice, id, true);
  EXPECT_EQ(picksText(choice), "all " + std::to_string(all));
}

TEST(Picks, OfAChapterAreItsLessonsThatOneChartCanShow) {
  const std::set<std::string> ids = chapterIds(*findStrategy("no-divergence"));
  for (const char* id : {"baseline", "no-divergence", "no-bank-conflict"})
    EXPECT_TRUE(ids.contains(id)) << id;
  for (const std::string& id : ids)
    EXPECT_EQ(findStrategy(id)->chapter, findStrategy("baseline")->chapter) << id;
  EXPECT_FALSE(chapterIds(*findStrategy("transpose-by-row")).contains("baseline"));
}

TEST(Picks, WithoutAnyThoseAreTickedThatARunWouldTime) {
  BenchChoice choice;
  choice.setting.scope = Scope::Full;
  EXPECT_TRUE(tickedIds(choice).contains("cub"));
  choice.setting.type = ElementType::Int;
  EXPECT_FALSE(tickedIds(choice).contains("float4-loads"));
  choice.highlighted = findStrategy("transpose-by-row");
  choice.setting = {};
  EXPECT_EQ(tickedIds(choice), familyIds(Family::Transpose));
}

}  // namespace
}  // namespace lanescope
