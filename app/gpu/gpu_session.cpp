#include "app/gpu/gpu_session.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/text_parts.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

constexpr std::size_t kNamed = 4;  ///< strategies that one reason names

BenchRequest wholeRequest(const BenchPlan& plan, std::uint64_t n) {
  BenchRequest request;
  request.strategies = plan.strategies;
  request.n = n;
  request.block = plan.setting.block;
  request.cold = plan.setting.cache == CacheState::Cold;
  request.warm = !request.cold;
  request.scope = plan.setting.scope;
  request.type = plan.setting.type;
  request.maxSamples = plan.maxSamples;
  request.blocks = plan.blocks;
  return request;
}

/// True if that strategy of the plan can be timed at that size, whatever the number of blocks.
bool isPossible(const BenchPlan& plan, const std::string& id, std::uint64_t n) {
  BenchRequest alone = wholeRequest(plan, n);
  alone.strategies = {id};
  alone.blocks = 0;
  return static_cast<bool>(makeContenders(alone));
}

bool leavesNobody(const BenchPlan& plan, std::uint64_t n) {
  return !plan.strategies.empty() && std::ranges::none_of(plan.strategies, [&](const std::string& id) {
    return isPossible(plan, id, n);
  });
}

/// Why a strategy is left out, and of which of the plan's sizes.
struct Absence {
  std::string why;                     ///< `for being so slow`
  std::vector<std::uint64_t> sizes{};  ///< empty: of all, for a reason that does not depend on them
  std::uint64_t largest = 0;           ///< over 0: it is timed up to there
};

/// The reason why the setting excludes the strategy at every size; nullopt if the size decides.
std::optional<Absence> absenceOfAll(const BenchSetting& setting, const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  if (strategy == nullptr && id != kCubId) return Absence{"for being unknown here"};
  if (strategy == nullptr)
    return setting.scope == Scope::Full ? std::nullopt : std::optional(Absence{"for being no single kernel"});
  if (!strategy->takes(setting.type))
    return Absence{"for not taking " + std::string(elementTypeName(setting.type))};
  if (setting.scope == Scope::Full && !strategy->reducesToOne())
    return Absence{"for not reducing to one value"};
  return std::nullopt;
}

std::vector<Absence> findAbsences(const BenchPlan& plan, const std::string& id) {
  if (auto absence = absenceOfAll(plan.setting, id)) return {*std::move(absence)};
  const Strategy* strategy = findStrategy(id);
  Absence slow{"for being so slow"};
  Absence unfit{"for not fitting blocks of " + counted(plan.setting.block, "thread")};
  for (const std::uint64_t n : plan.sizes) {
    if (strategy != nullptr && !isTimedAt(*strategy, n))
      slow.largest = strategy->largestN;
    else if (!isPossible(plan, id, n))
      unfit.sizes.push_back(n);
  }
  std::vector<Absence> absences;
  if (slow.largest > 0) absences.push_back(std::move(slow));
  if (!unfit.sizes.empty()) absences.push_back(std::move(unfit));
  return absences;
}

/// ` at N = 2^12, 2^14 and 2^16`, ` above N = 2^18`, or empty.
std::string whereText(const Absence& absence) {
  if (absence.largest > 0) return " above N = " + sizeText(absence.largest);
  std::vector<std::string> sizes;
  for (const std::uint64_t n : absence.sizes) sizes.push_back(sizeText(n));
  return sizes.empty() ? "" : " at N = " + listedBriefly(sizes, kNamed);
}

}  // namespace

BenchRequest makeRequest(const BenchPlan& plan, std::uint64_t n) {
  BenchRequest request = wholeRequest(plan, n);
  if (!leavesNobody(plan, n))
    std::erase_if(request.strategies, [&](const std::string& id) { return !isPossible(plan, id, n); });
  return request;
}

