#include "sim/trace/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/bind_arguments.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/phases.h"
#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// The bytes in a trace per word that is an input element: the word and the node of its origin.
constexpr std::uint64_t kBytesPerWord = 40;

}  // namespace

void Recorder::blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                           const MemoryView& memory) {
  code_ = &code;
  memory_ = memory;
  trace_.kernelName = code.kernelName;
  trace_.tracedBlock = block;
  trace_.threads = static_cast<std::uint32_t>(trace_.launch.block.count());
  trace_.warps = static_cast<std::uint32_t>(warps.size());
  trace_.kernelLine = trace_.launch.compiled->line;
  trace_.functions = trace_.launch.compiled->functions;
  lineOfSite_ = trace_.launch.compiled->lineOfSite;
  for (const VariableRegister& variable : code.variables) {
    trace_.variables.push_back(
        {variable.name, toValueType(*variable.type), variable.declared, -1, variable.function});
  }
  nameVariables(trace_);
  std::uint64_t cells = (memory.shared.size() + 3) / 4;
  for (const auto buffer : memory.buffers) cells += (buffer.size() + 3) / 4;
  if (const std::uint64_t most = trace_.launch.limits.traceBytes / kBytesPerWord; cells > most) {
    const double mebibytes = static_cast<double>(most * 4) / (1U << 20U);
    return fail({fmt::format("The arrays are too large to be traced: {:.1f} MiB together are the most.",
                             std::floor(mebibytes * 10) / 10),
                 "Launch the kernel with smaller buffers.",
                 {}});
  }
  map_ = CellMap(memory);
  bounds_ = PhaseBounds(map_, warps.size(), trace_.launch.machine.warpSize);
  describeArrays(code, memory);
  trace_.initialCells = cells_;
  lastValue_.resize(trace_.threads);
  lastVariable_.resize(trace_.threads, UINT32_MAX);
  records_.resize(warps.size());
  roundOfWarp_.assign(warps.size(), 0);
  for (WarpRecord& record : records_) {
    record.origins.resize(std::size_t{code.registers} * kMaxLanes);
    record.localOrigins.resize(std::size_t{code.localBytes} / 4 * kMaxLanes);
    record.branchLines.resize(code.scopeDepth + 1);
    record.lastSets.resize(trace_.variables.size(), kNoIndex);
  }
  trace_.phases.emplace_back();
}

std::uint32_t Recorder::maskedBy(const WarpState& warp, const WarpRecord& record) const {
  const auto known = static_cast<std::uint32_t>(record.branchLines.size());
  for (std::uint32_t depth = std::min(warp.depth, known); depth-- > 0;) {
    if (record.branchLines[depth] != 0 && (warp.frames[depth].saved & ~warp.active) != 0)
      return record.branchLines[depth];
  }
  return 0;
}

/// For the innermost open scope or branch.
std::uint32_t& Recorder::branchLine(const WarpState& warp) {
  std::vector<std::uint32_t>& lines = records_[warp.index].branchLines;
  if (lines.size() < warp.depth) lines.resize(2 * std::size_t{warp.depth});  // calls within calls
  return lines[warp.depth - 1];
}

// A loop that never ends meets the limit anywhere in it: the loop itself is reported.
void Recorder::passLimit() {
  const Instruction* const by = records_[step_->warp].lastBy;
  const auto loops = loopsAround(*code_, static_cast<std::uint32_t>(by - code_->code.data()));
  const SourceText& source = *trace_.launch.source;
  const SourceSpan span = code_->sites[loops.empty() ? by->site : loops.front().site];
  const std::string message =
      fmt::format("the trace of {} passed its limit of {} MB{}", blockText(trace_.launch, trace_.tracedBlock),
                  trace_.launch.limits.traceBytes / 1'000'000, loopsText(source, *code_, loops));
  const std::string hint = "Look for a loop that never ends, or trace a smaller block.";
  fail({fmt::format("{}:{}: {}.", source.name(), source.findLine(span), message),
        hint,
        {{message, hint, span}},
        true});
}

void Recorder::fail(Error error) {
  failure_ = std::move(error);
  if (whenFailed_) whenFailed_();
}

