#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "sim/language/check/type.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/byte_set.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// An operation of 32 bits whose result is not that of whole numbers: an index computed from it leads
/// anywhere.
struct WrappedValue {
  std::uint32_t site = 0;
  char operation = '+';  ///< + - *
  bool isSigned = true;  ///< an int; else an unsigned int
  std::int64_t a = 0;
  std::int64_t b = 0;
};

/// The cause that ended a launch early; fault_text.cpp makes a sentence of it.
struct Fault {
  enum class Kind : std::uint8_t {
    OutOfBounds,
    Misaligned,
    ForeignLocal,  ///< local memory of another thread
    EndedLocal,    ///< a local variable whose scope the thread has left
    MixedSpaces,
    DivergentBarrier,
    AssertionFailed,
    Trapped,   ///< __trap()
    NoCallee,  ///< a call through a pointer, or of a virtual function, to a function that the text does not
               ///< have
    ShuffleWidth,
    TileTooWide,
    FreedTwice,      ///< a block of the device's heap
    NeverAllocated,  ///< the freed address is not the start of an allocation
    StackOverflow,   ///< calls of functions that call themselves
    StepLimit,
    Unwritten,  ///< a byte of a buffer that was never written: the run continues
    Stopped
  } kind;
  static constexpr std::uint32_t kNoLoop = UINT32_MAX;

  std::uint32_t site = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t lanes = 0;    ///< DivergentBarrier: the lanes that reached it
  std::uint64_t address = 0;  ///< ShuffleWidth: the width; TileTooWide: the tile's threads; StackOverflow:
                              ///< the calls
  std::uint8_t bytes = 0;
  bool isStore = false;
  bool isOfBlock = false;  ///< StepLimit: the limit of one block, not of the launch
  /// StepLimit: the site of the innermost loop in which it was reached, or kNoLoop.
  std::uint32_t loop = kNoLoop;
  /// DivergentBarrier: the site of the break or continue, or of the loop, by which others left; or kNoLoop.
  std::uint32_t leftBy = kNoLoop;
  std::optional<WrappedValue> wrapped{};  ///< OutOfBounds: in the index
};

/// The output of one call of printf by one thread.
struct Printed {
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t site = 0;
  std::uint32_t turn = 0;  ///< how often the block had continued after it had waited for others
  std::string text;
};

/// The newest output of a launch's threads, at most a number of calls.
class PrintedLines {
 public:
  explicit PrintedLines(std::uint64_t most) : most_(most) {}

  void add(Printed line) {
    lines_.push_back(std::move(line));
    if (lines_.size() <= most_) return;
    lines_.pop_front();
    ++lost_;
  }
  /// Takes the lines of another, which loses them.
  void take(PrintedLines& other) {
    for (Printed& line : other.lines_) add(std::move(line));
    lost_ += std::exchange(other.lost_, 0);
    other.lines_.clear();
  }
  std::deque<Printed>& lines() { return lines_; }
  /// The calls whose output is no longer there.
  std::uint64_t lost() const { return lost_; }

 private:
  std::deque<Printed> lines_;
  std::uint64_t most_;
  std::uint64_t lost_ = 0;
};

/// The state shared by the threads that simulate a launch.
struct RunControl {
  std::uint64_t instructionLimit = 0;
  std::uint64_t blockLimit = UINT64_MAX;  ///< instructions of one block
  std::uint64_t printedCalls = 0;         ///< Limits::printedCalls
  std::stop_token stop;
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> failed{false};  ///< another thread had a fault
  std::uint64_t paddedTo = 0;       ///< Launch::paddedTo

  /// The fault that a GPU passes over, in the first block that had one.
  struct Tolerated {
    Fault fault{};
    std::uint64_t block = 0;
  };
  void tolerate(const Fault& fault, std::uint64_t block) {
    const std::lock_guard lock(mutex);
    if (!tolerated || block < tolerated->block) tolerated = {fault, block};
  }
  /// A load of bytes that were never written, and a use of the value: kept is the first block's, for each
  /// site.
  void foundUnwritten(const Fault& fault, std::uint64_t block) {
    const std::lock_guard lock(mutex);
    const auto [known, isNew] = unwritten.try_emplace(fault.site, Tolerated{fault, block});
    if (!isNew && block < known->second.block) known->second = {fault, block};
  }
  std::mutex mutex;
  std::optional<Tolerated> tolerated;
  std::map<std::uint32_t, Tolerated> unwritten;  ///< by site
};

