// lanescope-cli render and simulate --csv: what they write, and what they leave where they fail.
#include <algorithm>
#include <set>

#include "app/cli/tests/run_cli.h"
#include "app/export/tests/browser.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

std::set<std::string> filesIn(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

Outcome render(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "render");
  return runCli(arguments);
}

/// Width and height in a PNG's header, or 0.
std::pair<unsigned, unsigned> pngSize(const std::string& bytes) {
  if (bytes.size() < 24 || !bytes.starts_with("\x89PNG")) return {0, 0};
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

const bool kHasPng = LANESCOPE_HAS_PNG;

class EveryPicture : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryPicture, IsWrittenAsSvg) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "x.svg";
  const auto outcome =
      render({"no-divergence", "--n", "64", "--step", "13", "--picture", GetParam(), "-o", file});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.complaint, "");
  EXPECT_NE(outcome.output.find("x.svg"), std::string::npos);
  const std::string svg = readAll(file);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 80);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_GT(std::count(svg.begin(), svg.end(), '\n'), 40);
  EXPECT_EQ(filesIn(scratch.path()), std::set<std::string>{"x.svg"});
}

INSTANTIATE_TEST_SUITE_P(Render, EveryPicture,
                         ::testing::Values("array", "warps", "banks", "timeline", "source", "all"));

TEST(Render, APageShowsWhereItStands) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "x.svg";
  ASSERT_EQ(render({"no-divergence", "--n", "64", "--step", "16", "-o", file}).status, 0);
  const std::string svg = readAll(file);
  EXPECT_NE(svg.find(">No divergence, N = 64 on nvidia</text>"), std::string::npos);
  EXPECT_NE(svg.find("phase 2 of 8, step size 1 · step 16 of 90 · wavefront 2 of 2"), std::string::npos);
  EXPECT_NE(svg.find(">WARPS<"), std::string::npos);
  EXPECT_NE(svg.find(">BANKS<"), std::string::npos);
  EXPECT_NE(svg.find(">KERNEL<"), std::string::npos);
  EXPECT_NE(svg.find("32 words asked of 16 banks, 2 wavefronts"), std::string::npos);
  ASSERT_EQ(render({"no-divergence", "--n", "64", "--step", "16", "--wavefront", "1", "-o", file}).status, 0);
  EXPECT_NE(readAll(file).find("wavefront 1 of 2"), std::string::npos);
}

TEST(Render, APageShowsAtEveryStepWhatRenderDrawsThere) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "walk.html";
  const auto outcome = render(
      {"baseline", "--n", "8", "--machine", "tiny", "--page", file, "--grain", "phase", "--step", "26"});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_NE(outcome.output.find("walk.html, "), std::string::npos) << outcome.output;
  const std::string page = readAll(file);
  const std::size_t from = page.find("application/json\">") + 18;
  const auto data = parseJson(page.substr(from, page.find("</script>", from) - from));
  EXPECT_EQ(data["opensAt"], 26);
  if (lanescope::testing::findBrowser().empty()) GTEST_SKIP() << "Chromium is not installed.";
  std::vector<lanescope::testing::ExpectedStep> steps;
  for (const auto& frame : data["frames"]) {
    const std::string step = frame[0].dump();
    steps.push_back({"#step=" + step, "", {}});
    for (const char* const picture : {"array", "warps", "banks", "source"}) {
      const std::string svg = scratch.path() / "x.svg";
      ASSERT_EQ(render({"baseline", "--n", "8", "--machine", "tiny", "--step", step, "--picture", picture,
                        "--theme", "light", "-o", svg})
                    .status,
                0);
      steps.back().svgs.push_back(readAll(svg));
    }
  }
  EXPECT_EQ(steps.size(), 6U);
  const std::string result =
      lanescope::testing::runInBrowser({{page, lanescope::testing::comparisonWith(steps)}})[0];
  EXPECT_TRUE(result.starts_with("6 steps, ")) << result;
}

TEST(Render, SizeScaleAndThemeAreThoseAskedFor) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "x.svg";
  ASSERT_EQ(
      render({"baseline", "--n", "8", "--size", "1280x720", "--scale", "2", "--theme", "light", "-o", file})
          .status,
      0);
  const std::string svg = readAll(file);
  EXPECT_TRUE(svg.starts_with(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2560\" height=\"1440\" viewBox=\"0 0 1280 720\" "
      "style=\"font-variant-ligatures:none\" "))
      << svg.substr(0, 160);
  EXPECT_NE(svg.find("fill=\"#e8ecf1\""), std::string::npos);
}

TEST(Render, AStripHasEveryPhase) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "x.svg";
  const auto outcome = render({"baseline", "--n", "8", "--machine", "tiny", "--strip", "-o", file});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  const std::string svg = readAll(file);
  std::size_t at = 0;
  for (const char* label : {"1 of 5 · load", "2 of 5 · step size 1", "3 of 5 · step size 2",
                            "4 of 5 · step size 4", "5 of 5 · store"}) {
    at = svg.find(label, at);
    EXPECT_NE(at, std::string::npos) << label;
  }
}

