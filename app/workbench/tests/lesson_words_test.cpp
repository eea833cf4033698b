// Lessons, and comments in kernels, keep to the English of textbooks: what they do not say is in one list,
// with what they say instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "app/course/glossary.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

/// Words that no lesson uses: a pattern over whole words, a text that has them, and what to write instead.
struct Avoided {
  const char* pattern;
  const char* example;
  const char* instead;
};

constexpr std::array kAvoided{
    Avoided{
        "(words?|elements?|atomics?|floats?|sums?|loads?|stores?|trees?|registers?|instructions?|requests?|"
        "bytes|KiB|threads|sectors|blocks|wavefronts|parts?) an? "
        "(thread|block|warp|lane|element|bank|row|step|SM|multiprocessor|request|wavefront|iteration|kernel)",
        "one word a bank", "per"},
    Avoided{"pass(es)?", "two passes", "wavefront"},
    Avoided{"turn(s|ed|ing)?", "in each turn", "iteration; for a matrix: transpose"},
    Avoided{"one after (the other|another)|takes? turns|one by one", "one after the other", "serialized"},
    Avoided{"the (one|lesson|form) before", "the one before", "the previous kernel by its name"},
    Avoided{"stands?|stood|lives? in", "the size stands in the text", "is in"},
    Avoided{"on (its|their) way|under way", "loads on their way", "in flight"},
    Avoided{"wide loads?|as wide as float4", "wide loads", "vectorized loads"},
    Avoided{"side by side|neighbou?r(s|ing)?", "words side by side", "consecutive, adjacent"},
    Avoided{"go(es)? along rows?|along (a )?rows?", "reads go along rows", "coalesced"},
    Avoided{"(word|lane)s? (that )?(is|are) not there", "a lane that is not there", "inactive"},
    Avoided{"meets?|met", "the lanes meet again", "reconverge; reach the barrier"},
    Avoided{"(lanes?|warps?|threads?) (rests?|is out|are out)", "a lane rests", "masked off, inactive"},
    Avoided{"long ways?", "few blocks, long ways", "many elements per thread"},
    Avoided{"losts|(came|come) too much", "what came too much", "compensation; the rounding error"},
    Avoided{"neutral(?! element\\))", "the neutral one", "identity"},
    Avoided{"multiprocessors?('s)?", "a multiprocessor's", "SM"},
    Avoided{"(the|this) (notes?|article|lecture)|where the source", "the lecture",
            "author and work by name; as a heading: A common mistake"},
    Avoided{"tells?|told|tell of", "only a measurement tells", "says, shows"},
    Avoided{"take away|takes? \\S+ away|step(s|ped)? (on|back)|on to the next", "take away",
            "remove; next, previous"},
    Avoided{"nobody|anybody|everybody|somebody", "nobody reads it", "no thread"},
    Avoided{"at hand|(go|goes|going|went) on|lets? go|gives? way", "the first tile goes on", "continues"},
    Avoided{"(also|even|most|only|undefined) where", "undefined where n is odd", "if, when"},
    Avoided{"where \\*[^*]+\\* (takes?|has|needs?|reads?|used)", "where *Baseline* takes 2",
            "; *Baseline* takes"},
};

struct LessonWord {
  std::regex pattern;
  const Avoided* avoided = nullptr;
};

const std::vector<LessonWord>& avoidedWords() {
  static const std::vector<LessonWord> words = [] {
    std::vector<LessonWord> all;
    for (const Avoided& avoided : kAvoided) {
      const std::string whole = std::string("\\b(") + avoided.pattern + ")(?![\\w-])";
      all.push_back({std::regex(whole, std::regex::icase), &avoided});
    }
    return all;
  }();
  return words;
}

/// The comments of a kernel, on one line.
std::string extractComments(std::string_view source) {
  static const std::regex comment("//(.*)");
  const std::string text(source);
  std::string all;
  for (std::sregex_iterator at(text.begin(), text.end(), comment), end; at != end; ++at)
    all += (*at)[1].str();
  return all;
}

/// The text without `code` and fenced code, on one line.
std::string extractProse(std::string_view text) {
  static const std::regex code("```[^`]*```|`[^`]*`");
  static const std::regex space(R"(\s+)");
  return std::regex_replace(std::regex_replace(std::string(text), code, "·"), space, " ");
}

void expectAbsent(std::string_view text, std::string_view id) {
  const std::string prose = extractProse(text);
  for (const LessonWord& word : avoidedWords()) {
    std::smatch found;
    if (!std::regex_search(prose, found, word.pattern)) continue;
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(found.position() - 40, 0));
    ADD_FAILURE() << id << ": '…" << prose.substr(at, 90) << "…' says '" << found.str()
                  << "'; instead: " << word.avoided->instead;
  }
}

TEST(LessonWords, TheListFindsWhatItIsFor) {
  for (const LessonWord& word : avoidedWords()) {
    const std::string example = word.avoided->example;
    EXPECT_TRUE(std::regex_search(example, word.pattern)) << example;
  }
}

TEST(LessonWords, AreThoseOfTheField) {
  for (const Strategy& strategy : strategies()) {
    for (const std::string& text : {strategy.title, strategy.summary, strategy.broken,
                                    std::string(strategy.lesson), extractComments(strategy.source)})
      expectAbsent(text, strategy.id);
  }
}

TEST(LessonSections, AreThoseThatEachLessonHas) {
  for (const Strategy& strategy : strategies()) {
    std::size_t at = 0;
    for (const char* section : {"\n## Phase by phase\n", "\n## What to watch\n", "\n## What the GPU says"}) {
      const std::size_t found = strategy.lesson.find(section, at);
      ASSERT_NE(found, std::string::npos) << strategy.id << ":" << section;
      at = found;
    }
    EXPECT_NE(strategy.lesson.find("\n## A common mistake\n"), std::string::npos) << strategy.id;
    EXPECT_NE(("\n" + strategy.lesson).find("\n## What "), std::string::npos)
        << strategy.id << ": why, or the idea";
  }
}

TEST(LessonWords, OfTheGlossaryTheyAreAsWell) {
  static const std::regex name("streaming multiprocessor");
  for (const GlossaryEntry& entry : glossary())
    expectAbsent(std::regex_replace(entry.definition, name, "SM"), entry.term);
}

}  // namespace
}  // namespace lanescope
