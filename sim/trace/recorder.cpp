#include "sim/trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/machine/loops.h"
#include "sim/machine/op_classes.h"
#include "sim/machine/prepare.h"
#include "sim/machine/size_text.h"
#include "sim/memory/address.h"
#include "sim/memory/lanes.h"
#include "sim/trace/phases.h"
#include "sim/trace/replay.h"
#include "sim/trace/traced_variables.h"

namespace lanescope {
namespace {

/// Words of all arrays together that a trace keeps.
constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 22;
/// Accesses and changes that a trace keeps, at most 48 bytes each.
constexpr std::size_t kMaxEntries = std::size_t{1} << 24;

}  // namespace

void Recorder::blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                           const MemoryView& memory) {
  code_ = &code;
  memory_ = memory;
  trace_.kernelName = code.kernelName;
  trace_.tracedBlock = block;
  trace_.threads = static_cast<std::uint32_t>(trace_.launch.block.count());
  trace_.warps = static_cast<std::uint32_t>(warps.size());
  for (const SourceSpan span : code.sites) lineOfSite_.push_back(trace_.launch.source->lineOf(span));
  for (const VariableRegister& variable : code.variables) {
    trace_.variables.push_back(
        {variable.name, valueTypeOf(*variable.type), variable.declared, -1, variable.function});
  }
  nameVariables(trace_);
  std::uint64_t cells = (memory.shared.size() + 3) / 4;
  for (const auto buffer : memory.buffers) cells += (buffer.size() + 3) / 4;
  if (cells > kMaxCells) {
    failure_ = Error{"The arrays are too large to be traced: 16 MiB are the most.", "", {}};
    end_.request_stop();
    return;
  }
  describeArrays(code, memory);
  trace_.initialCells = cells_;
  values_.resize(std::size_t{trace_.threads} * trace_.variables.size());
  lastValue_.resize(trace_.threads);
  lastVariable_.resize(trace_.threads, UINT32_MAX);
  records_.resize(warps.size());
  for (WarpRecord& record : records_) {
    record.origins.resize(std::size_t{code.registers} * kMaxLanes);
    record.localOrigins.resize(std::size_t{code.localBytes} / 4 * kMaxLanes);
    record.branchLines.resize(code.scopeDepth + 1);
  }
  trace_.phases.emplace_back();
}

std::uint32_t Recorder::cellOf(std::uint64_t address) const {
  const auto word = static_cast<std::uint32_t>((address & kOffsetMask) / 4);
  return isShared(address) ? word : bufferCells_[(address >> kOffsetBits) - 1] + word;
}

// An access that has not been made yet may be out of bounds.
std::optional<std::uint32_t> Recorder::knownCellOf(std::uint64_t address) const {
  const std::uint64_t word = (address & kOffsetMask) / 4;
  const std::uint64_t buffer = address >> kOffsetBits;
  if (isShared(address)) return word < trace_.sharedCells ? std::optional(cellOf(address)) : std::nullopt;
  if (isLocal(address) || buffer == 0 || buffer > bufferCells_.size()) return std::nullopt;
  return word * 4 < memory_.buffers[buffer - 1].size() ? std::optional(cellOf(address)) : std::nullopt;
}

std::uint32_t Recorder::wordBits(std::uint32_t cell) const {
  std::span<const std::byte> bytes = memory_.shared;
  std::size_t offset = std::size_t{cell} * 4;
  for (std::size_t b = 0; b < bufferCells_.size() && cell >= bufferCells_[b]; ++b) {
    bytes = memory_.buffers[b];
    offset = std::size_t{cell - bufferCells_[b]} * 4;
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, std::min<std::size_t>(4, bytes.size() - offset));
  return bits;
}

std::uint32_t Recorder::maskedBy(const WarpState& warp, const WarpRecord& record) const {
  for (std::uint32_t depth = warp.depth; depth-- > 0;) {
    if (record.branchLines[depth] != 0 && (warp.frames[depth].saved & ~warp.active) != 0)
      return record.branchLines[depth];
  }
  return 0;
}

// Where a loop never ends the limit is met anywhere in it: what is told is the loop.
void Recorder::passLimit(const Instruction& i, const std::string& limit) {
  const auto loops = loopsAround(*code_, static_cast<std::uint32_t>(&i - code_->code.data()));
  const SourceText& source = *trace_.launch.source;
  const SourceSpan span = code_->sites[loops.empty() ? i.site : loops.front().site];
  const std::string message =
      fmt::format("the trace of {} passed its limit of {}{}", blockText(trace_.launch, trace_.tracedBlock),
                  limit, loopsText(source, *code_, loops));
  const std::string hint = "Look for a loop that never ends, or trace a smaller block.";
  failure_ = Error{fmt::format("{}:{}: {}.", source.name(), source.lineOf(span), message),
                   hint,
                   {{message, hint, span}},
                   true};
  end_.request_stop();
}