Result<std::vector<BenchRequest>> makeRequests(const BenchPlan& plan) {
  if (plan.sizes.empty()) return Error{"No N was chosen."};
  const auto isForNobody = [&](std::uint64_t n) { return leavesNobody(plan, n); };
  const bool isRefused = std::ranges::all_of(plan.sizes, isForNobody);
  std::vector<BenchRequest> requests;
  for (const std::uint64_t n : plan.sizes) {
    if (isForNobody(n) && !isRefused) continue;
    requests.push_back(makeRequest(plan, n));
    // All of them or none: a number of blocks may be right for a small N only.
    if (const auto chosen = makeContenders(requests.back()); !chosen) return chosen.error();
  }
  return requests;
}

std::string leftOutText(const BenchPlan& plan) {
  // By reason, then by place: the strategies that are left out, in the plan's order.
  std::map<std::string, std::map<std::pair<std::uint64_t, std::string>, std::vector<std::string>>> reasons;
  for (const std::string& id : plan.strategies) {
    for (const Absence& absence : findAbsences(plan, id))
      reasons[absence.why][{absence.largest, whereText(absence)}].push_back("'" + id + "'");
  }
  std::string text;
  for (const auto& [why, places] : reasons) {
    std::string who;
    for (const auto& [place, ids] : places)
      who += (who.empty() ? "" : "; ") + listedBriefly(ids, kNamed) + place.second;
    text += text.empty() ? "Left out " : " Left out ";
    text.append(why).append(": ").append(who).append(".");
  }
  return text;
}

namespace {

/// `14:05`, on this computer's clock.
std::string timeOfDay() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 8> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M", &local)};
}

}  // namespace

GpuSession::GpuSession(GpuSessionOptions options)
    : options_(std::move(options)), text_(options_.executor), client_(options_.worker) {}

std::optional<Error> GpuSession::run(const BenchPlan& plan) {
  leftOut_.clear();
  const auto requests = makeRequests(plan);
  if (!requests) return requests.error();
  for (const BenchRequest& request : *requests) {
    const auto run = client_.bench(request);
    if (!run) return run.error();
  }
  leftOut_ = leftOutText(plan);
  return std::nullopt;
}

std::optional<Error> GpuSession::replay() {
  if (!player_) {
    auto path =
        options_.recording.empty() ? shippedRecording() : Result<std::filesystem::path>(options_.recording);
    if (!path) return path.error();
    auto recording = loadRecording(*path);
    if (!recording) return recording.error();
    player_.emplace(std::move(recording).value(), options_.replaySeconds);
    played_ = *path;
  }
  player_->restart(chosenSize_);
  player_->advanceTo(0);
  ++replays_;
  ++revision_;
  replayStart_.reset();
  source_ = GpuSource::Recording;
  return std::nullopt;
}

std::optional<std::uint64_t> GpuSession::openingSize() const {
  if (source_ != GpuSource::Recording) return std::nullopt;
  return player_->size();
}

std::string GpuSession::runBlocker() const {
  if (state() == WorkerState::Starting) return "The GPU worker is being started.";
  if (!isWithoutGpu()) return {};
  return "No GPU has answered: nothing can be timed here.";
}

std::optional<Error> GpuSession::open(const std::filesystem::path& recording) {
  auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  player_.emplace(std::move(loaded).value(), options_.replaySeconds);
  played_ = recording;
  return replay();
}

std::optional<Error> GpuSession::keep(PinnedBench bench) {
  if (pins_.size() >= kMostPins) {
    return Error{"More than " + std::to_string(kMostPins) + " pinned runs cannot be distinguished.",
                 "Unpin one of them."};
  }
  const std::string label = bench.label;
  for (int number = 2; std::ranges::find(pins_, bench.label, &PinnedBench::label) != pins_.end(); ++number)
    bench.label = label + " (" + std::to_string(number) + ")";
  pins_.push_back(std::move(bench));
  ++revision_;
  return std::nullopt;
}

