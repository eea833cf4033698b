// What lanescope-cli prints for a program to read.
#include <map>
#include <tuple>

#include "app/cli/tests/run_cli.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"
#include "sim/memory/machine_model.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Json parseOutput(const std::vector<std::string>& arguments) {
  const auto outcome = runCli(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.complaint, "");
  return parseJson(outcome.output);
}

std::string joined(const Json& items) {
  std::string text;
  for (const Json& item : items)
    text += " " + (item.is_null() ? "-" : item.is_string() ? item.get<std::string>() : item.dump());
  return text;
}

class EightElementsThroughTheCli : public ::testing::TestWithParam<const char*> {};

/// The golden files of sim/tests: `label | active threads | words` a phase, then the registers.
TEST_P(EightElementsThroughTheCli, ArePrintedAsTheNoteListsThem) {
  const Json trace =
      parseOutput({"trace", GetParam(), "--n", "8", "--machine", "tiny", "--symbolic", "--json"});
  ASSERT_EQ(trace["schema"], "lanescope.trace/1");
  std::string written;
  for (const Json& phase : trace["phases"]) {
    written += phase["label"].get<std::string>() + " |" + joined(phase["active"]) + " |" +
               joined(phase["shared"]) + "\n";
    if (phase.contains("values")) written += "  registers |" + joined(phase["values"]) + "\n";
  }
  const std::string golden =
      readAll(std::string(LANESCOPE_SOURCE_DIR "/sim/tests/golden/") + GetParam() + ".txt");
  ASSERT_FALSE(golden.empty());
  EXPECT_EQ(written, golden);
}

INSTANTIATE_TEST_SUITE_P(AllStrategies, EightElementsThroughTheCli,
                         ::testing::Values("baseline", "no-divergence", "no-bank-conflict", "add-during-load",
                                           "unroll-last-warp", "shuffle"));

// Not only what is in shared memory: results, by stores and by atomics.
TEST(CliOutput, ATraceTellsWhatAPhaseLeavesInGlobalMemory) {
  const auto atomics = runCli({"trace", "one-atomic", "--n", "8", "--machine", "tiny", "--symbolic"});
  EXPECT_NE(atomics.output.find("load and atomic: threads 0-7\n  out[0] = a0+a1+a2+a3+a4+a5+a6+a7\n"),
            std::string::npos)
      << atomics.output;
  EXPECT_EQ(atomics.output.find("holds \n"), std::string::npos) << atomics.output;
  const auto stores = runCli({"trace", "vector-add", "--n", "2", "--machine", "tiny"});
  EXPECT_NE(stores.output.find("  out[0] = 0, out[1] = "), std::string::npos) << stores.output;
  const Json last = parseOutput({"trace", "shared-tree-atomic", "--n", "8", "--json"})["phases"].back();
  EXPECT_EQ(last["global"]["out[0]"], 289) << last;
  const Json made = parseOutput({"trace", "one-thread", "--n", "8", "--symbolic", "--json"})["phases"].back();
  EXPECT_EQ(made["global"]["out[0]"], "a0+a1+a2+a3+a4+a5+a6+a7") << made;
}

TEST(CliOutput, OneThreadIsNotSeveral) {
  const auto one = runCli({"trace", "baseline", "--n", "1", "--machine", "tiny"});
  EXPECT_SAYS(one.output);
  const auto eight = runCli({"trace", "baseline", "--n", "8", "--machine", "tiny"});
  EXPECT_SAYS(eight.output);
}

TEST(CliOutput, WithoutSymbolsAWordIsItsNumber) {
  // The fill `hash` gives the eight elements 0 1 62 23 84 45 6 67 (worked out by hand below).
  const auto hash = [](std::uint32_t i) { return static_cast<double>((i * 2654435761u >> 16) % 100); };
  const Json trace = parseOutput({"trace", "baseline", "--n", "8", "--machine", "tiny", "--json"});
  const Json& phases = trace["phases"];
  ASSERT_EQ(phases.size(), 5u);
  double sum = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(phases[0]["shared"][i].get<double>(), hash(i));
    sum += hash(i);
  }
  EXPECT_EQ(phases[4]["shared"][0].get<double>(), sum);
}

