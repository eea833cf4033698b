#include "kernels/strategies/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

constexpr std::string_view kHead = "---\ntitle: A title\nstrategy: baseline\n---\nWhat?\n";

std::string findError(const std::string& text) {
  const auto experiment = readExperiment("some_pair.md", text);
  return experiment ? "none" : experiment.error().sentence();
}

Experiment parseExperimentBody(const std::string& body) {
  auto experiment = readExperiment("some_pair.md", std::string(kHead) + body);
  if (!experiment) ADD_FAILURE() << experiment.error().sentence();
  return experiment ? std::move(experiment).value() : Experiment{};
}

std::string variantError(const std::string& body) {
  const auto variants = makeVariants(parseExperimentBody(body));
  return variants ? "none" : variants.error().sentence();
}

std::vector<std::string> readLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

std::size_t longestCommon(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (const std::string& line : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = line == b[j] ? diagonal + 1 : std::max(row[j], row[j + 1]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(Experiments, AreAllReadAndMakeTheirVariants) {
  std::set<std::string> series;
  for (const ExperimentText& text : experimentTexts()) {
    const auto experiment = readExperiment(text.file, text.text);
    ASSERT_TRUE(experiment.ok()) << experiment.error().sentence();
    for (const std::string& lesson : experiment->lessons)
      EXPECT_NE(findStrategy(lesson), nullptr) << text.file << " is for the lesson " << lesson;
    EXPECT_FALSE(experiment->lessons.empty()) << text.file;
    const auto variants = makeVariants(*experiment);
    ASSERT_TRUE(variants.ok()) << variants.error().sentence();
    EXPECT_EQ(variants->size(), experiment->variantCount());
    for (const Variant& variant : *variants) {
      EXPECT_TRUE(series.insert(variant.series).second) << variant.series << " is there twice";
      const auto shape = variant.shape(experiment->n, 132, experiment->type);
      EXPECT_TRUE(shape.ok()) << variant.series << ": " << shape.error().sentence();
    }
    ASSERT_NE(findExperiment(experiment->id), nullptr);
    EXPECT_EQ(findExperiment(experiment->id)->file, text.file);
  }
  EXPECT_EQ(experiments().size(), experimentTexts().size());
  EXPECT_GE(experiments().size(), 10U);
}

// Every other line is the strategy's, in its order.
TEST(Experiments, DifferFromTheTextInTheNamedLinesAlone) {
  for (const Experiment& experiment : experiments()) {
    const auto variants = makeVariants(experiment);
    ASSERT_TRUE(variants.ok()) << variants.error().sentence();
    for (const Variant& variant : *variants) {
      std::size_t removed = 0;
      std::size_t added = 0;
      for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
        for (const TextChange& change : experiment.factors[f].levels[variant.levels[f]].changes) {
          removed += readLines(change.from).size();
          added += readLines(change.to).size();
        }
      }
      const auto before = readLines(variant.base->source);
      const auto after = readLines(*variant.text);
      const std::size_t common = longestCommon(before, after);
      EXPECT_LE(before.size() - common, removed) << variant.series;
      EXPECT_LE(after.size() - common, added) << variant.series;
    }
  }
}

TEST(Experiments, NoTwoVariantsAreTheSameKernel) {
  for (const Experiment& experiment : experiments()) {
    const auto variants = makeVariants(experiment);
    ASSERT_TRUE(variants.ok()) << variants.error().sentence();
    std::set<std::string> kernels;
    for (const Variant& variant : *variants) {
      const std::string kernel =
          *variant.text + std::to_string(variant.block) + "/" + std::to_string(variant.strategy.blocksPerSm) +
          "/" + std::to_string(variant.blocks) + "/" + std::to_string(static_cast<int>(variant.work));
      EXPECT_TRUE(kernels.insert(kernel).second) << variant.series << " changes nothing";
    }
  }
}

TEST(Experiments, SayWhatIsWrongInAFileAndWhere) {
  const std::string head(kHead);
  EXPECT_SAYS(findError("title: x\n"));
  EXPECT_SAYS(findError("---\ntitle: x\nn: many\n---\n"));
  EXPECT_SAYS(findError("---\ntitel: x\n---\n"));
  EXPECT_SAYS(findError(head));
  EXPECT_SAYS(findError(head + "### a\n"));
  EXPECT_SAYS(findError(head + "## f\n### a\n"));
  EXPECT_SAYS(findError(head + "## f\n### a\nwords\n"));
  EXPECT_SAYS(findError(head + "## f\n### a\n```diff\n-a\n"));
  EXPECT_SAYS(findError(head + "## f\n### a\n```diff\n+a\n```\n"));
  EXPECT_SAYS(findError(head + "## f\n### a\n```diff\n a\n```\n"));
}

TEST(Experiments, SayWhichLineDoesNotFitTheText) {
  EXPECT_EQ(variantError("## f\n### a\n### b\n```diff\n-    __syncthreads();\n+    __syncwarp();\n```\n"),
            "none");
  EXPECT_SAYS(variantError("## f\n### a\n### b\n```diff\n-  __syncwarp();\n+  __syncthreads();\n```\n"));
  EXPECT_SAYS(variantError("## f\n### a\n### b\n```diff\n-\n+// nothing\n```\n"));
}

TEST(Experiments, RefuseSettingsAndConditionsThatAreNone) {
  EXPECT_SAYS(variantError("## f\n### a\n### b\nstrategy: baselin\n").substr(0, 59));
  EXPECT_SAYS(variantError("## f\n### a\n### b\nresult: nothing\n").substr(0, 62));
  EXPECT_SAYS(variantError("## f\n### a\n### b\nwork: sleep\n"));
  EXPECT_SAYS(variantError("## f\n### a\n### b\nblock: none\n"));
  EXPECT_SAYS(variantError("## f\n### a\n### b\n```diff f=c\n-a\n```\n"));
}

TEST(Experiments, EffectsCompareVariantsThatDifferInOneFactor) {
  for (const Experiment& experiment : experiments()) {
    const auto variants = makeVariants(experiment);
    ASSERT_TRUE(variants.ok());
    std::size_t expected = 0;
    for (const ExperimentFactor& factor : experiment.factors)
      expected += experiment.variantCount() / factor.levels.size() * (factor.levels.size() - 1);
    const auto effects = listEffects(experiment);
    EXPECT_EQ(effects.size(), expected) << experiment.id;
    for (const Effect& effect : effects) {
      auto levels = (*variants)[effect.from].levels;
      EXPECT_EQ(levels[effect.factor], 0U);
      levels[effect.factor] = effect.level;
      EXPECT_EQ(levels, (*variants)[effect.to].levels) << experiment.id;
    }
  }
}

}  // namespace
}  // namespace lanescope
