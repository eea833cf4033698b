#include "app/analysis/recording.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "app/base/host.h"
#include "app/base/whole.h"
#include "kernels/protocol/profile_record.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQuotedRecording = "nvidia-h200.jsonl";  // the lessons quote its times
// Endings of the names of recordings that are not of strategies' times.
constexpr std::string_view kProfileEnding = "_profile";
constexpr std::string_view kExperimentsEnding = "_experiments";
constexpr std::string_view kExperimentProfileEnding = "_experiments_profile";
constexpr std::string_view kRatesEnding = "_rates";
constexpr std::uintmax_t kMaxRecordingBytes = 16U << 20U;

Error atLine(const std::string& name, std::size_t line, const std::string& what) {
  return Error{"The recording '" + name + "' cannot be read, line " + std::to_string(line) + ": " + what};
}

/// The recording made on the same GPU as the quoted one, with that ending of its name; nullopt if it is
/// missing.
std::optional<fs::path> besideTheQuoted(std::string_view ending) {
  std::error_code code;
  const std::string stem = fs::path(kQuotedRecording).stem().string();
  fs::path path = recordingsFolder() / (stem + std::string(ending) + ".jsonl");
  if (!fs::is_regular_file(path, code)) return std::nullopt;
  return path;
}

/// The error if this message cannot be the recording's first.
std::optional<Error> checkFirst(const WorkerMessage& message) {
  const auto* hello = std::get_if<HelloMessage>(&message);
  if (hello == nullptr) return Error{"it does not begin with the worker's hello."};
  return protocolMismatch(*hello);
}

/// The strategy that a message names by a former id has its present one.
void renew(WorkerMessage& message) {
  std::string* id = nullptr;
  if (auto* sample = std::get_if<SampleMessage>(&message)) id = &sample->series.strategy;
  if (auto* result = std::get_if<ResultMessage>(&message)) id = &result->series.strategy;
  if (auto* profile = std::get_if<ProfileMessage>(&message)) id = &profile->strategy;
  if (id == nullptr) return;
  if (const Strategy* const strategy = findStrategy(*id)) *id = strategy->id;
}

/// The elements of the series that a message is about; nullopt if it is not about one.
std::optional<std::uint64_t> computeSize(const WorkerMessage& message) {
  if (const auto* sample = std::get_if<SampleMessage>(&message)) return sample->series.n;
  if (const auto* result = std::get_if<ResultMessage>(&message)) return result->series.n;
  return std::nullopt;
}

}  // namespace

std::string Recording::title() const {
  const auto* hello = messages.empty() ? nullptr : std::get_if<HelloMessage>(&messages.front());
  return hello == nullptr ? std::string() : hello->gpu + ", " + hello->date;
}

std::string Recording::label() const { return name.empty() ? title() : title() + ", " + name; }

BenchData Recording::data() const {
  BenchData data;
  for (const WorkerMessage& message : messages) data.apply(message);
  return data;
}

Result<Recording> parseRecording(std::string_view text, const std::string& name) {
  Recording recording;
  recording.name = fs::path(name).stem().string();
  RecordReader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto messages = reader.receive(line);
    if (!messages) return atLine(name, number, messages.error().sentence());
    for (WorkerMessage& message : messages.value()) {
      if (recording.messages.empty()) {
        if (const auto problem = checkFirst(message)) return atLine(name, number, problem->sentence());
      }
      recording.messages.push_back(std::move(message));
      renew(recording.messages.back());
    }
  }
  if (recording.messages.empty()) return Error{"The recording '" + name + "' is empty."};
  return recording;
}

Result<Recording> loadRecording(const fs::path& path) {
  const std::string name = path.filename().string();
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return Error{"There is no recording '" + path.string() + "'."};
  const std::uintmax_t bytes = fs::file_size(path, code);
  if (code || bytes > kMaxRecordingBytes) {
    return Error{"The recording '" + name + "' is over 16 MB."};
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file) return Error{"The recording '" + path.string() + "' cannot be read."};
  return parseRecording(text, name);
}

fs::path recordingsFolder() { return sharedFolder() / "recordings"; }

std::vector<fs::path> shippedRecordings() {
  std::error_code code;
  const fs::path folder = recordingsFolder();
  std::vector<fs::path> found;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    const std::string stem = entry->path().stem().string();
    const bool isOfStrategies = !stem.ends_with(kProfileEnding) && !stem.ends_with(kExperimentsEnding) &&
                                !stem.ends_with(kRatesEnding);
    if (entry->path().extension() == ".jsonl" && isOfStrategies) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  std::stable_partition(found.begin(), found.end(),
                        [](const fs::path& path) { return path.filename() == kQuotedRecording; });
  return found;
}

