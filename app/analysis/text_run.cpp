#include "app/analysis/text_run.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/protocol/ncu_run.h"
#include "sim/language/parse/syntax.h"
#include "sim/machine/run/execution.h"
#include "sim/memory/address.h"
#include "sim/memory/argument.h"
#include "sim/memory/counters.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxOutputs = 64;
constexpr std::size_t kMaxContent = std::size_t{8} << 20U;  // of all outputs together

struct RunOf {
  std::uint64_t operator()(const HelloMessage& /*hello*/) const { return 0; }
  std::uint64_t operator()(const CeilingMessage& /*ceiling*/) const { return 0; }
  std::uint64_t operator()(const RateMessage& /*rate*/) const { return 0; }
  std::uint64_t operator()(const ErrorMessage& error) const { return error.run.value_or(0); }
  template <class Message>
  std::uint64_t operator()(const Message& message) const {
    return message.run;
  }
};

}  // namespace

std::uint64_t makeRun(const WorkerMessage& message) { return std::visit(RunOf{}, message); }

namespace {

void receive(TextRun& run, const OutputMessage& output) {
  if (run.outputs.size() >= kMaxOutputs && !run.outputs.contains(output.argument)) return;
  run.outputs[output.argument] = EditedOutput{output.bytes, output.sum, output.fnv1a, {}};
}

/// Parts come in order; one that does not follow the last is dropped, and its buffer is then not whole.
void receive(TextRun& run, const WordsMessage& words) {
  const auto found = run.outputs.find(words.argument);
  if (found == run.outputs.end() || words.offset != found->second.content.size()) return;
  std::size_t held = words.bytes.size();
  for (const auto& [argument, output] : run.outputs) held += output.content.size();
  if (held > kMaxContent || words.offset + words.bytes.size() > found->second.bytes) return;
  auto& content = found->second.content;
  content.insert(content.end(), words.bytes.begin(), words.bytes.end());
}

}  // namespace

void TextRun::apply(const WorkerMessage& message) {
  if (makeRun(message) != run || run == 0) return;
  if (const auto* text = std::get_if<CompiledMessage>(&message)) {
    compiled = *text;
  } else if (const auto* output = std::get_if<OutputMessage>(&message)) {
    receive(*this, *output);
  } else if (const auto* words = std::get_if<WordsMessage>(&message)) {
    receive(*this, *words);
  } else if (const auto* times = std::get_if<TimedMessage>(&message)) {
    timed = *times;
  } else if (const auto* counts = std::get_if<CountersMessage>(&message)) {
    counters = *counts;
  } else if (const auto* kernel = std::get_if<ProfileMessage>(&message)) {
    profile = LaunchProfile{*kernel, {}, {}};
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    problem = error->sentence;
    lacksCompiler = error->kind == ErrorKind::NoCompiler;
  } else if (const auto* done = std::get_if<DoneMessage>(&message)) {
    finished = !done->ending;  // otherwise its end is still to come, and then lose()
  } else if (profile) {
    addMessage(*profile, message);
  }
}

void TextRun::lose(const std::string& sentence) {
  const bool compiling = !compiled && !counters && !profile;
  if (problem.empty()) problem = (compiling ? "While the text was being compiled: " : "") + sentence;
  finished = true;
  lostWorker = true;
}

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
  text.arguments = makeSpec(launch).arguments;
  return text;
}

EditedComparison compareWithSimulator(const Launch& launch, const Simulation& simulation,
                                      const TextRun& run) {
  EditedComparison comparison;
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    if (!launch.arguments[i].isBuffer) continue;
    const std::span<const std::byte> simulated = simulation.buffers[buffer++];
    const auto found = run.outputs.find(static_cast<std::uint32_t>(i));
    if (found == run.outputs.end() || found->second.bytes != simulated.size()) {
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

std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured) {
  std::vector<CounterRow> rows;
  for (const CounterInfo& counter : kCounters) {
    if (counter.nsight.empty()) continue;
    CounterRow row{counter.nsight, counter.plain, counter.value(predicted), std::nullopt, false, {}};
    const auto found = std::ranges::find(measured.counters, counter.nsight, &MeasuredCounter::name);
    if (found != measured.counters.end()) row.measured = found->value;
    row.equal = row.measured == row.predicted;
    if (!row.measured) {
      row.reason = "This GPU, or this version of Nsight Compute, does not have the counter.";
    } else if (!row.equal) {
      row.reason = *row.measured < row.predicted ? counter.fewer : counter.more;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lanescope
