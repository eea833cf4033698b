// What is said of measurements: what a recording holds, and why there is nothing at a choice.
#include "app/session/gpu/bench_text.h"

#include <gtest/gtest.h>

#include "app/session/gpu/recording.h"

namespace lanescope {
namespace {

void add(BenchData& data, const SeriesKey& series) {
  ResultMessage result{.run = 1, .series = series};
  data.apply(WorkerMessage(result));
}

std::string differences(const BenchData& data, const BenchSetting& setting,
                        std::optional<std::uint64_t> n = std::nullopt) {
  const BenchDifference difference = differenceOf(data, setting, n);
  if (difference.kind == BenchDifference::Kind::Nothing) return "nothing was timed";
  return (difference.how.empty() ? "" : "timed ") + difference.how;
}

TEST(BenchContents, TellRecordingsApart) {
  BenchData data;
  EXPECT_EQ(contentsText(data), "nothing was timed");
  add(data, {"shuffle", 4096, 256, CacheState::Cold});
  EXPECT_EQ(contentsText(data), "1 kernel alone, N = 2^12, block 256, cold");
  add(data, {"baseline", 1U << 20U, 128, CacheState::Warm});
  EXPECT_EQ(contentsText(data),
            "2 kernels alone, N = 2^12 to 2^20, 2 sizes, block 128 and 256, cold and warm");
  BenchData full;
  add(full, {"shuffle", 4096, 512, CacheState::Cold, Scope::Full, ElementType::Double});
  add(full, {"cub", 4096, 512, CacheState::Cold, Scope::Full, ElementType::Int});
  EXPECT_EQ(contentsText(full), "1 kernel and CUB to one value, N = 2^12, block 512, double and int, cold");
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
  EXPECT_EQ(differences(data, {}), "nothing was timed");
  add(data, {"shuffle", 4096, 512, CacheState::Cold});
  add(data, {"shuffle", 8192, 512, CacheState::Cold});
  BenchSetting setting{.block = 512};
  EXPECT_EQ(differences(data, setting), "");
  EXPECT_EQ(differences(data, setting, 4096), "");
  EXPECT_EQ(differences(data, setting, 1024), "timed at N = 2^12 to 2^13, not 2^10");
  setting.block = 256;
  EXPECT_EQ(differences(data, setting), "timed with 512 threads per block, not 256");
  EXPECT_EQ(differences(data, setting, 8192), "timed with 512 threads per block, not 256");
  setting.cache = CacheState::Warm;
  setting.scope = Scope::Full;
  setting.type = ElementType::Int;
  EXPECT_EQ(
      differences(data, setting),
      "timed cold, not warm; with 512 threads per block, not 256; a kernel alone, not to one value; and on "
      "elements of type float, not int");
  // The nearest counts, not the first.
  add(data, {"cub", 4096, 256, CacheState::Warm, Scope::Full, ElementType::Float});
  EXPECT_EQ(differences(data, setting), "timed on elements of type float, not int");
}

}  // namespace
}  // namespace lanescope