Step& Recorder::addStep(StepKind kind, const WarpState& warp, const Instruction& i, std::uint32_t active) {
  WarpRecord& record = records_[warp.index];
  Step step;
  step.kind = kind;
  step.warp = static_cast<std::uint16_t>(warp.index);
  step.phase = static_cast<std::uint32_t>(trace_.phases.size() - 1);
  step.line = lineOfSite_[i.site];
  step.span = code_->sites[i.site];
  step.active = active;
  step.after = warp.active;
  step.exited = warp.exited();
  step.maskedBy = maskedBy(warp, record);
  step.previousOfWarp = record.lastStep;
  step.accesses.first = static_cast<std::uint32_t>(trace_.accesses.size());
  step.cellChanges.first = static_cast<std::uint32_t>(trace_.cellChanges.size());
  step.variableChanges.first = static_cast<std::uint32_t>(trace_.variableChanges.size());
  record.lastStep = static_cast<std::int32_t>(trace_.steps.size());
  const std::size_t entries =
      trace_.accesses.size() + trace_.cellChanges.size() + trace_.variableChanges.size();
  if (trace_.steps.size() >= trace_.launch.limits.traceSteps || entries > kMaxEntries) {
    const bool isOfSteps = entries <= kMaxEntries;
    passLimit(i, isOfSteps ? withCommas(trace_.launch.limits.traceSteps) + " steps"
                           : withCommas(kMaxEntries) + " accesses and changes");
  }
  trace_.steps.push_back(step);
  return trace_.steps.back();
}

void Recorder::storeWord(std::uint32_t cell, Made made, std::uint32_t thread) {
  const Word after{wordBits(cell), made.from, true};
  trace_.cellChanges.push_back({cell, cells_[cell], after, made.reads, thread});
  ++trace_.steps.back().cellChanges.count;
  cells_[cell] = after;
}

void Recorder::accessDone(const WarpState& warp, const Instruction& i, const AccessEvent& event) {
  if (failure_) return;
  const auto kindOf = [&](StepKind load, StepKind store, StepKind atomic) {
    return event.kind == AccessKind::Load ? load : event.kind == AccessKind::Store ? store : atomic;
  };
  const StepKind kind = event.isShared
                            ? kindOf(StepKind::SharedLoad, StepKind::SharedStore, StepKind::SharedAtomic)
                            : kindOf(StepKind::GlobalLoad, StepKind::GlobalStore, StepKind::GlobalAtomic);
  Step& step = addStep(kind, warp, i, event.active);
  step.wavefronts = event.sharedCost.wavefronts;
  step.idealWavefronts = event.sharedCost.ideal;
  step.sectors = event.sectors;
  step.isResultUsed = event.isResultUsed;
  records_[warp.index].accessed = true;
  forEachLane(event.active, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    const std::uint32_t cell = cellOf(address);
    if (event.kind == AccessKind::Load) readElements(warp, i, event, lane);
    if (event.kind == AccessKind::Store) writeElements(warp, i, event, lane);
    if (event.kind == AccessKind::Atomic) updateWord(warp, i, cell, lane);
    if (event.kind == AccessKind::Store || (event.kind == AccessKind::Atomic && event.isShared)) {
      for (std::uint32_t word = cell; word <= cellOf(address + event.bytes - 1); ++word)
        writer_[word] = threadOf(warp, lane);
    }
    if (event.kind != AccessKind::Load && event.isShared) records_[warp.index].storedShared = true;
    LaneAccess access;
    access.lane = static_cast<std::uint8_t>(lane);
    access.bytes = event.bytes;
    access.cell = cell;
    access.address = static_cast<std::uint32_t>(address & kOffsetMask);
    access.value = cells_[cell];
    trace_.accesses.push_back(access);
    ++trace_.steps.back().accesses.count;
  });
}

void Recorder::setVariable(const WarpState& warp, std::uint32_t variable, unsigned lane, VariableValue value,
                           ReadsId reads) {
  const std::uint32_t thread = threadOf(warp, lane);
  VariableValue& now = values_[std::size_t{thread} * trace_.variables.size() + variable];
  trace_.variableChanges.push_back({variable, thread, now, value, reads});
  ++trace_.steps.back().variableChanges.count;
  now = value;
}

void Recorder::branchDecided(const WarpState& warp, const Instruction& i, std::uint32_t active,
                             std::uint32_t taken) {
  if (failure_) return;
  records_[warp.index].branchLines[warp.depth - 1] = lineOfSite_[i.site];
  addStep(StepKind::Branch, warp, i, active).taken = taken;
}

void Recorder::variableSet(const WarpState& warp, const Instruction& i) {
  if (failure_) return;
  addStep(StepKind::Assign, warp, i, warp.active);
  const auto variable = static_cast<std::uint32_t>(i.imm);
  const bool isWide = i.op == Op::Set64;
  forEachLane(warp.active, [&](unsigned lane) {
    const std::uint32_t thread = threadOf(warp, lane);
    const Made made = origin(warp, i.a, lane);
    origin(warp, i.dst, lane) = made;
    const std::uint64_t bits = isWide ? warp.lanes<LaneU64>(i.dst)[lane] : warp.lanes<LaneU32>(i.dst)[lane];
    setVariable(warp, variable, lane, {bits, made.from, true}, made.reads);
    // A variable that starts anew holds no more what it held.
    if (made.from == kNoProvenance && lastVariable_[thread] != variable) return;
    lastValue_[thread] = made.from;
    lastVariable_[thread] = variable;
  });
}

