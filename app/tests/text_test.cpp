// The pure parts of the views: Markdown, source colouring, sentences.
#include <gtest/gtest.h>

#include "app/scene/source_tokens.h"
#include "app/views/lesson_place.h"
#include "app/views/markdown.h"
#include "app/views/phase_text.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

using Style = MarkdownRun::Style;
using Kind = MarkdownBlock::Kind;

TEST(Markdown, ReadsBlocksAndStyles) {
  const auto blocks = parseMarkdown(
      "# Head\n\nOne **two**\nthree `s[i]`, *four*.\n\n- item [link](x)\n2. second\n\n```\na\nb\n```\n");
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(blocks[0].kind, Kind::Heading);
  const std::vector<MarkdownRun> runs{{Style::Plain, "One "}, {Style::Bold, "two"}, {Style::Plain, " three "},
                                      {Style::Code, "s[i]"},  {Style::Plain, ", "}, {Style::Bold, "four"},
                                      {Style::Plain, "."}};
  EXPECT_EQ(blocks[1].runs, runs);
  EXPECT_EQ(blocks[2].marker, "•");
  EXPECT_EQ(blocks[2].runs.front().text, "item link");
  EXPECT_EQ(blocks[3].marker, "2.");
  EXPECT_EQ(blocks[4].kind, Kind::Code);
  EXPECT_EQ(blocks[4].runs.front().text, "a\nb");
}

TEST(Markdown, LeavesLooseMarksAlone) {
  const auto blocks = parseMarkdown("2 * 3 ** 4 and [x] `open");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].runs, (std::vector<MarkdownRun>{{Style::Plain, "2 * 3 ** 4 and [x] `open"}}));
}

std::vector<Phase> phasesOf(const std::vector<std::string>& labels) {
  std::vector<Phase> phases(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) phases[i].label = labels[i];
  return phases;
}

TEST(LessonPlace, FindsTheItemOfAPhase) {
  const auto lesson = parseMarkdown(
      "Text.\n\n- **load** It loads.\n- **step size 8** Eight.\n- **step size 4**, **2**, **1** The same.\n"
      "- **save** Saves **load**.\n- **step size 8** to **step size 1** Again.\n- not **store**\n");
  const auto phases =
      phasesOf({"load", "step size 8", "step size 2", "save", "step size 8", "step size 2", "store"});
  const std::vector<std::optional<std::size_t>> items{1, 2, 3, 4, 5, 5, std::nullopt};
  for (std::size_t i = 0; i < phases.size(); ++i) EXPECT_EQ(lessonItemOf(lesson, phases, i), items[i]) << i;
  EXPECT_EQ(lessonItemOf(lesson, phases, 7), std::nullopt);
  EXPECT_EQ(lessonElements(lesson, 2), std::nullopt);
  const auto sized =
      parseMarkdown("With N = 8.\n\n# Head\n\nWith N = 1,024 and more:\n\n- **load** It loads.\n");
  EXPECT_EQ(lessonElements(sized, 3), 1024U);
  const auto both =
      parseMarkdown("With N = 64:\n\n- **load** Small.\n\nWith N = 1,024:\n\n- **load** Large.\n");
  EXPECT_EQ(lessonItemOf(both, phases, 0, 64), 1U);
  EXPECT_EQ(lessonItemOf(both, phases, 0, 1024), 3U);
  EXPECT_EQ(lessonItemOf(both, phases, 0, 128), std::nullopt);
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

TEST(RangeText, ReadsAsAPersonLists) {
  const auto text = [](std::vector<std::uint32_t> numbers) { return rangeText(numbers); };
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({3}), "3");
  EXPECT_EQ(text({0, 1}), "0 and 1");
  EXPECT_EQ(text({0, 1, 2, 3}), "0–3");
  EXPECT_EQ(text({0, 2, 4}), "0, 2 and 4");
  EXPECT_EQ(text({0, 8, 16, 24}), "0, 8 … 24");
}

}  // namespace
}  // namespace lanescope
