// What a launch computed, against what its strategy is for: edited texts, launches too small, every strategy.
#include "app/workbench/result_check.h"

#include <gtest/gtest.h>

#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

Launch launchOfText(std::string_view id, std::uint64_t n, std::uint64_t blocks = 1,
                    const std::string& from = "", const std::string& to = "",
                    ElementType type = ElementType::Float, const std::string& op = "") {
  Launch launch = makeLaunch(*findStrategy(id), n, blocks, *findMachine("nvidia"), type, op).value();
  std::string text(launch.source->text());
  if (!from.empty()) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    launch.source = std::make_shared<SourceText>(launch.source->name(), text);
  }
  return launch;
}

std::optional<ResultCheck> makeCheck(std::string_view id, const Launch& launch) {
  RunOptions options;
  options.hazards.reset();
  const Result<Run> run = runLaunch(launch, options);
  EXPECT_TRUE(run && !run->fault);
  return run ? checkResult(*findStrategy(id), *run) : std::nullopt;
}

std::string makeSentence(std::string_view id, const Launch& launch) {
  const auto check = makeCheck(id, launch);
  return check ? (check->isRight ? "right: " : "wrong: ") + check->sentence : "nothing";
}

TEST(ResultCheck, EveryStrategyIsRightInTheOrderThatIsSimulated) {
  for (const Strategy& strategy : strategies()) {
    for (const char* machine : {"nvidia", "tiny"}) {
      for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
        if (!strategy.takes(type)) continue;
        std::vector<std::string> operators = strategy.operators;
        if (operators.empty()) operators.emplace_back();
        for (const std::string& op : operators) {
          for (const std::uint64_t n : {64U, 1024U}) {
            const auto launch = makeLaunch(strategy, n, 1, *findMachine(machine), type, op);
            if (!launch) continue;
            const auto check = makeCheck(strategy.id, *launch);
            ASSERT_TRUE(check) << strategy.id << " " << op;
            EXPECT_TRUE(check->isRight) << strategy.id << " " << op << ": " << check->sentence;
          }
        }
      }
    }
  }
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64)));
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64, 4)));
}

TEST(ResultCheck, AWrongSumIsToldWithWhatIsMissing) {
  EXPECT_SAYS(
      makeSentence("baseline", launchOfText("baseline", 64, 1, "k < blockDim.x", "k < blockDim.x / 2")));
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64, 1, "tid == 0) out", "tid == 99) out")));
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64, 1, "= s[0]", "= s[0] + s[63]")));
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64, 1, "= s[0]", "= s[0] + 1.0f")));
  // An edit that only counts otherwise is no fault.
  EXPECT_SAYS(makeSentence(
      "baseline", launchOfText("baseline", 64, 1, "s[tid] += s[tid + k]", "s[tid] = s[tid + k] + s[tid]")));
}

// Above 2^24 a float does not hold every integer.
TEST(ResultCheck, ARoundedSumIsGivenWithTheExactOne) {
  EXPECT_SAYS(makeSentence("one-thread", launchOfText("one-thread", 1U << 19)));
}

TEST(ResultCheck, OfSeveralBlocksTheFirstWrongOneIsNamed) {
  EXPECT_SAYS(makeSentence("baseline", launchOfText("baseline", 64, 4, "= s[0]", "= s[0] + blockIdx.x")));
  EXPECT_SAYS(makeSentence("two-launches", launchOfText("two-launches", 64, 4, "= s[0]", "= 2 * s[0]")));
}

TEST(ResultCheck, TheOperatorIsTheOneThatTheKernelIsNamedWith) {
  const auto sentence = [](const std::string& op, ElementType type) {
    return makeSentence("warp-block-grid", launchOfText("warp-block-grid", 64, 1, "return max(a, b)",
                                                        "return min(a, b)", type, op));
  };
  for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
    const std::string said = sentence("Maximum", type);
    EXPECT_SAYS(said);
    EXPECT_TRUE(sentence("Minimum", type).starts_with("right: "));
    EXPECT_TRUE(sentence("Product", type).starts_with("right: "));
  }
}

