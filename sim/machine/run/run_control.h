#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace lanescope {

/// What ended a launch early, for a sentence to be made of.
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
    NoCallee,  ///< a call through a pointer, or of a virtual function, of none that the text has
    ShuffleWidth,
    TileTooWide,
    FreedTwice,      ///< a block of the device's heap
    NeverAllocated,  ///< what is freed is no block of it
    StackOverflow,   ///< calls of functions that call themselves
    StepLimit,
    Stopped
  } kind;
  static constexpr std::uint32_t kNoLoop = UINT32_MAX;

  std::uint32_t site = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t lanes = 0;    ///< DivergentBarrier: those that reached it
  std::uint64_t address = 0;  ///< ShuffleWidth: the width; TileTooWide: the tile's threads; StackOverflow:
                              ///< the calls
  std::uint8_t bytes = 0;
  bool isStore = false;
  bool isOfBlock = false;  ///< StepLimit: that of one block, not of the launch
  /// StepLimit: the site of the innermost loop that it was met in, or kNoLoop.
  std::uint32_t loop = kNoLoop;
};

/// What one thread printed by one call of printf.
struct Printed {
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t site = 0;
  std::uint32_t turn = 0;  ///< how often the block had gone on after it had waited for others
  std::string text;
};

/// What the threads that simulate a launch share.
struct RunControl {
  std::uint64_t instructionLimit = 0;
  std::uint64_t blockLimit = UINT64_MAX;  ///< instructions of one block
  std::stop_token stop;
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> failed{false};  ///< another thread met a fault
  std::uint64_t paddedTo = 0;       ///< Launch::paddedTo

  /// What a GPU passes over, of the first block that did it.
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
