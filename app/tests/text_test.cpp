// The pure parts of the views: Markdown, source colouring, sentences.
#include <gtest/gtest.h>

#include <cstdio>

#include "app/base/markdown.h"
#include "app/course/lesson.h"
#include "app/course/phase_text.h"
#include "app/launch/strategy_launch.h"
#include "app/pictures/code_rows.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

using Style = MarkdownRun::Style;
using BlockKind = MarkdownBlock::Kind;

TEST(Markdown, ReadsBlocksAndStyles) {
  const auto blocks = parseMarkdown(
      "# Head\n\nOne **two**\nthree `s[i]`, *four*.\n\n- item [link](x)\n\n2. second\n\n```\na\nb\n```\n");
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(blocks[0].kind, BlockKind::Heading);
  const std::vector<MarkdownRun> runs{{Style::Plain, "One "}, {Style::Bold, "two"}, {Style::Plain, " three "},
                                      {Style::Code, "s[i]"},  {Style::Plain, ", "}, {Style::Bold, "four"},
                                      {Style::Plain, "."}};
  EXPECT_EQ(blocks[1].runs, runs);
  EXPECT_EQ(blocks[2].marker, "•");
  EXPECT_EQ(blocks[2].runs.front().text, "item link");
  EXPECT_EQ(blocks[3].marker, "2.");
  EXPECT_EQ(blocks[4].kind, BlockKind::Code);
  EXPECT_EQ(blocks[4].runs.front().text, "a\nb");
}

TEST(Markdown, KeepsTheParagraphsOfAnItemApart) {
  const auto blocks = parseMarkdown("1. One\n   more\n\n   and `a\n   b`\n2. Two\n   - in *it*\n\nAfter\n");
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(blocks[0].marker, "1.");
  EXPECT_EQ(blocks[0].runs, (std::vector<MarkdownRun>{{Style::Plain, "One more"}}));
  EXPECT_EQ(blocks[1].kind, BlockKind::Paragraph);
  EXPECT_EQ(blocks[1].runs, (std::vector<MarkdownRun>{{Style::Plain, "and "}, {Style::Code, "a b"}}));
  EXPECT_EQ(blocks[2].marker, "2.");
  EXPECT_EQ(blocks[3].marker, "•");
  EXPECT_EQ(blocks[4].kind, BlockKind::Paragraph);
}

TEST(Markdown, LeavesLooseMarksAlone) {
  const auto blocks = parseMarkdown("2 * 3 ** 4 and [x] `open");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].runs, (std::vector<MarkdownRun>{{Style::Plain, "2 * 3 ** 4 and [x] `open"}}));
}

std::vector<Phase> makePhases(const std::vector<std::string>& labels) {
  std::vector<Phase> phases(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    phases[i].label = labels[i];
    if (std::sscanf(labels[i].c_str(), "step size %u", &phases[i].stepSize) == 1)
      phases[i].kind = PhaseKind::Step;
  }
  return phases;
}

TEST(LessonPlace, FindsTheItemOfAPhase) {
  const auto lesson = parseMarkdown(
      "Text.\n\n- **load** It loads.\n- **step size 8** Eight.\n- **step size 4**, **2**, **1** The same.\n"
      "- **save** Saves **load**.\n- **step size 8** to **step size 1** Again.\n- not **store**\n");
  const auto phases =
      makePhases({"load", "step size 8", "step size 2", "save", "step size 8", "step size 2", "store"});
  const std::vector<std::optional<std::size_t>> items{1, 2, 3, 4, 5, 5, std::nullopt};
  for (std::size_t i = 0; i < phases.size(); ++i) EXPECT_EQ(findLessonItem(lesson, phases, i), items[i]) << i;
  EXPECT_EQ(findLessonItem(lesson, phases, 7), std::nullopt);
  EXPECT_EQ(lessonElements(lesson, 2), std::nullopt);
  const auto sized =
      parseMarkdown("With N = 8.\n\n# Head\n\nWith N = 1,024 and more:\n\n- **load** It loads.\n");
  EXPECT_EQ(lessonElements(sized, 3), 1024U);
  const auto both =
      parseMarkdown("With N = 64:\n\n- **load** Small.\n\nWith N = 1,024:\n\n- **load** Large.\n");
  EXPECT_EQ(findLessonItem(both, phases, 0, 64), 1U);
  EXPECT_EQ(findLessonItem(both, phases, 0, 1024), 3U);
  EXPECT_EQ(findLessonItem(both, phases, 0, 128), std::nullopt);
}

