#include "app/analysis/edited_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/language/parse/device_text.h"
#include "sim/machine/run/execution.h"
#include "sim/memory/address.h"
#include "sim/memory/argument_element.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kSearchBudget = 50'000'000;  // simulated instructions that finding a writer may cost

/// Listens for the last that writes one byte of one buffer.
class WriterSearch : public Observer {
 public:
  WriterSearch(const Launch& launch, std::uint64_t address) : launch_(launch), address_(address) {}

  void blockBegins(const Bytecode& /*code*/, Dim3 block, std::span<const WarpState> /*warps*/,
                   const MemoryView& /*memory*/) override {
    block_ = block;
  }
  void happened(const WarpState& warp, const Instruction& /*instruction*/, const Event& event) override {
    if (!isGlobal(event.kind) || !isWrite(event.kind)) return;
    const unsigned warpSize = launch_.machine.warpSize;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if ((event.active >> lane & 1U) == 0) continue;
      const std::uint64_t begin = event.addresses[lane];
      if (address_ >= begin && address_ < begin + event.bytes)
        writer_ = blockText(launch_, block_) + ", " + threadText(launch_, warp.index * warpSize + lane);
    }
  }

  /// `block 0, thread 5`, or "".
  const std::string& writer() const { return writer_; }

 private:
  const Launch& launch_;
  std::uint64_t address_;
  Dim3 block_;
  std::string writer_;
};

/// `block 0, thread 5`: the last writer in the order of blocks. Empty if there is none, or if the search
/// would take too long.
std::string findWriter(const Launch& launch, const Simulation& simulation, std::uint64_t address) {
  if (simulation.executed > kSearchBudget) return {};
  auto prepared = prepare(launch);
  if (!prepared) return {};
  WriterSearch search(launch, address);
  Observer* const listener = &search;
  Execution execution(launch, std::move(*prepared));
  while (!execution.isOver()) execution.observe({&listener, 1});
  return execution.fault() ? std::string() : search.writer();
}

template <class T>
T valueAt(std::span<const std::byte> bytes, std::uint64_t index) {
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// An element as `12.5 (0x41480000)`; whole numbers without their bits.
std::string elementText(std::span<const std::byte> bytes, ArgumentType type, std::uint64_t index) {
  return withElement(type, [&]<class Element>(Element /*any*/) {
    const auto number = asNumber(valueAt<Element>(bytes, index));
    if constexpr (std::is_integral_v<Element>) {
      return std::to_string(number);
    } else {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + index * sizeof(Element), sizeof(Element));
      return fmt::format("{} (0x{:0{}x})", number, bits, 2 * sizeof(Element));
    }
  });
}

FirstDifference firstDifference(const Launch& launch, const Simulation& simulation, std::size_t buffer,
                                ArgumentType type, std::span<const std::byte> simulated,
                                std::span<const std::byte> measured) {
  const auto apart = std::mismatch(simulated.begin(), simulated.end(), measured.begin());
  const auto byte = static_cast<std::uint64_t>(apart.first - simulated.begin());
  FirstDifference first;
  first.index = byte / elementBytes(type);
  first.simulated = elementText(simulated, type, first.index);
  first.measured = elementText(measured, type, first.index);
  first.writer = findWriter(launch, simulation, bufferBase(buffer) + byte);
  return first;
}

std::string differenceSentence(const BufferComparison& buffer) {
  if (!buffer.first) {
    return fmt::format(
        "Argument {} differs from the simulator's, and is too large to be sent whole: choose a smaller "
        "launch to see where.",
        buffer.argument);
  }
  const FirstDifference& first = *buffer.first;
  return fmt::format("Argument {} differs first in element {}{}: the simulator has {}, the GPU {}.",
                     buffer.argument, first.index, first.writer.empty() ? "" : ", written by " + first.writer,
                     first.simulated, first.measured);
}

}  // namespace

bool sameLaunch(const Launch& a, const Launch& b) {
  const auto sameText = [](const SourceText& one, const SourceText& other) {
    return one.text() == other.text() && one.includes() == other.includes();
  };
  const auto sameArgument = [](const Argument& one, const Argument& other) {
    return formatSpec(one) == formatSpec(other);
  };
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.dynamicSharedBytes == b.dynamicSharedBytes && sameText(*a.source, *b.source) &&
         std::ranges::equal(a.arguments, b.arguments, sameArgument);
}

TextLaunch makeTextLaunch(const Launch& launch, const std::string& kernel) {
  TextLaunch text;
  text.kernel = launch.kernel.empty() ? kernel : launch.kernel;
  text.text = syntax::deviceText(*launch.source, text.kernel);
  text.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  text.block = {launch.block.x, launch.block.y, launch.block.z};
  text.dynamicSharedBytes = launch.dynamicSharedBytes;
  for (const Argument& argument : launch.arguments) text.arguments.push_back(formatSpec(argument));
  return text;
}

EditedComparison compareWithSimulator(const Launch& launch, const Simulation& simulation,
                                      const EditedRun& run) {
  EditedComparison comparison;
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    if (!launch.arguments[i].isBuffer) continue;
    const std::span<const std::byte> simulated = simulation.buffers[buffer++];
    const auto found = run.outputs().find(static_cast<std::uint32_t>(i));
    if (found == run.outputs().end() || found->second.bytes != simulated.size()) {
      comparison.buffers.clear();
      comparison.sentence = "The GPU has given no output to compare with the simulator's.";
      return comparison;
    }
    const EditedOutput& output = found->second;
    const bool whole = output.content.size() == simulated.size();
    BufferComparison one{i,
                         whole ? std::equal(simulated.begin(), simulated.end(), output.content.begin())
                               : output.fnv1a == fnv1a(simulated),
                         std::nullopt};
    if (!one.equal && whole) {
      one.first = firstDifference(launch, simulation, buffer - 1, launch.arguments[i].type, simulated,
                                  output.content);
    }
    comparison.buffers.push_back(std::move(one));
  }
  const auto different = std::ranges::find(comparison.buffers, false, &BufferComparison::equal);
  comparison.equal = different == comparison.buffers.end() && !comparison.buffers.empty();
  comparison.sentence = comparison.buffers.empty() ? "The launch has no buffers to compare."
                        : comparison.equal         ? "The GPU's output equals the simulator's, bit for bit."
                                                   : differenceSentence(*different);
  return comparison;
}

}  // namespace lanescope
