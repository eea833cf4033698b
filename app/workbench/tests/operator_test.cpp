// A reduction by another operator than the sum: data, results, what is said of them and asked about them.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "app/base/value_words.h"
#include "app/course/questions.h"
#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/device_memory.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

const Strategy& strategyOfOperators() { return *findStrategy("warp-block-grid"); }

/// The strategy's launch by that operator, as the form makes it.
Launch launchBy(const std::string& op, std::uint64_t n, ElementType type) {
  const Launch sum = makeLaunch(strategyOfOperators(), n, 1, *findMachine("nvidia"), type).value();
  return bindLaunch(withOperator(makeForm(sum), strategyOfOperators(), op), sum.source, sum.machine).value();
}

/// The input's elements, and the product of all.
std::vector<double> findInput(const Launch& launch) {
  const auto memory = DeviceMemory::create(launch.arguments, std::uint64_t{1} << 30);
  EXPECT_TRUE(memory);
  std::vector<double> values;
  const Argument& in = launch.arguments[0];
  const std::size_t bytes = in.bytes() / in.count;
  for (std::uint64_t i = 0; i < in.count; ++i)
    values.push_back(computeSum(memory->buffer(0).subspan(i * bytes, bytes), in.type));
  return values;
}

TEST(Operators, AProductTellsSomethingAndIsExact) {
  for (const std::uint64_t n : {8U, 64U, 1024U}) {
    for (const ElementType type : {ElementType::Float, ElementType::Int, ElementType::Double}) {
      const Launch launch = launchBy("Product", n, type);
      std::int64_t expected = 1;
      std::size_t units = 0;
      for (const double value : findInput(launch)) {
        ASSERT_NE(value, 0);
        expected *= static_cast<std::int64_t>(value);
        units += std::abs(value) == 1 ? 1 : 0;
      }
      EXPECT_LT(std::abs(expected), std::int64_t{1} << 31);
      EXPECT_GT(std::abs(expected), 100);
      EXPECT_LT(units, n);
      const auto result = simulate(launch);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->outputs[0].sum, static_cast<double>(expected)) << n;
    }
  }
}

// A kernel that does no work at all leaves the first element, or the 0 that its output starts with.
TEST(Operators, TheLeastAndTheGreatestAreFoundByTheWork) {
  for (const char* op : {"Minimum", "Maximum"}) {
    for (const std::uint64_t n : {8U, 16U, 32U, 64U, 128U, 256U, 512U, 1024U, 4096U}) {
      for (const ElementType type : {ElementType::Float, ElementType::Int, ElementType::Double}) {
        const Launch launch = launchBy(op, n, type);
        const std::vector<double> in = findInput(launch);
        const auto [least, greatest] = std::ranges::minmax(in);
        const double expected = std::string_view(op) == "Minimum" ? least : greatest;
        EXPECT_NE(in[0], expected) << op << " of " << n;
        EXPECT_NE(expected, 0) << op << " of " << n;
        if (n <= 64 && expected == least) {
          EXPECT_EQ(std::ranges::count(in, expected), 1) << op << " of " << n;
        }
        const auto result = simulate(launch);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->outputs[0].sum, expected) << op << " of " << n;
      }
    }
  }
}

