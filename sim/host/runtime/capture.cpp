#include "sim/host/runtime/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/memory/address.h"

namespace lanescope::host {
namespace {

/// The number of no buffer, for any launch.
constexpr std::uint64_t kNowhere = (kSharedName >> 1U) - 1;

class Gatherer {
 public:
  explicit Gatherer(std::span<const std::span<std::byte>> buffers) : buffers_(buffers) {}

  /// The pointers among an object's bytes, changed to the gathered buffers' numbers.
  void syncTo(std::span<std::byte> bytes, const Type& type) {
    for (const Leaf& leaf : findLeaves(type)) {
      if (!leaf.type->isPointer() || leaf.offset + sizeof(std::uint64_t) > bytes.size()) continue;
      std::uint64_t address = 0;
      std::memcpy(&address, bytes.data() + leaf.offset, sizeof address);
      address = changed(address, leaf.type->element);
      std::memcpy(bytes.data() + leaf.offset, &address, sizeof address);
    }
  }

  std::uint64_t changed(std::uint64_t address, const Type* element) {
    const std::uint64_t number = address >> kOffsetBits;
    if (number == 0) return address;
    const std::uint64_t offset = address & kOffsetMask;
    if (number > buffers_.size() || buffers_[number - 1].empty()) return kNowhere << kOffsetBits | offset;
    const auto [known, isNew] = numbers_.emplace(number, given_.buffers.size() + 1);
    if (isNew) {
      const std::span<std::byte> bytes = buffers_[number - 1];
      bytes_ += bytes.size();
      given_.buffers.emplace_back();
      if (bytes_ <= kMostCapturedBytes) given_.buffers.back().assign(bytes.begin(), bytes.end());
      waiting_.push_back({given_.buffers.size() - 1, element});
    }
    return known->second << kOffsetBits | offset;
  }

  /// Follows the pointers in the reached buffers, until there are no new ones.
  void syncAll() {
    while (!waiting_.empty() && bytes_ <= kMostCapturedBytes) {
      const auto [buffer, element] = waiting_.back();
      waiting_.pop_back();
      if (element == nullptr || element->size == 0 || !hasPointers(*element)) continue;
      // Moved out first: following may add buffers.
      std::vector<std::byte> bytes = std::move(given_.buffers[buffer]);
      for (std::size_t at = 0; at + element->size <= bytes.size(); at += element->size)
        syncTo(std::span(bytes).subspan(at, element->size), *element);
      given_.buffers[buffer] = std::move(bytes);
    }
  }

  std::uint64_t bytes() const { return bytes_; }
  GivenArguments& given() { return given_; }

 private:
  struct Waiting {
    std::size_t buffer = 0;
    const Type* element = nullptr;
  };

  static bool hasPointers(const Type& type) {
    return std::ranges::any_of(findLeaves(type), [](const Leaf& leaf) { return leaf.type->isPointer(); });
  }

  std::span<const std::span<std::byte>> buffers_;
  std::map<std::uint64_t, std::uint64_t> numbers_;  ///< from the program's buffers to the given ones
  std::vector<Waiting> waiting_;
  std::uint64_t bytes_ = 0;
  GivenArguments given_;
};

}  // namespace

Result<GivenArguments> reachedBy(const CompiledKernel& kernel,
                                 std::span<const std::span<const std::byte>> parameters,
                                 std::span<const std::span<std::byte>> buffers,
                                 const std::map<std::string, std::uint64_t, std::less<>>& symbols) {
  const Bytecode& code = kernel.code;
  const std::size_t wanted = code.parameters.size() - code.symbols.size();
  Gatherer gatherer(buffers);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    std::vector<std::byte> bytes(parameters[p].begin(), parameters[p].end());
    if (p < wanted) gatherer.syncTo(bytes, *code.parameterTypes[p]);
    gatherer.given().parameters.push_back(std::move(bytes));
  }
  for (std::size_t s = 0; s < code.symbols.size(); ++s) {
    const auto address = symbols.find(code.symbols[s].name);
    if (address == symbols.end()) continue;
    gatherer.given().symbols[address->first] =
        gatherer.changed(address->second, code.parameterTypes[wanted + s]->element);
  }
  gatherer.syncAll();
  if (gatherer.bytes() > kMostCapturedBytes) {
    return Error{fmt::format("The launch of {} reaches more than {} MiB of memory, too much to be traced.",
                             code.kernelName, kMostCapturedBytes >> 20U),
                 "Run the program with less data: a smaller N, or a smaller size as its argument."};
  }
  return std::move(gatherer.given());
}

}  // namespace lanescope::host