std::optional<Error> GpuSession::pin() {
  if (data().series().empty()) return Error{"No times to pin yet."};
  const bool isRecording = source_ == GpuSource::Recording;
  return keep({isRecording ? title() : title() + ", " + timeOfDay(), data(), shownRecording()});
}

std::optional<Error> GpuSession::pin(const std::filesystem::path& recording) {
  const auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  return keep({loaded->label(), loaded->data(), recording});
}

std::filesystem::path GpuSession::shownRecording() const {
  return source_ == GpuSource::Recording ? played_ : std::filesystem::path();
}

void GpuSession::unpin(std::size_t index) {
  if (index >= pins_.size()) return;
  pins_.erase(pins_.begin() + static_cast<std::ptrdiff_t>(index));
  ++revision_;
}

void GpuSession::cancel() {
  text_.cancel();
  client_.cancel();
}

std::optional<Error> GpuSession::runText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.run(client_, std::move(task));
}

std::optional<Error> GpuSession::countText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.count(client_, std::move(task));
}

std::optional<Error> GpuSession::profileText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.profile(client_, std::move(task));
}

std::string GpuSession::textBlocker() const {
  if (text_.busy()) return std::string(text_.stageText());
  if (!text_.missingCompiler().empty()) return text_.missingCompiler();
  switch (view_->state) {
    case WorkerState::Ready: return {};
    case WorkerState::Running: return "A timing is running. Wait for it, or cancel it in the GPU panel.";
    case WorkerState::Starting: return "The GPU worker is being started.";
    case WorkerState::NotStarted:
    case WorkerState::Failed: break;
  }
  if (liveGpu() != nullptr) return {};  // there was one: the run starts a new worker
  const std::string& why = view_->sentence;
  const std::string shown = source_ == GpuSource::Recording ? "These numbers were recorded. " : "";
  return shown + "Running the text needs a GPU, and none is connected." + (why.empty() ? "" : " " + why);
}

/// The worker has failed and there is no live data to show: the recording replaces it.
void GpuSession::fallBack() {
  // Anything replayed already stays as it is.
  if (const auto problem = source_ == GpuSource::Recording ? std::nullopt : replay()) {
    sentence_ += " " + problem->sentence();
    source_ = GpuSource::None;
  } else {
    if (!sentence_.ends_with('.')) sentence_ += '.';
    sentence_ += " Replaying a recording made on " + player_->recording().title() + ".";
  }
}

bool GpuSession::update(double now) {
  bool changed = false;
  const std::uint64_t seen = view_->revision;
  const WorkerState before = view_->state;
  view_.reset();  // the only hold on the data: it is changed in place
  view_ = client_.view();
  if (view_->revision != seen) {
    const bool failedNow = view_->state == WorkerState::Failed && before != WorkerState::Failed;
    const bool greetedNow = view_->state == WorkerState::Ready || view_->state == WorkerState::Running;
    const bool wasAway = before != WorkerState::Ready && before != WorkerState::Running;
    sentence_ = view_->sentence;
    if (greetedNow && wasAway) source_ = GpuSource::Live;
    if (failedNow && view_->data->series().empty()) fallBack();
    changed = true;
  }
  changed = text_.update(client_, *view_) || changed;
  if (source_ == GpuSource::Recording && player_ && !player_->finished()) {
    if (!replayStart_) replayStart_ = now;
    changed = player_->advanceTo(now - *replayStart_) || changed;
  }
  if (changed) ++revision_;
  return changed;
}

bool GpuSession::animating() const {
  return source_ == GpuSource::Recording && player_ && !player_->finished();
}

std::string GpuSession::recordingWord() const { return animating() ? "replaying: " : "recording: "; }

std::string GpuSession::label() const {
  if (source_ == GpuSource::Recording) return recordingWord() + player_->recording().label();
  const auto& hello = view_->data->hello();
  return source_ == GpuSource::Live && hello ? hello->gpu + ", live" : std::string();
}

