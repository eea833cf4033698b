#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"

// What the device notes of a program's memory: the bytes that were never written, and the work in flight.
namespace lanescope::host {
namespace {

/// Of one buffer in one launch; one with more is not looked at.
constexpr std::size_t kMostIntervals = std::size_t{1} << 16;
/// For launches that are watched for all that they touch, which take several times as long.
constexpr double kMostWatchedSeconds = 2;

Interval addressesOf(const Buffer& buffer) {
  return {buffer.address(), buffer.address() + buffer.bytes.size()};
}

/// The stream whose work this thread does.
thread_local std::optional<std::size_t> currentStream;

/// The host may have written every page that it has touched: pages come into being by that.
void addTouchedPages(const Buffer& buffer, BufferHistory& history) {
  const std::size_t pages = (buffer.bytes.size() + kPageBytes - 1) / kPageBytes;
  std::vector<unsigned char> isThere(pages);
  if (::mincore(buffer.bytes.data(), buffer.bytes.size(), isThere.data()) != 0) return history.giveUp();
  for (std::size_t p = 0; p < pages; ++p) {
    if ((isThere[p] & 1u) != 0) history.add(p * kPageBytes, kPageBytes);
  }
  history.note({});
}

/// nullopt: they are too many.
std::optional<std::vector<Interval>> findIntervals(const ByteSet& set, std::uint64_t address) {
  std::vector<Interval> intervals;
  for (std::uint64_t at = set.findNext(0, true); at < set.size();) {
    if (intervals.size() == kMostIntervals) return std::nullopt;
    const std::uint64_t end = set.findNext(at, false);
    intervals.push_back({address + at, address + end});
    at = set.findNext(end, true);
  }
  return intervals;
}

/// True if one of the parameters, or a part of one, is an address there.
bool pointsInto(Interval bytes, const std::vector<LanescopeParameter>& parameters) {
  return std::ranges::any_of(parameters, [&](const LanescopeParameter& parameter) {
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameter.bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t address = 0;
      std::memcpy(&address, static_cast<const std::byte*>(parameter.value) + at, sizeof address);
      if (address >= bytes.begin && address < bytes.end) return true;
    }
    return false;
  });
}

}  // namespace

LaunchWatch Device::makeWatch() {
  LaunchWatch watch;
  watch.isExact = watchedSeconds_ < kMostWatchedSeconds;
  const auto entry = [&](const Buffer& buffer) -> WatchedBytes& {
    if (watch.bytes.empty()) watch.bytes.resize(memory_.buffers().size());
    return watch.bytes[buffer.number - 1];
  };
  for (auto& [number, buffer] : memory_.all()) {
    if (buffer.isFreed) continue;
    if (buffer.incomplete() != nullptr && buffer.isOfBoth()) addTouchedPages(buffer, *buffer.history);
    if (BufferHistory* const history = buffer.incomplete()) entry(buffer) = history->forLaunch();
    // Without streams, only memory that the host reaches can be used too early.
    const bool isShared = order_.isUsed() || buffer.isOfBoth();
    if (!watch.isExact || !isShared || number - 1 == heapBuffer_) continue;
    auto stored = std::make_unique<ByteSet>(buffer.bytes.size());
    auto loaded = std::make_unique<ByteSet>(buffer.bytes.size());
    if (!stored->isThere() || !loaded->isThere()) continue;
    entry(buffer).stored = stored.get();
    entry(buffer).loaded = loaded.get();
    watch.sets.push_back(std::move(stored));
    watch.sets.push_back(std::move(loaded));
  }
  return watch;
}

