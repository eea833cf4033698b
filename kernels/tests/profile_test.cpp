// Nsight Compute's pages, read; profiles over the protocol; and a profile of a launch with an ncu that is a
// script.
#include <gtest/gtest.h>

#include "kernels/protocol/ncu_profile.h"
#include "kernels/protocol/ncu_run.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/tests/fake_ncu.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

// Laid out as Nsight Compute's versions from 2022 on do: a table per file, a row per line, its instructions
// under it.
constexpr const char* kHeader =
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"Warp Stall "
    "Sampling (Not-issued Samples)\",\"# Samples\",\"Instructions Executed\",\"Thread Instructions "
    "Executed\",\"Predicated-On Thread Instructions Executed\",\"Address Space\",\"L1 Wavefronts "
    "Shared\",\"L1 Wavefronts Shared Ideal\",\"L2 Theoretical Sectors Global\",\"L2 Theoretical Sectors "
    "Global Ideal\",\"stall_barrier\",\"stall_long_sb\",\"stall_wait\",\"stall_barrier (Not "
    "Issued)\",\"stall_long_sb (Not Issued)\"\n";

std::string sourcePage() {
  return std::string(
             "==PROF== Connected to process 7\n"
             "\"File Path\",\"/tmp/lanescope-x/kernel.cu\"\n"
             "\"Function Name\",\"baseline\"\n") +
         kHeader +
         "\"1\",\"// A comment, \"\"quoted\"\"\",\"-\",\"-\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"-\",\"0\","
         "\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\"\n"
         "\"7\",\"  s[tid] = "
         "in[i];\",\"-\",\"-\",\"1,440\",\"900\",\"1,440\",\"4,096\",\"131,072\",\"0\",\"-\","
         "\"2,048\",\"2,048\",\"8,192\",\"8,192\",\"40\",\"1,300\",\"100\",\"0\",\"800\"\n"
         "\"\",\"\",\"0x7fc48541d910\",\"      STS [R2], R5 "
         "\",\"440\",\"300\",\"440\",\"2048\",\"65536\",\"0\",\"Shared\","
         "\"2048\",\"2048\",\"0\",\"0\",\"40\",\"300\",\"100\",\"0\",\"200\"\n"
         "\"\",\"\",\"0x7fc48541d900\",\"@!P0   LDG.E R5, [R2.64] "
         "\",\"1000\",\"600\",\"1000\",\"2048\",\"65536\",\"0\",\"Global\","
         "\"0\",\"0\",\"8192\",\"8192\",\"0\",\"1000\",\"0\",\"0\",\"600\"\n"
         "\"8\",\"  "
         "__syncthreads();\",\"-\",\"-\",\"10\",\"5\",\"10\",\"2048\",\"65536\",\"0\",\"-\",\"0\",\"0\","
         "\"0\",\"0\",\"10\",\"0\",\"0\",\"0\",\"0\"\n"
         "\"File Path\",\"/usr/local/cuda/include/sm_30_intrinsics.hpp\"\n"
         "\"Function Name\",\"baseline\"\n" +
         kHeader +
         "\"7\",\"shuffle\",\"-\",\"-\",\"6\",\"6\",\"6\",\"32\",\"1024\",\"0\",\"-\",\"0\",\"0\",\"0\","
         "\"0\",\"0\","
         "\"0\",\"6\",\"0\",\"0\"\n"
         "\"\",\"\",\"0x7fc48541d920\",\"SHFL.DOWN PT, R1, R2, 0x1, 0x1f\",\"6\",\"6\",\"6\",\"32\",\"1024\","
         "\"0\",\"-\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"6\",\"0\",\"0\"\n";
}

void expectTheSourcePage(const NcuSourcePage& page) {
  ASSERT_EQ(page.lines.size(), 2U);
  EXPECT_EQ(page.lines[0].line, 7U);
  const ProfileCounts& counts = page.lines[0].counts;
  EXPECT_EQ(counts.samples, 1440U);
  EXPECT_EQ(counts.notIssued, 900U);
  EXPECT_EQ(counts.executed, 4096U);
  EXPECT_EQ(counts.threadExecuted, 131072U);
  EXPECT_EQ(counts.sharedWavefronts, 2048U);
  EXPECT_EQ(counts.globalSectors, 8192U);
  const std::vector<StallCount> stalls{{"long_sb", 1300}, {"wait", 100}, {"barrier", 40}};
  EXPECT_EQ(counts.stalls, stalls);
  EXPECT_EQ(page.lines[1].line, 8U);
  ASSERT_EQ(page.instructions.size(), 3U);
  EXPECT_EQ(page.instructions[0].sass, "@!P0   LDG.E R5, [R2.64]");
  EXPECT_EQ(page.instructions[0].line, 7U);
  EXPECT_EQ(page.instructions[1].sass, "STS [R2], R5");
  EXPECT_EQ(page.instructions[2].line, 0U) << "a header's line is none of the text's";
}

