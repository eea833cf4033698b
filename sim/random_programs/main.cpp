// lanescope-random-programs: random C++ programs, the simulator beside a compiler. See README.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#include "sim/random_programs/compare.h"
#include "sim/random_programs/features.h"

namespace {

using namespace lanescope::random_programs;

struct Settings {
  std::uint64_t first = 1;
  std::uint64_t count = 1000;
  unsigned batch = 25;
  unsigned threads = 2;
  unsigned shrinks = 0;
  std::vector<std::string> commands = {"g++ -std=c++20 -w -O0"};
  std::string folder = LANESCOPE_FEATURES;
  std::string only;
  bool shrinksRefused = false;
  bool showsText = false;
};

class Run {
 public:
  Run(const Settings& settings, std::vector<Feature> features)
      : settings_(settings), features_(std::move(features)), next_(settings.first) {}

  int all() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < settings_.threads; ++i) threads.emplace_back([this] { batches(); });
    for (std::thread& thread : threads) thread.join();
    fmt::print("{} equal, {} refused, {} different, {} invalid\n", counts_[Verdict::Equal],
               counts_[Verdict::Refused], counts_[Verdict::Different], counts_[Verdict::Invalid]);
    return counts_[Verdict::Different] + counts_[Verdict::Invalid] == 0 ? 0 : 1;
  }

 private:
  void batches() {
    const std::uint64_t end = settings_.first + settings_.count;
    while (true) {
      const std::uint64_t begin = next_.fetch_add(settings_.batch);
      if (begin >= end) return;
      std::vector<Program> programs;
      for (std::uint64_t seed = begin; seed < std::min(begin + settings_.batch, end); ++seed)
        programs.push_back(randomProgram(seed, features_));
      const std::vector<Comparison> rows = compare(settings_.commands, programs, settings_.shrinksRefused);
      for (std::size_t i = 0; i < rows.size(); ++i) report(programs[i], rows[i]);
      std::fflush(stdout);
    }
  }

  void report(const Program& program, const Comparison& row) {
    static constexpr const char* kNames[] = {"equal", "refused", "different", "invalid"};
    const std::lock_guard<std::mutex> lock(mutex_);
    ++counts_[row.verdict];
    if (row.verdict == Verdict::Equal) return;
    fmt::print("{} {} [{}] {}\n", kNames[static_cast<int>(row.verdict)], program.seed, program.features,
               row.says);
    if (row.verdict == Verdict::Invalid || shrunk_ == settings_.shrinks) return;
    if (row.verdict == Verdict::Refused && !settings_.shrinksRefused) return;
    ++shrunk_;
    fmt::print("{}\n", within(shrunk(settings_.commands, program, row), ""));
  }

  const Settings& settings_;
  std::vector<Feature> features_;
  std::atomic<std::uint64_t> next_;
  std::mutex mutex_;
  std::map<Verdict, unsigned> counts_;
  unsigned shrunk_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random C++ programs: what the simulator leaves beside what a compiler's program leaves."};
  Settings settings;
  const CLI::Range kMany(1, 1'000'000'000);
  app.add_option("--first", settings.first, "first seed")->capture_default_str();
  app.add_option("--count", settings.count, "how many")->capture_default_str()->check(kMany);
  app.add_option("--batch", settings.batch, "programs per call of a compiler")
      ->capture_default_str()
      ->check(kMany);
  app.add_option("--threads", settings.threads, "calls at once")->capture_default_str()->check(kMany);
  app.add_option("--shrink", settings.shrinks, "how many differences to shrink and print")
      ->capture_default_str();
  app.add_flag("--refused", settings.shrinksRefused, "check and shrink refused programs as well");
  app.add_option("--compiler", settings.commands, "the command that compiles a text; several must agree")
      ->capture_default_str()
      ->allow_extra_args(false);
  app.add_option("--features", settings.folder, "the folder of their texts")
      ->capture_default_str()
      ->force_callback()  // a default folder, too, can be missing
      ->check(CLI::ExistingDirectory);
  app.add_option("--only", settings.only, "features whose names contain this");
  app.add_flag("--text", settings.showsText, "print the program of the first seed");
  CLI11_PARSE(app, argc, argv);
  std::vector<Feature> features;
  std::string others;
  for (const Feature& feature : readFeatures(settings.folder)) {
    if (feature.name.find(settings.only) != std::string::npos)
      features.push_back(feature);
    else
      others.append("\n  ").append(feature.name);
  }
  if (features.empty()) {
    fmt::print(stderr, "No feature in {} has '{}' in its name. They are:{}\n", settings.folder, settings.only,
               others);
    return 2;
  }
  if (settings.showsText) {
    fmt::print("{}", within(randomProgram(settings.first, features), ""));
    return 0;
  }
  return Run(settings, features).all();
}
