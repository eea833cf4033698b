// A sentence of a lesson that gives a reason and speaks of time is followed by a comment that names what
// backs it: an experiment, a line of a profile, a counter, a recording, a measurement, or the work that it
// quotes (kernels/strategies/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/profiles.h"
#include "app/workbench/tests/lesson_text.h"
#include "app/workbench/tests/measurement_rows.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/experiment.h"
#include "sim/memory/counters.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

/// A sentence, and the comment that follows it.
struct Sentence {
  std::string text;
  std::string backing;  ///< empty where there is none
};

bool isSentenceEnd(std::string_view text, std::size_t at) {
  if (std::string_view(".!?").find(text[at]) == std::string_view::npos) return false;
  const std::size_t next = text.find_first_not_of('*', at + 1);
  return next == std::string_view::npos || text[next] == ' ';
}

/// The sentences of one block on one line.
std::vector<Sentence> makeSentences(std::string_view block) {
  constexpr std::string_view kBegin = " <!-- backed by: ";
  constexpr std::string_view kEnd = " -->";
  std::vector<Sentence> sentences;
  while (!block.empty()) {
    std::size_t end = 0;
    while (end < block.size() && !isSentenceEnd(block, end)) ++end;
    end = std::min(block.find_first_not_of(".!?*", end), block.size());
    sentences.push_back({std::string(block.substr(0, end)), ""});
    block.remove_prefix(end);
    if (!block.starts_with(kBegin)) continue;
    const std::size_t close = block.find(kEnd);
    sentences.back().backing = block.substr(kBegin.size(), close - kBegin.size());
    block.remove_prefix(std::min(block.size(), close + kEnd.size()));
  }
  return sentences;
}

/// True if the sentence says why something takes time, or less of it.
bool givesReasonForTime(const std::string& sentence) {
  static const std::regex reason(
      R"(\b(because|since|so that|therefore|so (half|most|much|all)|reasons?|cause[sd]?|due to)"
      R"(|costs?|saves?|brings?|gains?|hides?|pays?|spends?|limits?|decides?|matters?|counts,|comes from|comes to)"
      R"(|faster|slower|as fast as|free|waits? for|waiting for|instead of waiting|helps?|makes up|wins?|what counts|fastest|cheap(er|est)?)\b)",
      std::regex::icase);
  static const std::regex time(
      R"(µs|\b(ns|times?|fast|faster|slow|slower|waits?|waiting|costs?|takes?|latency|bandwidth|GB/s|free|hides?|gains?|helps?|wins?|bytes in flight|fastest|cheap(er|est)?)\b)",
      std::regex::icase);
  static const std::regex code("`[^`]*`");
  static const std::regex otherSense(R"(\bcolumns? \d+|limit of|\btakes? (part|the value|\d+ wavefronts)\b)");
  static const std::regex question(R"(\?\**$)");  // claims nothing
  if (std::regex_search(sentence, question)) return false;
  const std::string prose = std::regex_replace(std::regex_replace(sentence, code, "·"), otherSense, "·");
  return std::regex_search(prose, reason) && std::regex_search(prose, time);
}

std::string lessonFile(const Strategy& strategy) {
  const std::filesystem::path path = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels/strategies" /
                                     std::filesystem::path(strategy.file).replace_extension(".md");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  static const std::regex run(R"(\s*<!-- run with [^]*?-->)");  // of lesson_runs_test.cpp
  return std::regex_replace(text, run, "");
}

/// Every block of prose of a lesson, on one line each.
std::vector<std::string> findBlocks(std::string text) {
  static const std::regex fence("```[^`]*```");
  text = onLines(std::regex_replace(text.substr(text.find("\n---\n") + 5), fence, ""));
  std::vector<std::string> blocks;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) blocks.push_back(line);
  }
  return blocks;
}

bool isProfiled(const std::string& id, unsigned long line) {
  static const auto profiles = shippedProfiles();
  const Strategy* const strategy = findStrategy(id);
  const LaunchProfile* const profile = profiles && strategy != nullptr ? profiles->find(*strategy) : nullptr;
  return profile != nullptr && std::ranges::any_of(profile->lines, [&](const ProfileLine& one) {
           return one.line == line && one.counts.executed > 0;
         });
}