void Recorder::shuffled(const WarpState& warp, const Instruction& i, const std::int8_t* sources) {
  if (failure_) return;
  Step& step = addStep(StepKind::Shuffle, warp, i, warp.active);
  step.shuffleSources = static_cast<std::uint32_t>(trace_.shuffleSources.size());
  std::array<Made, kMaxLanes> before;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) before[lane] = origin(warp, i.a, lane);
  for (unsigned lane = 0; lane < trace_.launch.machine.warpSize; ++lane) {
    const bool isActive = (warp.active >> lane & 1u) != 0;
    trace_.shuffleSources.push_back(isActive ? sources[lane] : std::int8_t{-1});
    const auto source = static_cast<unsigned>(sources[lane]);
    origin(warp, i.dst, lane) = {before[source].from, readNow(threadOf(warp, source), before[source].from)};
  }
  records_[warp.index].accessed = true;
  records_[warp.index].shuffled = true;
}

void Recorder::blockBarrierReached(const WarpState& warp, const Instruction& i) {
  if (!failure_) addStep(StepKind::BlockBarrier, warp, i, warp.active);
}

void Recorder::warpBarrierReached(const WarpState& warp, const Instruction& i) {
  if (!failure_) addStep(StepKind::WarpBarrier, warp, i, warp.active);
}

void Recorder::warpExited(const WarpState& warp, const Instruction& i) {
  if (failure_) return;
  Step& step = addStep(StepKind::Exit, warp, i, warp.active);
  // The kernel's end has no place of its own in the text: the line is where the warp last was.
  if (step.previousOfWarp >= 0) {
    const Step& last = trace_.steps[static_cast<std::size_t>(step.previousOfWarp)];
    step.line = last.line;
    step.span = last.span;
  }
  step.exited = warp.present;
  step.after = 0;
  step.maskedBy = 0;
}

bool Recorder::readsNeighboursWrite(const WarpState& warp, const Instruction& i) const {
  const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
  const std::uint32_t warpSize = trace_.launch.machine.warpSize;
  bool found = false;
  forEachLane(warp.active, [&](unsigned lane) {
    const std::optional<std::uint32_t> cell = knownCellOf(addresses[lane]);
    const auto writer = cell ? writer_.find(*cell) : writer_.end();
    if (writer == writer_.end()) return;
    found |= writer->second != threadOf(warp, lane) && writer->second / warpSize == warp.index;
  });
  return found;
}

bool Recorder::pausesBefore(const WarpState& warp, const Instruction& i) {
  if (failure_ || warp.active == 0) return false;
  const WarpRecord& record = records_[warp.index];
  if (isLoading(i.op)) return readsNeighboursWrite(warp, i);
  if (isShuffle(i.op)) return record.accessed;
  if (!isStoring(i.op) && i.op != Op::Atomic) return false;
  // Results leave the block in a phase of their own, also where no barrier comes before.
  const std::uint64_t address = warp.lanes<LaneU64>(i.a)[std::countr_zero(warp.active)];
  return record.shuffled || (record.storedShared && !isShared(address));
}

void Recorder::allWait(bool /*atBarrier*/) {
  if (failure_) return;
  bool anyAccess = false;
  for (const WarpRecord& record : records_) anyAccess |= record.accessed;
  if (!anyAccess) return;  // nothing happened that a picture could show: the phase goes on
  closePhase();
  trace_.phases.emplace_back();
  trace_.phases.back().firstStep = static_cast<std::uint32_t>(trace_.steps.size());
}

void Recorder::closePhase() {
  Phase& phase = trace_.phases.back();
  phase.endStep = static_cast<std::uint32_t>(trace_.steps.size());
  phase.sharedAfter.assign(cells_.begin(), cells_.begin() + trace_.sharedCells);
  describePhase(trace_, trace_.phases.size() - 1, lastValue_);
  writer_.clear();
  for (WarpRecord& record : records_) record.accessed = record.shuffled = record.storedShared = false;
}

void Recorder::blockEnds() {
  if (failure_) return;
  bool anyAccess = false;
  for (const WarpRecord& record : records_) anyAccess |= record.accessed;
  if (!anyAccess && trace_.phases.size() > 1) {  // only the way out: it belongs to the last phase
    const auto last = static_cast<std::uint32_t>(trace_.phases.size() - 2);
    for (std::size_t s = trace_.phases.back().firstStep; s < trace_.steps.size(); ++s)
      trace_.steps[s].phase = last;
    trace_.phases.pop_back();
  }
  closePhase();
}

}  // namespace lanescope