TEST(LessonPlace, SaysWhoseNumbersTheLessonHas) {
  const auto lesson = parseMarkdown(
      "- **step size 1** Words 0 and 32 are in one bank.\n- **store** Thread 0 stores `s[0]`.\n"
      "- **step size 2** Threads 0 to 31 work, all of one Warp.\n");
  ASSERT_EQ(lesson.size(), 3U);
  EXPECT_TRUE(dependsOnMachine(lesson[0]));
  EXPECT_FALSE(dependsOnMachine(lesson[1]));
  EXPECT_TRUE(dependsOnMachine(lesson[2]));
  const auto makeNote = [](const std::vector<MarkdownBlock>& of, std::string_view machine, std::uint64_t n,
                           std::uint64_t blocks = 1, std::uint64_t ofLesson = 1) {
    return lessonNumbersNote(of, *findMachine(machine), n, blocks, ofLesson);
  };
  EXPECT_EQ(makeNote(lesson, "nvidia", 64), "") << "64 is the usual one";
  EXPECT_SAYS(makeNote(lesson, "nvidia", 64, 2));
  EXPECT_SAYS(makeNote(lesson, "nvidia", 64, 1, 2));
  for (const auto& [machine, n] : {std::pair{"tiny", 8U}, {"nvidia", 128U}, {"g80", 64U}})
    EXPECT_SAYS(makeNote(lesson, machine, n));
  EXPECT_TRUE(
      makeNote(parseMarkdown("- **kepler64**: 64 here."), "kepler64", 64).ends_with(", some for kepler64."));
  const auto both =
      parseMarkdown("With N = 4,096:\n\n- **load** Large.\n\nWith N = 1,024:\n\n- **load** Small.\n");
  EXPECT_EQ(lessonN(both, 1024), 1024U);
  EXPECT_EQ(lessonN(both, 64), 4096U);
  EXPECT_EQ(makeNote(both, "nvidia", 1024), "");
}

// A lesson that says how many blocks its numbers are for means the launch that opens over that N.
TEST(LessonPlace, LessonsNameTheBlocksOfTheirLaunch) {
  std::size_t named = 0;
  for (const Strategy& strategy : strategies()) {
    const std::vector<MarkdownBlock> lesson = parseMarkdown(strategy.lesson);
    for (std::size_t i = 0; i < lesson.size(); ++i) {
      std::string text;
      for (const MarkdownRun& run : lesson[i].runs) text += run.text;
      const std::size_t at = text.find(" block of ");
      if (lesson[i].kind != MarkdownBlock::Kind::Paragraph || !text.starts_with("With N = ") ||
          at == std::string::npos)
        continue;
      const std::uint64_t n = lessonElements(lesson, i + 1).value_or(0);
      ++named;
      EXPECT_TRUE(text.substr(0, at).ends_with("one")) << text;
      EXPECT_EQ(lessonBlocks(strategy, n), 1U) << strategy.id << ": " << text;
    }
  }
  EXPECT_GT(named, 30U);
}

// A line that begins with `* ` is an item of a list, even inside a span of code.
TEST(LessonTexts, ShowNoMarkup) {
  for (const Strategy& strategy : strategies()) {
    for (const MarkdownBlock& block : parseMarkdown(strategy.lesson)) {
      for (const MarkdownRun& run : block.runs) {
        if (run.style == MarkdownRun::Style::Code) continue;
        EXPECT_EQ(run.text.find_first_of("`*"), std::string::npos) << strategy.id << ": " << run.text;
      }
    }
  }
}

TEST(SourceTokens, CoverEveryTextWithoutGaps) {
  for (const Strategy& strategy : strategies()) {
    std::uint32_t at = 0;
    for (const SourceToken& token : colourTokens(strategy.source)) {
      EXPECT_EQ(token.begin, at);
      at = token.end;
    }
    EXPECT_EQ(at, strategy.source.size()) << strategy.id;
  }
}

TEST(SourceTokens, TellKindsApart) {
  const std::string_view text = "if (tid < 32) __syncthreads(); // done";
  const auto kindAt = [&](std::string_view part) {
    const auto where = static_cast<std::uint32_t>(text.find(part));
    for (const SourceToken& token : colourTokens(text)) {
      if (token.begin <= where && where < token.end) return token.kind;
    }
    return SourceToken::Kind::Plain;
  };
  EXPECT_EQ(kindAt("if"), SourceToken::Kind::Keyword);
  EXPECT_EQ(kindAt("tid"), SourceToken::Kind::Plain);
  EXPECT_EQ(kindAt("32"), SourceToken::Kind::Number);
  EXPECT_EQ(kindAt("__sync"), SourceToken::Kind::Builtin);
  EXPECT_EQ(kindAt("// done"), SourceToken::Kind::Comment);
}

TEST(SourceTokens, OfALiteralAreNoComment) {
  const std::string_view text = "p(\"// if\", '\"'); 1'000; // '\n#define if 0 // x\nif";
  std::string kinds;
  for (const SourceToken& token : colourTokens(text))
    kinds.append(token.end - token.begin, "PKBNC"[static_cast<std::size_t>(token.kind)]);
  EXPECT_EQ(text.substr(kinds.find('N'), 5), "1'000");
  EXPECT_EQ(kinds.find('C'), text.find("// '") - 1) << "with the blank before it";
  EXPECT_EQ(kinds.find('K'), text.rfind("if"));
  EXPECT_EQ(kinds.substr(text.find('#'), 18), std::string(18, 'C'));
}