TEST(NcuSource, ReadsLinesAndTheirInstructions) {
  const auto page = parseNcuSource(sourcePage(), "kernel.cu");
  ASSERT_TRUE(page.ok()) << page.error().sentence();
  expectTheSourcePage(*page);
  const std::vector<MeasuredCounter> opcodes{{"LDG", 2048}, {"SHFL", 32}, {"STS", 2048}};
  EXPECT_EQ(countOpcodes(page->instructions), opcodes);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

TEST(NcuSource, SurvivesOtherVersionsAndEncodings) {
  const std::string page = sourcePage();
  const std::vector<std::string> variants{
      "\xef\xbb\xbf" + page,
      replaced(page, "\n", "\r\n"),
      replaced(replaced(page, "(All Samples)", "(All Cycles)"), "(Not-issued Samples)",
               "(Not-issued Cycles)"),
      replaced(page, "\"Line No\"", "\"Line\""),
      replaced(page, "\"Line No\"", "\"line no.\""),
      replaced(page, "\"Address Space\"", "\"A Column of \xff\xfe\""),
      replaced(page, "Warp Stall Sampling (All Samples)", "Another")};  // then # Samples counts
  for (const std::string& variant : variants) {
    const auto read = parseNcuSource(variant, "kernel.cu");
    ASSERT_TRUE(read.ok()) << read.error().sentence();
    expectTheSourcePage(*read);
  }
}

TEST(NcuSource, AddsUpInstructionsWhereLinesHaveNoNumbers) {
  const std::string page =
      replaced(sourcePage(), "\"1,440\",\"900\",\"1,440\",\"4,096\"", "\"-\",\"-\",\"-\",\"-\"");
  const auto read = parseNcuSource(page, "kernel.cu");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->lines.size(), 2U);
  EXPECT_EQ(read->lines[0].counts.samples, 1440U);
  EXPECT_EQ(read->lines[0].counts.executed, 4096U);
  EXPECT_EQ(read->lines[0].counts.stalls.front(), (StallCount{"long_sb", 1300}));
}

TEST(NcuSource, KeepsWhatIsWholeOfACutOutput) {
  const std::string page = sourcePage();
  for (std::size_t length = 0; length < page.size(); length += 3) {
    const auto read = parseNcuSource(std::string_view(page).substr(0, length), "kernel.cu");
    if (!read) continue;
    for (const ProfileLine& line : read->lines) EXPECT_TRUE(line.line == 7 || line.line == 8);
    for (const ProfileInstruction& one : read->instructions) EXPECT_FALSE(one.sass.empty());
  }
}

TEST(NcuSource, ReadsMachineCodeAlone) {
  const auto read = parseNcuSource(
      "\"Kernel Name\",\"k\"\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"\n"
      "\"0x10\",\"BRA 0x10\",\"5\",\"64\"\n",
      "kernel.cu");
  ASSERT_TRUE(read.ok()) << read.error().sentence();
  ASSERT_EQ(read->instructions.size(), 1U);
  EXPECT_EQ(read->instructions[0].counts.samples, 5U);
  EXPECT_TRUE(read->lines.empty());
}

TEST(NcuSource, LeavesOutWhatFillsTheLastCacheLine) {
  const auto read = parseNcuSource(
      "\"Kernel Name\",\"k\"\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"\n"
      "\"0x10\",\"NOP\",\"0\",\"0\"\n\"0x20\",\"EXIT\",\"5\",\"64\"\n"
      "\"0x30\",\"NOP\",\"0\",\"0\"\n\"0x40\",\"NOP\",\"0\",\"0\"\n",
      "kernel.cu");
  ASSERT_TRUE(read.ok()) << read.error().sentence();
  ASSERT_EQ(read->instructions.size(), 2U);
  EXPECT_EQ(read->instructions[1].sass, "EXIT");
}

TEST(NcuSource, SaysThatThereIsNone) {
  for (const char* output : {"", "==ERROR== x\n", "\"a\"\n", "one,two\n", "\"File Path\",\"kernel.cu\"\n"}) {
    const auto read = parseNcuSource(output, "kernel.cu");
    ASSERT_FALSE(read.ok()) << output;
    EXPECT_SAYS(read.error().sentence());
  }
}

