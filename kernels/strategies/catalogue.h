#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/element_type.h"

namespace lanescope {

/// The course of a strategy.
enum class Family {
  Reduction,  ///< n elements to one value, or to block sums
  Transpose,  ///< a matrix of n elements
  Elements,   ///< each element on its own: vector addition, the Julia set
};

/// The contents of `out` after a launch.
enum class ResultKind {
  BlockSums,    ///< out[b] = sum of the consecutive elements that block b reduces
  PartialSums,  ///< out[b] = block b's part; all of them together make the sum
  Sum,          ///< out[0] = the sum, added to a zero that must have been written there before
  Total,        ///< out[0] = the sum, whatever its value was before
  Transpose,    ///< out = the transposed matrix
  VectorSum,    ///< out[i] = in[i] + b[i]
  Julia,        ///< out = a picture of width * height numbers
};

/// A kernel's parameter, as a lesson's head names it.
enum class Parameter {
  In,        ///< const float*, n elements
  B,         ///< const float*, n elements
  Out,       ///< float*
  N,         ///< unsigned int
  Width,     ///< unsigned int: columns of the matrix of n elements
  Height,    ///< unsigned int: rows
  Partials,  ///< float*, scratch: one element per block
  Scratch,   ///< float*, n elements of any value: for kernels that add in global memory
  Next,      ///< float*, one element of any value: the kernel clears it, and the next launch adds to it
  Counter,   ///< unsigned int*, one word: 0 before the first launch and after each
};

/// The dynamic shared memory of a block.
enum class SharedFloats { PerThread, PerWarp, None };

/// A kernel that the app teaches: the simulator runs its text and nvcc compiles it.
/// kernels/strategies/README.md describes the files and the lesson's head.
struct Strategy {
  std::string_view id;      ///< `no-divergence`: the file's name with '-' for '_'
  std::string formerId;     ///< its previous id, which still names it; else empty
  std::string_view file;    ///< `no_divergence.cu`
  std::string_view source;  ///< the text of that file
  std::string lesson;       ///< Markdown, without its head and its comments
  std::string kernel;       ///< `no_divergence`, `completely_unrolled<{block}>`: see shape.h
  std::string title;        ///< `No divergence`
  std::string chapter;      ///< of the course: `Within a warp`
  std::string summary;      ///< one sentence
  std::string broken;       ///< one sentence if the kernel is wrong by design, else empty
  int order = 0;            ///< within the chapter
  Family family = Family::Reduction;
  ResultKind result = ResultKind::BlockSums;
  std::vector<Parameter> parameters{Parameter::In, Parameter::Out};
  std::vector<std::string> operators;  ///< choices for {operator}, the sum first; empty if it has none
  std::vector<ElementType> types{ElementType::Float, ElementType::Double, ElementType::Int};
  std::uint32_t elementsPerThread = 1;
  bool stridesGrid = false;  ///< any grid works for any n; else grid * block * elementsPerThread = n
  bool isOneThread = false;  ///< stridesGrid, and one thread does all the work: more blocks change nothing
  std::uint32_t blocksPerSm = 8;  ///< stridesGrid: the most blocks per SM of a GPU unless the user chooses
  std::uint64_t oneWaveTo = 0;    ///< up to this n at most as many as an SM holds at once; 0: no limit
  std::uint64_t largestN = 0;     ///< largest n that is timed, as it is so slow; 0: no limit
  std::uint64_t opensAt = 0;  ///< its lesson opens with this many elements if fewer are chosen; 0: any number
  SharedFloats shared = SharedFloats::PerThread;

  bool takes(ElementType type) const;
  /// True if its grid can be chosen: its threads share the elements, whatever their number.
  bool takesBlocks() const { return stridesGrid && !isOneThread; }
  /// True if it can be part of a whole reduction to one value.
  bool reducesToOne() const;
  /// Dynamic shared memory of a block, in bytes.
  std::uint64_t sharedBytes(std::uint32_t blockThreads, std::uint32_t warpSize,
                            ElementType type = ElementType::Float) const;
};

/// Every strategy, in course order: chapter by chapter, in the order of the chapters' least `order`.
std::span<const Strategy> strategies();

/// A lesson's place in the course, `4.2`: the second lesson of the fourth chapter.
std::string courseNumber(const Strategy& strategy);

/// True if a lesson matches a search: its title, id, chapter, summary and text contain every word of the
/// search, in any case. An empty search matches all.
bool matches(const Strategy& strategy, std::string_view words);

/// The strategy of that id or former id, or nullptr.
const Strategy* findStrategy(std::string_view id);

/// The strategy whose text is exactly that, or nullptr.
const Strategy* findStrategyOfText(std::string_view source);

/// The files of one strategy, as the build embedded them.
struct StrategyText {
  std::string_view id;
  std::string_view kernel;
  std::string_view file;
  std::string_view source;
  std::string_view lesson;  ///< with its front matter
};

/// In the order of their file names.
std::span<const StrategyText> strategyTexts();

/// Reads the head of a lesson (`key: value` lines between two lines of `---`, README.md) into the strategy,
/// and the rest into its lesson. Throws std::invalid_argument, naming the key, if the head is invalid: a
/// strategy's author sees it in the first test.
void readFrontMatter(std::string_view text, Strategy& strategy);

/// Reads one `key: value` of a head. Throws std::invalid_argument as above.
void readHeadEntry(std::string_view key, std::string_view value, Strategy& strategy);

/// The ids of the three strategies nearest to a word that is not an id, the nearest first: by the letters to
/// insert, to swap, to leave out or replace (each costs more than the one before). Capitals and '_' for '-'
/// cost nothing, and a word of three letters or more that is inside an id costs one.
std::vector<std::string_view> nearestStrategies(std::string_view word);

/// The advice for such a word: `The nearest strategies are baseline, butterfly and kahan; lanescope-cli list
/// names all 40.` A word with a dot or a slash, which no id has, is taken as a file's name.
std::string nearestStrategiesText(std::string_view word);

}  // namespace lanescope
