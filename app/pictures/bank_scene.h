#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The words that one lane requests from the banks.
struct LaneDemand {
  unsigned lane = 0;
  std::uint32_t thread = 0;
  std::uint32_t cell = 0;
  std::uint32_t word = 0;       ///< index in the block's shared memory, 4 bytes each
  std::uint32_t words = 1;      ///< how many words it spans
  unsigned bank = 0;            ///< the bank of the first word
  std::uint32_t wavefront = 0;  ///< the wavefront that serves it, from 0
};

/// A shared access as the banks see it.
struct BankRequest {
  std::vector<LaneDemand> lanes;                             ///< by bank, then wavefront, then lane
  std::vector<std::vector<std::uint32_t>> wordsOfWavefront;  ///< the requested words that each serves
  /// By bank: its wavefronts for lanes that are served together. A wide access that fills the banks takes one
  /// wavefront per half-warp and is of degree 1: no conflict.
  std::vector<unsigned> degree;
  std::uint32_t words = 0;  ///< different words of 4 bytes
  std::uint32_t banks = 0;  ///< banks requested
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;
  StepKind kind = StepKind::SharedLoad;

  bool conflicts() const { return wavefronts > ideal; }
};

/// The request of a shared access; for another step it is empty.
BankRequest bankRequest(const Trace& trace, const Step& step);

/// The request of a shared access; empty for any other step.
std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell);
/// The index of a shared cell among the 4-byte words of the block's shared memory.
std::uint32_t sharedWords(const Trace& trace);

/// The data about a trace that the picture of the banks needs.
struct BankPlan {
  std::uint32_t words = 0;               ///< words of shared memory in use
  std::vector<std::int32_t> cellOfWord;  ///< -1: padding
  std::vector<std::uint32_t>
      busiest;  ///< shared accesses that take at least as many wavefronts as any earlier one in the phase
  std::vector<std::uint32_t> widest;     ///< global accesses: likewise, by sectors moved
  std::vector<std::uint32_t> exchanges;  ///< of registers between lanes: steps
  std::vector<std::uint32_t> accesses;   ///< steps that access memory, these exchanges, and a fault

  /// The last of those steps before the cursor if it is in that phase; else empty.
  static std::optional<std::uint32_t> findLast(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                               Cursor cursor);
};

BankPlan planBanks(const Trace& trace);

/// The shared-memory banks as columns, the words in rows over them, the lanes of the current access on top
/// with a curve to each requested word, coloured by wavefront (`wavefrontColor`); wavefronts up to
/// Cursor::wavefront are lit. A step that is not a shared access is described in one sentence over dimmed
/// words; a global access is drawn with its sectors, a load of constant memory with its addresses. Hits: Cell
/// (index: shared cell), Bank (index: bank), Thread (lanes).
Scene bankScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// True if the current step is one of BankPlan::accesses, or one of only a few between two of them.
bool isAmongAccesses(const Moment& moment);
/// True if the current phase has one of them.
bool phaseHasAccess(const Moment& moment);
/// The heading alone, and the step in words.
Scene bankLineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);
/// The step in words: `s[index + i] read by warp 0: 8 words asked of 4 banks, 2 wavefronts, ideal 1`.
std::string describeStep(const Trace& trace, const Step& step);
/// `8 words asked of 4 banks`, `32 words`; and its price: `2 wavefronts, ideal 1`, `4 sectors`. Of accesses
/// to shared and global memory.
std::string describeAsked(const Trace& trace, const Step& step);
std::string describePrice(const Trace& trace, const Step& step);
/// `s[index + i] read`, `in[i] read from global memory`: what any warp does in such a step. The same
/// accesses.
std::string describeAccess(const Trace& trace, const Step& step);

/// A global access, by its step's index: the lines of memory that it touches, of four sectors each, the lanes
/// at the bytes they request, and how many of the moved bytes are used. Faint if it is not the current step;
/// a sentence then describes the current step. `note`: the heading's, in place of the access in words.
/// Hits: Thread.
Scene sectorScene(const Moment& moment, std::uint32_t access, const SceneContext& context,
                  const TextMeasure& measure, std::string_view note = "");

/// A shuffle or a reduction over a warp, faint if it is not the current step: the lanes before and after, a
/// curve from each lane read to its reader.
/// Hits: Thread.
Scene exchangeScene(const Moment& moment, const Step& exchange, const SceneContext& context,
                    const TextMeasure& measure);

/// The current load of constant memory: the different addresses that the warp requests, and a curve from each
/// to the lanes that read it. Hits: Cell (index: cell), Thread.
Scene constantScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// A hint to the other pictures, for a kernel without shared memory if there is no global access to show
/// either.
Scene noSharedScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The cost of an atomic beyond its wavefronts or sectors if several lanes update one word: their updates are
/// serialized ("SIMT Architecture" in the CUDA C++ Programming Guide). Empty for any other step.
std::string contentionText(const Trace& trace, const Step& step);

/// Bytes that a global access moves, and how many of them lanes request.
struct BytesUsed {
  std::uint32_t used = 0;
  std::uint32_t moved = 0;
};
BytesUsed bytesUsed(const Trace& trace, const Step& step);

}  // namespace lanescope