std::string GpuSession::shortLabel() const {
  return source_ == GpuSource::Recording ? recordingWord() + player_->recording().title() : label();
}

std::string GpuSession::title() const {
  if (source_ == GpuSource::Recording) return player_->recording().label();
  const auto& hello = data().hello();
  return hello ? hello->gpu + ", " + hello->date : std::string();
}

const BenchData& GpuSession::data() const {
  if (source_ == GpuSource::Recording) return player_->data();
  return source_ == GpuSource::Live ? *view_->data : nothing_;
}

namespace {

constexpr std::string_view kUsualCapability = "9.0";
constexpr std::string_view kMaker = "NVIDIA ";

std::string sharedSizeText(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes % 1024 == 0) return fmt::format("{} KB", bytes / 1024);
  return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
}

std::string mostText(std::uint64_t blocks) { return fmt::format("at most {}", blocks); }

}  // namespace

std::optional<SmFit> computeSmFit(const Launch& launch, const GpuSession& gpu) {
  if (launch.compiled == nullptr) return std::nullopt;
  SmFit fit;
  const auto& hello = gpu.data().hello();
  fit.limits = findSmLimits(hello ? std::string_view(hello->computeCapability) : kUsualCapability);
  if (fit.limits == nullptr) return std::nullopt;
  if (hello) fit.gpu = hello->gpu.starts_with(kMaker) ? hello->gpu.substr(kMaker.size()) : hello->gpu;
  const std::uint64_t fixed = launch.compiled->code.staticSharedBytes;
  fit.block.threads = launch.block.count();
  fit.block.sharedBytes =
      launch.dynamicSharedBytes > 0 ? dynamicSharedOffset(fixed) + launch.dynamicSharedBytes : fixed;
  const TextOutcome& outcome = gpu.text().outcome();
  const bool isOfText = outcome.compiled && launch.source != nullptr && outcome.block == launch.block &&
                        gpu.text().isAbout(launch.source->text());
  if (isOfText && outcome.compiled->registers > 0) fit.block.registers = outcome.compiled->registers;
  fit.occupancy = computeOccupancy(fit.block, *fit.limits);
  return fit;
}

std::string fitBrief(const SmFit& fit) {
  return fmt::format("{} fit on an SM, by rule", fit.occupancy.blocks());
}

std::string fitDetail(const SmFit& fit) {
  const SmLimits& limits = *fit.limits;
  const std::string where = fit.gpu.empty() ? "a GPU" : "the " + fit.gpu;
  std::string text =
      fmt::format("By rule, an SM of {} holds {} of these blocks at once.\n", where, fit.occupancy.blocks());
  text += fmt::format("Threads: {} per SM, {} per block: {}\n", withCommas(limits.threads),
                      withCommas(fit.block.threads), mostText(fit.occupancy.byThreads));
  text += fmt::format("Blocks: {} per SM\n", mostText(fit.occupancy.byBlocks));
  if (fit.occupancy.byShared) {
    text += fmt::format(
        "Shared memory: {} per SM, {} per block{}: {}\n", sharedSizeText(limits.sharedBytes),
        sharedSizeText(fit.block.sharedBytes),
        limits.reservedBytes > 0 ? " and " + sharedSizeText(limits.reservedBytes) + " reserved" : "",
        mostText(*fit.occupancy.byShared));
  }
  if (fit.occupancy.byRegisters) {
    text += fmt::format("Registers: {} per SM, {} per thread: {}\n", withCommas(limits.registers),
                        *fit.block.registers, mostText(*fit.occupancy.byRegisters));
  } else {
    text += "Registers: not known before the GPU's compiler has seen this text\n";
  }
  return text + fmt::format("Documented limits of compute capability {}; nothing here is measured.",
                            limits.capability);
}

}  // namespace lanescope