/// Why what a comment names backs nothing, or nothing where it does.
std::string objectionTo(const std::string& item, const Strategy& strategy, const std::string& lesson) {
  static const std::regex profile(R"(profile line (\d+)(?: of ([a-z0-9-]+))?)");
  const std::string_view kind = std::string_view(item).substr(0, item.find(' '));
  const std::string name = item.substr(std::min(item.size(), kind.size() + 1));
  std::smatch found;
  if (std::regex_match(item, found, profile)) {
    const std::string id = found[2].matched ? found[2].str() : std::string(strategy.id);
    return isProfiled(id, std::stoul(found[1])) ? "" : "is no line of the recorded profile";
  }
  if (kind == "experiment") return findExperiment(name) != nullptr ? "" : "is no experiment";
  if (kind == "counter") {
    const bool isKnown = std::ranges::any_of(
        kCounters, [&](const CounterInfo& one) { return one.plain == name || one.title == name; });
    return isKnown ? "" : "is no counter";
  }
  if (kind == "recording") {
    const std::filesystem::path folder = LANESCOPE_SOURCE_DIR "/assets/recordings";
    return std::filesystem::exists(folder / (name + ".jsonl")) ? "" : "is no recording";
  }
  if (kind == "measurement") {
    const std::filesystem::path folder = LANESCOPE_SOURCE_DIR "/kernels/tests";
    return std::filesystem::exists(folder / (name + ".txt")) ? "" : "is no measurement";
  }
  if (kind == "work")
    return lesson.find("*" + name + "*") != std::string::npos ? "" : "is not named in the lesson";
  return "is none of experiment, profile line, counter, recording, measurement, work";
}

void expectEachExists(const Sentence& sentence, const Strategy& strategy) {
  static const std::regex between("; ");
  const std::string& all = sentence.backing;
  for (std::sregex_token_iterator item(all.begin(), all.end(), between, -1), end; item != end; ++item) {
    const std::string objection = objectionTo(*item, strategy, strategy.lesson);
    EXPECT_EQ(objection, "") << strategy.id << ": '" << *item << "', after '" << sentence.text << "'";
  }
}

TEST(LessonBacking, IsNamedWhereASentenceGivesAReasonForATime) {
  for (const Strategy& strategy : strategies()) {
    for (const std::string& block : findBlocks(lessonFile(strategy))) {
      for (const Sentence& sentence : makeSentences(block)) {
        EXPECT_FALSE(sentence.backing.empty() && givesReasonForTime(sentence.text))
            << strategy.id << ": nothing backs '" << sentence.text << "'";
        if (!sentence.backing.empty()) expectEachExists(sentence, strategy);
      }
    }
  }
}

TEST(LessonBacking, IsAskedForByReasonsOnly) {
  for (const char* reason :
       {"So half of the time is the division.", "The conflicts cost more than the divergence.",
        "It is slower.", "A GPU hides the latency.", "**It waits for memory.**", "The caches help.",
        "What counts are the bytes in flight.", "Shuffles alone do not win."})
    EXPECT_TRUE(givesReasonForTime(reason)) << reason;
  for (const char* other :
       {"1,134 µs at 2^28 on an H200.", "Thread 0 adds word 1.", "It takes two wavefronts.",
        "The sum `costs` nothing.", "**What does it wait for?**"})
    EXPECT_FALSE(givesReasonForTime(other)) << other;
}

TEST(LessonBacking, NamesWhatThereIs) {
  const Strategy& baseline = *findStrategy("baseline");
  const auto objection = [&](const char* item) { return objectionTo(item, baseline, "As *Somebody* says."); };
  for (const char* good :
       {"experiment integer-division", "profile line 11", "profile line 8 of static-shared",
        "counter barriers", "recording nvidia-h200", "measurement h200-coalescing", "work Somebody"})
    EXPECT_EQ(objection(good), "") << good;
  EXPECT_SAYS(objection("experiment no-such"));
  EXPECT_SAYS(objection("profile line 999"));
  EXPECT_SAYS(objection("profile line 11 of no-such"));
  EXPECT_SAYS(objection("counter of sheep"));
  EXPECT_SAYS(objection("recording nvidia-h900"));
  EXPECT_SAYS(objection("work Nothing"));
  EXPECT_SAYS(objection("measurement h900"));
  EXPECT_SAYS(objection("hearsay"));
}

TEST(LessonBacking, IsReadAfterItsSentence) {
  const std::vector<Sentence> sentences = makeSentences(
      "One. Two, **in bold.** <!-- backed by: counter barriers; work X --> Three 1.5 <!-- backed by: y -->");
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0].backing, "");
  EXPECT_EQ(sentences[1].text, " Two, **in bold.**");
  EXPECT_EQ(sentences[1].backing, "counter barriers; work X");
}

double ratioIn(const std::string& measurement, std::size_t column, const std::string& kernel,
               const std::string& other) {
  return measurementRow(measurement, kernel).at(column) / measurementRow(measurement, other).at(column);
}

double coalescingRatio(std::size_t column, const std::string& kernel, const std::string& other) {
  return ratioIn("h200-coalescing", column, kernel, other);
}

