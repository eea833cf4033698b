// What is said of measurements: what a recording holds, and why there is nothing at a choice.
#include "app/analysis/bench_data.h"

#include <gtest/gtest.h>

#include "app/analysis/recording.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

void add(BenchData& data, const SeriesKey& series) {
  ResultMessage result{.run = 1, .series = series};
  data.apply(WorkerMessage(result));
}

std::string differences(const BenchData& data, const BenchSetting& setting,
                        std::optional<std::uint64_t> n = std::nullopt) {
  const BenchDifference difference = computeDifference(data, setting, n);
  if (difference.kind == BenchDifference::Kind::Nothing) return "nothing was timed";
  return (difference.how.empty() ? "" : "timed ") + difference.how;
}

TEST(BenchContents, TellRecordingsApart) {
  BenchData data;
  EXPECT_SAYS(contentsText(data));
  add(data, {"shuffle", 4096, 256, CacheState::Cold});
  EXPECT_SAYS(contentsText(data));
  add(data, {"baseline", 1U << 20U, 128, CacheState::Warm});
  EXPECT_SAYS(contentsText(data));
  BenchData full;
  add(full, {"shuffle", 4096, 512, CacheState::Cold, Scope::Full, ElementType::Double});
  add(full, {"cub", 4096, 512, CacheState::Cold, Scope::Full, ElementType::Int});
  EXPECT_SAYS(contentsText(full));
}

TEST(BenchContents, OfThoseThatShipDiffer) {
  std::set<std::string> contents;
  for (const char* name : {"nvidia-h200", "nvidia-h200_cub", "nvidia-h200_one_value"}) {
    const auto recording =
        loadRecording(std::string(LANESCOPE_SOURCE_DIR "/assets/recordings/") + name + ".jsonl");
    ASSERT_TRUE(recording);
    EXPECT_TRUE(recording->label().ends_with(name)) << recording->label();
    contents.insert(contentsText(recording->data()));
  }
  EXPECT_EQ(contents.size(), 3U);
}

TEST(BenchDifferences, NameWhatIsOtherWise) {
  BenchData data;
  EXPECT_SAYS(differences(data, {}));
  add(data, {"shuffle", 4096, 512, CacheState::Cold});
  add(data, {"shuffle", 8192, 512, CacheState::Cold});
  BenchSetting setting{.block = 512};
  EXPECT_EQ(differences(data, setting), "");
  EXPECT_EQ(differences(data, setting, 4096), "");
  EXPECT_SAYS(differences(data, setting, 1024));
  setting.block = 256;
  EXPECT_SAYS(differences(data, setting));
  EXPECT_SAYS(differences(data, setting, 8192));
  setting.cache = CacheState::Warm;
  setting.scope = Scope::Full;
  setting.type = ElementType::Int;
  EXPECT_SAYS(differences(data, setting));
  // The nearest counts, not the first.
  add(data, {"cub", 4096, 256, CacheState::Warm, Scope::Full, ElementType::Float});
  EXPECT_SAYS(differences(data, setting));
}

}  // namespace
}  // namespace lanescope
