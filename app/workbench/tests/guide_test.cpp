// The first lesson without a window: what counts as done, and that each card's kernel has what it speaks of.
#include "app/course/guide.h"

#include <gtest/gtest.h>

#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

const GuideCard& cardThatAsks(CardAct act) {
  for (const GuideCard& card : guideCards()) {
    if (card.act == act) return card;
  }
  throw std::runtime_error("no such card");
}

/// A session with the card's run, at the card's place.
struct Shown {
  explicit Shown(const GuideCard& card) {
    session.select({findStrategy(card.strategy), card.n, findMachine(card.machine)});
    EXPECT_TRUE(testing::waitForTrace(session)) << card.id;
    session.player().seek(findStart(card.start, session.player().replay()->trace()));
  }
  Session session;
};

TEST(Guide, AsksForActsInOrderAndSeesThem) {
  GuideSituation began;
  began.cursor = {10, 1};
  began.rounds = 10;
  GuideSituation now = began;
  EXPECT_FALSE(isDone(CardAct::Step, began, now));
  now.rounds = 12;
  EXPECT_FALSE(isDone(CardAct::Step, began, now));
  EXPECT_EQ(remarkOn(CardAct::Step, began, now), "2 of 3.");
  now.rounds = 13;
  EXPECT_TRUE(isDone(CardAct::Step, began, now));
  now.rounds = 2;
  EXPECT_FALSE(isDone(CardAct::Step, began, now)) << "back is not on";

  now = began;
  EXPECT_FALSE(isDone(CardAct::Lane, began, now));
  now.thread = 0;
  EXPECT_TRUE(isDone(CardAct::Lane, began, now));
  EXPECT_FALSE(isDone(CardAct::IdleLane, began, now));
  EXPECT_SAYS(remarkOn(CardAct::IdleLane, began, now));
  now.isIdle = true;
  EXPECT_TRUE(isDone(CardAct::IdleLane, began, now));

  now = began;
  now.wavefronts = 3;
  now.cursor = {11, 2};
  EXPECT_FALSE(isDone(CardAct::Wavefronts, began, now));
  EXPECT_SAYS(remarkOn(CardAct::Wavefronts, began, now));
  now.cursor = {11, 3};
  EXPECT_TRUE(isDone(CardAct::Wavefronts, began, now));
  now.cursor = {12, 3};
  EXPECT_FALSE(isDone(CardAct::Wavefronts, began, now)) << "another access";

  now = began;
  now.races = 1;
  EXPECT_FALSE(isDone(CardAct::Race, began, now)) << "a race of the kernel's own";
  now.isEdited = true;
  const std::string notRun = remarkOn(CardAct::Race, began, now);
  now.hasFaults = true;
  EXPECT_NE(remarkOn(CardAct::Race, began, now), notRun);
  now.hasFaults = false;
  now.ranEdited = true;
  EXPECT_TRUE(isDone(CardAct::Race, began, now));
  now.races = 0;
  EXPECT_FALSE(isDone(CardAct::Race, began, now));
  EXPECT_NE(remarkOn(CardAct::Race, began, now), notRun);

  EXPECT_FALSE(isDone(CardAct::Charts, began, now));
  now.chartsAreOpen = true;
  EXPECT_TRUE(isDone(CardAct::Charts, began, now));
}

TEST(Guide, KeepsItsAnswerWhereTheActIsUndone) {
  Guide guide;
  guide.open(0);
  EXPECT_FALSE(guide.isBegun());
  EXPECT_FALSE(guide.syncTo({})) << "its run is not there yet";
  guide.begin({});
  GuideSituation now;
  now.rounds = kStepsAsked;
  ASSERT_TRUE(guide.syncTo(now));
  guide.answer("Well done.");
  EXPECT_FALSE(guide.syncTo({}));
  EXPECT_TRUE(guide.isAnswered());
  guide.open(guideCards().size() + 3);
  EXPECT_TRUE(guide.isLast());
  EXPECT_FALSE(guide.isAnswered());
}

