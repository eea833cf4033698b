// Every number that a lesson gives for a counter, a time or a profile is compared with the simulator, a
// recording or a profile by source line, as lesson_numbers.txt says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/diagnosis.h"
#include "app/analysis/profiles.h"
#include "app/analysis/recording.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/lesson_text.h"
#include "app/workbench/tests/measurement_rows.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/access_costs.h"

namespace lanescope {
namespace {

/// Where an operand such as `wavefronts shuffle@512:4` leads.
struct Operand {
  std::string name;
  std::string strategy;
  std::uint64_t n = 0;
  std::uint64_t blocks = 0;  ///< 0: not given
  ElementType type = ElementType::Float;
};

const Counters& computeCounters(const Operand& operand) {
  static std::map<std::tuple<std::string, std::uint64_t, std::uint64_t, ElementType>, Counters> runs;
  const std::uint64_t blocks = std::max<std::uint64_t>(operand.blocks, 1);
  auto [run, isNew] = runs.try_emplace({operand.strategy, operand.n, blocks, operand.type});
  if (!isNew) return run->second;
  const Strategy* strategy = findStrategy(operand.strategy);
  if (strategy == nullptr) throw std::runtime_error("no strategy " + operand.strategy);
  const auto launch = makeLaunch(*strategy, operand.n, blocks, machinePresets().front(), operand.type);
  if (!launch) throw std::runtime_error(launch.error().sentence());
  const auto simulation = simulate(*launch);
  if (!simulation) throw std::runtime_error(simulation.error().sentence());
  return run->second = simulation->counters;
}

const BenchData& recorded(const std::string& name) {
  static std::map<std::string, BenchData> recordings;
  const auto [entry, isNew] = recordings.try_emplace(name);
  if (!isNew) return entry->second;
  const auto recording = loadRecording(LANESCOPE_SOURCE_DIR "/assets/recordings/" + name + ".jsonl");
  if (!recording) throw std::runtime_error(recording.error().sentence());
  return entry->second = recording->data();
}

BenchReading makeReading(const Operand& operand, const std::string& name, Scope scope, std::uint32_t block,
                         CacheState cache = CacheState::Cold) {
  const auto reading = recorded(name).reading(
      {operand.strategy, operand.n, block, cache, scope, operand.type, operand.blocks});
  if (!reading) throw std::runtime_error(name + " has no " + operand.strategy);
  return *reading;
}

/// What was measured of an experiment's kernel, by Variant::series: `exp` its median, `registers` per thread
/// or `resident` blocks per SM.
/// `n`: 0 for the experiment's own.
double ofExperiment(const std::string& what, const std::string& series, std::uint64_t n) {
  const Experiment* const experiment = findExperiment(series.substr(0, series.find(':')));
  if (experiment == nullptr) throw std::runtime_error("no experiment " + series);
  for (const auto& [key, one] : recorded("nvidia-h200_experiments").series()) {
    if (key.strategy != series || key.n != (n > 0 ? n : experiment->n)) continue;
    if (!one.result || !one.result->verified) continue;
    if (what == "exp") return one.result->medianUs;
    return static_cast<double>(what == "registers" ? one.result->registers : one.result->residentBlocks);
  }
  throw std::runtime_error("the experiments' recording has no " + series);
}

const LaunchProfile& findProfile(const Operand& operand) {
  static const auto profiles =
      loadProfiles(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_profile.jsonl");
  if (!profiles) throw std::runtime_error(profiles.error().sentence());
  const Strategy* strategy = findStrategy(operand.strategy);
  if (strategy == nullptr) throw std::runtime_error("no strategy " + operand.strategy);
  const LaunchProfile* const profile = profiles->find(*strategy);
  if (profile == nullptr) throw std::runtime_error("no profile of " + operand.strategy);
  return *profile;
}

/// Sectors of a warp's load of floats: lane l loads word offset + stride * l, `@stride:offset`.
double warpSectors(const Operand& operand) {
  std::array<std::uint64_t, 32> addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    addresses[lane] = 4 * (operand.blocks + operand.n * lane);
  return globalSectors(machinePresets().front(), addresses, ~0U, 4);
}

/// Wavefronts of a warp's load from shared memory: lane l loads the value number stride * l, each of `bytes`,
/// `@stride:bytes`.
double warpWavefronts(const Operand& operand) {
  std::array<std::uint32_t, 32> addresses{};
  for (std::uint32_t lane = 0; lane < addresses.size(); ++lane)
    addresses[lane] = static_cast<std::uint32_t>(operand.blocks * operand.n) * lane;
  const auto bytes = static_cast<unsigned>(operand.blocks);
  return sharedCost(machinePresets().front(), {.addresses = addresses, .mask = ~0U, .bytes = bytes})
      .wavefronts;
}

/// How many loads from global memory line `operand.n` compiles to, of those executed.
double machineLoads(const Operand& operand) {
  const auto& instructions = findProfile(operand).instructions;
  return static_cast<double>(std::ranges::count_if(instructions, [&](const ProfileInstruction& one) {
    return one.line == operand.n && one.counts.executed > 0 && one.sass.find("LDG") != std::string::npos;
  }));
}

/// Line `operand.n` of a strategy's text in its profile, and the profile's diagnosis.
std::pair<LineShare, Diagnosis> profiled(const Operand& operand) {
  const Diagnosis all = diagnose(findProfile(operand), {});
  const auto line = std::ranges::find(all.lines, operand.n, &LineShare::line);
  if (line == all.lines.end()) throw std::runtime_error("no such line of " + operand.strategy);
  return {*line, all};
}

double computePercent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

double computeValue(const Operand& operand) {
  using Count = std::function<double(const Counters&)>;
  static const std::map<std::string, Count> counts{
      {"wavefronts", [](const Counters& c) { return c.sharedWavefronts(); }},
      {"loadWavefronts", [](const Counters& c) { return c.sharedLoadWavefronts; }},
      {"storeWavefronts", [](const Counters& c) { return c.sharedStoreWavefronts; }},
      {"ideal", [](const Counters& c) { return c.sharedIdealWavefronts; }},
      {"conflicts", [](const Counters& c) { return c.bankConflicts(); }},
      {"loadRequests", [](const Counters& c) { return c.globalLoadRequests; }},
      {"storeRequests", [](const Counters& c) { return c.globalStoreRequests; }},
      {"sectorsRead", [](const Counters& c) { return c.globalLoadSectors; }},
      {"sectorsWritten", [](const Counters& c) { return c.globalStoreSectors; }},
      {"sectorsReduced", [](const Counters& c) { return c.globalReductionSectors; }},
      {"atomics", [](const Counters& c) { return c.atomics; }},
      {"barriers", [](const Counters& c) { return c.barriers; }},
      {"shuffles", [](const Counters& c) { return c.shuffles; }},
      {"instructions", [](const Counters& c) { return c.instructions; }},
      {"branches", [](const Counters& c) { return c.branches; }},
      {"divergent", [](const Counters& c) { return c.divergentBranches; }},
      {"lanes", [](const Counters& c) { return 100 * c.laneEfficiency(); }},
  };
  using Measure = std::function<double(const Operand&)>;
  static const std::map<std::string, Measure> measures{
      {"us", [](const Operand& o) { return makeReading(o, "nvidia-h200", Scope::Kernel, 256).medianUs; }},
      {"gbps", [](const Operand& o) { return makeReading(o, "nvidia-h200", Scope::Kernel, 256).gbps; }},
      {"h100Us", [](const Operand& o) { return makeReading(o, "nvidia-h100", Scope::Kernel, 256).medianUs; }},
      {"cubUs",
       [](const Operand& o) { return makeReading(o, "nvidia-h200_cub", Scope::Full, 512).medianUs; }},
      {"warmCubUs",
       [](const Operand& o) {
         return makeReading(o, "nvidia-h200_cub", Scope::Full, 512, CacheState::Warm).medianUs;
       }},
      {"fullUs",
       [](const Operand& o) {
         const char* const name = o.blocks == 0 ? "nvidia-h200_one_value" : "nvidia-h200_blocks";
         return makeReading(o, name, Scope::Full, 256).medianUs;
       }},
      {"ceiling", [](const Operand&) { return recorded("nvidia-h200").ceiling()->gbps; }},
      {"h100Ceiling", [](const Operand&) { return recorded("nvidia-h100").ceiling()->gbps; }},
  };
  static const std::map<std::string, Measure> constants{
      {"sms", [](const Operand&) { return recorded("nvidia-h200").hello()->sms; }},
      {"blocksPerSm", [](const Operand& o) { return findStrategy(o.strategy)->blocksPerSm; }},
      {"warpSize", [](const Operand&) { return machinePresets().front().warpSize; }},
      {"banks", [](const Operand&) { return machinePresets().front().banks; }},
      {"sectorBytes", [](const Operand&) { return machinePresets().front().sectorBytes; }},
      {"wordBytes", [](const Operand&) { return elementBytes(ElementType::Float); }},
      {"machineLoads", machineLoads},
      {"warpSectors", warpSectors},
      {"warpWavefronts", warpWavefronts},
  };
  static const std::map<std::string, Measure> profiles{
      {"samples",
       [](const Operand& o) {
         const auto [line, all] = profiled(o);
         return computePercent(line.counts.samples, all.samples);
       }},
      {"executed",
       [](const Operand& o) {
         const auto [line, all] = profiled(o);
         return computePercent(line.counts.executed, all.executed);
       }},
      {"executions", [](const Operand& o) { return profiled(o).first.counts.executed; }},
      {"profiledUs",
       [](const Operand& o) { return *findMetric(findProfile(o).kernel, ProfileMetric::Duration) / 1000; }},
      {"peak", [](const Operand& o) { return diagnose(findProfile(o), {}).nearestUnit()->percent; }},
      {"issueSlots",
       [](const Operand& o) { return *findMetric(findProfile(o).kernel, ProfileMetric::IssueSlots); }},
      {"l1", [](const Operand& o) { return *findMetric(findProfile(o).kernel, ProfileMetric::L1); }},
      {"l2", [](const Operand& o) { return *findMetric(findProfile(o).kernel, ProfileMetric::L2); }},
  };
  if (const auto count = counts.find(operand.name); count != counts.end())
    return count->second(computeCounters(operand));
  if (const auto measure = measures.find(operand.name); measure != measures.end())
    return measure->second(operand);
  if (const auto profile = profiles.find(operand.name); profile != profiles.end())
    return profile->second(operand);
  if (const auto constant = constants.find(operand.name); constant != constants.end())
    return constant->second(operand);
  throw std::runtime_error("nothing is called " + operand.name);
}

/// Reads `100 - 100 * us@2^28 / us shuffle@2^28`: products before sums, from left to right.
class Expression {
 public:
  Expression(std::string text, std::string strategy)
      : text_(std::move(text)), strategy_(std::move(strategy)) {}

  double value() {
    double sum = product();
    while (!rest().empty()) {
      const char sign = consume();
      if (sign != '+' && sign != '-') throw std::runtime_error("cannot read " + text_);
      sum += sign == '+' ? product() : -product();
    }
    return sum;
  }

 private:
  std::string_view rest() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return std::string_view(text_).substr(at_);
  }
  char consume() {
    rest();
    return text_[at_++];
  }

  double product() {
    double all = operand();
    while (rest().starts_with('*') || rest().starts_with('/')) {
      const char sign = consume();
      all = sign == '*' ? all * operand() : all / operand();
    }
    return all;
  }

  double operand() {
    static const std::regex number(R"(^\d+(\.\d+)?)");
    static const std::regex experiment(R"(^(exp|registers|resident)\(([^)]*)\)(?:@2\^(\d+))?)");
    static const std::regex measurement(R"(^measured\(([^:)]*): ([^)]*)\))");
    static const std::regex form(
        R"(^([A-Za-z]\w*)(?: ([a-z][a-z0-9-]*))?(?:@(2\^)?(\d+)([di]?)(?::(\d+))?)?)");
    const std::string text(rest());
    std::smatch found;
    if (std::regex_search(text, found, number)) {
      at_ += static_cast<std::size_t>(found.length());
      return std::stod(found.str());
    }
    if (std::regex_search(text, found, experiment)) {
      at_ += static_cast<std::size_t>(found.length());
      const std::uint64_t n = found[3].matched ? std::uint64_t{1} << std::stoull(found[3]) : 0;
      return ofExperiment(found[1], found[2], n);
    }
    if (std::regex_search(text, found, measurement)) {
      at_ += static_cast<std::size_t>(found.length());
      return measurementRow(found[1], found[2]).at(0);
    }
    if (!std::regex_search(text, found, form)) throw std::runtime_error("cannot read " + text);
    at_ += static_cast<std::size_t>(found.length());
    Operand operand{found[1], found[2].matched ? found[2].str() : strategy_};
    if (found[4].matched) operand.n = std::stoull(found[4]);
    if (found[3].matched) operand.n = std::uint64_t{1} << operand.n;
    if (found[5] == "d") operand.type = ElementType::Double;
    if (found[5] == "i") operand.type = ElementType::Int;
    if (found[6].matched) operand.blocks = std::stoull(found[6]);
    return computeValue(operand);
  }

  std::string text_;
  std::string strategy_;
  std::size_t at_ = 0;
};

/// True if a number such as `1,134` or `5.2` is that value, as exactly as it is written.
bool states(std::string number, double value) {
  std::erase(number, ',');
  const std::size_t point = number.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : number.size() - point - 1;
  const double off = std::abs(std::stod(number) - value);
  const double rounding = 0.5 * std::pow(10.0, -static_cast<double>(decimals)) + 1e-9;
  return off <= rounding;
}

/// A line of lesson_numbers.txt.
struct Claim {
  std::string text;
  std::string work;        ///< whose numbers the text quotes; empty: every number is known here
  std::string expression;  ///< what a text without numbers says of a value; empty: it has numbers
  double least = 0;        ///< that value must be
  double most = 0;
};

std::map<std::string, std::vector<Claim>> readClaims() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/app/workbench/tests/lesson_numbers.txt");
  static const std::regex quoted("> ([^:]+): (.*)");
  static const std::regex worded(R"(~ (.*): \{([^}]*)\} in ([\d.]+)\.\.([\d.]+))");
  std::map<std::string, std::vector<Claim>> claims;
  std::string lesson;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      lesson = line.substr(1, line.find(']') - 1);
      claims[lesson];
    } else {
      std::smatch found;
      Claim claim{line, {}, {}};
      if (std::regex_match(line, found, quoted)) {
        claim = {found[2], found[1], {}};
      } else if (std::regex_match(line, found, worded)) {
        claim = {found[1], {}, found[2], std::stod(found[3]), std::stod(found[4])};
      }
      claims[lesson].push_back(std::move(claim));
    }
  }
  return claims;
}

