#include "app/course/glossary.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "sim/memory/counters.h"

namespace lanescope {
namespace {

std::vector<std::string> findTerms(std::string_view text, bool isCode = false) {
  std::vector<std::string> terms;
  for (const TermUse& use : termsIn(text, isCode)) terms.push_back(use.entry->term);
  return terms;
}

using Terms = std::vector<std::string>;

TEST(Glossary, HasAnEntryForEachHeadingOfItsFileInAlphabeticalOrder) {
  std::size_t headings = 0;
  std::string_view text = glossaryText();
  for (std::size_t at = text.find("\n## "); at != std::string_view::npos; at = text.find("\n## ", at + 1))
    ++headings;
  EXPECT_EQ(glossary().size(), headings);
  for (const GlossaryEntry& entry : glossary()) {
    EXPECT_FALSE(entry.definition.empty()) << entry.term;
    EXPECT_TRUE(entry.definition.ends_with(".") || entry.definition.ends_with(")")) << entry.term;
    EXPECT_EQ(findEntry(entry.term), &entry);
  }
}

TEST(Glossary, FindsEveryFormOfEveryEntry) {
  std::set<std::string> forms;
  for (const GlossaryEntry& entry : glossary()) {
    std::vector<std::string> all = entry.forms;
    if (std::ranges::find(all, entry.term) == all.end()) all.push_back(entry.term);
    for (const std::string& form : all) {
      const auto uses = termsIn("(" + form + ")");
      const auto inCode = termsIn(form, true);
      const bool isWhole = uses.size() == 1 && uses[0].begin == 1 && uses[0].end == 1 + form.size();
      const bool isWholeInCode = inCode.size() == 1 && inCode[0].end == form.size();
      EXPECT_TRUE((isWhole && uses[0].entry == &entry) || (isWholeInCode && inCode[0].entry == &entry))
          << form;
      EXPECT_EQ(findEntry(form)->definition.empty(), false) << form;
    }
  }
}

TEST(Glossary, TakesTheLongestFormAndWholeWordsOnly) {
  EXPECT_EQ(findTerms("Two bank conflicts, three banks"), (Terms{"bank conflict", "bank"}));
  EXPECT_EQ(findTerms("BANKS"), Terms{"bank"});
  EXPECT_EQ(findTerms("a bank\nconflict"), Terms{"bank conflict"});
  EXPECT_EQ(findTerms("bankers, warped, smart"), Terms{});
  EXPECT_EQ(findTerms("with 2D elements"), Terms{});
  EXPECT_EQ(findTerms("each SM, not each sm"), Terms{"SM"});
  EXPECT_EQ(findTerms("`"), Terms{});
}

TEST(Glossary, KnowsCodeFromText) {
  EXPECT_EQ(findTerms("k", true), Terms{"k"});
  EXPECT_EQ(findTerms("2 * k * t", true), Terms{});
  EXPECT_EQ(findTerms("__syncthreads();", true), Terms{"__syncthreads"});
  EXPECT_EQ(findTerms("threadIdx.x % 32", true), Terms{"tid"});
  EXPECT_EQ(findTerms("warp", true), Terms{});
  EXPECT_EQ(findTerms("stride", true), Terms{"stride"});
}

TEST(Glossary, MarksATermOnceInEachSection) {
  std::vector<MarkdownBlock> blocks = parseMarkdown(
      "## Of warps\n\nA warp and a **warp**.\n\nA lane.\n\n```\nwarp\n```\n\n## More\n\nThe warp's `tid`.");
  markTerms(blocks);
  std::vector<std::string> marked;
  for (const MarkdownBlock& block : blocks) {
    for (const MarkdownTerm& term : block.terms)
      marked.push_back(block.runs[term.run].text.substr(term.begin, term.end - term.begin));
  }
  EXPECT_EQ(marked, (Terms{"warps", "warp", "lane", "warp", "tid"}));
}

TEST(Glossary, FindsWhatIsSearchedFor) {
  const auto first = [](std::string_view words) { return searchGlossary(words).front()->term; };
  EXPECT_EQ(searchGlossary("").size(), glossary().size());
  EXPECT_EQ(first("conf"), "bank conflict");
  EXPECT_EQ(first("WAR"), "WAR");
  EXPECT_EQ(first(" occ"), "occupancy");
  EXPECT_EQ(first("Kahan"), "compensated sum");
  EXPECT_TRUE(searchGlossary("a word that nobody uses").empty());
}

TEST(Glossary, DefinesTheTermsOfEveryCounter) {
  for (const CounterInfo& counter : kCounters) {
    EXPECT_FALSE(termsIn(counter.plain).empty()) << counter.plain;
    EXPECT_TRUE(counter.screens == 0 || !termsIn(counter.briefly()).empty()) << counter.briefly();
  }
}

// A term is met in a lesson, in a counter, or in what another entry says.
TEST(Glossary, HasNoEntryThatNobodyMeets) {
  std::set<const GlossaryEntry*> met;
  const auto meet = [&](std::string_view text, const GlossaryEntry* from = nullptr) {
    for (const TermUse& use : termsIn(text)) {
      if (use.entry != from) met.insert(use.entry);
    }
  };
  for (const CounterInfo& counter : kCounters)
    meet(std::string(counter.plain) + " " + std::string(counter.meaning));
  for (const GlossaryEntry& entry : glossary()) {
    meet(entry.definition, &entry);
    for (const GlossaryEntry* other : entry.seeAlso) met.insert(other);
  }
  std::size_t inLessons = 0;
  for (const GlossaryEntry& entry : glossary()) {
    const auto lessons = lessonsWith(entry);
    inLessons += lessons.empty() ? 0 : 1;
    EXPECT_TRUE(!lessons.empty() || met.contains(&entry)) << entry.term;
    EXPECT_TRUE(std::ranges::is_sorted(lessons, {}, [](const Strategy* lesson) { return lesson; }));
  }
  EXPECT_GT(inLessons * 3, glossary().size() * 2) << "most terms are those of the lessons";
}

}  // namespace
}  // namespace lanescope
