#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/element_type.h"

namespace lanescope {

/// Which course a strategy belongs to.
enum class Family {
  Reduction,  ///< n elements to one value, or to block sums
  Transpose,  ///< a matrix of n elements
  Elements,   ///< each element by itself: vector addition, the Julia set
};

/// What a launch leaves in `out`.
enum class ResultKind {
  BlockSums,    ///< out[b] = sum of the consecutive elements that block b reduces
  PartialSums,  ///< out[b] = block b's part; all of them together make the sum
  Sum,          ///< out[0] = the sum, added to a zero that someone must have put there
  Total,        ///< out[0] = the sum, whatever was there before
  Transpose,    ///< out = the transposed matrix
  VectorSum,    ///< out[i] = in[i] + b[i]
  Julia,        ///< out = a picture of width * height numbers
};

/// A kernel's parameter, in the words of a lesson's head.
enum class Parameter {
  In,        ///< const float*, n elements
  B,         ///< const float*, n elements
  Out,       ///< float*
  N,         ///< unsigned int
  Width,     ///< unsigned int: columns of the matrix of n elements
  Height,    ///< unsigned int: rows
  Partials,  ///< float*, scratch: one element a block
  Scratch,   ///< float*, n elements, whatever they hold: for kernels that add in global memory
  Next,      ///< float*, one element, whatever it holds: the kernel clears it, and the next launch adds to it
  Counter,   ///< unsigned int*, one word: 0 before the first launch and after each
};

/// The dynamic shared memory of a block.
enum class SharedFloats { PerThread, PerWarp, None };

/// A kernel that the app teaches: its text is what the simulator runs and nvcc compiles.
/// kernels/strategies/README.md describes the files and the lesson's head.
struct Strategy {
  std::string_view id;      ///< `no-divergence`: the file's name with '-' for '_'
  std::string formerId;     ///< which it had before and which still names it, else empty
  std::string_view file;    ///< `no_divergence.cu`
  std::string_view source;  ///< the text of that file
  std::string lesson;       ///< Markdown, without its head and its comments
  std::string kernel;       ///< `no_divergence`, `completely_unrolled<{block}>`: see shape.h
  std::string title;        ///< `No divergence`
  std::string chapter;      ///< of the course: `Within a warp`
  std::string summary;      ///< one sentence
  std::string broken;       ///< one sentence where the kernel is wrong by design, else empty
  int order = 0;            ///< within the chapter
  Family family = Family::Reduction;
  ResultKind result = ResultKind::BlockSums;
  std::vector<Parameter> parameters{Parameter::In, Parameter::Out};
  std::vector<std::string> operators;  ///< choices for {operator}, the sum first; empty where there is none
  std::vector<ElementType> types{ElementType::Float, ElementType::Double, ElementType::Int};
  std::uint32_t elementsPerThread = 1;
  bool stridesGrid = false;       ///< any grid will do for any n; else grid * block * elementsPerThread = n
  bool isOneThread = false;       ///< stridesGrid, and one thread does it all: more blocks change nothing
  std::uint32_t blocksPerSm = 8;  ///< stridesGrid: the most blocks that a GPU is given where nobody chooses
  std::uint64_t oneWaveTo = 0;    ///< up to this n at most as many as an SM holds at once; 0: never
  std::uint64_t largestN = 0;     ///< timed up to here, since it is so slow; 0 for no bound
  std::uint64_t opensAt =
      0;  ///< its lesson opens at so many elements, where fewer are chosen; 0: it does not mind
  SharedFloats shared = SharedFloats::PerThread;

  bool takes(ElementType type) const;
  /// Whether its grid may be chosen: the threads share the elements out among however many they are.
  bool takesBlocks() const { return stridesGrid && !isOneThread; }
  /// Whether a whole reduction to one value can be made of it.
  bool reducesToOne() const;
  /// Dynamic shared memory of a block, in bytes.
  std::uint64_t sharedBytes(std::uint32_t blockThreads, std::uint32_t warpSize,
                            ElementType type = ElementType::Float) const;
};

/// Every strategy, in course order: chapter by chapter, of which that with the least order comes first.
std::span<const Strategy> strategies();

/// A lesson's place in the course, `4.2`: the second lesson of the fourth chapter.
std::string courseNumber(const Strategy& strategy);

/// Whether a lesson is one that a person searches for: its title, id, chapter, summary and text have every
/// word of the search in them, in any case. An empty search finds all.
bool matches(const Strategy& strategy, std::string_view words);

/// The strategy of that id or former id, or nullptr.
const Strategy* findStrategy(std::string_view id);

/// The strategy whose text is exactly that, or nullptr.
const Strategy* findStrategyOfText(std::string_view source);

}  // namespace lanescope