// Combined with the identity, every value stays, also the smallest int.
TEST(Operators, NoElementsGiveTheIdentity) {
  const auto withoutElements = [](const char* op, ElementType type) {
    Launch launch = launchBy(op, 64, type);
    EXPECT_FALSE(launch.arguments.at(2).isBuffer);
    launch.arguments.at(2).integer = 0;
    return simulate(launch).value().outputs[0].sum;
  };
  EXPECT_EQ(withoutElements("Maximum", ElementType::Int), -2147483648.0);
  EXPECT_EQ(withoutElements("Minimum", ElementType::Int), 2147483647.0);
  EXPECT_EQ(withoutElements("Maximum", ElementType::Float), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(withoutElements("Product", ElementType::Double), 1);
}

TEST(Operators, DataGoBackWithTheSumAndOwnDataStay) {
  const LaunchForm sum = makeForm(makeLaunch(strategyOfOperators(), 64, 1, *findMachine("nvidia")).value());
  EXPECT_EQ(sum.arguments[0], "f32:hash:64");
  const LaunchForm product = withOperator(sum, strategyOfOperators(), "Product");
  EXPECT_EQ(product.arguments[0], "f32:factors:64");
  EXPECT_EQ(product.arguments[1], sum.arguments[1]);
  EXPECT_EQ(product.templateArguments, "Product");
  EXPECT_EQ(withOperator(product, strategyOfOperators(), "Maximum").arguments[0], "f32:hash:64");
  const LaunchForm smallest = withOperator(product, strategyOfOperators(), "Minimum");
  EXPECT_EQ(smallest.arguments[0], "f32:least:64");
  EXPECT_EQ(withOperator(smallest, strategyOfOperators(), "Sum"), sum);
  LaunchForm own = sum;
  own.arguments[0] = "f32:iota:64";
  EXPECT_EQ(withOperator(own, strategyOfOperators(), "Product").arguments[0], "f32:iota:64");
  own.arguments[0] = "f32:factors:64";
  const LaunchForm least = withOperator(own, strategyOfOperators(), "Minimum");
  EXPECT_EQ(least.arguments[0], "f32:factors:64");
  EXPECT_EQ(least.templateArguments, "Minimum");
  LaunchForm hashed = product;
  hashed.arguments[0] = "f32:hash:64";
  EXPECT_EQ(withOperator(hashed, strategyOfOperators(), "Product").arguments[0], "f32:hash:64");
}

TEST(Operators, AreTheirOwnInProvenanceAndNames) {
  const std::vector<std::pair<std::string, std::string>> signs = {
      {"Sum", "a0+a"}, {"Product", "a0\u00d7a"}, {"Minimum", "min(a0, a"}, {"Maximum", "max(a0, a"}};
  for (const auto& [op, begin] : signs) {
    const auto trace = recordTrace(launchBy(op, 64, ElementType::Float));
    ASSERT_TRUE(trace);
    const auto out = std::ranges::find(trace->arrays, "out", &TracedArray::name);
    ProvenanceId from = kNoProvenance;
    for (const Step& step : trace->steps) {
      for (const CellChange& change : stepChanges(*trace, step)) {
        if (change.cell == out->firstCell) from = change.after.from;
      }
    }
    const std::string text = trace->provenance.text(from);
    EXPECT_TRUE(text.starts_with(begin)) << text;
    EXPECT_EQ(trace->provenance.terms(from), 64U);
    EXPECT_EQ(text.find("\u2026"), std::string::npos) << text;
    for (const Phase& phase : trace->phases) {
      if (op != "Sum") {
        EXPECT_EQ(phase.label.find("add"), std::string::npos) << op << " " << phase.label;
      }
      if (phase.stepSize > 0) {
        EXPECT_EQ(phase.joins, trace->provenance.joins(from)) << op << " " << phase.label;
      }
    }
  }
}

TEST(Operators, QuestionsSpeakOfThem) {
  Question question;
  question.form = AnswerForm::Value;
  question.right.value = 6;
  question.right.joins = Provenance::Kind::Multiply;
  question.right.symbols = "a0\u00d7a4\u00d7a2";
  for (const char* text : {"a0*a4*a2", "a2 x a0 x a4", "a4\u00d7a2\u00d7a0", "6"})
    EXPECT_TRUE(judge(question, text)->right) << text;
  EXPECT_SAYS(judge(question, "a0+a4+a2")->note);
  EXPECT_EQ(judge(question, "a0*a4")->note, "Missing: a2.");
  EXPECT_SAYS(judge(question, "a0*a4*a2*a9")->note);
  EXPECT_SAYS(judge(question, "many").error().sentence());
  question.right.joins = Provenance::Kind::Minimum;
  question.right.symbols = "min(a0, a4, a2)";
  for (const char* text : {"min(a0,a2,a4)", "min(min(a0, a2), a4)"})
    EXPECT_TRUE(judge(question, text)->right) << text;
  EXPECT_SAYS(judge(question, "max(a0, a4, a2)")->note);
  for (const char* text : {"min(a0", "min(a0, a4", "min()"})
    EXPECT_FALSE(judge(question, text)->right) << text;
}

// What is said of banks of 8 bytes, and of elements of two words, is what counts there.
TEST(WavefrontExplanations, CountWordsAndSayWhatIsNoConflict) {
  const auto explanationsOn = [](const char* strategy, const char* machine, ElementType type) {
    const Launch launch = makeLaunch(*findStrategy(strategy), 64, 1, *findMachine(machine), type).value();
    const Trace trace = recordTrace(launch).value();
    const RacePlaces races(HazardReport{});
    std::string all;
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
      for (Question& question : questionsAt(trace, races, step, false, 1)) {
        if (question.kind != QuestionKind::Wavefronts) continue;
        completeQuestion(trace, races, question);
        all += question.explanation + "\n";
      }
    }
    return all;
  };
  const std::string doubles = explanationsOn("baseline", "nvidia", ElementType::Double);
  EXPECT_SAYS(doubles);
  const std::string wide = explanationsOn("baseline", "kepler64", ElementType::Float);
  EXPECT_SAYS(wide);
}

}  // namespace
}  // namespace lanescope