/// Finds a claim in words, and checks the value that it speaks of.
void checkWords(const std::string& id, const Claim& claim, const std::string& lesson) {
  EXPECT_NE(lesson.find(claim.text), std::string::npos) << id << " does not say: " << claim.text;
  const double value = Expression(claim.expression, id).value();
  EXPECT_TRUE(value >= claim.least && value <= claim.most)
      << id << ": '" << claim.text << "', and " << claim.expression << " is " << value;
}

/// Finds the claim in the lesson, checks its numbers, and blanks it there.
void checkClaim(const std::string& id, const Claim& claim, std::string& lesson) {
  static const std::regex place(R"(\{([^}]*)\})");
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  std::string form;
  std::vector<std::string> expressions;
  std::size_t at = 0;
  const auto literal = [&](std::size_t end) {
    return std::regex_replace(claim.text.substr(at, end - at), special, R"(\$&)");
  };
  for (std::sregex_iterator hole(claim.text.begin(), claim.text.end(), place), end; hole != end; ++hole) {
    const auto begin = static_cast<std::size_t>(hole->position());
    form += literal(begin) + R"((\d[\d,]*(?:\.\d+)?))";
    expressions.push_back((*hole)[1]);
    at = begin + static_cast<std::size_t>(hole->length());
  }
  form += literal(claim.text.size());
  EXPECT_TRUE(!claim.work.empty() || !expressions.empty()) << id << ": " << claim.text;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(lesson, found, std::regex(form))) << id << " does not say: " << claim.text;
  const std::string before = found.prefix();
  const std::string section = before.substr(std::min(before.rfind("## "), before.size()));
  EXPECT_TRUE(claim.work.empty() || section.find(claim.work) != std::string::npos)
      << id << " quotes without naming " << claim.work << ": " << found.str();
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::string written = found[i + 1];
    static const std::regex equals(" = ");
    const std::string& all = expressions[i];
    for (std::sregex_token_iterator part(all.begin(), all.end(), equals, -1), end; part != end; ++part) {
      const double value = Expression(*part, id).value();
      EXPECT_TRUE(states(written, value))
          << id << ": '" << found.str() << "' says " << written << ", and " << *part << " is " << value;
    }
  }
  lesson.replace(static_cast<std::size_t>(found.position()), static_cast<std::size_t>(found.length()), "·");
}