Result<fs::path> shippedProfileRecording() {
  if (auto path = besideTheQuoted(kProfileEnding)) return *path;
  return Error{"No recording of profiles is in '" + recordingsFolder().string() + "'.",
               "lanescope-gpu profile all --record FILE makes one on a machine with Nsight Compute."};
}

Result<fs::path> shippedExperimentRecording() {
  if (auto path = besideTheQuoted(kExperimentsEnding)) return *path;
  return Error{"No recording of the experiments ships with this program.",
               "Time them on a GPU: --worker lanescope-gpu, or simulate them: --simulate."};
}

Result<fs::path> shippedExperimentProfileRecording() {
  if (auto path = besideTheQuoted(kExperimentProfileEnding)) return *path;
  return Error{"No recording of the experiments' profiles ships with this program.",
               "lanescope-gpu profile ID --record FILE makes one on a machine with Nsight Compute."};
}

Result<fs::path> shippedRecording() {
  const std::vector<fs::path> found = shippedRecordings();
  if (!found.empty()) return found.front();
  return Error{"No recording of a GPU run is in '" + recordingsFolder().string() + "'."};
}

void RecordingPlayer::restart(std::uint64_t size) {
  std::set<std::uint64_t> sizes;
  for (const WorkerMessage& message : recording_.messages) {
    if (const auto n = computeSize(message)) sizes.insert(*n);
  }
  size_ = sizes.contains(size)         ? size
          : sizes.contains(kUsualSize) ? kUsualSize
          : sizes.empty()              ? 0
                                       : *sizes.rbegin();
  order_.resize(recording_.messages.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto played = std::stable_partition(order_.begin(), order_.end(), [&](std::size_t index) {
    return computeSize(recording_.messages[index]) != size_;
  });
  atOnce_ = static_cast<std::size_t>(played - order_.begin());
  data_ = BenchData();
  next_ = 0;
}

std::size_t RecordingPlayer::dueAt(double elapsed) const {
  const std::size_t total = order_.size();
  if (seconds_ <= 0 || elapsed >= seconds_) return total;  // at once: there is no share to take
  const double share = std::max(0.0, elapsed) / seconds_;
  return atOnce_ + toWhole<std::size_t>(share * static_cast<double>(total - atOnce_));
}

bool RecordingPlayer::advanceTo(double elapsed) {
  const std::size_t due = dueAt(elapsed);
  if (due < next_) {
    data_ = BenchData();
    next_ = 0;
  }
  const bool added = due > next_;
  while (next_ < due) data_.apply(recording_.messages[order_[next_++]]);
  return added;
}

double ExperimentTimes::us(std::size_t variant) const {
  const auto& result = results[variant];
  return result && result->verified ? result->medianUs : 0;
}

bool ExperimentTimes::isComplete() const {
  return std::ranges::all_of(results, [](const auto& result) { return result && result->verified; });
}

ExperimentTimes readTimes(const Experiment& experiment, const BenchData& data, std::uint64_t n) {
  auto variants = makeVariants(experiment);
  if (!variants) throw std::invalid_argument(variants.error().sentence());
  ExperimentTimes times{&experiment, std::move(variants).value(), {}, {}};
  const CacheState cache = experiment.isWarm ? CacheState::Warm : CacheState::Cold;
  std::string date;
  for (const Variant& variant : times.variants) {
    const BenchSeries* const series =
        data.find({variant.series, n > 0 ? n : experiment.n, variant.block, cache, Scope::Kernel,
                   experiment.type, variant.strategy.takesBlocks() ? variant.blocks : 0});
    times.results.push_back(series == nullptr ? std::nullopt : series->result);
    if (series != nullptr && !series->date.empty()) date = series->date;
  }
  if (const auto& hello = data.hello())
    times.source = hello->gpu + ", " + (date.empty() ? hello->date : date);
  return times;
}

std::string factorNames(const Experiment& experiment) {
  std::string names;
  for (const ExperimentFactor& factor : experiment.factors)
    names += (names.empty() ? "" : ", ") + factor.name;
  return names;
}

std::string effectTitle(const Experiment& experiment, const Effect& effect) {
  const ExperimentFactor& factor = experiment.factors[effect.factor];
  return factor.name + ": " + factor.levels[effect.level].name + " instead of " + factor.levels.front().name;
}

std::string effectPlace(const Experiment& experiment, const Variant& variant, std::size_t factor) {
  std::string place;
  for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
    if (f != factor)
      place += (place.empty() ? "" : ", ") + experiment.factors[f].levels[variant.levels[f]].name;
  }
  return place;
}

Result<Recording> shippedExperiments() {
  const auto path = shippedExperimentRecording();
  if (!path) return path.error();
  return loadRecording(*path);
}

}  // namespace lanescope
