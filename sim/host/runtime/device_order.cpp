#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"

// What the device notes of a program's memory: the bytes that were never written, and the work that is under
// way.
namespace lanescope::host {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// For launches that are watched for all that they touch, which take several times as long.
constexpr double kMostWatchedSeconds = 2;

Interval addressesOf(const Buffer& buffer) {
  return {buffer.address(), buffer.address() + buffer.bytes.size()};
}

bool isOfBoth(const Buffer& buffer) {
  return buffer.kind == MemoryKind::Managed || buffer.kind == MemoryKind::Pinned;
}

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

std::vector<Interval> findIntervals(const ByteSet& set, std::uint64_t address) {
  std::vector<Interval> intervals;
  for (std::uint64_t at = set.findNext(0, true); at < set.size();) {
    const std::uint64_t end = set.findNext(at, false);
    intervals.push_back({address + at, address + end});
    at = set.findNext(end, true);
  }
  return intervals;
}

}  // namespace

LaunchWatch Device::makeWatch() {
  LaunchWatch watch;
  const auto entry = [&](const Buffer& buffer) -> WatchedBytes& {
    if (watch.bytes.empty()) watch.bytes.resize(memory_.buffers().size());
    return watch.bytes[buffer.number - 1];
  };
  for (auto& [number, buffer] : memory_.all()) {
    if (buffer.isFreed) continue;
    if (buffer.incomplete() != nullptr && isOfBoth(buffer)) addTouchedPages(buffer, *buffer.history);
    if (BufferHistory* const history = buffer.incomplete()) entry(buffer).written = &history->forLaunch();
    if (!watchesAll() || number - 1 == heapBuffer_) continue;
    WatchedBytes& bytes = entry(buffer);
    for (ByteSet** const set : {&bytes.stored, &bytes.loaded}) {
      watch.sets.push_back(std::make_unique<ByteSet>(buffer.bytes.size()));
      if (watch.sets.back()->isThere()) *set = watch.sets.back().get();
    }
  }
  return watch;
}

bool Device::watchesAll() const { return order_.isUsed() && watchedSeconds_ < kMostWatchedSeconds; }

/// What a launch touched: exactly if it was watched. In a program without streams, all managed memory, and
/// the buffers of the host's memory that its parameters point into.
void Device::noteAccesses(const LaunchWatch& watch, const StreamWork& work,
                          const std::vector<LanescopeParameter>& parameters) {
  StreamWork done = work;
  const auto append = [](std::vector<Interval>& to, const std::vector<Interval>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const auto& [number, buffer] : memory_.all()) {
    if (buffer.isFreed) continue;
    if (order_.isUsed()) {
      if (number - 1 >= watch.bytes.size()) continue;
      const WatchedBytes& bytes = watch.bytes[number - 1];
      if (bytes.loaded != nullptr) append(done.reads, findIntervals(*bytes.loaded, buffer.address()));
      if (bytes.stored != nullptr) append(done.writes, findIntervals(*bytes.stored, buffer.address()));
      continue;
    }
    const auto pointsThere = [&, all = addressesOf(buffer)](const LanescopeParameter& parameter) {
      for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameter.bytes; at += sizeof(std::uint64_t)) {
        std::uint64_t address = 0;
        std::memcpy(&address, static_cast<const std::byte*>(parameter.value) + at, sizeof address);
        if (address >= all.begin && address < all.end) return true;
      }
      return false;
    };
    const bool isTouched =
        buffer.kind == MemoryKind::Managed ||
        (buffer.kind == MemoryKind::Pinned && std::ranges::any_of(parameters, pointsThere));
    if (isTouched) done.writes.push_back(addressesOf(buffer));
  }
  if (order_.isUsed() && watch.sets.empty()) ++records_.unordered;
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
    history->launched(writer, seconds);
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

InStream::InStream(cudaStream_t stream) : isOuter_(!device().stream()) {
  if (isOuter_) device().stream() = device().numberOf(stream);
}

InStream::~InStream() {
  if (isOuter_) device().stream().reset();
}

std::size_t Device::numberOf(cudaStream_t stream) {
  LanescopeStream* const own = findStream(stream);
  if (own == nullptr) return 0;
  if (own->number == 0) own->number = order_.addStream((own->flags & cudaStreamNonBlocking) == 0);
  return own->number;
}

void Device::add(StreamWork work) {
  const ProgramPlace place = work.place;
  const std::string what = work.what;
  const auto conflict = order_.add(currentStream(), std::move(work));
  if (!conflict) return;
  const Buffer* const buffer = memory_.find(conflict->address);
  const std::string allocated = buffer == nullptr ? "" : findPlace(*buffer);
  const std::string earlier = tutor_.lineOf(conflict->earlier.place);
  tutor_.explain(
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

void Device::guardHost() {
  for (auto& [number, buffer] : memory_.all()) {
    if (buffer.isFreed || !isOfBoth(buffer)) continue;
    const Interval bytes = addressesOf(buffer);
    const bool mayWrite = order_.findPending(bytes, true) == nullptr;
    const bool mayRead = mayWrite || order_.findPending(bytes, false) == nullptr;
    memory_.letHost(buffer, mayWrite ? HostAccess::Any : mayRead ? HostAccess::Read : HostAccess::None);
  }
}

bool Device::isForbidden(const void* address) {
  const Buffer* const part = memory_.find(address);
  return part != nullptr && memory_.all().at(part->number).hostAccess != HostAccess::Any;
}

void Device::usedTooEarly(const void* address, bool isWrite, const std::string& place) {
  const Buffer* const part = memory_.find(address);
  Buffer& whole = memory_.all().at(part->number);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const StreamWork* const work = order_.findPending({at, at + 1}, isWrite);
  memory_.letHost(whole, HostAccess::Any);
  if (work == nullptr) return;
  const std::string line = tutor_.lineOf(work->place);
  tutor_.explain(place, fmt::format("{} memory is used on the host while {}{} may still work on it: call "
                                    "cudaDeviceSynchronize() {}before.",
                                    part->kind == MemoryKind::Managed ? "managed" : "pinned", work->what,
                                    line.empty() ? "" : " of " + line,
                                    order_.isUsed() ? "or cudaStreamSynchronize() " : ""));
}

void Device::flush() {
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
  memory_.letHost();
  guardHost();
}

}  // namespace lanescope::host
