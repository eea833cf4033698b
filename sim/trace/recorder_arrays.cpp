// The memory in a trace: its arrays, and the origins of their contents before the block runs.
#include <algorithm>
#include <span>

#include "sim/machine/run/bind_arguments.h"
#include "sim/memory/address.h"
#include "sim/trace/recorder.h"

namespace lanescope {
namespace {

/// The scalar type that shows an array's words: for a struct, the type of its parts if they are alike.
const Type& shownType(const Type& element) {
  const std::vector<Leaf> leaves = findLeaves(element, 64);
  return leaves.empty() ? element : *leaves[0].type;
}

}  // namespace

ValueType Recorder::toValueType(const Type& type) {
  const bool isScalar = type.isArithmetic() || type.isHalf() || type.isPointer();
  return isScalar ? type.kind : ValueType::I32;
}

void Recorder::describeArrays(const Bytecode& code, const MemoryView& memory) {
  const std::uint64_t dynamicOffset = dynamicSharedOffset(code.staticSharedBytes);
  for (const typed::SharedArray& array : code.sharedArrays) {
    TracedArray traced;
    traced.name = array.name;
    traced.type = toValueType(shownType(*array.element));
    if (!array.isDynamic && array.element->size == 4 * splitWords(traced.type))
      traced.extents = array.extents;
    traced.byteOffset = array.isDynamic ? static_cast<std::uint32_t>(dynamicOffset) : array.byteOffset;
    traced.firstCell = traced.byteOffset / 4;
    const std::uint64_t bytes = array.isDynamic
                                    ? memory.shared.size() - std::min(memory.shared.size(), dynamicOffset)
                                    : array.count * array.element->size;
    traced.cellCount = static_cast<std::uint32_t>((bytes + 3) / 4);
    trace_.arrays.push_back(std::move(traced));
  }
  trace_.sharedCells = map_.sharedCells();
  for (std::size_t b = 0; b < memory.buffers.size(); ++b) {
    const BufferName& named = memory.bufferNames[b];
    const auto count = static_cast<std::uint32_t>((memory.buffers[b].size() + 3) / 4);
    trace_.arrays.push_back(
        {named.name,
         MemorySpace::Global,
         named.element == nullptr ? ValueType::U32 : toValueType(shownType(*named.element)),
         map_.findFirst(b),
         count,
         0,
         {}});
  }
  cells_.resize(map_.count());
  if (trace_.launch.given != nullptr) return nameGivenWords();
  // An input element is named by its buffer's letter and its index: a0, a1, …
  char letter = 'a';
  for (std::size_t b = 0; b < memory.buffers.size(); ++b, ++letter) {
    const bool isInput = !trace_.launch.arguments.empty() && trace_.launch.arguments[0].isBuffer &&
                         trace_.arrays.size() >= memory.buffers.size();
    const TracedArray& array = trace_.arrays[trace_.arrays.size() - memory.buffers.size() + b];
    std::size_t argument = 0;
    for (std::size_t seen = 0; argument < trace_.launch.arguments.size(); ++argument) {
      if (trace_.launch.arguments[argument].isBuffer && seen++ == b) break;
    }
    const bool isArgument = argument < trace_.launch.arguments.size();
    if (!isInput || !isArgument || trace_.launch.arguments[argument].fill == Fill::Zero) continue;
    const std::uint32_t words = splitWords(array.type);
    const ProvenanceId first = trace_.provenance.inputs(letter, (array.cellCount + words - 1) / words);
    for (std::uint32_t c = 0; c < array.cellCount; ++c)
      cells_[array.firstCell + c] = {map_.computeBits(array.firstCell + c), first + c / words, true};
  }
  if (!(trace_.tracedBlock == Dim3{0, 0, 0})) nameOthersWords();
}

void Recorder::locate(const Fault& fault, TraceFault& place) const {
  const std::uint64_t address = formedFrom(fault.address);
  std::int64_t byte = signedOffset(fault.address);
  const std::size_t shared = code_->sharedArrays.size();
  std::uint64_t array = UINT64_MAX;
  if (isShared(address) && sharedObject(address) < memory_.sharedObjects.size()) {
    array = sharedObject(address);
    byte -= static_cast<std::int64_t>(memory_.sharedObjects[array].begin);
  } else if (!isShared(address) && !isLocal(address) && address >> kOffsetBits != 0) {
    array = shared + (address >> kOffsetBits) - 1;
  }
  if (array >= trace_.arrays.size()) return;
  place.array = static_cast<std::int32_t>(array);
  place.word = byte >= 0 ? byte / 4 : -((3 - byte) / 4);
}

/// Arrays that a program gave: unless they are too many for that, each is named by its position, as inputs
/// are. Words that earlier blocks have changed belong to those blocks.
void Recorder::nameGivenWords() {
  constexpr std::uint32_t kMostNamed = std::uint32_t{1} << 16U;
  const auto& given = trace_.launch.given->buffers;
  char letter = 'a';
  for (std::size_t b = 0; b < given.size(); ++b) {
    const TracedArray& array = trace_.arrays[trace_.arrays.size() - memory_.buffers.size() + b];
    const bool isNamed = array.cellCount <= kMostNamed && letter <= 'z';
    const std::uint32_t words = splitWords(array.type);
    const ProvenanceId first =
        isNamed ? trace_.provenance.inputs(letter++, (array.cellCount + words - 1) / words) : kNoProvenance;
    for (std::uint32_t c = 0; c < array.cellCount; ++c) {
      const std::size_t begin = std::size_t{c} * 4;
      const std::size_t bytes = std::min<std::size_t>(4, given[b].size() - begin);
      const bool isAsGiven = std::ranges::equal(std::span(given[b]).subspan(begin, bytes),
                                                memory_.buffers[b].subspan(begin, bytes));
      const ProvenanceId from = !isAsGiven ? trace_.provenance.findElement(array.name, c / words)
                                : isNamed  ? first + c / words
                                           : kNoProvenance;
      cells_[array.firstCell + c] = {map_.computeBits(array.firstCell + c), from, true};
    }
  }
}

// The blocks before this one have run: the words that they changed are theirs, not inputs.
void Recorder::nameOthersWords() {
  const auto fresh = bindArguments(trace_.launch, *code_);
  if (!fresh) return;
  for (std::size_t b = 0; b < memory_.buffers.size(); ++b) {
    const TracedArray& array = trace_.arrays[trace_.arrays.size() - memory_.buffers.size() + b];
    const std::uint32_t words = splitWords(array.type);
    const std::span<const std::byte> before = fresh->memory.buffer(b);
    const std::span<const std::byte> now = memory_.buffers[b];
    for (std::uint32_t c = 0; c < array.cellCount; c += words) {
      const std::size_t begin = std::size_t{c} * 4;
      const std::size_t bytes = std::min<std::size_t>(std::size_t{words} * 4, now.size() - begin);
      if (std::ranges::equal(before.subspan(begin, bytes), now.subspan(begin, bytes))) continue;
      const ProvenanceId from = trace_.provenance.findElement(array.name, c / words);
      for (std::uint32_t word = c; word < std::min(c + words, array.cellCount); ++word)
        cells_[array.firstCell + word] = {map_.computeBits(array.firstCell + word), from, true};
    }
  }
}

}  // namespace lanescope