// What the lesson Coalescing says in words.
TEST(LessonBacking, CoalescingSaysWhatWasMeasured) {
  enum Column : std::size_t { kUs, kRead, kWritten, kRequests, kReadSectors };
  EXPECT_NEAR(coalescingRatio(kReadSectors, "A gap2", "A pairs"), 1, 0.01) << "the same sectors";
  EXPECT_NEAR(coalescingRatio(kRead, "A pairs", "A dense"), 1, 0.01) << "both sectors of 64 bytes are used";
  EXPECT_NEAR(coalescingRatio(kRead, "A gap2", "A dense"), 2, 0.01);
  EXPECT_NEAR(coalescingRatio(kUs, "A gap2", "A dense"), 1.9, 0.1);
  EXPECT_NEAR(coalescingRatio(kRead, "B stride 16 loads", "B stride 8 loads"), 2, 0.01);
  EXPECT_NEAR(coalescingRatio(kUs, "B stride 16 loads", "B stride 8 loads"), 2, 0.1);
  EXPECT_NEAR(coalescingRatio(kRead, "B stride 32 loads", "B stride 16 loads"), 1, 0.01);
  EXPECT_NEAR(coalescingRatio(kRequests, "B stride 32 loads", "B stride 16 loads"), 2, 0.01);
  EXPECT_NEAR(coalescingRatio(kRequests, "A gap8", "A gap4"), 1, 0.01);
  EXPECT_NEAR(coalescingRatio(kRead, "A gap8", "A gap4"), 1, 0.01);
  EXPECT_GT(coalescingRatio(kUs, "A gap8", "A gap4"), 1.3) << "only the distance differs";
  EXPECT_LT(measurementRow("h200-coalescing", "A2 store whole")[kRead], 1e6);
  EXPECT_GT(measurementRow("h200-coalescing", "A2 store word")[kRead], 5e8);
  EXPECT_NEAR(coalescingRatio(kUs, "A2 store word", "A2 store whole"), 1.9, 0.1);
  EXPECT_NEAR(coalescingRatio(kRequests, "C load+8 store+8", "C load+0 store+0"), 1.9, 0.05);
  EXPECT_NEAR(coalescingRatio(kRequests, "C load+32 store+32", "C load+0 store+0"), 1, 0.01);
  EXPECT_NEAR(coalescingRatio(kUs, "C load+32 store+32", "C load+0 store+0"), 1, 0.01);
  EXPECT_NEAR(coalescingRatio(kUs, "C stores alone+1", "C stores alone+0"), 1.9, 0.1);
  EXPECT_LT(coalescingRatio(kUs, "C loads alone+1", "C loads alone+0"), 1.06);
}

// And what it says of lines in pairs: kernels that differ in addresses alone.
TEST(LessonBacking, OnlyTheOtherLineOfAPairMatters) {
  enum Column : std::size_t { kUs, kRead, kRequests, kLeast, kMost };
  const auto ratio = [](std::size_t column, const std::string& kernel, const std::string& other) {
    return ratioIn("h200-distance", column, kernel, other);
  };
  const std::string alone = "R p=1 run=128B";
  const std::string pair = "R p=1 run=256B";
  EXPECT_NEAR(ratio(kRequests, alone, pair), 1, 0.001) << "the same requests";
  EXPECT_NEAR(ratio(kRead, alone, pair), 1, 0.001) << "the same bytes of DRAM";
  EXPECT_GT(ratio(kUs, alone, pair), 1.4);
  EXPECT_NEAR(ratio(kUs, pair, "near"), 1, 0.02) << "a pair is as good as all lines";
  EXPECT_NEAR(ratio(kUs, "R p=3 run=256B", "near"), 1, 0.02);
  EXPECT_LT(ratio(kUs, "far p=4", "far p=1"), 1.06) << "one line of sixteen, or of two";
  EXPECT_NEAR(ratio(kUs, "J p=1 run=128B", alone), 1, 0.01) << "whichever line of the pair";
  EXPECT_LT(ratio(kMost, alone, "far p=1") * measurementRow("h200-distance", "far p=1")[kMost],
            1.02 * measurementRow("h200-distance", alone)[kLeast])
      << "no slice of L2 has more to do than another";
  EXPECT_NEAR(ratio(kUs, "S 4KiB pieces scattered over 32GiB", "S 4KiB pieces scattered over 2GiB"), 1, 0.01);
  EXPECT_NEAR(ratio(kRead, "G halves granularity 32", "G halves granularity 64"), 0.5, 0.001);
}

// And what a lesson says of machine code.
TEST(LessonBacking, TheLoadsOfTheUnsynchronizedWarpComeBeforeTheStores) {
  const auto profiles = shippedProfiles();
  ASSERT_TRUE(profiles);
  const LaunchProfile* const profile = profiles->find(*findStrategy("unroll-last-warp-racy"));
  ASSERT_NE(profile, nullptr);
  const auto place = [&](std::uint32_t line, const char* opcode) {
    return std::ranges::find_if(profile->instructions, [&](const ProfileInstruction& one) {
      return one.line == line && one.sass.find(opcode) != std::string::npos;
    });
  };
  for (std::uint32_t line = 20; line < 25; ++line) {
    ASSERT_NE(place(line, " STS "), profile->instructions.end()) << line;
    EXPECT_LT(place(line + 1, " LDS "), place(line, " STS ")) << line;
  }
}

TEST(LessonBacking, IsNotShown) {
  for (const Strategy& strategy : strategies()) {
    EXPECT_EQ(strategy.lesson.find("<!--"), std::string::npos) << strategy.id;
    EXPECT_EQ(strategy.lesson.find("backed by"), std::string::npos) << strategy.id;
  }
}

}  // namespace
}  // namespace lanescope