std::uint32_t Recorder::findStep(const WarpState& warp, const Instruction& i) const {
  if (failure_) return 0;  // the trace will not be shown
  const WarpRecord& record = records_[warp.index];
  if (record.lastBy == &i) return static_cast<std::uint32_t>(record.lastStep);
  return static_cast<std::uint32_t>(trace_.steps.size()) + (step_ ? 1 : 0);
}

Step& Recorder::addStep(const WarpState& warp, const Instruction& i, const Event& event) {
  finishStep();
  WarpRecord& record = records_[warp.index];
  Step& step = step_.emplace();
  step.kind = event.kind;
  step.warp = static_cast<std::uint16_t>(warp.index);
  step.phase = static_cast<std::uint32_t>(trace_.phases.size() - 1);
  step.line = lineOfSite_[i.site];
  step.span = code_->sites[i.site];
  step.active = event.active;
  step.taken = event.taken;
  step.wavefronts = event.wavefronts;
  step.idealWavefronts = event.idealWavefronts;
  step.loadWavefronts = event.loadWavefronts;
  step.sharedAtomic = event.sharedAtomic;
  step.sectors = event.sectors;
  step.isResultUsed = event.isResultUsed;
  step.after = warp.active;
  step.exited = warp.exited();
  step.maskedBy = maskedBy(warp, record);
  step.previousOfWarp = record.lastStep;
  record.lastStep = static_cast<std::int32_t>(trace_.steps.size());
  record.lastBy = &i;
  return step;
}

void Recorder::finishStep() {
  if (!step_) return;
  step_->accesses = {trace_.accesses.append(accesses_), static_cast<std::uint32_t>(accesses_.size())};
  step_->cellChanges = {trace_.cellChanges.append(cellChanges_),
                        static_cast<std::uint32_t>(cellChanges_.size())};
  if (!sets_.empty()) {
    std::vector<std::uint32_t>& last = records_[step_->warp].lastSets;
    for (VariableSet& set : sets_) set.previous = last[set.variable];
    std::uint32_t index = step_->variableSets = trace_.variableSets.append(sets_);
    for (const VariableSet& set : sets_) {
      last[set.variable] = index;
      index = set.next;
    }
  }
  addToRound(*step_);
  trace_.steps.add(*step_);
  accesses_.clear();
  cellChanges_.clear();
  sets_.clear();
  if (trace_.poolBytes() + phaseBytes_ > trace_.launch.limits.traceBytes) passLimit();
  step_.reset();
}

// A warp has one turn in a round, and does nothing twice in it: a loop on one line is a round per iteration.
void Recorder::addToRound(const Step& step) {
  const std::pair place{step.span.begin, step.kind};
  const bool isOther = round_.number == 0 || round_.line != step.line || round_.phase != step.phase;
  const bool hasWarp = !isOther && roundOfWarp_[step.warp] == round_.number;
  const bool isRepeated =
      hasWarp && (round_.warp != step.warp || std::ranges::find(round_.places, place) != round_.places.end());
  const bool isFirst = isOther || isRepeated;
  if (isFirst) ++round_.number;
  if (isFirst || round_.warp != step.warp) round_.places.clear();
  round_.line = step.line;
  round_.phase = step.phase;
  round_.warp = step.warp;
  round_.places.push_back(place);
  roundOfWarp_[step.warp] = round_.number;
  const std::size_t index = trace_.steps.size();
  if (index % 64 == 0) trace_.roundBits.append(std::uint64_t{0});
  trace_.roundBits.back() |= std::uint64_t{isFirst} << index % 64;
}

void Recorder::storeWord(std::uint32_t cell, ValueOrigin value, std::uint32_t thread) {
  const Word after{map_.computeBits(cell), value.from, true};
  cellChanges_.push_back({cell, cells_[cell], after, value.reads, thread});
  cells_[cell] = after;
}

void Recorder::happened(const WarpState& warp, const Instruction& i, const Event& event) {
  if (failure_) return;
  if (event.kind == StepKind::Branch) branchLine(warp) = lineOfSite_[i.site];
  Step& step = addStep(warp, i, event);
  switch (event.kind) {
    case StepKind::SharedLoad:
    case StepKind::SharedStore:
    case StepKind::SharedAtomic:
    case StepKind::GlobalLoad:
    case StepKind::GlobalStore:
    case StepKind::GlobalAtomic:
    case StepKind::ConstantLoad: return recordAccess(warp, i, event);
    case StepKind::Shuffle: return recordShuffle(warp, i, event.sources, step);
    case StepKind::Reduce: return recordReduction(warp, i, step);
    case StepKind::Vote: return recordVote(warp, i);
    case StepKind::Assign:
      return isStoring(i.op) ? recordLocal(warp, i, event, false) : recordVariable(warp, i);
    case StepKind::Exit: return recordExit(warp, step);
    case StepKind::Branch:
    case StepKind::BlockBarrier:
    case StepKind::WarpBarrier:
    case StepKind::Print:
    case StepKind::Fault: return;
  }
}

