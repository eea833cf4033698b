#include "sim/trace/trace.h"
#include "sim/memory/small_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lanescope {

std::uint32_t Trace::lanesOfWarp(std::uint32_t warp) const {
  const std::uint32_t first = warp * launch.machine.warpSize;
  return first >= threads ? 0 : std::min(launch.machine.warpSize, threads - first);
}

std::size_t Trace::poolBytes() const {
  return initialCells.size() * sizeof(Word) + steps.bytes() + accesses.bytes() + cellChanges.bytes() +
         variableSets.bytes() + shuffleSources.bytes() + provenance.bytes() + reads.bytes();
}

std::size_t toBytes(const Phase& phase) {
  return sizeof(Phase) + phase.activeThreads.size() * sizeof(phase.activeThreads[0]) +
         (phase.cellsRead.size() + phase.cellsWritten.size()) * sizeof(phase.cellsRead[0]) +
         phase.arrows.size() * sizeof(phase.arrows[0]) +
         phase.sharedAfter.size() * sizeof(phase.sharedAfter[0]) +
         phase.exchanged.size() * sizeof(phase.exchanged[0]);
}

const TracedArray* arrayOfCell(const Trace& trace, std::uint32_t cell) {
  const auto found = std::ranges::find_if(trace.arrays, [cell](const TracedArray& array) {
    return cell >= array.firstCell && cell < array.firstCell + array.cellCount;
  });
  return found == trace.arrays.end() ? nullptr : &*found;
}

std::string cellName(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = arrayOfCell(trace, cell);
  if (array == nullptr) return fmt::format("word {}", cell);
  const std::uint32_t words = splitWords(array->type);
  if (array->space == MemorySpace::Shared && array->cellCount == words) return array->name;
  return fmt::format("{}[{}]", array->name, (cell - array->firstCell) / words);
}

std::uint64_t elementBits(const TracedArray& array, std::span<const Word> cells, std::uint32_t cell) {
  if (!isWide(array.type)) return cells[cell].bits;
  const std::uint32_t low = cell - (cell - array.firstCell) % 2;
  const std::uint64_t high = low + 1 < cells.size() ? cells[low + 1].bits : 0;
  return cells[low].bits | high << 32;
}

namespace {

/// A 16-bit number; for a memory word that holds two, both.
template <class Small>
std::string smallText(std::uint32_t bits) {
  const auto text = [](std::uint32_t half) { return fmt::format("{:.4g}", Small::ofBits(half).value()); };
  return bits >> 16 == 0 ? text(bits) : text(bits & 0xffffu) + " " + text(bits >> 16);
}

}  // namespace

std::string formatValue(ValueType type, std::uint64_t bits) {
  const auto narrow = static_cast<std::uint32_t>(bits);
  switch (type) {
    case ValueType::Bool: return bits != 0 ? "true" : "false";
    case ValueType::I8:
    case ValueType::I16:
    case ValueType::I32: return std::to_string(static_cast<std::int32_t>(narrow));
    case ValueType::U8:
    case ValueType::U16:
    case ValueType::U32: return std::to_string(narrow);
    case ValueType::I64: return std::to_string(static_cast<std::int64_t>(bits));
    case ValueType::U64: return std::to_string(bits);
    case ValueType::F32: return fmt::format("{:.7g}", std::bit_cast<float>(narrow));
    case ValueType::F64: return fmt::format("{:.10g}", std::bit_cast<double>(bits));
    case ValueType::F16: return smallText<Half>(narrow);
    case ValueType::BF16: return smallText<BFloat16>(narrow);
    case ValueType::Pointer: return fmt::format("{:#x}", bits);
    default: return {};
  }
}

}  // namespace lanescope