TEST(CliOutput, SimulateGivesTheCountersAndTheHashOfTheReference) {
  std::istringstream lines(readAll(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-counters.jsonl"));
  std::string first;
  std::getline(lines, first);
  const Json line = parseJson(first);
  std::vector<std::string> arguments = {"simulate",
                                        LANESCOPE_SOURCE_DIR "/sim/tests/data/reductions.cu",
                                        "--kernel",
                                        line["kernel"],
                                        "--grid",
                                        "4,1",
                                        "--block",
                                        "64,1",
                                        "--dynamic-shared",
                                        "256",
                                        "--json"};
  for (const Json& spec : line["args"]) arguments.insert(arguments.end(), {"--arg", spec});
  const Json result = parseOutput(arguments);
  EXPECT_EQ(result["schema"], "lanescope.simulate/1");
  EXPECT_EQ(result["kernel"], "baseline");
  EXPECT_EQ(result["machine"], "nvidia");
  for (const auto& [name, value] : line["expect"].items()) EXPECT_EQ(result["counters"][name], value) << name;
  ASSERT_EQ(result["outputs"].size(), 1u);
  EXPECT_EQ(result["outputs"][0]["arg"], line["output_arg"]);
  EXPECT_EQ(result["outputs"][0]["sum"], line["output_sum"]);
  EXPECT_EQ(result["outputs"][0]["fnv1a"], line["output_fnv1a"]);
  EXPECT_TRUE(result["hazards"].is_array());
  std::map<std::string, std::uint64_t> ofLines;
  for (const Json& entry : result["lines"]) {
    EXPECT_GT(entry["line"], 0);
    for (const auto& [name, value] : entry["counters"].items()) ofLines[name] += value.get<std::uint64_t>();
  }
  for (const auto& [name, value] : result["counters"].items()) EXPECT_EQ(ofLines[name], value) << name;
  EXPECT_GT(result["counters"]["divergent_branches"], 0);
  EXPECT_DOUBLE_EQ(result["thread_efficiency"], result["counters"]["active_lanes"].get<double>() /
                                                    result["counters"]["lanes"].get<double>());
}

TEST(CliOutput, AStrategyByNAndByHandIsTheSameLaunch) {
  const Json byN = parseOutput({"simulate", "add-during-load", "--n", "512", "--blocks", "4", "--json"});
  const Json byHand =
      parseOutput({"simulate", "add-during-load", "--grid", "4", "--block", "64", "--dynamic-shared", "256",
                   "--arg", "f32:hash:512", "--arg", "f32:zero:4", "--json"});
  EXPECT_EQ(byN, byHand);
}

TEST(CliOutput, HostThreadsChangeNothing) {
  std::vector<std::string> arguments = {"simulate", "no-divergence", "--n", "8192", "--blocks",
                                        "64",       "--json"};
  const Json automatic = parseOutput(arguments);
  for (const char* threads : {"1", "2"}) {
    std::vector<std::string> with = arguments;
    with.insert(with.end(), {"--threads", threads});
    EXPECT_EQ(parseOutput(with), automatic);
  }
}

TEST(CliOutput, ListNamesTheSixStrategiesAndTheMachines) {
  const Json list = parseOutput({"list", "--json"});
  EXPECT_EQ(list["schema"], "lanescope.strategies/1");
  std::vector<std::string> ids;
  for (const Json& strategy : list["strategies"]) ids.push_back(strategy["id"]);
  const std::vector<std::string> expected = {"baseline",        "no-divergence",    "no-bank-conflict",
                                             "add-during-load", "unroll-last-warp", "shuffle"};
  ASSERT_GE(ids.size(), expected.size());
  for (const std::string& id : expected) EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
  EXPECT_EQ(list["machines"][0]["name"], "nvidia");
  const auto text = runCli({"list"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.output.find("tiny"), std::string::npos);
}

TEST(CliOutput, TheGlossaryDefinesOneTermOrAll) {
  const Json all = parseOutput({"glossary", "--json"});
  EXPECT_EQ(all["schema"], "lanescope.glossary/1");
  EXPECT_GT(all["terms"].size(), 50U);
  const Json one = parseOutput({"glossary", "bank conflicts", "--json"});
  ASSERT_EQ(one["terms"].size(), 1U);
  EXPECT_EQ(one["terms"][0]["term"], "bank conflict");
  const Json& lessons = one["terms"][0]["lessons"];
  EXPECT_NE(std::find(lessons.begin(), lessons.end(), "no-divergence"), lessons.end());
  const std::string definition = one["terms"][0]["definition"];
  const auto text = runCli({"glossary", "Bank Conflict"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.output.find(definition.substr(0, definition.find('.'))), std::string::npos) << text.output;
  const auto unknown = runCli({"glossary", "warpp"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_SAYS(unknown.complaint);
}

TEST(CliOutput, WithoutJsonAPersonReadsIt) {
  const auto simulated = runCli({"simulate", "baseline"});
  EXPECT_EQ(simulated.status, 0);
  EXPECT_SAYS(simulated.output);
  const auto traced = runCli({"trace", "unroll-last-warp", "--n", "8", "--machine", "tiny", "--symbolic"});
  EXPECT_EQ(traced.status, 0);
  EXPECT_NE(traced.output.find("step size 1: threads 0-1\n  [a0+a4+a2+a6+a1+a5+a3+a7, a1+a5+a3+a7+a2+a6,"),
            std::string::npos)
      << traced.output;
}

/// The baseline without the barrier of its loop.
std::string brokenBaseline(const ScratchFolder& scratch) {
  std::string text = readAll(LANESCOPE_SOURCE_DIR "/kernels/strategies/baseline.cu");
  const std::size_t at = text.rfind("__syncthreads();");
  return scratch.write("broken.cu", text.replace(at, 16, ""));
}

const std::vector<std::string> kLaunchByHand = {"--block",     "64",    "--dynamic-shared", "256", "--arg",
                                                "f32:hash:64", "--arg", "f32:zero:1"};

std::vector<std::string> commandOn(const char* command, const std::string& file,
                                   std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {command, file};
  arguments.insert(arguments.end(), kLaunchByHand.begin(), kLaunchByHand.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(CliHazards, AreToldWithLineThreadsAndFix) {
  const ScratchFolder scratch;
  const std::string file = brokenBaseline(scratch);
  const auto outcome = runCli(commandOn("simulate", file, {"--json"}));
  EXPECT_EQ(outcome.status, 1);  // the launch ran to its end, and is wrong
  const auto json = parseJson(outcome.output);
  ASSERT_FALSE(json["hazards"].empty());
  const auto& hazard = json["hazards"][0];
  EXPECT_EQ(hazard["severity"], "error");
  EXPECT_EQ(hazard["line"], 12);
  EXPECT_EQ(hazard["place"], "s[32]");
  EXPECT_EQ(hazard["first"]["thread"], parseJson("[0,0,0]"));
  EXPECT_EQ(hazard["second"]["thread"], parseJson("[32,0,0]"));
  EXPECT_NE(hazard["fix"].get<std::string>().find("loop on line 10"), std::string::npos);
  EXPECT_EQ(json["hazards_looked_at"]["complete"], true);
  const auto text = runCli(commandOn("simulate", file));
  EXPECT_SAYS(text.output);
}

TEST(CliHazards, DecideTheExitStatusWhereTheyAreErrors) {
  const ScratchFolder scratch;
  const std::string file = brokenBaseline(scratch);
  EXPECT_EQ(runCli(commandOn("simulate", file)).status, 1);
  EXPECT_EQ(runCli(commandOn("simulate", file, {"--hazards", "off"})).status, 0);
  EXPECT_EQ(runCli(commandOn("simulate", file, {"--csv"})).status, 0);
  EXPECT_EQ(runCli(commandOn("trace", file)).status, 0);
  // A warning alone does not: lanes that count on running in step.
  const auto warned = runCli({"simulate", "unroll-last-warp-racy", "--n", "256"});
  EXPECT_NE(warned.output.find("warning: "), std::string::npos) << warned.output;
  EXPECT_EQ(warned.output.find("error: "), std::string::npos) << warned.output;
  EXPECT_EQ(warned.status, 0);
}

TEST(CliHazards, MayBeSwitchedOff) {
  const auto json =
      parseJson(runCli({"simulate", "baseline", "--n", "64", "--hazards", "off", "--json"}).output);
  EXPECT_TRUE(json["hazards"].empty());
  EXPECT_TRUE(json["hazards_looked_at"].is_null());
  const auto clean = runCli({"simulate", "baseline", "--n", "64"});
  EXPECT_SAYS(clean.output);
}

TEST(CliLuck, TellsWhetherAResultDependsOnIt) {
  const auto clean = runCli({"luck", "baseline", "--n", "64", "--seeds", "2"});
  EXPECT_EQ(clean.status, 0) << clean.complaint;
  EXPECT_SAYS(clean.output);
  const ScratchFolder scratch;
  const auto broken = runCli(commandOn("luck", brokenBaseline(scratch), {"--json", "--seeds", "2"}));
  EXPECT_EQ(broken.status, 1);
  const auto json = parseJson(broken.output);
  EXPECT_EQ(json["schema"], "lanescope.luck/1");
  EXPECT_EQ(json["kernel"], "baseline");
  EXPECT_EQ(json["verdict"], "depends");
  EXPECT_EQ(json["seeds"]["tried"], 2);
  EXPECT_EQ(json["orders"].size(), 10u);
  EXPECT_EQ(json["orders"][0]["order"], "warps reversed");
  EXPECT_EQ(json["orders"][0]["array"], "out");
  EXPECT_NE(json["orders"][0]["expected"], json["orders"][0]["found"]);
}

TEST(CliOutput, ListsInColumns) {
  const auto outcome = runCli({"list"});
  ASSERT_EQ(outcome.status, 0);
  std::istringstream text(outcome.output);
  std::size_t column = 0;
  std::size_t entries = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.ends_with(':')) continue;
    const std::size_t gap = line.find("  ");
    ASSERT_NE(gap, std::string::npos) << line;
    const std::size_t begin = line.find_first_not_of(' ', gap);
    if (column == 0) column = begin;
    EXPECT_EQ(begin, column) << line;
    ++entries;
  }
  EXPECT_EQ(entries, strategies().size() + machinePresets().size());
}

TEST(CliOutput, SizesMayBePowers) {
  for (const char* command : {"simulate", "trace", "luck"}) {
    const auto number = runCli({command, "no-divergence", "--n", "1024", "--blocks", "4"});
    const auto power = runCli({command, "no-divergence", "--n", "2^10", "--blocks", "2^2"});
    EXPECT_EQ(power.status, 0) << power.complaint;
    EXPECT_EQ(power.output, number.output);
  }
  // A launch by hand is reported too: its extents, its shared memory, its buffers and its numbers.
  const auto byHand = [](const std::string& block, const std::string& bytes, const std::string& n) {
    return parseOutput({"simulate", "transpose-by-row", "--kernel", "transpose_by_row", "--grid",
                        "1," + block, "--block", block + "," + block, "--dynamic-shared", bytes, "--arg",
                        "f32:hash:" + n, "--arg", "f32:zero:" + n, "--arg", "u32=" + block, "--arg",
                        "u32=" + block, "--json"});
  };
  EXPECT_EQ(byHand("2^2", "2^4", "2^10"), byHand("4", "16", "1024"));
  EXPECT_EQ(runCli({"simulate", "baseline", "--max-instructions", "2^3"}).status, 1);
  EXPECT_EQ(runCli({"simulate", "baseline", "--max-instructions", "2^20"}).status, 0);
}

TEST(CliOutput, AStrategyIsSimulatedForEveryTypeOfElement) {
  const Json floats = parseOutput({"simulate", "no-bank-conflict", "--n", "1024", "--blocks", "4", "--json"});
  const char* const kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  for (const std::string type : {"float", "double", "int"}) {
    const Json json = parseOutput(
        {"simulate", "no-bank-conflict", "--n", "1024", "--blocks", "4", "--element", type, "--json"});
    EXPECT_EQ(json["outputs"].back()["sum"], floats["outputs"].back()["sum"]) << type;
    EXPECT_EQ(json["counters"][kSectors], type == "double" ? 256 : 128) << type;
    const Json trace = parseOutput(
        {"trace", "baseline", "--n", "8", "--machine", "tiny", "--element", type, "--symbolic", "--json"});
    EXPECT_EQ(trace["phases"][1]["label"], "step size 1") << type;
    // A double is two words and one entry.
    EXPECT_EQ(joined(trace["phases"][1]["shared"]), " a0+a1 a1 a2+a3 a3 a4+a5 a5 a6+a7 a7") << type;
    const Json numbers =
        parseOutput({"trace", "baseline", "--n", "8", "--machine", "tiny", "--element", type, "--json"});
    EXPECT_EQ(numbers["phases"].back()["shared"][0], 289) << type;
    EXPECT_EQ(numbers["phases"].back()["shared"].size(), 8U) << type;
  }
}

TEST(CliOutput, AnOperatorIsChosenByItsName) {
  // Those of a maximum are from 0 to 99, those of a minimum from 10: of 1024, some are 99 and some are 10.
  for (const auto& [op, kernel, result] :
       {std::tuple("max", "Maximum", 99), std::tuple("MINIMUM", "Minimum", 10)}) {
    for (const char* type : {"float", "double", "int"}) {
      const Json json = parseOutput(
          {"simulate", "warp-block-grid", "--n", "1024", "--op", op, "--element", type, "--json"});
      EXPECT_EQ(json["kernel"], "warp_block_grid<" + std::string(kernel) + ">");
      EXPECT_EQ(json["outputs"].back()["sum"], result) << op << ", " << type;
    }
  }
  EXPECT_EQ(parseOutput({"trace", "warp-block-grid", "--n", "64", "--op", "sum", "--json"}),
            parseOutput({"trace", "warp-block-grid", "--n", "64", "--json"}));
  EXPECT_EQ(parseOutput({"simulate", "warp-block-grid", "--n", "8", "--op", "prod", "--json"})["kernel"],
            "warp_block_grid<Product>");
  EXPECT_EQ(runCli({"luck", "warp-block-grid", "--n", "64", "--op", "min"}).status, 0);
}

TEST(CliOutput, AProductTellsSomethingAndIsNoSum) {
  const std::vector<std::string> product = {"warp-block-grid", "--n", "8", "--kernel",
                                            "warp_block_grid<Product>"};
  std::vector<std::string> arguments = {"simulate"};
  arguments.insert(arguments.end(), product.begin(), product.end());
  const auto simulated = runCli(arguments);
  EXPECT_EQ(simulated.status, 0);
  const std::size_t at = simulated.output.find("argument 1 holds ");
  ASSERT_NE(at, std::string::npos) << simulated.output;
  EXPECT_EQ(std::abs(std::stoi(simulated.output.substr(at + 17))), 144) << simulated.output;
  EXPECT_EQ(simulated.output.find(": sum"), std::string::npos) << simulated.output;
  arguments.front() = "trace";
  arguments.emplace_back("--symbolic");
  const auto traced = runCli(arguments);
  EXPECT_NE(traced.output.find("thread 0 holds a0\u00d7a4\u00d7a2\u00d7a6\n"), std::string::npos)
      << traced.output;
  const auto blocks = runCli({"simulate", "baseline", "--n", "64", "--blocks", "4"});
  EXPECT_SAYS(blocks.output);
}

TEST(CliOutput, AnyBlockOfAGridIsTraced) {
  const Json second = parseOutput({"trace", "baseline", "--n", "16", "--blocks", "2", "--machine", "tiny",
                                   "--trace-block", "1", "--symbolic", "--json"});
  EXPECT_EQ(joined(second["phases"][0]["shared"]), " a8 a9 a10 a11 a12 a13 a14 a15");
}

TEST(CliOutput, AWordOfAThousandsOfTermsIsShortened) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("double.cu",
                                         "__global__ void k(int* a) { __shared__ int s[1]; s[0] = a[0];\n"
                                         "  for (int i = 0; i < 70; ++i) s[0] += s[0];\n  a[0] = s[0]; }\n");
  const Json trace =
      parseOutput({"trace", file, "--block", "1", "--arg", "i32:hash1:1", "--symbolic", "--json"});
  ASSERT_TRUE(trace.is_object());
  const std::string word = trace["phases"].back()["shared"][0];
  EXPECT_LT(word.size(), 20000u);
  EXPECT_NE(word.find("\u2026"), std::string::npos);
}

// The launch by hand gives the kernel twice as many elements as its block takes.
TEST(CliOutput, AWrongResultIsAnErrorAndARightOneIsSaid) {
  const std::vector<std::string> byHand = {"simulate", "baseline", "--block",     "32",    "--dynamic-shared",
                                           "128",      "--arg",    "f32:hash:64", "--arg", "f32:zero:1"};
  const auto wrong = runCli(byHand);
  EXPECT_EQ(wrong.status, 1);
  EXPECT_SAYS(wrong.output);
  std::vector<std::string> asJson = byHand;
  asJson.emplace_back("--json");
  const auto json = parseJson(runCli(asJson).output);
  EXPECT_EQ(json["result"]["right"], false);
  const auto right = runCli({"simulate", "baseline", "--n", "64"});
  EXPECT_EQ(right.status, 0);
  EXPECT_SAYS(right.output);
  // What counts on luck is not called right without more ado.
  const auto lucky = runCli({"simulate", "unroll-last-warp-racy", "--n", "256"});
  EXPECT_SAYS(lucky.output);
  // For a file no result is expected.
  const auto file = runText("simulate", "__global__ void k(int* out) { out[threadIdx.x] = 1; }");
  EXPECT_EQ(file.output.find("result:"), std::string::npos);
}

TEST(Simulate, SaysHowManyAddressesOfConstantMemoryAreRead) {
  const ScratchFolder scratch;
  const std::string file =
      scratch.write("look_up.cu",
                    "__constant__ float table[8];\n__global__ void look_up(float* out) {\n"
                    "  out[threadIdx.x] = table[0] + table[threadIdx.x % 8];\n}\n");
  const std::vector<std::string> launch{"simulate", file, "--block", "64", "--arg", "f32:zero:64"};
  const auto text = runCli(launch);
  ASSERT_EQ(text.status, 0) << text.complaint;
  EXPECT_SAYS(text.output);
  std::vector<std::string> asked = launch;
  asked.emplace_back("--json");
  const auto json = parseJson(runCli(asked).output)["counters"];
  EXPECT_EQ(json["constant_loads"], 4);
  EXPECT_EQ(json["constant_addresses"], 18);
  EXPECT_EQ(json["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 0);
  EXPECT_EQ(runCli({"simulate", "baseline"}).output.find("constant memory"), std::string::npos);
}

TEST(CliOutput, ReplacesWhatAKernelPrintsThatIsNotUtf8) {
  const auto outcome = runText(
      "simulate", R"(__global__ void k(int* o) { printf("a\xff"); o[threadIdx.x] = 1; })", {"--json"}, "1");
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(parseJson(outcome.output)["printed"][0]["text"], "a\uFFFD");
}

}  // namespace
}  // namespace lanescope::cli