void Recorder::recordAccess(const WarpState& warp, const Instruction& i, const Event& event) {
  const AccessKind kind = toAccessKind(event.kind);
  bounds_.accessed(warp, event);
  forEachLane(event.active, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    const std::uint32_t cell = map_.findCell(address);
    if (kind == AccessKind::Load) readElements(warp, i, event, lane);
    if (kind == AccessKind::Store) writeElements(warp, i, event, lane);
    if (kind == AccessKind::Atomic) updateWord(warp, i, cell, lane);
    LaneAccess access;
    access.lane = static_cast<std::uint8_t>(lane);
    access.bytes = event.bytes;
    access.cell = cell;
    access.address = static_cast<std::uint32_t>(address & kOffsetMask);
    access.value = cells_[cell];
    accesses_.push_back(access);
  });
}

/// Lanes come in their order, also for one variable.
void Recorder::setVariable(std::uint32_t variable, unsigned lane, std::uint64_t bits, ValueOrigin value) {
  auto set = std::ranges::find(sets_, variable, &VariableSet::variable);
  if (set == sets_.end()) {
    set = sets_.emplace(set);
    set->variable = variable;
  }
  set->lanes |= LaneMask{1} << lane;  // the parts of a wide value may come one by one: the last stays
  const std::size_t entry = set->findKernelEntry(lane);
  set->bits[entry] = bits;
  set->from[entry] = value.from;
  set->reads[entry] = value.reads;
}

void Recorder::recordVariable(const WarpState& warp, const Instruction& i) {
  const auto variable = static_cast<std::uint32_t>(i.imm);
  const bool isWide = i.op == Op::Set64;
  forEachLane(warp.active, [&](unsigned lane) {
    const std::uint32_t thread = findThread(warp, lane);
    const ValueOrigin value = origin(warp, i.a, lane);
    origin(warp, i.dst, lane) = value;
    const std::uint64_t bits = isWide ? warp.lanes<LaneU64>(i.dst)[lane] : warp.lanes<LaneU32>(i.dst)[lane];
    setVariable(variable, lane, bits, value);
    // A variable that starts anew has lost its old value.
    if (value.from == kNoProvenance && lastVariable_[thread] != variable) return;
    lastValue_[thread] = value.from;
    lastVariable_[thread] = variable;
  });
}

void Recorder::recordShuffle(const WarpState& warp, const Instruction& i, const std::int8_t* sources,
                             Step& step) {
  std::array<std::int8_t, kMaxLanes> read;
  std::array<ValueOrigin, kMaxLanes> before;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) before[lane] = origin(warp, i.a, lane);
  for (unsigned lane = 0; lane < trace_.launch.machine.warpSize; ++lane) {
    const bool isActive = (warp.active >> lane & 1u) != 0;
    read[lane] = isActive ? sources[lane] : std::int8_t{-1};
    const auto source = static_cast<unsigned>(sources[lane]);
    origin(warp, i.dst, lane) = {before[source].from, readNow(findThread(warp, source), before[source].from)};
  }
  step.shuffleSources = trace_.shuffleSources.append(std::span(read).first(trace_.launch.machine.warpSize));
  bounds_.exchanged(warp);
}

void Recorder::recordExit(const WarpState& warp, Step& step) const {
  // The kernel's end has no place of its own in the text: the line is the warp's last one.
  if (step.previousOfWarp >= 0) {
    const Step last = trace_.steps[static_cast<std::size_t>(step.previousOfWarp)];
    step.line = last.line;
    step.span = last.span;
  }
  step.exited = warp.present;
  step.after = 0;
}

bool Recorder::pausesBefore(const WarpState& warp, const Instruction& i) {
  if (failure_) return false;
  return bounds_.beginsBefore(warp, i);
}