/// Views of a register's lanes by type. They alias the frame's storage on purpose.
using LaneU32 = std::uint32_t __attribute__((may_alias));
using LaneI32 = std::int32_t __attribute__((may_alias));
using LaneU64 = std::uint64_t __attribute__((may_alias));
using LaneI64 = std::int64_t __attribute__((may_alias));
using LaneF32 = float __attribute__((may_alias));
using LaneF64 = double __attribute__((may_alias));

/// An open scope or if: the mask at its start, and the lanes parked (scope) or yet to run (if).
struct MaskFrame {
  std::uint32_t saved = 0;
  std::uint32_t other = 0;
};

enum class WarpStatus : std::uint8_t { Ready, AtBarrier, AtGridBarrier, Paused, Done };

/// The instruction at which a warp continues after a call, and its caller's WarpState::base.
struct ReturnPoint {
  std::uint32_t pc = 0;
  std::uint32_t base = 0;
};

/// The memory that functions that call themselves need per warp: it grows as calls go deeper.
struct CallStack {
  std::vector<ReturnPoint> returns;
  std::vector<std::uint32_t> saved;  ///< registers, kMaxLanes words each
  std::vector<MaskFrame> frames;
  std::vector<std::byte> local;
};

/// One warp in flight. Lane masks have bit l for lane l.
struct WarpState {
  std::uint32_t index = 0;
  std::uint32_t pc = 0;
  std::uint32_t active = 0;
  std::uint32_t gone = 0;     ///< parked in any scope
  std::uint32_t present = 0;  ///< lanes that are threads of the block
  std::uint32_t depth = 0;    ///< frames in use
  std::uint32_t base = 0;     ///< of these, the scopes of the functions that called the current one
  WarpStatus status = WarpStatus::Ready;
  bool waits = false;   ///< Paused: it only waits for other threads (WaitProbe)
  bool isPart = false;  ///< not all of the warp's lanes: others continue by themselves (WarpParts)
  bool meets = false;   ///< Paused: a part that waits for the others at a warp-wide operation
  bool passes = false;  ///< it does the next one without them
  MaskFrame* frames = nullptr;
  LaneU32* registers = nullptr;
  std::byte* local = nullptr;   ///< the lanes' own memory: word w of lane l at (w * kMaxLanes + l) * 4
  CallStack* stack = nullptr;   ///< for a kernel that makes calls
  std::uint32_t votes = 0;      ///< lanes with a true condition at the current barrier
  std::uint32_t barrierPc = 0;  ///< that barrier's instruction, if it votes

  std::uint32_t exited() const { return frames[0].other; }
  /// Calls that the warp is in.
  std::size_t calls() const { return stack == nullptr ? 0 : stack->returns.size(); }
  template <class T>
  T* lanes(std::uint16_t reg) const {
    return reinterpret_cast<T*>(registers + std::size_t{reg} * kMaxLanes);
  }
};

/// The bytes of one object in a block's shared memory.
struct SharedExtent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// How a buffer is reached, for messages and pictures.
struct BufferName {
  std::string name{};             ///< the parameter's, or `A.elements`; empty: by other means, or not at all
  const Type* element = nullptr;  ///< the type of its elements; null without a name
  bool isMember = false;          ///< a struct argument points to it
  bool isConst = false;           ///< for a member: the kernel only reads it
  bool isConstantMemory = false;  ///< a `__constant__` variable's
};

/// The memory that a block's pointers lead to.
struct MemoryView {
  std::span<std::byte> shared;
  std::span<const std::span<std::byte>> buffers;
  std::span<const SharedExtent> sharedObjects;  ///< by the number in a shared address
  std::span<const BufferName> bufferNames{};    ///< by buffer
  DeviceHeap* heap = nullptr;                   ///< memory that kernels allocate, in a buffer of its own
  std::uint64_t heapBuffer = UINT64_MAX;
  bool hasConstantMemory = false;  ///< some buffer is a `__constant__` variable's
  /// As `buffers`, but empty if the buffer is watched: the fast ways to memory pass these by.
  std::span<const std::span<std::byte>> unwatched{};
  std::span<const WatchedBytes> watched{};  ///< by buffer; empty: none is
};

}  // namespace lanescope