constexpr const char* kRaw =
    "==PROF== Disconnected\n"
    "\"ID\",\"Process ID\",\"Kernel "
    "Name\",\"gpu__time_duration.sum\",\"launch__registers_per_thread\",\"unknown_"
    "metric\",\"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active\",\"lts__throughput.avg.pct_of_"
    "peak_"
    "sustained_elapsed\",\"dram__throughput.avg.pct_of_peak_sustained_elapsed\",\"launch__occupancy_limit_"
    "warps\"\n"
    "\"\",\"\",\"\",\"usecond\",\"register/thread\",\"\",\"%\",\"%\",\"%\",\"block\"\n"
    "\"0\",\"7\",\"k(float, int)\",\"1,620.5\",\"16\",\"5\",\"12.25\",\"n/a\",\"94.5\",\"8\"\n"
    "\"1\",\"7\",\"another\",\"9\",\"9\",\"9\",\"9\",\"9\",\"9\",\"9\"\n";

TEST(NcuRaw, ReadsTheFirstKernelsMetrics) {
  const auto metrics = parseNcuRaw(kRaw);
  ASSERT_TRUE(metrics.ok()) << metrics.error().sentence();
  ProfileMessage profile;
  profile.metrics = *metrics;
  EXPECT_EQ(profile.metrics.size(), 6U);
  EXPECT_EQ(findMetric(profile, ProfileMetric::Duration), 1620500.0);
  EXPECT_EQ(findMetric(profile, ProfileMetric::Registers), 16.0);
  EXPECT_EQ(findMetric(profile, ProfileMetric::Dram), 94.5) << "under an earlier version's name";
  EXPECT_EQ(findMetric(profile, ProfileMetric::L2), std::nullopt);
  EXPECT_EQ(findMetric(profile, ProfileMetric::LimitWarps), 8.0);
  EXPECT_FALSE(parseNcuRaw("==WARNING== No kernels were profiled.\n").ok());
  EXPECT_FALSE(parseNcuRaw("\"ID\",\"a\",\"b\"\n\"\",\"\",\"\"\n").ok());
}

LaunchProfile largeProfile() {
  LaunchProfile profile;
  profile.kernel.run = 3;
  profile.kernel.strategy = "baseline";
  profile.kernel.kernel = "baseline";
  profile.kernel.textHash = hashText("text");
  for (std::size_t i = 0; i < kMaxMetrics; ++i) {
    profile.kernel.metrics.push_back({"metric_" + std::to_string(1000 + i), 1e12 + static_cast<double>(i)});
  }
  ProfileCounts counts;
  counts.samples = counts.notIssued = counts.executed = counts.threadExecuted = counts.sharedWavefronts =
      counts.sharedIdealWavefronts = counts.globalSectors = counts.globalIdealSectors =
          std::uint64_t{1} << 53U;
  for (std::size_t i = 0; i < kMaxStalls; ++i) {
    counts.stalls.push_back(
        {std::string(kMaxStallBytes - 2, 's') + std::to_string(10 + i), (std::uint64_t{1} << 53U) - i});
  }
  for (std::uint32_t i = 1; i <= 70; ++i) {
    profile.lines.push_back({i, counts});
    profile.instructions.push_back({i % 3, std::string(kMaxSassBytes, '"'), counts});
  }
  return profile;
}

TEST(ProfileMessages, PassInPartsAndKeepEveryField) {
  const LaunchProfile profile = largeProfile();
  LaunchProfile back;
  back.kernel.run = profile.kernel.run;
  for (const WorkerMessage& message : makeMessages(profile)) {
    const std::string line = toLine(message);
    EXPECT_LE(line.size(), kMaxLineBytes);
    const auto read = parseMessage(line);
    ASSERT_TRUE(read.ok()) << read.error().sentence();
    EXPECT_EQ(toLine(*read), line);
    addMessage(back, *read);
  }
  EXPECT_EQ(back.lines, profile.lines);
  EXPECT_EQ(back.instructions, profile.instructions);
  EXPECT_EQ(back.kernel.metrics, profile.kernel.metrics);
  EXPECT_EQ(back.kernel.textHash, profile.kernel.textHash);
}

/// With the pages that it prints beside it.
struct ProfilingNcu : testing::FakeNcu {
  explicit ProfilingNcu(const std::string& body)
      : testing::FakeNcu(body, {{"source", sourcePage()}, {"raw", kRaw}}) {}
};

ProfileRequest someProfile() {
  ProfileRequest request;
  request.run = 9;
  request.launch.text = "__global__ void baseline() {}\n";
  request.launch.kernel = "baseline";
  request.launch.grid = {4, 2, 1};
  request.launch.block = {256, 1, 1};
  return request;
}

Result<LaunchProfile> profiled(double limitSeconds = 120) {
  return profileLaunch(
      someProfile(), "/bin/worker", [](double) { return true; }, limitSeconds);
}