TEST(ResultCheck, IntsWrapAndLargeFloatsMayRound) {
  Launch ints = launchOfText("baseline", 64, 1, "", "", ElementType::Int);
  ints.arguments[0].fill = Fill::Iota;
  EXPECT_TRUE(makeCheck("baseline", ints)->isRight);
  const auto wrapped = [](std::uint64_t i) { return i == 0 ? 2147483647.0 : 1.0; };
  EXPECT_EQ(reduceElements(Reduction::Sum, ElementType::Int, 3, wrapped).value, -2147483647);
  EXPECT_EQ(reduceElements(Reduction::Product, ElementType::Int, 2, [](auto) { return 65536.0; }).value, 0);
  const Reduced small{100, 100};
  const Reduced large{0x1p26, 0x1p26};
  EXPECT_EQ(computeTolerance(Reduction::Sum, ElementType::Float, 64, small), 0);
  EXPECT_EQ(computeTolerance(Reduction::Sum, ElementType::Float, 64, large), 256);
  EXPECT_EQ(computeTolerance(Reduction::Sum, ElementType::Double, 64, large), 0);
  EXPECT_EQ(computeTolerance(Reduction::Maximum, ElementType::Float, 64, large), 0);
  EXPECT_FALSE(computeTolerance(Reduction::Product, ElementType::Float, 64, {INFINITY, INFINITY}));
  // 65,536 elements up to 65,535: no float holds their sum, and a tree is right all the same.
  Launch floats = launchOfText("two-launches", 65536, 1);
  floats.arguments[0].fill = Fill::Iota;
  EXPECT_TRUE(makeCheck("two-launches", floats)->isRight);
}

TEST(ResultCheck, ALaunchThatTakesTooFewSaysSo) {
  Launch launch = launchOfText("baseline", 32);
  launch.arguments[0].count = 64;
  const auto check = makeCheck("baseline", launch);
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->isRight);
  EXPECT_SAYS(check->fix);
}

TEST(ResultCheck, WhatIsNoReductionIsHeldAgainstItsOwn) {
  EXPECT_SAYS(makeSentence("transpose-by-row", launchOfText("transpose-by-row", 64)));
  EXPECT_SAYS(makeSentence("transpose-by-row", launchOfText("transpose-by-row", 64, 1, "out[x * height + y]",
                                                            "out[y * width + x]")));
  EXPECT_SAYS(makeSentence("vector-add", launchOfText("vector-add", 64, 1, "in[i] + b[i];", "in[i];")));
  EXPECT_SAYS(makeSentence("vector-add", launchOfText("vector-add", 64)));
  EXPECT_TRUE(
      makeSentence("julia-set", launchOfText("julia-set", 64, 1, "0.79f", "0.8f")).starts_with("wrong: "));
}

TEST(ResultCheck, NothingIsSaidWhereNothingIsExpected) {
  Launch other = launchOfText("baseline", 64, 1, "__global__ void baseline",
                              "__global__ void mine(const float* in, float* out) { out[0] = in[0]; }\n"
                              "__global__ void baseline");
  other.kernel = "mine";
  EXPECT_EQ(makeSentence("baseline", other), "nothing");
  // A hundredfold product of such elements is no float's.
  Launch product = launchOfText("warp-block-grid", 1024, 1, "", "", ElementType::Float, "Product");
  product.arguments[0].fill = Fill::Iota;
  EXPECT_EQ(makeSentence("warp-block-grid", product), "nothing");
}

TEST(ResultCheck, TheEditorHasItForTheTextThatRan) {
  Session session;
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  ASSERT_TRUE(testing::settle(session));
  ASSERT_NE(session.editor().result(), nullptr);
  EXPECT_TRUE(session.editor().result()->isRight);
  TextBuffer& buffer = session.editor().current()->buffer;
  const auto at = static_cast<std::uint32_t>(buffer.text().find("k < blockDim.x"));
  buffer.select({at, at + 14});
  buffer.insert("k < blockDim.x / 2");
  EXPECT_EQ(session.editor().result(), nullptr) << "of another text";
  session.run();
  ASSERT_TRUE(testing::settle(session));
  ASSERT_NE(session.editor().result(), nullptr);
  EXPECT_FALSE(session.editor().result()->isRight);
  ASSERT_NE(session.editor().hazards(), nullptr);
  EXPECT_TRUE(session.editor().hazards()->hazards.empty()) << "no race: only the result shows it";
}

}  // namespace
}  // namespace lanescope
