#include "sim/host/runtime/stream_order.h"

#include <algorithm>
#include <utility>

namespace lanescope::host {
namespace {

constexpr std::size_t kMostPending = 512;

/// The first byte that both have.
std::optional<std::uint64_t> findCommon(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t begin = std::max(a[i].begin, b[j].begin);
    if (begin < std::min(a[i].end, b[j].end)) return begin;
    if (a[i].end < b[j].end)
      ++i;
    else
      ++j;
  }
  return std::nullopt;
}

}  // namespace

void StreamOrder::join(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t s = 0; s < other.size(); ++s) into[s] = std::max(into[s], other[s]);
}

std::size_t StreamOrder::addStream(bool isBlocking) {
  const auto isFree = [this](std::size_t s) {
    return streams_[s].isRemoved && std::ranges::find(pending_, s, &Pending::stream) == pending_.end();
  };
  std::size_t number = 1;
  while (number < streams_.size() && !isFree(number)) ++number;
  if (number == streams_.size()) streams_.emplace_back();
  // Its count continues: clocks of events hold numbers of earlier work.
  streams_[number] = {isBlocking, streams_[number].count, {}};
  return number;
}

StreamOrder::Clock StreamOrder::clockOf(std::size_t stream) const {
  Clock clock = streams_[stream].clock;
  join(clock, host_);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const bool isBoth = streams_[s].isBlocking && streams_[stream].isBlocking;
    if (isBoth && (s == 0 || stream == 0)) join(clock, streams_[s].clock);
  }
  return clock;
}

void StreamOrder::waitFor(std::size_t stream, const Clock& event) { join(streams_[stream].clock, event); }

void StreamOrder::hostWaitsFor(const Clock& clock) {
  join(host_, clock);
  std::erase_if(pending_, [&](const Pending& each) { return has(host_, each.stream, each.number); });
}

void StreamOrder::hostWaitsForAll() {
  for (const Stream& stream : streams_) join(host_, stream.clock);
  pending_.clear();
}

std::optional<StreamOrder::Conflict> StreamOrder::add(std::size_t stream, StreamWork work) {
  Clock clock = clockOf(stream);
  std::optional<Conflict> conflict;
  for (const Pending& each : pending_) {
    if (work.isGuess || each.work.isGuess || conflict) continue;
    if (each.stream == stream || has(clock, each.stream, each.number)) continue;
    const auto note = [&](const std::vector<Interval>& earlier, const std::vector<Interval>& later,
                          bool earlierWrites, bool laterWrites) {
      const auto common = conflict ? std::nullopt : findCommon(earlier, later);
      if (common) conflict = Conflict{each.work, earlierWrites, laterWrites, *common};
    };
    note(each.work.writes, work.reads, true, false);
    note(each.work.writes, work.writes, true, true);
    note(each.work.reads, work.writes, false, true);
  }
  Stream& own = streams_[stream];
  if (clock.size() <= stream) clock.resize(stream + 1);
  clock[stream] = ++own.count;
  own.clock = std::move(clock);
  if (work.reads.empty() && work.writes.empty()) return conflict;
  if (pending_.size() == kMostPending) {
    pending_.erase(pending_.begin());
    ++dropped_;
  }
  pending_.push_back({stream, own.count, std::move(work)});
  return conflict;
}

const StreamWork* StreamOrder::findPending(Interval bytes, bool isWrite) const {
  for (const Pending& each : pending_) {
    if (findCommon(each.work.writes, {bytes}) || (isWrite && findCommon(each.work.reads, {bytes})))
      return &each.work;
  }
  return nullptr;
}

void StreamOrder::forget(Interval bytes) {
  for (Pending& each : pending_) {
    for (std::vector<Interval>* const touched :
         {&each.work.reads, &each.work.writes, &each.work.readPages, &each.work.writtenPages}) {
      std::erase_if(*touched,
                    [&](const Interval& one) { return one.begin >= bytes.begin && one.begin < bytes.end; });
    }
  }
}

}  // namespace lanescope::host
