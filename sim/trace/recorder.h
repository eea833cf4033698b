#pragma once

#include <functional>
#include <optional>

#include "sim/machine/run/observer.h"
#include "sim/trace/phases.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Writes down one block as a Trace while it runs, and determines the ends of its phases.
class Recorder : public Observer, public StepSource {
 public:
  /// For a launch whose kernel is compiled. `whenFailed` is called once the trace can no longer become whole.
  explicit Recorder(const Launch& launch, std::function<void()> whenFailed = {})
      : whenFailed_(std::move(whenFailed)) {
    trace_.launch = launch;
    trace_.steps.countWith(launch.work);
  }

  void blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                   const MemoryView& memory) override;
  void faulted(const WarpState& warp, const Fault& fault) override;
  void blockEnds() override;
  bool pausesBefore(const WarpState& warp, const Instruction& i) override;
  void allWait(bool atBarrier) override;
  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;
  void localLoaded(const WarpState& warp, const Instruction& i, const Event& access) override;
  void instructionDone(const WarpState& warp, const Instruction& i) override;

  std::uint32_t findStep(const WarpState& warp, const Instruction& i) const override;

  /// The reason the trace is not whole; nullopt if it is whole.
  const std::optional<Error>& failure() const { return failure_; }
  Trace consume() { return std::move(trace_); }

 private:
  /// The origin of a register's value.
  struct ValueOrigin {
    ProvenanceId from = kNoProvenance;
    ReadsId reads = kNoReads;
  };

  /// The position of one warp, and the origins of its registers.
  struct WarpRecord {
    std::int32_t lastStep = -1;
    const Instruction* lastBy = nullptr;     ///< the instruction of that
    std::vector<std::uint32_t> lastSets;     ///< by variable: its last set; kNoIndex: none yet
    std::vector<ValueOrigin> origins;        ///< by register and lane
    std::vector<ValueOrigin> localOrigins;   ///< by word of local memory and lane
    std::vector<std::uint32_t> branchLines;  ///< by frame depth; 0: no branch
    std::vector<ValueOrigin> savedOrigins;   ///< the origins of the registers on the warp's stack
  };

  static ValueType toValueType(const Type& type);
  void locate(const Fault& fault, TraceFault& place) const;
  void describeArrays(const Bytecode& code, const MemoryView& memory);
  /// Begins the warp's next step, after the current one was recorded.
  Step& addStep(const WarpState& warp, const Instruction& i, const Event& event);
  void recordAccess(const WarpState& warp, const Instruction& i, const Event& event);
  void recordShuffle(const WarpState& warp, const Instruction& i, const std::int8_t* sources, Step& step);
  void recordReduction(const WarpState& warp, const Instruction& i, Step& step);
  void recordVote(const WarpState& warp, const Instruction& i);
  void recordVariable(const WarpState& warp, const Instruction& i);
  /// A store to, or a load from, the threads' own memory, which shows as variables: `acc[2]` of each thread.
  void recordLocal(const WarpState& warp, const Instruction& i, const Event& event, bool isLoad);
  void recordExit(const WarpState& warp, Step& step) const;
  std::uint32_t& branchLine(const WarpState& warp);
  void saveOrigins(const WarpState& warp, const Instruction& i);
  std::uint32_t maskedBy(const WarpState& warp, const WarpRecord& record) const;
  std::uint32_t findThread(const WarpState& warp, unsigned lane) const {
    return warp.index * trace_.launch.machine.warpSize + lane;
  }
  ValueOrigin& origin(const WarpState& warp, std::uint16_t reg, unsigned lane) {
    return records_[warp.index].origins[std::size_t{reg} * kMaxLanes + lane];
  }
  ValueOrigin reducedOver(const WarpState& warp, const Instruction& i, std::uint32_t mask);
  /// The reads behind a test, a count of bits or an address.
  ReadsId recordReads(const WarpState& warp, const Instruction& i, unsigned lane);
  ValueOrigin joined(Provenance::Kind kind, ValueOrigin left, ValueOrigin right);
  /// A value that the current step reads at a cell, or in a thread's register.
  ReadsId readNow(std::uint32_t cellOrThread, ProvenanceId from);
  void storeWord(std::uint32_t cell, ValueOrigin value, std::uint32_t thread);
  void nameOthersWords();
  void nameRawWords();
  void finishStep();
  void readElements(const WarpState& warp, const Instruction& i, const Event& event, unsigned lane);
  void writeElements(const WarpState& warp, const Instruction& i, const Event& event, unsigned lane);
  void updateWord(const WarpState& warp, const Instruction& i, std::uint32_t cell, unsigned lane);
  void setVariable(std::uint32_t variable, unsigned lane, std::uint64_t bits, ValueOrigin value);
  void closePhase();
  void passLimit();
  void addToRound(const Step& step);
  void fail(Error error);

  Trace trace_;
  const Bytecode* code_ = nullptr;
  MemoryView memory_;
  std::vector<std::uint32_t> lineOfSite_;
  CellMap map_;
  PhaseBounds bounds_;
  std::vector<Word> cells_;
  /// The current round: its line and phase, and of its last warp the places of the steps.
  struct Round {
    std::uint32_t number = 0;  ///< from 1; 0: before the first
    std::uint32_t line = 0;
    std::uint32_t phase = 0;
    std::uint32_t warp = 0;
    std::vector<std::pair<std::uint32_t, StepKind>> places;
  };
  Round round_;
  std::vector<std::uint32_t> roundOfWarp_;  ///< by warp: the number of its last round, from 1; 0: none yet
  std::optional<Step> step_;                ///< the current step, and its parts:
  std::vector<LaneAccess> accesses_;
  std::vector<CellChange> cellChanges_;
  std::vector<VariableSet> sets_;
  std::size_t phaseBytes_ = 0;  ///< used by the finished phases
  std::vector<WarpRecord> records_;
  std::vector<ProvenanceId> lastValue_;      ///< by thread: the last derived value a variable got
  std::vector<std::uint32_t> lastVariable_;  ///< by thread: that variable
  std::optional<Error> failure_;
  std::function<void()> whenFailed_;
};

}  // namespace lanescope