TEST(Render, AFileTakesTheLaunchOptionsOfTrace) {
  const ScratchFolder scratch;
  const std::string kernel =
      scratch.write("twice.cu",
                    "__global__ void twice(int* a) { __shared__ int s[8]; s[threadIdx.x] = a[threadIdx.x];\n"
                    "  a[threadIdx.x] = 2 * s[threadIdx.x]; }\n");
  const std::string file = scratch.path() / "x.svg";
  const auto outcome = render({kernel, "--block", "8", "--arg", "i32:hash:8", "-o", file});
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_NE(readAll(file).find("twice, 8 threads per block, on nvidia"), std::string::npos);
}

TEST(Render, APngHasItsPixels) {
  if (!kHasPng) GTEST_SKIP() << "built without cairo";
  const ScratchFolder scratch;
  const std::string file = scratch.path() / "x.png";
  for (const auto& [scale, width, height] : {std::tuple("1", 1280U, 720U), std::tuple("2", 2560U, 1440U)}) {
    ASSERT_EQ(render({"shuffle", "--n", "64", "--size", "1280x720", "--scale", scale, "-o", file}).status, 0);
    EXPECT_EQ(pngSize(readAll(file)), std::pair(width, height));
  }
}

TEST(Render, ASequenceHasAFrameAStep) {
  if (!kHasPng) GTEST_SKIP() << "built without cairo";
  const ScratchFolder scratch;
  const std::string folder = scratch.path() / "frames";
  const auto outcome = render({"baseline", "--n", "8", "--machine", "tiny", "--picture", "array",
                               "--sequence", folder, "--grain", "phase", "--scale", "0.5"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_NE(outcome.output.find("6 frames"), std::string::npos) << outcome.output;
  EXPECT_EQ(filesIn(folder),
            (std::set<std::string>{"0001.png", "0002.png", "0003.png", "0004.png", "0005.png", "0006.png"}));
  EXPECT_EQ(pngSize(readAll(folder + "/0006.png")), std::pair(480U, 200U));
  EXPECT_NE(readAll(folder + "/0001.png"), readAll(folder + "/0006.png"));
  EXPECT_EQ(filesIn(scratch.path()), std::set<std::string>{"frames"});
}

TEST(Render, ASequenceWritesOverNothing) {
  if (!kHasPng) GTEST_SKIP() << "built without cairo";
  const ScratchFolder scratch;
  scratch.write("mine.txt", "mine");
  const auto outcome = render({"baseline", "--n", "8", "--sequence", scratch.path()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.complaint.find("is not an empty folder"), std::string::npos) << outcome.complaint;
  EXPECT_EQ(filesIn(scratch.path()), std::set<std::string>{"mine.txt"});
}

TEST(Render, WithoutCairoAPngIsRefusedInASentence) {
  if (kHasPng) GTEST_SKIP() << "built with cairo";
  const ScratchFolder scratch;
  const auto outcome = render({"baseline", "-o", scratch.path() / "x.png"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.complaint.find("libcairo2-dev"), std::string::npos) << outcome.complaint;
  EXPECT_TRUE(filesIn(scratch.path()).empty());
}

TEST(Render, WhatCannotBeWrittenLeavesNothing) {
  const ScratchFolder scratch;
  const auto missing = render({"baseline", "-o", scratch.path() / "missing" / "x.svg"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.complaint.find("cannot be written"), std::string::npos) << missing.complaint;
  std::filesystem::create_directory(scratch.path() / "x.svg");
  EXPECT_EQ(render({"baseline", "-o", scratch.path() / "x.svg"}).status, 1);
  EXPECT_EQ(filesIn(scratch.path()), std::set<std::string>{"x.svg"});
  EXPECT_EQ(render({"baseline", "--sequence", scratch.path() / "missing" / "frames"}).status, 1);
}

TEST(Render, AKernelThatFailsIsStatus1) {
  const ScratchFolder scratch;
  const std::string kernel =
      scratch.write("outside.cu", "__global__ void k(int* a) { a[threadIdx.x + 8] = 1; }\n");
  const auto outcome =
      render({kernel, "--block", "8", "--arg", "i32:zero:8", "-o", scratch.path() / "x.svg"});
  EXPECT_EQ(outcome.status, 1) << outcome.complaint;
  EXPECT_EQ(filesIn(scratch.path()), std::set<std::string>{"outside.cu"});
}

/// Runs a shell's line where stderr is a terminal; all that it wrote.
Outcome onATerminal(const std::string& command) {
  return runShell("script --quiet --return --command \"" + command + "\" /dev/null");
}

TEST(Render, TellsOnATerminalHowFarItIs) {
  if (onATerminal("true").status != 0) GTEST_SKIP() << "without script(1) or pseudo-terminals";
  const ScratchFolder scratch;
  const std::string strip = scratch.path() / "x.svg";
  const auto outcome = onATerminal(LANESCOPE_CLI " render baseline --n 8 --strip -o " + strip);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("drawing phase 5 of 5 ["), std::string::npos) << outcome.output;
  EXPECT_LT(outcome.output.rfind("\r\x1b[K"), outcome.output.find("Wrote ")) << "the line is wiped";
  if (!kHasPng) return;
  const std::string frames = scratch.path() / "frames";
  const auto sequence =
      onATerminal(LANESCOPE_CLI " render baseline --n 8 --picture array --grain phase --sequence " + frames);
  EXPECT_NE(sequence.output.find("drawing frame 6 of 6 ["), std::string::npos) << sequence.output;
  // Without a terminal there is no progress.
  EXPECT_EQ(render({"baseline", "--n", "8", "--strip", "-o", strip}).complaint, "");
}

TEST(Render, AnInterruptLeavesNothing) {
  if (!kHasPng) GTEST_SKIP() << "built without cairo";
  const ScratchFolder scratch;
  const std::string folder = scratch.path() / "frames";
  // Frames at twice the size take minutes: once the first is there, the walk has begun.
  const auto outcome = runShell("(" LANESCOPE_CLI " render no-divergence --n 1024 --scale 2 --sequence " +
                                folder + " & program=$!; while [ ! -e " + folder +
                                ".new/0001.png ]; do kill -0 $program || break; sleep 0.05; done; "
                                "kill -INT $program; wait $program)");
  EXPECT_EQ(outcome.status, 1) << outcome.complaint;
  EXPECT_NE(outcome.complaint.find("was stopped"), std::string::npos) << outcome.complaint;
  EXPECT_TRUE(filesIn(scratch.path()).empty());
}

TEST(Render, HelpNamesEverything) {
  const auto outcome = render({"--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* option :
       {"--output", "--picture", "--theme", "--size", "--scale", "--strip", "--sequence", "--page", "--gif",
        "--grain", "--step", "--machine", "--trace-block", "--element", "--op"})
    EXPECT_NE(outcome.output.find(option), std::string::npos) << option;
}

/// The fields of a line without quotes in it.
std::vector<std::string> splitFields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

TEST(CountersCsv, TheLinesAddUpToTheTotal) {
  const auto outcome = runCli({"simulate", "no-divergence", "--n", "1024", "--blocks", "4", "--csv"});
  ASSERT_EQ(outcome.status, 0) << outcome.complaint;
  std::istringstream text(outcome.output);
  std::string header;
  std::string total;
  std::getline(text, header);
  std::getline(text, total);
  EXPECT_TRUE(header.starts_with("kernel,machine,scope,number,text,")) << header;
  EXPECT_TRUE(total.starts_with("no_divergence,nvidia,total,,,")) << total;
  const std::vector<std::string> names = splitFields(header);
  const std::vector<std::string> totals = splitFields(total);
  ASSERT_EQ(names.size(), totals.size());
  EXPECT_EQ(names.back(), "run");
  EXPECT_EQ(totals.back(), "No divergence; N = 1024; 4 blocks on nvidia");
  const std::size_t end = names.size() - 1;
  std::vector<std::uint64_t> sums(names.size());
  std::size_t lines = 0;
  for (std::string line; std::getline(text, line); ++lines) {
    ASSERT_TRUE(line.starts_with("no_divergence,nvidia,line,")) << line;
    // The line's text may hold commas and quotes; the counters are the last fields.
    const std::vector<std::string> fields = splitFields(line);
    for (std::size_t i = 5; i < end; ++i) sums[i] += std::stoull(fields[fields.size() - (names.size() - i)]);
  }
  EXPECT_GT(lines, 3U);
  for (std::size_t i = 5; i < end; ++i) EXPECT_EQ(std::to_string(sums[i]), totals[i]) << names[i];
  EXPECT_NE(header.find("bank_conflicts"), std::string::npos);
}

TEST(CountersCsv, IsNotPrintedTogetherWithJson) {
  EXPECT_EQ(runCli({"simulate", "baseline", "--csv", "--json"}).status, 2);
}

TEST(Render, SaysWhatIsNotTheStrategysOwn) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope-render-title.svg";
  const auto render = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"-o", file.string()});
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.status, 0) << outcome.complaint;
    return readAll(file);
  };
  const std::string own = render({"render", "baseline", "--n", "64", "--picture", "banks"});
  EXPECT_EQ(own.find("Baseline"), std::string::npos) << "a picture alone has no title";
  const std::string ofInts =
      render({"render", "baseline", "--n", "64", "--element", "int", "--picture", "banks"});
  EXPECT_NE(ofInts.find(">Baseline, int, N = 64 on nvidia<"), std::string::npos);
  const std::string page = render({"render", "baseline", "--grid", "2", "--block", "32", "--dynamic-shared",
                                   "128", "--arg", "f32:ones:64", "--arg", "f32:zero:2"});
  EXPECT_NE(page.find(">Baseline, grid 2, block 32, "), std::string::npos);
  EXPECT_NE(page.find("f32:ones:64"), std::string::npos);
  EXPECT_EQ(page.find("N = 64"), std::string::npos);
  const auto trace = runCli({"trace", "baseline", "--n", "8", "--element", "int", "--json"});
  EXPECT_NE(trace.output.find("\"run\": \"Baseline, int, N = 8 on nvidia\""), std::string::npos);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace lanescope::cli
