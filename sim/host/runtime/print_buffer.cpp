#include "sim/host/runtime/print_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "sim/base/counted.h"

namespace lanescope::host {
namespace {

constexpr std::uint64_t kLeastPrintfBytes = std::uint64_t{1} << 19;
constexpr std::uint64_t kPrintfUnit = 256;

}  // namespace

bool PrintBuffer::setBytes(std::uint64_t bytes) {
  if (wasUsed_) return false;
  const std::uint64_t least = std::max(bytes, kLeastPrintfBytes);
  bytes_ = least + (kPrintfUnit - least % kPrintfUnit) % kPrintfUnit;
  return true;
}

void PrintBuffer::add(const Simulation& simulation) {
  wasUsed_ = wasUsed_ || !simulation.printed.empty();
  lost_ += simulation.unprinted;
  for (const PrintedText& printed : simulation.printed) {
    texts_.push_back(printed.text);
    if (texts_.size() <= capacity()) continue;
    texts_.pop_front();
    ++lost_;
  }
}

std::string PrintBuffer::write() {
  const std::uint64_t all = calls();
  const std::uint64_t lost = std::exchange(lost_, 0);
  for (const std::string& text : texts_) std::fwrite(text.data(), 1, text.size(), stdout);
  texts_.clear();
  if (lost == 0) return "";
  return fmt::format(
      "kernels printed {} times before the host waited for them. The buffer of printf, {} bytes as on a GPU, "
      "holds about {} calls: the output of the first {} is lost. Print less, or call "
      "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, {}) before the first launch.",
      withCommas(all), withCommas(bytes_), withCommas(all - lost), withCommas(lost),
      (all * kBytesOfPrint / kLeastPrintfBytes + 1) * kLeastPrintfBytes);
}

}  // namespace lanescope::host