TEST(RangeText, ReadsAsAPersonLists) {
  const auto text = [](std::vector<std::uint32_t> numbers) { return rangeText(numbers); };
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({3}), "3");
  EXPECT_EQ(text({0, 1}), "0 and 1");
  EXPECT_EQ(text({0, 1, 2, 3}), "0–3");
  EXPECT_EQ(text({0, 2, 4}), "0, 2 and 4");
  EXPECT_EQ(text({0, 8, 16, 24}), "0, 8 … 24");
}

/// What is said of every phase, one after the other.
std::string describeLaunch(const Launch& launch) {
  auto trace = recordTrace(launch);
  EXPECT_TRUE(trace);
  Replay replay(std::make_shared<const Trace>(std::move(*trace)));
  std::string said;
  for (const Phase& phase : replay.trace().phases) {
    replay.seek(phase.endStep);
    for (const MarkdownBlock& block : phaseText(replay.trace(), replay.currentPhase())) {
      for (const MarkdownRun& run : block.runs) said += run.text;
      said += "\n";
    }
  }
  return said;
}

TEST(PhaseText, SpeaksOfTheOperator) {
  const Strategy& strategy = *findStrategy("warp-block-grid");
  const Launch launch = makeLaunch(strategy, 64, 1, *findMachine("nvidia")).value();
  EXPECT_SAYS(describeLaunch(launch));
  for (const auto& [op, says] :
       {std::pair{"Product", "each multiply by the product of the lane 16 further on, register to register."},
        std::pair{"Minimum", "each take the minimum of theirs and that of the lane 16 further on"},
        std::pair{"Maximum", "each take the maximum of theirs and that of the lane 16 further on"}}) {
    const std::string said =
        describeLaunch(makeLaunch(strategy, 64, 1, *findMachine("nvidia"), ElementType::Float, op).value());
    EXPECT_NE(said.find(says), std::string::npos) << said;
    for (const char* word : {"sum", "add", "ADD"}) EXPECT_EQ(said.find(word), std::string::npos) << said;
  }
}

Launch launchOfText(std::string text, std::initializer_list<const char*> arguments) {
  Launch launch{.source = std::make_shared<SourceText>("k.cu", std::move(text))};
  launch.block.x = 8;
  launch.machine = *findMachine("nvidia");
  for (const char* argument : arguments) launch.arguments.push_back(parseArgument(argument).value());
  return launch;
}

TEST(PhaseText, TakesNoResultThatLeavesTheBlockForAMovedWord) {
  const std::string said = describeLaunch(
      launchOfText("__global__ void k(const float* in, float* out) {\n  __shared__ float s[8];\n"
                   "  int t = threadIdx.x;\n  s[t] = in[t];\n  __syncthreads();\n"
                   "  for (int k = 4; k > 0; k /= 2) {\n    if (t < k) s[t] += s[t + k];\n"
                   "    if (k > 1) __syncthreads();\n  }\n  if (t == 0) out[3] = s[0];\n}\n",
                   {"f32:iota:8", "f32:zero:4"}));
  EXPECT_SAYS(said);
}

TEST(PhaseText, GivesAnExampleOfMovedWords) {
  const auto said = [](const std::string& operation) {
    return describeLaunch(
        launchOfText("__global__ void k(const float* in, float* out) {\n  __shared__ float s[16];\n"
                     "  int t = threadIdx.x;\n  s[2 * t] = in[t];\n  s[2 * t + 1] = in[t];\n"
                     "  __syncthreads();\n  " +
                         operation + ";\n  __syncthreads();\n  out[t] = s[2 * t];\n}\n",
                     {"f32:iota:8", "f32:zero:8"}));
  };
  EXPECT_SAYS(said("s[2 * t] += s[2 * t + 1]"));
  EXPECT_SAYS(said("s[2 * t] = s[2 * t + 1]"));
}

TEST(PhaseText, SaysWhatAtomicsChange) {
  const auto said = [](const char* id) {
    return describeLaunch(makeLaunch(*findStrategy(id), 64, 1, *findMachine("nvidia")).value());
  };
  EXPECT_SAYS(said("shared-tree-atomic"));
  EXPECT_SAYS(said("block-tree-atomic"));
  EXPECT_SAYS(said("one-atomic"));
  EXPECT_SAYS(said("last-block-done"));
}

TEST(PhaseText, CountsDoublesAndSaysWhatIsNoConflict) {
  const Strategy& strategy = *findStrategy("no-bank-conflict");
  const auto saidOn = [&](const char* machine, ElementType type) {
    return describeLaunch(makeLaunch(strategy, 128, 1, *findMachine(machine), type).value());
  };
  const std::string doubles = saidOn("nvidia", ElementType::Double);
  EXPECT_SAYS(doubles);
  EXPECT_EQ(doubles.find("word"), std::string::npos) << doubles;
  const std::string floats = saidOn("nvidia", ElementType::Float);
  EXPECT_SAYS(floats);
  EXPECT_EQ(floats.find("fill the banks"), std::string::npos) << floats;
  EXPECT_EQ(saidOn("kepler64", ElementType::Double).find("fill the banks"), std::string::npos);
  EXPECT_SAYS(saidOn("g80", ElementType::Float));
}

}  // namespace
}  // namespace lanescope