TEST(Guide, EveryCardHasAnIdAndItsActOnce) {
  std::vector<CardAct> acts;
  for (std::size_t i = 0; i < guideCards().size(); ++i) {
    EXPECT_EQ(findGuideCard(guideCards()[i].id), i);
    acts.push_back(guideCards()[i].act);
  }
  EXPECT_EQ(acts, (std::vector{CardAct::Step, CardAct::Lane, CardAct::IdleLane, CardAct::Wavefronts,
                               CardAct::Race, CardAct::Charts}));
  EXPECT_EQ(findGuideCard("nonsense"), std::nullopt);
}

TEST(Guide, TheIdleLanesAreThere) {
  const Shown shown(cardThatAsks(CardAct::IdleLane));
  const Trace& trace = shown.session.player().replay()->trace();
  EXPECT_EQ(trace.launch.machine.warpSize, 32U) << "the card speaks of real warps";
  std::uint32_t idle = 0;
  for (std::uint32_t thread = 0; thread < 64; ++thread)
    idle += readSituation(shown.session, thread, false).isIdle ? 1 : 0;
  const GuideFacts facts = collectFacts(shown.session, 1);
  EXPECT_EQ(idle, 32U) << "of both warps";
  EXPECT_EQ(facts.at("active"), "16");
  EXPECT_EQ(facts.at("lanes"), "32");
  EXPECT_EQ(facts.at("warp"), "0");
  EXPECT_FALSE(readSituation(shown.session, -1, false).isIdle);
}

TEST(Guide, TheNextAccessConflicts) {
  const GuideCard& card = cardThatAsks(CardAct::Wavefronts);
  Shown shown(card);
  EXPECT_EQ(shown.session.player().replay()->trace().launch.machine.banks, 32U)
      << "the card speaks of 32 banks";
  const GuideSituation began = readSituation(shown.session, -1, false);
  ASSERT_TRUE(shown.session.player().step(Grain::Wavefront, true));
  EXPECT_FALSE(isDone(card.act, began, readSituation(shown.session, -1, false)))
      << "one wavefront of several";
  while (shown.session.player().replay()->cursor().wavefront <
         readSituation(shown.session, -1, false).wavefronts)
    ASSERT_TRUE(shown.session.player().step(Grain::Wavefront, true));
  EXPECT_TRUE(isDone(card.act, began, readSituation(shown.session, -1, false)));
  const GuideFacts facts = collectFacts(shown.session, -1);
  const int bank = std::stoi(facts.at("bank"));
  EXPECT_EQ(std::stoi(facts.at("wordA")) % 32, bank);
  EXPECT_EQ(std::stoi(facts.at("wordB")) % 32, bank);
  EXPECT_NE(facts.at("wordA"), facts.at("wordB"));
  EXPECT_GT(std::stoi(facts.at("wavefronts")), std::stoi(facts.at("ideal")));
}

TEST(Guide, TheEditRaces) {
  const GuideCard& card = cardThatAsks(CardAct::Race);
  Shown shown(card);
  const GuideSituation began = readSituation(shown.session, -1, false);
  EXPECT_FALSE(began.isEdited);
  EXPECT_EQ(began.races, 0U);
  ASSERT_TRUE(isOfCard(shown.session, card));
  TextBuffer& buffer = shown.session.editor().current()->buffer;
  const std::string before = "s[tid + k]";
  const auto at = static_cast<std::uint32_t>(buffer.text().find(before));
  buffer.select({at, at + static_cast<std::uint32_t>(before.size())});
  buffer.insert("s[tid + 1]");
  EXPECT_TRUE(readSituation(shown.session, -1, false).isEdited);
  shown.session.run();
  ASSERT_TRUE(testing::settle(shown.session));
  EXPECT_EQ(shown.session.error(), "");
  EXPECT_TRUE(isDone(card.act, began, readSituation(shown.session, -1, false)));
  EXPECT_FALSE(isOfCard(shown.session, card));
  EXPECT_TRUE(collectFacts(shown.session, -1).at("hazard").ends_with("."));
}

TEST(GuideText, HasEachNameReplaced) {
  const auto findValue = [](std::string_view name) -> std::optional<std::string> {
    return name == "n" ? std::optional<std::string>("64") : std::nullopt;
  };
  EXPECT_EQ(filled("N = {n}, {n}.", findValue), "N = 64, 64.");
  EXPECT_EQ(filled("plain", findValue), "plain");
  EXPECT_EQ(filled("{n} of {other}", findValue), std::nullopt);
}

}  // namespace
}  // namespace lanescope