// The options as in ncu's manual; the text is a file beside the request; the report is read twice.
constexpr const char* kWell =
    "[ \"$LC_ALL\" = C ] || exit 7\n"
    "case \"$*\" in\n"
    "*'--page source --print-source cuda,sass --csv'*) cat \"$here/source\" ;;\n"
    "*'--page raw --csv'*) cat \"$here/raw\" ;;\n"
    "*'--clock-control none'*'--section SourceCounters'*'/bin/worker launch-once '*)\n"
    "  for file; do :; done\n"
    "  grep -q '\"type\":\"profile\"' \"$file\" || exit 8\n"
    "  grep -q __global__ \"$(dirname \"$file\")/kernel.cu\" || exit 6\n"
    "  echo once >> \"$here/runs\"\n"
    "  touch \"$(dirname \"$file\")/report.ncu-rep\" ;;\n"
    "*) exit 9 ;;\nesac\n";

TEST(ProfileRun, TakesOneRunOfNcu) {
  const ProfilingNcu ncu(kWell);
  const auto profile = profiled();
  ASSERT_TRUE(profile.ok()) << profile.error().sentence();
  EXPECT_EQ(ncu.collections(), 1U);
  EXPECT_EQ(profile->kernel.run, 9U);
  EXPECT_EQ(profile->kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(profile->kernel.textHash, hashText("__global__ void baseline() {}\n"));
  EXPECT_EQ(profile->lines.size(), 2U);
  EXPECT_EQ(profile->instructions.size(), 3U);
  EXPECT_EQ(findMetric(profile->kernel, ProfileMetric::Registers), 16.0);
}

TEST(ProfileRun, TheCodeThatIsTimedKnowsItsLinesByTheStrategysFile) {
  const ProfilingNcu ncu(
      "case \"$*\" in\n"
      "*'--page source'*) sed s,x/kernel.cu,kernels/strategies/shuffle.cu, \"$here/source\" ;;\n"
      "*'--page raw'*) cat \"$here/raw\" ;;\n"
      "*) for file; do :; done\n"
      "  grep -q '\"linked\":true' \"$file\" && touch \"$(dirname \"$file\")/report.ncu-rep\" ;;\n"
      "esac\n");
  ProfileRequest request = someProfile();
  request.linked = true;
  EXPECT_EQ(linkedStrategy(request), nullptr) << "another text than a strategy's is compiled";
  EXPECT_EQ(profiledFile(request), "kernel.cu");
  request.launch.text = findStrategy("shuffle")->source;
  EXPECT_EQ(linkedStrategy(request), findStrategy("shuffle"));
  EXPECT_EQ(profiledFile(request), "shuffle.cu");
  const auto profile = profileLaunch(request, "/bin/worker", [](double) { return true; });
  ASSERT_TRUE(profile.ok()) << profile.error().sentence();
  EXPECT_EQ(profile->lines.size(), 2U);
}

TEST(ProfileRun, SurvivesSourcePagesOfManyMegabytes) {
  // Far more than counters take: 60,000 lines of 200 bytes in front of the ones that matter.
  const ProfilingNcu ncu(std::string("case \"$*\" in *'--page source'*)\n"
                                     "yes \"==PROF== $(printf '%190s' x)\" | head -n 60000 ;;\nesac\n") +
                         kWell);
  const auto profile = profiled();
  ASSERT_TRUE(profile.ok()) << profile.error().sentence();
  EXPECT_EQ(profile->lines.size(), 2U);
}

TEST(ProfileRun, SaysInOneSentenceWhatIsInTheWay) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1\n",
       "NVreg_RestrictProfilingToAdminUsers=0"},
      {"echo \"==ERROR== unrecognised option '--import-source'\"; exit 1\n", "2022.1"},
      {"echo \"==ERROR== Option '--section' did not match any section: SpeedOfLight\"; exit 1\n", "2022.1"},
      {"echo 'lanescope-gpu: The text does not compile.'; exit 1\n", "does not compile"},
      {"exit 0\n", "2022.1"},
      {"case \"$*\" in *'--page'*) echo no;; *) for f; do :; done; touch \"$(dirname "
       "\"$f\")/report.ncu-rep\";; esac\n",
       "source page"}};
  for (const auto& [script, wanted] : cases) {
    const ProfilingNcu ncu(script);
    const auto profile = profiled();
    ASSERT_FALSE(profile.ok()) << script;
    EXPECT_NE(profile.error().sentence().find(wanted), std::string::npos) << profile.error().sentence();
  }
}

TEST(ProfileRun, EndsOneThatHangs) {
  const ProfilingNcu ncu("sleep 600\n");
  const auto late = profiled(0.3);
  ASSERT_FALSE(late.ok());
  EXPECT_SAYS(late.error().sentence());
  EXPECT_FALSE(profileLaunch(someProfile(), "/bin/worker", [](double) { return false; }).ok());
}

}  // namespace
}  // namespace lanescope