/// What a launch touched: exactly if it was watched. Else it is guessed, for the host: the buffers of its
/// memory that the parameters point into, unless they are used in parts.
void Device::noteAccesses(const LaunchWatch& watch, const StreamWork& work,
                          const std::vector<LanescopeParameter>& parameters) {
  StreamWork done = work;
  done.isGuess = !watch.isExact;
  bool isKnown = watch.isExact || !order_.isUsed();
  for (auto& [number, buffer] : memory_.all()) {
    if (buffer.isFreed) continue;
    const Interval all = addressesOf(buffer);
    if (!watch.isExact) {
      if (!buffer.isOfBoth() || !pointsInto(all, parameters)) continue;
      isKnown = isKnown && !buffer.isUsedInParts;
      if (!buffer.isUsedInParts) done.writes.push_back(all);
      continue;
    }
    const WatchedBytes* const bytes = number <= watch.bytes.size() ? &watch.bytes[number - 1] : nullptr;
    if (bytes == nullptr || bytes->stored == nullptr) continue;
    const auto reads = findIntervals(*bytes->loaded, all.begin);
    const auto writes = findIntervals(*bytes->stored, all.begin);
    isKnown = isKnown && reads && writes;
    if (!reads || !writes) continue;
    done.reads.insert(done.reads.end(), reads->begin(), reads->end());
    done.writes.insert(done.writes.end(), writes->begin(), writes->end());
    const auto isWhole = [&](const std::vector<Interval>& touched) {
      return touched.empty() || (touched.front().begin == all.begin && touched.back().end == all.end);
    };
    buffer.isUsedInParts = buffer.isUsedInParts || !isWhole(*reads) || !isWhole(*writes);
  }
  if (!isKnown) ++records_.unordered;
  add(std::move(done));
}

void Device::noteWritten(const std::vector<BufferName>& names, const Launch& launch,
                         const Configuration& configuration, double seconds) {
  if (names.empty()) return;
  BufferHistory::Writer writer{.what = "the kernel " + launch.compiled->code.kernelName,
                               .place = placeOf(configuration),
                               .blocks = launch.grid.count(),
                               .threads = launch.block.count()};
  for (auto& [number, buffer] : memory_.all()) {
    BufferHistory* const history = buffer.isFreed ? nullptr : buffer.incomplete();
    if (history == nullptr || number > names.size()) continue;
    const Type* const element = names[number - 1].element;
    writer.element = element == nullptr ? 1 : std::max<std::uint64_t>(1, element->size);
    if (history->launched(writer, seconds)) ++records_.unfollowed;
  }
}

void Device::giveUpUnwritten() {
  for (auto& [number, buffer] : memory_.all()) {
    BufferHistory* const history = buffer.incomplete();
    if (history == nullptr) continue;
    history->giveUp();
    ++records_.unfollowed;
  }
}

/// Before noteWritten(): the reason is what was written before the launch.
void Device::addUnwritten(const Run& run, const std::vector<BufferName>& names) {
  HazardReport report;
  for (const auto& [hazard, address] : run.unwritten) {
    report.hazards.push_back(hazard);
    const Buffer* const buffer = memory_.find(address);
    if (buffer == nullptr || buffer->history == nullptr) continue;
    const Type* const element = buffer->number > names.size() ? nullptr : names[buffer->number - 1].element;
    const std::uint64_t size = element == nullptr ? 1 : std::max<std::uint64_t>(1, element->size);
    std::string& message = report.hazards.back().message;
    message += " " + asSentence(buffer->history->whyText(tutor_, address - buffer->address(), size,
                                                         findPlace(*buffer)));
  }
  if (report.hazards.empty()) return;
  records_.add(run.simulation.kernel, units_.size() == 1 ? "" : run.launch.source->name(), report);
}

InStream::InStream(cudaStream_t stream) : isOuter_(!currentStream) {
  if (isOuter_) currentStream = device().numberOf(stream);
}

InStream::~InStream() {
  if (isOuter_) currentStream.reset();
}

std::size_t Device::numberOf(cudaStream_t stream) {
  const auto held = lock();
  LanescopeStream* const own = findStream(stream);
  if (own == nullptr) return 0;
  if (own->number == 0) own->number = order_.addStream((own->flags & cudaStreamNonBlocking) == 0);
  return own->number;
}

void Device::endStream(const LanescopeStream& stream) {
  const auto held = lock();
  if (stream.number != 0) order_.removeStream(stream.number);
}

StreamOrder::Clock Device::clockOf(cudaStream_t stream) {
  const auto held = lock();
  return order_.clockOf(numberOf(stream));
}

void Device::waitInStream(cudaStream_t stream, const StreamOrder::Clock& event) {
  const auto held = lock();
  order_.waitFor(numberOf(stream), event);
}

