#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace lanescope {

/// The cause that ended a launch early; fault_text.h makes a sentence of it.
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
};

/// The output of one call of printf by one thread.
struct Printed {
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t site = 0;
  std::uint32_t turn = 0;  ///< how often the block had continued after it had waited for others
  std::string text;
};

/// The state shared by the threads that simulate a launch.
struct RunControl {
  std::uint64_t instructionLimit = 0;
  std::uint64_t blockLimit = UINT64_MAX;  ///< instructions of one block
  std::stop_token stop;
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> failed{false};  ///< another thread had a fault
  std::uint64_t paddedTo = 0;       ///< Launch::paddedTo

  /// The fault that a GPU passes over, in the first block that had one.
  struct Noted {
    Fault fault{};
    std::uint64_t block = 0;
  };
  void note(const Fault& fault, std::uint64_t block) {
    const std::lock_guard lock(mutex);
    if (!noted || block < noted->block) noted = {fault, block};
  }
  std::mutex mutex;
  std::optional<Noted> noted;
};

}  // namespace lanescope
