#include "sim/host/runtime/buffer_history.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"

namespace lanescope::host {
namespace {

constexpr std::size_t kMostWriters = 8;
constexpr double kMostSeconds = 2;  ///< launches take longer while they check the accesses to a buffer

/// `the copy on p.cu:8`.
std::string writerText(const Tutor& tutor, const BufferHistory::Writer& writer) {
  const std::string line = tutor.lineOf(writer.place);
  return line.empty() ? writer.what : writer.what + " on " + line;
}

}  // namespace

void BufferHistory::note(const Writer& writer) {
  prefix_ = written_.findNext(prefix_, false);
  isOver_ = isOver_ || count_ == written_.size();
  if (writer.what.empty()) return;
  std::erase_if(writers_, [&](const Writer& known) { return known.place == writer.place; });
  if (writers_.size() == kMostWriters) writers_.erase(writers_.begin());
  writers_.push_back(writer);
}

bool BufferHistory::launched(const Writer& launch, double seconds) {
  if (!std::exchange(isAccessed_, false)) return false;
  const std::uint64_t before = std::exchange(count_, written_.count());
  seconds_ += seconds;
  prefix_ = 0;  // a kernel that copies unwritten bytes takes some away
  note(count_ == before ? Writer{} : launch);
  if (isOver_ || seconds_ <= kMostSeconds) return false;
  giveUp();
  return true;
}

void BufferHistory::add(std::uint64_t begin, std::uint64_t count) {
  if (!isOver_) count_ += written_.add(begin, count);
}

void BufferHistory::addCopy(std::uint64_t begin, const BufferHistory& from, std::uint64_t fromBegin,
                            std::uint64_t count) {
  if (isOver_ || from.isOver_) return add(begin, count);
  if (&from == this && begin == fromBegin) return;
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
  };
  std::vector<Run> runs;  // all of them first: the buffer may be its own source
  const std::uint64_t end = fromBegin + count;
  for (std::uint64_t at = from.written_.findNext(fromBegin, true); at < end;) {
    const std::uint64_t next = std::min(end, from.written_.findNext(at, false));
    runs.push_back({begin + (at - fromBegin), next - at});
    at = from.written_.findNext(next, true);
  }
  count_ -= written_.remove(begin, count);
  prefix_ = std::min(prefix_, begin);
  for (const Run& run : runs) add(run.begin, run.count);
}

std::optional<std::string> BufferHistory::findMistake(const Tutor& tutor, std::uint64_t offset,
                                                      std::uint64_t element) const {
  const std::uint64_t size = written_.size();
  const std::uint64_t prefix = prefix_;
  if (writers_.empty() || prefix > offset || prefix != count_) return std::nullopt;
  const Writer& last = writers_.back();
  const std::string who = writerText(tutor, last);
  if (last.blocks == 0) {
    if (last.bytes != prefix) return std::nullopt;
    if (prefix == sizeof(void*) && element < prefix) {
      return fmt::format(
          "{} wrote 8 bytes, the size of a pointer, of its {}: give it the number of elements "
          "times the size of one.",
          who, withCommas(size));
    }
    if (element > 1 && prefix * element <= size && prefix * element > offset) {
      return fmt::format("{} wrote {} of its {} bytes: the size is in bytes, and {} elements have {}.", who,
                         withCommas(prefix), withCommas(size), withCommas(prefix),
                         withCommas(prefix * element));
    }
    return std::nullopt;
  }
  const std::uint64_t threads = last.blocks * last.threads;
  if (prefix != threads * last.element || size / last.element >= threads + last.threads) return std::nullopt;
  return fmt::format(
      "{} has {} of {} threads, {} in all, for {} elements: round the number of blocks up, (n + {}) / "
      "{}.",
      who, counted(last.blocks, "block"), withCommas(last.threads), withCommas(threads),
      withCommas(size / last.element), withCommas(last.threads - 1), withCommas(last.threads));
}

std::string BufferHistory::whyText(const Tutor& tutor, std::uint64_t offset, std::uint64_t element,
                                   const std::string& allocated) const {
  if (auto mistake = findMistake(tutor, offset, element)) return *mistake;
  const std::string at = allocated.empty() ? "" : " at " + allocated;
  if (writers_.empty())
    return fmt::format("The buffer has not been written since it was allocated{}: cudaMemset sets it.", at);
  std::string who;
  for (const Writer& writer : writers_) who += (who.empty() ? "" : ", ") + writerText(tutor, writer);
  return fmt::format("{} of the {} bytes allocated{} are written, by {}.", withCommas(count_),
                     withCommas(written_.size()), at, who);
}

}  // namespace lanescope::host