void Device::add(StreamWork work) {
  const auto held = lock();
  const ProgramPlace place = work.place;
  const std::string what = work.what;
  const auto findPages = [this](const std::vector<Interval>& touched) {
    std::vector<Interval> pages;
    for (const Interval& bytes : touched) {
      const Guard found = memory_.findPages(bytes.begin, bytes.end);
      if (found.begin < found.end) pages.push_back({found.begin, found.end});
    }
    return pages;
  };
  work.readPages = findPages(work.reads);
  work.writtenPages = findPages(work.writes);
  const auto conflict = order_.add(currentStream.value_or(0), std::move(work));
  records_.dropped = order_.dropped();
  if (!conflict) return;
  const Buffer* const buffer = memory_.find(conflict->address);
  const std::string allocated = buffer == nullptr ? "" : findPlace(*buffer);
  const std::string earlier = tutor_.lineOf(conflict->earlier.place);
  reportError(
      tutor_.lineOf(place),
      fmt::format(
          "{} {} byte {} of the buffer{} that {}{} {} in another stream, and nothing orders the two: record "
          "an event behind the first and let the second's stream wait for it (cudaStreamWaitEvent), or use "
          "one stream.",
          what, conflict->laterWrites ? "writes" : "reads",
          withCommas(buffer == nullptr ? 0 : conflict->address - buffer->address()),
          allocated.empty() ? "" : " of " + allocated, conflict->earlier.what,
          earlier.empty() ? "" : " on " + earlier, conflict->earlierWrites ? "writes" : "reads"));
}

void Device::forget(Interval bytes) {
  const auto held = lock();
  order_.forget(bytes);
}

/// Only pages that hold nothing else: the host may use the other half of a buffer meanwhile.
void Device::guardHost() {
  if (hostFunctions_ > 0) return;
  std::vector<Guard> guards;
  order_.forEachPage([&](const Interval& pages, bool isWrite) {
    guards.push_back({pages.begin, pages.end, isWrite ? HostAccess::None : HostAccess::Read});
  });
  records_.unguarded = std::max<std::uint64_t>(records_.unguarded, memory_.guard(guards));
}

bool Device::letEarlyUse(const void* address, bool isWrite, const std::function<std::string()>& findPlace) {
  if (!memory_.isGuarding()) return false;  // also while a launch runs, whose threads must not wait
  const auto held = lock();
  if (!memory_.letHost(address)) return false;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const StreamWork* const work = order_.findPending({at, at + 1}, isWrite);
  const Buffer* const buffer = memory_.find(address);
  if (work == nullptr || buffer == nullptr) return true;
  const std::string line = tutor_.lineOf(work->place);
  reportError(findPlace(), fmt::format("{} memory is used on the host while {}{} may still work on it: call "
                                       "cudaDeviceSynchronize() {}before.",
                                       buffer->kind == MemoryKind::Managed ? "managed" : "pinned", work->what,
                                       line.empty() ? "" : " of " + line,
                                       order_.isUsed() ? "or cudaStreamSynchronize() " : ""));
  return true;
}

void Device::letEarlyCall(const void* memory, std::size_t bytes, bool isWrite) {
  if (!memory_.isGuarding()) return;
  const auto held = lock();
  while (const void* const guarded = memory_.findGuarded(memory, bytes, isWrite)) {
    if (!letEarlyUse(guarded, isWrite, [this] { return tutor_.placeOfCaller(); })) return;
  }
}

void Device::flush() {
  const auto held = lock();
  if (const std::string lost = printed_.write(); !lost.empty()) tutor_.explain("", lost);
  if (sticky_ == cudaSuccess) sticky_ = failed_;
  if (sticky_ != cudaSuccess) unrequested_.reset();
}

void Device::synchronize() {
  const auto held = lock();
  flush();
  order_.hostWaitsForAll();
  memory_.letHost();
}

void Device::synchronize(const StreamOrder::Clock& clock) {
  const auto held = lock();
  flush();
  order_.hostWaitsFor(clock);
  guardHost();
}

void Device::synchronizeStream(cudaStream_t stream) {
  const auto held = lock();
  synchronize(clockOf(stream));
}

void Device::synchronizeCurrentStream() {
  const auto held = lock();
  synchronize(order_.clockOf(currentStream.value_or(0)));
}

}  // namespace lanescope::host