/// Code, names with numbers (`threads 0 to 31`, `N = 64`) and the size of what is counted (`256 threads`)
/// blanked: what is left are numbers that count or measure something.
std::string withoutNames(const std::string& sentence) {
  static const std::regex code("`[^`]*`");
  static const std::regex named(
      R"((\b([Tt]hreads?|[Ll]anes?|[Ww]arps?|[Ww]ords?|[Bb]anks?|[Ss]teps?( size)?|[Ee]lements?|[Ll]ines?|[Ll]ecture|[Vv]alue|[Cc]apability|mod|[A-Za-z] =|RTX)\**:?( of)?))"
      R"(( \**([a-z] \+ )?\d[\d,]*\**,?( to| and( then)?| …| those of)?)+)");
  static const std::regex sized(
      R"((\b[A-Za-z] \+ \d+|\b2\^\d+|blocks of \d+|\d[\d,]*( by \d+)? (elements|threads|floats|ints|points|words|bits|bytes|lanes)\b|\d by \d+))");
  std::string text = std::regex_replace(sentence, code, "·");
  text = std::regex_replace(text, named, "·");
  return std::regex_replace(text, sized, "·");
}

TEST(LessonNumbers, AreWhatTheSimulatorAndTheRecordingsSay) {
  static const std::regex counted(
      R"(wavefront|conflict|barrier|branch|sector|shuffle|atomic|request|instruction|sample|hazard)"
      R"(|% of|lanes.*active|active.*lanes|\d (loads|stores)\b|µs|\bms\b|GB/s)",
      std::regex::icase);
  static const std::regex number(R"((^|[^\w^.,+])(\d[\d,]*(\.\d+)?))");
  static const std::regex sentenceEnd(R"([.!?] |\n)");
  auto claims = readClaims();
  for (const Strategy& strategy : strategies()) {
    const std::string id(strategy.id);
    std::string lesson = onLines(strategy.lesson);
    for (const Claim& claim : claims[id]) {
      if (!claim.expression.empty()) checkWords(id, claim, lesson);
    }
    for (const Claim& claim : claims[id]) {
      if (claim.expression.empty()) checkClaim(id, claim, lesson);
    }
    const std::sregex_token_iterator end;
    for (std::sregex_token_iterator at(lesson.begin(), lesson.end(), sentenceEnd, -1); at != end; ++at) {
      const std::string sentence = withoutNames(*at);
      const bool isUncovered = std::regex_search(sentence, counted) && std::regex_search(sentence, number);
      EXPECT_FALSE(isUncovered) << id << ": no line of lesson_numbers.txt covers '" << sentence << "'";
    }
  }
  EXPECT_EQ(claims.size(), strategies().size()) << "a lesson of lesson_numbers.txt is no strategy's";
}

}  // namespace
}  // namespace lanescope