void Recorder::allWait(bool /*atBarrier*/) {
  if (failure_ || !bounds_.anyAccess())
    return;  // nothing happened that a picture could show: the phase continues
  finishStep();
  closePhase();
  trace_.phases.emplace_back();
  trace_.phases.back().firstStep = static_cast<std::uint32_t>(trace_.steps.size());
}

void Recorder::closePhase() {
  Phase& phase = trace_.phases.back();
  phase.endStep = static_cast<std::uint32_t>(trace_.steps.size());
  phase.sharedAfter.assign(cells_.begin(), cells_.begin() + trace_.sharedCells);
  describePhase(trace_, trace_.phases.size() - 1, lastValue_);
  phaseBytes_ += toBytes(phase);
  bounds_.next();
}

void Recorder::faulted(const WarpState& warp, const Fault& fault) {
  if (failure_ || fault.kind == Fault::Kind::Stopped) return;
  const auto by = std::ranges::find(code_->code, fault.site, &Instruction::site);
  addStep(warp, *by, {.kind = StepKind::Fault, .active = warp.active});
  TraceFault& recorded = trace_.fault.emplace();
  recorded.step = static_cast<std::uint32_t>(trace_.steps.size());
  const bool isOfLane = fault.kind != Fault::Kind::StepLimit && fault.kind != Fault::Kind::DivergentBarrier;
  recorded.lanes = isOfLane ? LaneMask{1} << fault.lane : fault.lanes;
  if (fault.kind == Fault::Kind::OutOfBounds || fault.kind == Fault::Kind::Misaligned)
    locate(fault, recorded);
}

void Recorder::blockEnds() {
  if (failure_) return;
  finishStep();
  if (!bounds_.anyAccess() &&
      trace_.phases.size() > 1) {  // only results that leave the block: they belong to the last phase
    const auto last = static_cast<std::uint32_t>(trace_.phases.size() - 2);
    trace_.steps.moveToPhase(trace_.phases.back().firstStep, last);
    trace_.phases.pop_back();
  }
  closePhase();
  trace_.steps.close();
  trace_.provenance.close();
  trace_.reads.close();
}

// The memory in a trace: its arrays, and the origins of their contents before the block runs.

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
    const std::uint64_t bytes =
        array.isDynamic ? memory.shared.size() - std::min<std::uint64_t>(memory.shared.size(), dynamicOffset)
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
  if (trace_.launch.raw != nullptr) return nameRawWords();
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
  std::size_t array = SIZE_MAX;
  if (isShared(address) && sharedObject(address) < memory_.sharedObjects.size()) {
    array = sharedObject(address);
    byte -= static_cast<std::int64_t>(memory_.sharedObjects[array].begin);
  } else if (!isShared(address) && !isLocal(address) && address >> kOffsetBits != 0) {
    array = shared + bufferIndex(address);
  }
  if (array >= trace_.arrays.size()) return;
  place.array = static_cast<std::int32_t>(array);
  place.word = byte >= 0 ? byte / 4 : -((3 - byte) / 4);
}

/// Arrays that a program gave: unless they are too many for that, each is named by its position, as inputs
/// are. Words that earlier blocks have changed belong to those blocks.
void Recorder::nameRawWords() {
  constexpr std::uint32_t kMostNamed = std::uint32_t{1} << 16U;
  const auto& raw = trace_.launch.raw->buffers;
  char letter = 'a';
  for (std::size_t b = 0; b < raw.size(); ++b) {
    const TracedArray& array = trace_.arrays[trace_.arrays.size() - memory_.buffers.size() + b];
    const bool isNamed = array.cellCount <= kMostNamed && letter <= 'z';
    const std::uint32_t words = splitWords(array.type);
    const ProvenanceId first =
        isNamed ? trace_.provenance.inputs(letter++, (array.cellCount + words - 1) / words) : kNoProvenance;
    for (std::uint32_t c = 0; c < array.cellCount; ++c) {
      const std::size_t begin = std::size_t{c} * 4;
      const std::size_t bytes = std::min<std::size_t>(4, raw[b].size() - begin);
      const bool isUnchanged = std::ranges::equal(std::span(raw[b]).subspan(begin, bytes),
                                                  memory_.buffers[b].subspan(begin, bytes));
      const ProvenanceId from = !isUnchanged ? trace_.provenance.findElement(array.name, c / words)
                                : isNamed    ? first + c / words
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
